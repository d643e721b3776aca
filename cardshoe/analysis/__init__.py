"""Was it shuffled? Faces in, a verdict out; imports `regulations.events.cards` alone."""

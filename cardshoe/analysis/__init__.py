"""Was it shuffled? Faces in, a verdict out."""

"""The evaluators of our own, checked against the texts and against counts known from elsewhere."""

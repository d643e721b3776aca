"""Dealing equipment without electronics: the croupier enters what comes out of it."""

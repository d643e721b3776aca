"""The gate: what is open blocks what a person asks for, until a person takes a way out."""

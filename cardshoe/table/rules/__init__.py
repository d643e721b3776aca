"""The regulation as the machine holds it."""

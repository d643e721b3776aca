"""Faults of lines, adapters and devices that were met in the field, each as it was reported."""

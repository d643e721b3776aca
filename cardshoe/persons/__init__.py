"""Persons, their PINs, roles and sessions."""

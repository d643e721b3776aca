"""Attacks that were made on a table, and what stops them now: one module for each kind."""

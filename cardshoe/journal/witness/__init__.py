"""Witnesses of a journal: service and clients."""

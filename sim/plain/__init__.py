"""Dealing equipment without electronics: the croupier enters what comes out of it.

``devices`` are the equipment, ``hands`` the hands at a table with one.
"""

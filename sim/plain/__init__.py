"""Dealing equipment without electronics: what comes out of it, the croupier enters himself.

``devices`` are the equipment, ``hands`` the hands at a table with one.
"""

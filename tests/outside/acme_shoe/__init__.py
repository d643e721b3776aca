"""A device family of another maker: all that cardshoe knows of it is the entry point of its distribution.

A frame has 6 bytes: 02, number, rank, suit, sum of the three before, 03.
"""

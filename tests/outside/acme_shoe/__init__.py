"""A device family of another maker: all that cardshoe knows of it is the entry point of its distribution.

Its shoe only sends. A frame has 6 bytes: 02, number, rank, suit, sum of the three before, 03. Rank and suit are ASCII,
or ``??`` for a card that was not read. The first number after power-on is 0; 255 is followed by 1.
"""

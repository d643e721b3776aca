"""The law: cards, table profile, events, the shoe game and the games' rounds.

The same events give the same outputs, byte for byte: no device, clock, randomness or thread.
"""

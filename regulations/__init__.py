"""The law: cards, table profile, events, the shoe game and the games' rounds.

Pure: no device, no clock, no randomness, no threads. One event in, outputs out
(:meth:`regulations.procedure.procedure.Procedure.apply`); the same events give the same outputs, byte for byte.
"""

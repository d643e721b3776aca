"""The law: cards, table profile, events, the shoe game and the games' rounds.

Pure: no device, no clock, no randomness, no threads. One event goes in, outputs come out
(:meth:`regulations.procedure.procedure.Procedure.apply`), and the same events give the same outputs, byte for byte.
"""

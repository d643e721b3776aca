"""Simulated devices, croupier and players, and faults: ``docs/simulator.md``.

It shares the codecs of ``protocols`` with the drivers, and no other code.
"""

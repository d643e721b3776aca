"""Simulated devices, croupier and players, and the faults that befall them: ``docs/simulator.md``.

It shares the codecs of ``protocols`` with the drivers, and no other code.
"""

"""Simulated devices, croupier and players, and the faults that befall them. What it is for: ``docs/simulator.md``.

``clock`` is the time it all lives in; ``angel_eye`` a shoe; ``felt`` and ``hands`` the cards outside of it; ``wires``
the lines to the host; ``faults`` what goes wrong on a line; ``station`` the thread on which it runs in real time;
``croupier`` and ``players`` the people; ``control`` a person's way in. It shares the codecs of ``protocols`` with the
drivers, and nothing else.
"""

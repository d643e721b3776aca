"""Checks of TDP devices, by a host that is careful or hostile as a check wants it (``docs/protocols/tdp.md``).

``line`` moves single frames, ``session`` is a host within one session whose every habit can be switched off, ``ledger``
remembers all events of a run; ``opening`` makes sessions, and ``rig``, with commands and cards besides, is what the
checks work with. The other modules are checks, by section.
"""

"""Simulated devices, croupier and players, and the faults that befall them. What it is for: ``docs/simulator.md``.

``clock`` is the time it all lives in; ``angel_eye`` and ``bee_tek`` shoes; ``plain`` equipment without electronics;
``magazine`` the cards in a device, ``felt`` those outside of it, ``hands`` and ``table_hands`` what moves them;
``wires`` the lines to the host; ``faults`` what goes wrong on a line; ``station`` the thread on which it runs in real
time; ``croupier`` and ``players`` the people; ``control`` and ``control_lines`` a person's way in, ``control_channel``,
``control_desk``, ``control_words``, ``watch`` and ``tap`` a program's; ``simulated`` the form of a device that
`cardshoe sim` and `demo` offer, ``kinds`` ours. It shares the codecs of ``protocols`` with the drivers, and nothing
else.
"""

"""Simulated TDP devices: a card-reading shoe, a shuffler-dealer and a shuffler, each with electronics and real cards.

``electronics`` is what talks to the host, ``memory`` what it keeps without power, ``machine`` what all machines have,
``shoe``, ``shuffler_dealer`` and ``shuffler`` the machines, ``hands`` what moves their cards, ``control`` a person's
way in.
"""

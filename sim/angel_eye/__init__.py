"""A simulated Angel Eye II-EX baccarat shoe: physical cards, a firmware that plays along, and its serial protocol.

``reader`` is the eye, ``play`` and ``tableau`` the shoe's own baccarat, ``alarms`` its errors,
``transmitter`` its telegrams, ``commands`` what the host may ask for, ``shoe`` all of it in one box.
"""

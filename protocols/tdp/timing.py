"""Every time of the link, and its window (``docs/protocols/tdp.md``, section 6). All are fixed; none is measured."""

from typing import Final

RETRY_S: Final = 0.25
"""Until ``OPEN`` or unacknowledged ``DATA`` is sent again; a full window takes 0.1 s, a USB converter 16 ms."""

ACK_WITHIN_S: Final = 0.01
"""Longest wait for a frame to carry an acknowledgement: a table answers a card within milliseconds."""

ALIVE_AFTER_S: Final = 0.4
"""Silence after which an end sends a keep-alive: three times within ``SILENCE_S``."""

SILENCE_S: Final = 1.5
"""Silence that ends a session: three failed keep-alives."""

GIVE_UP_S: Final = 3.0
"""Time without new acknowledgements after which a session is given up: twelve repetitions."""

WINDOW_MAX: Final = 4
"""Unacknowledged frames: they fill 115200 baud behind a converter that adds 50 ms."""

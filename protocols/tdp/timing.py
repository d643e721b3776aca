"""Times and window of the link (``docs/protocols/tdp.md``, section 6): all fixed."""

from typing import Final

RETRY_S: Final = 0.25
"""Until a repetition; a full window takes 0.1 s, a USB converter 16 ms."""

ACK_WITHIN_S: Final = 0.01
"""For a frame to carry an acknowledgement: a table answers a card within milliseconds."""

ALIVE_AFTER_S: Final = 0.4
"""Until a keep-alive: three times within ``SILENCE_S``."""

SILENCE_S: Final = 1.5
"""It ends a session: three failed keep-alives."""

GIVE_UP_S: Final = 3.0
"""Without new acknowledgements: twelve repetitions."""

WINDOW_MAX: Final = 4
"""They fill 115200 baud behind a converter that adds 50 ms."""

"""Every time of the link, and its window (``docs/protocols/tdp.md``, section 6). All are fixed; none is measured."""

from typing import Final

RETRY_S: Final = 0.25
"""Until something unanswered is sent again: ``OPEN``, or all ``DATA`` under way. A full window of a line that agreed on
what takes 0.1 s, the other end's, its acknowledgement and a USB converter's latency timer (16 ms) take less."""

ACK_WITHIN_S: Final = 0.01
"""Longest wait of anything that can go along with a later frame (an acknowledgement of frames or events): a table
answers a card with the next permit within a few milliseconds, and one frame then carries all three."""

ALIVE_AFTER_S: Final = 0.4
"""Silence after which an end sends a keep-alive: three times within ``SILENCE_S``."""

SILENCE_S: Final = 1.5
"""Silence that ends a session: three keep-alives in a row have failed. A device waits as long for a confirmation."""

GIVE_UP_S: Final = 3.0
"""With ``DATA`` under way and nothing new acknowledged for so long the session is given up, though the other end is
heard: twelve repetitions. If one exchange in four fails, 1 in 10⁷ comes to that."""

WINDOW_MAX: Final = 4
"""Frames under way without acknowledgement: fills a line of 115200 baud behind a converter that adds 50 ms, while its
sender needs less than 1 KiB for them."""

"""How long the suite waits. The page's own times stand in ``protocols.tdp.timing``; these are generous beside them."""

from typing import Final

ANSWER_S: Final = 1.0
"""Seconds for an answer: 0.28 s at 9600 baud for the longest frame and answer, in both directions."""

OPENING_S: Final = 2.0
"""Seconds until both ends have heard each other (section 5)."""

COMMAND_S: Final = 5.0
"""Seconds for a command: an application may be busy."""

EVENT_S: Final = 5.0
"""Seconds from a card in the hand to its event."""

NOTHING_S: Final = 0.4
"""Seconds of silence that prove absence: lost frames are sent again after 0.25 s."""

QUIET_S: Final = 0.1
"""Seconds between events at the opening of a session; a longer pause ends them."""

SETTLE_S: Final = 0.03
"""Before a check begins, for what is still on the line."""

MACHINE_S: Final = 300.0
"""For what motors do: a shuffler takes minutes to take eight decks in, card by card."""

BOOT_S: Final = 30.0
"""From power to the first ``ACCEPT``. The page sets no limit; what it took is noted."""

SLACK_S: Final = 0.35
"""Seconds added for scheduler, converter and slow lines."""

EVENTS_BEFORE_S: Final = 10.0
"""Seconds for all kept events: 512 take 1.4 s at 115200 baud."""

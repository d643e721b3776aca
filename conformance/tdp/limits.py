"""How long the suite waits: generous beside ``protocols.tdp.timing``."""

from typing import Final

ANSWER_S: Final = 1.0
"""0.28 s at 9600 baud for the longest frame and answer, in both directions."""

OPENING_S: Final = 2.0
"""Seconds until both ends have met (section 5)."""

COMMAND_S: Final = 5.0
"""Seconds for a command: an application may be busy."""

EVENT_S: Final = 5.0

NOTHING_S: Final = 0.4
"""Lost frames are sent again after 0.25 s."""

QUIET_S: Final = 0.1

SETTLE_S: Final = 0.03

MACHINE_S: Final = 300.0
"""A shuffler takes minutes to take eight decks in."""

BOOT_S: Final = 30.0
"""From power to the first ``ACCEPT``; the page sets no limit."""

SLACK_S: Final = 0.35
"""Seconds added for scheduler, converter and slow lines."""

EVENTS_BEFORE_S: Final = 10.0
"""512 events take 1.4 s at 115200 baud."""

"""How long the suite waits. The page's own times stand in ``protocols.tdp.timing``; these are generous beside them."""

from typing import Final

ANSWER_S: Final = 1.0
"""A link answers at once, from the thread or interrupt that reads; the longest frame and its answer take 0.28 s at 9600
baud, and the other direction may be as full."""

OPENING_S: Final = 2.0
"""Within so many seconds both ends have heard each other, on a line that carries frames (section 5)."""

COMMAND_S: Final = 5.0
"""An application may be busy for a moment; a command that takes time is answered when it has begun."""

EVENT_S: Final = 5.0
"""From a card in the hand to its event: the device keeps the event first, in whatever memory it has."""

NOTHING_S: Final = 0.4
"""Nothing came for so long: it will not come. Longer than the 0.25 s after which anything lost is sent again."""

QUIET_S: Final = 0.1
"""Between the events that a device sends at once when a session opens; a pause of so long ends them."""

SETTLE_S: Final = 0.03
"""Before a check begins, for what is still on the line."""

MACHINE_S: Final = 300.0
"""For what motors do: a shuffler takes minutes to take eight decks in, card by card."""

BOOT_S: Final = 30.0
"""From power to the first ``ACCEPT``. The page sets no limit; what it took is noted."""

SLACK_S: Final = 0.35
"""Time that a scheduler, a USB converter and a slow line may add to a time of the page."""

EVENTS_BEFORE_S: Final = 10.0
"""For all the events that were kept from before: 512 of them take 1.4 s at 115200 baud."""

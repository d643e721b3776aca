"""Count each event and execute each command once (``docs/protocols/tdp.md``, section 12).

The owner stores durably: outbox and ``last_other``, the deduplicator's keys, the memory's answers.
"""

from bisect import bisect_right
from collections.abc import Iterable
from enum import Enum
from typing import Final

import msgspec

from protocols.errors import ProtocolError
from protocols.tdp.codes import RefusalReason
from protocols.tdp.commands import DeviceCommand, EventAcknowledged
from protocols.tdp.events import DeviceEvent, EventKey, PowerRestored
from protocols.tdp.messages import Done, Refused

OUTBOX_MAX: Final = 512
"""A shoe of eight decks is 416 cards."""

RESERVE: Final = 16
"""For starts, covers, keys, faults, and cards under way when the outbox fills."""

NEVER: Final = EventKey(0, 0)
"""Before every other; in a new device's ``PowerRestored``."""

ANSWERS_MAX: Final = 16
"""A host retries the last few only."""


class OutboxRefused(ProtocolError):
    """The outbox is full, or the event out of order; the device stops."""

    def __init__(self, key: EventKey, expected: EventKey, waiting: int) -> None:
        super().__init__(key, expected, waiting)
        self.key: Final = key
        self.expected: Final = expected
        self.waiting: Final = waiting

    def __str__(self) -> str:
        return f"event {self.key} refused: the next is {self.expected}, and {self.waiting} of {OUTBOX_MAX} wait"


class EventOutbox:
    """The device's unacknowledged events, in order.

    Attributes:
        last_other: key of the last but ``PowerRestored``, kept over power cuts: the next one names it.
    """

    def __init__(self, boot: int, kept: Iterable[DeviceEvent] = (), last_other: EventKey = NEVER) -> None:
        self._events: Final = list(kept)
        self._sent = 0
        self.next_key = EventKey(boot, 1)
        self.last_other = last_other

    @property
    def pending(self) -> tuple[DeviceEvent, ...]:
        """The events that wait for acknowledgement, in order."""
        return tuple(self._events)

    @property
    def free(self) -> int:
        """Places that are free, the reserve among them."""
        return OUTBOX_MAX - len(self._events)

    @property
    def has_room_for_cards(self) -> bool:
        return self.free > RESERVE

    @property
    def full(self) -> bool:
        return self.free <= 0

    def power_restored(self, reason: int) -> PowerRestored:
        boot, before = self.next_key.boot, self.last_other
        event = PowerRestored(boot, 1, before.boot, before.number, reason)
        self.put(event)
        return event

    def put(self, event: DeviceEvent) -> None:
        """Keep an event.

        Raises:
            OutboxRefused: out of order or full; nothing was stored.
        """
        if self.full or event.key != self.next_key:
            raise OutboxRefused(event.key, self.next_key, len(self._events))
        self._events.append(event)
        self.next_key = EventKey(event.boot, event.number + 1)
        if not isinstance(event, PowerRestored):
            self.last_other = event.key

    def session_opened(self) -> None:
        self._sent = 0

    def to_send(self, most: int) -> list[DeviceEvent]:
        """They count as sent."""
        sending = self._events[self._sent : self._sent + most]
        self._sent += len(sending)
        return sending

    def acknowledged(self, acknowledgement: EventAcknowledged) -> int:
        """Also those of earlier sessions; return their number."""
        key = EventKey(acknowledgement.boot, acknowledgement.number)
        count = bisect_right(self._events, key, key=lambda event: event.key)
        if not count or self._events[count - 1].key != key:
            return 0  # forgotten before, or of an event that never was
        del self._events[:count]
        self._sent = max(0, self._sent - count)
        return count


class EventOrder(Enum):
    NEW = "new"
    """Make it durable, then acknowledge it."""
    REPEATED = "repeated"
    """Acknowledge again if the bytes are equal, else it is a gap."""
    GAP = "gap"
    """Acknowledge nothing, block the table."""


class EventDeduplicator(msgspec.Struct, forbid_unknown_fields=True):
    """Host's end: which events of a device are new, by number alone.

    Attributes:
        last: None for a new device.
        last_other: the next ``PowerRestored`` must name it.
    """

    last: EventKey | None
    last_other: EventKey | None = None

    def __post_init__(self) -> None:
        if self.last_other is None:
            self.last_other = self.last

    def judge(self, event: DeviceEvent) -> EventOrder:
        """Nothing changes until ``made_durable``."""
        last = self.last
        if last is None:
            # The history before this host is not ours to count; whoever enrols a device knows that.
            return EventOrder.NEW
        key = event.key
        if not last < key:
            return EventOrder.REPEATED
        if isinstance(event, PowerRestored):
            # Starts of which the host heard nothing are no loss, if nothing else happened in them.
            follows = event.number == 1 and event.boot > last.boot and _named(event) == self.last_other
            return EventOrder.NEW if follows else EventOrder.GAP
        return EventOrder.NEW if (key.boot, key.number) == (last.boot, last.number + 1) else EventOrder.GAP

    def made_durable(self, event: DeviceEvent) -> EventAcknowledged:
        """In the journal; ``event`` is new, or follows a gap that a person accepted."""
        self.last = event.key
        # A start accounts for all that it names, also where a person let it pass or the history begins with it.
        self.last_other = _named(event) if isinstance(event, PowerRestored) else self.last
        return EventAcknowledged(event.boot, event.number)

    @property
    def acknowledgement(self) -> EventAcknowledged | None:
        """Send it only after the device has reported that very event in this session.

        A replaced device would drop another event under the same number.
        """
        return None if self.last is None else EventAcknowledged(self.last.boot, self.last.number)


def _named(restored: PowerRestored) -> EventKey:
    return EventKey(restored.previous_boot, restored.previous_last)


class CommandMemory:
    """A repeated id is answered alike and executed once."""

    def __init__(self, highest: int = 0) -> None:
        self._highest = highest
        self._answers: Final[dict[int, tuple[DeviceCommand, Done | Refused]]] = {}

    def recall(self, command: DeviceCommand) -> Done | Refused | None:
        """None: execute it, then ``remember``; an old id, or another command's, is refused."""
        known = self._answers.get(command.id)
        if known is not None:
            return known[1] if known[0] == command else Refused(command.id, RefusalReason.CONFLICTING_ID)
        if command.id <= self._highest:
            return Refused(command.id, RefusalReason.OLD_ID)
        return None

    def remember(self, command: DeviceCommand, answer: Done | Refused) -> None:
        """Store the answer to a new command."""
        self._highest = max(self._highest, command.id)
        self._answers[command.id] = (command, answer)
        while len(self._answers) > ANSWERS_MAX:
            del self._answers[next(iter(self._answers))]

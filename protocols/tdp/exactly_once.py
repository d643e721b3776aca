"""Count each event once and execute each command once (``docs/protocols/tdp.md``, section 12).

A stream loses and repeats no bytes within a session, but sessions end and both ends restart. ``EventOutbox`` and
``CommandMemory`` are for the device, ``EventDeduplicator`` is for the host. The owner stores durably: the outbox's
events and ``last_other``, the deduplicator's last keys (from the journal), the memory's answers.
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
"""Events that a device keeps: a shoe of eight decks is 416 cards."""

RESERVE: Final = 16
"""Places without cards: for starts, covers, keys, faults, and the cards under way when the outbox fills."""

NEVER: Final = EventKey(0, 0)
"""The key before every other, in ``PowerRestored`` of a new device."""

ANSWERS_MAX: Final = 16
"""Answers that a device remembers; a host retries the last few only."""


class OutboxRefused(ProtocolError):
    """An event that cannot be stored: the outbox is full, or it is out of order. The device stops."""

    def __init__(self, key: EventKey, expected: EventKey, waiting: int) -> None:
        super().__init__(key, expected, waiting)
        self.key: Final = key
        self.expected: Final = expected
        self.waiting: Final = waiting

    def __str__(self) -> str:
        return f"event {self.key} refused: the next is {self.expected}, and {self.waiting} of {OUTBOX_MAX} wait"


class EventOutbox:
    """The device's events until they are acknowledged, in order.

    Attributes:
        next_key: the key that the next event must have.
        last_other: the key of the last event other than ``PowerRestored``, kept over power cuts: the next
            ``PowerRestored`` names it.
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
        """True if a card may leave with the reserve still free."""
        return self.free > RESERVE

    @property
    def full(self) -> bool:
        """True if no event can be stored."""
        return self.free <= 0

    def power_restored(self, reason: int) -> PowerRestored:
        """Put and return the event that every boot begins with.

        Raises:
            OutboxRefused: the boot has begun already, or the outbox is full.
        """
        boot, before = self.next_key.boot, self.last_other
        event = PowerRestored(boot, 1, before.boot, before.number, reason)
        self.put(event)
        return event

    def put(self, event: DeviceEvent) -> None:
        """Keep an event.

        Raises:
            OutboxRefused: out of order, or the outbox is full; nothing was stored.
        """
        if self.full or event.key != self.next_key:
            raise OutboxRefused(event.key, self.next_key, len(self._events))
        self._events.append(event)
        self.next_key = EventKey(event.boot, event.number + 1)
        if not isinstance(event, PowerRestored):
            self.last_other = event.key

    def session_opened(self) -> None:
        """Send all unacknowledged events again."""
        self._sent = 0

    def to_send(self, most: int) -> list[DeviceEvent]:
        """Return the next events that this session has not carried yet, at most ``most``; they count as sent."""
        sending = self._events[self._sent : self._sent + most]
        self._sent += len(sending)
        return sending

    def acknowledged(self, acknowledgement: EventAcknowledged) -> int:
        """Drop the events that the host has stored, also those of earlier sessions; return their number."""
        key = EventKey(acknowledgement.boot, acknowledgement.number)
        if key >= self.next_key:
            return 0  # of an event that never was: a host that knows another device by this name
        count = bisect_right(self._events, key, key=lambda event: event.key)
        del self._events[:count]
        self._sent = max(0, self._sent - count)
        return count


class EventOrder(Enum):
    """The order of an event after those known."""

    NEW = "new"
    """The next: make it durable, then acknowledge it."""
    REPEATED = "repeated"
    """Already durable: acknowledge again if the bytes are equal, else it is a gap."""
    GAP = "gap"
    """One or more are missing before it: acknowledge nothing, block the table."""


class EventDeduplicator(msgspec.Struct, forbid_unknown_fields=True):
    """Host's end: decides which events of one device are new, by number alone.

    Attributes:
        last: key of the last durable event; None for a new device.
        last_other: key of the last durable event other than ``PowerRestored``, else the one that the first
            ``PowerRestored`` named, or None. The next ``PowerRestored`` must name it.
    """

    last: EventKey | None
    last_other: EventKey | None = None

    def __post_init__(self) -> None:
        if self.last_other is None:
            self.last_other = self.last

    def judge(self, event: DeviceEvent) -> EventOrder:
        """Return the order of ``event``; nothing changes until ``made_durable``."""
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
        """Record that ``event`` is durable in the journal; return the acknowledgement to send.

        Args:
            event: a new one, or one after a gap that a person accepted: the history continues with it.
        """
        self.last = event.key
        # A start accounts for all that it names, also where a person let it pass or the history begins with it.
        self.last_other = _named(event) if isinstance(event, PowerRestored) else self.last
        return EventAcknowledged(event.boot, event.number)

    @property
    def acknowledgement(self) -> EventAcknowledged | None:
        """The acknowledgement of all durable events, or None.

        Send it only after the device has reported that very event in this session: a replaced device, or one with lost
        memory, would drop another event under the same number.
        """
        return None if self.last is None else EventAcknowledged(self.last.boot, self.last.number)


def _named(restored: PowerRestored) -> EventKey:
    return EventKey(restored.previous_boot, restored.previous_last)


class CommandMemory:
    """The device's memory of commands: a repeated id is answered alike and executed once."""

    def __init__(self, highest: int = 0) -> None:
        self._highest = highest
        self._answers: Final[dict[int, tuple[DeviceCommand, Done | Refused]]] = {}

    def recall(self, command: DeviceCommand) -> Done | Refused | None:
        """Return the answer to a repeated command; None: execute it, then call ``remember``.

        An id that is too old, or that came with another command, is refused.
        """
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

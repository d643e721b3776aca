"""Each event counted once, each command done once, whatever line and power do (``docs/protocols/tdp.md``, section 12).

A session's stream loses and doubles nothing, but sessions end, and devices and hosts start again. ``EventOutbox`` and
``CommandMemory`` are the device's part, ``EventGate`` is the host's. What of them must survive a power cut, their
owner keeps: the outbox its events, the gate its last key (that of the journal), the memory its answers.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Final

from protocols.errors import ProtocolError
from protocols.tdp.codes import RefusalReason
from protocols.tdp.commands import DeviceCommand, EventAcknowledged
from protocols.tdp.events import DeviceEvent, EventKey, PowerRestored
from protocols.tdp.messages import Done, Refused

OUTBOX_MAX: Final = 512
"""Events that a device keeps: a shoe of eight decks is 416 cards. When full the device lets no more card out."""

ANSWERS_MAX: Final = 16
"""Answers that a device remembers: a host has at most one command under way, and retries the last few."""


class OutboxRefused(ProtocolError):
    """An event that cannot be kept: the outbox is full, or the event is not the next. The card must not leave.

    Attributes:
        key: of the event.
        expected: the key of the next event.
        waiting: events in the outbox.
    """

    def __init__(self, key: EventKey, expected: EventKey, waiting: int) -> None:
        """Keep the facts; the text is made from them."""
        super().__init__(key, expected, waiting)
        self.key: Final = key
        self.expected: Final = expected
        self.waiting: Final = waiting

    def __str__(self) -> str:
        """Which event, which was due, how full."""
        return f"event {self.key} refused: the next is {self.expected}, and {self.waiting} of {OUTBOX_MAX} wait"


class EventOutbox:
    """The device's events until they are acknowledged, in order.

    Attributes:
        next_key: the key that the next event must have.
    """

    def __init__(self, boot: int, kept: Iterable[DeviceEvent] = ()) -> None:
        """Begin a boot.

        Args:
            boot: its count.
            kept: the events of earlier boots that were not acknowledged, in order.
        """
        self._events: Final = list(kept)
        self._sent = 0
        self.next_key = EventKey(boot, 1)

    @property
    def pending(self) -> tuple[DeviceEvent, ...]:
        """The events that wait for acknowledgement, in order."""
        return tuple(self._events)

    @property
    def full(self) -> bool:
        """Whether no event can be kept any more. A device stops at least one event earlier, to report the reason."""
        return len(self._events) >= OUTBOX_MAX

    def put(self, event: DeviceEvent) -> None:
        """Keep an event.

        Raises:
            OutboxRefused: it is not the next, or there is no room. Nothing was kept.
        """
        if self.full or event.key != self.next_key:
            raise OutboxRefused(event.key, self.next_key, len(self._events))
        self._events.append(event)
        self.next_key = EventKey(event.boot, event.number + 1)

    def session_opened(self) -> None:
        """Start over: what was sent in an earlier session and not acknowledged may not have arrived."""
        self._sent = 0

    def to_send(self, most: int) -> list[DeviceEvent]:
        """Return the next events that this session has not carried yet, at most ``most``; they count as sent."""
        sending = self._events[self._sent : self._sent + most]
        self._sent += len(sending)
        return sending

    def acknowledged(self, acknowledgement: EventAcknowledged) -> int:
        """Forget what the host has for good; return how many events that were.

        An acknowledgement of what was never sent in this session forgets it as well: it was sent in an earlier one.
        """
        key = EventKey(acknowledgement.boot, acknowledgement.number)
        if key >= self.next_key:
            return 0  # of an event that never was: a host that knows another device by this name
        count = sum(event.key <= key for event in self._events)
        del self._events[:count]
        self._sent = max(0, self._sent - count)
        return count


class Verdict(Enum):
    """What the host makes of an event."""

    NEW = "new"
    """The next: make it durable, then acknowledge it."""
    REPEATED = "repeated"
    """Already durable: acknowledge it again, and do nothing else."""
    GAP = "gap"
    """One or more are missing before it: acknowledge nothing, block the table."""


class EventGate:
    """The host's end: which events of one device are new.

    Attributes:
        last: key of the last event that is durable, or None for a device without history.
    """

    def __init__(self, last: EventKey | None) -> None:
        """Begin where the journal ends.

        Args:
            last: the highest key of this device in the journal, None if there is none.
        """
        self.last = last

    def judge(self, event: DeviceEvent) -> Verdict:
        """Say what ``event`` is. Nothing changes: that it is durable, only ``made_durable`` says."""
        last = self.last
        if last is None:
            # The history before this host is not ours to count; whoever enrols a device knows that.
            return Verdict.NEW
        if event.key <= last:
            return Verdict.REPEATED
        if event.key == EventKey(last.boot, last.number + 1):
            return Verdict.NEW
        if isinstance(event, PowerRestored) and event.number == 1:
            before = EventKey(event.previous_boot, event.previous_last)
            return Verdict.NEW if before == last else Verdict.GAP
        return Verdict.GAP

    def made_durable(self, event: DeviceEvent) -> EventAcknowledged:
        """Take note that ``event``, which was new, is in the journal for good; return what to send to the device."""
        self.last = event.key
        return EventAcknowledged(event.boot, event.number)

    @property
    def acknowledgement(self) -> EventAcknowledged | None:
        """What to send for a repeated event, and when a session opened: all that is durable; None if nothing is."""
        return None if self.last is None else EventAcknowledged(self.last.boot, self.last.number)


class CommandMemory:
    """The device's memory of commands: the same id is answered alike and done once."""

    def __init__(self, highest: int = 0) -> None:
        """Begin.

        Args:
            highest: the highest id ever answered, as the device kept it; 0 if none.
        """
        self._highest = highest
        self._answers: Final[dict[int, tuple[DeviceCommand, Done | Refused]]] = {}

    def recall(self, command: DeviceCommand) -> Done | Refused | None:
        """Return the answer to a command that came before, or None: do it, then ``remember`` the answer.

        An id that is too old to be remembered, or comes again with another command, is refused.
        """
        known = self._answers.get(command.id)
        if known is not None:
            return known[1] if known[0] == command else Refused(command.id, RefusalReason.CONFLICTING_ID)
        if command.id <= self._highest:
            return Refused(command.id, RefusalReason.OLD_ID)
        return None

    def remember(self, command: DeviceCommand, answer: Done | Refused) -> None:
        """Keep the answer to a command that was new."""
        self._highest = max(self._highest, command.id)
        self._answers[command.id] = (command, answer)
        while len(self._answers) > ANSWERS_MAX:
            del self._answers[next(iter(self._answers))]

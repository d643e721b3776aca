"""A device's memory without power (``docs/protocols/tdp.md``, section 12).

Each method is atomic.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from protocols.tdp.codes import BootReason, RefusalReason
from protocols.tdp.commands import DeviceCommand, EventAcknowledged, RecallRoot, RememberRoot
from protocols.tdp.events import (
    CoverClosed,
    CoverOpened,
    DeviceEvent,
    Fault,
    FaultCleared,
    KeyTurned,
    PowerRestored,
)
from protocols.tdp.exactly_once import OUTBOX_MAX, RESERVE, CommandMemory, EventOutbox
from protocols.tdp.messages import Done, Meters, Refused, RootRemembered

REPORTED_AGAIN: Final = (PowerRestored, Fault, FaultCleared, CoverOpened, CoverClosed, KeyTurned)
"""A device reports them at its start."""

LOGS_MAX: Final = 8
"""Logs of which something is remembered (rule R1)."""
NOTHING: Final = (0, bytes(32))

MakeEvent = Callable[[int, int], DeviceEvent]
"""From boot and number."""


@dataclass(slots=True)
class MeterReadings:
    """``docs/protocols/tdp.md``, section 8."""

    shuffles_done: int = 0
    shuffles_failed: int = 0
    cards_per_shuffle: int = 0
    cards_read: int = 0
    cards_not_read: int = 0
    misfeeds: int = 0
    power_cycles: int = 0
    cover_openings: int = 0

    def message(self, command_id: int) -> Meters:
        return Meters(
            command_id,
            self.shuffles_done,
            self.shuffles_failed,
            self.cards_per_shuffle,
            self.cards_read,
            self.cards_not_read,
            self.misfeeds,
            self.power_cycles,
            self.cover_openings,
        )


@dataclass(slots=True)
class CardCounts:
    """``left``: modulo 2¹⁶ as on the wire."""

    stack: int = 0
    left: int = 0
    cut_card_seen: bool = False
    packet_told: bool = False
    loading: bool = False
    returning: bool = False
    fed: int = 0
    shuffling: bool = False
    shuffled: bool = False


class StoredRoots:
    """Rules R1 to R5; only other logs displace them."""

    def __init__(self) -> None:
        self._roots: Final[dict[bytes, tuple[int, bytes]]] = {}
        self.logs = 0

    def why_not(self, command: RememberRoot) -> RefusalReason | None:
        """Rule R2; None: it is taken."""
        size, root = self._roots.get(command.log, NOTHING)
        if command.size == 0:
            return RefusalReason.BAD_VALUE
        if command.size < size:
            return RefusalReason.SMALLER_TREE
        return RefusalReason.OTHER_ROOT if command.size == size and command.root != root else None

    def store(self, command: RememberRoot) -> None:
        """A new log displaces the one reported longest ago."""
        if self._roots.pop(command.log, None) is None:
            self.logs += 1
            if len(self._roots) >= LOGS_MAX:
                del self._roots[next(iter(self._roots))]
        self._roots[command.log] = (command.size, command.root)

    def message(self, command: RecallRoot) -> RootRemembered:
        return RootRemembered(command.id, command.log, *self._roots.get(command.log, NOTHING), self.logs)


class DeviceMemory:
    """``keeps_events``: capability 9; ``tells_restarts`` False breaks the page."""

    def __init__(
        self,
        *,
        keeps_events: bool = True,
        keeps_answers: bool = True,
        tells_restarts: bool = True,
        drops_events: bool = False,
    ) -> None:
        self.keeps_events: Final = keeps_events
        self.keeps_answers: Final = keeps_answers
        self.tells_restarts = tells_restarts
        self.drops_events: Final = drops_events
        self.boot = 0
        self.reason = BootReason.POWER_ON
        self.outbox = EventOutbox(0)
        self.commands = CommandMemory()
        self.meters = MeterReadings()
        self.counts = CardCounts()
        self.roots: Final = StoredRoots()
        self.faults: list[tuple[int, int]] = []
        """Code and module of present faults, in the order of their reports."""
        self.cover_known_open = False
        """An opening counts once."""
        self.cover_told_open = False
        self.key_told = 0
        self.room = OUTBOX_MAX
        """Less than a sound device has is a fault."""
        self._waiting: deque[MakeEvent] = deque()
        self._highest_id = 0

    def start(self, reason: BootReason) -> None:
        """``PowerRestored`` is its first event."""
        self.boot += 1
        self.reason = reason
        self.meters.power_cycles += 1
        kept = self.outbox.pending if self.keeps_events else ()
        self.outbox = EventOutbox(self.boot, kept, self.outbox.last_other)
        if not self.keeps_answers:
            self.commands = CommandMemory(self._highest_id)
        # The host forgets at a start what it knew of them: they are told anew.
        self.cover_told_open = False
        self.key_told = 0
        # What had found no room comes in this boot, but for what is told anew. A start that found no room is not told:
        # the next one names the same event.
        kept_back = self._waiting if self.keeps_events else ()
        self._waiting = deque(make for make in kept_back if not isinstance(make(0, 0), REPORTED_AGAIN))
        if self.tells_restarts:
            self._waiting.appendleft(self._restarted)
        self.flush()

    def store(self, make: MakeEvent) -> None:
        """Without room, as soon as there is some."""
        self._waiting.append(make)
        self.flush()

    def flush(self) -> None:
        while self._waiting and len(self.outbox.pending) < min(self.room, OUTBOX_MAX):
            key = self.outbox.next_key
            self.outbox.put(self._waiting.popleft()(key.boot, key.number))
        if self.drops_events:
            self._waiting.clear()

    def _restarted(self, boot: int, number: int) -> DeviceEvent:
        before = self.outbox.last_other
        return PowerRestored(boot, number, before.boot, before.number, self.reason)

    @property
    def is_overrun(self) -> bool:
        """No event has room: the device must stop."""
        return bool(self._waiting)

    @property
    def free(self) -> int:
        """Events for which there is room."""
        return min(self.room, OUTBOX_MAX) - len(self.outbox.pending) - len(self._waiting)

    @property
    def has_room_for_cards(self) -> bool:
        return self.free > RESERVE

    @property
    def last_number(self) -> int:
        """0: no event in this boot."""
        return self.outbox.next_key.number - 1

    def acknowledged(self, acknowledgement: EventAcknowledged) -> None:
        """Forget what the host has for good."""
        self.outbox.acknowledged(acknowledgement)
        self.flush()

    def remember(self, command: DeviceCommand, answer: Done | Refused) -> None:
        """Answer and root in one step."""
        self._highest_id = max(self._highest_id, command.id)
        self.commands.remember(command, answer)
        if isinstance(command, RememberRoot) and isinstance(answer, Done):
            self.roots.store(command)

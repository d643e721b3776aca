"""A device's memory without power: events, answers, meters, counts, faults, roots.

``docs/protocols/tdp.md``, section 12.

Each method is atomic, as in a memory with a journal of its own.
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

TOLD_ANEW: Final = (PowerRestored, Fault, FaultCleared, CoverOpened, CoverClosed, KeyTurned)
"""Events about what holds: a device tells it at its start."""

LOGS_MAX: Final = 8
"""Logs of which something is remembered at once (rule R1)."""
NOTHING: Final = (0, bytes(32))

MakeEvent = Callable[[int, int], DeviceEvent]
"""Makes an event from boot and number."""


@dataclass(slots=True)
class MeterReadings:
    """The device's counters since it was made; ``docs/protocols/tdp.md``, section 8, explains each."""

    shuffles_done: int = 0
    shuffles_failed: int = 0
    cards_per_shuffle: int = 0
    cards_read: int = 0
    cards_not_read: int = 0
    misfeeds: int = 0
    power_cycles: int = 0
    cover_openings: int = 0

    def message(self, command_id: int) -> Meters:
        """The answer to ``ReadMeters``."""
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
    """The device's count of its cards.

    Attributes:
        left: cards that have left since the stack was loaded, modulo 2¹⁶ as on the wire.
    """

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
    """Size and root of the logs reported last (rules R1 to R5); only other logs displace them."""

    def __init__(self) -> None:
        self._roots: Final[dict[bytes, tuple[int, bytes]]] = {}
        self.logs = 0
        """How many different logs ever took a place."""

    def why_not(self, command: RememberRoot) -> RefusalReason | None:
        """Why a root is not taken (rule R2); None: it is."""
        size, root = self._roots.get(command.log, NOTHING)
        if command.size == 0:
            return RefusalReason.BAD_VALUE
        if command.size < size:
            return RefusalReason.SMALLER_TREE
        return RefusalReason.OTHER_ROOT if command.size == size and command.root != root else None

    def store(self, command: RememberRoot) -> None:
        """Keep what ``why_not`` has nothing against; a new log takes the place of the one told longest ago."""
        if self._roots.pop(command.log, None) is None:
            self.logs += 1
            if len(self._roots) >= LOGS_MAX:
                del self._roots[next(iter(self._roots))]
        self._roots[command.log] = (command.size, command.root)

    def message(self, command: RecallRoot) -> RootRemembered:
        """The answer to a question."""
        return RootRemembered(command.id, command.log, *self._roots.get(command.log, NOTHING), self.logs)


class DeviceMemory:
    """The memory of a device that has never been switched on.

    Args:
        keeps_events: whether events survive without power (capability 9).
        tells_restarts: whether event 1 of each boot is ``PowerRestored``; False breaks the page.
    """

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
        """Code and module of the present faults, in the order of their reports."""
        self.cover_known_open = False
        """As it was seen last, in this boot or before; an opening counts once."""
        self.cover_told_open = False
        """Cover as reported in this boot; so is the key."""
        self.key_told = 0
        self.room = OUTBOX_MAX
        """Events for which there is room; less than what a sound device has is a fault."""
        self._waiting: deque[MakeEvent] = deque()
        self._highest_id = 0

    def start(self, reason: BootReason) -> None:
        """Begin a boot: one higher, and ``PowerRestored`` as its first event."""
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
        self._waiting = deque(make for make in kept_back if not isinstance(make(0, 0), TOLD_ANEW))
        if self.tells_restarts:
            self._waiting.appendleft(self._restarted)
        self.flush()

    def store(self, make: MakeEvent) -> None:
        """Keep an event under the next number; where there is no room, as soon as there is."""
        self._waiting.append(make)
        self.flush()

    def flush(self) -> None:
        """Give what waited for room its number, in order."""
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
        """True if events wait for which there is no room at all: the device must stop."""
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
        """Number of the last event of this boot, 0 if it does not exist yet."""
        return self.outbox.next_key.number - 1

    def acknowledged(self, acknowledgement: EventAcknowledged) -> None:
        """Forget what the host has for good."""
        self.outbox.acknowledged(acknowledgement)
        self.flush()

    def remember(self, command: DeviceCommand, answer: Done | Refused) -> None:
        """Store a new command's answer and its root in one step."""
        self._highest_id = max(self._highest_id, command.id)
        self.commands.remember(command, answer)
        if isinstance(command, RememberRoot) and isinstance(answer, Done):
            self.roots.store(command)

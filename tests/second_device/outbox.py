"""The device's memory over power cuts, and its events until they are acknowledged: section 12."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from tests.second_device.messages import Type, Value, encode

CAPACITY: Final = 512
"""Events kept."""

LOGS: Final = 8
"""Logs whose roots are remembered."""

RESERVE: Final = 16
"""Places of these for what is no card: a card leaves only if its event leaves them free."""

NEVER: Final = (0, 0)
"""Boot and number of no event."""


@dataclass
class Meters:
    shuffles_done: int = 0
    shuffles_failed: int = 0
    cards_per_shuffle: int = 0
    cards_read: int = 0
    cards_not_read: int = 0
    misfeeds: int = 0
    power_cycles: int = 0
    cover_openings: int = 0


@dataclass
class Memory:
    """The memory that outlives a power cut.

    Args:
        boot: how often the power came, 0 before the first time.
        count: cards that left since it was loaded, modulo 2¹⁶.
        roots: size and root (hexadecimal) of each log (hexadecimal), the one told longest ago first.
    """

    boot: int = 0
    last: int = 0
    other: tuple[int, int] = NEVER
    highest_id: int = 0
    stack: int = 0
    count: int = 0
    meters: Meters = field(default_factory=Meters)
    roots: dict[str, tuple[int, str]] = field(default_factory=dict)
    logs: int = 0
    events: list[tuple[int, int, bytes]] = field(default_factory=list)


class Outbox:
    """Numbers events and keeps them.

    Args:
        path: file to keep the memory in; None: it lasts as long as the process.
        keeps_events: over a power cut (capability 9); else only the rest of the memory outlives it.
    """

    def __init__(self, path: Path | None, *, keeps_events: bool) -> None:
        self._path = path
        self.keeps_events = keeps_events
        self.memory = _read(path) if path is not None and path.exists() else Memory()

    @property
    def pending(self) -> list[bytes]:
        """The events not acknowledged, oldest first."""
        return [message for _, _, message in self.memory.events]

    @property
    def free(self) -> int:
        """Places for events, the reserve among them."""
        return CAPACITY - len(self.memory.events)

    @property
    def is_full(self) -> bool:
        """True if no card may leave."""
        return self.free <= RESERVE

    def boot(self, reason: int) -> None:
        """The power came: a new boot, whose first event says so; where no place is free, that waits for `start_over`.

        Args:
            reason: of the list in section 8.
        """
        memory = self.memory
        if not self.keeps_events:
            memory.events.clear()
        memory.boot += 1
        memory.last = 0
        if self.free > 0:
            self.start_over(reason)
        else:
            self.save()

    @property
    def owes_start(self) -> bool:
        """True if the event that this boot begins with could not be kept."""
        return self.memory.last == 0

    def start_over(self, reason: int) -> None:
        """Tell the start, as event 1; nothing else was told since."""
        boot, last = self.memory.other
        self.record(Type.POWER_RESTORED, previous_boot=boot, previous_last=last, boot_reason=reason)

    def record(self, kind: Type, **values: Value) -> bytes:
        """Give an event the next number and keep it; the caller has seen that a place is free."""
        memory = self.memory
        assert self.free > 0, f"event {memory.boot}·{memory.last + 1} has no place"
        message = encode(kind, boot=memory.boot, number=memory.last + 1, **values)
        memory.last += 1
        memory.events.append((memory.boot, memory.last, message))
        if kind is not Type.POWER_RESTORED:
            memory.other = (memory.boot, memory.last)
        self.save()
        return message

    def acknowledged(self, boot: int, number: int) -> None:
        """Forget this event and all before it, if it is kept."""
        memory = self.memory
        if any(event[:2] == (boot, number) for event in memory.events):
            memory.events = [event for event in memory.events if event[:2] > (boot, number)]
            self.save()

    def root_of(self, log: bytes) -> tuple[int, bytes]:
        """Size and root that are remembered of a log; 0 and zeros: none are."""
        size, root = self.memory.roots.get(log.hex(), (0, "00" * 32))
        return size, bytes.fromhex(root)

    def remember_root(self, log: bytes, size: int, root: bytes) -> None:
        """Rules R1 and R3: keep a root; the log told longest ago makes room for a new one."""
        memory = self.memory
        if memory.roots.pop(log.hex(), None) is None:
            memory.logs += 1
            if len(memory.roots) >= LOGS:
                del memory.roots[next(iter(memory.roots))]
        memory.roots[log.hex()] = (size, root.hex())
        self.save()

    def save(self) -> None:
        """Make the memory durable."""
        if self._path is None:
            return
        values = asdict(self.memory)
        values["events"] = [[boot, number, message.hex()] for boot, number, message in self.memory.events]
        fresh = self._path.with_name(self._path.name + ".new")
        with fresh.open("w", encoding="ascii") as file:
            json.dump(values, file)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._path)


def _read(path: Path) -> Memory:
    values = json.loads(path.read_text(encoding="ascii"))
    values["meters"] = Meters(**values["meters"])
    values["other"] = tuple(values["other"])
    values["roots"] = {log: (size, root) for log, (size, root) in values["roots"].items()}
    values["events"] = [(boot, number, bytes.fromhex(message)) for boot, number, message in values["events"]]
    return Memory(**values)

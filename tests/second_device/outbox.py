"""What the device remembers over power cuts, and its events until they are acknowledged: section 12."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from tests.second_device.messages import Type, Value, encode

CAPACITY: Final = 512
"""Events kept before no card is let out. What happens without a card leaving (covers, keys, faults) is kept beyond."""


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
    """What outlives a power cut.

    Args:
        boot: how often the power came, 0 before the first time.
        last: number of the last event of that boot.
        highest_id: of all commands.
        stack: cards, as loaded last.
        count: cards that left since.
        meters: for ``ReadMeters``.
        events: boot, number and message of each event not acknowledged, oldest first.
    """

    boot: int = 0
    last: int = 0
    highest_id: int = 0
    stack: int = 0
    count: int = 0
    meters: Meters = field(default_factory=Meters)
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
    def is_full(self) -> bool:
        return len(self.memory.events) >= CAPACITY

    def boot(self, reason: int) -> None:
        """The power came: a new boot, whose first event says so.

        Args:
            reason: of the list in section 8.
        """
        memory = self.memory
        if not self.keeps_events:
            memory.events.clear()
        previous_boot, previous_last = memory.boot, memory.last
        memory.boot += 1
        memory.last = 0
        self.record(Type.POWER_RESTORED, previous_boot=previous_boot, previous_last=previous_last, boot_reason=reason)

    def record(self, kind: Type, **values: Value) -> bytes:
        """Give an event the next number and keep it.

        Returns:
            The message, kept already.
        """
        memory = self.memory
        message = encode(kind, boot=memory.boot, number=memory.last + 1, **values)
        memory.last += 1
        memory.events.append((memory.boot, memory.last, message))
        self.save()
        return message

    def acknowledged(self, boot: int, number: int) -> bool:
        """Forget this event and all before it.

        Returns:
            Whether there ever was such an event, as far as the memory goes.
        """
        memory = self.memory
        numbers = [event[1] for event in memory.events if event[0] == boot]
        last = memory.last if boot == memory.boot else max(numbers, default=0)
        if not 1 <= number <= last:
            return False
        memory.events = [event for event in memory.events if event[:2] > (boot, number)]
        self.save()
        return True

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
    values["events"] = [(boot, number, bytes.fromhex(message)) for boot, number, message in values["events"]]
    return Memory(**values)

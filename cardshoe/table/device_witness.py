"""A device as a witness: stores size and root of the newest note.

Each session asks before it sends a note (``docs/protocols/tdp.md``, R5): else a cut journal that grew again
would pass.
"""

import hashlib
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from cardshoe.journal import Journal, JournalBroken, WitnessFailed
from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.statements import read_statement
from firmware_bridge.bridge import Bridge
from firmware_bridge.errors import RootFailed
from firmware_bridge.roots import Remembered, RootMemory

ASK_S: Final = 5.0
"""Wait at the start for all roots; a plugged device is ready after two."""
LATER: Final = "Look at the device; as soon as it answers it is asked, and then told the newest."
ANOTHER: Final = "Stop the table, keep the journal as evidence, and tell the supervisor."


def devices_that_remember(
    bridges: Iterable[Bridge[Any]], say: Callable[[str], object], monotonic: Callable[[], float] = time.monotonic
) -> "list[DeviceHolder]":
    until_s = monotonic() + ASK_S

    def left_s() -> float:
        return max(0.0, until_s - monotonic())

    return [DeviceHolder(bridge.name, bridge.roots, say, left_s) for bridge in bridges if bridge.roots is not None]


def log_of(origin: str) -> bytes:
    """The SHA-256 of a journal's name in its notes, 32 bytes."""
    return hashlib.sha256(origin.encode()).digest()


class DeviceHolder:
    """A device as a holder of notes; ``wait_s``: seconds left at the start."""

    def __init__(
        self, device: str, memory: RootMemory, say: Callable[[str], object], wait_s: Callable[[], float]
    ) -> None:
        self.name = f"device {device}"
        self._memory: Final = memory
        self._say: Final = say
        self._wait_s: Final = wait_s
        self._log = b""
        self._roots: Final[dict[int, bytes]] = {}
        self._size, self._newest = 0, b""
        self._agreed = 0
        self._disputed = 0
        self._dispute = ""

    def missing(self, journal: Journal) -> Sequence[bytes]:
        """The missing notes, at the start or on connection.

        Raises:
            JournalBroken: the device remembers a root that the journal lacks.
        """
        self.begin(journal)
        try:
            told = self._ask(self._wait_s())
        except WitnessFailed as error:
            self._say(str(error))
            return [self._newest]
        if told is None:
            return []
        why = self._disagreement(told)
        if why is not None:
            raise JournalBroken(journal.path, None, f"the {self.name} {why}")
        self._agreed = told.session
        if told.size:
            self._say(f"{self.name}: remembers this journal up to entry {told.size - 1}")
        elif len(self._roots) > 1:
            self._say(
                f"{self.name}: has no record of this journal, and {told.logs} in its life: it is "
                "another device, was never here, lost its memory, or recorded too many others"
            )
        return [] if told.size == self._size else [self._newest]

    def begin(self, journal: Journal) -> Sequence[bytes]:
        """The newest note, sent after the device's memory was read."""
        self._log = log_of(journal.origin)
        self._learn(journal.notes())
        return [self._newest]

    def append(self, notes: Sequence[bytes]) -> None:
        """Store the newest of these notes in the device.

        Raises:
            WitnessFailed: absent, silent, or another root, which blocks the table once per session.
        """
        self._learn(notes)
        if self._memory.session == self._disputed:
            raise WitnessFailed(self.name, self._dispute, ANOTHER)
        if self._memory.session != self._agreed:
            told = self._ask(0.0)
            if told is None:
                return
            why = self._disagreement(told)
            if why is not None:
                raise self._disputes(why, told.session)
            self._agreed = told.session
        try:
            self._memory.remember(self._log, self._size, self._roots[self._size], self._agreed)
        except RootFailed as error:
            if error.disagrees:
                raise self._disputes(error.problem, self._agreed) from error
            raise WitnessFailed(self.name, f"was not told the newest: {error.problem}", LATER) from error

    def close(self) -> None:
        """The bridge owns the device."""

    def _learn(self, notes: Iterable[bytes]) -> None:
        for note in notes:
            said = read_statement(Note(note))
            self._roots[said.size] = said.root
            if said.size >= self._size:
                self._size, self._newest = said.size, note

    def _ask(self, wait_s: float) -> Remembered | None:
        try:
            return self._memory.recall(self._log, wait_s)
        except RootFailed as error:
            raise WitnessFailed(self.name, f"cannot be asked: {error.problem}", LATER) from error

    def _disagreement(self, told: Remembered) -> str | None:
        ours = self._roots.get(told.size)
        if told.size == 0 or ours == told.root:
            return None
        if ours is not None:
            return f"remembers another root over the journal's entries up to {told.size - 1}: the journal was altered"
        if told.size > self._size:
            return (
                f"remembers the journal up to entry {told.size - 1}, and the journal is signed up to {self._size - 1}: "
                "it was cut off, or is an old copy"
            )
        return (
            f"remembers a signature over entries up to {told.size - 1} that the journal lacks: the journal was altered"
        )

    def _disputes(self, why: str, session: int) -> WitnessFailed:
        self._disputed, self._dispute = session, why
        self._memory.disagree(f"{self.name}: {why}")
        return WitnessFailed(self.name, why, ANOTHER)

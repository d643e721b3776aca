"""A device's memory of the table's journal: its size and root. No cards move, so it needs no permit."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Remembered:
    """A device's memory of one journal.

    Attributes:
        size: entries, 0 if it remembers none of this journal.
        root: of the tree over them, 32 bytes.
    """

    size: int
    root: bytes
    logs: int
    session: int


class RootMemory(Protocol):
    """The memory of one device. Calls block: never from a port's thread or a running table."""

    @property
    def session(self) -> int:
        """The number of the session that stands or comes next, from 1; another one may be with another device."""

    def recall(self, log: bytes, wait_s: float) -> Remembered | None:
        """Request the device's memory of a journal.

        Args:
            log: the SHA-256 of the journal's name, 32 bytes.
            wait_s: seconds to wait for a session, if there was none yet.

        Returns:
            Its answer; ``None`` from a device without such memory.

        Raises:
            firmware_bridge.errors.RootFailed: the device is not reachable, or did not answer.
        """

    def remember(self, log: bytes, size: int, root: bytes, session: int) -> None:
        """Store a root in the device; durable at return.

        Args:
            size: entries of the journal, 1 or more.
            root: of the tree over them, 32 bytes.
            session: in which it was asked: what another one remembers must be asked first.

        Raises:
            firmware_bridge.errors.RootFailed: the device is not reachable, did not answer, or refused.
        """

    def disagree(self, why: str) -> None:
        """Block the table until a person acts: the journal is not the one that the device remembers."""

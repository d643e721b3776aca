"""A device's memory of the journal; no cards move, so it needs no permit."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Remembered:
    size: int
    root: bytes
    logs: int
    session: int


class RootMemory(Protocol):
    """Calls block: never from a port's thread or a running table."""

    @property
    def session(self) -> int:
        """From 1; another session may be with another device."""

    def recall(self, log: bytes, wait_s: float) -> Remembered | None:
        """``log``: SHA-256 of the journal's name; ``None``: a device without memory.

        Raises:
            firmware_bridge.errors.RootFailed: not reachable, or no answer.
        """

    def remember(self, log: bytes, size: int, root: bytes, session: int) -> None:
        """Durable at return; ``session``: that in which the memory was asked.

        Raises:
            firmware_bridge.errors.RootFailed: not reachable, no answer, or refused.
        """

    def disagree(self, why: str) -> None:
        """Block the table until a person acts."""

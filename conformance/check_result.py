"""The verdict on a check, and how a check gives it."""

from dataclasses import dataclass, field
from enum import Enum
from typing import NoReturn


class CheckStatus(Enum):
    """How a check ended."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    """Not tried: the device lacks the ability, or no operator could act. Never counted as passed."""
    ERROR = "error"
    """The line was lost, or the suite itself has a defect: nothing is known of the requirement."""


class RequirementFailed(Exception):
    """A requirement that is not met; ends the check.

    Attributes:
        raw: the bytes in question, perhaps none.
    """

    def __init__(self, expected: str, got: str, raw: bytes = b"") -> None:
        super().__init__(f"expected {expected}; got {got}")
        self.expected = expected
        self.got = got
        self.raw = raw


class CheckSkipped(Exception):
    """A check that cannot be tried here; ends the check."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class CheckUndone(Exception):
    """An earlier answer of the operator was wrong: the check that it belongs to begins again."""


def require(condition: object, expected: str, got: object, raw: bytes = b"") -> None:
    """Continue only if ``condition`` holds.

    Args:
        raw: the bytes in question.

    Raises:
        RequirementFailed: it does not hold.
    """
    if not condition:
        unmet(expected, got, raw)


def unmet(expected: str, got: object, raw: bytes = b"") -> NoReturn:
    """End the check: the requirement is not met.

    Raises:
        RequirementFailed: always.
    """
    nothing = got is None or (isinstance(got, list | tuple | str) and not got)
    raise RequirementFailed(expected, "nothing" if nothing else str(got), raw)


@dataclass(frozen=True, slots=True)
class FaceReading:
    """A card that was drawn, and the face that the device reported; ``None``: not read, or not reported."""

    face: str
    read_as: str | None

    @property
    def is_right(self) -> bool:
        """True if it was read as what it is."""
        return self.read_as == self.face

    @property
    def words(self) -> str:
        """The outcome: ``read``, ``not read`` or ``misread as 9S``."""
        if self.read_as is None:
            return "not read"
        return "read" if self.is_right else f"misread as {self.read_as}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """The result of one check.

    Attributes:
        duration_s: how long it took, seconds.
        raw: if it failed: the bytes in question.
        faces: what a check of a whole deck has read.
    """

    name: str
    requirement: str
    section: str
    verdict: CheckStatus
    duration_s: float = 0.0
    expected: str = ""
    got: str = ""
    look_at: str = ""
    raw: bytes = b""
    tape: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    observed: tuple[str, ...] = field(default=())
    faces: tuple[FaceReading, ...] = ()

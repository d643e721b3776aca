"""The verdict on a check, and how a check gives it."""

from dataclasses import dataclass, field
from enum import Enum
from typing import NoReturn


class CheckStatus(Enum):
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    """Not tried: no ability or no operator; never counted as passed."""
    ERROR = "error"
    """The line was lost, the check was blocked, or the suite has a defect: nothing is known."""


class RequirementFailed(Exception):
    def __init__(self, expected: str, got: str, raw: bytes = b"") -> None:
        super().__init__(f"expected {expected}; got {got}")
        self.expected = expected
        self.got = got
        self.raw = raw


class CheckSkipped(Exception):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class CheckBlocked(Exception):
    """The device's state makes impossible what its capabilities promise: no stack, no command id, or a fault."""


class CheckUndone(Exception):
    """An earlier answer of the operator was wrong: the check that it belongs to begins again."""


def require(condition: object, expected: str, got: object, raw: bytes = b"") -> None:
    if not condition:
        unmet(expected, got, raw)


def unmet(expected: str, got: object, raw: bytes = b"") -> NoReturn:
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
        faces: the readings of a whole deck, of a check that draws one.
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

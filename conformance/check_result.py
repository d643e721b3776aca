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
        expected: what the page asks for.
        raw: the bytes in question, perhaps none.
    """

    def __init__(self, expected: str, got: str, raw: bytes = b"") -> None:
        super().__init__(f"expected {expected}; got {got}")
        self.expected = expected
        self.got = got
        self.raw = raw


class CheckSkipped(Exception):
    """A check that cannot be tried here; ends the check.

    Attributes:
        reason: why not, and what would be needed.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def require(condition: object, expected: str, got: object, raw: bytes = b"") -> None:
    """Continue only if ``condition`` holds.

    Args:
        condition: anything with a truth.
        expected: what the page asks for, in words.
        got: what came instead.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """The result of one check.

    Attributes:
        requirement: what the page asks for.
        duration_s: how long it took, seconds.
        expected: if it failed: what should have come.
        got: what came instead; with ``SKIPPED`` and ``ERROR``: why.
        look_at: if it failed: what an engineer of the device should look at.
        raw: if it failed: the bytes in question.
        tape: if it failed: what moved last on the line, a line of text for each read and write.
        frames: the same, decoded, a line for each frame; none where the family has no frames.
        observed: what was seen and is neither right nor wrong, since the page leaves it open.
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

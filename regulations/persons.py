"""Who answers for an act."""

from collections.abc import Sequence


def two_persons(by: Sequence[int | str]) -> bool:
    """True if at least two different persons answer; 7 and ``"7"`` are the same one."""
    return len({str(person) for person in by}) > 1

"""Whether the gate is shut."""

from enum import StrEnum, unique


@unique
class GateState(StrEnum):
    """Whether an irregularity is open."""

    CLEAR = "clear"
    BLOCKED = "blocked"

"""The states of the gate."""

from enum import StrEnum, unique


@unique
class GateState(StrEnum):
    """Open or shut: an open irregularity shuts the gate."""

    CLEAR = "clear"
    BLOCKED = "blocked"

"""Snapshots of a table with a new stack, from which it continues without a replay.

State that outlives a stack must be in these structs (``tests/regulations/test_snapshot.py``).

`Procedure.snapshot` takes one while no card of the new stack is out.
"""

from typing import Any

import msgspec

from regulations.events.vocabulary import EquipmentKind, Role
from regulations.play.context.irregularities import OpenIrregularity
from regulations.play.context.open_wager import OpenWager


class ShoeSnapshot(msgspec.Struct, kw_only=True):
    """The shoe game.

    Attributes:
        row: the rule that last moved the shoe game (``Row.id``).
        burn_left: cards of the initial burn that are to come; ``None``: the first one fixes it, or none are burned.
        depth: cards before the cut card; ``None`` without one.
        cut_card_taken: whether it counts where it was declared, without having come.
    """

    row: str | None = None
    burn_left: int | None = None
    depth: int | None = None
    cut_card_out: bool = False
    cut_card_taken: bool = False
    cut_card_missed: bool = False
    cut_card_late: bool = False
    cut_card_waits: bool = False


class RoundSnapshot(msgspec.Struct, kw_only=True):
    """The rounds of a table, between two of them.

    Attributes:
        row: the rule that brought them there; ``None`` before the first round.
    """

    row: str | None = None
    rounds_in_shoe: int = 0


class SeatSnapshot(RoundSnapshot, kw_only=True, tag="seats"):
    """The rounds of a game that is played at seats, between two of them."""

    carried: list[OpenWager] = []
    put_down: int = 0


def adopt_snapshot(lasting: ShoeSnapshot | RoundSnapshot, snapshot: ShoeSnapshot | RoundSnapshot) -> None:
    """Copy the fields of a snapshot, without ``row``, into the struct of a new actor."""
    for name in snapshot.__struct_fields__:
        if name != "row":
            setattr(lasting, name, getattr(snapshot, name))


def renew(lasting: ShoeSnapshot | RoundSnapshot, *names: str) -> None:
    """Set these fields to their values at the start of a shoe game."""
    fresh = type(lasting)()
    for name in names:
        setattr(lasting, name, getattr(fresh, name))


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """A table with a new stack, before its first card.

    Attributes:
        at: the time of the last input, RFC 3339, UTC.
        round_no: the last round's number, 0 before the first.
        counted: the device's own running count.
        gate: the rule that last moved the gate; ``None``: none.
        absent: devices given up by people.
        dealt_from: the device in which the stack lies; empty: not known.
    """

    at: str
    equipment: EquipmentKind
    round_no: int
    counted: int
    uncertain: int
    irregularities: int
    left: int
    open: list[OpenIrregularity]
    gate: str | None
    shoe: ShoeSnapshot
    round: dict[str, Any]
    awaited: list[OpenIrregularity] = []
    absent: list[str] = []
    roles: dict[str, Role] = {}
    readers: dict[str, bool] = {}
    dealt_from: str = ""

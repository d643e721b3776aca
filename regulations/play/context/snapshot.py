"""Snapshots of a table with a new stack, before any card is out.

State that outlives a stack must be in these structs (``tests/regulations/test_snapshot.py``).
"""

from typing import Any

import msgspec

from regulations.events.vocabulary import EquipmentKind, Role
from regulations.play.context.irregularities import OpenIrregularity
from regulations.play.context.open_wager import OpenWager


class ShoeSnapshot(msgspec.Struct, kw_only=True):
    """The shoe game.

    Attributes:
        burn_left: ``None``: the first card fixes it, or none are burned.
        depth: cards before the cut card.
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
    row: str | None = None
    rounds_in_shoe: int = 0


class SeatSnapshot(RoundSnapshot, kw_only=True, tag="seats"):
    carried: list[OpenWager] = []
    put_down: int = 0


def adopt_snapshot(lasting: ShoeSnapshot | RoundSnapshot, snapshot: ShoeSnapshot | RoundSnapshot) -> None:
    for name in snapshot.__struct_fields__:
        if name != "row":
            setattr(lasting, name, getattr(snapshot, name))


def renew(lasting: ShoeSnapshot | RoundSnapshot, *names: str) -> None:
    fresh = type(lasting)()
    for name in names:
        setattr(lasting, name, getattr(fresh, name))


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """A table with a new stack.

    Attributes:
        at: RFC 3339, UTC.
        dealt_from: empty: not known.
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

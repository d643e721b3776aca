"""The gate as rows: while an irregularity is open, it blocks whatever a person asks for but the ways out."""

from enum import StrEnum
from typing import Final

from regulations.rows import Row


class GateState(StrEnum):
    """Whether an irregularity is open."""

    CLEAR = "clear"
    BLOCKED = "blocked"


G = GateState

GATE_ROWS: Final[tuple[Row, ...]] = (
    Row(
        trigger="request",
        source=(G.BLOCKED,),
        article="reading G7",
        refusal="irregularity_open",
        says="an irregularity is open: resolve it first",
    ),
    Row(
        trigger="resolve",
        source=(G.CLEAR,),
        article="reading G7",
        refusal="not_now",
        says="no irregularity is open",
    ),
    Row(
        trigger="resolve",
        source=(G.BLOCKED,),
        guard=("not_the_first",),
        article="reading G7",
        refusal="not_now",
        says="irregularities are resolved in the order of their numbers",
    ),
    Row(
        trigger="resolve",
        source=(G.BLOCKED,),
        guard=("not_a_way_out",),
        article="reading G7",
        refusal="not_allowed",
        says="that is no way out of this irregularity",
    ),
    Row(
        trigger="resolve",
        source=(G.BLOCKED,),
        guard=("device_still_faulty",),
        article="reading G7",
        refusal="not_now",
        says="the device has not reported that it is well again",
    ),
    Row(
        trigger="resolve",
        source=(G.BLOCKED,),
        guard=("persons_missing",),
        article="reading G7",
        refusal="two_persons_needed",
        says="not enough persons answer for it",
    ),
    Row(
        trigger="resolve",
        source=(G.BLOCKED,),
        guard=("cards_not_named",),
        article="reading G9",
        refusal="cards_missing",
        says="the cards are to be named",
    ),
    Row(
        trigger="resolve",
        source=(G.BLOCKED,),
        guard=("cards_impossible",),
        article="reading G9",
        refusal="not_allowed",
        says="these cards cannot have come out",
    ),
    Row(
        trigger="resolve",
        source=(G.BLOCKED,),
        guard=("layout_unlawful",),
        article="reading B11",
        refusal="not_allowed",
        says="the cards cannot have belonged there",
    ),
    Row(trigger="resolve", source=(G.BLOCKED,), article="reading G7", effect=("take_way_out",)),
    Row(trigger="irregular", source=(G.CLEAR,), dest=G.BLOCKED, article="reading G7"),
    Row(trigger="regular", source=(G.BLOCKED,), dest=G.CLEAR, article="reading G7"),
)
"""The rule table of the gate."""

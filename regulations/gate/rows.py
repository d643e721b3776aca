"""The gate as rows: while an irregularity is open, it blocks whatever a person asks for but the ways out."""

from enum import StrEnum
from typing import Final

from regulations.law import GameLaw
from regulations.rows import Row, move, refusals, refuse, take


class GateState(StrEnum):
    """Whether an irregularity is open."""

    CLEAR = "clear"
    BLOCKED = "blocked"


G = GateState
G7: Final = "reading G7"
G9: Final = "reading G9"
G13: Final = "reading G13"


def gate_rows(law: GameLaw) -> tuple[Row, ...]:
    """The rule table of the gate.

    Args:
        law: what the game's regulation fixes.
    """
    return (
        refuse("request", G.BLOCKED, "irregularity_open", G7, "an irregularity is open: resolve it first"),
        *refusals(
            "resolve",
            G.CLEAR,
            (
                ("nothing_awaited", "not_now", G7, "no irregularity is open"),
                ("not_given_up", "not_allowed", G13, "the device is waited for; or two persons end the shoe game"),
                ("persons_missing", "two_persons_needed", G13, "not enough persons answer for it"),
            ),
        ),
        take("resolve", G.CLEAR, G13, do="give_device_up"),
        *refusals(
            "resolve",
            G.BLOCKED,
            (
                ("not_the_first", "not_now", G7, "irregularities are resolved in the order of their numbers"),
                ("not_a_way_out", "not_allowed", G7, "that is no way out of this irregularity"),
                ("device_still_faulty", "not_now", G7, "the device has not reported that it is well again"),
                ("persons_missing", "two_persons_needed", G7, "not enough persons answer for it"),
                ("cards_not_named", "cards_missing", G9, "the cards are to be named"),
                ("cards_impossible", "not_allowed", G9, "these cards cannot have come out"),
                ("layout_unlawful", "not_allowed", law.articles.reassign, "the cards cannot have belonged there"),
            ),
        ),
        take("resolve", G.BLOCKED, G7, do="take_way_out"),
        move("irregular", G.CLEAR, G.BLOCKED, G7),
        move("regular", G.BLOCKED, G.CLEAR, G7),
    )

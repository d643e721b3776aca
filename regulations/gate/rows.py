"""The gate as rows: while an irregularity is open, it blocks whatever a person asks for but the ways out."""

from enum import StrEnum, unique
from typing import Final

from regulations.law import GameLaw
from regulations.rows import Row, move, refusals, refuse, take


@unique
class GateState(StrEnum):
    """Whether an irregularity is open."""

    CLEAR = "clear"
    BLOCKED = "blocked"


G = GateState
G7: Final = "reading G7"
G9: Final = "reading G9"
G11: Final = "reading G11"
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
                ("ground_missing", "not_allowed", G11, "say why the cards do not count"),
                ("correction_malformed", "not_allowed", G11, "only cards of the round can be struck or named"),
                *(
                    (("named_too_often", "not_allowed", G9, "these cards cannot have come out"),)
                    if law.named_anew
                    else ()
                ),
                ("struck_too_late", "not_allowed", G11, "the result is out: only a foreign card is struck now"),
            ),
        ),
        *_impossible(law),
        refuse("resolve", G.BLOCKED, "not_allowed", G11, "a correction exchanges no cards", when="wished_elsewhere"),
        take("resolve", G.BLOCKED, G7, do="take_way_out"),
        move("irregular", G.CLEAR, G.BLOCKED, G7),
        move("regular", G.BLOCKED, G.CLEAR, G7),
    )


def _impossible(law: GameLaw) -> tuple[Row, ...]:
    """A correction that leaves a decision without its cards: from then on the round may be void."""
    if law.always_corrected:
        return ()
    return (
        refuse(
            "resolve",
            G.BLOCKED,
            "not_allowed",
            law.articles.reassign,
            "the round cannot be corrected so",
            when="correction_impossible",
            do="keep_in_mind",
            also=G11,
        ),
    )

"""The gate as rows: while an irregularity is open, it blocks whatever a person asks for but the ways out."""

from typing import Final

from regulations.law.game_law import GameLaw
from regulations.law.rows import Refusal, Row, move, refusals, refuse, take
from regulations.play.resolution.resolver import Gate, GateState

G = GateState
G7: Final = "reading G7"
G9: Final = "reading G9"
G11: Final = "reading G11"
J30: Final = "reading J30"
G13: Final = "reading G13"
G16: Final = "reading G16"
G17: Final = "reading G17"
G18: Final = "reading G18"
G19: Final = "reading G19"


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
                (Gate.nothing_awaited, "not_now", G7, "no irregularity is open"),
                (Gate.not_given_up, "not_allowed", G13, "the device is waited for; or two persons end the shoe game"),
                (Gate.persons_missing, "two_persons_needed", G13, "not enough persons answer for it"),
            ),
        ),
        take("resolve", G.CLEAR, G13, do=Gate.give_device_up),
        *refusals(
            "resolve",
            G.BLOCKED,
            (
                (Gate.not_the_first, "not_now", G17, "irregularities are resolved from the earliest card on"),
                (Gate.not_a_way_out, "not_allowed", G7, "that is no way out of this irregularity"),
                (Gate.device_still_faulty, "not_now", G7, "the device has not reported that it is well again"),
                (Gate.persons_missing_for_cut_card, "two_persons_needed", G16, "not enough persons answer for it"),
                (Gate.persons_missing_beside_device, "two_persons_needed", G19, "not enough persons answer for it"),
                (Gate.persons_missing, "two_persons_needed", G7, "not enough persons answer for it"),
                (Gate.cards_not_named, "cards_missing", G9, "the cards are to be named"),
                (Gate.cards_impossible, "not_allowed", G9, "these cards cannot have come out"),
                *(_decisions() if law.cards_decide else ()),
                (Gate.ground_missing, "not_allowed", G11, "say why the cards do not count"),
                (Gate.correction_malformed, "not_allowed", G11, "only cards of the round can be struck or named"),
                (Gate.speaks_against_device, "not_allowed", G18, "a device speaks against it"),
                *(_named_anew() if law.named_anew else ()),
                (Gate.struck_too_late, "not_allowed", G11, "the result is out: only a foreign card is struck now"),
            ),
        ),
        *_impossible(law),
        *_other_number(law),
        refuse("resolve", G.BLOCKED, "not_allowed", G11, "a correction exchanges no cards", when=Gate.wished_elsewhere),
        *(
            (take("resolve", G.BLOCKED, law.articles.late_bets, when=Gate.enters_bets, do=Gate.enter_bets),)
            if law.articles.late_bets
            else ()
        ),
        take("resolve", G.BLOCKED, G7, do=Gate.take_way_out),
        move("irregular", G.CLEAR, G.BLOCKED, G7),
        move("regular", G.BLOCKED, G.CLEAR, G7),
    )


def _decisions() -> tuple[Refusal, ...]:
    """A decision that was taken before the card which was taken for a hit."""
    return (
        (Gate.decision_missing, "not_allowed", J30, "say what was decided before the card"),
        (Gate.decided_unsupervised, "two_persons_needed", J30, "a supervisor is needed"),
    )


def _named_anew() -> tuple[Refusal, ...]:
    """A name that persons give a card of the round."""
    return (
        (Gate.named_late_unsupervised, "two_persons_needed", G18, "the result is out: a supervisor is needed"),
        (Gate.named_too_often, "not_allowed", G9, "these cards cannot have come out"),
    )


def _other_number(law: GameLaw) -> tuple[Row, ...]:
    """A name that changes how many cards the round takes, in a game whose cards decide that."""
    if not law.cards_vary:
        return ()
    says = "the result is out: by this name another number of cards would have been due"
    late = Gate.named_late_with_other_number
    return (refuse("resolve", G.BLOCKED, "not_allowed", G18, says, when=late),)


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
            when=Gate.correction_impossible,
            do=Gate.keep_in_mind,
            also=G11,
        ),
    )

"""The gate as rows: while an irregularity is open, it blocks whatever a person asks for but the ways out."""

from typing import Final

from regulations.law.game_law import GameLaw
from regulations.law.rows import Refusal, RegulationRow, accept, move, refusals, refuse
from regulations.play.resolution.resolver import IrregularityResolver, ResolverState

G = ResolverState
G7: Final = "reading G7"
G9: Final = "reading G9"
G11: Final = "reading G11"
J30: Final = "reading J30"
G13: Final = "reading G13"
G16: Final = "reading G16"
G17: Final = "reading G17"
G18: Final = "reading G18"
G19: Final = "reading G19"


def gate_rows(law: GameLaw) -> tuple[RegulationRow, ...]:
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
                (IrregularityResolver.nothing_awaited, "not_now", G7, "no irregularity is open"),
                (
                    IrregularityResolver.not_given_up,
                    "not_allowed",
                    G13,
                    "the device is waited for; or two persons end the shoe game",
                ),
                (IrregularityResolver.persons_missing, "two_persons_needed", G13, "not enough persons answer for it"),
            ),
        ),
        accept("resolve", G.CLEAR, G13, do=IrregularityResolver.give_device_up),
        *refusals(
            "resolve",
            G.BLOCKED,
            (
                (
                    IrregularityResolver.not_the_first,
                    "not_now",
                    G17,
                    "irregularities are resolved from the earliest card on",
                ),
                (IrregularityResolver.not_a_resolution, "not_allowed", G7, "that is no way out of this irregularity"),
                (
                    IrregularityResolver.device_still_faulty,
                    "not_now",
                    G7,
                    "the device has not reported that it is well again",
                ),
                (
                    IrregularityResolver.persons_missing_for_cut_card,
                    "two_persons_needed",
                    G16,
                    "not enough persons answer for it",
                ),
                (
                    IrregularityResolver.persons_missing_beside_device,
                    "two_persons_needed",
                    G19,
                    "not enough persons answer for it",
                ),
                (IrregularityResolver.persons_missing, "two_persons_needed", G7, "not enough persons answer for it"),
                (IrregularityResolver.cards_not_named, "cards_missing", G9, "the cards are to be named"),
                (IrregularityResolver.cards_impossible, "not_allowed", G9, "these cards cannot have come out"),
                *(_decisions() if law.cards_decide else ()),
                (IrregularityResolver.ground_missing, "not_allowed", G11, "say why the cards do not count"),
                (
                    IrregularityResolver.correction_malformed,
                    "not_allowed",
                    G11,
                    "only cards of the round can be struck or named",
                ),
                (IrregularityResolver.speaks_against_device, "not_allowed", G18, "a device speaks against it"),
                *(_named_anew() if law.named_anew else ()),
                (
                    IrregularityResolver.struck_too_late,
                    "not_allowed",
                    G11,
                    "the result is out: only a foreign card is struck now",
                ),
            ),
        ),
        *_impossible(law),
        *_other_number(law),
        refuse(
            "resolve",
            G.BLOCKED,
            "not_allowed",
            G11,
            "a correction exchanges no cards",
            when=IrregularityResolver.wished_elsewhere,
        ),
        *(
            (
                accept(
                    "resolve",
                    G.BLOCKED,
                    law.articles.late_bets,
                    when=IrregularityResolver.enters_bets,
                    do=IrregularityResolver.enter_bets,
                ),
            )
            if law.articles.late_bets
            else ()
        ),
        accept("resolve", G.BLOCKED, G7, do=IrregularityResolver.apply_resolution),
        move("irregular", G.CLEAR, G.BLOCKED, G7),
        move("regular", G.BLOCKED, G.CLEAR, G7),
    )


def _decisions() -> tuple[Refusal, ...]:
    """A decision that was taken before the card which was taken for a hit."""
    return (
        (IrregularityResolver.decision_missing, "not_allowed", J30, "say what was decided before the card"),
        (IrregularityResolver.decided_unsupervised, "two_persons_needed", J30, "a supervisor is needed"),
    )


def _named_anew() -> tuple[Refusal, ...]:
    """A name that persons give a card of the round."""
    return (
        (
            IrregularityResolver.named_late_unsupervised,
            "two_persons_needed",
            G18,
            "the result is out: a supervisor is needed",
        ),
        (IrregularityResolver.named_too_often, "not_allowed", G9, "these cards cannot have come out"),
    )


def _other_number(law: GameLaw) -> tuple[RegulationRow, ...]:
    """A name that changes how many cards the round takes, in a game whose cards decide that."""
    if not law.cards_vary:
        return ()
    says = "the result is out: by this name another number of cards would have been due"
    late = IrregularityResolver.named_late_with_other_number
    return (refuse("resolve", G.BLOCKED, "not_allowed", G18, says, when=late),)


def _impossible(law: GameLaw) -> tuple[RegulationRow, ...]:
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
            when=IrregularityResolver.correction_impossible,
            do=IrregularityResolver.remember_failure,
            also=G11,
        ),
    )

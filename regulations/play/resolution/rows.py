"""Rows of the gate: while an irregularity is open, only resolutions are accepted."""

from typing import Final

from regulations.law.game_law import GameLaw
from regulations.law.rows import Refusal, RegulationRow, accept, move, refusals, refuse
from regulations.play.resolution.resolution_rules import ResolutionRules
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
    return (
        refuse("request", G.BLOCKED, "irregularity_open", G7, "an irregularity is open: resolve it first"),
        *refusals(
            "resolve",
            G.CLEAR,
            (
                (ResolutionRules.nothing_awaited, "not_now", G7, "no irregularity is open"),
                (
                    ResolutionRules.not_given_up,
                    "not_allowed",
                    G13,
                    "the device is waited for; or two persons end the shoe game",
                ),
                (ResolutionRules.persons_missing, "two_persons_needed", G13, "not enough persons authorise it"),
            ),
        ),
        accept("resolve", G.CLEAR, G13, do=IrregularityResolver.give_device_up),
        *refusals(
            "resolve",
            G.BLOCKED,
            (
                (
                    ResolutionRules.not_the_first,
                    "not_now",
                    G17,
                    "irregularities are resolved from the earliest card on",
                ),
                (ResolutionRules.not_a_resolution, "not_allowed", G7, "this irregularity has no such resolution"),
                (
                    ResolutionRules.device_still_faulty,
                    "not_now",
                    G7,
                    "the device has not reported the fault cleared",
                ),
                (
                    ResolutionRules.persons_missing_for_cut_card,
                    "two_persons_needed",
                    G16,
                    "not enough persons authorise it",
                ),
                (
                    ResolutionRules.persons_missing_beside_device,
                    "two_persons_needed",
                    G19,
                    "not enough persons authorise it",
                ),
                (ResolutionRules.persons_missing, "two_persons_needed", G7, "not enough persons authorise it"),
                (ResolutionRules.cards_not_named, "cards_missing", G9, "the cards are to be named"),
                (ResolutionRules.cards_impossible, "not_allowed", G9, "these cards cannot have come out"),
                *(_decisions() if law.cards_decide else ()),
                (ResolutionRules.ground_missing, "not_allowed", G11, "say why the cards do not count"),
                (
                    ResolutionRules.correction_malformed,
                    "not_allowed",
                    G11,
                    "only cards of the round can be struck or named",
                ),
                (ResolutionRules.speaks_against_device, "not_allowed", G18, "a device speaks against it"),
                *(_named_again() if law.named_again else ()),
                (
                    ResolutionRules.struck_too_late,
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
            when=ResolutionRules.wished_elsewhere,
        ),
        *(
            (
                accept(
                    "resolve",
                    G.BLOCKED,
                    law.articles.late_bets,
                    when=ResolutionRules.enters_bets,
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
    return (
        (ResolutionRules.decision_missing, "not_allowed", J30, "say what was decided before the card"),
        (ResolutionRules.decided_unsupervised, "two_persons_needed", J30, "a supervisor is needed"),
    )


def _named_again() -> tuple[Refusal, ...]:
    return (
        (
            ResolutionRules.named_late_unsupervised,
            "two_persons_needed",
            G18,
            "the result is out: a supervisor is needed",
        ),
        (ResolutionRules.named_too_often, "not_allowed", G9, "these cards cannot have come out"),
    )


def _other_number(law: GameLaw) -> tuple[RegulationRow, ...]:
    if not law.cards_vary:
        return ()
    says = "the result is out: by this name another number of cards would have been due"
    late = ResolutionRules.named_late_with_other_number
    return (refuse("resolve", G.BLOCKED, "not_allowed", G18, says, when=late),)


def _impossible(law: GameLaw) -> tuple[RegulationRow, ...]:
    if law.always_corrected:
        return ()
    return (
        refuse(
            "resolve",
            G.BLOCKED,
            "not_allowed",
            law.articles.reassign,
            "the round cannot be corrected so",
            when=ResolutionRules.correction_impossible,
            do=IrregularityResolver.remember_failure,
            also=G11,
        ),
    )

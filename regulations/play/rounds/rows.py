"""The rows that all seat games share, with each game's states and articles."""

from collections.abc import Sequence
from enum import StrEnum

from regulations.law import stakes
from regulations.law.game_law import RoundArticles
from regulations.law.rows import Refusal, RegulationRow, accept, irregular, move, others, refusals, refuse
from regulations.play.context.game_round import Phases
from regulations.play.context.voiding import VoidRules
from regulations.play.rounds.bets import SeatBetGuards
from regulations.play.rounds.reveals import RevealRules
from regulations.play.rounds.seat_round import SeatRound
from regulations.play.rounds.void_rows import G12, OwnGround, VoidLaw, void_rows

G7 = "reading G7"
G9 = "reading G9"
CORRECTED_BY = "two different persons authorise other wagers"
CORRECTED_WHEN = "wagers are corrected between the close of the bets and the first card"
Refusals = Sequence[Refusal]


def bets_rows(
    phases: Phases[StrEnum],
    articles: RoundArticles,
    *,
    seats: str,
    dest: StrEnum,
    also: tuple[str, ...] = (),
    needs: str = "",
    first_card: str = "",
    more: Refusals = (),
) -> tuple[RegulationRow, ...]:
    """``needs``: the article by which one wager needs another; empty: none does."""
    bets, wagered = articles.bets, articles.wagered
    reasons: list[Refusal] = [
        *(
            (
                (
                    SeatBetGuards.carried_left_out,
                    "not_allowed",
                    articles.carried,
                    "a carried stake stays: its seat plays",
                ),
            )
            if articles.carried
            else ()
        ),
        (SeatBetGuards.seat_unknown, "no_such_seat", seats, "no such seat in this round"),
        (SeatBetGuards.no_seats, "no_wager", wagered, "no seat plays"),
        (SeatBetGuards.wager_of_another_game, "not_allowed", bets, "the game has no such wager"),
        (SeatBetGuards.wager_twice, "not_allowed", stakes.OURS, "the same bettor has this wager twice"),
        (SeatBetGuards.stake_named, "not_allowed", stakes.OURS, stakes.NOT_TOLD),
        (SeatBetGuards.wager_missing, "no_wager", wagered, "a seat that plays needs a stake"),
    ]
    if needs:
        reasons.append(
            (SeatBetGuards.needed_wager_missing, "no_wager", needs, "this wager needs another one beside it")
        )
    reasons.append((SeatBetGuards.beyond_limits, "not_allowed", stakes.OURS, stakes.BEYOND))
    ends = articles.bets_end or bets
    correcting: Refusals = ((VoidRules.persons_missing, "two_persons_needed", stakes.OURS, CORRECTED_BY),)
    return (
        *refusals("bets_closed", phases.idle, (*reasons, *more)),
        move("bets_closed", phases.idle, dest, wagered, do=SeatRound.open_round, also=(bets, *also)),
        *refusals("bets_corrected", phases.opened, (*correcting, *reasons, *more)),
        accept("bets_corrected", phases.opened, ends, do=SeatRound.record_bets),
        refuse("bets_corrected", others(phases.resting, phases.opened), "not_now", ends, CORRECTED_WHEN),
        refuse(
            "bets_closed",
            phases.in_round,
            "not_now",
            articles.bets_end or articles.deal,
            "the bets of this round are closed",
        ),
        irregular(
            "card",
            phases.idle,
            "card_before_bets_closed",
            first_card or wagered,
            "the bets are to be closed before the first card of a round",
        ),
        refuse(
            "demonstration",
            phases.resting,
            "not_allowed",
            articles.no_demonstrations or wagered,
            "this regulation has no demonstration rounds",
        ),
        refuse(
            "bettor_left",
            phases.resting,
            "not_allowed",
            articles.carried or "reading G15",
            "a stake that waits for the next round is not withdrawn" if articles.carried else "no stake waits here",
        ),
    )


def gone_wrong_rows(  # what a game says for itself, all but the first by name
    phases: Phases[StrEnum],
    *,
    misdeal: str,
    stack: str = G12,
    exposed: str = "",
    own_grounds: Sequence[OwnGround] = (),
) -> tuple[RegulationRow, ...]:
    idle, voided = phases.idle, phases.void
    with_cards = (*phases.dealing, *phases.decided)
    says = "the device was joined in mid-round: its cards so far are unknown"
    return (
        irregular("misdeal", with_cards, "misdeal", misdeal, "the cards lie wrong"),
        refuse("misdeal", (idle, phases.opened, voided), "not_now", misdeal, "no card of a round lies on the table"),
        *void_rows(
            VoidLaw(
                idle=idle,
                going=(phases.opened, *phases.dealing),
                decided=phases.decided,
                void=voided,
                misdeal=misdeal,
                stack=stack,
                exposed=exposed,
                own=own_grounds,
            )
        ),
        irregular(
            "device_result",
            phases.resting,
            "device_disagrees",
            G7,
            "the device reports a result, and this game has none of its kind",
        ),
        irregular(
            "round_partial",
            idle,
            "round_partial",
            G9,
            says,
            dest=phases.opened,
            do=SeatRound.begin_partial_round,
        ),
        irregular("round_partial", phases.in_round, "round_partial", G9, says, do=SeatRound.doubt_count),
    )


def closing_rows(phases: Phases[StrEnum], article: str) -> tuple[RegulationRow, ...]:
    return (
        move(
            "round_closed",
            (*phases.decided, phases.void),
            phases.idle,
            article,
            do=(SeatRound.clear_round, SeatRound.report_round_over),
        ),
        refuse(
            "round_closed",
            (phases.opened, *phases.dealing),
            "cards_missing",
            article,
            "the round is not decided: cards are to be dealt or shown, or somebody is to decide",
        ),
        refuse("round_closed", phases.idle, "not_now", article, "no round is open"),
    )


def showing_rows(
    phases: Phases[StrEnum],
    states: tuple[StrEnum, ...],
    articles: RoundArticles,
    more: Refusals = (),
    elsewhere: tuple[StrEnum, ...] = (),
) -> tuple[RegulationRow, ...]:
    never = others(phases.resting, *states, *elsewhere)
    return (
        *turning_rows(states, articles.show, more),
        refuse("revealed", never, "not_now", articles.show, "no cards are to be shown now"),
    )


def turning_rows(states: tuple[StrEnum, ...], show: str, more: Refusals = ()) -> tuple[RegulationRow, ...]:
    reasons: Refusals = (
        (RevealRules.shows_no_hand, "not_allowed", show, "no cards are named"),
        *more,
        (RevealRules.shows_open_cards, "not_now", show, "nothing is to be turned"),
        (RevealRules.unseen_cards_not_named, "cards_missing", show, "nothing read these cards: name them"),
        (RevealRules.other_cards_named, "not_allowed", G9, "these are not the cards that were dealt"),
    )
    return (
        *refusals("revealed", states, reasons),
        irregular(
            "revealed",
            states,
            "surplus_card",
            G9,
            "a card that is turned is a copy too many",
            when=RevealRules.turns_surplus,
            do=RevealRules.show_surplus,
        ),
        accept("revealed", states, show, do=SeatRound.turn_cards),
    )

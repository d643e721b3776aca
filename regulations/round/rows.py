"""The rows that the rounds of all seat games share, with each game's own states and articles."""

from collections.abc import Sequence
from enum import StrEnum

from regulations import stakes
from regulations.events.vocabulary import RefusalCode
from regulations.round.seat_round import Phases, RoundArticles
from regulations.rows import Row, irregular, move, refusals, refuse, take

G7 = "reading G7"
G9 = "reading G9"
Refusals = Sequence[tuple[str, RefusalCode, str, str]]
"""Guard, code, article, what is said."""


def bets_rows(
    phases: Phases[StrEnum],
    articles: RoundArticles,
    *,
    seats: str,
    dest: StrEnum,
    also: tuple[str, ...] = (),
    needs: str = "",
    more: Refusals = (),
    limits: str = stakes.OURS,
) -> tuple[Row, ...]:
    """How the bets close and a round opens.

    Args:
        phases: the game's states.
        articles: the game's articles.
        seats: the article about the seats.
        dest: the state in which the round's first card, or its burn, is due.
        also: further articles that the opening enforces.
        needs: the article or reading by which one wager needs another; empty where none does.
        more: further refusals, tried last.
        limits: the article that speaks of limits.
    """
    bets = articles.bets
    reasons: list[tuple[str, RefusalCode, str, str]] = [
        ("seat_unknown", "no_such_seat", seats, "there is no such seat in this round"),
        ("no_seats", "no_wager", bets, "nobody plays"),
        ("wager_of_another_game", "not_allowed", bets, "the game has no such wager"),
        ("wager_twice", "not_allowed", bets, "the same bettor has this wager twice"),
        ("stake_told", "not_allowed", stakes.OURS, stakes.NOT_TOLD),
        ("wager_missing", "no_wager", bets, "a seat that plays needs a stake"),
    ]
    if needs:
        reasons.append(("needed_wager_missing", "no_wager", needs, "this wager needs another one beside it"))
    reasons.append(("beyond_limits", "not_allowed", limits, stakes.BEYOND))
    return (
        *refusals("bets_closed", phases.idle, (*reasons, *more)),
        move("bets_closed", phases.idle, dest, bets, do="open_round", also=also),
        refuse("bets_closed", phases.in_round, "not_now", articles.deal, "the bets of this round are closed"),
        irregular(
            "card",
            phases.idle,
            "card_before_bets_closed",
            bets,
            "the bets are to be closed before the first card of a round",
        ),
        refuse(
            "demonstration",
            phases.resting,
            "not_allowed",
            articles.bets,
            "this regulation has no demonstration rounds",
        ),
    )


def gone_wrong_rows(phases: Phases[StrEnum], *, void: str, misdeal: str, rewind: StrEnum | None) -> tuple[Row, ...]:
    """Misdeals, void rounds, and rounds that a device did not see from their beginning.

    Args:
        phases: the game's states.
        void: the article by which a round is void.
        misdeal: the article about cards that lie wrong.
        rewind: the state from which the cards are laid anew; ``None``: they never are.
    """
    idle, voided = phases.idle, phases.void
    with_cards = (*phases.dealing, *phases.decided)
    says = "the device was joined in mid-round: its cards so far are unknown"
    return (
        irregular("misdeal", with_cards, "misdeal", misdeal, "the cards lie wrong"),
        refuse("misdeal", (idle, *phases.opened, voided), "not_now", misdeal, "no card of a round lies on the table"),
        *(() if rewind is None else (move("rewind", with_cards, rewind, misdeal, do="clear_places"),)),
        refuse(
            "void",
            phases.voidable,
            "two_persons_needed",
            void,
            "two different persons answer for a void round",
            when="persons_missing",
        ),
        move("void", phases.voidable, voided, void, do="void_round", also="reading G3"),
        refuse("void", (idle, voided), "not_now", void, "there is no round to void"),
        move("void_round", phases.voidable, voided, void, do="void_round", also="reading G3"),
        take("void_round", (idle, voided), void),
        move("abandon", (idle, voided), idle, void, do="abandon_round"),
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
            dest=phases.opened[0],
            do="begin_partial_round",
        ),
        irregular("round_partial", phases.in_round, "round_partial", G9, says, do="doubt_count"),
    )


def closing_rows(phases: Phases[StrEnum], article: str) -> tuple[Row, ...]:
    """How a round is closed.

    Args:
        phases: the game's states.
        article: by which a round is settled before it is closed.
    """
    return (
        move(
            "round_closed",
            (*phases.decided, phases.void),
            phases.idle,
            article,
            do=("clear_round", "tell_shoe_game"),
        ),
        refuse(
            "round_closed",
            (*phases.opened, *phases.dealing),
            "cards_missing",
            article,
            "the round is not decided: cards are to be dealt or shown, or somebody is to decide",
        ),
        refuse("round_closed", phases.idle, "not_now", article, "no round is open"),
    )


def showing_rows(
    phases: Phases[StrEnum], states: tuple[StrEnum, ...], articles: RoundArticles, more: Refusals = ()
) -> tuple[Row, ...]:
    """How cards are turned.

    Args:
        phases: the game's states.
        states: those in which cards may be turned.
        articles: the game's articles.
        more: further refusals, tried first.
    """
    show = articles.show
    reasons: Refusals = (
        ("shows_nobody", "not_allowed", show, "nobody's cards are named"),
        *more,
        ("shows_open_cards", "not_now", show, "nothing is to be turned"),
        ("unseen_cards_not_named", "cards_missing", show, "nothing read these cards: name them"),
        ("other_cards_named", "not_allowed", G9, "these are not the cards that were dealt"),
    )
    never = tuple(state for state in phases.resting if state not in states)
    return (
        *refusals("revealed", states, reasons),
        take("revealed", states, show, do="turn_cards"),
        refuse("revealed", never, "not_now", show, "no cards are to be shown now"),
    )

"""Exact probabilities of blackjack: what the first cards are, and with what the croupier ends."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from tests.regulations.support.evaluators.blackjack import (
    ANY_PAIR_PAYS,
    CROUPIER_STANDS,
    INSURANCE_PAYS,
    LIMIT,
    LOST,
    MIDDLE,
    SEVENS_PAY,
    TENS,
    is_natural,
    low_value,
    total,
)
from tests.regulations.support.evaluators.deck import DECK, RANKS, SUITS


def start_table(decks: int) -> dict[tuple[str, str, str], Fraction]:
    """The probability of every start: the ranks of the seat's two cards in order, and of the croupier's open card."""
    copies, cards = len(SUITS) * decks, len(DECK) * decks
    found: dict[tuple[str, str, str], Fraction] = {}
    for first in RANKS:
        for second in RANKS:
            for open_card in RANKS:
                left_second = copies - (second == first)
                left_open = copies - (open_card == first) - (open_card == second)
                ways = copies * left_second * left_open
                found[first, second, open_card] = Fraction(ways, cards * (cards - 1) * (cards - 2))
    return found


Sevens = dict[tuple[int, bool], Fraction]
"""Probabilities of what 14.º-2 names: how many sevens, and whether all are of one suit."""


@dataclass(frozen=True, slots=True)
class StartFigures:
    """Probabilities of the first cards of a seat, from full decks, and what they make of some wagers of 1.

    Attributes:
        over: more than 13, the ace counted 1.
        under: less than 13.
        middle: exactly 13.
        sevens_unsplit: the same, if they never are.
        over_13_mean: mean net.
        under_13_mean: mean net.
        sevens_unsplit_mean: the same, if they never are.
    """

    natural: Fraction
    both_natural: Fraction
    pair: Fraction
    over: Fraction
    under: Fraction
    middle: Fraction
    sevens_split: Sevens
    sevens_unsplit: Sevens
    any_pair_mean: Fraction
    over_13_mean: Fraction
    under_13_mean: Fraction
    sevens_split_mean: Fraction
    sevens_unsplit_mean: Fraction
    insurance_mean: Fraction


def _sevens_figures(decks: int, *, split: bool) -> Sevens:
    found: Sevens = dict.fromkeys(SEVENS_PAY, Fraction(0))
    cards = len(DECK) * decks
    for first in SUITS:
        for second in SUITS:
            two = Fraction(decks * (decks - (first == second)), cards * (cards - 1))
            if not split:
                found[2, first == second] += two
                continue
            found[2, first == second] += two * Fraction(cards - len(SUITS) * decks, cards - 2)
            for third in SUITS:
                left = decks - (third == first) - (third == second)
                found[3, first == second == third] += two * Fraction(left, cards - 2)
    return found


def _sevens_mean(figures: Sevens) -> Fraction:
    return sum((chance * (SEVENS_PAY[key] + 1) for key, chance in figures.items()), LOST)


def start_figures(decks: int) -> StartFigures:
    """The exact figures for this many full decks."""
    natural = pair = over = under = Fraction(0)
    for (first, second, _), chance in start_table(decks).items():
        low = low_value(first) + low_value(second)
        natural += chance * is_natural((first, second))
        pair += chance * (first == second)
        over += chance * (low > MIDDLE)
        under += chance * (low < MIDDLE)
    cards, aces, tens = len(DECK) * decks, 4 * decks, 16 * decks
    his_natural = Fraction(2 * (aces - 1) * (tens - 1), (cards - 2) * (cards - 3))  # once the seat has one
    split, unsplit = _sevens_figures(decks, split=True), _sevens_figures(decks, split=False)
    return StartFigures(
        natural=natural,
        both_natural=natural * his_natural,
        pair=pair,
        over=over,
        under=under,
        middle=1 - over - under,
        sevens_split=split,
        sevens_unsplit=unsplit,
        any_pair_mean=pair * (ANY_PAIR_PAYS + 1) - 1,
        over_13_mean=2 * over - 1,
        under_13_mean=2 * under - 1,
        sevens_split_mean=_sevens_mean(split),
        sevens_unsplit_mean=_sevens_mean(unsplit),
        insurance_mean=Fraction(tens, cards - 1) * (INSURANCE_PAYS + 1) - 1,
    )


def croupier_totals(open_rank: str, decks: int | None) -> dict[str, Fraction]:
    """With what probability the croupier ends with 17 to 21, ``"blackjack"`` or ``"bust"``.

    Args:
        decks: how many; ``None`` for a stack so large that drawing changes nothing.
    """
    found = dict.fromkeys(("17", "18", "19", "20", "21", "blackjack", "bust"), Fraction(0))

    def draw(ranks: str, probability: Fraction) -> None:
        points = total(ranks)
        if len(ranks) > 1 and points >= CROUPIER_STANDS:
            name = "bust" if points > LIMIT else "blackjack" if is_natural(ranks) else str(points)
            found[name] += probability
            return
        for rank, chance in _next_ranks(ranks, decks):
            draw(ranks + rank, probability * chance)

    draw(open_rank, Fraction(1))
    return found


def _next_ranks(gone: str, decks: int | None) -> Iterator[tuple[str, Fraction]]:
    for rank in "A23456789T":
        copies = len(TENS) if rank == "T" else 1
        if decks is None:
            yield rank, Fraction(copies, len(RANKS))
            continue
        out = sum(card in TENS for card in gone) if rank == "T" else gone.count(rank)
        left = copies * len(SUITS) * decks - out
        if left:
            yield rank, Fraction(left, len(DECK) * decks - len(gone))

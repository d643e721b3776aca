"""The probabilities of blackjack, counted in other ways."""

from fractions import Fraction
from itertools import combinations

import pytest

from tests.regulations.support.evaluators.blackjack import is_natural, total
from tests.regulations.support.evaluators.blackjack_figures import croupier_totals, start_figures, start_table
from tests.regulations.support.evaluators.deck import DECK


@pytest.mark.parametrize("decks", [1, 6])
def test_the_probabilities_of_the_first_cards(decks: int) -> None:
    number = 52 * decks
    table = start_table(decks)
    assert sum(table.values()) == 1
    figures = start_figures(decks)
    assert figures.natural == Fraction(2 * 4 * decks * 16 * decks, number * (number - 1))
    assert figures.pair == Fraction(4 * decks - 1, number - 1)
    assert figures.over + figures.middle + figures.under == 1
    assert figures.insurance_mean == Fraction(3 * 16 * decks, number - 1) - 1
    split = figures.sevens_split
    assert split[3, False] + split[3, True] == Fraction(
        4 * decks * (4 * decks - 1) * (4 * decks - 2), number * (number - 1) * (number - 2)
    )
    assert sum(figures.sevens_unsplit.values()) == sum(split.values()) == figures.pair / 13


def test_the_figures_of_one_deck_and_of_six() -> None:
    one, six = start_figures(1), start_figures(6)
    assert (one.natural, one.pair, one.over, one.under, one.middle) == tuple(
        map(Fraction, ("32/663", "1/17", "103/221", "298/663", "56/663"))
    )
    assert (six.natural, six.pair, six.over, six.under, six.middle) == tuple(
        map(Fraction, ("192/4043", "23/311", "1889/4043", "1818/4043", "336/4043"))
    )
    assert (one.any_pair_mean, six.any_pair_mean) == (Fraction(-5, 17), Fraction(-35, 311))
    assert (one.sevens_split_mean, six.sevens_split_mean) == (Fraction(-152, 221), Fraction(-42800, 125333))
    assert (one.sevens_unsplit_mean, six.sevens_unsplit_mean) == (Fraction(-10, 13), Fraction(-2370, 4043))
    assert (one.both_natural, six.both_natural) == (Fraction(96, 54145), Fraction(27968, 12909299))
    assert six.sevens_split[3, True] == Fraction(2, 125333)
    assert one.sevens_unsplit[2, False] == Fraction(1, 221)


def test_one_deck_counted_card_by_card() -> None:
    pairs = list(combinations(DECK, 2))
    figures = start_figures(1)
    assert figures.natural == Fraction(sum(map(is_natural, pairs)), len(pairs))
    low = ["A23456789T".find(rank) + 1 or 10 for rank in (card[0] for card in DECK)]
    sums = [first + second for first, second in combinations(low, 2)]
    assert figures.over == Fraction(sum(points > 13 for points in sums), len(pairs))
    assert figures.under == Fraction(sum(points < 13 for points in sums), len(pairs))
    table = start_table(1)
    assert table["A", "K", "A"] == Fraction(4 * 4 * 3, 52 * 51 * 50)
    assert table["7", "7", "7"] == Fraction(4 * 3 * 2, 52 * 51 * 50)


def _ends(low: int, *, ace: bool, cards_taken: int) -> dict[str, Fraction]:
    points = low + 10 if ace and low <= 11 else low
    if cards_taken > 1 and points >= 17:
        name = "bust" if points > 21 else "blackjack" if points == 21 and cards_taken == 2 else str(points)
        return {name: Fraction(1)}
    found: dict[str, Fraction] = {}
    for value in range(1, 11):
        chance = Fraction(4 if value == 10 else 1, 13)
        for name, then in _ends(low + value, ace=ace or value == 1, cards_taken=cards_taken + 1).items():
            found[name] = found.get(name, Fraction(0)) + chance * then
    return found


@pytest.mark.parametrize("open_rank", ["A", "2", "6", "T"])
def test_what_the_croupier_ends_with_from_an_endless_stack(open_rank: str) -> None:
    low = "A23456789T".index(open_rank) + 1
    found = {name: chance for name, chance in croupier_totals(open_rank, None).items() if chance}
    assert found == _ends(low, ace=low == 1, cards_taken=1)


def test_what_the_croupier_ends_with_from_whole_decks() -> None:
    for decks in (1, 6):
        number = 52 * decks
        ace, ten, six = (croupier_totals(rank, decks) for rank in "AT6")
        assert sum(ace.values()) == sum(ten.values()) == sum(six.values()) == 1
        assert ace["blackjack"] == Fraction(16 * decks, number - 1)
        assert ten["blackjack"] == Fraction(4 * decks, number - 1)
        assert six["blackjack"] == 0
        assert croupier_totals("K", decks) == ten


def test_the_croupiers_end_from_one_deck_counted_card_by_card() -> None:
    """An open seven and four further cards at most: every line of the 51 others, as far as it goes."""
    others = [card for card in DECK if card != "7S"]
    two = Fraction(sum(total(("7S", card)) == 17 for card in others), 51)
    three = Fraction(
        sum(
            total(("7S", first)) < 17 and total(("7S", first, second)) == 17
            for first in others
            for second in others
            if first != second
        ),
        51 * 50,
    )
    assert two == Fraction(16, 51)
    assert two + three < croupier_totals("7", 1)["17"] < two + three + Fraction(3, 100)

"""The classical tests: fair on shuffled cards, and sharp where they can be."""

import random

import pytest

from cardshoe.analysis.classical import CardSample, StatisticResult, classical
from cardshoe.analysis.order import UNKNOWN
from tests.cardshoe.analysis.cards import mixed


def shoe(seed: int) -> CardSample:
    """A shuffled shoe of eight decks of which 16 cards stay unseen."""
    return CardSample([UNKNOWN] * 8 + mixed(seed)[8:-8], 8)


def named(shoes: list[CardSample]) -> dict[str, StatisticResult]:
    """All tests by name."""
    return {test.name: test for test in classical(shoes)}


def test_shuffled_cards_pass() -> None:
    found = named([shoe(seed) for seed in range(12)])
    assert all(test.value is not None for test in found.values())
    assert min(test.chance for test in found.values()) > 0.005


@pytest.mark.parametrize("name", ["ranks", "suits", "rank and place", "rank after rank", "colour runs"])
def test_chances_are_even(name: str) -> None:
    """Of 40 groups about 20 have a chance below one half."""
    below = sum(named([shoe(100 * group + at) for at in range(6)])[name].chance < 0.5 for group in range(40))
    assert 10 <= below <= 30


def test_a_missing_card_shows() -> None:
    shoes = []
    for seed in range(8):
        cards = mixed(seed)
        cards.remove(7)
        shoes.append(CardSample(cards[:400], 8))
    test = named(shoes)["faces never complete"]
    assert test.value == 1
    assert test.chance < 0.02


def test_a_biased_draw_shows() -> None:
    """Half of the tens stay behind the cut card."""
    rng = random.Random(1)
    shoes = []
    for seed in range(3):
        cards = [face for face in mixed(seed) if face % 13 != 9 or rng.random() < 0.5]
        shoes.append(CardSample(cards[:380], 8))
    assert named(shoes)["ranks"].chance < 1e-6


def test_alternating_colours_show() -> None:
    red, black = (
        [face for face in mixed(1) if face // 13 in (1, 2)],
        [face for face in mixed(2) if face // 13 in (0, 3)],
    )
    cards = [face for pair in zip(red, black, strict=True) for face in pair]
    assert named([CardSample(cards, 8)])["colour runs"].chance < 1e-50


def test_high_cards_behind_show_by_place() -> None:
    cards = sorted(mixed(1), key=lambda face: face % 13)
    found = named([CardSample(cards, 8)] * 4)
    assert found["rank and place"].chance < 1e-50
    assert found["rank after rank"].chance < 1e-50


def test_too_few_cards_are_not_judged() -> None:
    found = named([CardSample([1, 2, 3], 8)])
    assert [name for name, test in found.items() if test.value is None] == [
        "ranks",
        "suits",
        "rank and place",
        "rank after rank",
        "colour runs",
    ]
    assert {test.chance for test in found.values()} == {1.0}

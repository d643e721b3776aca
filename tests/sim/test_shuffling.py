"""Flawed shuffles have their flaw, and lose no card."""

import random
from collections import Counter

import pytest

from regulations.events.cards import DECK, Card
from sim.plain.hands import plain_hands_at
from sim.shuffling import WAYS, Shuffling, riffle, shelf, slug, stacks
from tests.sim.shoes import hands

CARDS: list[Card] = list(DECK) * 2


@pytest.mark.parametrize("way", WAYS)
def test_no_card_is_lost(way: str, seed: int) -> None:
    rng = random.Random(seed)
    shuffling, cards = Shuffling(way), CARDS
    for _ in range(4):
        cards = shuffling(cards, rng)
        assert Counter(cards) == Counter(CARDS)


@pytest.mark.parametrize("way", WAYS)
def test_the_first_shuffle_is_ideal(way: str, seed: int) -> None:
    assert Shuffling(way)(CARDS, random.Random(seed)) != CARDS


def test_riffles_leave_few_rising_sequences(seed: int) -> None:
    cards = riffle(range(104), 3, random.Random(seed))
    places = {card: place for place, card in enumerate(cards)}
    assert sum(places[card + 1] < places[card] for card in range(103)) + 1 <= 8


def test_a_shelf_falls_and_rises(seed: int) -> None:
    cards = shelf(range(104), 1, random.Random(seed))
    lowest = cards.index(0)
    assert cards[: lowest + 1] == sorted(cards[: lowest + 1], reverse=True)
    assert cards[lowest:] == sorted(cards[lowest:])


@pytest.mark.parametrize(("inside", "step"), [("last", -1), ("first", 1)])
def test_a_stack_keeps_its_direction(inside: str, step: int, seed: int) -> None:
    assert stacks(range(104), 1, random.Random(seed), inside) == list(range(104))[::step]


def test_any_card_of_a_stack_may_come_first(seed: int) -> None:
    cards = stacks(range(104), 1, random.Random(seed), "any")
    assert cards not in (list(range(104)), list(range(104))[::-1])


def test_a_slug_stays_together(seed: int) -> None:
    cards = slug(range(104), 15, random.Random(seed))
    assert any(cards[at : at + 15] == list(range(cards[at], cards[at] + 15)) for at in range(90))


def test_what_was_never_shuffled_is_as_it_was(seed: int) -> None:
    rng = random.Random(seed)
    shuffling = Shuffling("never")
    first = shuffling(CARDS, rng)
    assert shuffling(first, rng) == first


def test_two_sets_come_in_turn(seed: int) -> None:
    rng = random.Random(seed)
    shuffling = Shuffling("sets:2")
    one = shuffling(CARDS, rng)
    two = shuffling(one, rng)
    assert one != two
    assert shuffling(two, rng) == one
    assert shuffling(one, rng) == two


def test_one_seed_moves_all_cards_alike(seed: int) -> None:
    rng = random.Random(seed)
    shuffling = Shuffling("seeds:1")
    shuffling(CARDS, rng)
    marked = {card: number for number, card in enumerate(DECK)}
    moved = [marked[card] for card in shuffling(list(DECK), rng)]
    again = shuffling(list(DECK)[::-1], rng)
    assert [51 - marked[card] for card in again] == moved


@pytest.mark.parametrize("way", ["", "riffle", "riffle:0", "riffle:x", "shelf:-1", "never:2", "sorted", "slug:999999"])
def test_an_unknown_way_is_named(way: str) -> None:
    with pytest.raises(ValueError, match=repr(way)):
        Shuffling(way)


def test_a_shuffler_shuffles_as_it_is_told(seed: int) -> None:
    it = plain_hands_at("shuffler", 2, random.Random(seed))
    it.shuffle_by(Shuffling("never"))
    rng = random.Random(seed)
    it.shuffle(rng)
    first = it.device.cards
    it.shuffle(rng)
    assert it.device.cards == first


def test_a_shuffler_dealer_has_one_way(seed: int) -> None:
    it = plain_hands_at("shuffler_dealer", 2, random.Random(seed))
    it.shuffle_by(Shuffling())
    with pytest.raises(ValueError, match="shuffler-dealer"):
        it.shuffle_by(Shuffling("never"))


def test_a_round_is_picked_up_in_an_order(seed: int) -> None:
    it = hands()
    rng = random.Random(seed)
    it.shuffle(rng)
    it.load()
    burned, *dealt = (it.draw().cards[0].card for _ in range(4))
    assert it.felt.laid == [burned, *dealt]
    it.collect(order=[0, 2, 1])
    assert it.felt.rack == [burned, dealt[0], dealt[2], dealt[1]]
    more = [it.draw().cards[0].card for _ in range(2)]
    it.collect(order=[0, 1, 2])  # not the cards that lie there: they stay in dealing order
    assert it.felt.rack[4:] == more

"""Plain equipment moves cards: none is made or lost, and nothing is told of one that nobody reads."""

import random
from collections import Counter
from typing import get_args

import pytest

from regulations.events.cards import DECK
from regulations.events.vocabulary import EquipmentKind
from sim.draws import Draw, PulledCard
from sim.plain.devices import PlainShuffler, PlainShufflerDealer, PlainStack
from sim.plain.hands import PlainHands, plain_hands_at

KINDS: tuple[EquipmentKind, ...] = get_args(EquipmentKind)


def loaded(kind: EquipmentKind, seed: int, *, reads: bool = False) -> PlainHands:
    hands = plain_hands_at(kind, 2, random.Random(seed), reads=reads)
    hands.shuffle(random.Random(seed))
    if not hands.shuffles_itself:
        hands.place_cut_card(30)
        hands.load()
    return hands


@pytest.mark.parametrize("kind", KINDS)
def test_all_cards_come_out_once(seed: int, kind: EquipmentKind) -> None:
    hands = loaded(kind, seed)
    assert hands.device.cards_left == 104
    cut_cards = 0
    while (pulled := hands.draw()) != Draw():
        cut_cards += pulled.cut_card
        assert hands.cards_are_complete
    assert Counter(hands.felt.laid) == Counter([*DECK, *DECK])
    assert hands.felt.laid[:52] != list(DECK)
    assert cut_cards == (not hands.shuffles_itself)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_deals_the_same(seed: int, kind: EquipmentKind) -> None:
    one, other = loaded(kind, seed), loaded(kind, seed)
    assert [one.draw() for _ in range(40)] == [other.draw() for _ in range(40)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reads", [True, False])
def test_a_card_is_told_if_the_equipment_reads(seed: int, kind: EquipmentKind, *, reads: bool) -> None:
    hands = loaded(kind, seed, reads=reads)
    (out,) = hands.draw().cards
    assert out.told == (out.card if reads else None)
    assert hands.last_card_in_hand == out.card


def test_the_cut_card_is_a_pull_of_its_own() -> None:
    stack = PlainStack(reads=False)
    stack.load(["AS", "2S", "3S"], 1)
    assert [stack.draw() for _ in range(5)] == [
        Draw((PulledCard("AS", None),)),
        Draw((PulledCard("2S", None),)),
        Draw(cut_card=True),
        Draw((PulledCard("3S", None),)),
        Draw(),
    ]


def test_a_shuffler_dealer_takes_cards_back_and_may_give_them_again(seed: int) -> None:
    hands = loaded("shuffler_dealer", seed)
    seen = Counter[str]()
    for _ in range(300):
        for _ in range(5):
            hands.draw()
        seen.update(hands.felt.laid)
        hands.collect()
        assert hands.return_cards() == 5
        assert hands.device.cards_left == 104
        assert hands.cards_are_complete
    assert set(seen) == set(DECK)


def test_cards_that_are_held_back_stay_on_the_table(seed: int) -> None:
    hands = loaded("shoe", seed)
    cards = [hands.draw().cards[0].card for _ in range(4)]
    hands.hold_back([cards[1]])
    hands.collect(keep=1)
    assert hands.felt.laid == [cards[1]]
    assert hands.felt.rack == [cards[0], cards[2], cards[3]]


def test_a_shuffler_shuffles_again_whatever_is_put_in(seed: int) -> None:
    hands = loaded("shuffler", seed)
    first = hands.device.cards
    hands.draw()
    hands.shuffle(random.Random(seed))
    assert hands.device.cards != first
    assert hands.device.cards_left == 104
    assert hands.cards_are_complete


def test_what_equipment_cannot_take_is_an_error(seed: int) -> None:
    rng = random.Random(seed)
    stack = PlainStack(reads=False)
    stack.return_cards([])
    with pytest.raises(ValueError, match="cannot go back"):
        stack.return_cards(["AS"])
    for device in (PlainShuffler(rng, reads=False), PlainShufflerDealer(rng, reads=False)):
        with pytest.raises(ValueError, match="takes no cut card"):
            device.load(["AS"], 0)
        device.load(["AS"], None)
        assert device.unload() == ["AS"]
        assert device.draw() == Draw()

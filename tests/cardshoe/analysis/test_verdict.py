"""Verdicts on groups of shoes: flawed shuffles are doubted, good ones pass, and what says too little gets none."""

import random

import pytest

from cardshoe.analysis.account import Account
from cardshoe.analysis.powers import POWERS
from cardshoe.analysis.shoe import CardSpot, Shoe
from cardshoe.analysis.verdict import ShoeGroup, analyse, examine, references
from regulations.events.cards import DECK
from sim.shuffling import Shuffling
from tests.cardshoe.analysis.powers import power_of, shoe_of

SHOES = 4
"""Shoes of each flaw here; the long form takes 200."""


def group_of(way: str, count: int, seed: int = 1, *, card_sets: int = 0) -> ShoeGroup:
    """Shoes of one table, one made from the other; ``card_sets``: their sets are told, in turn."""
    rng = random.Random(f"{way} {seed}")
    shuffling = Shuffling(way)
    cards, shoes = list(DECK) * 8, []
    for number in range(count):
        cards = shuffling(cards, rng)
        at = rng.randrange(1, len(cards))
        cards = [*cards[at:], *cards[:at]]
        shoe = shoe_of(cards, number + 1)
        if card_sets:
            shoe.card_set = f"set {number % card_sets}"
        shoes.append(shoe)
    pairs = [(shoe, references(shoe, shoes[:number])) for number, shoe in enumerate(shoes)]
    return analyse([("T", pairs)])[0]


def test_a_shuffled_group_passes() -> None:
    group = group_of("uniform", 4)
    assert group.outcome == "passes"
    assert group.failed == []
    assert group.wealth < 100
    assert group.neighbours == 3 * 399


@pytest.mark.parametrize("way", ["slug:30", "shelf:10", "riffle:3"])
def test_a_flawed_group_is_doubted(way: str) -> None:
    group = group_of(way, 2)
    assert group.outcome == "doubt"
    assert group.wealth >= group.limit


def test_two_sets_in_turn_are_found_at_the_second_last_shoe() -> None:
    assert group_of("sets:2", 3).outcome == "doubt"


def test_a_set_that_is_told_is_compared_with_itself() -> None:
    group = group_of("sets:2", 3, card_sets=2)
    assert group.outcome == "doubt"
    assert [len(one.before) for one in group.shoes] == [0, 0, 1]
    assert group.shoes[2].before[0].number == 1


def test_few_seeds_are_found_by_their_permutations() -> None:
    group = group_of("seeds:1", 3)
    assert group.alike
    assert group.outcome == "doubt"


def test_one_shoe_says_too_little() -> None:
    group = group_of("uniform", 1)
    assert group.outcome == "too_little"
    assert group.neighbours == 0


def test_new_decks_that_were_not_shuffled_are_found_in_the_first_shoe() -> None:
    shoe = shoe_of(list(DECK) * 8)
    assert analyse([("T", [(shoe, [])])])[0].outcome == "doubt"


def test_a_card_too_many_is_a_doubt_of_its_own() -> None:
    shoe = shoe_of(["AS"] * 9 + ["2S"] * 20, unseen=0)
    group = analyse([("T", [(shoe, [])])])[0]
    assert group.surplus == 1 + 12
    assert group.outcome == "doubt"


def test_the_error_is_shared_by_all_groups() -> None:
    shoe = shoe_of(list(DECK) * 8)
    one, two = analyse([("T", [(shoe, [])]), ("U", [(shoe, [])])])
    assert one.error == two.error == 0.0005
    assert one.limit == 4000


def test_unknown_cards_leave_nothing_to_compare() -> None:
    hidden = Shoe("T", 8, 1, rounds=[[CardSpot("player", 0, 1, -1)] * 400], is_over=True)
    shown = shoe_of(list(DECK) * 8, 2)
    assert references(shown, [hidden]) == []
    assert examine(hidden, [shown], Account()).played.wealth == []


def test_other_decks_are_no_reference() -> None:
    six, eight = shoe_of(list(DECK) * 6, decks=6), shoe_of(list(DECK) * 8, 2)
    assert references(eight, [six]) == []
    assert references(shoe_of(list(DECK) * 8, 3), [eight, six]) == [eight]


def test_one_deck_that_is_dealt_on_is_found_in_six_shuffles() -> None:
    """Twelve cards a round; the next twelve come from the rest of the same deck."""
    rng = random.Random(4)
    cards = list(DECK)
    rng.shuffle(cards)
    shoes = []
    for number in range(8):
        seen, rest = cards[:12], cards[12:]
        faces = [DECK.index(card) for card in seen]
        shoes.append(Shoe("T", 1, number + 1, rounds=[[CardSpot("seat", 1, 1, face) for face in faces]], is_over=True))
        rng.shuffle(rest)
        cards = [*rest, *seen]
    pairs = [(shoe, references(shoe, shoes[:number])) for number, shoe in enumerate(shoes)]
    group = analyse([("T", pairs)])[0]
    assert group.outcome == "doubt"
    assert group.wealth >= group.limit


def endless(seed: int, *, kept: bool) -> list[Shoe]:
    """A shuffler-dealer that gives any of its cards, or the same ones again, round by round."""
    rng = random.Random(seed)
    bag = list(range(52)) * 8
    rounds: list[list[CardSpot]] = []
    for at in range(140):
        rng.shuffle(bag)
        faces = bag[:6] if not kept or at < 70 else [spot.face for spot in rounds[at - 70]]
        rounds.append([CardSpot("player", 0, 1, face) for face in faces])
    return Shoe("T", 8, 1, rounds=rounds, is_endless=True, is_over=True).parts()


@pytest.mark.parametrize(("kept", "outcome"), [(False, "passes"), (True, "doubt")])
def test_a_shuffler_dealer_is_compared_with_itself(kept: bool, outcome: str) -> None:
    first, second = endless(3, kept=kept)
    group = analyse([("T", [(first, []), (second, [first])])])[0]
    assert group.outcome == outcome


@pytest.mark.parametrize("way", ["never", "riffle:4", "stacks:38", "two-shelf:10"])
def test_powers(way: str) -> None:
    """The short form of ``python -m tests.cardshoe.analysis.powers``: a report states what is found, and no more."""
    stated = next(one.in_one for one in POWERS if one.way == way)
    found = power_of(way, SHOES, 7).either
    spread = (stated * (100 - stated) / SHOES) ** 0.5
    assert abs(found - stated) <= 3 * spread

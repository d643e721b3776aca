"""Cards are moved, never made or lost, whatever hands and mishaps do."""

import random
from collections import Counter
from collections.abc import Callable

import pytest

from protocols.angel_eye.messages import Outcome
from regulations.events.cards import DECK
from sim.angel_eye.shoe import ShoeMisuse
from sim.felt import CardTable
from sim.hands import AngelEyeActions
from tests.sim.shoes import hands


def prepared(seed: int, decks: int = 2) -> AngelEyeActions:
    it = hands(decks)
    rng = random.Random(seed)
    it.shuffle(rng)
    it.cut(rng)
    it.place_cut_card(14)
    assert it.load() == decks * 52
    return it


def test_the_decks_come_to_the_table_as_new() -> None:
    it = hands()
    assert it.felt.stack == [*DECK, *DECK]
    assert it.cards_are_complete
    assert it.last_card_in_hand is None


def test_shuffling_and_cutting_repeat_with_the_seed(seed: int) -> None:
    assert prepared(seed).shoe.cards == prepared(seed).shoe.cards
    assert prepared(seed).shoe.cards != prepared(seed + 1).shoe.cards


def test_cutting_moves_one_part_before_the_other() -> None:
    it = hands(1)
    it.cut(random.Random(1))
    at = it.felt.stack.index("AS")
    assert 0 < at < 52
    assert it.felt.stack == [*DECK[52 - at :], *DECK[: 52 - at]]


def test_the_cut_card_lies_before_the_last_fourteen(seed: int) -> None:
    it = prepared(seed)
    assert it.shoe.cards_before_cut_card == 2 * 52 - 14


def test_cards_go_from_the_shoe_to_the_table_to_the_rack(seed: int) -> None:
    it = prepared(seed)
    expected = list(it.shoe.cards[:3])
    for _ in range(3):
        it.draw()
    assert it.felt.laid == expected
    assert it.last_card_in_hand == expected[-1]
    it.collect(keep=1)
    assert (it.felt.rack, it.felt.laid) == (expected[:2], expected[2:])
    it.collect()
    assert it.felt.laid == []
    assert it.cards_are_complete


def test_a_missing_or_made_card_shows() -> None:
    it = hands()
    card = it.felt.stack.pop()
    assert not it.cards_are_complete
    it.felt.stack += [card, card]
    assert not it.cards_are_complete
    with pytest.raises(ValueError, match="at least 1"):
        CardTable(0)


@pytest.mark.parametrize("number", range(30))
def test_no_card_is_lost_or_made_whatever_happens(seed: int, number: int) -> None:
    rng = random.Random(seed + number)
    it = prepared(seed + number)
    shoe = it.shoe
    acts: list[Callable[[], object]] = [
        *[it.draw] * 8,
        shoe.start_draw,
        lambda: shoe.push_back(midway=rng.random() < 0.5),
        it.finish_draw,
        shoe.double_feed_next,
        shoe.fail_next_read,
        lambda: shoe.misread_next("AS"),
        lambda: shoe.panel.turn_key(locked=rng.random() < 0.5),
        lambda: shoe.panel.set_setting_mode(on=rng.random() < 0.5),
        lambda: shoe.panel.press(rng.choice(list(Outcome))),
        shoe.panel.force_end,
        shoe.panel.clear_error,
        shoe.power_cycle,
        shoe.power_off,
        shoe.power_on,
        lambda: it.collect(keep=rng.randrange(3)),
        lambda: shoe.drop_telegrams(1),
    ]
    for _ in range(500):
        try:
            rng.choice(acts)()
        except ShoeMisuse:
            continue
        finally:
            assert it.cards_are_complete
    it.shuffle(rng)
    assert Counter(it.felt.stack) == Counter([*DECK, *DECK])

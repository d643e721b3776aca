"""A croupier picks the cards of a round up hand by hand."""

from typing import get_args

import pytest
from msgspec import UNSET

from regulations.events.outputs import AnyOutput, Burned, Dealt
from regulations.events.vocabulary import Holder, PickUp
from sim.croupier.situation import PromptState

WAYS: dict[PickUp, list[int]] = {
    "dealt": [0, 1, 2, 3, 4, 5],
    "player_first": [0, 1, 4, 2, 5, 3],
    "banker_first": [3, 0, 1, 4, 2, 5],
    "last_seat_first": [2, 5, 1, 4, 0, 3],
}


def dealt(to: Holder, seat: int = 0) -> Dealt:
    return Dealt(article="", card=None, to=to, position=1, seat=seat or UNSET, hand=1 if seat else UNSET)


@pytest.mark.parametrize("way", get_args(PickUp))
def test_the_ways(way: PickUp) -> None:
    situation = PromptState()
    burned = Burned(article="", card=None, why="round")
    cards: list[AnyOutput] = [dealt("seat", 1), dealt("seat", 2), dealt("croupier"), dealt("seat", 1), dealt("seat", 2)]
    situation.notice([burned, *cards])
    first: PickUp = way.removesuffix("_turned")  # type: ignore[assignment]  # a way that is turned is another one too
    expected = WAYS[first]
    assert situation.picked_up(way) == (expected if way == first else expected[::-1])

"""The order before a shuffle, by how the cards were picked up."""

from cardshoe.analysis.order import UNKNOWN
from cardshoe.analysis.picking_up import new_decks, orders_of, picked_up
from cardshoe.analysis.shoe import CardSpot, Shoe


def shoe(pick_up: str = "") -> Shoe:
    """Two rounds of baccarat behind a burned card."""
    return Shoe(
        "T",
        1,
        1,
        rounds=[
            [CardSpot("burn", 0, 1, UNKNOWN)],
            [
                CardSpot("player", 0, 1, 1),
                CardSpot("banker", 0, 1, 2),
                CardSpot("player", 0, 1, 3),
                CardSpot("banker", 0, 1, 4),
            ],
            [
                CardSpot("player", 0, 1, 5),
                CardSpot("banker", 0, 1, 6),
                CardSpot("player", 0, 1, 7),
                CardSpot("banker", 0, 1, 8),
            ],
        ],
        pick_up=pick_up,
    )


REST = (UNKNOWN,) * 43


def test_the_ways() -> None:
    assert picked_up(shoe(), "dealt").faces == (UNKNOWN, 1, 2, 3, 4, 5, 6, 7, 8, *REST)
    assert picked_up(shoe(), "player_first").faces == (UNKNOWN, 1, 3, 2, 4, 5, 7, 6, 8, *REST)
    assert picked_up(shoe(), "banker_first").faces == (UNKNOWN, 2, 4, 1, 3, 6, 8, 5, 7, *REST)
    assert picked_up(shoe(), "player_first", turned=True).faces == (UNKNOWN, 4, 2, 3, 1, 8, 6, 7, 5, *REST)


def test_seats_are_picked_up_from_either_side() -> None:
    spots = [
        CardSpot("seat", 1, 1, 1),
        CardSpot("seat", 2, 1, 2),
        CardSpot("croupier", 0, 1, 3),
        CardSpot("seat", 1, 2, 4),
    ]
    table = Shoe("T", 1, 1, rounds=[spots])
    assert picked_up(table, "player_first").faces[:4] == (1, 4, 2, 3)
    assert picked_up(table, "last_seat_first").faces[:4] == (2, 1, 4, 3)


def test_an_unknown_way_is_all_of_them_once() -> None:
    assert len(orders_of(shoe())) == 6  # with two hands, seats make no difference
    assert [order.faces for order in orders_of(shoe("banker_first_turned"))] == [
        picked_up(shoe(), "banker_first", turned=True).faces
    ]
    assert orders_of(Shoe("T", 1, 1)) == []


def test_new_decks_are_whole() -> None:
    for order in new_decks(2):
        assert sorted(order.faces) == sorted([*range(52)] * 2)
    assert len({order.faces for order in new_decks(1)}) == 3

"""The order of cards before a shuffle, by how they were picked up."""

from collections.abc import Callable, Iterable
from typing import Final

from cardshoe.analysis.order import UNKNOWN, Order
from cardshoe.analysis.shoe import CardSpot, Shoe

_HOUSE: Final = ("banker", "croupier")
_TURNED: Final = "_turned"
_NEW_DECKS: Final = (
    # Spades, hearts, diamonds, clubs in the order of `DECK`; the two that most makers use, and that of `DECK`.
    ((0, 1), (2, 1), (3, -1), (1, -1)),
    ((1, 1), (3, 1), (2, -1), (0, -1)),
    ((0, 1), (1, 1), (2, 1), (3, 1)),
)


def _seats(spot: CardSpot) -> tuple[int, int]:
    return (spot.seat, spot.hand)


def _dealt(spots: list[CardSpot]) -> list[CardSpot]:
    return spots


def _by_hand(key: Callable[[CardSpot], tuple[int, ...]]) -> Callable[[list[CardSpot]], list[CardSpot]]:
    return lambda spots: sorted(spots, key=key)


PICK_UPS: Final[dict[str, Callable[[list[CardSpot]], list[CardSpot]]]] = {
    "dealt": _dealt,
    "player_first": _by_hand(lambda spot: (spot.to in _HOUSE, *_seats(spot))),
    "banker_first": _by_hand(lambda spot: (spot.to not in _HOUSE, *_seats(spot))),
    "last_seat_first": _by_hand(lambda spot: (spot.to in _HOUSE, -spot.seat, spot.hand)),
}


def picked_up(shoe: Shoe, way: str, *, turned: bool = False) -> Order:
    pick = PICK_UPS[way]
    faces: list[int] = []
    for spots in shoe.rounds:
        packet = [spot.face for spot in pick(spots)]
        faces += reversed(packet) if turned else packet
    if not shoe.is_endless:
        faces += [UNKNOWN] * max(0, shoe.stack - len(faces))
    return Order(faces)


def orders_of(shoe: Shoe) -> list[Order]:
    ways: Iterable[tuple[str, bool]]
    if shoe.pick_up:
        ways = [(shoe.pick_up.removesuffix(_TURNED), shoe.pick_up.endswith(_TURNED))]
    else:
        ways = [(way, turned) for way in PICK_UPS for turned in (False, True)]
    found: dict[tuple[int, ...], Order] = {}
    for way, turned in ways:
        order = picked_up(shoe, way, turned=turned)
        if order.known > 1:
            found.setdefault(order.faces, order)
    return list(found.values())


def new_decks(decks: int) -> list[Order]:
    found: list[Order] = []
    for suits in _NEW_DECKS:
        deck: list[int] = []
        for suit, step in suits:
            deck += range(suit * 13, suit * 13 + 13)[::step]
        found.append(Order(deck * decks))
    return found

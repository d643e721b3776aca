"""Shoes from the lines of a table log."""

from collections.abc import Iterator
from typing import Any

from cardshoe.analysis.lines import shoes_of
from cardshoe.analysis.order import UNKNOWN
from cardshoe.analysis.shoe import RETURNED, CardSpot, Shoe
from cardshoe.analysis.verdict import references
from regulations.events.cards import DECK

Said = dict[str, Any]
NEXT: Said = {"event": "next", "do": "draw"}


def face(card: str) -> int:
    """The number of a card."""
    return DECK.index(card)


def table(**fields: object) -> list[Said]:
    """The profile."""
    return [{"event": "table", "table_id": "T", "decks": 8, "equipment": "shoe", **fields}, NEXT]


def loaded(**fields: object) -> list[Said]:
    """A new shoe."""
    return [{"event": "loaded", "cards": 416, **fields}, NEXT]


def card(at: str | None, to: str = "player", position: int = 1, **fields: object) -> list[Said]:
    """A card that leaves and lies."""
    return [
        {"event": "card", "card": None, "round": 1},
        {"event": "dealt", "card": at, "to": to, "position": position, "round": 1, **fields},
        NEXT,
    ]


def read(*answers: list[Said]) -> list[Shoe]:
    """All shoes of a log."""
    return list(shoes_of(iter(answers)))


def faces_of(*answers: list[Said]) -> list[int]:
    """The cards of the only shoe."""
    (shoe,) = read(table(), loaded(), *answers)
    return shoe.faces()


def test_cards_come_in_the_order_in_which_they_left() -> None:
    (shoe,) = read(
        table(),
        loaded(at="2026-01-01T00:00:00Z"),
        [{"event": "card", "card": None}, {"event": "burned", "card": None}, NEXT],
        card("9H"),
        card("KS", "banker"),
        [{"event": "round_closed"}, NEXT],
    )
    assert shoe.rounds == [
        [CardSpot("burn", 0, 1, UNKNOWN)],
        [CardSpot("player", 0, 1, face("9H")), CardSpot("banker", 0, 1, face("KS"))],
    ]
    assert (shoe.table, shoe.decks, shoe.number, shoe.at) == ("T", 8, 1, "2026-01-01T00:00:00Z")
    assert shoe.known == 2
    assert not shoe.is_over


def test_a_hand_that_is_turned_names_its_cards() -> None:
    turned: list[Said] = [
        {"event": "revealed"},
        {"event": "reveal", "who": "seat", "seat": 2, "hand": 1, "cards": ["AC", "5S"]},
    ]
    assert faces_of(
        card(None, "seat", 1, seat=2, hand=1),
        card(None, "seat", 1, seat=3, hand=1),
        card(None, "seat", 2, seat=2, hand=1),
        card("QD", "seat", 3, seat=2, hand=1),
        [*turned, NEXT],
    ) == [face("AC"), UNKNOWN, face("5S"), face("QD")]


def test_a_sealed_burned_card_counts_where_the_key_opened_it() -> None:
    assert faces_of([{"event": "card", "card": "7D"}, {"event": "burned", "card": None}, NEXT]) == [face("7D")]


def test_a_card_that_waits_lies_where_it_left() -> None:
    assert faces_of(
        [{"event": "card", "card": None}, {"event": "irregularity", "code": "unread_card"}, NEXT],
        [{"event": "resolve"}, {"event": "dealt", "card": "4D", "to": "player", "position": 1}, NEXT],
        card("5D", "banker"),
    ) == [face("4D"), face("5D")]


def test_a_card_that_is_named_anew_is_that_card() -> None:
    anew: Said = {"event": "dealt", "card": "2C", "to": "player", "position": 1}
    assert faces_of(card("9H"), card("KS", "banker"), [{"event": "resolve"}, anew, NEXT]) == [face("2C"), face("KS")]


def test_cards_that_a_correction_moved_are_unknown() -> None:
    moved: list[Said] = [
        {"event": "resolve"},
        {"event": "burned", "card": "9H"},
        {"event": "dealt", "card": "KS", "to": "player", "position": 1},
        {"event": "emptied", "to": "banker", "position": 1},
        NEXT,
    ]
    assert faces_of(card("9H"), card("KS", "banker"), moved) == [UNKNOWN, face("KS")]


def test_a_card_added_by_a_correction_is_one_more() -> None:
    added: list[Said] = [{"event": "resolve"}, {"event": "dealt", "card": "3S", "to": "banker", "position": 1}, NEXT]
    assert faces_of(card("9H"), added) == [face("9H"), face("3S")]


def test_a_split_hand_gets_a_card_of_its_own() -> None:
    assert faces_of(
        card("8S", "seat", 1, seat=1, hand=1),
        card("8H", "seat", 2, seat=1, hand=1),
        card("KC", "seat", 2, seat=1, hand=1),
    ) == [face("8S"), face("8H"), face("KC")]


def test_what_was_refused_did_not_happen() -> None:
    assert len(read(table(), loaded(), [*loaded()[:1], {"event": "refused"}, NEXT])) == 1


def test_each_stack_is_a_shoe() -> None:
    over: list[Said] = [{"event": "round_closed"}, {"event": "shoe_over"}, NEXT]
    shoes = read(table(), loaded(set="red"), card("9H"), over, loaded(set="blue"), card("2S"), [{"event": "closed"}])
    assert [(shoe.number, shoe.card_set, shoe.is_over) for shoe in shoes] == [(1, "red", True), (2, "blue", True)]
    assert [shoe.faces() for shoe in shoes] == [[face("9H")], [face("2S")]]


def test_the_device_that_shuffled_and_the_croupier_are_named() -> None:
    shuffled: list[Said] = [{"event": "shuffled", "by": "shuffler", "device": "deckmate-3"}, NEXT]
    signed: list[Said] = [{"event": "signed_in", "person": 7, "role": "croupier"}, NEXT]
    out: list[Said] = [{"event": "signed_out", "person": 7}, NEXT]
    other: list[Said] = [{"event": "signed_in", "person": 9, "role": "supervisor"}, NEXT]
    one, two = read(table(pick_up="player_first"), signed, other, shuffled, loaded(), out, loaded())
    assert (one.device, one.croupiers, one.pick_up) == ("deckmate-3", ("7",), "player_first")
    assert (two.device, two.croupiers) == ("", ())
    (behind,) = read(table(), loaded(), shuffled)
    assert behind.device == "deckmate-3"


def test_a_shuffler_dealer_takes_its_cards_back() -> None:
    def answers() -> Iterator[list[Said]]:
        yield table(equipment="shuffler_dealer")
        yield loaded(device="carousel")
        yield card("9H")
        yield [{"event": "cards_returned", "cards": 1}, NEXT]
        yield card("9H")

    (shoe,) = shoes_of(answers())
    assert shoe.is_endless
    assert shoe.device == "carousel"
    assert shoe.faces()[:2] == [face("9H"), RETURNED]


def test_an_endless_stack_is_compared_piece_by_piece() -> None:
    rounds = [[CardSpot("player", 0, 1, at % 52)] * 6 for at in range(150)]
    shoe = Shoe("T", 8, 1, rounds=rounds, is_endless=True)
    first, second = shoe.parts()
    assert first.rounds == rounds[:70]
    assert second.rounds == rounds[70:140]
    assert references(second, [first]) == [first]
    assert references(first, []) == []
    whole = Shoe("T", 8, 1, rounds=rounds)
    assert whole.parts() == [whole]
    assert references(whole, [first]) == []

"""The felt as the croupier sees it: each card drawn gets to where the table says."""

from regulations.events.cards import Card
from regulations.events.outputs import Burned, Dealt, Reveal
from sim.croupier.layout import HandSpot, LaidCard, LaidCards
from tests.sim.croupier.table import resolved, voided

PLAYER = HandSpot("player")


def drawn(*cards: Card, is_told: bool = False) -> LaidCards:
    layout = LaidCards()
    for card in cards:
        layout.drew(card, is_told=is_told)
    return layout


def dealt(card: Card | None = None, position: int = 1) -> Dealt:
    return Dealt(card=card, to="player", position=position)


def test_a_card_waits_until_the_table_lays_it() -> None:
    layout = drawn("9S")
    assert layout.waiting == ["9S"]
    layout.notice([dealt()])
    assert layout.waiting == []
    assert layout.lying(PLAYER) == [LaidCard("9S", is_open=False, is_known=False)]
    assert layout.hidden() == [PLAYER]
    layout.notice([Reveal(who="player", cards=["9S"])])
    assert layout.open_cards(PLAYER) == ["9S"]
    assert layout.hidden() == []


def test_a_card_that_was_read_is_known_face_down_as_well() -> None:
    layout = drawn("9S", is_told=True)
    layout.notice([dealt()])
    assert layout.lying(PLAYER) == [LaidCard("9S", is_open=False, is_known=True)]


def test_a_burned_card_lies_nowhere() -> None:
    layout = drawn("9S", "8S")
    layout.notice([Burned(card=None, why="invalid"), dealt("8S")])
    assert layout.open_cards(PLAYER) == ["8S"]


def test_a_card_held_for_the_next_round_survives_this_one_and_is_dealt_first() -> None:
    layout = drawn("9S", "8S")
    layout.notice([resolved("next_round")])
    assert layout.held == ["9S"]
    layout.notice([Burned(card=None, why="invalid")])
    assert layout.waiting == ["9S"]
    layout.drew("7S", is_told=False)
    layout.clear()
    assert layout.waiting == ["9S"]
    layout.drew("6S", is_told=False)
    layout.notice([dealt("9S"), dealt("6S", 2)])
    assert layout.open_cards(PLAYER) == ["9S", "6S"]


def test_nothing_more_is_held_than_was_drawn() -> None:
    layout = LaidCards()
    layout.notice([resolved("next_round"), Burned(card=None, why="initial"), dealt("9S")])
    assert layout.held == []
    assert layout.open_cards(PLAYER) == ["9S"], "the table may know of a card that the croupier did not draw"


def test_a_void_round_takes_what_was_not_settled_with_it() -> None:
    layout = drawn("9S")
    layout.notice([voided()])
    assert layout.waiting == []
    layout = drawn("9S")
    layout.notice([resolved("next_round"), voided()])
    assert layout.waiting == ["9S"]
    layout.new_stack()
    assert layout.waiting == []


def test_a_split_makes_a_hand_of_the_second_card_with_the_next_free_number() -> None:
    layout = drawn("8S", "8H")
    layout.notice([Dealt(card=None, to="seat", seat=3, hand=1, position=position) for position in (1, 2)])
    assert not layout.is_split(3)
    layout.split(3, 1)
    assert layout.is_split(3)
    assert [laid.card for laid in layout.lying(HandSpot("seat", 3, 1))] == ["8S"]
    assert [laid.card for laid in layout.lying(HandSpot("seat", 3, 2))] == ["8H"]
    layout.split(3, 2)
    assert HandSpot("seat", 3, 3) in layout.hands


def test_a_machine_tells_of_a_card_before_a_hand_has_it() -> None:
    layout = LaidCards()
    layout.notice([dealt(), Burned(card=None, why="round"), dealt("8S", 2)])
    assert layout.owed == 3
    assert layout.lying(PLAYER)[0] == LaidCard(None, is_open=False, is_known=False)
    for card in ("9S", "7S", "8S"):
        layout.drew(card, is_told=True)
    assert layout.owed == 0
    assert layout.lying(PLAYER) == [
        LaidCard("9S", is_open=False, is_known=True),
        LaidCard("8S", is_open=True, is_known=True),
    ]
    assert layout.waiting == []


def test_what_does_not_come_is_forgiven() -> None:
    layout = LaidCards()
    layout.notice([dealt()])
    layout.forgive()
    layout.drew("9S", is_told=True)
    assert layout.waiting == ["9S"]
    layout.clear()
    layout.notice([dealt("8S")])
    layout.clear()
    layout.drew("8S", is_told=True)
    assert layout.waiting == [], "it came when its round was over"
    layout.notice([dealt("7S")])
    layout.new_stack()
    assert layout.owed == 0


def test_cards_that_nobody_told_are_named_and_laid_first() -> None:
    layout = LaidCards()
    layout.drew("9S", is_told=True)
    layout.drew("8S", is_told=False)
    assert layout.untold == ["8S"]
    layout.put_untold_first()
    layout.notice([dealt(), dealt(position=2)])
    assert [laid.card for laid in layout.lying(PLAYER)] == ["8S", "9S"]


def test_a_card_that_is_shown_is_the_one_that_was_drawn() -> None:
    layout = drawn("9S", "8S", is_told=True)
    layout.notice([dealt("8S"), dealt("9S", 2)])
    assert layout.open_cards(PLAYER) == ["8S", "9S"]

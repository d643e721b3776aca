"""Cards as they are typed, at the keyboard and to ``cardshoe log``."""

import pytest

from cardshoe.table.terminal.text import card_text
from cardshoe.table.terminal.typed_cards import asked_card, typed_card
from regulations.events.cards import DECK


def test_cards_as_they_are_typed_and_shown() -> None:
    for card in DECK:
        assert typed_card(card) == typed_card(card.lower()) == typed_card(card_text(card)) == asked_card(card) == card
    assert asked_card("10h") == asked_card(" 10♥ ") == "TH"


@pytest.mark.parametrize("text", ["", "9", "H", "1H", "11H", "9X", "9HH", "♥9"])
def test_no_cards(text: str) -> None:
    assert typed_card(text) is None
    with pytest.raises(ValueError, match="is no card: write its rank"):
        asked_card(text)

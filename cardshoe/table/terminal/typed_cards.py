"""Cards as shown and as typed."""

import re
from typing import Final

from regulations.events.cards import DECK, Card

SUITS: Final = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
_CARD: Final = re.compile(r"(?P<rank>10|[2-9TJQKA])(?P<suit>[SHDC♠♥♦♣])", re.IGNORECASE)
_BY_NAME: Final[dict[str, Card]] = {card: card for card in DECK}


def typed_card(text: str) -> Card | None:
    shown = _CARD.fullmatch(text)
    if shown is None:
        return None
    rank, suit = shown["rank"].upper(), shown["suit"].upper()
    return _BY_NAME.get(f"{'T' if rank == '10' else rank}{SUITS.get(suit, suit)}")


def asked_card(text: str) -> Card:
    card = typed_card(text.strip())
    if card is None:
        raise ValueError(f"{text!r} is no card: write its rank, A 2 to 10 J Q K, and its suit, S H D C or ♠ ♥ ♦ ♣: 10H")
    return card

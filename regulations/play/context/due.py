"""The next card that is due, computed once a move."""

from typing import Final

from msgspec import Struct

from regulations.play.context.drawn_card import CardPosition


class Due(Struct, frozen=True):
    """What is due now.

    Attributes:
        in_a_row: next cards of the same hand or burn; 0: none.
    """

    place: CardPosition | None = None
    in_a_row: int = 0
    lies_open: bool = False


NO_CARD: Final = Due()

"""The next card that is due: computed once a move, and asked for by whatever takes, lays or calls for a card."""

from typing import Final

from msgspec import Struct

from regulations.play.context.drawn_card import CardPosition


class Due(Struct, frozen=True):
    """What is due now.

    Attributes:
        place: the place that gets the next card; ``None``: no card is due.
        in_a_row: how many of the next cards the same hand or burn gets, one after the other; 0 if none is due, or for a
            card that has left.
    """

    place: CardPosition | None = None
    in_a_row: int = 0
    lies_open: bool = False


NO_CARD: Final = Due()

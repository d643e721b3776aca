"""The two hands and what the tableau asks (55/2004 arts. 5.º, 6.º, 9.º)."""

from typing import Final

from regulations.events.cards import Card, rank_of
from regulations.events.vocabulary import Side
from regulations.games.baccarat.tableau import (
    BANKER_ALWAYS_DRAWS_TO,
    BANKER_DRAWS_ALONE_TO,
    BANKER_DRAWS_ON,
    INITIAL_CARDS,
    PLAYER_DRAWS_TO,
    POINTS,
    is_natural,
    points_of,
)
from regulations.play.context.drawn_card import CardOwner
from regulations.play.context.hands import Hands

OWNERS: Final[dict[Side, CardOwner]] = {"player": CardOwner("player"), "banker": CardOwner("banker")}


class BaccaratHands:
    def __init__(self) -> None:
        self.laid: Final = Hands()

    def clear(self) -> None:
        self.laid.clear()

    def size(self, side: Side) -> int:
        return self.laid.size(OWNERS[side])

    def cards(self, side: Side) -> list[Card]:
        return self.laid.cards(OWNERS[side])

    def _points(self, side: Side) -> int:
        return points_of(self.cards(side))

    def player_hidden(self) -> bool:
        return self.laid.hides_any(OWNERS["player"])

    def banker_hidden(self) -> bool:
        return self.laid.hides_any(OWNERS["banker"])

    def banker_has_third(self) -> bool:
        return self.size("banker") > INITIAL_CARDS

    def player_natural(self) -> bool:
        return is_natural(self.cards("player"))

    def banker_natural(self) -> bool:
        return is_natural(self.cards("banker"))

    def player_below_6(self) -> bool:
        return self._points("player") <= PLAYER_DRAWS_TO

    def banker_below_6(self) -> bool:
        return self._points("banker") <= BANKER_DRAWS_ALONE_TO

    def banker_below_3(self) -> bool:
        return self._points("banker") <= BANKER_ALWAYS_DRAWS_TO

    def banker_has_3(self) -> bool:
        return self._points("banker") == 3  # noqa: PLR2004  # the article's own number

    def banker_has_4(self) -> bool:
        return self._points("banker") == 4  # noqa: PLR2004  # the article's own number

    def banker_has_5(self) -> bool:
        return self._points("banker") == 5  # noqa: PLR2004  # the article's own number

    def banker_has_6(self) -> bool:
        return self._points("banker") == 6  # noqa: PLR2004  # the article's own number

    def banker_has_7(self) -> bool:
        """Art. 9.º-4(5); naturals ended the drawing before (art. 9.º-2)."""
        return self._points("banker") == 7  # noqa: PLR2004  # the article's own number

    def third_calls_banker(self) -> bool:
        third = POINTS[rank_of(self.cards("player")[2])]
        return third in BANKER_DRAWS_ON[self._points("banker")]

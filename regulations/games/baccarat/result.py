"""The verdict on a baccarat round."""

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct

from regulations.events.cards import Card
from regulations.events.results import HandShown, Result
from regulations.events.vocabulary import Outcome, Side


class HandsShown(Struct, frozen=True, kw_only=True):
    """The cards of the ``player`` and ``banker`` hand, in dealing order."""

    player: list[Card]
    banker: list[Card]


class Points(Struct, frozen=True, kw_only=True):
    """The points of the ``player`` and ``banker`` hand, 0 to 9."""

    player: int
    banker: int


class BaccaratResult(Result, frozen=True, kw_only=True, tag="result"):
    """The verdict on a baccarat round.

    Attributes:
        points: points of both hands.
        cards: cards of both hands.
        natural: whether a hand had 8 or 9 with two cards.
        pairs: sides whose first two cards make a pair.
    """

    OUTCOMES: ClassVar[tuple[str, ...]] = ("win", "tie")

    outcome: Outcome
    points: Points
    cards: HandsShown
    natural: bool
    pairs: list[Side]

    @property
    def headline(self) -> str:
        extras = [*(["natural"] if self.natural else []), *(f"{side} pair" for side in self.pairs)]
        more = f" ({', '.join(extras)})" if extras else ""
        return ("TIE" if self.outcome == "tie" else f"{self.outcome.upper()} wins") + more

    @property
    def winner(self) -> Outcome:
        return self.outcome

    def shown(self) -> Iterator[HandShown]:
        yield self._hand("player", self.cards.player, self.points.player)
        yield self._hand("banker", self.cards.banker, self.points.banker)

    def outcomes(self) -> Iterator[str]:
        yield self.outcome

    def _hand(self, side: Side, cards: list[Card], points: int) -> HandShown:
        ended = {side: "win", "tie": "tie"}.get(self.outcome, "")
        return HandShown(side, cards, says=f"{points} ({{cards}})", points=points, outcome=ended)

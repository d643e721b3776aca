"""Turning cards face up: player's, banker's, additional ones (55/2004 arts. 7.º-1, 16.º)."""

from collections.abc import Callable
from typing import Final

from regulations.events.inputs import Revealed
from regulations.events.vocabulary import Side
from regulations.games.baccarat.hands import BaccaratHands
from regulations.games.baccarat.law import art
from regulations.play.context.context import RuleContext
from regulations.play.rounds.reveals import RevealRules


class BaccaratRevealRules(RevealRules):
    def __init__(self, context: RuleContext, hands: BaccaratHands, turn: Callable[[], Side]) -> None:
        super().__init__(context, hands.laid)
        self._sides: Final = hands
        self._turn: Final = turn

    def not_a_hand_of_baccarat(self) -> bool:
        return self._context.event_as(Revealed).who not in ("player", "banker")

    def other_hand_first(self) -> str | None:
        first = self._turn()
        return f"the {first} hand" if self._context.event_as(Revealed).who != first else None

    def show_hand(self, side: Side) -> None:
        third = self._sides.size(side) > 2  # noqa: PLR2004  # art. 16.º-2 speaks of the additional card
        self.turn(art("16.º-2") if third else art("7.º-1"))

"""The cards that are burned before the first round of a stack."""

from typing import Final, cast

from regulations.events.outputs import Burned
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import BURN_PLACE, DrawnCard
from regulations.play.context.due import Due
from regulations.play.context.snapshot import ShoeSnapshot


class InitialBurnRules:
    def __init__(self, context: RuleContext, lasting: ShoeSnapshot) -> None:
        self._context: Final = context
        self._lasting: Final = lasting

    @property
    def due(self) -> Due:
        """What is due while it lasts: the first card is open if it fixes how many are burned."""
        return Due(BURN_PLACE, 1, self._lasting.burn_left is None)

    def begin(self) -> None:
        self._lasting.burn_left = self._context.initial_burn

    def count_fixing_card(self) -> bool:
        return self._lasting.burn_left is None

    def more_to_burn(self) -> bool:
        # A card that fixes the number goes by another row, before this one.
        return cast("int", self._lasting.burn_left) > 1

    def burn_shown(self) -> None:
        drawn = self._lay_burned()
        drawn.is_open = True
        self._context.emit(Burned(article=self._context.law.articles.burn_count_shown, card=drawn.card, why="initial"))

    def fix_burn_count(self) -> None:
        self._lasting.burn_left = self._context.law.cards_burned_after(self._context.card_in_hand.card)

    def burn_initial(self) -> None:
        drawn = self._lay_burned()
        self._lasting.burn_left = cast("int", self._lasting.burn_left) - 1
        self._context.emit(Burned(article=self._context.law.articles.initial_burn, card=drawn.shown, why="initial"))

    def _lay_burned(self) -> DrawnCard:
        drawn = self._context.card_in_hand
        drawn.place = BURN_PLACE
        return drawn

"""The table as the keyboard sees it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from msgspec import UNSET

from cardshoe.screens.view.view import TableView
from cardshoe.screens.words.currency import Currency
from regulations.events.inputs import Table
from regulations.events.outputs import Next
from regulations.events.vocabulary import Bet, DecisionAction, IrregularityCode
from regulations.games.registry import GAMES, NAMES, SHEETS
from regulations.law.sheet import Sheet
from regulations.law.stakes import are_recorded
from regulations.play.context.game import Game

TABLE: Final = Table(table_id="", game=NAMES[0], decks=8, seats=7, equipment="shoe")


@dataclass(frozen=True, slots=True)
class Situation:
    """The context of a typed line; ``view`` empty if unknown."""

    table: Table = TABLE
    currency: Currency = field(default_factory=Currency)
    view: TableView = field(default_factory=TableView)
    devices: Sequence[str] = ()

    @property
    def game(self) -> Game:
        """The game."""
        return GAMES[self.table.game]

    @property
    def sheet(self) -> Sheet:
        """The sheet of the game."""
        return SHEETS[self.table.game]

    @property
    def bets(self) -> list[Bet]:
        """The bets allowed when the bets close."""
        return [bet for bet in self.sheet.words.bets if bet in self.sheet.bets.all]

    @property
    def main_bet(self) -> Bet:
        """The game's principal bet."""
        return self.sheet.bets.main

    @property
    def decisions(self) -> list[DecisionAction]:
        """The game's decisions."""
        return [one.name for one in self.sheet.choices]

    @property
    def options(self) -> dict[str, Any]:
        """Options with their values, as far as known."""
        return self.view.profile.options if self.view.profile is not None else self.table.options

    @property
    def stakes_known(self) -> bool:
        return are_recorded(self.table.options)

    @property
    def prompt(self) -> Next:
        """The croupier's next act."""
        return self.view.prompt or Next(do="nothing")

    @property
    def open_codes(self) -> dict[int, IrregularityCode]:
        return {one.irregularity: one.code for one in self.view.irregularities}

    @property
    def due_irregularity(self) -> int | None:
        """The first open irregularity; ``None``: none."""
        prompt = self.prompt
        if prompt.do == "resolve" and prompt.irregularity is not UNSET:
            return prompt.irregularity
        return next(iter(self.open_codes), None)

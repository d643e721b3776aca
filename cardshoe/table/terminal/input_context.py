"""The table as the keyboard knows it: its profile and money, and the state of its log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, get_args

from msgspec import UNSET

from cardshoe.screens.view.view import TableView
from cardshoe.screens.words.currency import Currency
from regulations.events.inputs import Table
from regulations.events.outputs import Next
from regulations.events.vocabulary import Bet, DecisionAction, IrregularityCode
from regulations.games.registry import GAMES
from regulations.law.stakes import are_told
from regulations.play.context.game import Game

TABLE: Final = Table(table_id="", game="baccarat", decks=8, seats=7, equipment="shoe")
"""Stands for the table where none is known: of baccarat, the first of the games."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The context in which a typed line is read.

    Attributes:
        table: the profile.
        currency: in which amounts are typed.
        view: the table as it stands; empty where nobody knows.
        devices: the names of those at the table.
    """

    table: Table = TABLE
    currency: Currency = field(default_factory=Currency)
    view: TableView = field(default_factory=TableView)
    devices: Sequence[str] = ()

    @property
    def game(self) -> Game:
        """The game that is played."""
        return GAMES[self.table.game]

    @property
    def bets(self) -> list[Bet]:
        """The bets that may be put down when the bets close: all that may have a limit."""
        limits = self.game.law.option("limits")
        return [bet for bet in get_args(Bet) if limits is not None and limits.accepts({bet: {"least": 0}})]

    @property
    def main_bet(self) -> Bet:
        """The bet that the game is about."""
        return next(bet for bet in self.bets if bet in MAIN_BETS)

    @property
    def decisions(self) -> list[DecisionAction]:
        """The decisions that a bettor has in this game."""
        return list(DECISIONS[self.table.game])

    @property
    def options(self) -> dict[str, Any]:
        """Every option with the value in force, as far as it is known."""
        return self.view.profile.options if self.view.profile is not None else self.table.options

    @property
    def stakes_told(self) -> bool:
        """True if the table is told the stakes."""
        return are_told(self.table.options)

    @property
    def prompt(self) -> Next:
        """The croupier's next act."""
        return self.view.prompt or Next(do="nothing")

    @property
    def open_codes(self) -> dict[int, IrregularityCode]:
        """The irregularities that are open, by number."""
        return {one.irregularity: one.code for one in self.view.irregularities}

    @property
    def due_irregularity(self) -> int | None:
        """The irregularity that comes first; ``None`` where none is open."""
        prompt = self.prompt
        if prompt.do == "resolve" and prompt.irregularity is not UNSET:
            return prompt.irregularity
        return next(iter(self.open_codes), None)


MAIN_BETS: Final = frozenset({"banker", "main", "ante"})
DECISIONS: Final[Mapping[str, Sequence[DecisionAction]]] = {
    "baccarat": (),
    "blackjack": ("hit", "stand", "double", "split", "surrender", "insurance", "even_money", "half_pay"),
    "casino_war": ("challenge", "surrender"),
    "q_poker": ("play", "fold"),
    "three_card_baccarat": (),
}
"""By game, as the table log's page lists them."""

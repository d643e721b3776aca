"""A game as the table sees it: law, rules and round."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from regulations.law.game_law import GameLaw
from regulations.law.guide import Guide
from regulations.law.payouts import Payout
from regulations.law.readings import COMMON, Reading
from regulations.law.rows import RegulationRow
from regulations.law.rulebook import Rulebook
from regulations.law.sheet import Sheet
from regulations.play.context.context import RuleContext
from regulations.play.context.game_round import Round


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    sheet: Sheet
    rulebook: Rulebook
    round: Callable[[RuleContext, Sequence[RegulationRow], Sequence[Payout[Any]], Callable[[], None]], Round[Any]]
    articles: Mapping[str, str]
    not_enforced: Mapping[str, str]
    own_readings: Sequence[Reading]
    guide: Guide
    untold: Mapping[str, str] = field(default_factory=dict)

    @property
    def law(self) -> GameLaw:
        """The game's regulation for the table."""
        return self.sheet.law

    @property
    def readings(self) -> Mapping[str, Reading]:
        """The readings that hold in the game as the rules cite them, ``reading B11``; its own first."""
        return {reading.cited: reading for reading in (*self.own_readings, *COMMON)}

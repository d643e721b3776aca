"""A game's rulebook: round, settlement, gate and shoe game."""

from collections.abc import Sequence
from typing import Any

from regulations.law.game_law import GameLaw
from regulations.law.payouts import Payout
from regulations.law.rows import RegulationRow
from regulations.law.rulebook import Rulebook
from regulations.play.resolution.rows import gate_rows
from regulations.play.shoe.rows import shoe_rows


def rulebook_of(law: GameLaw, rows: Sequence[RegulationRow], payouts: Sequence[Payout[Any]]) -> Rulebook:
    return Rulebook(gate=gate_rows(law), shoe=shoe_rows(law), round=rows, payouts=payouts)

"""A game's rulebook: its own round and settlement, with the gate and the shoe game by its law."""

from collections.abc import Sequence
from typing import Any

from regulations.gate.rows import gate_rows
from regulations.law import GameLaw
from regulations.payouts import Payout
from regulations.rows import Row
from regulations.rulebook import Rulebook
from regulations.shoe.rows import shoe_rows


def rulebook_of(law: GameLaw, rows: Sequence[Row], payouts: Sequence[Payout[Any]]) -> Rulebook:
    """The rules of a game.

    Args:
        law: what its regulation fixes for the table.
        rows: the rule table of its round.
        payouts: its rules of settlement.
    """
    return Rulebook(gate=gate_rows(law), shoe=shoe_rows(law), round=rows, payouts=payouts)

"""Decisions about antes: play or fold (89/2004 arts. 9.º-2, 9.º-3)."""

from msgspec import UNSET

from regulations.play.context.context import RuleContext
from regulations.play.rounds.ante_decisions import AnteBettor, AnteDecisions


class AnteRules(AnteDecisions):
    def __init__(self, context: RuleContext) -> None:
        super().__init__(context, ("play", "fold"))

    def has_folded(self, bettor: AnteBettor) -> bool:
        return self.choice_of(bettor) == "fold"

    def names_money(self) -> bool:
        return self._asked.amount is not UNSET or self._asked.any_pair is not UNSET

    def asks_to_play(self) -> bool:
        return self._asked.action == "play"

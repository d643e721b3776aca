"""Who plays against the croupier and who gives up (89/2004 arts. 9.º-2, 9.º-3)."""

from msgspec import UNSET

from regulations.play.context.context import RuleContext
from regulations.play.rounds.ante_decisions import AnteBettor, AnteDecisions


class AnteRules(AnteDecisions):
    """The antes of the open round.

    Args:
        context: what the machines of the table share.
    """

    def __init__(self, context: RuleContext) -> None:
        super().__init__(context, ("play", "fold"))

    def has_folded(self, bettor: AnteBettor) -> bool:
        """True if a bettor gave the ante up."""
        return self.choice_of(bettor) == "fold"

    def names_money(self) -> bool:
        """True if the decision would put money down."""
        return self._asked.amount is not UNSET or self._asked.any_pair is not UNSET

    def asks_to_play(self) -> bool:
        """True if the bettor plays against the croupier."""
        return self._asked.action == "play"

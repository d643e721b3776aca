"""A dealer who does what the law asks next: one shoe of baccarat through the law, without clock or devices."""

from collections.abc import Sequence
from typing import Any, Final

from cardshoe.cli.campaign.totals import STAKE, ShoeTotals
from regulations.events.cards import Card
from regulations.events.inputs import (
    AnyInput,
    BetsClosed,
    CardDrawn,
    Cut,
    CutCard,
    CutCardPlaced,
    Loaded,
    RoundClosed,
    Shuffled,
    Table,
    Wager,
)
from regulations.events.outputs import AnyOutput, Irregularity, Next, Refused, Settled
from regulations.games.baccarat.result import BaccaratResult
from regulations.law.rulebook import Rulebook
from regulations.procedure.procedure import Procedure

BEHIND: Final = 14
"""Cards behind the cut card."""
WAGERS: Final = ((1, "player"), (1, "player_pair"), (2, "banker"), (2, "banker_pair"), (3, "tie"))
"""One unit on each bet, by seat."""


class Dealer:
    """Deals one shoe; `play` gives its totals.

    Args:
        table: the profile.
        cards: of the stack, the first to leave first.
        rulebook: other rules than the game's, for a test.
    """

    def __init__(self, table: Table, cards: Sequence[Card], rulebook: Rulebook | None = None) -> None:
        self._procedure: Final = Procedure(table, rulebook)
        self._cards: Final = iter(cards)
        self._left = len(cards)
        self._is_cut = False
        self._totals: Final = ShoeTotals()

    def play(self) -> ShoeTotals:
        """Deal until the law asks for the next shuffle."""
        answer = self._procedure.opening
        begun = False
        while True:
            asked = answer[-1]
            if not isinstance(asked, Next) or any(isinstance(one, (Refused, Irregularity)) for one in answer):
                raise RuntimeError(f"the law did not accept an input of a campaign: {answer}")
            if begun and asked.do == "shuffle":
                return self._totals
            given = self._answer_to(asked)
            begun = begun or asked.do == "load"
            answer = self._procedure.apply(given)
            self._note(answer)

    def _answer_to(self, asked: Any) -> AnyInput:  # noqa: ANN401, PLR0911  # one answer for each `next` of the game
        match asked.do:
            case "shuffle":
                return Shuffled(by="croupier", origin="person")
            case "cut":
                return Cut(by="player", origin="person")
            case "place_cut_card":
                return CutCardPlaced(behind=BEHIND, origin="person")
            case "load":
                return Loaded(cards=self._left, origin="person")
            case "burn":
                self._next_card()
                return CardDrawn(card=None, unseen=True, origin="person")
            case "close_bets" if self._left > BEHIND or self._is_cut:
                wagers = [Wager(seat=seat, bet=bet, stake=STAKE, id=1) for seat, bet in WAGERS]
                return BetsClosed(seats=[1, 2, 3], wagers=wagers, origin="person")
            case "draw" if self._left > BEHIND or self._is_cut:
                return CardDrawn(card=self._next_card(), origin="person")
            case "draw" | "close_bets":
                self._is_cut = True
                return CutCard(origin="person")
            case "close_round":
                return RoundClosed(origin="person")
            case _:
                raise RuntimeError(f"a campaign does not know what the law asks: {asked}")

    def _next_card(self) -> Card:
        self._left -= 1
        return next(self._cards)

    def _note(self, answer: Sequence[AnyOutput]) -> None:
        for one in answer:
            if isinstance(one, BaccaratResult):
                self._totals.note_result(one)
            elif isinstance(one, Settled):
                self._totals.note_money(one.wagers)

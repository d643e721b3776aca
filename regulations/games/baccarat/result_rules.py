"""The verdict on a round and its settlement, and their reversal."""

from collections.abc import Sequence
from typing import Final, cast

from msgspec import UNSET

from regulations.events.cards import Card
from regulations.events.inputs import DeviceResult, Wager
from regulations.events.outputs import Reversed, Settled, SettledWager
from regulations.events.vocabulary import Outcome
from regulations.games.baccarat.law import art
from regulations.games.baccarat.result import BaccaratResult as Result
from regulations.games.baccarat.result import HandsShown, Points
from regulations.games.baccarat.settlement import SettlementFacts, settle
from regulations.games.baccarat.snapshot import BaccaratSnapshot
from regulations.games.baccarat.tableau import is_natural, outcome_of, pairs_of, points_of
from regulations.law.payouts import Payout
from regulations.play.context.context import RuleContext


class ResultRules:
    def __init__(
        self, context: RuleContext, payouts: Sequence[Payout[SettlementFacts]], lasting: BaccaratSnapshot
    ) -> None:
        self._context: Final = context
        self._payouts: Final = payouts
        self._lasting: Final = lasting
        self._result: Result | None = None
        self._settled: list[SettledWager] = []
        self.kept: DeviceResult | None = None
        self._device_reported = False

    @property
    def outcome(self) -> Outcome | None:
        """The current result; ``None``: none, or reversed."""
        return None if self._result is None else self._result.outcome

    def on(
        self, player: Sequence[Card], banker: Sequence[Card], wagers: Sequence[Wager]
    ) -> tuple[Result, list[SettledWager]]:
        """The result and the settlement that these hands give."""
        outcome, pairs = outcome_of(player, banker), pairs_of(player, banker)
        result = Result(
            outcome=outcome,
            points=Points(player=points_of(player), banker=points_of(banker)),
            cards=HandsShown(player=list(player), banker=list(banker)),
            natural=is_natural(player) or is_natural(banker),
            pairs=pairs,
        )
        half = self._context.deal.options["banker_win"] == "half_on_six"
        verdict = SettlementFacts(outcome=outcome, banker_points=result.points.banker, pairs=pairs, half_on_six=half)
        return result, settle(wagers, verdict, self._payouts, is_tracked=self._context.deal.is_tracked)

    def give(self, verdict: tuple[Result, list[SettledWager]]) -> None:
        """Says the result and the settlement."""
        self._result, self._settled = result, settled = verdict
        self._context.emit(
            Result(
                article=art("12.º") if result.outcome == "tie" else art("11.º"),
                outcome=result.outcome,
                points=result.points,
                cards=result.cards,
                natural=result.natural,
                pairs=result.pairs,
            )
        )
        if settled:
            self._context.emit(Settled(article=art("17.º"), wagers=settled))

    def reverse(self, article: str) -> None:
        """Take back the result and what it settled, by this article."""
        if self._settled:
            self._context.emit(Reversed(article=article, wagers=self._settled))
        self._result, self._settled = None, []

    def close(self) -> None:
        self._lasting.unconfirmed = None if self._device_reported else self._result
        self._result, self._settled = None, []
        self.kept, self._device_reported = None, False

    # --- the device's opinion ----------------------------------------------------------------------------------------

    @staticmethod
    def _agrees(device: DeviceResult, result: Result | None) -> bool:
        if result is None or device.outcome != result.outcome:
            return False
        return device.pairs is UNSET or set(device.pairs) == set(result.pairs)

    def device_disagrees(self) -> str | None:
        # A decided round has a result: what a device tells before it is `device_disagrees` by a row of its own.
        result = cast("Result", self._result)
        if self._agrees(self._context.event_as(DeviceResult), result):
            return None
        pairs = [f"{one} pair" for one in result.pairs] or ["no pair"]
        return f"the regulation's result is {', '.join([result.outcome, *pairs])}"

    def device_agrees_late(self) -> bool:
        event = self._context.event_as(DeviceResult)
        return event.outcome == "forced_end" or self._agrees(event, self._lasting.unconfirmed)

    def store_device_result(self) -> None:
        self.kept = self._context.event_as(DeviceResult)

    def record_device_agreement(self) -> None:
        self._device_reported = True

    def record_late_agreement(self) -> None:
        self._lasting.unconfirmed = None

    def disagrees(self, kept: DeviceResult) -> bool:
        """True if the stored result differs from the regulation's; called once, when the cards are open."""
        self.kept, self._device_reported = None, True
        return not self._agrees(kept, self._result)

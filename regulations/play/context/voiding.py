"""Grounds of a void round, and what a void closes (readings G3, G12)."""

from collections.abc import Callable
from typing import Final, cast, get_args

from regulations.events.inputs import BetsCorrected, BettorLeft, Resolve, Void
from regulations.events.vocabulary import Ground, IrregularityCode
from regulations.law.persons import two_persons
from regulations.play.context.context import RuleContext
from regulations.play.context.irregularities import GROUND_OF
from regulations.play.context.open_round import OpenRound

GROUNDS: Final[tuple[str, ...]] = get_args(Ground)


class VoidRules:
    def __init__(self, context: RuleContext, game_round: OpenRound, hides_card: Callable[[], bool]) -> None:
        self._context: Final = context
        self._round: Final = game_round
        self._hides_card: Final = hides_card
        self._reason: str
        self.is_partial = False

    # --- the round's side --------------------------------------------------------------------------------------------

    def begin_round(self) -> None:
        self.is_partial = False

    def void(self, reason: str) -> None:
        """Voids the round for this reason."""
        self._reason = reason
        self._round.fire("void_round")

    @property
    def reason(self) -> str:
        """Why the round is void, as the log says it."""
        event = self._context.scope.turn.event
        return event.reason if isinstance(event, Void) else self._reason

    def close_irregularities(self) -> None:
        context, event = self._context, self._context.scope.turn.event
        by = event.by if isinstance(event, Void | Resolve) else ()
        for irregularity in context.scope.irregularities.close_where(
            lambda one: one.number in context.scope.turn.voidable
        ):
            context.settle(irregularity, "void", by)
        context.burn_waiting()

    # --- guards ------------------------------------------------------------------------------------------------------

    @property
    def _ground(self) -> str:
        event = self._context.scope.turn.event
        if isinstance(event, Void):
            return event.ground if isinstance(event.ground, str) else ""
        return GROUND_OF.get(cast("IrregularityCode", self._reason), "misdeal")

    def ground_unknown(self) -> str | None:
        known, named = ", ".join(GROUNDS), self._ground
        fault = f"{named!r}; `ground` is one of {known}" if named else f"`ground` is missing: one of {known}"
        return None if named in GROUNDS else fault

    def persons_missing(self) -> bool:
        # Rows ask it of these kinds of event alone.
        return not two_persons(cast("Void | BetsCorrected | BettorLeft", self._context.scope.turn.event).by)

    def result_stands(self) -> bool:
        return not self._context.scope.turn.voidable

    def on_exposure(self) -> bool:
        return self._ground == "exposed"

    def on_malfunction(self) -> bool:
        return self._ground == "malfunction"

    def on_empty_stack(self) -> bool:
        return self._ground == "stack"

    def on_no_beginning(self) -> bool:
        return self._ground == "not_begun"

    def exposure_voids_nothing(self) -> bool:
        return self._ground == "exposed" and not self._hides_card()

    def stack_is_not_empty(self) -> str | None:
        if self._ground != "stack":
            return None
        if self._context.scope.due.place is None:
            return "no card is due"
        left = self._context.scope.stack.left - self._context.scope.stack.uncertain
        return f"{left} are left" if left > 0 else None

    def round_has_begun(self) -> bool:
        return self._ground == "not_begun" and not self._no_card_out()

    def nothing_dealt(self) -> bool:
        return self._ground == "misdeal" and self._no_card_out()

    def _no_card_out(self) -> bool:
        stack = self._context.scope.stack
        return not self._round.is_dealing and stack.round_began == stack.out

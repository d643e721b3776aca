"""How a shoe game ends: cut card, too few cards, persons, or one round."""

from collections.abc import Callable
from typing import Final

from msgspec import UNSET

from regulations.events.inputs import ShoeEnded
from regulations.events.outputs import Burned, LastRound, ShoeOver
from regulations.law.persons import two_persons
from regulations.play.context.context import RuleContext
from regulations.play.context.machine import RuleMachine
from regulations.play.shoe.states import IN_ROUNDS, ShoeState


class EndingRules:
    def __init__(self, context: RuleContext, machine: Callable[[], RuleMachine[ShoeState]]) -> None:
        self._context: Final = context
        self._machine: Final = machine
        self._house_ends: bool

    def begin(self) -> None:
        self._house_ends = False

    # --- guards -------------------------------------------------------------------------------------------------------

    def ends_with_round(self) -> bool:
        return bool(self._context.deal.options["after_cut_card"] == "end")

    def one_more_may_follow(self) -> bool:
        return not (self.ends_with_round() or self._house_ends)

    def cards_left(self) -> bool:
        return self._context.scope.stack.left > 0

    def enough_for_one_more(self) -> bool:
        context = self._context
        needed = context.law.cards_per_round + bool(context.deal.options["round_burn"])
        return context.scope.stack.left >= needed

    def serves_no_seat(self) -> bool:
        is_next = (
            self._machine().state in IN_ROUNDS
            and self._context.scope.round.is_idle
            and not self._context.scope.irregularities.open
        )
        return is_next and self._context.scope.round.seats_served() == 0

    def too_few_given(self) -> bool:
        return self._context.event_as(ShoeEnded).reason == "too_few_cards"

    def serves_all(self) -> str | None:
        seats = self._context.table.seats
        return f"all {seats}" if self._context.scope.round.seats_served() == seats else None

    def between_rounds(self) -> bool:
        return not self._context.scope.phase.open

    def round_goes_on(self) -> bool:
        return self._context.scope.phase.voidable

    def house_ends(self) -> bool:
        return self._house_ends

    def reason_missing(self) -> bool:
        event = self._context.event_as(ShoeEnded)
        return event.reason == "other" and (event.detail is UNSET or not event.detail.strip())

    def end_persons_missing(self) -> bool:
        asked = self._context.deal.options["shoe_ended_by"] == "two"
        return asked and not two_persons(self._context.event_as(ShoeEnded).by)

    # --- effects ------------------------------------------------------------------------------------------------------

    def emit_last_round(self) -> None:
        self._context.emit(LastRound(article=self._machine().moved_by.article))

    def emit_one_more_round(self) -> None:
        self._context.emit(LastRound(article=self._machine().moved_by.article, one_more=True))

    def end_with_round(self) -> None:
        self._house_ends = True

    def burn_held(self) -> None:
        context = self._context
        for drawn in context.held:
            context.emit(Burned(article=context.law.articles.undue_card, card=drawn.shown, why="invalid"))
        context.held.clear()

    def end_shoe_game(self) -> None:
        self.burn_held()
        article, stack = self._machine().moved_by.article, self._context.scope.stack
        self._context.emit(ShoeOver(article=article, cards_seen=stack.out, cards_left=stack.left))

    def close_table(self) -> None:
        self._context.scope.round.close_table()

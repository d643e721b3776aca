"""Decisions about antes in the order of seats."""

from collections.abc import Sequence
from typing import Final, NamedTuple, cast

from msgspec import UNSET

from regulations.events.inputs import Decision, Wager
from regulations.events.vocabulary import DecisionAction
from regulations.law.stakes import stake_of
from regulations.play.context.context import RuleContext


class AnteBettor(NamedTuple):
    seat: int
    id: int


class AnteDecisions:
    def __init__(self, context: RuleContext, choices: Sequence[DecisionAction]) -> None:
        self._context: Final = context
        self.choices: Final = tuple(choices)
        self._stakes: dict[AnteBettor, int] = {}
        self._chosen: dict[AnteBettor, DecisionAction] = {}

    # --- the round's side --------------------------------------------------------------------------------------------

    def open(self, wagers: Sequence[Wager]) -> None:
        stakes = {AnteBettor(wager.seat, wager.id): stake_of(wager) for wager in wagers if wager.bet == "ante"}
        self._stakes = dict(sorted(stakes.items()))

    def forget(self) -> None:
        """Clear all decisions."""
        self._chosen.clear()

    def choose(self) -> AnteBettor:
        """Record the decision of the event's bettor, which is final."""
        self._chosen[self._bettor] = self._asked.action
        return self._bettor

    def choice_of(self, bettor: AnteBettor) -> DecisionAction | None:
        return self._chosen.get(bettor)

    def has_chosen(self, action: DecisionAction) -> list[AnteBettor]:
        return [bettor for bettor in self._stakes if self._chosen.get(bettor) == action]

    @property
    def next_to_decide(self) -> AnteBettor | None:
        return next((one for one in self._stakes if one not in self._chosen and self.may_choose(one)), None)

    def may_choose(self, bettor: AnteBettor) -> bool:  # noqa: ARG002  # games look
        return True

    def bettors_on(self, seat: int) -> list[AnteBettor]:
        return [one for one in self._stakes if one.seat == seat]

    def shares_seat(self, bettor: AnteBettor) -> bool:
        return self.bettors_on(bettor.seat) != [AnteBettor(bettor.seat, 1)]

    # --- guards ------------------------------------------------------------------------------------------------------

    @property
    def _asked(self) -> Decision:
        return self._context.event_as(Decision)

    @property
    def _bettor(self) -> AnteBettor:
        return AnteBettor(self._asked.seat, self._asked.id)

    def decider_unknown(self) -> str | None:
        seat, seats = self._asked.seat, self._context.table.seats
        return None if 1 <= seat <= seats else f"seat {seat}, the table has 1 to {seats}"

    def decider_without_ante(self) -> str | None:
        bettor = self._bettor
        return None if bettor in self._stakes else f"seat {bettor.seat}, bettor {bettor.id}"

    def decider_has_chosen(self) -> bool:
        return self._bettor in self._chosen

    def another_seat_decides(self) -> str | None:
        # Rows ask it where a seat is to decide.
        seat = cast("AnteBettor", self.next_to_decide).seat
        return f"seat {seat} decides" if seat != self._asked.seat else None

    def no_choice_of_the_game(self) -> str | None:
        action = self._asked.action
        return None if action in self.choices else f"{action}; there are {', '.join(self.choices)}"

    def another_hand(self) -> bool:
        return self._asked.hand != 1

    def amount_named(self) -> bool:
        return not self._context.deal.is_tracked and self._asked.amount is not UNSET

    def somebody_decides(self) -> bool:
        return self.next_to_decide is not None

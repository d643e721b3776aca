"""Who plays against the croupier and who gives up (89/2004 arts. 9.º-2, 9.º-3)."""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from msgspec import UNSET

from regulations.desk import Desk
from regulations.events.inputs import Decision, Wager

Choice = Literal["play", "fold"]
CHOICES: Final[tuple[Choice, ...]] = ("play", "fold")
"""As the table log lists them."""


class Bettor(NamedTuple):
    """Who put an ante down: the seat, and which of its bettors."""

    seat: int
    id: int


class Antes:
    """The antes of the open round and what was decided about each; its questions are guards of the rule table.

    Args:
        desk: what the machines of the table share.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk
        self._seats: frozenset[int] = frozenset()
        self._bettors: list[Bettor] = []
        """By seat, then by bettor."""
        self._chosen: dict[Bettor, Choice] = {}

    # --- the round's side --------------------------------------------------------------------------------------------

    def open(self, wagers: Sequence[Wager]) -> None:
        """A round begins with these wagers."""
        self._seats = frozenset(wager.seat for wager in wagers)
        self._bettors = sorted(Bettor(wager.seat, wager.id) for wager in wagers if wager.bet == "ante")

    def forget(self) -> None:
        """The round is closed."""
        self._bettors = []
        self._chosen.clear()

    def choose(self) -> Bettor:
        """Notes what the event's bettor decides, irrevocably (art. 9.º-3); returns who it is."""
        self._chosen[self._bettor] = "play" if self.asks_to_play() else "fold"
        return self._bettor

    def has_folded(self, bettor: Bettor) -> bool:
        """Whether a bettor gave the ante up."""
        return self._chosen.get(bettor) == "fold"

    @property
    def next_to_decide(self) -> Bettor | None:
        """Whose decision is due, in seat order."""
        return next((one for one in self._bettors if one not in self._chosen), None)

    def on(self, seat: int) -> list[Bettor]:
        """Who has an ante on a seat."""
        return [one for one in self._bettors if one.seat == seat]

    def shares_seat(self, bettor: Bettor) -> bool:
        """Whether the bettor must be told apart from others, or from the first, on the seat."""
        return self.on(bettor.seat) != [Bettor(bettor.seat, 1)]

    # --- guards ------------------------------------------------------------------------------------------------------

    @property
    def _asked(self) -> Decision:
        event = self._desk.event
        if not isinstance(event, Decision):
            raise TypeError(f"{event!r} decides nothing")
        return event

    @property
    def _bettor(self) -> Bettor:
        return Bettor(self._asked.seat, self._asked.id)

    def decider_unknown(self) -> bool:
        """Whether the seat does not play in this round."""
        seat = self._asked.seat
        return self._desk.finds(None if seat in self._seats else f"seat {seat} does not play")

    def decider_without_ante(self) -> bool:
        """Whether the bettor has no ante on the seat."""
        bettor = self._bettor
        return self._desk.finds(None if bettor in self._bettors else f"seat {bettor.seat}, bettor {bettor.id}")

    def decider_has_chosen(self) -> bool:
        """Whether the bettor has decided already."""
        return self._bettor in self._chosen

    def another_seat_decides(self) -> bool:
        """Whether another seat's decision comes first."""
        due = self.next_to_decide
        return self._desk.finds(f"seat {due.seat} decides" if due and due.seat != self._asked.seat else None)

    def no_choice_of_the_game(self) -> bool:
        """Whether the action is neither to play nor to fold."""
        action = self._asked.action
        return self._desk.finds(None if action in CHOICES else f"{action}; there are {', '.join(CHOICES)}")

    def another_hand(self) -> bool:
        """Whether the decision is about another hand than the only one of a seat."""
        return self._asked.hand != 1

    def names_money(self) -> bool:
        """Whether the decision would put money down."""
        return self._asked.amount is not UNSET or self._asked.any_pair is not UNSET

    def asks_to_play(self) -> bool:
        """Whether the bettor plays against the croupier."""
        return self._asked.action == "play"

    def somebody_decides(self) -> bool:
        """Whether a decision is due."""
        return self.next_to_decide is not None

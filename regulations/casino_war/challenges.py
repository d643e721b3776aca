"""Who tied with the croupier, what each of them chose, and how the challenges went (74/2005 arts. 7.º-4, 7.º-5)."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, cast

from msgspec import UNSET

from regulations.cards import Card
from regulations.casino_war.ranking import Comparison, compare
from regulations.casino_war.settlement import Choice, Verdict
from regulations.desk import Desk
from regulations.drawn import Owner
from regulations.events.inputs import Decision, Wager
from regulations.round.hands import Hands

CROUPIER: Final = Owner("croupier")
CHOICES: Final[tuple[Choice, ...]] = ("challenge", "surrender")
"""As the table log lists them."""


class Bettor(NamedTuple):
    """Who put an ante down: the seat, and which of its bettors."""

    seat: int
    id: int


def seat_owner(seat: int) -> Owner:
    """The owner of a seat's cards."""
    return Owner("seat", seat, hand=1)


class Challenges:
    """The antes of the open round against the croupier; its questions are guards of the rule table.

    Args:
        desk: what the machines of the table share.
        hands: the cards on the table.
    """

    def __init__(self, desk: Desk, hands: Hands) -> None:
        self._desk: Final = desk
        self._hands: Final = hands
        self._antes: dict[Bettor, int] = {}
        """What each put down, by seat and bettor in order."""
        self._on_the_tie: frozenset[Bettor] = frozenset()
        self._chosen: dict[Bettor, Choice] = {}

    # --- the round's side --------------------------------------------------------------------------------------------

    def open(self, wagers: Sequence[Wager]) -> None:
        """A round begins with these wagers."""
        antes = {Bettor(wager.seat, wager.id): wager.stake for wager in wagers if wager.bet == "ante"}
        self._antes = dict(sorted(antes.items()))
        self._on_the_tie = frozenset(Bettor(wager.seat, wager.id) for wager in wagers if wager.bet == "tie")

    def forget(self) -> None:
        """Nobody has decided anything."""
        self._chosen.clear()

    def choose(self) -> Bettor:
        """Notes what the event's bettor decides, irrevocably; returns who it is."""
        event, bettor = self._asked, self._bettor
        self._chosen[bettor] = "challenge" if event.action == "challenge" else "surrender"
        return bettor

    @property
    def anybody_decided(self) -> bool:
        """Whether a decision of the round was taken."""
        return bool(self._chosen)

    @property
    def next_to_decide(self) -> Bettor | None:
        """Whose decision is due, in seat order."""
        return next(self._waiting(), None)

    def _waiting(self) -> Iterator[Bettor]:
        return (one for one in self._antes if self._may_choose(one) and one not in self._chosen)

    def shares_seat(self, bettor: Bettor) -> bool:
        """Whether the bettor must be told apart from others, or from the first, on the seat."""
        return self.bettors_on(bettor.seat) != [Bettor(bettor.seat, 1)]

    def bettors_on(self, seat: int) -> list[Bettor]:
        """Who has an ante on a seat."""
        return [one for one in self._antes if one.seat == seat]

    @property
    def seats(self) -> list[int]:
        """The seats with a challenge, in order: a card each, for all of its bettors (reading W4)."""
        return sorted({bettor.seat for bettor, choice in self._chosen.items() if choice == "challenge"})

    @property
    def next_seat(self) -> int | None:
        """The first challenging seat that has no card on the challenge."""
        return next((seat for seat in self.seats if not self.war_cards(seat)), None)

    def war_cards(self, seat: int) -> list[Card]:
        """A seat's cards on the challenge: one or none."""
        return self._hands.cards(seat_owner(seat))[1:]

    @property
    def croupier_war_cards(self) -> list[Card]:
        """The croupier's cards on the challenges: one for all, or one for each in seat order."""
        return self._hands.cards(CROUPIER)[1:]

    # --- verdicts ----------------------------------------------------------------------------------------------------

    def _compared(self, seat: int) -> Comparison:
        return compare(self._hands.cards(seat_owner(seat))[0], self._hands.cards(CROUPIER)[0])

    def _stands(self, bettor: Bettor) -> bool:
        """Reading W2: the text gives the choice to those without a tie wager; the wager is the bettor's own."""
        return bettor in self._on_the_tie and self._desk.options["tie_wager_ante"] == "stands"

    def _may_choose(self, bettor: Bettor) -> bool:
        return self._compared(bettor.seat) == "equal" and not self._stands(bettor)

    def _war(self, seat: int) -> Comparison | None:
        against, croupier = 0 if self.is_shared else self.seats.index(seat), self.croupier_war_cards
        # The croupier's card comes after the seat's.
        return compare(self.war_cards(seat)[0], croupier[against]) if len(croupier) > against else None

    def verdict(self, bettor: Bettor) -> Verdict:
        """How a bettor stands, once the first cards lie."""
        choice = self._chosen.get(bettor)
        return Verdict(
            first=self._compared(bettor.seat),
            stands=self._stands(bettor),
            choice=choice,
            war=self._war(bettor.seat) if choice == "challenge" else None,
        )

    @property
    def is_shared(self) -> bool:
        """Whether one card of the croupier stands against all challenging seats (reading W4)."""
        return bool(self._desk.options["croupier_war_card"] == "shared")

    # --- guards ------------------------------------------------------------------------------------------------------

    @property
    def _asked(self) -> Decision:
        """The event in hand; rows ask what follows of decisions only."""
        return cast("Decision", self._desk.event)

    @property
    def _bettor(self) -> Bettor:
        return Bettor(self._asked.seat, self._asked.id)

    def decider_unknown(self) -> bool:
        """Whether the table has no such seat."""
        seat, seats = self._asked.seat, self._desk.table.seats
        return self._desk.finds(None if 1 <= seat <= seats else f"seat {seat}, the table has 1 to {seats}")

    def decider_without_ante(self) -> bool:
        """Whether the bettor has no ante on the seat."""
        bettor = self._bettor
        return self._desk.finds(None if bettor in self._antes else f"seat {bettor.seat}, bettor {bettor.id}")

    def decider_not_tied(self) -> bool:
        """Whether the seat's card is not the croupier's equal."""
        seat = self._asked.seat
        return self._desk.finds(None if self._compared(seat) == "equal" else f"seat {seat}")

    def decider_stands(self) -> bool:
        """Whether the ante stands, for the bettor has a tie wager too."""
        return self._stands(self._bettor)

    def decider_has_chosen(self) -> bool:
        """Whether the bettor has decided already."""
        return self._bettor in self._chosen

    def another_seat_decides(self) -> bool:
        """Whether another seat's decision comes first."""
        due = self.next_to_decide
        return self._desk.finds(f"seat {due.seat} decides" if due and due.seat != self._asked.seat else None)

    def no_choice_of_the_game(self) -> bool:
        """Whether the action is neither to challenge nor to surrender."""
        action = self._asked.action
        return self._desk.finds(None if action in CHOICES else f"{action}; there are {', '.join(CHOICES)}")

    def another_hand(self) -> bool:
        """Whether the decision is about another hand than the only one of a seat."""
        return self._asked.hand != 1

    def not_the_ante(self) -> bool:
        """Whether the decision names other money than the raise, which equals the ante."""
        event, ante = self._asked, self._antes[self._bettor]
        raised = ante if event.action == "challenge" else UNSET
        other = event.any_pair is not UNSET or event.amount not in (UNSET, raised)
        return self._desk.finds(f"a challenge adds {ante} minor units, to surrender none" if other else None)

    def asks_to_challenge(self) -> bool:
        """Whether the bettor challenges the house."""
        return self._asked.action == "challenge"

    def somebody_decides(self) -> bool:
        """Whether a decision is due."""
        return self.next_to_decide is not None

    def somebody_challenges(self) -> bool:
        """Whether a challenging seat still lacks its card."""
        return self.next_seat is not None

    def one_card_for_all(self) -> bool:
        """Whether the croupier waits until every challenging seat has its card (reading W4)."""
        return self.is_shared and self.next_seat is not None

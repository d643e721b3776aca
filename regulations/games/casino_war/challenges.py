"""Ties with the croupier, decisions and challenges (74/2005 arts. 7.º-4, 7.º-5)."""

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from regulations.events.cards import Card
from regulations.events.inputs import Wager
from regulations.games.casino_war.ranking import Comparison, compare
from regulations.games.casino_war.settlement import SettlementFacts
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import CardOwner
from regulations.play.context.hands import Hands
from regulations.play.rounds.ante_decisions import AnteBettor, AnteDecisions

CROUPIER: Final = CardOwner("croupier")


def seat_owner(seat: int) -> CardOwner:
    return CardOwner("seat", seat, hand=1)


class ChallengeRules(AnteDecisions):
    def __init__(self, context: RuleContext, hands: Hands) -> None:
        super().__init__(context, ("challenge", "surrender"))
        self._hands: Final = hands
        self._on_the_tie: frozenset[AnteBettor] = frozenset()

    # --- the round's side --------------------------------------------------------------------------------------------

    def open(self, wagers: Sequence[Wager]) -> None:
        super().open(wagers)
        self._on_the_tie = frozenset(AnteBettor(wager.seat, wager.id) for wager in wagers if wager.bet == "tie")

    @property
    def seats(self) -> list[int]:
        """A card each, for all of a seat's bettors (reading W4)."""
        return sorted({bettor.seat for bettor in self.has_chosen("challenge")})

    @property
    def next_seat(self) -> int | None:
        return next((seat for seat in self.seats if not self.war_cards(seat)), None)

    def war_cards(self, seat: int) -> list[Card]:
        return self._hands.cards(seat_owner(seat))[1:]

    @property
    def croupier_war_cards(self) -> list[Card]:
        return self._hands.cards(CROUPIER)[1:]

    # --- verdicts ----------------------------------------------------------------------------------------------------

    def _compared(self, seat: int) -> Comparison:
        return compare(self._hands.cards(seat_owner(seat))[0], self._hands.cards(CROUPIER)[0])

    def _stands(self, bettor: AnteBettor) -> bool:
        return bettor in self._on_the_tie

    def may_choose(self, bettor: AnteBettor) -> bool:
        return self._compared(bettor.seat) == "equal" and not self._stands(bettor)

    def _war(self, seat: int) -> Comparison | None:
        against, croupier = 0 if self.is_shared else self.seats.index(seat), self.croupier_war_cards
        # The croupier's card comes after the seat's.
        return compare(self.war_cards(seat)[0], croupier[against]) if len(croupier) > against else None

    def verdict(self, bettor: AnteBettor) -> SettlementFacts:
        """How a bettor stands, once the first cards lie."""
        choice = self.choice_of(bettor)
        return SettlementFacts(
            first=self._compared(bettor.seat),
            stands=self._stands(bettor),
            choice=choice,
            war=self._war(bettor.seat) if choice == "challenge" else None,
        )

    @property
    def is_shared(self) -> bool:
        return bool(self._context.deal.options["croupier_war_card"] == "shared")

    # --- guards ------------------------------------------------------------------------------------------------------

    def decider_not_tied(self) -> str | None:
        seat = self._asked.seat
        return None if self._compared(seat) == "equal" else f"seat {seat}"

    def decider_stands(self) -> bool:
        return self._stands(self._bettor)

    def not_the_ante(self) -> str | None:
        event, ante = self._asked, self._stakes[self._bettor]
        raised = ante if event.action == "challenge" else UNSET
        other = event.any_pair is not UNSET or event.amount not in (UNSET, raised)
        return f"a challenge adds {ante} minor units, to surrender none" if other else None

    def asks_to_challenge(self) -> bool:
        return self._asked.action == "challenge"

    def somebody_challenges(self) -> bool:
        return self.next_seat is not None

    def one_card_for_all(self) -> bool:
        return self.is_shared and self.next_seat is not None

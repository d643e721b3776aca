"""Rounds of a three-card baccarat table."""

from collections.abc import Callable, Sequence
from typing import Final

from regulations.events.inputs import Revealed
from regulations.events.outputs import Next
from regulations.games.three_card_baccarat.law import CARDS_OF_A_HAND, POSITIONS, ROUND_ARTICLES, art
from regulations.games.three_card_baccarat.ranking import HandValue, hand_of, outcome_of
from regulations.games.three_card_baccarat.result import ThreeCardBanker, ThreeCardResult, ThreeCardSeat
from regulations.games.three_card_baccarat.settlement import SettlementFacts
from regulations.games.three_card_baccarat.sheet import SHEET
from regulations.games.three_card_baccarat.states import PHASES, RoundState
from regulations.law.payouts import Payout, rule_for
from regulations.law.rows import RegulationRow
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import BURN_PLACE, CardOwner, CardPosition
from regulations.play.context.due import NO_CARD, Due
from regulations.play.rounds.ledger import Decided
from regulations.play.rounds.seat_round import SeatRound

R = RoundState
BANKER: Final = CardOwner("banker")


def seat_owner(seat: int) -> CardOwner:
    return CardOwner("seat", seat, 1)


class ThreeCardRound(SeatRound[RoundState]):
    def __init__(
        self,
        context: RuleContext,
        rows: Sequence[RegulationRow],
        payouts: Sequence[Payout[SettlementFacts]],
        round_over: Callable[[], None],
    ) -> None:
        super().__init__(context, rows, PHASES, ROUND_ARTICLES, SHEET.bets, round_over)
        self._payouts: Final = payouts

    # --- cards -------------------------------------------------------------------------------------------------------

    def find_due(self) -> Due:
        if self.state is R.OPENED and self.round_burn_due():
            return Due(BURN_PLACE, 1)
        return self.packet() if self.state in (R.OPENED, R.DEALING) else NO_CARD

    def dealing_order(self, seats: Sequence[int]) -> Sequence[CardPosition]:
        owners = [*(seat_owner(seat) for seat in seats), BANKER]
        if self._context.deal.options["deal"] == "one_at_a_time":
            return [CardPosition(owner.to, number, owner.seat, owner.hand) for number in POSITIONS for owner in owners]
        return [CardPosition(owner.to, number, owner.seat, owner.hand) for owner in owners for number in POSITIONS]

    def emit_next_in_round(self) -> None:
        if self.state is R.SHOW_BANKER:
            self._context.emit(Next(article=ROUND_ARTICLES.show, do="reveal", to="banker"))
        elif self.state is R.SHOW_SEATS:
            seat = next(seat for seat in self._seats if self._hands.hidden(seat_owner(seat)))
            self._context.emit(Next(article=ROUND_ARTICLES.show, do="reveal", to="seat", seat=seat, hand=1))
        else:
            self.emit_draw(
                ROUND_ARTICLES.round_burn if self._context.scope.due.place == BURN_PLACE else ROUND_ARTICLES.deal
            )

    # --- guards ------------------------------------------------------------------------------------------------------

    def round_burn_due(self) -> bool:
        return self.is_later_round

    def too_few_cards(self) -> str | None:
        context, seats = self._context, len(self._bets.asked.seats)
        burned = int(self._lasting.rounds_in_shoe > 0)
        needed = burned + CARDS_OF_A_HAND * (seats + 1)
        return (
            f"{context.scope.stack.left} are left, {needed} are needed" if context.scope.stack.left < needed else None
        )

    def card_due(self) -> bool:
        return self._context.scope.due.place is not None

    def seat_hidden(self) -> bool:
        return any(self._hands.hidden(seat_owner(seat)) for seat in self._seats)

    def banker_hidden(self) -> bool:
        return bool(self._hands.hidden(BANKER))

    def banker_before_seats(self) -> bool:
        return self._context.event_as(Revealed).who == "banker" and self.seat_hidden()

    # --- effects -----------------------------------------------------------------------------------------------------

    def decide(self) -> None:
        """Says the result, which decides every wager, and settles or carries it."""
        banker = hand_of(self._hands.cards(BANKER))
        hands = {seat: hand_of(self._hands.cards(seat_owner(seat))) for seat in self._seats}
        self._context.emit(self._result(banker, hands))
        self._ledger.settle(self._decided(banker, hands), ROUND_ARTICLES.settle)

    def _result(self, banker: HandValue, hands: dict[int, HandValue]) -> ThreeCardResult:
        return ThreeCardResult(
            article=art("6.º"),
            banker=ThreeCardBanker(
                cards=self._hands.cards(BANKER), combination=banker.combination, points=banker.points
            ),
            seats=[
                ThreeCardSeat(
                    seat=seat,
                    cards=self._hands.cards(seat_owner(seat)),
                    combination=hand.combination,
                    outcome=outcome_of(hand, banker),
                )
                for seat, hand in hands.items()
            ],
        )

    def _decided(self, banker: HandValue, hands: dict[int, HandValue]) -> list[Decided]:
        zero = bool(self._context.deal.options["three_figures_win_zero_points"])
        verdicts = {
            seat: SettlementFacts(outcome=outcome_of(hand, banker), banker=banker, figures_count_as_zero=zero)
            for seat, hand in hands.items()
        }
        return [(one, rule_for(self._payouts, one.bet, verdicts[one.seat])) for one in self._ledger.open]

    def clear_game(self) -> None:
        """Keep nothing but hands and wagers."""

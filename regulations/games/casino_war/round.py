"""Rounds of a casino war table: the actor behind its rows."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Final, cast

from msgspec import UNSET

from regulations.events.outputs import Duty, Next
from regulations.games.casino_war.challenges import CROUPIER, ChallengeRules, seat_owner
from regulations.games.casino_war.law import BURNED_BEFORE_A_WAR_CARD, ROUND_ARTICLES, art, most_cards
from regulations.games.casino_war.result import CasinoWarResult, WarBettor, WarOutcome, WarSeat
from regulations.games.casino_war.settlement import SettlementFacts
from regulations.games.casino_war.sheet import SHEET
from regulations.games.casino_war.states import BURNING, CHALLENGED, PHASES, RoundState
from regulations.law.payouts import Payout, rule_for
from regulations.law.rows import RegulationRow
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import BURN_PLACE, CardPosition
from regulations.play.context.due import NO_CARD, Due
from regulations.play.context.open_wager import OpenWager
from regulations.play.rounds.ante_decisions import AnteBettor
from regulations.play.rounds.ledger import Decided
from regulations.play.rounds.seat_round import SeatRound

R = RoundState
CROUPIER_FIRST: Final = CardPosition("croupier", 1)
RAISE: Final = Duty(article=art("7.º-5"), says="a challenge adds as much as the ante")
"""Where stakes are not recorded."""


class CasinoWarRound(SeatRound[RoundState]):
    _challenges: ChallengeRules

    def __init__(
        self,
        context: RuleContext,
        rows: Sequence[RegulationRow],
        payouts: Sequence[Payout[SettlementFacts]],
        round_over: Callable[[], None],
    ) -> None:
        super().__init__(context, rows, PHASES, ROUND_ARTICLES, SHEET.bets, round_over)
        self._payouts: Final = payouts
        self._burned_for_war = 0

    def _parts(self) -> Sequence[object]:
        self._challenges = ChallengeRules(self._context, self._hands)
        return (*super()._parts(), self._challenges)

    # --- cards -------------------------------------------------------------------------------------------------------

    def find_due(self) -> Due:
        if self.state in BURNING:
            return Due(BURN_PLACE, 1)
        place = self._place_due()
        return NO_CARD if place is None else Due(place, 1, lies_open=True)

    def _place_due(self) -> CardPosition | None:
        if self.state in (R.OPENED, R.SEATS, R.CROUPIER):
            return self.packet().place
        if self.state is R.CROUPIER_WAR:
            return CardPosition("croupier", self._hands.size(CROUPIER) + 1)
        seat = self._challenges.next_seat if self.state is R.SEAT_WAR else None
        return CardPosition("seat", 2, seat, hand=1) if seat is not None else None

    def dealing_order(self, seats: Sequence[int]) -> Sequence[CardPosition]:
        """Art. 5.º: the seats from the left, then the croupier."""
        return [*(CardPosition("seat", 1, seat, hand=1) for seat in seats), CROUPIER_FIRST]

    @property
    def burns_left(self) -> int:
        return BURNED_BEFORE_A_WAR_CARD - self._burned_for_war

    def called_by(self, place: CardPosition) -> str:
        return art("5.º-2") if place.position == 1 else art("7.º-5")

    def emit_next_in_round(self) -> None:
        bettor = self._challenges.next_to_decide if self.state is R.DECIDING else None
        if bettor is None:
            self.emit_draw(art("7.º-5") if self.state in CHALLENGED else ROUND_ARTICLES.deal)
            return
        self._context.emit(
            Next(
                article=art("7.º-4"),
                do="decide",
                seat=bettor.seat,
                hand=1,
                id=bettor.id if self._challenges.shares_seat(bettor) else UNSET,
                actions=list(self._challenges.choices),
                duties=UNSET if self._context.deal.is_tracked else [RAISE],
            )
        )

    @property
    def _left(self) -> int:
        return self._context.scope.stack.left - self._context.scope.stack.uncertain

    def seats_served(self) -> int:
        return bisect_right(self._needed, self._left)

    @property
    def _needed(self) -> Sequence[int]:
        return most_cards(self._context.table.seats, per_player=not self._challenges.is_shared)

    # --- guards ------------------------------------------------------------------------------------------------------

    def too_few_cards(self) -> str | None:
        left, needed = self._left, self._needed[len(self._bets.asked.seats) - 1]
        return f"{left} are left, {needed} may be needed" if left < needed else None

    def seat_without_card(self) -> bool:
        return self._context.scope.due.place != CROUPIER_FIRST

    def more_to_burn(self) -> bool:
        return self._burned_for_war + 1 < BURNED_BEFORE_A_WAR_CARD

    # --- effects -----------------------------------------------------------------------------------------------------

    def record_bets(self) -> None:
        super().record_bets()
        self._challenges.open(self._bets.asked.wagers)

    def burn_for_war(self) -> None:
        self._burned_for_war += 1
        self.burn_card("war", art("7.º-5"))

    def lay_war_card(self) -> None:
        self._burned_for_war = 0
        self.lay_card()

    def raise_ante(self) -> None:
        bettor = self._challenges.choose()
        for ante in self._antes_of(bettor):
            ante.stake += ante.original

    def surrender(self) -> None:
        self._challenges.choose()

    def go_on(self) -> None:
        self.fire("chosen")

    def settle_decided(self) -> None:
        self._ledger.settle(self._decided(), ROUND_ARTICLES.settle)

    def decide(self) -> None:
        """Says the result and settles what it decides."""
        self._context.emit(self._result())
        self.settle_decided()

    def _antes_of(self, bettor: AnteBettor) -> list[OpenWager]:
        return [one for one in self._ledger.on(bettor.seat, "ante") if one.id == bettor.id]

    def _decided(self) -> list[Decided]:
        found: list[Decided] = []
        for one in self._ledger.open:
            verdict = self._challenges.verdict(AnteBettor(one.seat, one.id))
            if one.bet == "tie" or verdict.outcome is not None:
                found.append((one, rule_for(self._payouts, one.bet, verdict)))
        return found

    def _result(self) -> CasinoWarResult:
        war = self._challenges.croupier_war_cards
        return CasinoWarResult(
            article=ROUND_ARTICLES.settle,
            croupier=self._hands.cards(CROUPIER)[0],
            seats=[self._seat(seat) for seat in self._seats],
            croupier_war=war or UNSET,
        )

    def _seat(self, seat: int) -> WarSeat:
        # With the result everybody on the seat has won, lost or decided.
        outcomes = {
            bettor.id: cast("WarOutcome", self._challenges.verdict(bettor).outcome)
            for bettor in self._challenges.bettors_on(seat)
        }
        differ = len(set(outcomes.values())) > 1
        return WarSeat(
            seat=seat,
            card=self._hands.cards(seat_owner(seat))[0],
            outcome=next(iter(outcomes.values())),
            war=self._challenges.war_cards(seat) or UNSET,
            bettors=[WarBettor(id=bettor, outcome=one) for bettor, one in outcomes.items()] if differ else UNSET,
        )

    def clear_game(self) -> None:
        self._challenges.forget()
        self._burned_for_war = 0

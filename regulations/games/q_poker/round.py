"""Rounds of a q poker table: the actor behind its rows."""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import UNSET

from regulations.events.inputs import Decision, Resolve, Revealed
from regulations.events.outputs import Next
from regulations.events.vocabulary import Bet, ResolutionAction
from regulations.games.q_poker.antes import AnteRules
from regulations.games.q_poker.law import HAND_CARDS, POSITIONS, ROUND_ARTICLES, art, cards_for
from regulations.games.q_poker.ranking import category_of, compared_by, plays, strength_of
from regulations.games.q_poker.result import PokerBettor, PokerCroupier, PokerSeat, QPokerResult
from regulations.games.q_poker.settlement import SettlementFacts
from regulations.games.q_poker.sheet import SHEET
from regulations.games.q_poker.states import CROUPIER_HIDDEN, PHASES, RoundState
from regulations.law.payouts import Payout, rule_for
from regulations.law.rows import RegulationRow
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import BURN_PLACE, CardOwner, CardPosition
from regulations.play.context.due import NO_CARD, Due
from regulations.play.context.irregularities import LATCHED, OpenIrregularity
from regulations.play.context.open_wager import OpenWager
from regulations.play.context.record import RoundAction
from regulations.play.rounds.ante_decisions import AnteBettor
from regulations.play.rounds.ledger import Decided
from regulations.play.rounds.seat_round import SeatRound

R = RoundState
CROUPIER: Final = CardOwner("croupier")


def seat_owner(seat: int) -> CardOwner:
    return CardOwner("seat", seat, 1)


class QPokerRound(SeatRound[RoundState]):
    _antes: AnteRules

    def __init__(
        self,
        context: RuleContext,
        rows: Sequence[RegulationRow],
        payouts: Sequence[Payout[SettlementFacts]],
        round_over: Callable[[], None],
    ) -> None:
        super().__init__(context, rows, PHASES, ROUND_ARTICLES, SHEET.bets, round_over)
        self._payouts: Final = payouts
        self._dealt_by: str

    def _parts(self) -> Sequence[object]:
        self._antes = AnteRules(self._context)
        return (*super()._parts(), self._antes)

    # --- cards -------------------------------------------------------------------------------------------------------

    def find_due(self) -> Due:
        return self.packet() if self.state in (R.OPENED, R.DEALING) else NO_CARD

    def dealing_order(self, seats: Sequence[int]) -> Sequence[CardPosition]:
        """Art. 7.º: the hands from the left, the croupier's last."""
        owners = [*map(seat_owner, seats), CROUPIER]
        if self.deals_one_at_a_time():
            return [CardPosition(to, position, seat, hand) for position in POSITIONS for to, seat, hand in owners]
        return [CardPosition(to, position, seat, hand) for to, seat, hand in owners for position in POSITIONS]

    def called_by(self, place: CardPosition) -> str:  # noqa: ARG002  # the equipment decides
        return self._dealt_by

    def emit_next_in_round(self) -> None:
        if self._context.scope.due.place is not None:
            self.emit_draw(art("7.º-1") if self.deals_one_at_a_time() else art("7.º-2"))
        elif self.state is R.SHOWING:
            seat = next(seat for seat in self._seats if self._hands.hidden(seat_owner(seat)))
            self._context.emit(Next(article=art("9.º-1"), do="reveal", to="seat", seat=seat, hand=1))
        elif (bettor := self._antes.next_to_decide) is not None:
            self._context.emit(
                Next(
                    article=art("9.º-2"),
                    do="decide",
                    seat=bettor.seat,
                    hand=1,
                    id=bettor.id if self._antes.shares_seat(bettor) else UNSET,
                    actions=list(self._antes.choices),
                )
            )
        else:
            self._context.emit(Next(article=art("9.º-3"), do="reveal", to="croupier"))

    # --- guards ------------------------------------------------------------------------------------------------------

    def deals_one_at_a_time(self) -> bool:
        return self._context.deal.equipment == "shoe"

    def shuffler_deals(self) -> bool:
        return self.state is R.DEALING and not self.deals_one_at_a_time()

    def too_few_cards(self) -> str | None:
        left, needed = self._context.scope.stack.left, cards_for(len(self._bets.asked.seats))
        return f"{left} are left, {needed} are needed" if left < needed else None

    def hand_incomplete(self) -> bool:
        return self._context.scope.due.place is not None

    def hand_face_down(self) -> bool:
        return any(self._hands.hidden(seat_owner(seat)) for seat in self._seats)

    def croupier_card_came_face_up(self) -> bool:
        return bool(self._hands.open_cards(CROUPIER))

    def shows_the_croupier(self) -> bool:
        return self._showing.owner == CROUPIER

    def exposes_no_hand(self) -> bool:
        return not self._hands.size(self._showing.owner)

    # --- effects -----------------------------------------------------------------------------------------------------

    def record_bets(self) -> None:
        super().record_bets()
        self._antes.open(self._bets.asked.wagers)

    def lay_one(self) -> None:
        self._dealt_by = art("7.º-1")
        self.lay_card()

    def lay_one_of_three(self) -> None:
        self._dealt_by = art("7.º-2")
        self.lay_card()

    def judge_turned_hands(self) -> None:
        self.fire("shown")

    def settle_pair_plus(self) -> None:
        self._settle("pair_plus", art("9.º-1"))

    def play(self) -> None:
        self._antes.choose()

    def meets(self, act: RoundAction) -> bool:
        """True if it can be repeated; a decision stands by its seat (reading Q10)."""
        return not act.turns or super().meets(act)

    def repeat(self, event: Decision | Revealed) -> None:
        """Repeats it; a decision stands though cards of its hand are to be dealt or opened again (reading Q10)."""
        if isinstance(event, Decision) and self.state in (R.DEALING, R.SHOWING):
            (self.play if event.action == "play" else self.fold)()
        else:
            super().repeat(event)

    def fold(self) -> None:
        bettor = self._antes.choose()
        folded = [one for one in self._ledger.on(bettor.seat, "ante") if one.id == bettor.id]
        self._ledger.settle(map(self._decided, folded), art("9.º-3"))

    def turn_cards(self) -> None:
        self._showing.turn(art("9.º-3") if self.shows_the_croupier() else ROUND_ARTICLES.show)
        self.fire("shown")

    def judge_decision(self) -> None:
        self.fire("chosen")

    def decide(self) -> None:
        """Says the result and settles what it decides (art. 9.º)."""
        self._context.emit(self._result())
        self._settle("ante", ROUND_ARTICLES.settle)

    def _settle(self, bet: Bet, article: str) -> None:
        self._ledger.settle([self._decided(one) for one in self._ledger.open if one.bet == bet], article)

    def _decided(self, one: OpenWager) -> Decided:
        return one, rule_for(self._payouts, one.bet, self._verdict(AnteBettor(one.seat, one.id)))

    def _verdict(self, bettor: AnteBettor) -> SettlementFacts:
        cards, croupier = self._hands.cards(seat_owner(bettor.seat)), self._hands.open_cards(CROUPIER)
        return SettlementFacts(
            category=category_of(cards) if len(cards) == HAND_CARDS else None,
            folded=self._antes.has_folded(bettor),
            qualifies=plays(croupier) if croupier else None,
            # From one deck no two hands are equal (reading Q6).
            is_higher=bool(croupier) and max(croupier, cards, key=strength_of) is cards,
        )

    def _result(self) -> QPokerResult:
        cards = self._hands.open_cards(CROUPIER)
        return QPokerResult(
            article=ROUND_ARTICLES.settle,
            croupier=PokerCroupier(
                cards=cards,
                category=category_of(cards),
                qualifies=plays(cards),
                article=art("9.º-4" if plays(cards) else "9.º-5"),
            ),
            seats=[self._seat(seat) for seat in self._seats],
        )

    def _seat(self, seat: int) -> PokerSeat:
        cards = self._hands.open_cards(seat_owner(seat))
        outcomes = {bettor.id: self._verdict(bettor).outcome for bettor in self._antes.bettors_on(seat)}
        differ = len(set(outcomes.values())) > 1
        croupier = self._hands.open_cards(CROUPIER)
        return PokerSeat(
            seat=seat,
            cards=cards,
            category=category_of(cards),
            outcome=next(iter(outcomes.values()), UNSET),
            bettors=[PokerBettor(id=bettor, outcome=one) for bettor, one in outcomes.items()] if differ else UNSET,
            articles=compared_by(cards, croupier) if {"win", "lose"} & set(outcomes.values()) else UNSET,
        )

    def clear_game(self) -> None:
        self._antes.forget()

    # --- what goes wrong ---------------------------------------------------------------------------------------------

    def resolutions(self, irregularity: OpenIrregularity, ways: list[ResolutionAction]) -> list[ResolutionAction]:
        """A wrong deal is void or has a hand without a wager, a shuffler's fault in the deal voids it (art. 11.º)."""
        if irregularity.code == "misdeal":
            return [way for way in ways if way in ("reassign", "void")]
        if irregularity.code in LATCHED and not irregularity.is_malfunction:
            # Art. 11.º-5 is about equipment that fails.
            return [way for way in ways if way != "void"]
        if "void" not in ways:
            return ways
        if irregularity.code == "card_not_due":
            return ["reassign", "void"] if len(self._seats) < self._context.table.seats else ["void"]
        return ["void"] if irregularity.code in LATCHED and self.shuffler_deals() else ways

    def hides_card(self) -> bool:
        return self.state in CROUPIER_HIDDEN and self._hands.size(CROUPIER) > 0

    def judge_corrected(self) -> None:
        if self.state is R.DEALING:
            self.fire("laid")

    def cannot_correct(self, struck: Sequence[int]) -> str | None:
        if not struck:
            return None
        if self._context.scope.phase.decided:
            return "the croupier's hand is open"
        if self._context.event_as(Resolve).ground != "undue":
            return "give the ground `undue`"
        return None if self._is_one_hand(struck) else "one hand without a wager has one card a pass, or one packet"

    def _is_one_hand(self, struck: Sequence[int]) -> bool:
        came_out = self._context.scope.record.came_out
        counting = [index for index, one in enumerate(came_out, start=1) if one.place != BURN_PLACE]
        dealt_before = [sum(one not in struck for one in counting[: counting.index(index)]) for index in sorted(struck)]
        hands, is_last = len(self._seats) + 1, sorted(struck) == counting[-len(struck) :]
        if self.deals_one_at_a_time():
            passes, places = zip(*(divmod(dealt, hands) for dealt in dealt_before), strict=True)
            is_whole = len(set(passes)) == len(passes) <= HAND_CARDS
        else:
            places, inside = zip(*(divmod(dealt, HAND_CARDS) for dealt in dealt_before), strict=True)
            is_whole = not any(inside) and (len(struck) == HAND_CARDS or (is_last and len(struck) < HAND_CARDS))
        return is_whole and len(set(places)) == 1 and self._has_empty_place(places[0], anywhere=is_last)

    def _has_empty_place(self, hands_before: int, *, anywhere: bool) -> bool:
        seats = self._context.table.seats
        if anywhere:
            return len(self._seats) < seats
        bounds = [0, *self._seats, seats + 1]
        return hands_before < len(self._seats) + 1 and bounds[hands_before + 1] - bounds[hands_before] > 1

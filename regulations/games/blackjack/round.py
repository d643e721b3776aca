"""Rounds of a blackjack table: the actor behind its rows."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, cast

from msgspec import UNSET

from regulations.events.inputs import Decision
from regulations.events.outputs import Next
from regulations.events.vocabulary import DecisionAction, ResolutionAction
from regulations.games.blackjack.decision_rules import DecisionRules
from regulations.games.blackjack.duties import duties_of
from regulations.games.blackjack.law import ROUND_ARTICLES, art
from regulations.games.blackjack.play import BANK, SeatHand, SeatHands
from regulations.games.blackjack.ranking import (
    CROUPIER_STANDS,
    INITIAL_CARDS,
    croupier_draws,
    is_blackjack,
    is_bust,
    points_of,
)
from regulations.games.blackjack.settlement import SettlementFacts
from regulations.games.blackjack.sheet import SHEET
from regulations.games.blackjack.states import PHASES, RoundState
from regulations.games.blackjack.wagers import WagerRules
from regulations.law.payouts import Payout, rule_for
from regulations.law.rows import RegulationRow
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import BURN_PLACE, CardPosition, CardStatus, DrawnCard
from regulations.play.context.due import NO_CARD, Due
from regulations.play.context.irregularities import OpenIrregularity
from regulations.play.context.turn import Subject
from regulations.play.rounds.seat_round import SeatRound

R = RoundState
BURNS_TWICE: Final = "start_and_before_second_croupier_card"


class BlackjackRound(SeatRound[RoundState]):
    cards_await_decisions = True

    def __init__(
        self,
        context: RuleContext,
        rows: Sequence[RegulationRow],
        payouts: Sequence[Payout[SettlementFacts]],
        round_over: Callable[[], None],
    ) -> None:
        self._rule_for: Final = partial(rule_for, payouts)
        super().__init__(context, rows, PHASES, ROUND_ARTICLES, SHEET.bets, round_over)

    def _parts(self) -> Sequence[object]:
        self._play = SeatHands(self._context, self._hands)
        self._wagers = WagerRules(self._context, self._play, self._hands, self._bets, self._ledger, self._rule_for)
        asking = DecisionRules(self._context, self._play, self._wagers, lambda: self.state)
        return (*super()._parts(), asking, self._wagers)

    # --- cards -------------------------------------------------------------------------------------------------------

    def find_due(self) -> Due:
        state, play = self.state, self._play
        if state is R.BURNING or (state is R.OPENED and self.round_burn_due()):
            return Due(BURN_PLACE, 1)
        if state in (R.OPENED, R.DEALING):
            if self._hands.laid == len(self._order):
                return NO_CARD
            _, place = self._order[self._hands.laid]
            return Due(place, 1, self._shows_in_deal(place))
        if state is R.CROUPIER:
            return Due(play.next_of_bank(), 1, lies_open=True)
        hand = play.current() if state is R.DRAWING else None
        return NO_CARD if hand is None else Due(play.next_place(hand), 1, lies_open=True)

    def dealing_order(self, seats: Sequence[int]) -> Sequence[CardPosition]:
        # The croupier of a box gets two cards (art. 5.º-2).
        first, second = (
            [*(CardPosition("seat", position, seat, 1) for seat in seats), CardPosition("croupier", position)]
            for position in (1, INITIAL_CARDS)
        )
        return [*first, *(second if self._context.deal.equipment == "box" else second[:-1])]

    def due_to(self, drawn: DrawnCard) -> Due:
        if self.state is not R.DECIDING:
            return self._context.scope.due
        # A hand is asked in this state alone.
        hand = cast("SeatHand", self._play.current())
        waits = bool([one for one in (drawn, *self._context.scope.record.came_out) if one.status is CardStatus.WAITING])
        inferred = self._context.deal.options["drawn_card_is_hit"] and not drawn.left_blocked and not waits
        is_hit = inferred and self._play.may_hit(hand)
        return Due(self._play.next_place(hand), lies_open=True) if is_hit else NO_CARD

    def _shows_in_deal(self, place: CardPosition) -> bool:
        first_of_bank = place.to == "croupier" and place.position == 1
        return first_of_bank or bool(self._context.deal.options["procedure"] == "second")

    def called_by(self, place: CardPosition) -> str:
        if place.to == "croupier":
            later = art("6.º-1") if place.position > INITIAL_CARDS else art("7.º-1")
            return art("5.º-1") if self.state is R.DEALING else later
        hand = self._play.hand(place.seat, place.hand)
        if place.position <= INITIAL_CARDS and not hand.is_split:
            return art("5.º-1")
        if place.position == INITIAL_CARDS:
            if hand.of_aces:
                return art("16.º-3")
            return art("16.º-5") if hand.splits > 1 else "reading J13"
        if hand.is_doubled:
            return art("17.º")
        return art("16.º-4") if hand.is_split else art("6.º-4")

    def emit_next_in_round(self) -> None:
        state, play, context = self.state, self._play, self._context
        # Where cards are to be shown, or a decision is due, there is such a hand.
        hand = cast("SeatHand", play.to_show() if state is R.SHOWING else play.current())
        if state is R.DECIDING:
            bettors, decider = self._wagers.bettors_on(hand.seat), self._wagers.decider_on(hand)
            choices = play.choices(hand, decider)
            shared = bettors != {1} and decider is not None
            duties = (
                [] if context.deal.is_tracked else duties_of(choices, context.deal.options, several=len(bettors) > 1)
            )
            context.emit(
                Next(
                    article=art("6.º-5"),
                    do="decide",
                    seat=hand.seat,
                    hand=hand.number,
                    id=cast("int", decider) if shared else UNSET,
                    actions=choices,
                    bettors=self._wagers.others_asked() or UNSET,
                    duties=duties or UNSET,
                )
            )
        elif state is R.SHOWING:
            article = play.shown_at_once_by(hand) or art("7.º-1")
            context.emit(Next(article=article, do="reveal", to="seat", seat=hand.seat, hand=hand.number))
        elif state is R.CROUPIER_SHOWS:
            context.emit(Next(article="reading J12", do="reveal", to="croupier"))
        else:
            place = play.next_place(hand) if state is R.DRAWING else self._context.scope.place_due
            self.emit_draw(art("4.º-2") if place == BURN_PLACE else self.called_by(place))

    # --- guards: cards -----------------------------------------------------------------------------------------------

    def round_burn_due(self) -> bool:
        return self.is_later_round and self._context.deal.options["round_burn"] != "none"

    def too_few_cards(self) -> str | None:
        context, seats = self._context, len(self._bets.asked.seats)
        burned = int(context.deal.options.get("round_burn", "none") != "none" and self._lasting.rounds_in_shoe > 0)
        needed = burned + INITIAL_CARDS * seats + (INITIAL_CARDS if context.deal.equipment == "box" else 1)
        return (
            f"{context.scope.stack.left} are left, {needed} are needed" if context.scope.stack.left < needed else None
        )

    def burn_before_second(self) -> bool:
        return bool(self._context.deal.options.get("round_burn") == BURNS_TWICE)

    def card_turned(self) -> bool:
        drawn = self._context.card_in_hand
        return drawn.face_up and drawn.status is not CardStatus.ACCEPTED

    def card_is_hit(self) -> bool:
        return self.due_to(self._context.card_in_hand).place is not None

    def bank_has_played(self) -> bool:
        bank = self._hands.cards(BANK)
        return len(bank) >= INITIAL_CARDS and points_of(bank) >= CROUPIER_STANDS

    def more_to_deal(self) -> bool:
        return self._context.scope.due.place is not None

    def hand_to_show_at_once(self) -> bool:
        return self._play.to_show_at_once() is not None

    def second_card_due(self) -> bool:
        hand = self._play.current()
        return hand is not None and self._play.size(hand) < INITIAL_CARDS

    def hand_to_ask(self) -> bool:
        return self._play.current() is not None

    def seat_hidden(self) -> bool:
        return self._play.to_show() is not None

    def croupier_hidden(self) -> bool:
        return bool(self._hands.hidden(BANK))

    def no_hand_left(self) -> bool:
        return not self._wagers.anything_left

    def only_insured(self) -> bool:
        return not self._wagers.hand_left

    def bank_draws(self) -> bool:
        return croupier_draws(self._hands.cards(BANK))

    # --- guards: what is shown --------------------------------------------------------------------------------------

    def croupier_shows_later(self) -> bool:
        return self._showing.owner == BANK and self.state is not R.CROUPIER_SHOWS

    def hand_incomplete(self) -> bool:
        owner = self._showing.owner
        return owner.to == "seat" and self._hands.size(owner) < INITIAL_CARDS

    def bank_stands(self) -> bool:
        return not self.bank_draws()

    # --- effects ----------------------------------------------------------------------------------------------------

    def judge(self) -> None:
        """Lets the rows say whose turn it is."""
        self.fire("judge")

    def treat_as_hit(self) -> None:
        self._context.card_in_hand.decides = True
        self._play.play_on(cast("SeatHand", self._play.current()))

    def burn_second(self) -> None:
        self.burn_card("croupier_second", art("4.º-2"))

    def decide(self) -> None:
        """Says the result and settles what it decides."""
        self.burn_waiting()
        self._ledger.result_follows()
        self._context.emit(self._wagers.result())
        self._wagers.settle_all()

    def reverse_result(self) -> None:
        self._ledger.reverse_result(art("6.º-1"))

    # --- irregular cards that may be valid --------------------------------------------------------------------------

    def resolutions(self, irregularity: OpenIrregularity, ways: list[ResolutionAction]) -> list[ResolutionAction]:
        """The resolutions, where some irregular cards may count (arts. 5.º-1, 6.º-1, reading J30)."""
        code = irregularity.code
        if code == "misdeal" and self._inferred_hit() is not None:
            return [*ways[:-1], "decision", *ways[-1:]]
        if code == "card_turned" and self._first_card_may_be_open():
            return [*ways, "accept"]
        if code != "card_not_due":
            return ways
        if self.state is R.DECIDING and not irregularity.card.face_up:
            return ["accept", *ways]
        return [*ways, "accept"] if self._extra_card_may_be_valid(irregularity.card) else ways

    def burned_by(self, irregularity: OpenIrregularity) -> str:
        # Once the result is out only a card that is not due is burned.
        return irregularity.article if self._context.scope.phase.decided else super().burned_by(irregularity)

    def decided_otherwise(self, action: DecisionAction) -> Decision | None:
        hand = self._inferred_hit()
        return None if hand is None else self._decided_in_place_of_hit(hand, action)

    def _decided_in_place_of_hit(self, hand: SeatHand, action: DecisionAction) -> Decision:
        decider = self._wagers.decider_on(hand)
        bettor = min(hand.playing) if decider is None else decider
        return Decision(seat=hand.seat, hand=hand.number, id=bettor, action=action)

    def _inferred_hit(self) -> SeatHand | None:
        came_out = self._context.scope.record.came_out
        if not came_out or not came_out[-1].decides or self.is_over:
            return None
        place = cast("CardPosition", came_out[-1].place)
        hand, play = self._play.hand(place.seat, place.hand), self._play
        bust = play.at_once(hand) == "bust" or play.shown_at_once_by(hand) == art("6.º-2")
        acts = self._context.scope.record.acts
        return None if bust or any(act.after == len(came_out) and not act.turns_seat for act in acts) else hand

    def _first_card_may_be_open(self) -> bool:
        """Reading J12."""
        first = self._lasting.rounds_in_shoe == 1 and not any(self._play.size(hand) for hand in self._play.hands)
        return first and bool(self._context.deal.options["first_face_up_card_valid"])

    def _extra_card_may_be_valid(self, drawn: DrawnCard) -> bool:
        """Art. 6.º-1: taken after standing and not shown; no blackjack (reading J26)."""
        bank = self._hands.cards(BANK)
        has_stood = self.state is R.DECIDED and self.bank_has_played()
        is_decided = is_bust(bank) or is_blackjack(bank)
        allowed = bool(self._context.deal.options["unshown_extra_croupier_card_valid"])
        is_unshown = drawn.shown is None
        return allowed and is_unshown and has_stood and not is_decided

    def accept(self, drawn: DrawnCard) -> None:
        if self.state is R.DECIDING:
            drawn.status, drawn.left_blocked = CardStatus.WAITING, True
            return
        drawn.status = CardStatus.ACCEPTED
        self.machine.fire_about("extra_card" if self.state is R.DECIDED else "card", Subject(card=drawn))

    def record_bets(self) -> None:
        super().record_bets()
        self._wagers.set_deciders()
        self._play.begin(self._seats, self._wagers.bettors)

    def _lay_at(self, drawn: DrawnCard, place: CardPosition, *, lies_open: bool) -> None:
        super()._lay_at(drawn, place, lies_open=lies_open)
        self._play.record_card(place)

    def void_round(self) -> None:
        super().void_round()
        self.burn_waiting()

    def clear_game(self) -> None:
        self._play.clear()

"""Decisions: who decides about which hand, and what follows (56/2004 arts. 6.º, 16.º–20.º)."""

from collections.abc import Callable
from typing import Final, cast

from msgspec import UNSET, UnsetType

from regulations.engine.rows import Found
from regulations.events.inputs import Decision
from regulations.games.blackjack.decisions import ACTIONS, DecisionStakes, Objection
from regulations.games.blackjack.play import Ended, SeatHand, SeatHands
from regulations.games.blackjack.states import RoundState
from regulations.games.blackjack.wagers import WagerRules
from regulations.law.stakes import UNIT
from regulations.play.context.context import RuleContext


class DecisionRules:
    def __init__(
        self,
        context: RuleContext,
        play: SeatHands,
        wagers: WagerRules,
        state: Callable[[], RoundState],
    ) -> None:
        self._context: Final = context
        self._play: Final = play
        self._wagers: Final = wagers
        self._state: Final = state

    @property
    def _decision(self) -> Decision:
        return cast("Decision", self._context.scope.turn.event)

    def _asked(self) -> SeatHand:
        return self._play.hand(self._decision.seat, self._decision.hand)

    def _stakes(self, hand: SeatHand) -> DecisionStakes:
        event = self._decision
        return DecisionStakes(
            amount=event.amount if event.amount is not UNSET else None,
            any_pair=self._pair_stake(event),
            main=self._wagers.stake_on(hand, event.id),
        )

    def _pair_stake(self, event: Decision) -> int | None:
        if event.any_pair is UNSET:
            return None
        if self._context.deal.is_tracked:
            return 0 if isinstance(event.any_pair, bool) else event.any_pair
        return UNIT if event.any_pair else None

    def objects(self, one: Objection) -> bool:
        """True if a rule forbids the decision in hand."""
        if self._decision.action != one.action:
            return False
        hand = self._asked()
        view = self._play.view(hand, self._decision.id, to_offer=False)
        return one.asks(view, self._stakes(hand)) if one.of_money else one.asks(view)

    def action_of_another_game(self) -> str | None:
        action = self._decision.action
        return None if action in ACTIONS else f"{action}; there are {', '.join(ACTIONS)}"

    def decides_for_no_seat(self) -> str | None:
        seat, seats = self._decision.seat, self._context.table.seats
        return None if 1 <= seat <= seats else f"seat {seat}, the table has 1 to {seats}"

    def bettor_without_wager(self) -> bool:
        event = self._decision
        return event.id not in self._wagers.bettors_on(event.seat)

    def not_the_seated(self) -> str | None:
        return self._context.deal.options["decider"] == "seated" and self.not_the_decider()

    def not_the_highest(self) -> str | None:
        return self._context.deal.options["decider"] == "highest" and self.not_the_decider()

    def not_the_decider(self) -> str | None:
        event, wagers = self._decision, self._wagers
        decider = None if wagers.is_own(event.action) else wagers.decider_on(self._asked())
        return f"bettor {decider}" if decider not in (None, event.id) else None

    def has_surrendered(self) -> bool:
        return self._asked().ended.get(self._decision.id) == "surrendered"

    def wager_has_ended(self) -> bool:
        return self._wagers.each_decides and self._decision.id not in self._asked().playing

    def decides_for_no_hand(self) -> str | None:
        event = self._decision
        missing = self._play.find(event.seat, event.hand) is None
        return f"seat {event.seat} has no hand {event.hand}" if missing else None

    def insures_out_of_turn(self) -> Found:
        return self._decision.action == "insurance" and self.not_its_turn()

    def not_its_turn(self) -> Found:
        play, hand, action = self._play, self._asked(), self._decision.action
        is_asked = self._state() is RoundState.DECIDING
        in_turn = is_asked and hand is play.current()
        early = self._wagers.is_early(action, hand) and (is_asked or action == "surrender")
        current = cast("SeatHand", play.current())  # it decides, or its card is due
        return not (in_turn or early) and f"seat {current.seat} hand {current.number} is asked"

    def pair_wager_without_split(self) -> bool:
        event = self._decision
        return event.any_pair is not UNSET and event.action != "split"

    def amount_named(self) -> bool:
        event = self._decision
        is_told = event.amount is not UNSET or not isinstance(event.any_pair, bool | UnsetType)
        return not self._context.deal.is_tracked and is_told

    def other_amount_named(self) -> bool:
        event, hand = self._decision, self._asked()
        takes = self._wagers.stake_on(hand, event.id) if event.action in ("double", "split") else None
        return event.action != "insurance" and event.amount not in (UNSET, takes)

    def splits_for_other_amount(self) -> bool:
        return self.asks_split() and self.other_amount_named()

    def doubles_for_other_amount(self) -> bool:
        return self.asks_double() and self.other_amount_named()

    def asks_hit(self) -> bool:
        return self._decision.action == "hit"

    def asks_double(self) -> bool:
        return self._decision.action == "double"

    def asks_split(self) -> bool:
        return self._decision.action == "split"

    def asks_surrender(self) -> bool:
        return self._decision.action == "surrender"

    def asks_insurance(self) -> bool:
        return self._decision.action == "insurance"

    def asks_even_money(self) -> bool:
        return self._decision.action == "even_money"

    def asks_half_pay(self) -> bool:
        return self._decision.action == "half_pay"

    # --- effects -----------------------------------------------------------------------------------------------------

    def play_on(self) -> None:
        self._play.play_on(self._asked())

    def _end(self, how: Ended) -> None:
        hand, event = self._asked(), self._decision
        self._play.end(hand, {event.id} if self._wagers.each_decides else hand.playing, how)

    def stand(self) -> None:
        """The hand takes no further card."""
        self._asked().is_finished = True

    def double_stakes(self) -> None:
        hand = self._asked()
        hand.is_doubled = True
        self._wagers.double(hand)

    def split_hand(self) -> None:
        event, hand = self._decision, self._asked()
        any_pair = self._stakes(hand).any_pair
        self._wagers.split(hand, self._play.split(hand), event.id, any_pair)

    def insure(self) -> None:
        """Puts an insurance down."""
        hand = self._asked()
        self._play.insured.add((hand.seat, self._decision.id))
        self._wagers.insure(hand, self._decision.id, self._stakes(hand).amount or UNIT)

    def surrender(self) -> None:
        self._end("surrendered")

    def pay_even_money(self) -> None:
        self._end("even_money")

    def pay_half(self) -> None:
        self._end("half_paid")

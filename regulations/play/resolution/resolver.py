"""The gate of a table: an open irregularity blocks requests until it is resolved."""

import math
from bisect import insort
from collections.abc import Callable, Sequence
from enum import StrEnum, unique
from typing import Final, cast

from msgspec import UNSET, UnsetType

from regulations.events.cards import Card
from regulations.events.inputs import BetsClosed, Wager
from regulations.events.outputs import Burned, Next
from regulations.events.vocabulary import Mark, ResolutionAction
from regulations.law.rows import RegulationRow
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import BURN_PLACE, CardStatus, DrawnCard
from regulations.play.context.irregularities import OpenIrregularity
from regulations.play.context.machine import RuleMachine
from regulations.play.context.open_round import OpenRound
from regulations.play.resolution.card_intake import CardIntake
from regulations.play.resolution.replay import ReplayedRound
from regulations.play.resolution.resolution_rules import ResolutionRules
from regulations.play.shoe.game import ShoeGame


@unique
class ResolverState(StrEnum):
    """An open irregularity shuts the gate."""

    CLEAR = "clear"
    BLOCKED = "blocked"


class IrregularityResolver:
    def __init__(
        self,
        context: RuleContext,
        shoe: ShoeGame,
        make_round: Callable[[], OpenRound],
        intake: CardIntake,
        rows: Sequence[RegulationRow],
    ) -> None:
        self._context: Final = context
        self._shoe: Final = shoe
        self._rules: Final = ResolutionRules(context, make_round)
        self._intake: Final = intake
        self._effects: Final[dict[ResolutionAction, Callable[[], None]]] = {
            "burn": self._burn,
            "next_round": self._hold_for_next_round,
            "accept": self._accept,
            "identify": self._identify,
            "reassign": self._correct,
            "continue": self._continue,
            "void": self._void,
            "end_shoe": self._end_shoe,
            "settle": self._continue,
            "decision": self._correct,
            "counts": lambda: shoe.cut_cards.count(shoe.state),
            "set_aside": self._continue,
            "strike": self._strike,
        }
        self._resolving: OpenIrregularity
        self._cards: list[Card] = []
        self.machine: Final[RuleMachine[ResolverState]] = RuleMachine(
            ResolverState, rows, context, (self._rules, self), ResolverState.CLEAR
        )

    @property
    def is_blocked(self) -> bool:
        return self.machine.state is ResolverState.BLOCKED

    def fire(self, trigger: str) -> None:
        """Gives the machine a trigger."""
        self.machine.fire(trigger)

    def sync_state(self) -> None:
        self._rules.forget()
        if self.is_blocked != bool(self._context.scope.irregularities.open):
            self.fire("regular" if self.is_blocked else "irregular")

    def emit_next(self) -> None:
        first = self._rules.first()
        self._context.emit(
            Next(
                article=first.article,
                do="resolve",
                irregularity=first.number,
                actions=list(self._context.resolutions_now(first)),
            )
        )

    # --- effects -----------------------------------------------------------------------------------------------------

    def apply_resolution(self) -> None:
        event, first = self._rules.resolve(), self._rules.first()
        self._cards = self._rules.named()
        mark = self._mark()
        self._resolving = self._context.scope.irregularities.close_first()
        put_right = self._context.law.articles.put_right if event.action == "reassign" else ""
        self._context.settle(first, event.action, event.by, article=put_right, mark=mark)
        self._effects[event.action]()

    def _mark(self) -> Mark | UnsetType:
        """Readings G18, G19."""
        first, action = self._rules.first(), self._rules.resolve().action
        if (first.code, action) == ("card_by_hand", "accept"):
            return "cut_card_by_hand" if first.drawn is None else "by_hand"
        if action == "decision":
            return "late_decision"
        return "late_name" if self._rules.names_late() else UNSET

    def remember_failure(self) -> None:
        """After a refused correction the round may be void (readings G11, G12)."""
        if not self._rules.read_cards.only_names():
            self._rules.first().leads_to_void = True

    def _burn(self) -> None:
        drawn = self._resolving.card
        drawn.place, drawn.status = BURN_PLACE, CardStatus.BURNED
        article = self._context.scope.round.burned_by(self._resolving)
        self._context.emit(Burned(article=article, card=drawn.shown, why="invalid"))

    def _hold_for_next_round(self) -> None:
        drawn = self._resolving.card
        drawn.claimed, drawn.status = None, CardStatus.HELD
        # All that left before it lies: if a card is due, it left while the deal was held, and no order of cards made it
        # undue.
        drawn.held_though_due = self._shoe.due.place is not None
        insort(self._context.held, drawn, key=lambda one: one.left)

    def _accept(self) -> None:
        first = self._resolving
        if first.code != "card_by_hand":
            self._accept_unseen(first.card)
        elif first.drawn is None:
            self._shoe.cut_cards.accept()
        else:
            self._intake.accept(first.drawn, first.not_due, is_back=first.is_back)

    def _accept_unseen(self, drawn: DrawnCard) -> None:
        for card in self._cards if drawn.card is None else ():
            self._context.scope.stack.name(drawn, card)
            self._context.scope.turn.told.append(drawn)
        self._context.scope.round.accept(drawn)

    def _strike(self) -> None:
        drawn = self._resolving.drawn
        if drawn is not None and not self._resolving.is_back:
            self._intake.strike(drawn)

    def _identify(self) -> None:
        if self._resolving.code == "misdeal":
            self._correct()
            return
        if self._resolving.is_back:
            # It is named for the log: neither a place nor a count waits for it, nor for the cards behind it.
            return
        if self._resolving.missing:
            self._intake.find(self._resolving.card, self._cards)
        else:
            (card,) = self._cards
            self._resolving.card.was_misread = self._resolving.card.was_read
            self._intake.name(self._resolving.card, card, self._resolving.not_due)

    def enter_bets(self) -> None:
        """The round begins before the card that is open; it may refuse the wagers."""
        context, event, first = self._context, self._rules.resolve(), self._rules.first()
        drawn, register = first.card, context.scope.irregularities
        since = register.last_left - math.ceil(drawn.left) + 1
        context.scope.turn.out_before = context.scope.stack.out - since
        # An input of this action has both.
        seats, wagers = cast("list[int]", event.seats), cast("list[Wager]", event.wagers)
        context.scope.turn.event = BetsClosed(seats=seats, wagers=wagers)
        self._shoe.to_round()
        context.scope.turn.event = event
        if not context.scope.phase.open:
            return
        register.close_first()
        context.settle(first, event.action, event.by, mark="late_bets")
        register.wait(drawn)
        # It was the earliest of all that are open.
        context.scope.record.came_out += sorted(register.unresolved(), key=lambda one: one.left)
        self._shoe.cut_cards.order_among_cards()

    def _correct(self) -> None:
        again = self._rules.run_again()
        if isinstance(again, ReplayedRound):
            self._adopt(again)

    def _adopt(self, again: ReplayedRound) -> None:
        context, correction = self._context, self._rules.correction
        self._rules.read_cards.mark_renamed(again)
        correction.count(again)
        context.scope.turn.told += [one.drawn for one in again.cards if one.is_named]
        correction.emit_changes(again)
        waits = [drawn for drawn in context.held if not any(drawn is one for one in context.scope.record.came_out)]
        context.held[:] = sorted((*waits, *again.held), key=lambda one: one.left)
        laid = {id(one.before) for one in again.cards if one.drawn is not one.before}
        register = context.scope.irregularities
        register.waiting = [drawn for drawn in register.waiting if id(drawn) not in laid]
        register.wait(*again.waiting)
        self._shoe.adopt(again.round, again.record)
        again.round.judge_corrected()
        if again.record.came_out:
            self._intake.miss_cut_card(again.record.came_out[-1])

    def _continue(self) -> None:
        if self._resolving.code == "cut_card_missing":
            self._shoe.cut_cards.assume()

    def _void(self) -> None:
        self._context.scope.round.void(self._resolving.code)

    def _end_shoe(self) -> None:
        if self._resolving.number in self._context.scope.turn.voidable:
            self._void()
        self._end_shoe_game()

    def _end_shoe_game(self) -> None:
        """Now, or with the open round if nothing has undone it (reading G13)."""
        context = self._context
        if not context.scope.phase.voidable:
            self._context.scope.round.fire("abandon")
            context.scope.record.clear()
            for other in context.scope.irregularities.close_where(lambda one: "end_shoe" in context.resolutions(one)):
                context.settle(other, "end_shoe", self._rules.resolve().by)
            context.burn_waiting()
        self._shoe.fire("end_shoe")

    def give_device_up(self) -> None:
        context, event = self._context, self._rules.resolve()
        for one in context.scope.irregularities.forget_awaited(event.irregularity):
            context.settle(one, "end_shoe", event.by, article="reading G13")
        self._end_shoe_game()

"""A card's way from the device's report to its place or irregularity.

The order in which cards left decides their places (reading G17).
"""

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from regulations.events.cards import Card
from regulations.events.inputs import CardDrawn
from regulations.events.origins import origin_of
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import BURN_PLACE, CardStatus, DrawnCard
from regulations.play.context.due import Due
from regulations.play.context.turn import Subject
from regulations.play.shoe.game import ShoeGame
from regulations.play.shoe.states import IN_ROUNDS


class CardIntake:
    def __init__(self, context: RuleContext, shoe: ShoeGame) -> None:
        self._context: Final = context
        self._shoe: Final = shoe

    def receive(self, event: CardDrawn) -> None:
        """A report has happened and cannot be refused (reading G7)."""
        scope, register = self._context.scope, self._context.scope.irregularities
        by_device = origin_of(event) == "device"
        drawn = DrawnCard(
            card=event.card,
            was_read=by_device and event.card is not None,
            is_counted=by_device and event.count is not UNSET,
            face_up=event.face == "up",
            unseen=event.unseen,
            claimed=event.claimed if event.claimed is not UNSET else None,
            left_blocked=bool(register.open),
        )
        entered = self._entered_before(event)
        if entered is not None:
            self._compare(drawn, entered)
            return
        scope.turn.told.append(drawn)
        if not by_device and self._shoe.devices.reports_cards():
            self._doubt(drawn)
            return
        missing = self._missing_before(event)
        scope.stack.count_out(drawn)
        drawn.left = register.last_left = register.last_left + missing + 1
        is_late = self._match_permit(event, drawn, by_device=by_device)
        if missing > 0:
            # Once they are named they lie where they were due, whatever else is open: they have begun the round.
            self._enter(drawn)
            self._shoe.fire("count_gap", Subject(card=drawn, missing=missing, why=f"{missing} before this one"))
        elif register.blocks and not is_late:
            self._record(drawn)
            self._not_due(drawn, "card_while_blocked")
        else:
            self._enter(drawn)
            if not register.open:
                self._lay_if_due(drawn)
            elif self._is_between_rounds() and register.awaited:
                self._not_due(drawn, "card")
            else:
                register.wait(drawn)

    def _doubt(self, drawn: DrawnCard) -> None:
        """Two persons say whether it left (reading G19)."""
        context, register = self._context, self._context.scope.irregularities
        trigger = "card_while_blocked" if register.blocks else ""
        context.scope.stack.count_out(drawn)
        drawn.left = register.last_left = register.last_left + 1
        self._record(drawn)
        self._fire_about("card_by_hand", drawn)
        register.about(drawn).not_due = trigger

    def accept(self, drawn: DrawnCard, not_due: str, *, is_back: bool) -> None:
        """Accept a typed card, as two persons decide."""
        context, register = self._context, self._context.scope.irregularities
        # The device counts this card too, once it is told of it.
        context.scope.stack.counted += 1
        if is_back:
            return
        if not_due:
            self._not_due(drawn, not_due)
            return
        if context.scope.phase.open:
            self._insert_before(drawn)
        elif self._opens_round():
            behind = register.unresolved()
            context.scope.turn.out_before = context.scope.stack.out - 1 - len(behind)
            self._shoe.open_with_card()
            context.scope.record.came_out += [drawn, *behind]
            self._shoe.cut_cards.order_among_cards()
        register.wait(drawn)

    def _insert_before(self, drawn: DrawnCard) -> None:
        context, came_out = self._context, self._context.scope.record.came_out
        if not any(one is drawn for one in came_out):
            context.scope.record.insert(sum(one.left < drawn.left for one in came_out), [drawn])
            context.scope.began -= 1
            context.scope.stack.round_began -= 1

    def strike(self, drawn: DrawnCard) -> None:
        """A card that a person entered never left, as two persons say."""
        self._context.scope.stack.forget(drawn)
        self._context.scope.record.forget(drawn)

    def _entered_before(self, event: CardDrawn) -> DrawnCard | None:
        stack, permit = self._context.scope.stack, event.permit
        if permit is UNSET or not self._context.calls.is_late(permit):
            return None
        if event.count is not UNSET and stack.gap_before(event.count):
            return None
        entered = stack.entered_for(permit)
        if entered is not None and event.count is not UNSET:
            stack.counted = event.count
        return entered

    def _compare(self, drawn: DrawnCard, entered: DrawnCard) -> None:
        drawn.place, drawn.left = entered.place, entered.left
        self._context.scope.turn.told.append(drawn)
        if None in (drawn.card, entered.card) or drawn.card == entered.card:
            drawn.is_open = entered.is_open
            entered.was_read, entered.is_counted = drawn.was_read, drawn.is_counted
            self._fire_about("entered_card", drawn)
        else:
            where = f" for {entered.place}" if entered.place is not None else ""
            self._fire_about("device_disagrees", drawn, f"it read another card than was entered{where}")

    def _match_permit(self, event: CardDrawn, drawn: DrawnCard, *, by_device: bool) -> bool:
        calls, opened = self._context.calls, self._context.scope.irregularities
        serves = event.permit is not UNSET and calls.is_in_force(event.permit)
        is_clear = not opened.open
        if is_clear and calls.is_open and not by_device:
            self._context.scope.stack.enter(drawn, calls.first, calls.lines)
        if serves or is_clear:
            calls.card_came()
        return serves and opened.holds

    def _enter(self, drawn: DrawnCard) -> None:
        if self._opens_round():
            self._shoe.open_with_card()
        self.lay_waiting()
        self._record(drawn)

    def _opens_round(self) -> bool:
        return (
            self._is_between_rounds()
            and self._context.scope.round.opens_with_card
            and not self._context.scope.irregularities.awaited
        )

    def _record(self, drawn: DrawnCard) -> None:
        if self._context.scope.phase.open:
            self._context.scope.record.came_out.append(drawn)

    def _is_between_rounds(self) -> bool:
        return self._shoe.state in IN_ROUNDS and self._context.scope.round.is_idle

    def _missing_before(self, event: CardDrawn) -> int:
        stack = self._context.scope.stack
        # The device counts this card too, whoever reported it.
        count = stack.counted + 1 if event.count is UNSET else event.count
        missing = stack.gap_before(count)
        stack.counted = count
        if missing < 0:
            self._shoe.fire("count_backwards", Subject(why=f"from {count - missing - 1} to {count}"))
            return 0
        stack.out += missing
        return missing

    def _not_due(self, drawn: DrawnCard, trigger: str) -> None:
        """A copy too many is named first (reading G9)."""
        if not self._context.scope.stack.is_surplus(drawn):
            self._fire_about(trigger, drawn)
            return
        self._fire_about("surplus_card", drawn)
        self._context.scope.irregularities.about(drawn).not_due = trigger

    def lay_waiting(self) -> None:
        """In the order in which cards left, until persons must act first (reading G17)."""
        context = self._context
        # Asked with each input, and most times nothing waits.
        if not (context.held or context.scope.irregularities.waiting or context.scope.round.cards_await_decisions):
            return
        while (drawn := self._next_undecided() or self._next_held() or self._next_waiting()) is not None:
            self._lay_if_due(drawn)
            if context.scope.record.left_before_cut_card(drawn):
                self._shoe.place_cut_card()

    def _next_held(self) -> DrawnCard | None:
        context, register = self._context, self._context.scope.irregularities
        if not context.held or not context.scope.phase.open or context.scope.due.place is None:
            return None
        drawn = context.held[0]
        comes_first = not register.waiting or drawn.left < register.waiting[0].left
        if drawn.left > context.scope.began or not comes_first or not register.lets_pass(drawn):
            return None
        context.scope.record.insert(sum(one.was_held for one in context.scope.record.came_out), [context.held.pop(0)])
        drawn.status, drawn.was_irregular, drawn.was_held, drawn.held_though_due = CardStatus.COUNTS, False, True, False
        drawn.was_misread = False
        return drawn

    def _next_waiting(self) -> DrawnCard | None:
        register = self._context.scope.irregularities
        lets_pass = register.waiting and register.lets_pass(register.waiting[0])
        return register.waiting.pop(0) if lets_pass else None

    def _next_undecided(self) -> DrawnCard | None:
        """Burned if no place is due any more (reading J30)."""
        context = self._context
        if context.scope.irregularities.open:
            return None
        drawn = next((one for one in context.scope.record.came_out if one.status is CardStatus.WAITING), None)
        if drawn is None:
            return None
        if self._context.scope.round.is_over:
            self._context.scope.round.burn_waiting()
        if self._context.scope.due.place is None:
            return None
        drawn.status = CardStatus.COUNTS
        return drawn

    def _lay_if_due(self, drawn: DrawnCard) -> None:
        due = self._shoe.due_to(drawn)
        if due.place is None or self._is_between_rounds():
            # Between rounds it waited for its name from a time at which no round could begin.
            self._not_due(drawn, "card")
        elif _is_unread(drawn, due):
            self._fire_about("unread_card", drawn)
        elif self._context.scope.stack.is_surplus(drawn):
            self._fire_about("surplus_card", drawn)
        else:
            self._lay(drawn)

    def name(self, drawn: DrawnCard, card: Card, not_due: str) -> None:
        self._context.scope.stack.name(drawn, card)
        self._context.scope.turn.told.append(drawn)
        drawn.was_named = True
        if not_due:
            self._fire_about(not_due, drawn)
        elif drawn.place is None:
            self._context.scope.irregularities.wait(drawn)
        else:
            # It showed as it was turned: the hand is turned once more, with the right name.
            drawn.is_open = False

    def find(self, drawn: DrawnCard, cards: Sequence[Card]) -> None:
        """Insert unreported cards before this one."""
        found = self._context.scope.stack.find(cards, drawn)
        self._context.scope.record.find(found, drawn)
        self._context.scope.turn.told += found
        self._context.scope.irregularities.wait(*found, drawn)

    def _lay(self, drawn: DrawnCard) -> None:
        self._fire_about("card", drawn)
        claimed, place = drawn.claimed, drawn.place
        if claimed is not None and place is not None:  # else it has no place yet: persons settle first what it is
            burned = place == BURN_PLACE
            agrees = claimed.to == place.to and (burned or claimed.position in (UNSET, place.position))
            if not agrees:
                where = f"{claimed.to}, card {claimed.position}" if claimed.position is not UNSET else claimed.to
                self._fire_about("device_disagrees", drawn, f"the device took the card for {where}, it is {place}")
        self.miss_cut_card(drawn)

    def miss_cut_card(self, drawn: DrawnCard) -> None:
        """The cards behind this one wait for a person's decision."""
        if self._shoe.state in IN_ROUNDS and self._shoe.cut_card_is_missing():
            why = f"{self._context.scope.stack.left} are left"
            self._shoe.fire("cut_card_missing", Subject(behind=drawn, why=why))

    def _fire_about(self, trigger: str, drawn: DrawnCard, why: str = "") -> None:
        self._shoe.fire(trigger, Subject(card=drawn, why=why))


def _is_unread(drawn: DrawnCard, due: Due) -> bool:
    lies_open = due.lies_open or (drawn.face_up and due.place != BURN_PLACE)
    return drawn.card is None and (not drawn.unseen or lies_open)

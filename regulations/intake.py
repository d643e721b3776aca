"""The way of a card inside the regulation: from the device's report to its place, or to an irregularity.

counted -> does the device's own count agree? -> is a card due? -> was it read? -> can there be one more copy?
-> laid at its place -> does the device agree with the place? -> should the cut card have come before?
"""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import UNSET

from regulations.desk import Desk
from regulations.drawn import BURN_PLACE, Drawn, Fate, Place
from regulations.events.inputs import CardDrawn
from regulations.events.origins import origin_of
from regulations.irregularities import OpenIrregularity
from regulations.round.base import Round
from regulations.shoe.game import ShoeGame
from regulations.shoe.states import IN_ROUNDS


class Intake:
    """Takes cards that came out of the equipment.

    Args:
        desk: what the machines of the table share.
        shoe: the shoe game.
    """

    def __init__(self, desk: Desk, shoe: ShoeGame) -> None:
        self._desk: Final = desk
        self._shoe: Final = shoe

    @property
    def _round(self) -> Round[Any]:
        return self._shoe.round

    def take(self, event: CardDrawn) -> None:
        """Takes a device's report of a card: it has happened and cannot be refused (reading G7)."""
        drawn = Drawn(
            card=event.card,
            face_up=event.face == "up",
            unseen=event.unseen,
            claimed=event.claimed if event.claimed is not UNSET else None,
            message=_message_of(event),
            left_blocked=bool(self._desk.irregularities.open),
        )
        entered = self._entered_before(event)
        if entered is not None:
            self._compare(drawn, entered)
            return
        self._desk.told.append(drawn)
        missing = self._missing_before(event)
        self._desk.stack.take_out(drawn)
        is_late = self._note_call(event, drawn)
        if missing > 0:
            # Once they are named they lie where they were due, whatever else is open: they have begun the round.
            self._open_round()
            self._enter(drawn)
            self._desk.missing = missing
            self._fire_about("count_gap", drawn, f"{missing} before this one")
        elif is_late:
            self._let_wait(drawn)
        else:
            self.offer(drawn)

    def _entered_before(self, event: CardDrawn) -> Drawn | None:
        """The card that a person entered where this one was due, by its permit; it is the same, or one of them errs."""
        stack, permit = self._desk.stack, event.permit
        if permit is UNSET or not self._desk.calls.is_late(permit):
            return None
        if event.count is not UNSET and stack.gap_before(event.count):
            return None
        entered = stack.entered_for(permit)
        if entered is not None and event.count is not UNSET:
            stack.counted = event.count
        return entered

    def _compare(self, drawn: Drawn, entered: Drawn) -> None:
        """A device tells a card that a person has entered: the same is noted, another is looked at by a person."""
        drawn.place = entered.place
        self._desk.told.append(drawn)
        if None in (drawn.card, entered.card) or drawn.card == entered.card:
            drawn.is_open = entered.is_open
            self._fire_about("entered_card", drawn)
        else:
            self._fire_about("device_disagrees", drawn, f"it read another card than was entered for {entered.place}")

    def _note_call(self, event: CardDrawn, drawn: Drawn) -> bool:
        """Notes what the card is for; says whether it is late: it left by the permit in force, and waits for a device.

        A card that a person enters where one is called for may still be told by the device.
        """
        calls, opened = self._desk.calls, self._desk.irregularities
        serves = event.permit is not UNSET and calls.is_in_force(event.permit)
        is_clear = not opened.open
        if is_clear and calls.is_open and origin_of(event) == "person":
            self._desk.stack.enter(drawn, calls.first, calls.lines)
        if serves or is_clear:
            calls.card_came()
        return serves and opened.first_holding() is not None

    def _let_wait(self, drawn: Drawn) -> None:
        """A late card waits; it closes the bets of a round as it would have in its time, behind cards held for that."""
        if self._is_between_rounds():
            # Where the bets are to be closed first, no card is called for between rounds, and none is late.
            self._shoe.open_with_card()
            self.deal_held()
        self._note(drawn)
        self._fire_about("late_card", drawn)

    def _open_round(self) -> None:
        """Where the first card of a round closes its bets, it does so be it read or not."""
        if self._is_between_rounds() and self._round.opens_with_card and not self._desk.irregularities.awaited:
            self._shoe.open_with_card()

    def _is_between_rounds(self) -> bool:
        return self._shoe.state in IN_ROUNDS and self._round.is_idle

    def _missing_before(self, event: CardDrawn) -> int:
        stack = self._desk.stack
        # The device counts this card too, whoever reported it.
        count = stack.counted + 1 if event.count is UNSET else event.count
        missing = stack.gap_before(count)
        stack.counted = count
        if missing < 0:
            self._desk.why = f"from {count - missing - 1} to {count}"
            self._shoe.fire("count_backwards")
        stack.out += max(0, missing)
        return missing

    def offer(self, drawn: Drawn) -> None:
        """Lays a card that is out and counted at the place that is due, or opens an irregularity."""
        desk = self._desk
        before = desk.irregularities.before_in_packet(drawn)
        if before is not None:
            # It left with that card, because it was due after it: its place is known once that one has its own.
            before.following.append(drawn)
            self._note(drawn)
            return
        was_clear = not desk.irregularities.open
        if was_clear:
            self._open_round()
        self._enter(drawn)
        if not desk.irregularities.open:
            self._lay_if_due(drawn)
        elif was_clear:
            # It was called for behind cards that waited for its round, of which one must be named first.
            desk.irregularities.last_open().following.append(drawn)
        else:
            self._not_due(drawn, "card_while_blocked")

    def _not_due(self, drawn: Drawn, trigger: str) -> None:
        """A card that is not due; if it is a copy too many as well, it is named first (reading G9)."""
        if not self._desk.stack.is_surplus(drawn.card):
            self._fire_about(trigger, drawn)
            return
        self._fire_about("surplus_card", drawn)
        self._desk.irregularities.last_open().not_due = trigger

    def _enter(self, drawn: Drawn) -> None:
        self.deal_held()
        self._note(drawn)

    def _note(self, drawn: Drawn) -> None:
        if self._desk.round_open:
            self._desk.record.came_out.append(drawn)

    def came_before(self, drawn: Drawn, found: Sequence[Drawn]) -> None:
        """Notes cards that nobody reported as they left, before this one."""
        came_out = self._desk.record.came_out
        at = next((number for number, one in enumerate(came_out) if one is drawn), None)
        if at is not None:
            came_out[at:at] = found

    def follow(self, cards: Sequence[Drawn], named: Sequence[Drawn] = ()) -> None:
        """Takes up cards that waited, one after the other; once one is irregular, those behind it wait for that.

        Args:
            cards: in the order in which they left.
            named: those of them that persons have just named: only what lies open speaks against these, and was
                looked at before.
        """
        if cards:
            before = self._desk.irregularities.newest
            self._lay_if_due(cards[0], named)
            self.go_on(cards[1:], before, named)

    def go_on(self, cards: Sequence[Drawn], before: OpenIrregularity | None, named: Sequence[Drawn] = ()) -> None:
        """As :meth:`follow`, unless another irregularity is open by now than this one was before."""
        newest = self._desk.irregularities.newest
        if newest is not None and newest is not before:
            newest.following += cards
        else:
            self.follow(cards, named)

    def _lay_if_due(self, drawn: Drawn, named: Sequence[Drawn] = ()) -> None:
        desk = self._desk
        place = self._shoe.due_to(drawn)
        if place is None or self._is_between_rounds():
            # Between rounds it waited for its name from a time at which no round could begin.
            self._not_due(drawn, "card")
        elif self._is_unread(drawn, place):
            self._fire_about("unread_card", drawn)
        elif desk.stack.is_surplus(drawn.card) and not any(drawn is one for one in named):
            drawn.is_open = self._shoe.shows(place)
            self._fire_about("surplus_card", drawn)
        else:
            self.lay(drawn)

    def deal_held(self) -> None:
        """Deals the cards that waited for this round; one that left in it waits for the next (reading B11).

        They left before every card of the round, so whatever is open holds none of them back: where one must be named
        first, the others follow it.
        """
        while self._desk.held and self._desk.round_open and self._holds_one_of_before():
            place = self._round.due()
            if place is None:
                return
            drawn = self._take_held()
            if self._is_unread(drawn, place):
                self._fire_about("unread_card", drawn)
                following = self._desk.irregularities.last_open().following
                while self._holds_one_of_before():
                    following.append(self._take_held())
            else:
                self.lay(drawn)

    def deal_waiting(self) -> None:
        """Lay the cards that wait for a decision, once a place is due; burn them if none is any more (reading J30)."""
        for drawn in [one for one in self._desk.record.came_out if one.fate is Fate.WAITING]:
            if self._round.is_over:
                self._round.burn_waiting()
            if self._desk.irregularities.open or self._round.due() is None:
                return
            drawn.fate = Fate.COUNTS
            self._lay_if_due(drawn)

    def _holds_one_of_before(self) -> bool:
        held = self._desk.held
        return bool(held) and not any(one is held[0] for one in self._desk.record.came_out)

    def _take_held(self) -> Drawn:
        """The card that waits longest is one of the open round's from now on, before those that left in it."""
        drawn, came_out = self._desk.held.pop(0), self._desk.record.came_out
        came_out.insert(sum(one.was_held for one in came_out), drawn)
        drawn.fate, drawn.was_irregular, drawn.was_held, drawn.held_though_due = Fate.COUNTS, False, True, False
        return drawn

    def _is_unread(self, drawn: Drawn, place: Place) -> bool:
        """True if nobody knows a card that should be known: where it lies open, all see it."""
        lies_open = self._shoe.shows(place) or (drawn.face_up and place != BURN_PLACE)
        return drawn.card is None and (not drawn.unseen or lies_open)

    def named(self, drawn: Drawn, not_due: str) -> None:
        """Goes on with a card that persons have named.

        Args:
            drawn: the card.
            not_due: the trigger of the rule by which it was not due when it came; empty: it was.
        """
        if not_due:
            self._fire_about(not_due, drawn)
        elif drawn.place is None:
            self.lay(drawn)
        else:
            # It showed as it was turned: the hand is turned once more, with the right name.
            drawn.is_open = False

    def lay(self, drawn: Drawn) -> None:
        """Lays a card at the place that is due, unless the game objects to how it came out."""
        self._fire_about("card", drawn)
        claimed, place = drawn.claimed, drawn.place
        if claimed is not None and place is not None:  # else it has no place yet: persons settle first what it is
            burned = place == BURN_PLACE
            agrees = claimed.to == place.to and (burned or claimed.position in (UNSET, place.position))
            if not agrees:
                whose = "a seat's card" if claimed.to == "seat" else claimed.to
                where = f"{whose} {claimed.position}" if claimed.position is not UNSET else whose
                self._fire_about("device_disagrees", drawn, f"the device took the card for {where}, it is {place}")
        self.miss_cut_card()

    def miss_cut_card(self) -> None:
        """More cards may be out than lay before the cut card."""
        if self._shoe.state in IN_ROUNDS and self._shoe.cut_card_is_missing():
            self._fire_about("cut_card_missing", None, f"{self._desk.stack.out} are out")

    def _fire_about(self, trigger: str, drawn: Drawn | None, why: str = "") -> None:
        self._desk.drawn = drawn
        self._desk.why = why
        self._shoe.fire(trigger)
        self._desk.drawn = None
        self._desk.missing = 0


def _message_of(event: CardDrawn) -> tuple[str, int, int] | None:
    """The message of a device that a card was told with; ``None`` where its events have no numbers."""
    if event.device is UNSET or event.boot is UNSET or event.number is UNSET:
        return None
    return event.device, event.boot, event.number

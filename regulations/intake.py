"""The way of a card inside the regulation: from the device's report to its place, or to an irregularity.

counted -> does the device's own count agree? -> is a card due? -> was it read? -> can there be one more copy?
-> laid at its place -> does the device agree with the place? -> should the cut card have come before?
"""

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from regulations.desk import Desk
from regulations.drawn import BURN_PLACE, Drawn, Place
from regulations.events.inputs import CardDrawn
from regulations.game import Round
from regulations.shoe.game import ShoeGame
from regulations.shoe.states import IN_ROUNDS


class Intake:
    """Takes cards that came out of the equipment.

    Args:
        desk: what the machines of the table share.
        shoe: the shoe game.
        game_round: the game's round.
    """

    def __init__(self, desk: Desk, shoe: ShoeGame, game_round: Round) -> None:
        self._desk: Final = desk
        self._shoe: Final = shoe
        self._round: Final = game_round

    def take(self, event: CardDrawn) -> None:
        """Takes a device's report of a card: it has happened and cannot be refused (reading G7)."""
        drawn = Drawn(
            card=event.card,
            face_up=event.face == "up",
            unseen=event.unseen,
            claimed=event.claimed if event.claimed is not UNSET else None,
            message=_message_of(event),
        )
        self._desk.told.append(drawn)
        missing = self._missing_before(event)
        self._desk.stack.take_out(drawn)
        if missing > 0:
            self._open_round()
            self._desk.missing = missing
            self._fire_about("count_gap", drawn, f"{missing} before this one")
            return
        self.offer(drawn)

    def _open_round(self) -> None:
        """Where the first card of a round closes its bets, it does so be it read or not."""
        waits = bool(self._desk.irregularities.awaited) or bool(len(self._desk.irregularities))
        if self._round.opens_with_card and self._is_between_rounds() and not waits:
            self._round.fire("first_card")

    def _is_between_rounds(self) -> bool:
        return self._shoe.state in IN_ROUNDS and self._round.is_idle

    def _missing_before(self, event: CardDrawn) -> int:
        stack = self._desk.stack
        if event.count is UNSET:
            # The device counts this card too, whoever reported it.
            stack.counted += 1
            return 0
        missing = stack.gap_before(event.count)
        stack.counted = event.count
        if missing < 0:
            self._desk.why = f"from {event.count - missing - 1} to {event.count}"
            self._shoe.fire("count_backwards")
        for _ in range(missing):
            stack.take_out(None)
        return max(missing, 0)

    def offer(self, drawn: Drawn, *, named: bool = False) -> None:
        """Lays a card that is out and counted at the place that is due, or opens an irregularity.

        Args:
            drawn: the card.
            named: whether persons have named it: then only what lies open speaks against it, and was looked at before.
        """
        desk = self._desk
        before = desk.irregularities.before_in_packet(drawn)
        if before is not None:
            # It left with that card, because it was due after it: its place is known once that one has its own.
            before.following.append(drawn)
            return
        self._open_round()
        self.deal_held()
        if desk.round_open:
            self._round.came_out.append(drawn)
        if len(desk.irregularities):
            self._not_due(drawn, "card_while_blocked")
        else:
            self._lay_if_due(drawn, named=named)

    def _not_due(self, drawn: Drawn, trigger: str) -> None:
        """A card that is not due; if it is a copy too many as well, it is named first (reading G9)."""
        if drawn.card is None or not self._desk.stack.is_surplus(drawn.card):
            self._fire_about(trigger, drawn)
            return
        self._fire_about("surplus_card", drawn)
        self._desk.irregularities.last_open().not_due = trigger

    def follow(self, packet: Sequence[Drawn]) -> None:
        """Takes up the cards of a packet that waited for one of them to be named, whatever has happened meanwhile."""
        for drawn in packet:
            before = self._desk.irregularities.before_in_packet(drawn)
            if before is not None:
                before.following.append(drawn)
                continue
            if self._desk.round_open:
                self._round.came_out.append(drawn)
            self._lay_if_due(drawn)

    def _lay_if_due(self, drawn: Drawn, *, named: bool = False) -> None:
        desk = self._desk
        place = self._shoe.due()
        if place is None:
            self._not_due(drawn, "card")
        elif self._is_unread(drawn, place):
            self._fire_about("unread_card", drawn)
        elif not named and drawn.card is not None and desk.stack.is_surplus(drawn.card):
            drawn.is_open = self._shoe.shows(place)
            self._fire_about("surplus_card", drawn)
        else:
            self.lay(drawn)

    def deal_held(self) -> None:
        """Deals the cards that waited for this round."""
        desk = self._desk
        while desk.held and desk.round_open and not len(desk.irregularities):
            place = self._round.due()
            if place is None:
                return
            drawn = desk.held.pop(0)
            self._round.came_out.append(drawn)
            if self._is_unread(drawn, place):
                self._fire_about("unread_card", drawn)
            else:
                self.lay(drawn)

    def _is_unread(self, drawn: Drawn, place: Place) -> bool:
        """Whether nobody knows a card that should be known: where it lies open, all see it."""
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
        """Lays a card at the place that is due."""
        self._fire_about("card", drawn)
        desk, claimed, place = self._desk, drawn.claimed, drawn.place
        drawn.claimed = None
        if claimed is not None and place is not None:
            burned = place == BURN_PLACE
            agrees = claimed.to == place.to and (burned or claimed.position in (UNSET, place.position))
            if not agrees:
                where = f"{claimed.to} {claimed.position}" if claimed.position is not UNSET else claimed.to
                self._fire_about("device_disagrees", drawn, f"the device took the card for {where}, it is {place}")
        if self._shoe.state in IN_ROUNDS and self._shoe.cut_card_is_missing():
            self._fire_about("cut_card_missing", None, f"{desk.stack.out} are out")

    def _fire_about(self, trigger: str, drawn: Drawn | None, why: str = "") -> None:
        self._desk.drawn = drawn
        self._desk.why = why
        self._shoe.fire(trigger)
        self._desk.drawn = None
        self._desk.why = ""
        self._desk.missing = 0


def _message_of(event: CardDrawn) -> tuple[str, int, int] | None:
    """The message of a device that a card was told with; ``None`` where its events have no numbers."""
    if event.device is UNSET or event.boot is UNSET or event.number is UNSET:
        return None
    return event.device, event.boot, event.number

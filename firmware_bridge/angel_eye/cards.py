"""Cards of one shoe: each reported once, at its place, and counted.

The shoe sends no count; this one jumps if the order of the deal proves a lost card.
"""

from typing import Final, Literal

import msgspec

from firmware_bridge.angel_eye.open_round import DEAL, FIRST_PLACE, Place, ShoeRound
from firmware_bridge.angel_eye.wording import TARGETS
from protocols.angel_eye.messages import CardDrawn, CardRetransmitted, ShoeMessage
from regulations.events import inputs
from regulations.events.cards import Card
from regulations.events.inputs import AnyInput, ClaimedPosition


class CardsState(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A stack's cards, without the open round.

    Attributes:
        count: cards reported, certainly lost, or entered by a person.
        unread_half: the last half of an unread card: an error, a card of rank 0 (Q4), or both.
    """

    count: int = 0
    missing: int = 0
    anything_lost: bool = True
    unread_half: Literal["error", "card"] | None = None
    in_overdraw: bool = False


class DrawTracker:
    def __init__(self, device: str, state: CardsState) -> None:
        self._device: Final = device
        self._state: Final = state
        self._round: Final = ShoeRound()
        self._entered = 0
        self._last_raw = b""
        self._overdrawn: list[Card | None] = []
        self.repeats = 0

    def stack_loaded(self) -> None:
        self._state.count = 0
        self._last_raw = b""
        self.shoe_changed()

    def goes_on(self) -> None:
        self._round.new_shoe()

    def shoe_changed(self) -> None:
        self._state.missing = self._entered = 0
        self._overdrawn = []
        self._round.new_shoe()

    def entered(self) -> None:
        """A person entered a card that the shoe did not tell."""
        self._state.count += 1
        self._entered += 1

    def lost_telegrams(self, missing: int, *, is_known: bool) -> None:
        self._state.missing += missing
        self._state.anything_lost = self._state.anything_lost or not is_known

    # --- what the shoe tells -----------------------------------------------------------------------------------------

    def drawn(self, message: CardDrawn) -> tuple[list[AnyInput], int]:
        """The events, and the number of lost cards in a jump of the count."""
        place: Place = (message.target, message.index)
        if self._state.in_overdraw:
            return self._overdrawn_at_once(message, place), 0
        if self._round.begins_round(place):
            self._round.round_over()
        missing, self._state.missing = self._state.missing, 0
        entered, self._entered = self._entered, 0
        anything_lost, self._state.anything_lost = self._state.anything_lost, False
        last_raw, self._last_raw = self._last_raw, message.raw
        is_old = message.raw == last_raw or not self._round.may_be_next_round(place, missing)
        if self._round.is_told(place, message.card) and is_old:
            self.repeats += 1
            return [], 0
        skipped = self._round.lost_before(place)
        # What a person entered is counted already.
        lost = max((skipped if anything_lost else min(skipped, missing)) - entered, 0)
        is_partial = not self._round.is_known and place in DEAL and place != FIRST_PLACE
        self._round.record(place, message.card)
        if self._completes_unread(message):
            return [], 0
        self._state.count += lost
        # The card before what blocks the table: after it, it would count as not due.
        events = [self._event(message)]
        if is_partial:
            self._round.is_known = True
            events.append(inputs.RoundPartial(device=self._device, raw=message.raw.hex()))
        return events, lost

    def again(self, message: CardRetransmitted) -> list[AnyInput]:
        """A card that was overdrawn and belongs to the next round."""
        self._state.in_overdraw = False
        place: Place = (message.target, message.index)
        is_told = self._round.is_told_ahead(place, message.card)
        self._round.record_ahead(place, message.card)
        if message.card in self._overdrawn:
            self._overdrawn.remove(message.card)
        elif not is_told:
            return [self._event(message)]
        self.repeats += 1
        return []

    def unplaced(self, message: ShoeMessage, card: Card | None = None) -> AnyInput:
        """A card is out whose target the shoe does not report; ``card`` may be ``None``."""
        self._state.count += 1
        return inputs.CardDrawn(card=card, device=self._device, count=self._state.count, raw=message.raw.hex())

    def not_read(self, message: ShoeMessage) -> list[AnyInput]:
        half, self._state.unread_half = self._state.unread_half, None
        if half == "card":
            return []
        self._state.unread_half = "error"
        if self._state.in_overdraw:
            self._overdrawn.append(None)
        else:
            self._round.record_unplaced()
        return [self.unplaced(message)]

    def unread_over(self) -> None:
        self._state.unread_half = None

    def overdraw_begins(self) -> None:
        """The shoe repeats the card once the error is cleared."""
        if not self._state.in_overdraw:
            self._overdrawn = []
        self._state.in_overdraw = True
        if self._state.unread_half == "error":
            # The card that could not be read was the overdrawn one.
            self._overdrawn.append(None)
        self._state.unread_half = None

    def overdraw_over(self) -> None:
        self._state.in_overdraw = False

    def round_over(self) -> bool:
        was_known = self._round.is_known
        self._state.missing = self._entered = 0
        self._overdrawn = []
        self._round.round_over()
        return was_known

    def _overdrawn_at_once(self, message: CardDrawn, place: Place) -> list[AnyInput]:
        if self._round.is_told_ahead(place, message.card):
            self.repeats += 1
            return []
        self._round.record_ahead(place, message.card)
        if self._completes_unread(message):
            return []
        self._overdrawn.append(message.card)
        return [self._event(message)]

    def _completes_unread(self, message: CardDrawn) -> bool:
        # True if an error has told this card already, because it could not be read.
        half, self._state.unread_half = self._state.unread_half, None
        if message.card is not None:
            return False
        if half == "error":
            return True
        self._state.unread_half = "card"
        return False

    def _event(self, message: CardDrawn | CardRetransmitted) -> AnyInput:
        self._state.count += 1
        return inputs.CardDrawn(
            card=message.card,
            device=self._device,
            count=self._state.count,
            claimed=ClaimedPosition(to=TARGETS[message.target], position=message.index),
            raw=message.raw.hex(),
        )

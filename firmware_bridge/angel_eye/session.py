"""The session of one shoe: what its telegrams mean for the table (``docs/protocols/angel-eye.md``, "What the host does").

A telegram comes three times; a repeat is dropped by (Seq, whole frame) within a second, and a card told again for the
same place is no new card. A gap in Seq that the order of the deal explains becomes a gap in ``count``, which the
regulation makes an irregularity; any other gap is a fault that a person must look at. The shoe plays baccarat by
itself: where it puts a card, and its result, travel along as its own opinion.
"""

from collections import OrderedDict
from typing import Final

from msgspec import UNSET

from firmware_bridge.angel_eye.places import FIRST_PLACE, Place, Places
from protocols.angel_eye.messages import (
    CardDrawn,
    CardDrawnOutsideGame,
    CardRetransmitted,
    CutCardDrawn,
    ErrorCleared,
    ErrorCode,
    ErrorRaised,
    Outcome,
    PresetChanged,
    RoundResult,
    ShoeMessage,
    Started,
    Target,
)
from regulations.cards import Card
from regulations.events import inputs
from regulations.events.inputs import AnyInput, Claimed
from regulations.events.vocabulary import DeviceOutcome, Side
from regulations.events.vocabulary import Target as TableTarget

REPEAT_WINDOW_S: Final = 1.0
"""Seconds in which the same frame is the same telegram: the three copies take 0.1 s, and even at full speed the nine
numbers of Seq do not come round with the same content within a second."""
SEQUENCE_NUMBERS: Final = 9
REMEMBERED_FRAMES: Final = 32
"""More than the telegrams that fit into the window at 4800 baud."""
GAP: Final = "sequence_gap"
RESTARTED: Final = "restarted"
PRESET: Final = "preset_changed"
UNREADABLE: Final = frozenset({int(ErrorCode.CANNOT_READ), int(ErrorCode.CARD_CODE)})
"""These errors say that a card is out and was not read; the shoe may tell it once more as a card of rank 0."""

_TARGETS: Final[dict[Target, TableTarget]] = {
    Target.PLAYER: "player",
    Target.BANKER: "banker",
    Target.BURN: "burn",
    Target.BURN_COUNT_FIXING: "burn",
    Target.BURN_BY_COUNT: "burn",
}
_OUTCOMES: Final[dict[Outcome, DeviceOutcome]] = {
    Outcome.PLAYER: "player",
    Outcome.BANKER: "banker",
    Outcome.TIE: "tie",
    Outcome.FORCED_END: "forced_end",
}


class ShoeSession:
    """Turns what one shoe says into events of the table log.

    Args:
        device: the shoe's name in the log.
    """

    def __init__(self, device: str) -> None:
        self._device: Final = device
        self._recent: OrderedDict[bytes, float] = OrderedDict()
        self._last_seq: int | None = None
        self._places: Final = Places()
        self._count = 0
        self._change_expected = True
        self._unread_told = False
        self._overdrawn: list[Card | None] = []
        self._in_overdraw = False
        self.repeats = 0
        """Telegrams dropped because they had been heard."""
        self.gaps = 0
        """Telegrams that were never heard, by Seq; nine in a row go unnoticed."""

    # --- memory ------------------------------------------------------------------------------------------------------

    def stack_loaded(self) -> None:
        """A new stack is in: the count of cards starts anew."""
        self._count = 0
        self._change_expected = False
        self._places.clear()
        self._overdrawn.clear()

    def shoe_over(self) -> None:
        """The shoe game is over: the shoe may be changed or switched off and on."""
        self._change_expected = True

    def remember(self, event: AnyInput, message: ShoeMessage | None) -> None:
        """Takes up an event of the journal after a restart, so that the session goes on where it was.

        Args:
            event: an input of the journal, in its order.
            message: the telegram in its ``raw``, if it came from this shoe.
        """
        if isinstance(event, inputs.Loaded):
            self.stack_loaded()
        if message is None:
            return
        self._last_seq = message.seq
        if isinstance(event, inputs.CardDrawn) and event.count is not UNSET:
            self._count = event.count
        if isinstance(message, CardDrawn | CardRetransmitted):
            place = (message.target, message.index)
            if self._places.begins_round(place):
                self._places.clear()
            self._places.tell(place, message.card)
        elif isinstance(message, RoundResult):
            self._places.clear()
        elif isinstance(message, CutCardDrawn):
            self._change_expected = True
        elif isinstance(message, ErrorRaised) and message.code in UNREADABLE:
            self._unread_told = True

    # --- hearing -----------------------------------------------------------------------------------------------------

    def hear(self, message: ShoeMessage, now_s: float) -> list[AnyInput]:
        """What a telegram means for the table.

        Args:
            message: the telegram, with its raw bytes.
            now_s: when it was heard, seconds of a steady clock.

        Returns:
            Events in the order in which the table must take them; none for a repeat.
        """
        if self._is_repeat(message, now_s):
            self.repeats += 1
            return []
        missing = self._missing_before(message)
        self.gaps += missing
        events, explained = self._meaning(message, missing)
        if missing > explained:
            events += self._passing_fault(GAP, message)
        return events

    def lost(self) -> list[AnyInput]:
        """The link is gone."""
        return [inputs.DeviceLost(device=self._device)]

    def back(self) -> list[AnyInput]:
        """The link is there again; what the shoe said meanwhile shows as a gap in Seq."""
        return [inputs.DeviceBack(device=self._device)]

    def _is_repeat(self, message: ShoeMessage, now_s: float) -> bool:
        # Seq is part of the raw frame.
        first_heard = self._recent.get(message.raw)
        if first_heard is not None and now_s - first_heard <= REPEAT_WINDOW_S:
            return True
        self._recent[message.raw] = now_s
        self._recent.move_to_end(message.raw)
        if len(self._recent) > REMEMBERED_FRAMES:
            self._recent.popitem(last=False)
        return False

    def _missing_before(self, message: ShoeMessage) -> int:
        last, self._last_seq = self._last_seq, message.seq
        # What Seq does when the shoe starts is not known: any number may follow.
        if last is None or isinstance(message, Started):
            return 0
        return (message.seq - last - 1) % SEQUENCE_NUMBERS

    def _meaning(self, message: ShoeMessage, missing: int) -> tuple[list[AnyInput], int]:
        """The events, and how many missing telegrams they account for."""
        match message:
            case CardDrawn():
                return self._card(message, missing)
            case CardRetransmitted():
                return self._card_again(message), 0
            case CardDrawnOutsideGame():
                return [self._unread(message)], 0
            case RoundResult():
                return self._result(message), 0
            case CutCardDrawn():
                self._change_expected = True
                return [inputs.CutCard(device=self._device, raw=message.raw.hex())], 0
            case ErrorRaised():
                return self._error(message), 0
            case ErrorCleared():
                return self._error_cleared(message), 0
            case Started():
                return self._started(message), 0
            case PresetChanged():
                return self._passing_fault(PRESET, message), 0
            case _:
                # Stand-by is no boundary of a round, and the key is a person's.
                return [], 0

    # --- cards -------------------------------------------------------------------------------------------------------

    def _card(self, message: CardDrawn, missing: int) -> tuple[list[AnyInput], int]:
        place: Place = (message.target, message.index)
        if self._places.begins_round(place):
            self._places.clear()
        if self._places.is_told(place, message.card):
            self.repeats += 1
            return [], 0
        unread_told, self._unread_told = self._unread_told, False
        if unread_told and message.card is None:
            # The error before it has told this card already.
            self._places.tell(place, None)
            return [], 0
        events = self._joined_in_mid_round(place)
        lost = min(self._places.lost_before(place), missing)
        self._count += lost + 1
        self._places.tell(place, message.card)
        if self._in_overdraw:
            self._overdrawn.append(message.card)
        return [*events, self._event(message, place, message.card)], lost

    def _card_again(self, message: CardRetransmitted) -> list[AnyInput]:
        """A card that was overdrawn and belongs to the next round."""
        self._places.clear()
        self._places.tell((message.target, message.index), message.card)
        if message.card in self._overdrawn:
            self._overdrawn.remove(message.card)
            self.repeats += 1
            return []
        self._count += 1
        return [self._event(message, (message.target, message.index), message.card)]

    def _event(self, message: ShoeMessage, place: Place, card: Card | None) -> AnyInput:
        return inputs.CardDrawn(
            card=card,
            device=self._device,
            count=self._count,
            claimed=Claimed(to=_TARGETS[place[0]], position=place[1]),
            raw=message.raw.hex(),
        )

    def _unread(self, message: ShoeMessage) -> AnyInput:
        """A card is out, and the shoe does not say which or where it goes."""
        self._count += 1
        return inputs.CardDrawn(card=None, device=self._device, count=self._count, raw=message.raw.hex())

    def _joined_in_mid_round(self, place: Place) -> list[AnyInput]:
        """The first card heard is not a round's first: what came before is unknown."""
        if self._places.known or place == FIRST_PLACE or place[0] not in (Target.PLAYER, Target.BANKER):
            return []
        self._places.known = True
        return [inputs.RoundPartial(device=self._device)]

    # --- the rest ----------------------------------------------------------------------------------------------------

    def _result(self, message: RoundResult) -> list[AnyInput]:
        joined_late = not self._places.known
        self._places.clear()
        if joined_late:
            return [inputs.RoundPartial(device=self._device, raw=message.raw.hex())]
        pairs: list[Side] = []
        if message.player_pair:
            pairs.append("player")
        if message.banker_pair:
            pairs.append("banker")
        outcome = _OUTCOMES[message.outcome]
        return [inputs.DeviceResult(device=self._device, outcome=outcome, pairs=pairs, raw=message.raw.hex())]

    def _error(self, message: ErrorRaised) -> list[AnyInput]:
        if message.code in UNREADABLE:
            self._unread_told = True
            return [self._unread(message)]
        self._in_overdraw = self._in_overdraw or message.code == ErrorCode.OVERDRAW
        return [inputs.Fault(device=self._device, code=message.code, raw=message.raw.hex())]

    def _error_cleared(self, message: ErrorCleared) -> list[AnyInput]:
        if message.code in UNREADABLE:
            self._unread_told = False
            return []
        if message.code == ErrorCode.OVERDRAW:
            self._in_overdraw = False
        return [inputs.FaultCleared(device=self._device, code=message.code, raw=message.raw.hex())]

    def _started(self, message: Started) -> list[AnyInput]:
        """The shoe was switched on: a change of shoe if the cut card came before, else a restart."""
        # S after C, or between two shoe games, is one change of shoe; S alone is only a restart.
        if self._change_expected or not self._count:
            self._places.clear()
            return []
        return self._passing_fault(RESTARTED, message)

    def _passing_fault(self, code: str, message: ShoeMessage) -> list[AnyInput]:
        """Something that is over as soon as it is noticed, and that a person must look at all the same."""
        raw = message.raw.hex()
        return [
            inputs.Fault(device=self._device, code=code, raw=raw),
            inputs.FaultCleared(device=self._device, code=code),
        ]

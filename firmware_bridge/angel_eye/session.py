"""Session of one Angel Eye shoe (``docs/firmware-bridge.md`` has the rules).

A gap in Seq that the deal explains becomes a gap in ``count``; any other is a fault.
"""

from typing import Final, cast

import msgspec
from msgspec import UNSET

from firmware_bridge.angel_eye.cards import CardsState, DrawTracker
from firmware_bridge.angel_eye.sequence import SEQUENCE_NUMBERS, Arrival, Sequence, SequenceState
from firmware_bridge.angel_eye.wording import OUTCOMES, pairs_of
from firmware_bridge.session_state import SessionState, StatefulSession
from protocols.angel_eye.codec import decode_telegram
from protocols.angel_eye.messages import (
    CardDrawn,
    CardDrawnOutsideGame,
    CardReadOutsideGame,
    CardRetransmitted,
    CutCardDrawn,
    ErrorCleared,
    ErrorCode,
    ErrorRaised,
    PresetChanged,
    RoundResult,
    ShoeMessage,
    Started,
    Telegram,
)
from protocols.errors import FrameError
from protocols.garbage import NotUnderstood
from regulations.events import inputs
from regulations.events.inputs import AnyInput
from regulations.events.line import DeviceReport
from regulations.events.origins import origin_of

GAP: Final = "sequence_gap"
COPIES_DIFFER: Final = "copies_differ"
RESTARTED: Final = "restarted"
PRESET: Final = "preset_changed"
_SEQ_ZERO: Final = 0x30
UNREADABLE: Final = frozenset({int(ErrorCode.CANNOT_READ), int(ErrorCode.CARD_CODE)})


class AngelEyeState(SessionState, kw_only=True, forbid_unknown_fields=True):
    is_lost: bool = False
    errors: set[int] = msgspec.field(default_factory=set)
    cut_card_out: bool = False
    shoe_over: bool = False
    sequence: SequenceState = msgspec.field(default_factory=SequenceState)
    cards: CardsState = msgspec.field(default_factory=CardsState)


class ShoeSession(StatefulSession[ShoeMessage, AngelEyeState]):
    form = AngelEyeState

    def _begin(self, state: AngelEyeState) -> None:
        self.state = state
        self._sequence = Sequence(state.sequence)
        # How long it was that nobody could hear is not known.
        self._sequence.broken()
        self._cards = DrawTracker(self._device, state.cards)
        self._copies = 0
        self.gaps = 0
        """Lost telegrams, by Seq; nine in a row go unnoticed."""

    @property
    def repeats(self) -> int:
        """Telegrams dropped because they, or the card in them, had been heard."""
        return self._copies + self._cards.repeats

    # --- memory ------------------------------------------------------------------------------------------------------

    def stack_loaded(self) -> None:
        self._cards.stack_loaded()
        self._sequence.forget_bytes()
        self.state.cut_card_out = self.state.shoe_over = False

    def shoe_over(self) -> None:
        self.state.shoe_over = True

    def card_entered(self) -> None:
        self._cards.entered()

    def stack_logged(self) -> None:
        self.stack_loaded()
        self._sequence.forget()

    def snapshot(self) -> AngelEyeState | None:
        return None if self.state.cards.count else self.state

    def restore(self, snapshot: bytes) -> None:
        super().restore(snapshot)
        self._cards.goes_on()

    def replay(self, event: AnyInput) -> None:
        message = self._telegram_of(event)
        match event:
            case inputs.Loaded():
                self.stack_logged()
            case inputs.CardDrawn() if origin_of(event) == "person":
                self.card_entered()
            case inputs.ShoeEnded() | inputs.StackCounted() | inputs.Resolve(action="end_shoe"):
                self.shoe_over()
            case inputs.DeviceLost() | inputs.DeviceBack() if event.device == self._device:
                self.state.is_lost = isinstance(event, inputs.DeviceLost)
            case _:
                pass
        if message is None:
            return
        arrival = self._sequence.replay(message)
        if arrival is not None and type(message) is Telegram:
            self._unknown(arrival)
        elif arrival is not None:
            self._meaning(cast("ShoeMessage", message), arrival)
        if isinstance(event, inputs.CardDrawn) and event.count is not UNSET:
            self.state.cards.count = event.count

    def _telegram_of(self, event: AnyInput) -> ShoeMessage | Telegram | None:
        if not isinstance(event, DeviceReport) or event.device != self._device or event.raw is UNSET:
            return None
        try:
            return decode_telegram(bytes.fromhex(event.raw))
        except FrameError as error:
            is_unknown = isinstance(event, inputs.Fault) and event.frame_type is not UNSET
            return _numbered(error.raw) if is_unknown else None
        except ValueError:
            return None

    # --- hearing -----------------------------------------------------------------------------------------------------

    def translate(self, message: ShoeMessage, now_s: float) -> list[AnyInput]:
        arrival = self._sequence.arrival(message, now_s)
        if arrival is None:
            self._copies += 1
            return []
        self.gaps += arrival.missing
        events, explained = self._meaning(message, arrival)
        if arrival.differs:
            return events + self._passing_fault(COPIES_DIFFER, message)
        if arrival.missing <= explained:
            return events
        gap = self._passing_fault(GAP, message)
        # What blocks the table makes a card that comes after it one that is not due: the fault comes last. The cards
        # of a jump come when a person has named them, and no later irregularity may be open then: it comes first.
        return gap + events if explained else events + gap

    def strange(self, what: NotUnderstood, now_s: float) -> list[AnyInput]:
        telegram = None if what.frame_type is None else _numbered(what.raw)
        if telegram is None:
            is_copy = what.frame_type is not None and self._sequence.is_copy(what.raw, now_s)
            self._copies += is_copy
            return [] if is_copy else super().strange(what, now_s)
        arrival = self._sequence.arrival(telegram, now_s)
        if arrival is None:
            self._copies += 1
            return []
        self.gaps += arrival.missing
        self._unknown(arrival)
        events = super().strange(what, now_s)
        if arrival.differs:
            return events + self._passing_fault(COPIES_DIFFER, telegram)
        return events + self._passing_fault(GAP, telegram) if arrival.missing else events

    def _unknown(self, arrival: Arrival) -> None:
        self._cards.lost_telegrams(arrival.missing + (not arrival.differs), is_known=not arrival.is_first)

    def lost(self) -> list[AnyInput]:
        self.state.is_lost = True
        self._sequence.broken()
        return [inputs.DeviceLost(device=self._device)]

    def back(self) -> list[AnyInput]:
        was_lost, self.state.is_lost = self.state.is_lost, False
        return [inputs.DeviceBack(device=self._device)] if was_lost else []

    def _meaning(self, message: ShoeMessage, arrival: Arrival) -> tuple[list[AnyInput], int]:
        self._cards.lost_telegrams(arrival.missing, is_known=not arrival.is_first)
        if isinstance(message, CardDrawn):
            # Outside of a game it would have been told as `d`; an overdrawn card may be told at once (Q14).
            playing = self._errors_over(message, besides=ErrorCode.OVERDRAW)
            events, explained = self._cards.drawn(message)
            return playing + events, explained
        return self._other_meaning(message), 0

    def _other_meaning(self, message: ShoeMessage) -> list[AnyInput]:
        match message:
            case CardRetransmitted():
                return self._errors_over(message) + self._cards.again(message)
            case CardDrawnOutsideGame():
                named = message.card if isinstance(message, CardReadOutsideGame) else None
                return [self._cards.unplaced(message, named)]
            case RoundResult():
                return self._errors_over(message) + self._result(message)
            case CutCardDrawn():
                self.state.cut_card_out = True
                return [inputs.CutCard(device=self._device, raw=message.raw.hex())]
            case ErrorRaised():
                return self._error(message)
            case ErrorCleared():
                return self._error_cleared(message)
            case Started():
                return self._errors_over(message) + self._started(message)
            case _:
                # Stand-by is no boundary of a round, and the key is a person's.
                return self._passing_fault(PRESET, message) if isinstance(message, PresetChanged) else []

    def _result(self, message: RoundResult) -> list[AnyInput]:
        self._cards.unread_over()
        self._cards.overdraw_over()
        raw = message.raw.hex()
        if not self._cards.round_over():
            return [inputs.RoundPartial(device=self._device, raw=raw)]
        outcome = OUTCOMES[message.outcome]
        return [inputs.DeviceResult(device=self._device, outcome=outcome, pairs=pairs_of(message), raw=raw)]

    def _error(self, message: ErrorRaised) -> list[AnyInput]:
        if message.code in UNREADABLE:
            return self._cards.not_read(message)
        if message.code == ErrorCode.OVERDRAW:
            self._cards.overdraw_begins()
        self.state.errors.add(message.code)
        return [inputs.Fault(device=self._device, code=message.code, raw=message.raw.hex())]

    def _error_cleared(self, message: ErrorCleared) -> list[AnyInput]:
        if message.code in UNREADABLE:
            self._cards.unread_over()
            return []
        if message.code == ErrorCode.OVERDRAW:
            self._cards.overdraw_over()
        self.state.errors.discard(message.code)
        return [inputs.FaultCleared(device=self._device, code=message.code, raw=message.raw.hex())]

    def _errors_over(self, message: ShoeMessage, *, besides: int | None = None) -> list[AnyInput]:
        # Errors that are over because the shoe plays: their clearing was lost, and nothing else would end
        # them.
        if not self.state.errors:
            return []
        over = sorted(code for code in self.state.errors if code != besides)
        self.state.errors.difference_update(over)
        return [inputs.FaultCleared(device=self._device, code=code, raw=message.raw.hex()) for code in over]

    def _started(self, message: Started) -> list[AnyInput]:
        self._cards.unread_over()
        self._cards.overdraw_over()
        is_change = self.state.cut_card_out or self.state.shoe_over
        self.state.cut_card_out = False
        if is_change:
            self._cards.shoe_changed()
            return []
        # Before the first card of a stack there is nothing that a restart could have lost.
        return self._passing_fault(RESTARTED, message) if self.state.cards.count else []

    def _passing_fault(self, code: str, message: Telegram) -> list[AnyInput]:
        # Something that is over as soon as it is noticed, and that a person must look at all the same.
        raw = message.raw.hex()
        return [
            inputs.Fault(device=self._device, code=code, raw=raw),
            inputs.FaultCleared(device=self._device, code=code, raw=raw),
        ]


def _numbered(raw: bytes) -> Telegram | None:
    seq = raw[1] - _SEQ_ZERO
    return Telegram(seq, raw=raw) if 1 <= seq <= SEQUENCE_NUMBERS else None

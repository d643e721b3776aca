"""Each type of telegram as one row: its layout, and how fields and message turn into each other.

``docs/protocols/angel-eye.md``, sections 4 to 6. The rows hold no framing: a frame that comes here is whole, and its
check characters are right.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from protocols.angel_eye import layout
from protocols.angel_eye.messages import (
    CardDrawn,
    CardDrawnOutsideGame,
    CardRetransmitted,
    CutCardDrawn,
    ErrorCleared,
    ErrorRaised,
    LockChanged,
    Outcome,
    PresetChanged,
    RoundResult,
    StandBy,
    Started,
    Target,
    Telegram,
)
from protocols.errors import EncodeError, FrameError
from protocols.layouts import Layout
from regulations.cards import DECK, RANKS, Card, Suit, rank_of, suit_of

Fields = Mapping[str, Any]
M = TypeVar("M", bound=Telegram)

FIRST_PAYLOAD_BYTE: Final = 3
"""Index in a frame, after ENQ, Seq and type."""

_TARGETS: Final = {target.value: target for target in Target}
_OUTCOMES: Final = {outcome.value: outcome for outcome in Outcome}
_SUIT_CODES: Final[dict[Suit, int]] = {"D": 1, "C": 2, "S": 3, "H": 4}
_CODES: Final[dict[Card | None, tuple[int, int]]] = {
    None: (0, 0),
    **{card: (_SUIT_CODES[suit_of(card)], RANKS.index(rank_of(card)) + 1) for card in DECK},
}
# Without a rank the card was not read, whatever the suit field says: a card that left the shoe is never dropped for it.
_CARDS: Final[dict[tuple[int, int], Card | None]] = {
    **{codes: card for card, codes in _CODES.items()},
    **{(suit, 0): None for suit in _SUIT_CODES.values()},
}
_HAND_INDEXES: Final = range(1, 4)
_BURN_INDEXES: Final = range(11)
_INDEXES: Final[dict[Target, range]] = {
    Target.PLAYER: _HAND_INDEXES,
    Target.BANKER: _HAND_INDEXES,
    Target.BURN: _BURN_INDEXES,
    Target.BURN_COUNT_FIXING: _BURN_INDEXES,
    Target.BURN_BY_COUNT: _BURN_INDEXES,
}
_LOCKED: Final = 0
_IN_ERROR: Final = 1
_SETTING_MODE: Final = 2
_STATES: Final[dict[tuple[bool, bool, bool], int]] = {
    (True, False, False): _LOCKED,
    (False, True, False): _IN_ERROR,
    (False, False, True): _SETTING_MODE,
}
_LOCK_REST: Final = 0b1000000
"""Written to bits 7 to 1 of L, of which nothing is known but bit 0: bit 7 set, as in every other payload byte."""


@dataclass(frozen=True, slots=True)
class Row(Generic[M]):
    """One type of telegram.

    Attributes:
        kind: the type byte.
        message: the class of its messages.
        layout: the bytes from Seq to ETX.
        read: payload fields, seq and frame to message; raises ``FrameError`` for a value the page does not allow.
        write: message to payload fields; raises ``EncodeError`` for a message that has no form in bytes.
    """

    kind: int
    message: type[M]
    layout: Layout
    read: Callable[[Fields, int, bytes], M]
    write: Callable[[M], Fields]


def _nothing(_message: Telegram) -> Fields:
    return {}


def _place_and_card(fields: Fields, raw: bytes) -> tuple[Target, int, Card | None]:
    bits = fields["card"]
    target = _TARGETS.get(bits.target)
    if target is None or bits.index not in _INDEXES[target]:
        raise FrameError(FIRST_PAYLOAD_BYTE, raw, "payload")
    codes = (bits.suit, bits.rank)
    if codes not in _CARDS:
        raise FrameError(FIRST_PAYLOAD_BYTE + 1, raw, "payload")
    return target, bits.index, _CARDS[codes]


def _read_drawn(fields: Fields, seq: int, raw: bytes) -> CardDrawn:
    target, index, card = _place_and_card(fields, raw)
    return CardDrawn(seq, target, index, card, raw=raw)


def _read_retransmitted(fields: Fields, seq: int, raw: bytes) -> CardRetransmitted:
    target, index, card = _place_and_card(fields, raw)
    return CardRetransmitted(seq, target, index, card, raw=raw)


def _write_card(message: CardDrawn | CardRetransmitted) -> Fields:
    suit, rank = _CODES[message.card]
    return {"card": {"target": message.target.value, "index": message.index, "suit": suit, "rank": rank}}


def _read_outside(fields: Fields, seq: int, raw: bytes) -> CardDrawnOutsideGame:
    state = fields["outside"].state
    return CardDrawnOutsideGame(
        seq,
        locked=state == _LOCKED,
        in_error=state == _IN_ERROR,
        setting_mode=state == _SETTING_MODE,
        error_code=fields["outside"].error_code,
        raw=raw,
    )


def _write_outside(message: CardDrawnOutsideGame) -> Fields:
    state = _STATES.get((message.locked, message.in_error, message.setting_mode))
    if state is None:
        raise EncodeError(message, "exactly one of locked, in_error and setting_mode must be true")
    return {"outside": {"state": state, "error_code": message.error_code}}


def _read_result(fields: Fields, seq: int, raw: bytes) -> RoundResult:
    bits = fields["result"]
    outcome = _OUTCOMES.get(bits.outcome)
    if outcome is None:
        raise FrameError(FIRST_PAYLOAD_BYTE, raw, "payload")
    return RoundResult(seq, outcome, bits.player_pair, bits.banker_pair, raw=raw)


def _write_result(message: RoundResult) -> Fields:
    pairs = {"player_pair": message.player_pair, "banker_pair": message.banker_pair}
    return {"result": {"outcome": message.outcome.value, **pairs}}


def _read_raised(fields: Fields, seq: int, raw: bytes) -> ErrorRaised:
    return ErrorRaised(seq, fields["error"].code, fields["error"].error_mode, raw=raw)


def _write_raised(message: ErrorRaised) -> Fields:
    return {"error": {"code": message.code, "error_mode": message.error_mode}}


def _read_cleared(fields: Fields, seq: int, raw: bytes) -> ErrorCleared:
    return ErrorCleared(seq, fields["error"].code, raw=raw)


def _write_cleared(message: ErrorCleared) -> Fields:
    return {"error": {"code": message.code}}


def _read_lock(fields: Fields, seq: int, raw: bytes) -> LockChanged:
    return LockChanged(seq, fields["lock"].locked, raw=raw)


def _write_lock(message: LockChanged) -> Fields:
    return {"lock": {"rest": _LOCK_REST, "locked": message.locked}}


def _read_preset(fields: Fields, seq: int, raw: bytes) -> PresetChanged:
    return PresetChanged(seq, fields["address"].decode("ascii"), fields["value"].decode("ascii"), raw=raw)


def _write_preset(message: PresetChanged) -> Fields:
    # A character beyond ASCII becomes "?", which the comparison in encode_telegram then refuses.
    return {"address": message.address.encode("ascii", "replace"), "value": message.value.encode("ascii", "replace")}


def _bare(kind: str, message: type[M], bare_layout: Layout) -> Row[M]:
    def read(_fields: Fields, seq: int, raw: bytes) -> M:
        return message(seq, raw=raw)

    return Row(ord(kind), message, bare_layout, read, _nothing)


ROWS: Final[tuple[Row[Any], ...]] = (
    _bare("S", Started, layout.STARTED),
    _bare("P", StandBy, layout.STAND_BY),
    Row(ord("D"), CardDrawn, layout.CARD_DRAWN, _read_drawn, _write_card),
    Row(ord("d"), CardDrawnOutsideGame, layout.CARD_DRAWN_OUTSIDE_GAME, _read_outside, _write_outside),
    Row(ord("R"), CardRetransmitted, layout.CARD_RETRANSMITTED, _read_retransmitted, _write_card),
    Row(ord("G"), RoundResult, layout.ROUND_RESULT, _read_result, _write_result),
    _bare("C", CutCardDrawn, layout.CUT_CARD_DRAWN),
    Row(ord("E"), ErrorRaised, layout.ERROR_RAISED, _read_raised, _write_raised),
    Row(ord("e"), ErrorCleared, layout.ERROR_CLEARED, _read_cleared, _write_cleared),
    Row(ord("L"), LockChanged, layout.LOCK_CHANGED, _read_lock, _write_lock),
    Row(ord("M"), PresetChanged, layout.PRESET_CHANGED, _read_preset, _write_preset),
)
"""Every type of telegram (section 3)."""

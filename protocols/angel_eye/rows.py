"""Each type of telegram as a row (``docs/protocols/angel-eye.md``, sections 4 to 6)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Generic, TypeVar

from protocols.angel_eye import layout
from protocols.angel_eye.messages import (
    CardDrawn,
    CardDrawnOutsideGame,
    CardReadOutsideGame,
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
from protocols.errors import EncodeError
from protocols.layouts import BitLayout
from regulations.events.cards import DECK, RANKS, Card, Suit, rank_of, suit_of

Fields = Mapping[str, Any]
M = TypeVar("M", bound=Telegram)

_OF_THE_FRAME: Final = frozenset(field.name for field in fields(Telegram))

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
"""Bits 7 to 1 of L are unknown; bit 7 is set in every payload byte."""


class BadField(ValueError):
    def __init__(self, offset: int) -> None:
        super().__init__(offset)
        self.offset: Final = offset


@dataclass(frozen=True, slots=True)
class TelegramSpec(Generic[M]):
    kind: int
    message: type[M]
    layout: BitLayout
    values: Callable[[M], tuple[Any, ...]]
    read: Callable[[Fields], tuple[Any, ...]]
    write: Callable[..., Fields]


def _row(
    kind: str, message: type[M], part: BitLayout, read: Callable[..., Any], write: Callable[..., Fields]
) -> TelegramSpec[M]:
    names = [field.name for field in fields(message) if field.name not in _OF_THE_FRAME]
    return TelegramSpec(
        ord(kind), message, part, lambda said: tuple([getattr(said, name) for name in names]), read, write
    )


def _bits(kind: str, message: type[M], part: BitLayout, name: str, *values: str, **constant: int) -> TelegramSpec[M]:
    def read(fields: Fields) -> tuple[Any, ...]:
        return tuple(getattr(fields[name], value) for value in values)

    def write(*said: int) -> Fields:
        return {name: dict(zip(values, said, strict=True)) | constant}

    return _row(kind, message, part, read, write)


def _bare(kind: str, message: type[M]) -> TelegramSpec[M]:
    return _row(kind, message, layout.NOTHING, lambda _fields: (), dict)


def _read_card(fields: Fields) -> tuple[Target, int, Card | None]:
    bits = fields["card"]
    target = _TARGETS.get(bits.target)
    if target is None or bits.index not in _INDEXES[target]:
        raise BadField(0)
    codes = (bits.suit, bits.rank)
    if codes not in _CARDS:
        raise BadField(1)
    return target, bits.index, _CARDS[codes]


def _write_card(target: Target, index: int, card: Card | None) -> Fields:
    suit, rank = _CODES[card]
    return {"card": {"target": target.value, "index": index, "suit": suit, "rank": rank}}


def _read_outside(fields: Fields) -> tuple[bool, bool, bool, int]:
    state = fields["outside"].state
    return state == _LOCKED, state == _IN_ERROR, state == _SETTING_MODE, fields["outside"].error_code


def _read_card_outside(fields: Fields) -> tuple[bool, bool, bool, int, Card | None]:
    codes = (fields["outside"].suit, fields["outside"].rank)
    if codes not in _CARDS:
        raise BadField(1)
    return *_read_outside(fields), _CARDS[codes]


def _write_outside(locked: bool, in_error: bool, setting_mode: bool, error_code: int) -> Fields:  # noqa: FBT001  its fields
    states = (locked, in_error, setting_mode)
    if states not in _STATES:
        raise EncodeError(states, "exactly one of locked, in_error and setting_mode must be true")
    return {"outside": {"state": _STATES[states], "error_code": error_code}}


def _write_card_outside(
    locked: bool,  # noqa: FBT001  its field
    in_error: bool,  # noqa: FBT001  its field
    setting_mode: bool,  # noqa: FBT001  its field
    error_code: int,
    card: Card | None,
) -> Fields:
    suit, rank = _CODES[card]
    state = _write_outside(locked, in_error, setting_mode, error_code)["outside"]
    return {"outside": {**state, "suit": suit, "rank": rank}}


def _read_result(fields: Fields) -> tuple[Outcome, bool, bool]:
    bits = fields["result"]
    outcome = _OUTCOMES.get(bits.outcome)
    if outcome is None:
        raise BadField(0)
    return outcome, bits.player_pair, bits.banker_pair


def _write_result(outcome: Outcome, player_pair: bool, banker_pair: bool) -> Fields:  # noqa: FBT001  its fields
    return {"result": {"outcome": outcome.value, "player_pair": player_pair, "banker_pair": banker_pair}}


def _read_preset(fields: Fields) -> tuple[str, str]:
    return fields["address"].decode("ascii"), fields["value"].decode("ascii")


def _write_preset(address: str, value: str) -> Fields:
    # A character beyond ASCII becomes "?", which reading the payload back then shows.
    return {"address": address.encode("ascii", "replace"), "value": value.encode("ascii", "replace")}


ROWS: Final[tuple[TelegramSpec[Any], ...]] = (
    _bare("S", Started),
    _bare("P", StandBy),
    _row("D", CardDrawn, layout.CARD, _read_card, _write_card),
    _row("d", CardDrawnOutsideGame, layout.OUTSIDE_GAME, _read_outside, _write_outside),
    _row("d", CardReadOutsideGame, layout.READ_OUTSIDE_GAME, _read_card_outside, _write_card_outside),
    _row("R", CardRetransmitted, layout.CARD, _read_card, _write_card),
    _row("G", RoundResult, layout.RESULT, _read_result, _write_result),
    _bare("C", CutCardDrawn),
    _bits("E", ErrorRaised, layout.ERROR_RAISED, "error", "code", "error_mode"),
    _bits("e", ErrorCleared, layout.ERROR_CLEARED, "error", "code"),
    _bits("L", LockChanged, layout.LOCK, "lock", "locked", rest=_LOCK_REST),
    _row("M", PresetChanged, layout.PRESET, _read_preset, _write_preset),
)

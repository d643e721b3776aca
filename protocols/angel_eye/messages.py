"""Messages of an Angel Eye shoe (``docs/protocols/angel-eye.md``, sections 3 to 6).

``seq`` is 1 to 9; equal ``raw`` marks copies of one telegram and is not compared.
"""

from dataclasses import dataclass, field
from enum import Enum, IntEnum

from protocols.angel_eye.commands import Ack, Command, CommandType, Nak, NakCode, Rejected, Reply
from regulations.events.cards import Card

__all__ = [
    "Ack",
    "CardDrawn",
    "CardDrawnOutsideGame",
    "CardReadOutsideGame",
    "CardRetransmitted",
    "Command",
    "CommandType",
    "CutCardDrawn",
    "ErrorCleared",
    "ErrorCode",
    "ErrorRaised",
    "LockChanged",
    "Nak",
    "NakCode",
    "Outcome",
    "PresetChanged",
    "Rejected",
    "Reply",
    "RoundResult",
    "ShoeMessage",
    "StandBy",
    "Started",
    "Target",
    "Telegram",
]


class Target(Enum):
    """In the shoe's own model of the game; the wire code (section 4)."""

    PLAYER = 0
    BANKER = 1
    BURN = 2
    BURN_COUNT_FIXING = 4
    """The first card, whose value fixes how many are burned."""
    BURN_BY_COUNT = 5

    __hash__ = object.__hash__


class Outcome(Enum):
    """As the shoe sees it; the wire code (section 5)."""

    PLAYER = 1
    TIE = 2
    BANKER = 4
    FORCED_END = 7


class ErrorCode(IntEnum):
    """Messages carry ``int``, since others may come (section 6)."""

    CANNOT_READ = 1
    OVERDRAW = 2
    WRONG_BUTTON = 3
    PUSHED_BACK_AT_EXIT = 4
    PUSHED_BACK_MIDWAY = 5
    CARD_CODE = 6
    DRAW_TIMED_OUT = 7


@dataclass(frozen=True, slots=True)
class Telegram:
    seq: int
    raw: bytes = field(default=b"", compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Started(Telegram):
    """``S``: after power-up or a change of shoe."""


@dataclass(frozen=True, slots=True)
class StandBy(Telegram):
    """``P``: no limit of a round."""


@dataclass(frozen=True, slots=True)
class CardDrawn(Telegram):
    """``D``: in a game; ``index`` is 1 to 3, for burns 0 to 10; ``card`` ``None``: not read."""

    target: Target
    index: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class CardRetransmitted(Telegram):
    """``R``: sent again after an overdraw; it belongs to the next round."""

    target: Target
    index: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class CardDrawnOutsideGame(Telegram):
    """``d``: locked, in error or in setting mode, or unlisted; ``error_code`` is 0 to 15."""

    locked: bool
    in_error: bool
    setting_mode: bool
    error_code: int


@dataclass(frozen=True, slots=True)
class CardReadOutsideGame(CardDrawnOutsideGame):
    """``d`` with a byte for the card; ``None``: not read."""

    card: Card | None


@dataclass(frozen=True, slots=True)
class RoundResult(Telegram):
    """``G``: by the shoe's own count."""

    outcome: Outcome
    player_pair: bool
    banker_pair: bool


@dataclass(frozen=True, slots=True)
class CutCardDrawn(Telegram):
    """``C``: the cut card left the shoe."""


@dataclass(frozen=True, slots=True)
class ErrorRaised(Telegram):
    """``E``: ``code`` is 0 to 63; in ``error_mode`` until cleared."""

    code: int
    error_mode: bool


@dataclass(frozen=True, slots=True)
class ErrorCleared(Telegram):
    """``e``: ``code``, 0 to 127, is over."""

    code: int


@dataclass(frozen=True, slots=True)
class LockChanged(Telegram):
    """``L``: with the key at the shoe."""

    locked: bool


@dataclass(frozen=True, slots=True)
class PresetChanged(Telegram):
    """``M``: at the shoe; ``address`` has 2 and ``value`` 4 printable ASCII characters."""

    address: str
    value: str


ShoeMessage = (
    Started
    | StandBy
    | CardDrawn
    | CardRetransmitted
    | CardDrawnOutsideGame
    | CardReadOutsideGame
    | RoundResult
    | CutCardDrawn
    | ErrorRaised
    | ErrorCleared
    | LockChanged
    | PresetChanged
)

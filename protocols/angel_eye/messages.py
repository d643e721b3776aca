"""Messages of an Angel Eye shoe to the host (``docs/protocols/angel-eye.md``, sections 3 to 6).

Every message has ``seq``, 1 to 9, and ``raw``, its frame: equal ``raw`` marks copies of one telegram. ``raw`` is empty
in a message that was not received, and is not compared.
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
    """The destination of a card in the shoe's model of the game; the value is the wire code (section 4)."""

    PLAYER = 0
    BANKER = 1
    BURN = 2
    BURN_COUNT_FIXING = 4
    """The first card of the shoe, whose value fixes how many are burned."""
    BURN_BY_COUNT = 5
    """One of the cards burned by that count."""

    __hash__ = object.__hash__


class Outcome(Enum):
    """The result of a round as the shoe sees it; the value is the code on the wire (section 5)."""

    PLAYER = 1
    TIE = 2
    BANKER = 4
    FORCED_END = 7


class ErrorCode(IntEnum):
    """Known errors of a shoe; messages carry ``int``, since others may come (section 6)."""

    CANNOT_READ = 1
    OVERDRAW = 2
    WRONG_BUTTON = 3
    PUSHED_BACK_AT_EXIT = 4
    PUSHED_BACK_MIDWAY = 5
    CARD_CODE = 6
    DRAW_TIMED_OUT = 7


@dataclass(frozen=True, slots=True)
class Telegram:
    """The part that all telegrams share: ``seq``, 1 to 9, and the frame it came in."""

    seq: int
    raw: bytes = field(default=b"", compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Started(Telegram):
    """``S``: the shoe began to communicate, after power-up or a change of shoe."""


@dataclass(frozen=True, slots=True)
class StandBy(Telegram):
    """``P``: the shoe stands by; no limit of a round."""


@dataclass(frozen=True, slots=True)
class CardDrawn(Telegram):
    """``D``: a card left the shoe in a game.

    ``index`` is 1 to 3 for player and banker, 0 to 10 for burns; ``card`` is ``None`` when it was not read.
    """

    target: Target
    index: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class CardRetransmitted(Telegram):
    """``R``: a card sent again once an overdraw was cleared; it belongs to the next round. Fields as ``CardDrawn``."""

    target: Target
    index: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class CardDrawnOutsideGame(Telegram):
    """``d``: a card left the shoe while it was locked, in error or in setting mode.

    One of the three is true, or none in a state that the page does not list. ``error_code`` is 0 to 15.
    """

    locked: bool
    in_error: bool
    setting_mode: bool
    error_code: int


@dataclass(frozen=True, slots=True)
class CardReadOutsideGame(CardDrawnOutsideGame):
    """``d`` with a second payload byte, which names the card; ``card`` is ``None`` when it was not read."""

    card: Card | None


@dataclass(frozen=True, slots=True)
class RoundResult(Telegram):
    """``G``: the result of a round by the shoe's own count, a second opinion."""

    outcome: Outcome
    player_pair: bool
    banker_pair: bool


@dataclass(frozen=True, slots=True)
class CutCardDrawn(Telegram):
    """``C``: the cut card left the shoe."""


@dataclass(frozen=True, slots=True)
class ErrorRaised(Telegram):
    """``E``: an error, ``code`` 0 to 63; ``error_mode`` when the shoe stays in error until it is cleared."""

    code: int
    error_mode: bool


@dataclass(frozen=True, slots=True)
class ErrorCleared(Telegram):
    """``e``: the error ``code``, 0 to 127, is over."""

    code: int


@dataclass(frozen=True, slots=True)
class LockChanged(Telegram):
    """``L``: the lock was changed with the key at the shoe."""

    locked: bool


@dataclass(frozen=True, slots=True)
class PresetChanged(Telegram):
    """``M``: a preset was changed at the shoe; ``address`` is 2 and ``value`` 4 printable ASCII characters."""

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

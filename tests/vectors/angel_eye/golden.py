"""Angel Eye frames written by hand from the byte tables of docs/protocols/angel-eye.md, never by our codec."""

from typing import Final, NamedTuple

from protocols.angel_eye.messages import (
    Ack,
    CardDrawn,
    CardDrawnOutsideGame,
    CardReadOutsideGame,
    CardRetransmitted,
    Command,
    CutCardDrawn,
    ErrorCleared,
    ErrorCode,
    ErrorRaised,
    LockChanged,
    Nak,
    NakCode,
    Outcome,
    PresetChanged,
    Reply,
    RoundResult,
    ShoeMessage,
    StandBy,
    Started,
    Target,
)
from protocols.errors import FrameReason


class Telegram(NamedTuple):
    name: str
    frame: str
    message: ShoeMessage


class Order(NamedTuple):
    name: str
    frame: str
    command: Command


class Answer(NamedTuple):
    name: str
    frame: str
    reply: Reply


class Refused(NamedTuple):
    name: str
    frame: str
    offset: int
    reason: FrameReason


TELEGRAMS: Final = (
    Telegram("started", "05 31 53 03 36 31", Started(1)),
    Telegram("stand-by", "05 32 50 03 36 31", StandBy(2)),
    Telegram("8 of spades to player 1", "05 31 44 81 B8 03 34 46", CardDrawn(1, Target.PLAYER, 1, "8S")),
    Telegram("10 of hearts to banker 3", "05 39 44 93 CA 03 32 37", CardDrawn(9, Target.BANKER, 3, "TH")),
    Telegram("king of diamonds burned as 10th", "05 35 44 AA 9D 03 34 35", CardDrawn(5, Target.BURN, 10, "KD")),
    Telegram(
        "ace of clubs fixes the burn count",
        "05 36 44 C0 A1 03 31 30",
        CardDrawn(6, Target.BURN_COUNT_FIXING, 0, "AC"),
    ),
    Telegram("unread card burned by count", "05 37 44 D1 80 03 32 31", CardDrawn(7, Target.BURN_BY_COUNT, 1, None)),
    Telegram(
        "queen of hearts again, player 1",
        "05 38 52 81 CC 03 32 34",
        CardRetransmitted(8, Target.PLAYER, 1, "QH"),
    ),
    Telegram(
        "drawn while locked",
        "05 31 64 80 03 44 36",
        CardDrawnOutsideGame(1, locked=True, in_error=False, setting_mode=False, error_code=0),
    ),
    Telegram(
        "drawn while in error 2",
        "05 32 64 92 03 43 37",
        CardDrawnOutsideGame(2, locked=False, in_error=True, setting_mode=False, error_code=2),
    ),
    Telegram(
        "drawn while in setting mode",
        "05 33 64 A0 03 46 34",
        CardDrawnOutsideGame(3, locked=False, in_error=False, setting_mode=True, error_code=0),
    ),
    Telegram(
        "five of hearts drawn while locked",
        "05 31 64 80 C5 03 31 33",
        CardReadOutsideGame(1, locked=True, in_error=False, setting_mode=False, error_code=0, card="5H"),
    ),
    Telegram(
        "ace of clubs drawn while in error 2",
        "05 32 64 92 A1 03 36 36",
        CardReadOutsideGame(2, locked=False, in_error=True, setting_mode=False, error_code=2, card="AC"),
    ),
    Telegram(
        "player wins, player pair",
        "05 32 47 91 03 45 37",
        RoundResult(2, Outcome.PLAYER, player_pair=True, banker_pair=False),
    ),
    Telegram(
        "tie, both pairs",
        "05 34 47 A3 03 44 33",
        RoundResult(4, Outcome.TIE, player_pair=True, banker_pair=True),
    ),
    Telegram(
        "banker wins, banker pair",
        "05 35 47 C2 03 42 33",
        RoundResult(5, Outcome.BANKER, player_pair=False, banker_pair=True),
    ),
    Telegram(
        "forced end",
        "05 36 47 F0 03 38 32",
        RoundResult(6, Outcome.FORCED_END, player_pair=False, banker_pair=False),
    ),
    Telegram("cut card", "05 33 43 03 37 33", CutCardDrawn(3)),
    Telegram("cannot read, error mode", "05 34 45 C1 03 42 33", ErrorRaised(4, ErrorCode.CANNOT_READ, error_mode=True)),
    Telegram("draw timed out", "05 35 45 87 03 46 34", ErrorRaised(5, ErrorCode.DRAW_TIMED_OUT, error_mode=False)),
    Telegram("unknown error 63", "05 36 45 BF 03 43 46", ErrorRaised(6, 63, error_mode=False)),
    Telegram("error 1 cleared", "05 37 65 81 03 44 30", ErrorCleared(7, ErrorCode.CANNOT_READ)),
    Telegram("unknown error 127 cleared", "05 38 65 FF 03 41 31", ErrorCleared(8, 127)),
    Telegram("locked by key", "05 39 4C 81 03 46 37", LockChanged(9, locked=True)),
    Telegram("unlocked by key", "05 31 4C 80 03 46 45", LockChanged(1, locked=False)),
    Telegram("preset 07 is 0120", "05 32 4D 30 37 30 31 32 30 03 37 38", PresetChanged(2, "07", "0120")),
)
"""Every type of telegram, both directions: decoded to the message, and encoded to exactly these bytes."""

READ_ONLY: Final = (
    Telegram("lock as a raw 1", "05 31 4C 01 03 37 46", LockChanged(1, locked=True)),
    Telegram("lock as ASCII 1", "05 31 4C 31 03 34 46", LockChanged(1, locked=True)),
    Telegram("lock as ASCII 0", "05 31 4C 30 03 34 45", LockChanged(1, locked=False)),
    Telegram(
        "result with bits 3 and 2 set",
        "05 35 47 CC 03 42 44",
        RoundResult(5, Outcome.BANKER, player_pair=False, banker_pair=False),
    ),
    Telegram("suit read, rank not", "05 33 44 82 B0 03 34 36", CardDrawn(3, Target.PLAYER, 2, None)),
    Telegram(
        "drawn in the unknown state 3",
        "05 34 64 B0 03 45 33",
        CardDrawnOutsideGame(4, locked=False, in_error=False, setting_mode=False, error_code=0),
    ),
    Telegram(
        "drawn while locked, suit read, rank not",
        "05 33 64 80 B0 03 36 34",
        CardReadOutsideGame(3, locked=True, in_error=False, setting_mode=False, error_code=0, card=None),
    ),
)
"""Accepted from a shoe, never written by us in this form."""

REFUSED_TELEGRAMS: Final = (
    Refused("nothing", "", 0, "length"),
    Refused("wrong start", "04 31 53 03 36 31", 0, "start"),
    Refused("acknowledgement", "06", 0, "start"),
    Refused("start alone", "05", 1, "length"),
    Refused("no type yet", "05 31", 2, "length"),
    Refused("no check characters", "05 31 53 03", 4, "length"),
    Refused("one check character", "05 31 53 03 36", 5, "length"),
    Refused("a byte too many", "05 31 53 03 36 31 31", 6, "length"),
    Refused("lock payload is a NAK", "05 31 4C 15 03 36 42", 3, "payload"),
    Refused("no end byte", "05 31 53 04 36 36", 3, "etx"),
    Refused("lower-case check character", "05 31 44 81 B8 03 34 66", 7, "bcc"),
    Refused("check characters differ", "05 31 44 81 B8 03 34 45", 6, "bcc"),
    Refused("broken off by another", "05 31 44 05 31 53 03 36 31", 3, "truncated"),
)
"""Not one telegram: where the first wrong byte is, and the check that fails."""


NOT_UNDERSTOOD: Final = (
    Refused("seq 0", "05 30 53 03 36 30", 1, "seq"),
    Refused("seq 10", "05 3A 53 03 36 41", 1, "seq"),
    Refused("unknown type A", "05 31 41 03 37 33", 2, "type"),
    Refused("card byte 1 without bit 7", "05 31 44 01 B8 03 43 46", 3, "payload"),
    Refused("card byte 2 without bit 7", "05 31 44 81 38 03 43 46", 4, "payload"),
    Refused("target 3", "05 31 44 B1 B8 03 37 46", 3, "payload"),
    Refused("target 6", "05 31 44 E1 B8 03 32 46", 3, "payload"),
    Refused("target 7", "05 31 44 F1 B8 03 33 46", 3, "payload"),
    Refused("player index 0", "05 31 44 80 B8 03 34 45", 3, "payload"),
    Refused("player index 4", "05 31 44 84 B8 03 34 41", 3, "payload"),
    Refused("burn index 11", "05 31 44 AB B8 03 36 35", 3, "payload"),
    Refused("rank without suit", "05 31 44 81 88 03 37 46", 4, "payload"),
    Refused("suit 5", "05 31 44 81 D8 03 32 46", 4, "payload"),
    Refused("suit 7, rank 0", "05 31 44 81 F0 03 30 37", 4, "payload"),
    Refused("rank 14", "05 31 44 81 BE 03 34 39", 4, "payload"),
    Refused("rank 15", "05 31 44 81 BF 03 34 38", 4, "payload"),
    Refused("suit 5 retransmitted", "05 31 52 81 D8 03 33 39", 4, "payload"),
    Refused("outcome 0", "05 32 47 80 03 46 36", 3, "payload"),
    Refused("outcome 3", "05 32 47 B0 03 43 36", 3, "payload"),
    Refused("outcome 5", "05 32 47 D0 03 41 36", 3, "payload"),
    Refused("outcome 6", "05 32 47 E0 03 39 36", 3, "payload"),
    Refused("preset with a control character", "05 32 4D 30 37 30 1F 32 30 03 35 36", 6, "payload"),
    Refused("three bytes for a card", "05 31 44 81 B8 80 03 43 46", 5, "etx"),
    Refused("target 3 with a longer payload", "05 31 44 B1 B8 80 03 46 46", 5, "etx"),
    Refused("d with a card of suit 5", "05 31 64 80 D5 03 30 33", 4, "payload"),
    Refused("type u with nothing", "05 31 75 03 34 37", 2, "type"),
)
"""Frames whose check is right and which the page does not have."""

COMMANDS: Final = (
    Order("lock", "02 4F 50 4C 4B 30 32 03 31 42", Command.lock()),
    Order("unlock", "02 4F 50 4C 4B 30 31 03 31 38", Command.unlock()),
    Order("clear error 7", "02 4F 50 45 43 30 37 03 31 46", Command.clear_error(7)),
    Order("clear error 10", "02 4F 50 45 43 31 30 03 31 39", Command.clear_error(10)),
    Order("confirm the round", "02 4F 50 47 50 30 30 03 30 39", Command.confirm_round()),
)

REFUSED_COMMANDS: Final = (
    Refused("nothing", "", 0, "length"),
    Refused("wrong start", "05 4F 50 4C 4B 30 32 03 31 42", 0, "start"),
    Refused("a byte too few", "02 4F 50 4C 4B 30 32 03 31", 9, "length"),
    Refused("a byte too many", "02 4F 50 4C 4B 30 32 03 31 42 31", 10, "length"),
    Refused("no end byte", "02 4F 50 4C 4B 30 32 04 31 43", 7, "etx"),
    Refused("check characters differ", "02 4F 50 4C 4B 30 32 03 31 43", 8, "bcc"),
    Refused("check characters without the start byte", "02 4F 50 4C 4B 30 32 03 31 39", 8, "bcc"),
    Refused("lower-case check character", "02 4F 50 4C 4B 30 32 03 31 62", 8, "bcc"),
    Refused("letters OQ", "02 4F 51 4C 4B 30 32 03 31 41", 1, "command"),
    Refused("type LL", "02 4F 50 4C 4C 30 32 03 31 43", 3, "type"),
    Refused("data A2", "02 4F 50 4C 4B 41 32 03 36 41", 5, "payload"),
)

REPLIES: Final = (
    Answer("taken", "06", Ack()),
    Answer("line error", "15 30 31", Nak(NakCode.LINE)),
    Answer("check characters wrong", "15 30 32", Nak(NakCode.BCC)),
    Answer("no end byte", "15 30 33", Nak(NakCode.NO_ETX)),
    Answer("format", "15 31 31", Nak(NakCode.FORMAT)),
    Answer("address", "15 31 32", Nak(NakCode.ADDRESS)),
    Answer("command", "15 31 33", Nak(NakCode.COMMAND)),
    Answer("type", "15 31 34", Nak(NakCode.TYPE)),
    Answer("busy", "15 32 31", Nak(NakCode.BUSY)),
    Answer("writing", "15 32 32", Nak(NakCode.WRITING)),
    Answer("other", "15 46 46", Nak(NakCode.OTHER)),
)

REPLIES_READ_ONLY: Final = (
    Answer("code as one byte: check characters wrong", "15 02", Nak(NakCode.BCC)),
    Answer("code as one byte: no end byte", "15 03", Nak(NakCode.NO_ETX)),
    Answer("code as one byte: busy", "15 21", Nak(NakCode.BUSY)),
    Answer("code as one byte: other", "15 FF", Nak(NakCode.OTHER)),
    Answer("the command itself as an answer", "02 4F 50 4C 4B 30 32 03 31 42", Ack()),
    Answer("an answer with data", "02 4C 4B 30 32 30 31 03 30 35", Ack()),
)
"""Accepted from a shoe, never written by our simulated one in this form."""

REFUSED_REPLIES: Final = (
    Refused("nothing", "", 0, "length"),
    Refused("wrong start", "05", 0, "start"),
    Refused("two acknowledgements", "06 06", 1, "length"),
    Refused("refusal without code", "15", 1, "length"),
    Refused("half a code", "15 30", 2, "length"),
    Refused("a byte too many", "15 30 31 31", 3, "length"),
    Refused("unknown code 30", "15 33 30", 1, "code"),
    Refused("lower-case code", "15 66 66", 1, "code"),
    Refused("a byte too many after a code of one", "15 21 31", 2, "length"),
    Refused("an answer with data and a wrong check", "02 4F 50 4C 4B 30 32 03 31 43", 8, "bcc"),
)

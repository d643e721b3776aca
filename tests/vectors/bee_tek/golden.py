"""Bee-Tek lines written by hand from the tables of docs/protocols/bee-tek.md, never by our codec."""

from typing import Final, NamedTuple

from protocols.bee_tek.messages import AlarmRaised, BeeTekMessage, CardDrawn, CardNotRead, Mode, WarningGiven
from protocols.errors import FrameReason


class Said(NamedTuple):
    frame: bytes
    message: BeeTekMessage


class Refused(NamedTuple):
    frame: bytes
    offset: int
    reason: FrameReason


GAME: Final = Mode.GAME
MANUAL: Final = Mode.DIAGNOSTIC

FRAMES: Final = (
    Said(b"[Game]<Card:4S>", CardDrawn("4S", GAME)),
    Said(b"[Game]<Card:TH>", CardDrawn("TH", GAME)),
    Said(b"[Manual Burn Cards]<Card:TH>", CardDrawn("TH", MANUAL)),
    Said(b"[Manual Burn Cards]<Card:AC>", CardDrawn("AC", MANUAL)),
    Said(b"[Game]<Game>", CardNotRead()),
    Said(b"[GameAlarm]<Alarm:E3 Card Not Read>", AlarmRaised("E3 Card Not Read")),
    Said(b"[GameAlarm]<Alarm:Door>", AlarmRaised("Door")),
    Said(b"<W0x01>", WarningGiven(1)),
    Said(b"<W0xFF>", WarningGiven(255)),
)
"""Frames as our encoder writes them, too."""

READ_ONLY: Final = (
    Said(b"[Manual Burn Cards]<Game>", CardNotRead()),
    Said(b"[Game]<Card:10S>", CardDrawn("TS", GAME)),
    Said(b"[Manual Burn Cards]<Card:10D>", CardDrawn("TD", MANUAL)),
    Said(b"[ Game ] < Card:4S >", CardDrawn("4S", GAME)),
    Said(b"[Game]<Card: KD>", CardDrawn("KD", GAME)),
    Said(b"[Game]<Card:4S>4S", CardDrawn("4S", GAME)),
    Said(b"[Game]<Card:4S> 4S4S", CardDrawn("4S", GAME)),
    Said(b"[Game]<Card:TS>10S", CardDrawn("TS", GAME)),
    Said(b"[Game]<Alarm:E3 Card Not Read>", AlarmRaised("E3 Card Not Read")),
    Said(b"[Manual Burn Cards]<Alarm:E1>", AlarmRaised("E1")),
    Said(b"[Game]<W0x1f>", WarningGiven(0x1F)),
)
"""Frames that are understood and never written by us."""

REFUSED: Final = (
    Refused(b"", 0, "truncated"),
    Refused(b"4S", 0, "truncated"),
    Refused(b"[Game]<Card:4S", 0, "truncated"),
    Refused(b"[Game<Card:4S>", 0, "truncated"),
    Refused(b"<Card:4S>", 1, "type"),
    Refused(b"[Gbme]<Card:4S>", 1, "type"),
    Refused(b"[GameAlarm]<Card:4S>", 12, "type"),
    Refused(b"[Game]<Cart:4S>", 7, "type"),
    Refused(b"[Game]<Card:1S>", 12, "payload"),
    Refused(b"[Game]<Card:4s>", 12, "payload"),
    Refused(b"[Game]<Card:4S5H>", 12, "payload"),
    Refused(b"[Game]<Card:>", 12, "payload"),
    Refused(b"[Game]<Alarm:>", 13, "payload"),
    Refused(b"[Game]<Alarm:" + b"x" * 41 + b">", 13, "payload"),
    Refused(b"[Game]<W0x1>", 7, "type"),
    Refused(b"[Game]<Card:4S>4H", 15, "payload"),
    Refused(b"[Game]<Card:4S>4", 15, "length"),
    Refused(b"[Game]<Game>4S", 12, "length"),
    Refused(b"[Manual Burn Cards]<Card:4S>4S", 28, "length"),
)

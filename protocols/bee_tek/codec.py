"""One Bee-Tek frame to one message and back (``docs/protocols/bee-tek.md``)."""

import re
from typing import Final

from protocols.bee_tek.messages import AlarmRaised, BeeTekMessage, CardDrawn, CardNotRead, Mode, WarningGiven
from protocols.errors import EncodeError, FrameError
from regulations.events.cards import DECK, Card

LINE_END: Final = b"\r\n"
FRAME: Final = re.compile(
    rb"(?:\[ *(?P<tag>[A-Za-z][A-Za-z ]{0,23}) *\] *)?< *(?P<body>[!-;=?-~](?:[ -;=?-~]{0,46}[!-;=?-~])?) *>"
)
"""A warning lacks the tag (section 3)."""
_CARD_CHARACTERS: Final = re.compile(rb"(?:10|[2-9TJQKA])[CDHS]")
REPEATED: Final = re.compile(rb"(?: *(?:10|[2-9TJQKA])[CDHS])+")
"""Card characters after a frame (section 4)."""

_CARDS: Final[dict[bytes, Card]] = {
    **{card.encode(): card for card in DECK},
    **{b"10" + card[1].encode(): card for card in DECK if card[0] == "T"},
}
_MODES: Final = {mode.value.encode(): mode for mode in Mode}
_GAME: Final = Mode.GAME.value.encode()
_TAGS: Final = frozenset({*_MODES, b"GameAlarm"})
_CARD: Final = b"Card:"
_ALARM: Final = b"Alarm:"
_WARNING: Final = re.compile(rb"W0x([0-9A-Fa-f]{2})")
_ALARM_TEXT: Final = re.compile(rb"[!-;=?-~](?:[ -;=?-~]{0,38}[!-;=?-~])?")


def decode_frame(raw: bytes) -> BeeTekMessage:
    """The message of one frame without line end (sections 3 to 5).

    Raises:
        FrameError: not exactly one known frame.
    """
    match = FRAME.match(raw)
    if match is None:
        raise FrameError(0, raw, "truncated")
    message = _meaning(raw, match)
    rest = raw[match.end() :]
    if rest:
        _check_repeated(raw, match.end(), message)
    return message


def encode_line(message: BeeTekMessage, *, repeat: bool = False) -> bytes:
    """The line of ``message`` with its end; ``message.raw`` plays no part.

    Raises:
        EncodeError: a field has no form in bytes.
    """
    raw = _written(message)
    if repeat and isinstance(message, CardDrawn):
        raw += message.card.encode("ascii", "replace")
    try:
        read_back = decode_frame(raw)
    except FrameError as error:
        raise EncodeError(message, str(error)) from error
    if read_back != message:
        raise EncodeError(message, f"its frame would be read as {read_back!r}")
    return raw + LINE_END


def _meaning(raw: bytes, match: re.Match[bytes]) -> BeeTekMessage:
    tag = None if match["tag"] is None else match["tag"].rstrip(b" ")
    body = match["body"]
    if tag is not None and tag not in _TAGS:
        raise FrameError(match.start("tag"), raw, "type")
    if (warning := _WARNING.fullmatch(body)) is not None:
        return WarningGiven(int(warning[1], 16), raw=raw)
    at = match.start("body")
    if tag is None:
        raise FrameError(at, raw, "type")
    if body.startswith(_ALARM):
        text = body.removeprefix(_ALARM).strip(b" ")
        if _ALARM_TEXT.fullmatch(text) is None:
            raise FrameError(at + len(_ALARM), raw, "payload")
        return AlarmRaised(text.decode("ascii"), raw=raw)
    if body.startswith(_CARD) and tag in _MODES:
        characters = body.removeprefix(_CARD).strip(b" ")
        if characters not in _CARDS:
            raise FrameError(at + len(_CARD), raw, "payload")
        return CardDrawn(_CARDS[characters], _MODES[tag], raw=raw)
    if body == _GAME and tag in _MODES:
        return CardNotRead(raw=raw)
    raise FrameError(at, raw, "type")


def _check_repeated(raw: bytes, at: int, message: BeeTekMessage) -> None:
    rest = raw[at:]
    if REPEATED.fullmatch(rest) is None:
        raise FrameError(at, raw, "length")
    if not isinstance(message, CardDrawn) or message.mode is not Mode.GAME:
        raise FrameError(at, raw, "length")
    if any(_CARDS[characters] != message.card for characters in _CARD_CHARACTERS.findall(rest)):
        raise FrameError(at, raw, "payload")


def _written(message: BeeTekMessage) -> bytes:
    match message:
        case CardDrawn():
            text = f"[{message.mode.value}]<Card:{message.card}>"
        case CardNotRead():
            text = "[Game]<Game>"
        case AlarmRaised():
            text = f"[GameAlarm]<Alarm:{message.text}>"
        case _:
            text = f"<W0x{message.code:02X}>"
    # A character beyond ASCII becomes "?", which the comparison in encode_line then refuses.
    return text.encode("ascii", "replace")

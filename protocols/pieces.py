"""The bytes of a recorded line, piece by piece."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from typing import Final, NamedTuple, Protocol

from protocols.errors import EXPLANATIONS, FrameError, FrameReason
from protocols.garbage import Garbage
from regulations.events.cards import DECK


class Piece(NamedTuple):
    """A frame, or a run of other bytes.

    Attributes:
        reason: ``None`` for a frame.
        masked: as ``what``, without faces of cards.
    """

    raw: bytes
    what: str
    reason: FrameReason | None = None
    bad: int = 0
    masked: str = ""


MASKED_FACE: Final = "??"
_FACES: Final = frozenset(DECK)
Frames = Callable[[bytes], Iterator[Piece]]
"""Spaces and line ends between frames may be left out."""
Decode = Callable[[bytes], object]


class Message(Protocol):
    @property
    def raw(self) -> bytes:
        """The frame in which it came."""


def pieces(items: Iterable[Message], decode: Callable[[bytes], Decode]) -> Iterator[Piece]:
    for item in items:
        yield _bad(item, decode(item.raw)) if isinstance(item, Garbage) else _good(item)


def _bad(damage: Garbage, decode: Decode) -> Piece:
    bad = 0
    if damage.reason in {"truncated", "length"}:
        bad = len(damage.raw)
    elif damage.reason != "noise":
        try:
            decode(damage.raw)
        except FrameError as error:
            bad = error.offset
    return Piece(damage.raw, EXPLANATIONS[damage.reason], damage.reason, bad)


def _good(message: Message) -> Piece:
    values = {name: getattr(message, name) for name in getattr(message, "__match_args__", ()) if name != "raw"}
    masked = {
        name: MASKED_FACE if isinstance(value, str) and value in _FACES else value for name, value in values.items()
    }
    return Piece(message.raw, _message_text(message, values), masked=_message_text(message, masked))


def _message_text(message: object, values: Mapping[str, object]) -> str:
    said = (f"{name}={value.name.lower() if isinstance(value, Enum) else value}" for name, value in values.items())
    return f"{type(message).__name__} {' '.join(said)}".rstrip()

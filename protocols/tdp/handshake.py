"""Content of the frames that open and end a session (``docs/protocols/tdp.md``, section 4)."""

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any, Final, Self

import construct

from protocols.errors import EncodeError, FrameError
from protocols.layouts import BitLayout
from protocols.tdp.framing import ENCODED_MAX, PAYLOAD_MAX, VERSION
from protocols.tdp.timing import WINDOW_MAX

PAYLOAD_MIN: Final = 16
"""An end must accept at least these bytes."""

_OFFER: Final = BitLayout(
    "lowest" / construct.Int8ub,
    "highest" / construct.Int8ub,
    "window" / construct.Int8ub,
    "payload_max" / construct.Int8ub,
    "security" / construct.Int8ub,
)
_ANSWER: Final = BitLayout(
    "version" / construct.Int8ub,
    "window" / construct.Int8ub,
    "payload_max" / construct.Int8ub,
    "security" / construct.Int8ub,
)
_RESET: Final = BitLayout("reason" / construct.Int8ub, "lowest" / construct.Int8ub, "highest" / construct.Int8ub)
FULL_WINDOW_S: Final = 0.1
"""A full window on the line, within ``RETRY_S``."""

_BITS: Final = 10
_FRAME_BYTES: Final = ENCODED_MAX + 2 - PAYLOAD_MAX
_WINDOWS: Final = range(1, WINDOW_MAX + 1)
_PAYLOADS: Final = range(PAYLOAD_MIN, PAYLOAD_MAX + 1)


class Security(IntEnum):
    """Both ends are set to one; nothing is negotiated down."""

    PLAIN = 0
    """For bring-up; refused in production profiles."""
    TLS13 = 1
    """With certificates on both sides."""


_SECURITIES: Final = {security.value: security for security in Security}


class ResetReason(IntEnum):
    """A reader keeps a number that it does not know."""

    UNKNOWN_SESSION = 1
    CLOSED = 2
    VERSION = 3
    SECURITY = 4
    LOST = 5


@dataclass(frozen=True, slots=True)
class Terms:
    """How an end is set, and what both agreed on.

    Attributes:
        window: unacknowledged frames, 1 to 4.
        payload_max: bytes, 16 to 224.
    """

    window: int = WINDOW_MAX
    payload_max: int = PAYLOAD_MAX
    security: int = Security.TLS13

    def __post_init__(self) -> None:
        if self.window not in _WINDOWS or self.payload_max not in _PAYLOADS:
            raise EncodeError(self, f"window must be 1 to {WINDOW_MAX}, payload_max {PAYLOAD_MIN} to {PAYLOAD_MAX}")

    def at(self, baud: int) -> Self:
        """The offer for a serial line of ``baud``: the bytes of ``FULL_WINDOW_S``."""
        room = int(baud / _BITS * FULL_WINDOW_S)
        window = max(1, min(self.window, room // (self.payload_max + _FRAME_BYTES)))
        payload_max = max(PAYLOAD_MIN, min(self.payload_max, room // window - _FRAME_BYTES))
        return replace(self, window=window, payload_max=payload_max)


@dataclass(frozen=True, slots=True)
class LinkOffer:
    """``OPEN``; numbers of a later version are reduced to the limits here."""

    lowest: int
    highest: int
    terms: Terms


@dataclass(frozen=True, slots=True)
class Reset:
    """The reason, and the versions that its sender speaks."""

    reason: int
    lowest: int = VERSION
    highest: int = VERSION


def agreed(ours: Terms, theirs: Terms) -> Terms:
    """The smaller of each number; the security must be the same already."""
    return Terms(min(ours.window, theirs.window), min(ours.payload_max, theirs.payload_max), ours.security)


def encode_offer(terms: Terms) -> bytes:
    return _OFFER.build({"lowest": VERSION, "highest": VERSION, **_numbers(terms)})


def decode_offer(payload: bytes) -> LinkOffer:
    """Bytes after those known belong to later versions and are ignored.

    Raises:
        FrameError: too short, versions in the wrong order, or too small a number.
    """
    fields = _OFFER.parse(payload[: _OFFER.size])
    if fields["lowest"] > fields["highest"]:
        raise FrameError(0, payload, "payload")
    possible = {
        "window": min(fields["window"], WINDOW_MAX),
        "payload_max": min(fields["payload_max"], PAYLOAD_MAX),
        "security": fields["security"],
    }
    return LinkOffer(fields["lowest"], fields["highest"], _terms(possible, payload))


def encode_answer(terms: Terms) -> bytes:
    return _ANSWER.build({"version": VERSION, **_numbers(terms)})


def decode_answer(payload: bytes) -> Terms:
    """What ``ACCEPT`` agrees to.

    Raises:
        FrameError: too short, a number outside its range, or another version.
    """
    fields = _ANSWER.parse(payload[: _ANSWER.size])
    if fields["version"] != VERSION:
        raise FrameError(0, payload, "payload")
    return _terms(fields, payload)


def encode_reset(reset: Reset) -> bytes:
    """The payload of ``RESET``.

    Raises:
        EncodeError: a number does not fit a byte.
    """
    return _RESET.build({"reason": reset.reason, "lowest": reset.lowest, "highest": reset.highest})


def decode_reset(payload: bytes) -> Reset:
    """What ``RESET`` says.

    Raises:
        FrameError: too short.
    """
    fields = _RESET.parse(payload[: _RESET.size])
    return Reset(fields["reason"], fields["lowest"], fields["highest"])


def _numbers(terms: Terms) -> dict[str, int]:
    return {"window": terms.window, "payload_max": terms.payload_max, "security": terms.security}


def _terms(fields: Any, payload: bytes) -> Terms:  # noqa: ANN401  construct's containers are untyped
    security = fields["security"]
    try:
        return Terms(fields["window"], fields["payload_max"], _SECURITIES.get(security, security))
    except EncodeError as error:
        raise FrameError(len(payload), payload, "payload") from error

"""Where an Angel Eye frame begins and ends (``docs/protocols/angel-eye.md``, sections 3, 8 and 9).

Each type of telegram has one length and a set of values allowed at each place, so a damaged telegram shows itself at
the first byte that is out of place: no clock is needed to give up waiting for the rest. None of the sets holds a byte
that begins a frame (05, 06, 15), so whatever broke off is displaced by whatever comes next.
"""

from typing import Final, NamedTuple

from protocols.errors import FrameReason

ENQ: Final = 0x05
"""Begins a telegram."""
ACK: Final = 0x06
NAK: Final = 0x15
STX: Final = 0x02
"""Begins a command."""
ETX: Final = 0x03
TYPE: Final = 2
"""Index of the type in a telegram."""
BCC_LENGTH: Final = 2
NAK_LENGTH: Final = 3
COMMAND_LENGTH: Final = 10
LONGEST_TELEGRAM: Final = 12
"""``M``: ENQ, Seq, type, 6 characters, ETX, BCC."""

_HEX_PAIRS: Final = tuple(b"%02X" % value for value in range(256))
HEX_DIGITS: Final = frozenset(b"0123456789ABCDEF")
_SEQ: Final = frozenset(b"123456789")
_MARKED: Final = frozenset(range(0x80, 0x100))
_PRINTABLE: Final = frozenset(range(0x20, 0x7F))
_NOT_A_START: Final = frozenset(range(0x100)) - {ENQ, ACK, NAK}

_Place = tuple[frozenset[int], FrameReason]
_END: Final[tuple[_Place, ...]] = ((frozenset({ETX}), "etx"), (HEX_DIGITS, "bcc"), (HEX_DIGITS, "bcc"))
# After the type: what may stand at each place, and what is wrong with the frame when something else does.
_AFTER_TYPE: Final[dict[int, tuple[_Place, ...]]] = {
    kind: tuple((allowed, "payload") for allowed in payload) + _END
    for kind, payload in {
        ord("S"): (),
        ord("P"): (),
        ord("C"): (),
        ord("D"): (_MARKED, _MARKED),
        ord("R"): (_MARKED, _MARKED),
        ord("d"): (_MARKED,),
        ord("G"): (_MARKED,),
        ord("E"): (_MARKED,),
        ord("e"): (_MARKED,),
        ord("L"): (_NOT_A_START,),
        ord("M"): (_PRINTABLE,) * 6,
    }.items()
}


class Span(NamedTuple):
    """The result of a look at a candidate.

    Attributes:
        end: index just after the bytes to take from the buffer, whether they are a frame or damaged.
        fault: index of the first byte that is wrong; meaningless without ``reason``.
        reason: ``None`` for a frame whose form and check are right.
    """

    end: int
    fault: int
    reason: FrameReason | None


def bcc(covered: bytes) -> bytes:
    """Return the check characters of ``covered``: its XOR as two upper-case hex digits (section 3)."""
    total = 0
    for value in covered:
        total ^= value
    return _HEX_PAIRS[total]


def measure_telegram(buffer: bytes, start: int) -> Span | None:
    """Measure the telegram whose ENQ is at ``start``; ``None`` when its end has not come yet.

    A wrong byte is taken along with the telegram it spoils unless it is an ENQ, which may begin a whole one. 06 and 15
    are taken along: else a single flipped bit could turn the check character 'F' into an acknowledgement.
    """
    size = len(buffer)
    at = start + 1
    if at >= size:
        return None
    if buffer[at] not in _SEQ:
        return _damaged(buffer, at, "seq")
    at += 1
    if at >= size:
        return None
    places = _AFTER_TYPE.get(buffer[at])
    if places is None:
        return _damaged(buffer, at, "type")
    for allowed, reason in places:
        at += 1
        if at >= size:
            return None
        if buffer[at] not in allowed:
            return _damaged(buffer, at, reason)
    end = at + 1
    check = end - BCC_LENGTH
    return Span(end, check, None if buffer[check:end] == bcc(buffer[start + 1 : check]) else "bcc")


def measure_nak(buffer: bytes, start: int) -> Span | None:
    """Measure the refusal whose NAK is at ``start``, by the same rules; ``None`` when its end has not come yet."""
    end = start + NAK_LENGTH
    for at in range(start + 1, min(end, len(buffer))):
        if buffer[at] not in HEX_DIGITS:
            return _damaged(buffer, at, "code")
    return Span(end, end, None) if end <= len(buffer) else None


def _damaged(buffer: bytes, at: int, reason: FrameReason) -> Span:
    return Span(at, at, "truncated") if buffer[at] == ENQ else Span(at + 1, at, reason)

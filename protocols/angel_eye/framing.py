"""Limits of Angel Eye frames (``docs/protocols/angel-eye.md``, sections 3, 8, 9).

No value has a start byte (05, 06, 15): any next frame ends a broken one, without a clock.
"""

from typing import Final, NamedTuple

from protocols.errors import FrameReason

ENQ: Final = 0x05
ACK: Final = 0x06
NAK: Final = 0x15
STX: Final = 0x02
ETX: Final = 0x03
TYPE: Final = 2
BCC_LENGTH: Final = 2
NAK_LENGTH: Final = 3
COMMAND_LENGTH: Final = 10
LONGEST_TELEGRAM: Final = 12
"""``M``: ENQ, Seq, type, 6 characters, ETX, BCC."""
LONGEST_UNKNOWN: Final = 64
"""Bytes; five times the longest known telegram."""
SHORTEST_COVERED: Final = 3

_HEX_PAIRS: Final = tuple(b"%02X" % value for value in range(256))
HEX_DIGITS: Final = frozenset(b"0123456789ABCDEF")
BINARY_CODES: Final = frozenset({0x01, 0x02, 0x03, 0x11, 0x12, 0x13, 0x14, 0x21, 0x22, 0xFF})
"""Refusals in one byte; none is a hex digit."""
_SEQ: Final = frozenset(b"123456789")
_MARKED: Final = frozenset(range(0x80, 0x100))
_PRINTABLE: Final = frozenset(range(0x20, 0x7F))
_STARTS: Final = frozenset({ENQ, ACK, NAK})
_NOT_A_START: Final = frozenset(range(0x100)) - _STARTS

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
# Of a type that has a longer form: the places behind its payload where one more byte stands (section 4).
_LONGER: Final[dict[int, tuple[_Place, ...]]] = {ord("d"): ((_MARKED, "payload"), *_END)}


class FrameCandidate(NamedTuple):
    """The measure of a candidate.

    Attributes:
        end: just after the bytes to take, frame or damaged.
        reason: ``None`` for a sound frame.
    """

    end: int
    fault: int
    reason: FrameReason | None


def bcc(covered: bytes) -> bytes:
    """XOR as two upper-case hex digits (section 3)."""
    total = 0
    for value in covered:
        total ^= value
    return _HEX_PAIRS[total]


def measure_telegram(buffer: bytes, start: int) -> FrameCandidate | None:
    """``None``: incomplete.

    06 and 15 belong to the telegram that they spoil: a flipped bit could make 'F' an acknowledgement.
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
    kind = buffer[at]
    places = _AFTER_TYPE.get(kind)
    if places is None:
        return _damaged(buffer, at, "type")
    if kind in _LONGER and len(buffer) > at + len(places) - len(_END) + 1:
        is_longer = buffer[at + len(places) - len(_END) + 1] in _MARKED
        places = places[: -len(_END)] + _LONGER[kind] if is_longer else places
    for allowed, reason in places:
        at += 1
        if at >= size:
            return None
        if buffer[at] not in allowed:
            return _damaged(buffer, at, reason)
    end = at + 1
    check = end - BCC_LENGTH
    return FrameCandidate(end, check, None if buffer[check:end] == bcc(buffer[start + 1 : check]) else "bcc")


def measure_unknown(buffer: bytes, start: int) -> int | None:
    """Index after the check; 0: none within ``LONGEST_UNKNOWN``, or wrong; ``None``: incomplete.

    A telegram's check covers Seq to ETX; an answer's covers its STX as well (section 8).
    """
    limit = start + LONGEST_UNKNOWN
    for at in range(start + 1, min(limit, len(buffer))):
        if buffer[at] in _STARTS:
            return 0
        if buffer[at] == ETX:
            end = at + 1 + BCC_LENGTH
            check, covered = buffer[at + 1 : end], buffer[start + (buffer[start] == ENQ) : at + 1]
            if at - start < SHORTEST_COVERED or not bcc(covered).startswith(check):
                return 0
            return end if len(check) == BCC_LENGTH else None
    return None if len(buffer) < limit else 0


def measure_nak(buffer: bytes, start: int) -> FrameCandidate | None:
    """``None``: its end is missing."""
    if len(buffer) > start + 1 and buffer[start + 1] in BINARY_CODES:
        return FrameCandidate(start + 2, start + 2, None)
    end = start + NAK_LENGTH
    for at in range(start + 1, min(end, len(buffer))):
        if buffer[at] not in HEX_DIGITS:
            return _damaged(buffer, at, "code")
    return FrameCandidate(end, end, None) if end <= len(buffer) else None


def _damaged(buffer: bytes, at: int, reason: FrameReason) -> FrameCandidate:
    return FrameCandidate(at, at, "truncated") if buffer[at] == ENQ else FrameCandidate(at + 1, at, reason)

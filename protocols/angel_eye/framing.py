"""Limits of Angel Eye frames (``docs/protocols/angel-eye.md``, sections 3, 8 and 9).

Each type of telegram has one length and allowed values at each place, so damage shows at the first wrong byte and no
clock is needed. No set of values has a start byte (05, 06, 15): any next frame ends a broken one.
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
LONGEST_UNKNOWN: Final = 64
"""Bytes within which an unknown telegram must end: five times the longest known one."""
SHORTEST_COVERED: Final = 3
"""Bytes that the check of any telegram covers at least: Seq, type, ETX."""

_HEX_PAIRS: Final = tuple(b"%02X" % value for value in range(256))
HEX_DIGITS: Final = frozenset(b"0123456789ABCDEF")
BINARY_CODES: Final = frozenset({0x01, 0x02, 0x03, 0x11, 0x12, 0x13, 0x14, 0x21, 0x22, 0xFF})
"""Codes of a refusal as one byte; none of them is a hex digit."""
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
        end: index just after the bytes to take from the buffer, whether they are a frame or damaged.
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


def measure_telegram(buffer: bytes, start: int) -> FrameCandidate | None:
    """Measure the telegram whose ENQ is at ``start``; ``None``: incomplete.

    A wrong byte belongs to the telegram it spoils unless it is an ENQ. 06 and 15 belong to it too: else a flipped bit
    could turn the check character 'F' into an acknowledgement.
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
    """Measure a frame that the page does not have, by its end byte and check alone.

    A telegram's check covers Seq to ETX; that of an answer, which begins with STX, covers STX as well (section 8).

    Returns:
        The index just after its check; 0 if the check is wrong, or no end byte comes within ``LONGEST_UNKNOWN``;
        ``None`` when that has not come yet. A byte that begins a telegram or reply ends the search.
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
    """Measure the refusal whose NAK is at ``start``; ``None``: its end is missing."""
    if len(buffer) > start + 1 and buffer[start + 1] in BINARY_CODES:
        return FrameCandidate(start + 2, start + 2, None)
    end = start + NAK_LENGTH
    for at in range(start + 1, min(end, len(buffer))):
        if buffer[at] not in HEX_DIGITS:
            return _damaged(buffer, at, "code")
    return FrameCandidate(end, end, None) if end <= len(buffer) else None


def _damaged(buffer: bytes, at: int, reason: FrameReason) -> FrameCandidate:
    return FrameCandidate(at, at, "truncated") if buffer[at] == ENQ else FrameCandidate(at + 1, at, reason)

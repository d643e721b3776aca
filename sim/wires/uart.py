"""Serial bytes as a receiver at another speed reads them."""

from typing import Final

_FRAME_BITS: Final = 10
_DATA_BITS: Final = 8


def misread(data: bytes, sent_baud: int, read_baud: int) -> bytes:
    """The bytes that a receiver at ``read_baud`` reads.

    A byte without a stop bit reads 0, as Linux delivers it.
    """
    if sent_baud == read_baud:
        return data
    bits = [bit for byte in data for bit in (0, *(byte >> place & 1 for place in range(_DATA_BITS)), 1)]
    step = sent_baud / read_baud
    read, at = bytearray(), 0.0
    while (start := _low_from(bits, at)) is not None:
        levels = [_level(bits, start + (place + 0.5) * step) for place in range(_FRAME_BITS)]
        if levels[0]:
            at = start + 1.0  # too short for a start bit
            continue
        byte = sum(bit << place for place, bit in enumerate(levels[1:-1]))
        read.append(byte if levels[-1] else 0)
        at = start + (_FRAME_BITS - 0.5) * step
        if not levels[-1]:
            at = _high_from(bits, at)
    return bytes(read)


def _level(bits: list[int], at: float) -> int:
    return bits[int(at)] if int(at) < len(bits) else 1  # an idle line is high


def _low_from(bits: list[int], at: float) -> float | None:
    place = int(at)
    while place < len(bits):
        if not bits[place]:
            return max(at, float(place))
        place += 1
    return None


def _high_from(bits: list[int], at: float) -> float:
    place = int(at)
    while place < len(bits) and not bits[place]:
        place += 1
    return float(place)

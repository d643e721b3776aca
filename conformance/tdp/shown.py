"""The traffic on the line as text, frame by frame."""

from collections.abc import Sequence
from typing import Final

from conformance.bench import LineTransfer
from protocols.errors import FrameError
from protocols.garbage import Garbage
from protocols.tdp.codec import LENGTH_BYTES, decode_message
from protocols.tdp.framing import Frame, FrameDecoder, FrameKind
from protocols.tdp.handshake import decode_answer, decode_offer, decode_reset

_BYTES_SHOWN: Final = 16


def frames(moved: Sequence[LineTransfer]) -> list[str]:
    """One line of text for each frame or fragment: seconds, direction, frame, plain messages."""
    decoders = {"<": FrameDecoder(), ">": FrameDecoder()}
    lines: list[str] = []
    for at_s, direction, data, is_inside in moved:
        words = [f"in TLS: {_messages(data)}"] if is_inside else map(_words, decoders[direction].feed(data))
        lines += [f"{at_s:8.3f} {direction} {one}" for one in words]
    return lines


def _words(item: Frame | Garbage) -> str:
    if isinstance(item, Garbage):
        return f"no frame ({item.reason}): {_hex(item.raw)}"
    numbers = f"{item.kind.name} of {item.session:X}"
    if item.kind in {FrameKind.OPEN, FrameKind.ACCEPT, FrameKind.RESET}:
        return f"{numbers}: {_control(item)}"
    sequence = f" number {item.sequence}," if item.kind is FrameKind.DATA else ""
    told = f": {_messages(item.payload)}" if item.payload else ""
    return f"{numbers},{sequence} expects {item.acknowledgement}{told}"


def _control(frame: Frame) -> str:
    read = {FrameKind.OPEN: decode_offer, FrameKind.ACCEPT: decode_answer, FrameKind.RESET: decode_reset}[frame.kind]
    try:
        return str(read(frame.payload))
    except FrameError as error:
        return f"{_hex(frame.payload)} ({error})"


def _messages(payload: bytes) -> str:
    # The messages that begin and end in a payload; else its bytes: a message in pieces, or TLS.
    found: list[str] = []
    rest = payload
    while rest:
        end = LENGTH_BYTES + int.from_bytes(rest[:LENGTH_BYTES], "big")
        try:
            found.append(str(decode_message(rest[LENGTH_BYTES:end])))
        except FrameError:
            return _hex(payload)
        if end > len(rest):
            return _hex(payload)
        rest = rest[end:]
    return "; ".join(found)


def _hex(data: bytes) -> str:
    more = f" … {len(data)} bytes" if len(data) > _BYTES_SHOWN else ""
    return data[:_BYTES_SHOWN].hex(" ").upper() + more

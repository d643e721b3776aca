"""Messages in the stream of a link or of TLS (``docs/protocols/tdp.md``, section 7).

An unreadable message is ``Garbage``; an impossible length ends the session.
"""

from protocols.errors import FrameError
from protocols.garbage import Garbage, NotUnderstood
from protocols.tdp.codec import LENGTH_BYTES, MESSAGE_MAX, decode_message
from protocols.tdp.messages import Message


class MessageReader:
    """A new session takes a new reader.

    Attributes:
        broken: a length was 0 or above ``MESSAGE_MAX``; the owner ends the session.
    """

    def __init__(self) -> None:
        self.messages = 0
        self.unreadable = 0
        self.broken = False
        self.pending = b""

    def feed(self, data: bytes) -> list[Message | Garbage]:
        """Take the next bytes of the stream; return the messages they complete."""
        if self.broken:
            return [Garbage(data, "length")] if data else []
        items: list[Message | Garbage] = []
        buffer = self.pending + data
        at = 0
        while len(buffer) - at >= LENGTH_BYTES:
            start = at + LENGTH_BYTES
            length = int.from_bytes(buffer[at:start], "big")
            if not 1 <= length <= MESSAGE_MAX:
                self.broken = True
                self.pending = b""
                items.append(Garbage(buffer[at:], "length"))
                return items
            if len(buffer) < start + length:
                break
            at = start + length
            items.append(self._message(buffer[start:at]))
        self.pending = buffer[at:]
        return items

    def _message(self, raw: bytes) -> Message | Garbage:
        try:
            message = decode_message(raw)
        except FrameError as error:
            self.unreadable += 1
            return NotUnderstood(raw, error.reason, f"{raw[0]:02X}")
        self.messages += 1
        return message

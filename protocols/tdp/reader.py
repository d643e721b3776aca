"""Messages in the stream of a link, or of TLS over it (``docs/protocols/tdp.md``, section 7).

The stream is reliable, so an error is a defect or a forgery. An unreadable message is returned as ``Garbage``; an
impossible length ends the session.
"""

from protocols.errors import FrameError
from protocols.garbage import Garbage, NotUnderstood
from protocols.tdp.codec import LENGTH_BYTES, MESSAGE_MAX, decode_message
from protocols.tdp.messages import Message


class MessageReader:
    """Messages out of one session's stream; a new session takes a new reader.

    Attributes:
        broken: a length was 0 or above ``MESSAGE_MAX``; reading has stopped, and the owner ends the session.
        pending: the beginning of a message, at most ``MESSAGE_MAX`` + 1 bytes.
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

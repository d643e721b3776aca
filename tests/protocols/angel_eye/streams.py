"""Helpers for tests of the decoders."""

from collections.abc import Iterable

from protocols.angel_eye.decoder import HostItem, TelegramDecoder
from protocols.angel_eye.messages import Ack, Nak, ShoeMessage
from protocols.garbage import Garbage


def messages_of(items: Iterable[HostItem]) -> list[ShoeMessage | Ack | Nak]:
    """Everything but garbage."""
    return [item for item in items if not isinstance(item, Garbage)]


def without_seams(items: Iterable[object]) -> list[object]:
    """The same items with adjacent noise joined: where noise is cut is all that may depend on the pieces."""
    joined: list[object] = []
    noise = b""
    for item in items:
        if isinstance(item, Garbage) and item.reason == "noise":
            joined = joined[:-1] if noise else joined
            noise += item.raw
            joined.append(Garbage(noise, "noise"))
        else:
            noise = b""
            joined.append(item)
    return joined


def feed_bytewise(decoder: TelegramDecoder, data: bytes) -> list[HostItem]:
    """Feed one byte at a time."""
    return [item for value in data for item in decoder.feed(bytes([value]))]

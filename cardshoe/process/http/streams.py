"""Server-sent events: their form, and the limits of a stream."""

from typing import Final

from msgspec import Struct

SEND_S: Final = 5.0
"""Seconds that a client may take for sent data before it is disconnected."""
AGAIN_MS: Final = 500
"""Milliseconds after which a browser tries again."""


class StreamStatus(Struct, frozen=True, kw_only=True):
    """A sign of life."""

    at: str
    build: str
    why_not: str


def event(kind: str, identity: str, data: bytes) -> bytes:
    """An event of a stream, as it goes to each client."""
    return b"id: %b\r\nevent: %b\r\ndata: %b\r\nretry: %d\r\n\r\n" % (identity.encode(), kind.encode(), data, AGAIN_MS)

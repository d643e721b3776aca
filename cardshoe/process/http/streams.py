"""Server-sent events: their form, and the limits of a stream."""

from typing import Final

from msgspec import Struct

SEND_S: Final = 5.0
AGAIN_MS: Final = 500


class StreamStatus(Struct, frozen=True, kw_only=True):
    at: str
    build: str
    why_not: str


def event(kind: str, identity: str, data: bytes) -> bytes:
    return b"id: %b\r\nevent: %b\r\ndata: %b\r\nretry: %d\r\n\r\n" % (identity.encode(), kind.encode(), data, AGAIN_MS)

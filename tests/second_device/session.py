"""The knowledge of both ends about a session, sections 4 and 5: numbers, lists, states."""

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Final

from tests.second_device.framing import Frame, Kind, encode
from tests.second_device.stream import Incoming, Outgoing

ALIVE_AFTER_S: Final = 0.4
SILENCE_S: Final = 1.5
WINDOW_MAX: Final = 4
PAYLOAD_MIN: Final = 16


class Security(IntEnum):
    PLAIN = 0
    TLS = 1


class Reason(IntEnum):
    """Of a ``RESET``."""

    UNKNOWN_SESSION = 1
    CLOSED = 2
    NO_COMMON_VERSION = 3
    OTHER_SECURITY = 4
    LOST = 5


class State(Enum):
    CLOSED = "closed"
    LISTENING = "listening"
    ACCEPTING = "accepting"
    OPEN = "open"
    REOPENING = "reopening"


@dataclass(frozen=True)
class Stands:
    """A session stands; one that stood before has ended."""

    session: int


@dataclass(frozen=True)
class Arrived:
    """Bytes of the stream, in order."""

    data: bytes


@dataclass(frozen=True)
class Lost:
    """The session that stood has ended: silence, reset, line, unheeded, replaced or closed."""

    why: str


Happening = Stands | Arrived | Lost


class Session:
    """The knowledge of one end about a session, accepted or standing.

    Args:
        payload: bytes, as agreed.
    """

    def __init__(self, number: int, window: int, payload: int, now_s: float) -> None:
        self.number = number
        self.window = window
        self.payload = payload
        self.outgoing = Outgoing(window, payload)
        self.incoming = Incoming(window)
        self.since_s = now_s
        self.heard_at_s = now_s
        self.sent_at_s = now_s

    @property
    def due_s(self) -> float:
        """When something is to be done for a session that stands."""
        sooner = (self.outgoing.expires_at_s, self.incoming.answer_by_s)
        times = [self.heard_at_s + SILENCE_S, self.sent_at_s + ALIVE_AFTER_S]
        times += [time for time in sooner if time is not None]
        return min(times)

    def frame(self, kind: Kind, now_s: float, sequence: int = 0, payload: bytes = b"") -> bytes:
        """The bytes of a frame of this session; it counts as sent now."""
        self.sent_at_s = now_s
        self.incoming.answer_by_s = None  # whatever is sent, acknowledges
        return encode(Frame(kind, self.number, sequence, self.incoming.expected, payload))

"""Somebody on the wire between a host and a device, who knows the link layer and has no key of either end."""

import random
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from protocols.tdp.codec import encode_message
from protocols.tdp.codes import Face
from protocols.tdp.commands import Unlock
from protocols.tdp.events import CardDrawn
from protocols.tdp.framing import PAYLOAD_MAX, SEQUENCES, Frame, FrameDecoder, FrameKind, encode_frame
from protocols.tdp.handshake import Security, Terms, encode_answer, encode_offer
from regulations.events.cards import DECK

HOST, DEVICE = 0, 1
PAST_SESSIONS: Final = 6
"""Earlier sessions that the attacker remembers."""
AHEAD: Final = 4
"""The window: a frame so far ahead is dropped by the link."""
PLACES: Final = 26
"""Frames of a direction, of which one is chosen to be altered: the handshake takes some ten."""
BURST: Final = 8
"""Strays that are sent at once, at most."""
STRAYS_P: Final = 0.15
"""The probability of strays beside a frame: some 40 a session, so that sessions enough are altered."""

STRAYS: Final = (
    "replayed",
    "replayed of an earlier session",
    "replayed of another device",
    "reflected",
    "spliced",
    "truncated",
    "far ahead",
    "other security",
)
ALTERATIONS: Final = (
    "record again",
    "record of an earlier session",
    "record of another device",
    "record reflected",
    "records dropped",
    "records doubled",
    "records swapped",
    "record truncated",
    "record changed",
    "record spliced",
    "plain message",
    "plain alert",
    "frame ahead",
    "whole earlier session",
)
CARD: Final = CardDrawn(1, 1, 1, DECK[0], Face.DOWN, 99)
ALERT: Final = bytes.fromhex("15 03 03 00 02 01 00")
"""A record of TLS that says ``close_notify``, without protection."""
RECORD_HEADER: Final = 5
"""Bytes before each record of TLS."""
_PLAIN: Final = Terms(security=Security.PLAIN)


@dataclass(slots=True)
class Recording:
    """A session: its number, and by direction the payloads of its stream and its frames as they went on the line."""

    session: int
    stream: tuple[list[bytes], list[bytes]] = field(default_factory=lambda: ([], []))
    frames: tuple[list[Frame], list[Frame]] = field(default_factory=lambda: ([], []))


@dataclass(slots=True)
class Alteration:
    """An attacker's change of the stream of one direction.

    Attributes:
        instead: payloads that take the place; None until it begins.
        removed: frames of the rightful sender that are left out there.
    """

    what: str
    to: int
    at: int
    instead: list[bytes] | None = None
    removed: int = 0
    held: list[Frame] = field(default_factory=list)

    @property
    def is_done(self) -> bool:
        """True if the stream is not what was sent any more."""
        return self.instead is not None

    @property
    def shift(self) -> int:
        """By how much the numbers behind the place grow."""
        return 0 if self.instead is None else len(self.instead) - self.removed


class Attacker:
    """Sits between the two ends; whoever moves bytes passes all of them through here.

    Args:
        other: a session of another device, recorded before; None: there is none.
    """

    def __init__(self, chance: random.Random, other: Recording | None, strays: float = STRAYS_P) -> None:
        self.frames: Counter[str] = Counter()
        self.now = Recording(0)
        self.alteration = Alteration("", HOST, SEQUENCES)
        self.alters = True
        self.strays = strays
        self._chance: Final = chance
        self._other: Final = other
        self._past: deque[Recording] = deque(maxlen=PAST_SESSIONS)
        self._decoders: Final = (FrameDecoder(), FrameDecoder())
        self._taken = [0, 0]
        """Numbers of the stream that each end has acknowledged."""

    @property
    def has_altered(self) -> bool:
        """True if the stream of the session that stands is not what was sent any more."""
        return self.alteration.is_done

    def pass_on(self, to: int, data: bytes) -> list[tuple[int, bytes]]:
        """Take what was written for an end; return what is delivered, and to which."""
        frames = [item for item in self._decoders[to].feed(data) if isinstance(item, Frame)]
        out: list[tuple[int, bytes]] = []
        for frame in frames:
            if to == DEVICE and frame.kind is not FrameKind.OPEN and frame.session != self.now.session:
                self._begin(frame.session)
            if frame.session == self.now.session:
                self._record(to, frame)
                out += [(to, encode_frame(one)) for one in self._altered(to, frame)]
            else:
                out.append((to, encode_frame(frame)))
        if len(out) > 1 and self._chance.random() < self.strays:
            self._chance.shuffle(out)
            self.frames["reordered"] += len(out)
        for _ in frames:
            if self._chance.random() < self.strays:
                out += self._burst()
        return out

    # --- recording --------------------------------------------------------------------------------------------------

    def _begin(self, session: int) -> None:
        if self.now.stream[HOST]:
            self._past.append(self.now)
        self.now = Recording(session)
        self._taken = [0, 0]
        chance = self._chance
        what = chance.choice(ALTERATIONS)
        at = 0 if what == "whole earlier session" else chance.randrange(PLACES)
        self.alteration = Alteration(what, chance.choice((HOST, DEVICE)), at if self.alters else SEQUENCES)

    def _record(self, to: int, frame: Frame) -> None:
        self.now.frames[to].append(frame)
        self._taken[1 - to] = max(self._taken[1 - to], frame.acknowledgement)
        if frame.kind is FrameKind.DATA and frame.sequence == len(self.now.stream[to]):
            self.now.stream[to].append(frame.payload)

    # --- alterations ------------------------------------------------------------------------------------------------

    def _altered(self, to: int, frame: Frame) -> list[Frame]:
        alteration = self.alteration
        if to != alteration.to:
            # Answer for the end that gets other numbers than were sent.
            back = frame.acknowledgement - alteration.shift if frame.acknowledgement > alteration.at else None
            return [frame if back is None else replace(frame, acknowledgement=max(back, alteration.at))]
        if frame.kind is not FrameKind.DATA or frame.sequence < alteration.at:
            return [frame]
        if alteration.instead is None:
            return self._start(alteration, frame)
        if frame.sequence < alteration.at + alteration.removed:
            return []  # sent again; it never comes to its place
        return [self._fitted(frame, frame.sequence + alteration.shift, frame.payload)]

    def _start(self, alteration: Alteration, frame: Frame) -> list[Frame]:
        to, at = alteration.to, alteration.at
        stream = self.now.stream[to]
        if alteration.what == "records swapped":
            if len(stream) <= at + 1:
                return []  # the next one is needed first
            alteration.instead, alteration.removed = [stream[at + 1], stream[at]], 2
        elif alteration.what == "frame ahead":
            alteration.instead, alteration.removed = [stream[at], self._foreign(to)], 2
        else:
            alteration.instead, alteration.removed = self._instead(alteration.what, to, stream[at])
        if alteration.instead == stream[at : at + alteration.removed]:
            alteration.instead = None  # nothing at hand differs: wait for the next frame
            alteration.removed = 0
            alteration.at = frame.sequence + 1
            return [replace(frame, sequence=number, payload=stream[number]) for number in range(at, frame.sequence + 1)]
        placed = enumerate(alteration.instead, at)
        fitted = [self._fitted(frame, number, payload) for number, payload in placed]
        if alteration.what == "frame ahead":
            fitted.reverse()
        rest = enumerate(stream[at + alteration.removed :], at + alteration.removed)
        return fitted + [self._fitted(frame, number + alteration.shift, payload) for number, payload in rest]

    def _instead(self, what: str, to: int, genuine: bytes) -> tuple[list[bytes], int]:
        chance = self._chance
        cut = chance.randrange(len(genuine))
        if not self.alteration.at:
            # The version before a ClientHello stands for nothing (RFC 8446, section 5.1): nobody reads it.
            cut = max(cut, min(RECORD_HEADER, len(genuine) - 1))
        changed = bytearray(genuine)
        changed[cut] ^= 1 << chance.randrange(8)
        forms = {
            "records dropped": ([], 1),
            "records doubled": ([genuine, genuine], 1),
            "record truncated": ([genuine[:cut] or bytes(changed)], 1),
            "record changed": ([bytes(changed)], 1),
            "record spliced": ([(genuine[:cut] + self._foreign(to)[cut:])[:PAYLOAD_MAX] or bytes(changed)], 1),
            "plain message": ([encode_message(CARD if to == HOST else Unlock(1 << 30, 9))], chance.randrange(2)),
            "plain alert": ([ALERT], chance.randrange(2)),
            "whole earlier session": (self._earlier(to).stream[to][:], 1),
        }
        if what in forms:
            return forms[what]
        source = self._source(what, to)
        # As often as not the one that stood at the same place, which is how a handshake is replayed.
        at = self.alteration.at if chance.randrange(2) else chance.randrange(len(source) or 1)
        return source[at : at + chance.randint(1, 3)] or [genuine[::-1]], chance.randrange(2)

    def _source(self, what: str, to: int) -> list[bytes]:
        match what:
            case "record of an earlier session":
                return self._earlier(to).stream[to]
            case "record of another device" if self._other is not None:
                return self._other.stream[to]
            case "record reflected":
                return self.now.stream[1 - to]
            case _:
                return self.now.stream[to]

    def _earlier(self, to: int) -> Recording:
        past = [one for one in self._past if one.stream[to]]
        return self._chance.choice(past) if past else self.now

    def _foreign(self, to: int) -> bytes:
        return self._chance.choice(self._earlier(to).stream[to] or [ALERT])

    def _fitted(self, frame: Frame, number: int, payload: bytes) -> Frame:
        self.frames[self.alteration.what] += 1
        return replace(frame, sequence=number % SEQUENCES, payload=payload)

    # --- strays -----------------------------------------------------------------------------------------------------

    def _burst(self) -> list[tuple[int, bytes]]:
        chance = self._chance
        burst: list[tuple[int, bytes]] = []
        for _ in range(chance.randint(1, BURST)):
            what, to = chance.choice(STRAYS), chance.choice((HOST, DEVICE))
            stray = self._stray(what, to)
            if stray is not None:
                self.frames[what] += 1
                burst.append((to, stray))
        return burst

    def _stray(self, what: str, to: int) -> bytes | None:
        chance, now = self._chance, self.now
        frames = {
            "replayed of an earlier session": self._earlier(to).frames[to],
            "replayed of another device": [] if self._other is None else self._other.frames[to],
            "reflected": now.frames[1 - to],
        }.get(what, now.frames[to])
        if not frames:
            return None
        frame = chance.choice(frames)
        ahead = len(now.stream[to]) + max(self.alteration.shift, 0) + AHEAD
        fits = frame.kind is FrameKind.DATA and self._taken[to] <= frame.sequence < ahead
        fits |= frame.acknowledgement > self._taken[1 - to]  # it would acknowledge what has not come
        if what in ("reflected", "spliced") and fits:
            return None  # that would be an alteration
        match what:
            case "spliced":
                # A header that was used, and what another frame carried.
                return encode_frame(replace(frame, payload=chance.choice(now.frames[1 - to] or frames).payload))
            case "truncated":
                raw = encode_frame(frame)
                return raw[: chance.randrange(1, len(raw) - 1)] + b"\0"
            case "far ahead":
                number = (ahead + chance.randrange(SEQUENCES // 2)) % SEQUENCES
                return encode_frame(
                    replace(frame, kind=FrameKind.DATA, sequence=number, payload=frame.payload or ALERT)
                )
            case "other security" if to == DEVICE:
                session = chance.randrange(1, SEQUENCES) * SEQUENCES
                return encode_frame(Frame(FrameKind.OPEN, session, payload=encode_offer(_PLAIN)))
            case "other security":
                return encode_frame(Frame(FrameKind.ACCEPT, now.session, payload=encode_answer(_PLAIN)))
            case _:
                return encode_frame(frame)

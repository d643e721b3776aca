"""Devices that find or write frames wrongly (section 3)."""

from collections.abc import Iterator
from typing import Final

from tests.conformance.defects import Defect, Parts
from tests.second_device import framing
from tests.second_device.framing import Frame, FrameReader, Kind, Skipped
from tests.second_device.session import Session


class Believing(FrameReader):
    """Believes a frame whatever its check says: it puts the right one in its place."""

    def feed(self, data: bytes) -> Iterator[Frame | Skipped]:
        for found in super().feed(data):
            if isinstance(found, Skipped) and found.reason == "bcc":
                body = framing.uncobs(found.raw)
                whole = body[:-4] + framing.crc32c(body[:-4]).to_bytes(4)
                yield framing.decode(framing.cobs(whole))
            else:
                yield found


class AnyVersion(FrameReader):
    """Takes frames of other versions and kinds for its own."""

    def feed(self, data: bytes) -> Iterator[Frame | Skipped]:
        for found in super().feed(data):
            if isinstance(found, Skipped) and found.reason == "type":
                told = framing.uncobs(found.raw)[:-4]
                body = bytes([1, told[1] if told[1] in set(Kind) else Kind.RESET]) + told[2:]
                yield framing.decode(framing.cobs(body + framing.crc32c(body).to_bytes(4)))
            else:
                yield found


class AnyLength(FrameReader):
    """Does not mind how long a frame is."""

    def feed(self, data: bytes) -> Iterator[Frame | Skipped]:
        for found in super().feed(data):
            if isinstance(found, Skipped) and found.reason == "length" and found.raw[1:2] == b"\x01":
                yield Frame(Kind(found.raw[2]), int.from_bytes(found.raw[3:5]), payload=b"\x02\x01\x01")
            else:
                yield found


class CutsRuns(FrameReader):
    """Takes the first 235 bytes of a run for all of it."""

    def feed(self, data: bytes) -> Iterator[Frame | Skipped]:
        for run in data.split(b"\0"):
            yield from super().feed(b"\0" + run[: framing.ENCODED_MAX] + b"\0")


class AnyNoise(FrameReader):
    """Takes noise for a sign of life of a session it does not know."""

    reasons = frozenset({"noise"})

    def feed(self, data: bytes) -> Iterator[Frame | Skipped]:
        for found in super().feed(data):
            known = isinstance(found, Skipped) and found.reason in self.reasons
            yield Frame(Kind.ACK, 0x1201) if known else found


class ReadsBeyond(FrameReader):
    """Takes a last run for what is there, whatever its length says."""

    def feed(self, data: bytes) -> Iterator[Frame | Skipped]:
        for found in super().feed(data):
            if isinstance(found, Skipped) and found.reason == "noise":
                body, at = bytearray(), 0
                while at < len(found.raw) and found.raw[at]:
                    body += b"\0" * (at > 0) + found.raw[at + 1 : at + found.raw[at]]
                    at += found.raw[at]
                yield framing.decode(framing.cobs(bytes(body)))
            else:
                yield found


class NineBytes(FrameReader):
    """Takes nine bytes with a right check for a frame."""

    def feed(self, data: bytes) -> Iterator[Frame | Skipped]:
        for found in super().feed(data):
            body = framing.uncobs(found.raw) if isinstance(found, Skipped) and found.reason == "truncated" else b""
            right = len(body) == 9 and framing.crc32c(body[:-4]).to_bytes(4) == body[-4:]
            yield Frame(Kind(body[1]), int.from_bytes(body[2:4])) if right else found


class BelievesEmptyFrames(FrameReader):
    """Takes a frame with a wrong check for one without payload."""

    def feed(self, data: bytes) -> Iterator[Frame | Skipped]:
        for found in super().feed(data):
            body = framing.uncobs(found.raw) if isinstance(found, Skipped) and found.reason == "bcc" else b""
            yield Frame(Kind(body[1]), int.from_bytes(body[2:4]), *body[4:6]) if body and body[1] in {4, 5} else found


class BeginsAgain(FrameReader):
    """Collects again in the middle of a run that is too long."""

    def _collect(self, piece: bytes) -> Iterator[Skipped]:
        yield from super()._collect(piece)
        self._too_long = False


class AnyLittle(AnyNoise):
    """Takes what is too short for a frame of a session it does not know."""

    reasons = frozenset({"truncated"})


class CleanLinesOnly(FrameReader):
    """Skips a frame when noise stood before it."""

    def feed(self, data: bytes) -> Iterator[Frame | Skipped]:
        before = False
        for found in super().feed(data):
            if isinstance(found, Skipped):
                before = True
                yield found
            elif not before:
                yield found


class WholeReadsOnly(FrameReader):
    """Takes each read for whole frames: what a read leaves over is lost."""

    def feed(self, data: bytes) -> Iterator[Frame | Skipped]:
        self._waiting.clear()
        yield from super().feed(data)


class StuckByHiss(FrameReader):
    """After too many bytes without a delimiter it needs two delimiters to be in step again."""

    def feed(self, data: bytes) -> Iterator[Frame | Skipped]:
        before = self._too_long
        for found in super().feed(data):
            before = before or (isinstance(found, Skipped) and found.reason == "length")
            if not before or isinstance(found, Skipped):
                yield found


class ZerosBetween(FrameReader):
    """Wants exactly two delimiters between frames."""

    def feed(self, data: bytes) -> Iterator[Frame | Skipped]:
        frames = [found for found in super().feed(data) if isinstance(found, Frame)]
        spaced = data.count(b"\0\0") >= len(frames) - 1
        yield from frames if spaced else frames[:1]


class LeftoverSequence(Session):
    """Writes a sequence number into ACK too."""

    def frame(self, kind: Kind, now_s: float, sequence: int = 0, payload: bytes = b"") -> bytes:
        return super().frame(kind, now_s, 5 if kind is Kind.ACK else sequence, payload)


def one_delimiter(data: bytes) -> bytes:
    """Write as a sender that puts a delimiter only after each frame."""
    return data.replace(b"\0\0", b"\0").removeprefix(b"\0")


def chatter(data: bytes) -> bytes:
    """Add the words of a debug port between frames."""
    return b"boot ok\r\n" + data


FRAMES: Final = [
    Defect("answers noise", ("frames.noise-skipped",), Parts(reader=AnyNoise)),
    Defect("believes empty frames", ("stream.complains-of-damage",), Parts(reader=BelievesEmptyFrames)),
    Defect("begins again within a run", ("frames.length-skipped",), Parts(reader=BeginsAgain)),
    Defect("takes nine bytes for a frame", ("frames.truncated-skipped",), Parts(reader=NineBytes)),
    Defect("reads beyond the end of a frame", ("frames.noise-skipped",), Parts(reader=ReadsBeyond)),
    Defect("answers what is too short", ("frames.truncated-skipped",), Parts(reader=AnyLittle)),
    Defect("hears nothing behind noise", ("frames.noise-before-a-frame",), Parts(reader=CleanLinesOnly)),
    Defect("believes a frame whatever its check", ("frames.bcc-skipped",), Parts(reader=Believing)),
    Defect("takes any version and kind", ("frames.type-skipped",), Parts(reader=AnyVersion)),
    Defect("takes any length", ("frames.length-skipped",), Parts(reader=AnyLength)),
    Defect("cuts runs at 235 bytes", ("frames.length-skipped",), Parts(reader=CutsRuns)),
    Defect("takes each read for whole frames", ("frames.byte-by-byte",), Parts(reader=WholeReadsOnly)),
    Defect("is stuck by a hiss", ("frames.long-hiss",), Parts(reader=StuckByHiss)),
    Defect("wants two delimiters", ("frames.delimiters-between-frames",), Parts(reader=ZerosBetween)),
    Defect("writes one delimiter", ("frames.its-own-frames",), Parts(alter=one_delimiter)),
    Defect("talks between frames", ("frames.its-own-frames",), Parts(alter=chatter)),
    Defect("writes a sequence into ACK", ("frames.its-own-frames",), Parts(session=LeftoverSequence)),
]

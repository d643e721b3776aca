"""Decoders broken on purpose, under the same checks as the true ones: each must be found, or the fuzzer is blind."""

from collections.abc import Iterable
from typing import Final

from protocols.angel_eye.decoder import HostItem, TelegramDecoder
from protocols.garbage import Garbage
from protocols.tdp.framing import DELIMITER, Frame, FrameDecoder
from tests.fuzz.target import WHOLE, Target
from tests.fuzz.targets.angel_eye import check_telegrams
from tests.fuzz.targets.tdp import check_frames


class Crashing:
    """Fails on four bytes in a row: one in 4 thousand million, unless somebody looks at the branches on the way."""

    def feed(self, data: bytes) -> list[Garbage]:
        """Take anything for noise, but for those bytes."""
        if len(data) > 3 and data[0] == 0xB6:  # each step a branch of its own
            if data[1] != 0xE5:
                return [Garbage(data[:2], "noise")]
            if data[2] != 0x97:
                return [Garbage(data[:3], "noise")]
            if data[3] == 0x0A:
                raise IndexError("broken on purpose")
        return [Garbage(data, "noise")] if data else []


class Leaking(FrameDecoder):
    """Keeps whatever comes without a delimiter."""

    def feed(self, data: bytes) -> list[Frame | Garbage]:
        if DELIMITER in data:
            return super().feed(data)
        self.bytes_fed += len(data)
        self.pending += data
        return []


class Losing(TelegramDecoder):
    """Forgets a byte of noise that comes in a piece of its own."""

    def feed(self, data: bytes) -> list[HostItem]:
        items = super().feed(data)
        return [item for item in items if not (len(data) == 1 and item == Garbage(data, "noise"))]


def _crash(data: bytes) -> None:
    assert b"".join(item.raw for item in Crashing().feed(data)) in data


def _leak(data: bytes) -> None:
    check_frames(data, Leaking)


def _lose(data: bytes) -> None:
    check_telegrams(data, Losing)


def _noise() -> Iterable[bytes]:
    return [WHOLE + b"\x01\x02\x03"]


TARGETS: Final = {
    "control-crash": Target(_crash, _noise, max_bytes=16),
    "control-leak": Target(_leak, _noise),
    "control-loss": Target(_lose, _noise, max_bytes=16),
}

"""A device of an older page is named as such, and not only by what it does not do."""

from pathlib import Path
from typing import Final

from cardshoe.cli.sim.virtual import Far
from conformance.check_result import CheckStatus
from conformance.tdp.damage import cobs, crc32c
from tests.conformance.defects import Defect, Parts, wrong_device
from tests.conformance.suites import suite
from tests.conformance.virtual import checked, tdp_device
from tests.second_device.device import Device

OFFER_BYTES: Final = 21
"""An OPEN of the old form, encoded."""
ACCEPT: Final = bytes([1, 4, 224, 0])


class OldDevice(Far):
    """A device with sessions of 4 bytes: it answers their OPEN, and nothing else."""

    def __init__(self) -> None:
        self._now_s = 0.0
        self._said = b""

    @property
    def is_plugged(self) -> bool:
        return True

    def now_s(self) -> float:
        return self._now_s

    def write(self, data: bytes) -> None:
        for piece in data.split(b"\0"):
            # Of the host's number the upper byte is 0: version and kind are the first run, the lower byte the second.
            if len(piece) == OFFER_BYTES and piece[:3] == b"\x03\x01\x01":
                host = b"\0" + piece[4:5]
                body = b"\x01\x02" + host + b"\x00\x07" + bytes(4) + bytes([len(ACCEPT)]) + ACCEPT
                self._said += b"\0" + cobs(body + crc32c(body).to_bytes(4, "big")) + b"\0"

    def taken(self) -> bytes:
        said, self._said = self._said, b""
        return said

    def step(self, until_s: float) -> None:
        self._now_s = until_s

    def execute(self, line: str) -> str:
        return f"error: {line}"


def test_a_device_of_the_old_form_is_named_so(seed: int) -> None:
    report = checked(OldDevice(), suite("tdp"), seed, "session.opens", "stream.window-respected")
    assert [result.verdict for result in report.results] == [CheckStatus.FAILED] * 2
    for result in report.results:
        assert result.got.startswith("frames of the form before 23 November 2026")


def test_a_device_that_is_silent_is_not(seed: int) -> None:
    far = tdp_device("shoe", seed)
    far.execute("cut-power")
    report = checked(far, suite("tdp"), seed, "session.opens")
    assert report.results[0].got == "nothing at all"


class LongHello(Device):
    """Its Hello is a byte longer than the page's."""

    def session_began(self, now_s: float) -> None:
        super().session_began(now_s)
        length = int.from_bytes(self._out[:2], "big")
        self._out[: 2 + length] = (length + 1).to_bytes(2, "big") + self._out[2 : 2 + length] + b"\0"


def test_a_device_of_other_messages_is_asked_for_its_page(seed: int, tmp_path: Path) -> None:
    defect = Defect("a long Hello", ("messages.hello-then-status",), Parts(device=LongHello))
    report = checked(wrong_device(defect, seed, tmp_path), suite("tdp"), seed, *defect.caught_by)
    assert "type 01, 146 bytes" in report.results[0].got
    assert "is the firmware of an older page?" in report.results[0].got

"""Names of ports, and captured bytes in a file (``docs/drivers.md``)."""

import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from drivers.capture import CapturedRead, read_capture
from drivers.errors import CaptureDamaged, DriverError
from drivers.port_names import PortCandidate, check_name, target_of
from tests.fuzz.target import Target, must

_LONG: Final = 5000
"""Bytes of an input: enough for what readers that call themselves, and Python's whole numbers, do not bear."""
_NESTED: Final = b"[" * 4000
_HUGE: Final = b"9" * 4500
_CANDIDATES: Final = (
    PortCandidate("/dev/ttyUSB0", "adapter", 0x0403, 0x6001, "A1", ("/dev/serial/by-id/usb-A1",)),
    PortCandidate("/dev/ttyUSB1", "adapter", 0x0403, 0x6001, "A2"),
    PortCandidate("/dev/ttyS0"),
)


def check_port_names(data: bytes) -> None:
    """A port's name: a ``DriverError`` that names it, or a target; checking it without the machine agrees."""
    name = data.decode("utf-8", "surrogateescape")
    try:
        target = target_of(name, _CANDIDATES)
    except DriverError as error:
        must(error.remedy, "the error does not say what to do")
        target = ""
    try:
        check_name(name)
    except DriverError:
        assert not target, f"{name!r} can be opened and is refused in a configuration"


def check_capture(data: bytes) -> None:
    """A capture file: ``CaptureDamaged``, or reads that are written and read again as the same."""
    reads: list[CapturedRead] = []
    try:
        reads.extend(read_capture(written(data)))
    except CaptureDamaged as error:
        must(str(error), "the error says nothing")
        return
    assert all(read.data for read in reads)
    again = b"".join(
        json.dumps({"t_s": t_s, "from": sender, "hex": raw.hex()}).encode() + b"\n" for t_s, raw, sender in reads
    )
    assert list(read_capture(written(again))) == reads, "a capture is read back otherwise than it was written"


def written(data: bytes) -> Path:
    """A file with these bytes."""
    # One name, written over and over; the runner puts the folder for such files into memory, and removes it.
    path = Path(tempfile.gettempdir()) / f"cardshoe-fuzz-input-{os.getpid()}"
    path.write_bytes(data)
    return path


def _port_seeds() -> Iterable[bytes]:
    names = ("/dev/serial/by-id/usb-A1", "/dev/ttyUSB0", "unstable:/dev/ttyUSB0", "usb:0403:6001", "usb:0403:6001:A1")
    urls = (
        "socket://10.0.0.7:4001",
        "rfc2217://box:4001",
        "socket://[::1]:4001",
        "socket://[::1:4001",
        "spy:///dev/ttyS0?file=x",
        "http://a",
    )
    return [name.encode() for name in names + urls]


def _capture_seeds() -> Iterable[bytes]:
    return [
        b'{"t_s": 0.125, "hex": "0531"}\n{"t_s": 1, "hex": "44"}\n',
        b'{"t_s": 0.125, "hex": "0531"}\n{"t_s": 0.5, "he',
        b'{"t_s": true, "hex": "05"}\n',
        b'{"capture": 2, "port": "x"}\n{"t_s": 1, "from": "host", "hex": "06"}\n{"t_s": 2, "mark": "pulled"}\n',
        b'{"capture": 9}\n',
        b'{"t_s": NaN, "hex": "05"}\n',
        b'["t_s"]\n\n',
        b'{"t_s": ' + _NESTED + b"\n",
        b'{"t_s": ' + _HUGE[:400] + b', "hex": "05"}\n',
        b'{"t_s": ' + _HUGE + b', "hex": "05"}\n',
    ]


TARGETS: Final = {
    "port-names": Target(check_port_names, _port_seeds, words=(b"://", b"[", b"usb:", b"unstable:")),
    "captures": Target(check_capture, _capture_seeds, 500, _LONG, words=(b'{"t_s": ', b'"hex": "')),
}

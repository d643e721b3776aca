"""Raw bytes with times in a file.

One JSON object per line, ``{"t_s": 0.125, "hex": "0531"}``: seconds since the capture began, and the bytes of one read.
Each line is written before the next read; a last line without an end is skipped in reading.
"""

import json
import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Final, NamedTuple

from drivers.errors import CaptureDamaged
from drivers.plain_file import open_plain
from drivers.port import Port

READ_TIMEOUT_S: Final = 0.1
"""Seconds of one read, and the longest delay of a stop."""


@dataclass(frozen=True, slots=True)
class CaptureSummary:
    """The counts of a capture.

    Attributes:
        bytes_in: bytes in them.
    """

    reads: int
    bytes_in: int
    duration_s: float


class CapturedRead(NamedTuple):
    """One line of a capture.

    Attributes:
        t_s: seconds since the capture began.
        data: the bytes, at least one.
    """

    t_s: float
    data: bytes


def capture(
    port: Port,
    path: Path,
    stopping: threading.Event,
    *,
    clock: Callable[[], float] = time.monotonic,
) -> CaptureSummary:
    """Write the bytes of a port to a new file until ``stopping`` is set.

    Args:
        path: the file; it must not exist, since captures are evidence.
        clock: seconds, monotonic.

    Raises:
        DriverError: the port cannot be opened or was lost; the file has the bytes before.
        OSError: the file exists or cannot be written.
    """
    reads = bytes_in = 0
    try:
        port.open()
        # Its frames tell cards that lie face down: nobody else may read them, whatever the umask.
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as sink:
            start_s = clock()
            try:
                while not stopping.is_set():
                    data = port.read(READ_TIMEOUT_S)
                    if data:
                        line = {"t_s": round(clock() - start_s, 6), "hex": data.hex()}
                        sink.write(json.dumps(line).encode() + b"\n")
                        sink.flush()
                        reads += 1
                        bytes_in += len(data)
            finally:
                os.fsync(sink.fileno())
            return CaptureSummary(reads, bytes_in, clock() - start_s)
    finally:
        port.close()


@contextmanager
def stop_at_signals() -> Iterator[threading.Event]:
    """Return an event that Ctrl-C and SIGTERM set; main thread only."""
    stopping = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        stopping.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopping
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def read_capture(path: Path) -> Iterator[CapturedRead]:
    """Return the lines of a capture in order.

    Raises:
        CaptureDamaged: a line is damaged; a last line without an end is skipped.
        OSError: the file cannot be read.
    """
    with open_plain(path) as source:
        for number, line in enumerate(source, start=1):
            if line.endswith(b"\n"):
                yield _parsed(str(path), number, line)


def _parsed(path: str, number: int, line: bytes) -> CapturedRead:
    try:
        fields = json.loads(line)
        moment, data = fields["t_s"], bytes.fromhex(fields["hex"])
        moment_s = math.nan if isinstance(moment, bool | str) else float(moment)
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise CaptureDamaged(path, number, f"no captured read ({error})") from error
    if not math.isfinite(moment_s) or not data:
        raise CaptureDamaged(path, number, "no captured read (t_s is no number, or no bytes)")
    return CapturedRead(moment_s, data)

"""Raw bytes with times in a file, of a device or of both ends.

JSON lines: a head, reads ``{"t_s": 0.125, "from": "device", "hex": "0531"}``, marks.
"""

import json
import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Final, Literal, NamedTuple

from drivers.errors import CaptureDamaged
from drivers.plain_file import open_plain
from drivers.port import Port

READ_TIMEOUT_S: Final = 0.1
"""Also the longest delay of a stop."""
TAP_TIMEOUT_S: Final = 0.001
"""Between two ends: what the other may have to wait."""
FORM: Final = 2
NOTHING: Final[Mapping[str, object]] = MappingProxyType({})
Sender = Literal["device", "host"]
_SENDERS: Final[Mapping[object, Sender]] = {"device": "device", "host": "host"}


@dataclass(frozen=True, slots=True)
class CaptureSummary:
    reads: int
    bytes_in: int
    duration_s: float


class CapturedRead(NamedTuple):
    """``t_s``: seconds since the capture began; ``data``: at least one byte."""

    t_s: float
    data: bytes
    sender: Sender = "device"


class CaptureMark(NamedTuple):
    t_s: float
    mark: str


class CaptureSink:
    """``path`` must not exist, since captures are evidence.

    Raises:
        OSError: it exists or cannot be written.
    """

    def __init__(self, path: Path, head: Mapping[str, object], clock: Callable[[], float]) -> None:
        # Its frames tell cards that lie face down: nobody else may read them, whatever the umask.
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        self._sink: Final = os.fdopen(descriptor, "wb")
        self._clock: Final = clock
        self.reads = self.bytes_in = 0
        self._write({"capture": FORM, **head, "contains_cards": True})
        self._start_s: Final = clock()

    def read(self, sender: Sender, data: bytes) -> None:
        self._write({"t_s": round(self._clock() - self._start_s, 6), "from": sender, "hex": data.hex()})
        self.reads += 1
        self.bytes_in += len(data)

    def mark(self, text: str) -> None:
        """From any thread."""
        self._write({"t_s": round(self._clock() - self._start_s, 6), "mark": text})

    def close(self) -> CaptureSummary:
        """Bring everything to the disk."""
        os.fsync(self._sink.fileno())
        self._sink.close()
        return CaptureSummary(self.reads, self.bytes_in, self._clock() - self._start_s)

    def _write(self, fields: Mapping[str, object]) -> None:
        self._sink.write(json.dumps(fields).encode() + b"\n")
        self._sink.flush()


def capture(
    port: Port,
    path: Path,
    stopping: threading.Event,
    *,
    head: Mapping[str, object] = NOTHING,
    host: Port | None = None,
    started: Callable[[CaptureSink], object] = lambda _sink: None,
    clock: Callable[[], float] = time.monotonic,
) -> CaptureSummary:
    """Write a port's bytes to a new file until ``stopping`` is set; with ``host``, of both ends.

    Raises:
        DriverError: a port cannot be opened or was lost; the file has the bytes before.
        OSError: the file exists or cannot be written.
    """
    ends: list[tuple[Sender, Port, Port | None]] = [("device", port, host)]
    if host is not None:
        ends.append(("host", host, port))
    wait_s = READ_TIMEOUT_S if host is None else TAP_TIMEOUT_S
    try:
        for _, end, _ in ends:
            end.open()
        sink = CaptureSink(path, head, clock)
        try:
            started(sink)
            while not stopping.is_set():
                for sender, end, other in ends:
                    data = end.read(wait_s)
                    if data and other is not None:
                        other.write(data)
                    if data:
                        sink.read(sender, data)
        finally:
            summary = sink.close()
        return summary
    finally:
        for _, end, _ in ends:
            end.close()


@contextmanager
def stop_at_signals() -> Iterator[threading.Event]:
    """Set by Ctrl-C and SIGTERM; main thread only."""
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
    """A last line without an end is skipped.

    Raises:
        CaptureDamaged: another line is damaged.
        OSError: the file cannot be read.
    """
    return (line for line in read_lines(path) if isinstance(line, CapturedRead))


def read_lines(path: Path) -> Iterator[CapturedRead | CaptureMark]:
    """Raises as `read_capture`."""
    with open_plain(path) as source:
        for number, line in enumerate(source, start=1):
            if line.endswith(b"\n"):
                parsed = _parsed(str(path), number, line)
                if parsed is not None:
                    yield parsed


def _parsed(path: str, number: int, line: bytes) -> CapturedRead | CaptureMark | None:
    try:
        fields = json.loads(line)
        if number == 1 and "capture" in fields:
            if fields["capture"] != FORM:
                raise CaptureDamaged(path, number, f"a capture of form {fields['capture']}, and form {FORM} is read")
            return None
        moment = fields["t_s"]
        moment_s = math.nan if isinstance(moment, bool | str) else float(moment)
        mark = fields.get("mark")
        data = b"" if isinstance(mark, str) else bytes.fromhex(fields["hex"])
        sender = _SENDERS[fields.get("from", "device")]
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise CaptureDamaged(path, number, f"no captured read ({error})") from error
    if not math.isfinite(moment_s) or not (data or isinstance(mark, str)):
        raise CaptureDamaged(path, number, "no captured read (t_s is no number, or no bytes)")
    return CaptureMark(moment_s, mark) if isinstance(mark, str) else CapturedRead(moment_s, data, sender)

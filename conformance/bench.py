"""The bench on which a device is checked."""

import random
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from conformance.check_result import CheckSkipped, FaceReading
from conformance.manual_steps import ManualStep, StepResult
from conformance.operator import Operator
from drivers.errors import DriverError, PortLost
from drivers.link_health import LinkHealth
from drivers.port import Port

REOPEN_PAUSE_S: Final = 0.05
"""Seconds between attempts to reopen a lost port."""

ACT_SLICE_S: Final = 0.05
"""Longest wait of a helper's check, seconds; the line is served meanwhile."""

ACT_FIRST_SLICE_S: Final = 0.001
"""The first of these slices, doubled each time."""

TAPE_LENGTH: Final = 40
"""Reads and writes kept for the report."""


def _pause(seconds: float) -> None:
    threading.Event().wait(seconds)


class LineTransfer(NamedTuple):
    """The bytes that one read brought (``<``) or one write took (``>``), and when, in seconds since the check began.

    ``is_inside`` marks a message inside an encrypted stream.
    """

    at_s: float
    direction: str
    data: bytes
    is_inside: bool = False


class Tape:
    """The last bytes that moved on the line."""

    def __init__(self) -> None:
        self._start_s = 0.0
        self._entries: deque[LineTransfer] = deque(maxlen=TAPE_LENGTH)
        self._inside: deque[LineTransfer] = deque(maxlen=TAPE_LENGTH)

    def begin(self, now_s: float) -> None:
        """Forget all; times count from now."""
        self._start_s = now_s
        self._entries.clear()
        self._inside.clear()

    def add(self, now_s: float, direction: str, data: bytes) -> None:
        """Take down what one read brought (``<``) or one write took (``>``)."""
        self._entries.append(LineTransfer(now_s - self._start_s, direction, data))

    def add_inside(self, now_s: float, direction: str, message: bytes) -> None:
        """Take down a message as it was before encryption."""
        self._inside.append(LineTransfer(now_s - self._start_s, direction, message, is_inside=True))

    @property
    def moved(self) -> tuple[LineTransfer, ...]:
        """The reads and writes, and the messages inside them, by time."""
        return tuple(sorted((*self._entries, *self._inside), key=lambda one: one.at_s))

    def lines(self) -> tuple[str, ...]:
        """A line of text for each: seconds since ``begin``, direction, bytes in hexadecimal."""
        return tuple(f"{one.at_s:8.3f} {one.direction} {one.data.hex(' ').upper()}" for one in self._entries)


class Bench:
    """A port read and written by one thread, for checks.

    Args:
        clock: seconds, monotonic.
        pause: waits so many seconds without reading; needed only while the port is not open.
    """

    def __init__(
        self,
        make_port: Callable[[], Port],
        helper: Operator,
        *,
        seed: int = 0,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = _pause,
    ) -> None:
        self._make_port: Final = make_port
        self._pause: Final = pause
        self._port: Port | None = None
        self.helper: Final = helper
        self.now_s: Final = clock
        self.rng: Final = random.Random(seed)  # noqa: S311  a run repeats with its seed; nothing here is secret
        self.health: Final = LinkHealth()
        self.tape: Final = Tape()
        self.observed: list[str] = []
        self.faces: tuple[FaceReading, ...] = ()
        self.answers = 0
        """Answers of the operator in this check."""
        self.was_open = False
        """True if the port was open when the check began."""

    @property
    def is_open(self) -> bool:
        return self._port is not None

    def open(self) -> None:
        """Open the port.

        Raises:
            DriverError: it cannot be opened.
        """
        if self._port is not None:
            return
        port = self._make_port()
        port.open()
        self._port = port
        self.health.opened(self.now_s())

    def close(self) -> None:
        """Close the port."""
        port, self._port = self._port, None
        if port is not None:
            port.close()

    def reopen(self, within_s: float) -> None:
        """Open the port again after a loss, as soon as it is there.

        Args:
            within_s: for how long to try, seconds.

        Raises:
            DriverError: it is not there in time.
        """
        self.close()
        deadline_s = self.now_s() + within_s
        while True:
            try:
                self.open()
            except DriverError:
                if self.now_s() >= deadline_s:
                    raise
            else:
                return
            self._pause(REOPEN_PAUSE_S)

    def read(self, until_s: float) -> bytes:
        """Return what arrives, at least one byte, or ``b""`` when it is ``until_s`` on the clock.

        Raises:
            PortLost: the line is disconnected.
        """
        port = self._usable()
        left_s = max(0.0, until_s - self.now_s())
        try:
            data = port.read(left_s)
        except PortLost as error:
            self._lost(error)
            raise
        if data:
            self.health.received(len(data), self.now_s())
            self.tape.add(self.now_s(), "<", data)
        return data

    def write(self, data: bytes) -> None:
        """Hand ``data`` to the line.

        Raises:
            PortLost: the line is disconnected.
        """
        port = self._usable()
        try:
            port.write(data)
        except PortLost as error:
            self._lost(error)
            raise
        self.tape.add(self.now_s(), ">", data)

    def pause(self, seconds: float) -> None:
        """Wait without a line."""
        self._pause(seconds)

    def observe(self, what: str) -> None:
        """Note something that the page leaves open."""
        if what not in self.observed:
            self.observed.append(what)

    def attempt(self, act: ManualStep, serve: Callable[[float], object]) -> StepResult:
        """Have an act tried, and serve the line until the helper has answered.

        Args:
            serve: reads and answers for the given seconds at most; may return early.

        Raises:
            CheckSkipped: the helper cannot do the act, or did not answer in time.
        """
        future = self.helper.begin(act)
        limit_s = self.helper.limit_s
        deadline_s = None if limit_s is None else self.now_s() + limit_s
        slice_s = ACT_FIRST_SLICE_S
        while not future.done():
            if deadline_s is not None and self.now_s() >= deadline_s:
                raise CheckSkipped(f"{self.helper.name} did not answer {act.line!r} within {limit_s:g} s")
            serve(slice_s)
            slice_s = min(2 * slice_s, ACT_SLICE_S)
        answer = future.result()
        self.answers += 1
        return answer

    def act(self, act: ManualStep, serve: Callable[[float], object]) -> StepResult:
        """As ``attempt``, but it must succeed.

        Raises:
            CheckSkipped: it was not done.
        """
        answer = self.attempt(act, serve)
        if not answer.done:
            raise CheckSkipped(f"{act.line!r} could not be done: {answer.text}")
        return answer

    def _usable(self) -> Port:
        if self._port is None:
            raise PortLost("bench", "the port is not open", "Open it first.")
        return self._port

    def _lost(self, error: PortLost) -> None:
        self.health.lost(error)
        self.close()

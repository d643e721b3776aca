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

ACT_SLICE_S: Final = 0.05

ACT_FIRST_SLICE_S: Final = 0.001

TAPE_LENGTH: Final = 40


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
    def __init__(self) -> None:
        self._start_s = 0.0
        self._entries: deque[LineTransfer] = deque(maxlen=TAPE_LENGTH)
        self._inside: deque[LineTransfer] = deque(maxlen=TAPE_LENGTH)

    def begin(self, now_s: float) -> None:
        self._start_s = now_s
        self._entries.clear()
        self._inside.clear()

    def add(self, now_s: float, direction: str, data: bytes) -> None:
        self._entries.append(LineTransfer(now_s - self._start_s, direction, data))

    def add_inside(self, now_s: float, direction: str, message: bytes) -> None:
        """Take down a message as it was before encryption."""
        self._inside.append(LineTransfer(now_s - self._start_s, direction, message, is_inside=True))

    @property
    def moved(self) -> tuple[LineTransfer, ...]:
        """The reads and writes, and the messages inside them, by time."""
        return tuple(sorted((*self._entries, *self._inside), key=lambda one: one.at_s))

    def lines(self) -> tuple[str, ...]:
        return tuple(f"{one.at_s:8.3f} {one.direction} {one.data.hex(' ').upper()}" for one in self._entries)


class Bench:
    """One thread reads and writes; ``pause`` waits while the port is closed."""

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

    @property
    def is_open(self) -> bool:
        return self._port is not None

    def open(self) -> None:
        if self._port is not None:
            return
        port = self._make_port()
        port.open()
        self._port = port
        self.health.opened(self.now_s())

    def close(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            port.close()

    def reopen(self, within_s: float) -> None:
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
        """At least one byte, or ``b""`` at ``until_s`` on the clock."""
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
        """Serve the line until the helper has answered."""
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
        """As ``attempt``, but it must succeed."""
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

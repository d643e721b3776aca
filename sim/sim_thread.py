"""The one thread on which simulated things live in real time."""

import os
import queue
import select
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from types import TracebackType
from typing import Any, Final, Protocol, Self, TypeVar

from sim.clock import RealClock

T = TypeVar("T")
_STOP_TIMEOUT_S: Final = 10.0
"""The thread waits for nothing but its own wake-up."""
_LOOK_S: Final = 0.5
_MS: Final = 1000


class PumpedLine(Protocol):
    """A part of ``sim.wires.wire.Wire``."""

    def fds(self) -> Sequence[int]:
        """File descriptors to wait on until one can be read."""

    def pump(self) -> None:
        """Move what waits."""

    def on_wake(self, wake: Callable[[], None]) -> None:
        """Call ``wake``, from any thread, when ``fds`` do not show what waits."""

    def close(self) -> None:
        """Release everything; repeatable."""


class SimulatorStopped(RuntimeError):
    """A call to a stopped thread; ``__cause__``: the error, if any."""


class SimulatorThread:
    """Only this thread may touch simulated parts: others use ``call`` and ``post``."""

    def __init__(self, clock: RealClock, wires: Sequence[PumpedLine] = (), name: str = "sim-station") -> None:
        self._clock = clock
        self._wires = tuple(wires)
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._gate = threading.Lock()
        self._open = True
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.failure: BaseException | None = None
        for wire in self._wires:
            wire.on_wake(self._wake)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Repeatable; what was posted before is still done."""
        if self._thread.is_alive():
            self.post(self._end)
            self._thread.join(_STOP_TIMEOUT_S)
        with self._gate:
            if self._open:
                self._open = False
                for wire in self._wires:
                    wire.close()
                os.close(self._wake_read)
                os.close(self._wake_write)
        if self.failure is not None:
            failure, self.failure = self.failure, None
            raise SimulatorStopped("a simulated part failed") from failure

    def call(self, act: Callable[[], T]) -> T:
        """Wait, and return or raise what ``act`` does."""
        if threading.current_thread() is self._thread:
            return act()
        future: Future[T] = Future()
        self.post(lambda: _do(act, future))
        while not wait([future], timeout=_LOOK_S).done:
            if not self._thread.is_alive() and not future.done():
                raise SimulatorStopped("the station has stopped") from self.failure
        return future.result()

    def post(self, act: Callable[[], Any]) -> None:
        """An exception ends the thread."""
        self._jobs.put(act)
        self._wake()

    def _wake(self) -> None:
        with self._gate:
            if self._open:
                try:
                    os.write(self._wake_write, b"!")
                except BlockingIOError:
                    return  # full of wake-ups: it will wake

    def _end(self) -> None:
        self._stopping = True

    def _run(self) -> None:
        try:
            while not self._stopping:
                self._wait()
                for wire in self._wires:
                    wire.pump()
                self._do_jobs()
                self._clock.run_due()
        # Whatever it is: a test must see it, and not as a silent thread. `stop` raises it.
        except BaseException as error:  # noqa: BLE001  # as the line above says
            self.failure = error

    def _wait(self) -> None:
        poller = select.poll()
        poller.register(self._wake_read, select.POLLIN)
        for wire in self._wires:
            for fd in wire.fds():
                poller.register(fd, select.POLLIN)
        wait_s = self._clock.wait_s()
        # Rounded up: to wake too early would spin.
        poller.poll(None if wait_s is None else int(wait_s * _MS) + (wait_s > 0))
        try:
            os.read(self._wake_read, 4096)
        except BlockingIOError:
            return

    def _do_jobs(self) -> None:
        while not self._stopping:
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                return
            job()


def _do(act: Callable[[], T], future: "Future[T]") -> None:
    try:
        future.set_result(act())
    except Exception as error:  # noqa: BLE001  # it is raised where it belongs: at the caller
        future.set_exception(error)

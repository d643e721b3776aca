"""A link that comes and goes does not fill the journal: its cause is stated once, and it is waited for longer."""

import socket
import threading
from collections.abc import Iterator
from typing import Final

import pytest

from cardshoe.process.log_throttle import LogThrottle
from drivers.bee_tek import LINE, BeeTekDevice
from drivers.discovery import port_maker
from drivers.errors import DriverError, PortHungUp
from drivers.flapping import CALM_S, FREE_LOSSES, LONGEST_S, Flapping
from drivers.port_thread import HANG_UP_PAUSES, Backoff
from drivers.tdp import TdpDevice
from drivers.tdp_settings import TdpSettings
from protocols.tdp.endpoint import Endpoint, EndpointLost, EndpointReady
from protocols.tdp.handshake import Security, Terms
from protocols.tdp.messages import Heartbeat, Hello, Status
from protocols.tdp.states import Role
from tests.drivers.listening import Ear
from tests.firmware_bridge.tdp.device import HELLO, STATUS
from tests.kit.waiting import PATIENCE_S, eventually

QUICK: Final = Backoff(first_s=0.005, factor=1.5, max_s=0.02)
HOUR_S: Final = 3600.0


class Box:
    """Accepts each connection, and ends it or holds it."""

    def __init__(self) -> None:
        self.listener: Final = socket.create_server(("127.0.0.1", 0))
        self.url: Final = f"socket://127.0.0.1:{self.listener.getsockname()[1]}"
        self.accepted = 0
        self.holds = threading.Event()
        self._held: list[socket.socket] = []
        self._thread: Final = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.accepted += 1
            if self.holds.is_set():
                self._held.append(connection)
            else:
                connection.close()

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self._thread.join(PATIENCE_S)
        for connection in self._held:
            connection.close()


@pytest.fixture
def box() -> Iterator[Box]:
    made = Box()
    yield made
    made.close()


def test_a_box_that_accepts_and_hangs_up_is_reported_once_with_its_cause(box: Box) -> None:
    listener = Ear()
    device = BeeTekDevice(box.url, listener, port_maker(box.url, LINE), backoff=QUICK)
    device.port.start()
    eventually(lambda: box.accepted >= 30, "it has hung up often")
    entries = listener.log.entries()
    assert entries[0] == "back", "the first connection looks like any"
    assert [type(entry) for entry in entries[1:]] == [PortHungUp]
    assert "Another program may be connected" in str(entries[1])
    box.holds.set()
    listener.log.wait_for(lambda entries: len(entries) == 3)
    assert listener.log.entries()[2] == "back", "a connection that holds for a second is one"
    assert device.stop(PATIENCE_S)


def test_the_pause_grows_where_the_far_end_hangs_up() -> None:
    backoff, pause_s = Backoff(), Backoff().first_s
    for _ in range(20):
        pause_s = backoff.after(pause_s, hung_up=True)
    assert pause_s == backoff.max_s * HANG_UP_PAUSES == 10.0


@pytest.mark.parametrize("period_s", [1.5, 3.0, 10.0, 60.0, 200.0])
def test_a_link_that_comes_and_goes_makes_a_few_lines_an_hour(period_s: float) -> None:
    """Two lines each time that it counts as back: up for a period, then gone and back at once."""
    flapping, now_s, reported = Flapping(), 0.0, 0
    while now_s < HOUR_S:
        is_reported = period_s >= flapping.wait_s
        reported += is_reported
        now_s += period_s
        flapping.lost(now_s, reported=is_reported, short=False)
    assert 2 * reported <= 2 * (FREE_LOSSES + 10)


def test_who_plugs_a_cable_in_and_out_is_not_made_to_wait() -> None:
    flapping = Flapping()
    for moment in range(FREE_LOSSES):
        assert flapping.wait_s == 0.0
        flapping.lost(10.0 * moment, reported=True, short=False)
    assert flapping.wait_s == 0.0
    flapping.lost(100.0, reported=True, short=False)
    assert flapping.flaps
    flapping.lost(100.0 + CALM_S, reported=True, short=False)
    assert (flapping.flaps, flapping.wait_s) == (False, 0.0)


def test_the_longest_wait_is_bounded() -> None:
    flapping = Flapping()
    for moment in range(1000):
        flapping.lost(float(moment), reported=True, short=True)
    assert flapping.wait_s == LONGEST_S


def test_a_message_that_comes_and_goes_is_logged_six_times_an_hour() -> None:
    quiet = LogThrottle()
    said = [quiet.is_due("the floor is away", float(second)) for second in range(int(HOUR_S))]
    assert sum(said) == HOUR_S / CALM_S
    assert quiet.is_due("another cause", 0.0)


class RestartingDevice:
    """A TDP device and its port, in a time of their own: it starts again and again, for an hour; then it lasts.

    Args:
        period_s: seconds that it runs each time.
    """

    name: Final = "restarting"
    OFF_S: Final = 0.5
    SLICE_S: Final = 0.05

    def __init__(self, period_s: float) -> None:
        self.now_s = 0.0
        self.sessions = 0
        self.starts = 0
        self._period_s: Final = period_s
        self._woken: Final = threading.Event()
        self._answers = b""
        self._restart()

    def _restart(self) -> None:
        self._endpoint = Endpoint(Role.DEVICE, self.starts, Terms(security=Security.PLAIN))
        self._begun_s, self._beaten_s, self._is_ready = self.now_s, self.now_s, False
        self._endpoint.open(self.now_s)
        self.starts += 1

    @property
    def _is_on(self) -> bool:
        return self.now_s >= HOUR_S or self.now_s - self._begun_s < self._period_s

    def open(self) -> None:
        """Begins nothing: the device is always plugged in."""

    def read(self, timeout_s: float) -> bytes:
        if self.now_s > HOUR_S + 700:
            self._woken.wait(0.01)  # the thread has no more to do
        self.now_s += min(timeout_s, self.SLICE_S)
        if not self._is_on and self.now_s - self._begun_s >= self._period_s + self.OFF_S:
            self._restart()
        self._live(b"")
        answers, self._answers = self._answers, b""
        return answers

    def write(self, data: bytes) -> None:
        self._live(data)

    def _live(self, data: bytes) -> None:
        if not self._is_on:
            return
        for event in self._endpoint.receive(data, self.now_s):
            self._is_ready = isinstance(event, EndpointReady) or (
                self._is_ready and not isinstance(event, EndpointLost)
            )
            if isinstance(event, EndpointReady):
                self.sessions += 1
                self._endpoint.send(HELLO)
                self._endpoint.send(STATUS)
        if self._is_ready and self.now_s - self._beaten_s >= 1.0:
            self._beaten_s = self.now_s
            self._endpoint.send(Heartbeat(60, HELLO.boot_count, 0, 0))
        self._answers += self._endpoint.bytes_to_send(self.now_s)

    def wake(self) -> None:
        self._woken.set()

    def close(self) -> None:
        """Ends nothing."""


@pytest.mark.parametrize("period_s", [3.0, 20.0])
def test_a_tdp_device_that_starts_again_and_again_makes_a_few_lines_an_hour(period_s: float) -> None:
    """Its sessions become ready and end: each was a loss and a return in the journal."""
    far, listener = RestartingDevice(period_s), Ear()
    settings = TdpSettings.from_mapping({"security": "plain"})
    device = TdpDevice("restarting", listener, lambda: far, settings, clock=lambda: far.now_s, backoff=QUICK)
    device.port.start()
    try:
        eventually(lambda: far.now_s > HOUR_S + 700, "an hour has passed")
    finally:
        assert device.stop(PATIENCE_S)
    entries = listener.log.entries()
    assert far.sessions > HOUR_S / (period_s + 5)
    lines = [entry for entry in entries if entry == "back" or isinstance(entry, DriverError)]
    assert len(lines) <= 2 * (FREE_LOSSES + 10)
    assert "the session ended" in str(next(entry for entry in lines if isinstance(entry, DriverError)))
    last = len(entries) - entries[::-1].index("back")
    assert [type(entry) for entry in entries[last:][:2]] == [Hello, Status], "the session that lasts is whole"

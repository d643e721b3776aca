"""One thread owns the port: loss and return, sending, stopping, and defects of others; over real ptys and sockets."""

import socket
import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from drivers.discovery import port_maker
from drivers.errors import DriverError, InternalDriverError, PortLost, PortMissing, SendQueueFull
from drivers.port import Port
from drivers.port_thread import LONGEST_WAIT_S, LOOK_S, NEVER_S, SEND_QUEUE_LIMIT, SHORTEST_WAIT_S, Backoff, PortThread
from drivers.serial_port import SerialPort
from tests.drivers.listening import OPENED, PortEar
from tests.kit.far_ends import PtyEnd, SocketEnd
from tests.kit.waiting import PATIENCE_S, Log, eventually

QUICK = Backoff(first_s=0.005, factor=1.5, max_s=0.02)


Start = Callable[..., PortThread]


@pytest.fixture
def start() -> Iterator[Start]:
    threads: list[PortThread] = []

    def start_thread(name: str, listener: PortEar, make_port: Callable[[], Port] | None = None) -> PortThread:
        thread = PortThread(name, make_port or port_maker(name), listener, backoff=QUICK)
        threads.append(thread)
        thread.start()
        return thread

    yield start_thread
    for thread in threads:
        assert thread.stop(PATIENCE_S)


def test_bytes_go_both_ways(pty: PtyEnd, start: Start) -> None:
    listener = PortEar()
    thread = start(pty.url, listener)
    listener.wait_for_openings(1)
    assert thread.connected
    pty.send(b"\x05hello")
    listener.wait_for_bytes(b"\x05hello")
    thread.send(b"\x02there")
    assert pty.receive(6) == b"\x02there"


def test_writes_keep_their_order(pty: PtyEnd, start: Start) -> None:
    listener = PortEar()
    thread = start(pty.url, listener)
    listener.wait_for_openings(1)
    for number in range(SEND_QUEUE_LIMIT):
        thread.send(bytes([number]))
    assert pty.receive(SEND_QUEUE_LIMIT) == bytes(range(SEND_QUEUE_LIMIT))


def test_a_loss_is_told_and_the_port_comes_back_under_its_name(pty: PtyEnd, start: Start) -> None:
    listener = PortEar()
    thread = start(pty.url, listener)
    listener.wait_for_openings(1)
    for round_number in (1, 2, 3):
        pty.vanish()
        listener.wait_for_loss(PortLost, round_number)
        pty.plug_in()
        listener.wait_for_openings(round_number + 1)
        pty.send(b"card")
        listener.wait_for_bytes(b"card")
    assert thread.connected
    order = [entry if entry == OPENED else type(entry) for entry in listener.log.entries() if entry != b"card"]
    kinds = [kind for kind in order if kind in (OPENED, PortLost)]
    assert kinds == [OPENED, PortLost] * 3 + [OPENED]


def test_a_tcp_peer_that_restarts_is_found_again(start: Start) -> None:
    box = SocketEnd()
    listener = PortEar()
    start(box.url, listener)
    box.send(b"one")
    listener.wait_for_bytes(b"one")
    box.vanish()
    listener.wait_for_loss(PortLost)
    listener.wait_for_loss(PortMissing)
    box.plug_in()
    box.send(b"two")
    listener.wait_for_bytes(b"two")
    box.vanish()


def test_a_port_that_is_not_there_is_told_once_and_waited_for(tmp_path: Path, start: Start) -> None:
    attempts = count(1)
    reached = threading.Event()
    path = tmp_path / "shoe"

    def make_port() -> Port:
        if next(attempts) == 5:
            reached.set()
        return SerialPort(str(path))

    listener = PortEar()
    start(str(path), listener, make_port)
    assert reached.wait(PATIENCE_S)
    (error,) = listener.log.entries()
    assert isinstance(error, PortMissing)
    pty = PtyEnd(path)
    listener.wait_for_openings(1)
    pty.vanish()


def test_a_new_reason_is_told_again(tmp_path: Path, start: Start) -> None:
    path = tmp_path / "shoe"
    listener = PortEar()
    start(str(path), listener)
    listener.wait_for_loss(PortMissing)
    path.mkdir()
    listener.log.wait_for(lambda entries: len(entries) >= 2)
    assert [type(entry).__name__ for entry in listener.log.entries()] == ["PortMissing", "PortUnusable"]


def test_a_wrong_name_is_told_like_a_missing_port(start: Start) -> None:
    listener = PortEar()
    start("usb:nonsense", listener)
    assert "four hex digits" in str(listener.wait_for_loss(DriverError))


def test_nothing_is_sent_without_a_connection(pty: PtyEnd, tmp_path: Path, start: Start) -> None:
    listener = PortEar()
    thread = start(str(tmp_path / "nowhere"), listener)
    listener.wait_for_loss(PortMissing)
    with pytest.raises(PortLost, match="nothing was sent"):
        thread.send(b"lock")
    assert not thread.connected
    stopped = PortThread(pty.url, port_maker(pty.url), PortEar())
    with pytest.raises(PortLost):
        stopped.send(b"lock")


def test_nothing_is_kept_across_a_reconnection(pty: PtyEnd) -> None:
    """Bytes queued when the line went must not reach the shoe that comes back: they belonged to another moment."""
    thread: PortThread
    first_byte = threading.Event()

    class Sender(PortEar):
        def bytes_received(self, data: bytes, now_s: float) -> None:
            super().bytes_received(data, now_s)
            if not first_byte.is_set():
                first_byte.set()
                thread.send(b"old command")
                pty.vanish()  # before the thread gets to write

    listener = Sender()
    thread = PortThread(pty.url, port_maker(pty.url), listener, backoff=QUICK)
    thread.start()
    pty.send(b"x")
    listener.wait_for_loss(PortLost)
    pty.plug_in()
    listener.wait_for_openings(2)
    thread.send(b"new command")
    assert pty.receive(11) == b"new command"
    assert thread.stop(PATIENCE_S)


def test_a_stuck_line_refuses_more(pty: PtyEnd, start: Start) -> None:
    held = threading.Event()

    class Slow(PortEar):
        def bytes_received(self, data: bytes, now_s: float) -> None:
            super().bytes_received(data, now_s)
            held.wait(PATIENCE_S)

    listener = Slow()
    thread = start(pty.url, listener)
    pty.send(b"x")
    listener.wait_for_bytes(b"x")
    for _ in range(SEND_QUEUE_LIMIT):
        thread.send(b"y")
    with pytest.raises(SendQueueFull):
        thread.send(b"y")
    held.set()
    assert pty.receive(SEND_QUEUE_LIMIT) == b"y" * SEND_QUEUE_LIMIT


@pytest.mark.parametrize("method", ["port_opened", "bytes_received", "time_passed"])
def test_a_defect_in_the_listener_is_a_loss_and_not_the_end(pty: PtyEnd, start: Start, method: str) -> None:
    raised = threading.Event()

    class Faulty(PortEar):
        def fail_once(self, where: str) -> None:
            if where == method and not raised.is_set():
                raised.set()
                raise KeyError("no such seat")

        def port_opened(self) -> None:
            self.fail_once("port_opened")
            super().port_opened()

        def bytes_received(self, data: bytes, now_s: float) -> None:
            self.fail_once("bytes_received")
            super().bytes_received(data, now_s)

        def time_passed(self, now_s: float) -> float:
            self.fail_once("time_passed")
            return super().time_passed(now_s)

    listener = Faulty()
    start(pty.url, listener)
    pty.send(b"a")
    error = listener.wait_for_loss(InternalDriverError)
    assert isinstance(error.__cause__, KeyError)
    assert method in error.problem
    listener.wait_for_openings(1)
    pty.send(b"b")
    listener.wait_for_bytes(b"b")


def test_a_defect_in_port_lost_is_logged(pty: PtyEnd, start: Start, caplog: pytest.LogCaptureFixture) -> None:
    class Faulty(PortEar):
        def port_lost(self, error: DriverError) -> None:
            super().port_lost(error)
            raise RuntimeError("in the middle of a loss")

    listener = Faulty()
    start(pty.url, listener)
    listener.wait_for_openings(1)
    pty.vanish()
    listener.wait_for_loss(PortLost)
    pty.plug_in()
    listener.wait_for_openings(2)
    assert "in the middle of a loss" in caplog.text


class ThirdPartyPort:
    """A port that does not keep the contract: a composed fake, for what no transport of ours does."""

    name = "third party"

    def __init__(self, log: Log) -> None:
        self.log = log

    def open(self) -> None:
        """Open nothing."""

    def read(self, timeout_s: float) -> bytes:
        raise ZeroDivisionError(timeout_s)

    def write(self, data: bytes) -> None:
        """Write nothing."""

    def close(self) -> None:
        self.log.add("closed")
        raise OSError("cannot even close")


def test_a_port_that_breaks_the_contract_is_a_loss(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    listener, closed = PortEar(), Log()
    start("third party", listener, lambda: ThirdPartyPort(closed))
    error = listener.wait_for_loss(InternalDriverError, 2)
    assert isinstance(error.__cause__, ZeroDivisionError)
    assert "the port" in error.problem
    closed.wait_for(lambda entries: len(entries) >= 2)
    assert "cannot even close" in caplog.text


def test_stopping_is_no_loss_and_frees_the_port(pty: PtyEnd, start: Start) -> None:
    listener = PortEar()
    thread = start(pty.url, listener)
    listener.wait_for_openings(1)
    assert thread.stop(PATIENCE_S)
    assert thread.stop(PATIENCE_S)
    assert listener.log.entries() == [OPENED]
    assert not thread.connected
    with pytest.raises(PortLost):
        thread.send(b"x")
    port = SerialPort(pty.url)
    port.open()
    port.close()


def test_an_answer_that_cannot_be_sent_any_more_is_no_defect(pty: PtyEnd) -> None:
    """A device that talked while its table ended made the table report a defect of its own."""
    ending: PortThread

    class Answering(PortEar):
        def bytes_received(self, data: bytes, now_s: float) -> None:
            super().bytes_received(data, now_s)
            ending.stop(PATIENCE_S)
            ending.send(b"answer")

    listener = Answering()
    ending = PortThread(pty.url, port_maker(pty.url), listener)
    ending.start()
    listener.wait_for_openings(1)
    pty.send(b"a")
    listener.wait_for_bytes(b"a")
    assert ending.stop(PATIENCE_S)
    assert [type(entry) for entry in listener.log.entries() if isinstance(entry, DriverError)] == []


def test_stopping_does_not_wait_out_the_pause(tmp_path: Path) -> None:
    listener = PortEar()
    path = str(tmp_path / "nowhere")
    thread = PortThread(path, port_maker(path), listener, backoff=Backoff(first_s=3600, max_s=3600))
    thread.start()
    listener.wait_for_loss(PortMissing)
    assert thread.stop(PATIENCE_S)


def test_it_may_be_stopped_before_it_began_and_by_its_listener(pty: PtyEnd) -> None:
    thread = PortThread(pty.url, port_maker(pty.url), PortEar())
    assert thread.stop(0)
    thread.start()
    assert thread.stop(PATIENCE_S)

    answers: list[bool] = []
    stopping: PortThread

    class Stopper(PortEar):
        def port_opened(self) -> None:
            answers.append(stopping.stop(PATIENCE_S))
            super().port_opened()

    listener = Stopper()
    stopping = PortThread(pty.url, port_maker(pty.url), listener)
    stopping.start()
    listener.wait_for_openings(1)
    assert stopping.stop(PATIENCE_S)
    assert answers == [False]


def test_it_cannot_be_started_twice(pty: PtyEnd, start: Start) -> None:
    thread = start(pty.url, PortEar())
    with pytest.raises(RuntimeError):
        thread.start()


def test_time_is_the_clocks_that_was_given(pty: PtyEnd) -> None:
    ticks = count(1000)
    listener = PortEar()
    thread = PortThread(pty.url, port_maker(pty.url), listener, clock=lambda: float(next(ticks)))
    thread.start()
    pty.send(b"x")
    listener.wait_for_bytes(b"x")
    eventually(lambda: len(listener.moments_s) > 5, "time passes without bytes too")
    assert thread.stop(PATIENCE_S)
    assert listener.moments_s == sorted(listener.moments_s)
    assert set(listener.moments_s) <= {float(tick) for tick in range(1000, next(ticks))}


def test_pauses_grow_up_to_a_limit() -> None:
    backoff = Backoff(first_s=0.1, factor=2, max_s=0.5)
    pauses = [backoff.first_s]
    for _ in range(4):
        pauses.append(backoff.after(pauses[-1]))
    assert pauses == [0.1, 0.2, 0.4, 0.5, 0.5]


def test_a_box_that_hangs_up_at_once_is_not_called_ever_faster() -> None:
    """A box with its one connection taken accepts a second one and closes it: the pauses must grow all the same."""
    pauses: list[float] = []

    class Recorded(Backoff):
        def after(self, pause_s: float, *, hung_up: bool = False) -> float:
            pauses.append(pause_s)
            return Backoff.after(self, pause_s, hung_up=hung_up)

    with socket.create_server(("127.0.0.1", 0)) as box:
        box.settimeout(PATIENCE_S)
        name = f"socket://127.0.0.1:{box.getsockname()[1]}"
        listener = PortEar()
        thread = PortThread(name, port_maker(name), listener, backoff=Recorded(first_s=0.01, factor=2, max_s=0.04))
        thread.start()
        for _ in range(5):
            box.accept()[0].close()
        listener.wait_for_loss(PortLost, 4)
        assert thread.stop(PATIENCE_S)
    # Longer than the longest for a line that is gone: each attempt may cost the box one of few connections.
    assert pauses[:4] == [0.01, 0.02, 0.04, 0.08]


class AskedPort(SerialPort):
    """A port that notes how long it is asked to wait for bytes."""

    def __init__(self, target: str, waits_s: list[float]) -> None:
        super().__init__(target)
        self._waits_s = waits_s

    def read(self, timeout_s: float) -> bytes:
        self._waits_s.append(timeout_s)
        return super().read(timeout_s)


class Due(PortEar):
    """Says that something is due so many seconds later."""

    def __init__(self, after_s: float) -> None:
        super().__init__()
        self._after_s = after_s

    def time_passed(self, now_s: float) -> float:
        super().time_passed(now_s)
        return now_s + self._after_s


@pytest.mark.parametrize(
    ("after_s", "least_s", "most_s"),
    [(NEVER_S, LONGEST_WAIT_S, LONGEST_WAIT_S), (0.02, SHORTEST_WAIT_S, 0.02), (-1, SHORTEST_WAIT_S, SHORTEST_WAIT_S)],
    ids=["nothing", "soon", "past"],
)
def test_it_waits_until_something_is_due(pty: PtyEnd, after_s: float, least_s: float, most_s: float) -> None:
    waits_s: list[float] = []
    thread = PortThread(pty.url, lambda: AskedPort(pty.url, waits_s), Due(after_s))
    thread.start()
    for number in range(2, 6):
        thread.wake()  # ends the wait, however long it is
        eventually(lambda number=number: len(waits_s) >= number, "a turn follows")  # type: ignore[misc]  # bound now
    assert thread.stop(PATIENCE_S)
    assert all(least_s <= wait_s <= most_s for wait_s in waits_s[1:]), waits_s
    assert waits_s[0] == SHORTEST_WAIT_S, "what the listener does as the port opens is seen to at once"


def test_a_clock_that_is_not_the_machines_is_looked_at_often(pty: PtyEnd) -> None:
    waits_s: list[float] = []
    ticks = count(1000)
    thread = PortThread(pty.url, lambda: AskedPort(pty.url, waits_s), Due(NEVER_S), clock=lambda: float(next(ticks)))
    thread.start()
    eventually(lambda: len(waits_s) > 2, "it may run faster than the wait")
    assert thread.stop(PATIENCE_S)
    assert set(waits_s[1:]) == {LOOK_S}

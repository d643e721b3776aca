"""The simulator in real time: a shoe on its thread, a host outside with nothing but file descriptors."""

import os
import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from protocols.angel_eye.decoder import TelegramDecoder
from protocols.angel_eye.messages import Ack, CardDrawn, Nak, Started
from protocols.garbage import Garbage
from regulations.events.cards import Card
from sim.angel_eye.settings import ShoeSettings
from sim.clock import RealClock
from sim.hands import AngelEyeActions, hands_at
from sim.sim_thread import SimulatorStopped, SimulatorThread
from sim.wires.pty import PtyWire
from sim.wires.tcp import TcpWire
from sim.wires.wire import Wire
from tests.kit.pipe_wire import PipeWire

PATIENCE_S = 20.0
SPEED = 20.0
LOCK = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")


class Host:
    """Reads a line until it has what it waits for."""

    def __init__(self, read: Callable[[], bytes]) -> None:
        self._read = read
        self._decoder = TelegramDecoder()
        self.items: list[object] = []

    def until(self, condition: Callable[[list[object]], bool]) -> list[object]:
        while not condition(self.items):
            self.items += self._decoder.feed(self._read())
        return self.items


def from_fd(fd: int) -> Host:
    def read() -> bytes:
        ready, _w, _x = select.select([fd], [], [], PATIENCE_S)
        assert ready, "the shoe says nothing"
        return os.read(fd, 4096)

    return Host(read)


def cards_in(items: list[object]) -> list[Card | None]:
    """The cards told, each once: copies of a telegram are equal and follow each other."""
    drawn = [item for item in items if isinstance(item, CardDrawn)]
    return [one.card for before, one in zip([None, *drawn], drawn, strict=False) if before != one]


def has_card(card: Card, items: list[object]) -> bool:
    return card in cards_in(items)


def start(wire: Wire) -> tuple[SimulatorThread, AngelEyeActions]:
    clock = RealClock(SPEED)
    hands = hands_at(wire, clock, decks=1, settings=ShoeSettings(initial_burn="none"))
    station = SimulatorThread(clock, [wire])
    station.start()
    return station, hands


def load(hands: AngelEyeActions) -> None:
    hands.shoe.power_on()
    hands.place_cut_card(14)
    hands.load()


@pytest.fixture
def pty(tmp_path: Path) -> Iterator[tuple[PtyWire, SimulatorThread, AngelEyeActions]]:
    wire = PtyWire(tmp_path / "shoe")
    station, hands = start(wire)
    yield wire, station, hands
    station.stop()


def opened(wire: PtyWire) -> int:
    return os.open(wire.path, os.O_RDWR | os.O_NOCTTY)


def test_pty_cards_and_a_command(pty: tuple[PtyWire, SimulatorThread, AngelEyeActions]) -> None:
    wire, station, hands = pty
    fd = opened(wire)
    host = from_fd(fd)
    station.call(lambda: load(hands))
    station.call(hands.draw)
    items = host.until(lambda items: sum(isinstance(one, CardDrawn) for one in items) == 3)
    assert cards_in(items) == ["AS"]
    assert sum(isinstance(one, Started) for one in items) == 6
    assert not any(isinstance(one, Garbage) for one in items)
    os.write(fd, LOCK)
    assert host.until(lambda items: isinstance(items[-1], Ack))
    assert station.call(lambda: hands.shoe.panel.is_locked)
    os.write(fd, LOCK[:-1] + b"X")
    assert host.until(lambda items: isinstance(items[-1], Nak))
    os.close(fd)


def test_pty_unplugged_in_mid_round_no_card_is_lost_and_none_doubled(
    pty: tuple[PtyWire, SimulatorThread, AngelEyeActions],
) -> None:
    wire, station, hands = pty
    fd = opened(wire)
    host = from_fd(fd)
    station.call(lambda: load(hands))
    for _ in range(2):
        station.call(hands.draw)
    before = cards_in(host.until(lambda items: len(cards_in(items)) == 2))
    station.call(wire.unplug)
    os.close(fd)
    station.call(wire.replug)
    fd = opened(wire)
    host = from_fd(fd)
    for _ in range(2):
        station.call(hands.draw)
    after = cards_in(host.until(lambda items: "4S" in cards_in(items)))
    assert station.call(lambda: hands.felt.laid) == ["AS", "2S", "3S", "4S"]
    # The last card before may be told once more: copies that had not gone out yet.
    assert [card for card in after if card not in before] == ["3S", "4S"]
    assert station.call(lambda: hands.cards_are_complete)
    os.close(fd)


def test_tcp_cards_come_after_a_reconnection() -> None:
    wire = TcpWire()
    station, hands = start(wire)
    with ExitStack() as at_the_end:
        at_the_end.callback(station.stop)
        expected: Card
        for expected in ("AS", "2S"):
            with socket.create_connection(wire.address, PATIENCE_S) as host_socket:
                host = from_fd(host_socket.fileno())
                host_socket.sendall(LOCK[:1])
                if expected == "AS":
                    station.call(lambda: load(hands))
                while not station.call(lambda: wire.is_connected):
                    pass
                station.call(hands.draw)
                host.until(partial(has_card, expected))


def test_pipe_a_command_wakes_the_station() -> None:
    wire = PipeWire()
    station, hands = start(wire)
    with ExitStack() as at_the_end:
        at_the_end.callback(station.stop)
        wire.host.open()
        station.call(lambda: load(hands))
        host = Host(lambda: wire.host.read(PATIENCE_S))
        host.until(lambda items: len(items) == 6)
        wire.host.write(LOCK)
        assert host.until(lambda items: isinstance(items[-1], Ack))


def test_a_call_runs_on_the_thread_and_returns_or_raises() -> None:
    with SimulatorThread(RealClock()) as station:
        assert station.call(threading.get_ident) != threading.get_ident()
        assert station.call(lambda: station.call(threading.get_ident)) == station.call(threading.get_ident)
        with pytest.raises(ZeroDivisionError):
            station.call(lambda: 1 // 0)
        with pytest.raises(TimeoutError):
            station.call(_raise_timeout)
        assert station.call(lambda: "still there") == "still there"


def _raise_timeout() -> None:
    raise TimeoutError


def test_timers_run_in_real_time() -> None:
    clock = RealClock(SPEED)
    done = threading.Event()
    with SimulatorThread(clock) as station:
        station.call(lambda: clock.call_later(0.2, done.set))
        assert done.wait(PATIENCE_S)


def test_what_fails_on_the_thread_is_raised_by_stop_and_by_calls() -> None:
    station = SimulatorThread(RealClock())
    station.start()
    station.post(lambda: 1 // 0)
    with pytest.raises(SimulatorStopped) as caught:
        call_for_ever(station)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(SimulatorStopped):
        station.stop()
    station.stop()


def call_for_ever(station: SimulatorThread) -> None:
    while True:
        station.call(lambda: None)


def test_stop_is_idempotent_does_what_was_posted_and_closes_the_wires(tmp_path: Path) -> None:
    wire = PtyWire(tmp_path / "shoe")
    station = SimulatorThread(RealClock(), [wire])
    done: list[int] = []
    station.start()
    station.post(lambda: done.append(1))
    station.stop()
    station.stop()
    assert done == [1]
    assert not wire.is_plugged
    with pytest.raises(SimulatorStopped):
        station.call(lambda: None)


def test_a_station_that_never_started_can_be_stopped(tmp_path: Path) -> None:
    wire = PtyWire(tmp_path / "shoe")
    SimulatorThread(RealClock(), [wire]).stop()
    assert not wire.is_plugged

"""Devices on bad lines, on real ones, and under TLS."""

import os
import random
import select
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from protocols.tdp.codes import Face
from protocols.tdp.commands import Dispense, EventAcknowledged, Unlock
from protocols.tdp.endpoint import Endpoint, EndpointReady, MessageReceived, TlsRejected
from protocols.tdp.events import CardDrawn, DeviceEvent
from protocols.tdp.messages import Done
from protocols.tdp.states import Role
from protocols.tdp.tls import TlsContext
from sim.clock import RealClock
from sim.sim_thread import SimulatorThread
from sim.tdp.certified import SECURED, certified
from sim.tdp.control import TdpControl
from sim.tdp.hands import tdp_at
from sim.tdp.settings import PLAIN, TdpMachineSettings
from sim.wires.pty import PtyWire
from sim.wires.tcp import TcpWire
from sim.wires.wire import Wire
from tests.kit.certificates import DEVICE, HOST, INTRUDER, make_site, needs_openssl
from tests.kit.waiting import PATIENCE_S
from tests.sim.tdp.rig import Rig, told_cards


@pytest.mark.parametrize("kind", ["shoe", "shuffler_dealer"])
def test_a_line_that_loses_bytes_loses_no_card(kind: str, seed: int) -> None:
    rig = Rig("shoe" if kind == "shoe" else "shuffler_dealer", seed=seed, bytes_lost=0.003)
    rig.ready()
    drawn = 0
    for _ in range(10):
        rig.do(Unlock, 5)
        drawn += len(rig.draw_all())
        rig.clock.advance(3.0)
    rig.clock.advance(10.0)
    assert drawn > 20
    assert told_cards(rig.events) == [one.card for one in rig.hands.out]
    assert rig.host.gaps == []
    assert rig.host.endpoint.link.repeated + rig.host.repeated > 0, "the line was bad"


# --- TLS ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_site(tmp_path_factory.mktemp("tdp-tls"))


def device_context(site: Path, name: str) -> TlsContext:
    return certified(site / f"{name}.pem", site / f"{name}.key", site / "site.pem")


def host_context(site: Path) -> TlsContext:
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.minimum_version = ssl.TLSVersion.TLSv1_3
    made.check_hostname = False
    made.load_verify_locations(site / "site.pem")
    made.load_cert_chain(site / f"{HOST}.pem", site / f"{HOST}.key")
    return made


@needs_openssl
def test_a_secured_device_deals_over_power_cuts(site: Path) -> None:
    settings = TdpMachineSettings(terms=SECURED, context=device_context(site, DEVICE))
    rig = Rig("shuffler_dealer", settings, context=host_context(site))
    assert any(isinstance(one, EndpointReady) and one.peer_certificate for one in rig.host.happened)
    rig.ready()
    rig.do(Dispense, 3)
    rig.rest()
    rig.draw_all(3)
    rig.device.power_cycle()
    rig.rest()
    rig.do(Dispense, 2)
    rig.rest()
    rig.draw_all(2)
    assert told_cards(rig.events) == [one.told for one in rig.hands.out]
    assert len(rig.hands.out) == 5
    assert b"Cardshoe" not in b"".join(rig.line), "nothing is to be read off the line"


@needs_openssl
def test_a_device_of_another_authority_gets_no_session(site: Path) -> None:
    settings = TdpMachineSettings(terms=SECURED, context=device_context(site, INTRUDER))
    rig = Rig(settings=settings, context=host_context(site), on=False)
    rig.hands.make_ready()
    rig.clock.advance(10.0)
    assert any(isinstance(one, TlsRejected) for one in rig.host.happened)
    assert rig.events == []


# --- real lines -----------------------------------------------------------------------------------------------------


class Outside:
    """A host in real time, with nothing but a file descriptor."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._endpoint = Endpoint(Role.HOST, 11, PLAIN)
        self._endpoint.open(time.monotonic())
        self.said: list[object] = []

    def until(self, condition: Callable[[list[object]], bool]) -> list[object]:
        deadline_s = time.monotonic() + PATIENCE_S
        while not condition(self.said):
            assert time.monotonic() < deadline_s, f"only {self.said}"
            self._write()
            due_s = self._endpoint.next_deadline_s
            wait_s = 1.0 if due_s is None else max(0.0, due_s - time.monotonic())
            ready, _w, _x = select.select([self._fd], [], [], wait_s)
            data = os.read(self._fd, 4096) if ready else b""
            for event in self._endpoint.receive(data, time.monotonic()):
                if isinstance(event, MessageReceived):
                    self.said.append(event.message)
                    if isinstance(event.message, DeviceEvent):
                        self._endpoint.send(EventAcknowledged(event.message.boot, event.message.number))
        self._write()
        return self.said

    def _write(self) -> None:
        data = self._endpoint.bytes_to_send(time.monotonic())
        while data:
            data = data[os.write(self._fd, data) :]

    def unlock(self, cards: int) -> None:
        self._endpoint.send(Unlock(1, cards))


@contextmanager
def opened(wire: Wire) -> Iterator[int]:
    if isinstance(wire, TcpWire):
        with socket.create_connection(wire.address, PATIENCE_S) as line:
            yield line.fileno()
    elif isinstance(wire, PtyWire):
        fd = os.open(wire.path, os.O_RDWR | os.O_NOCTTY)
        try:
            yield fd
        finally:
            os.close(fd)


@pytest.mark.parametrize("line", ["tcp", "pty"])
def test_a_shoe_at_the_end_of_a_real_line(line: str, tmp_path: Path) -> None:
    wire: Wire = TcpWire() if line == "tcp" else PtyWire(tmp_path / "shoe")
    clock = RealClock(8.0)  # the link must not be in a hurry because the machine is
    hands = tdp_at("shoe", wire, clock, 1, random.Random(7))
    control = TdpControl(hands, wire, 7)
    station = SimulatorThread(clock, [wire])
    station.start()
    with ExitStack() as at_the_end:
        at_the_end.callback(station.stop)
        station.call(hands.make_ready)
        station.call(hands.load)
        host = Outside(at_the_end.enter_context(opened(wire)))
        host.until(lambda said: any(getattr(one, "cards", None) == 52 for one in said))
        host.unlock(2)
        host.until(lambda said: Done(1) in said)
        assert station.call(lambda: control.execute("draw 3")) == (
            "ok: drew AS, 2S, nothing: it is locked, or no card is there"
        )
        said = host.until(lambda said: sum(isinstance(one, CardDrawn) for one in said) == 2)
        assert [one for one in said if isinstance(one, CardDrawn)] == [
            CardDrawn(1, 5, 1, "AS", Face.DOWN, 99),
            CardDrawn(1, 6, 2, "2S", Face.DOWN, 99),
        ]
        host.until(lambda said: sum(type(one).__name__ == "Heartbeat" for one in said) >= 1)
        assert station.call(lambda: hands.cards_are_complete)

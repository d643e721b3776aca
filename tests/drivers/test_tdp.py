"""A TDP device behind a real pty and a TCP socket: sessions, messages, commands, losses."""

import random
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Final

import pytest

from drivers.discovery import port_maker
from drivers.errors import DeviceMismatch, DeviceSilent, DriverError, PortLost
from drivers.link_health import LinkStage
from drivers.port_thread import Backoff
from drivers.tdp import TdpDevice, open_device
from drivers.tdp_commands import NoAnswer, TdpResult
from drivers.tdp_settings import TdpSettings
from protocols.tdp.codes import RefusalReason
from protocols.tdp.commands import Eject, Lock, Unlock
from protocols.tdp.events import CardDrawn, EventKey, PowerRestored, StackLoaded
from protocols.tdp.handshake import Security, Terms
from protocols.tdp.messages import Done, Hello, Message, Refused, Status
from protocols.tdp.states import Role
from sim.clock import RealClock
from sim.sim_thread import SimulatorThread
from sim.tdp.hands import TdpHands, tdp_at
from sim.tdp.settings import TdpMachineSettings as ShoeSettings
from sim.wires.pty import PtyWire
from sim.wires.tcp import TcpWire
from tests.drivers.listening import TdpEar
from tests.kit import certificates
from tests.kit.certificates import context
from tests.kit.waiting import PATIENCE_S, eventually

PLAIN: Final = {"security": "plain"}


class Bench:
    """A simulated shoe, switched on, and a driver on its line."""

    def __init__(self, wire: PtyWire | TcpWire, settings: ShoeSettings | None = None) -> None:
        clock = RealClock()
        self.wire = wire
        self.hands: TdpHands = tdp_at("shoe", wire, clock, 1, random.Random(4), settings)
        self.station = SimulatorThread(clock, [wire])
        self.ear = TdpEar()
        self.devices: list[TdpDevice] = []
        self.station.start()
        self.station.call(self.hands.make_ready)

    @property
    def port(self) -> str:
        wire = self.wire
        return str(wire.path) if isinstance(wire, PtyWire) else f"socket://{wire.address[0]}:{wire.address[1]}"

    def driver(self, settings: dict[str, object] | None = None) -> TdpDevice:
        chosen = TdpSettings.from_mapping(settings or PLAIN)
        device = TdpDevice(
            self.port, self.ear, port_maker(self.port, chosen.line), chosen, backoff=Backoff(first_s=0.05, max_s=0.1)
        )
        self.devices.append(device)
        device.port.start()
        return device

    def ready(self) -> TdpDevice:
        device = self.driver()
        self.ear.log.wait_for(lambda entries: any(isinstance(entry, Status) for entry in entries))
        return device

    def cut_and_ask(self, device: TdpDevice) -> "Future[TdpResult]":
        """Cut the power and give a command, in one go: a busy machine must not let the session end in between."""
        # The first command of a session waits until an id is known to be new; this one is to be on its way.
        assert isinstance(device.send_command(Lock).result(PATIENCE_S), Done)

        def both() -> "Future[TdpResult]":
            self.hands.device.power_off()
            return device.send_command(Lock)

        return self.station.call(both)

    def stop(self) -> None:
        for device in self.devices:
            device.stop(PATIENCE_S)
        self.station.stop()


@pytest.fixture(params=["pty", "tcp"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(PtyWire(tmp_path / "shoe") if request.param == "pty" else TcpWire())
    yield bench
    bench.stop()


def result_of(bench: Bench, device: TdpDevice, make: type[Lock]) -> TdpResult:
    del bench
    return device.send_command(make).result(PATIENCE_S)


def test_a_session_begins_with_who_and_how_the_device_is(bench: Bench) -> None:
    device = bench.ready()
    back, hello, status = bench.ear.log.entries()[:3]
    assert back == "back"
    assert isinstance(hello, Hello)
    assert isinstance(status, Status)
    started = bench.ear.wait_for_event(PowerRestored)
    assert started.key == EventKey(hello.boot_count, 1)
    health = device.health()
    assert (health.rung, health.connections, health.garbage_bytes) == (LinkStage.EVENTS, 1, 0)
    assert health.frames >= 2


def test_a_card_is_let_out_told_and_forgotten_when_it_is_durable(bench: Bench) -> None:
    device = bench.ready()
    bench.station.call(bench.hands.load)
    assert isinstance(device.send_command(lambda number: Unlock(number, 1)).result(PATIENCE_S), Done)
    (out,) = bench.station.call(bench.hands.draw).cards
    assert bench.station.call(bench.hands.draw).cards == (), "only one was let out"
    card = bench.ear.wait_for_event(CardDrawn)
    assert isinstance(card, CardDrawn)
    assert (card.card, card.count) == (out.card, 1)
    memory = bench.hands.device.electronics.memory
    assert [type(event) for event in memory.outbox.pending][-2:] == [StackLoaded, CardDrawn]
    device.acknowledge(card.key)
    eventually(lambda: bench.station.call(lambda: memory.outbox.pending) == (), "the device has forgotten")


def test_what_is_not_acknowledged_comes_again_in_the_next_session(bench: Bench) -> None:
    device = bench.ready()
    bench.station.call(bench.hands.load)
    loaded = bench.ear.wait_for_event(StackLoaded)
    device.acknowledge(EventKey(loaded.boot, loaded.number - 1))
    eventually(lambda: len(bench.hands.device.electronics.memory.outbox.pending) == 1, "one waits")
    bench.station.call(bench.wire.unplug)
    entries = bench.ear.log.wait_for(lambda entries: isinstance(entries[-1], DriverError))
    bench.station.call(bench.wire.replug)
    entries = bench.ear.log.wait_for(lambda entries: [loaded, loaded] == [e for e in entries if e == loaded])
    lost = next(n for n, entry in enumerate(entries) if isinstance(entry, DriverError))
    after = entries[lost + 1 :]
    assert after[0] == "back"
    assert [type(entry) for entry in after[1:3]] == [Hello, Status]
    assert not any(isinstance(entry, PowerRestored) for entry in after)


def test_a_command_that_is_refused_says_why(bench: Bench) -> None:
    device = bench.ready()
    refused = device.send_command(lambda number: Unlock(number, 1)).result(PATIENCE_S)
    assert isinstance(refused, Refused)
    assert refused.reason == RefusalReason.OUT_OF_CARDS
    ejected = device.send_command(Eject).result(PATIENCE_S)
    assert isinstance(ejected, Refused)
    assert ejected.reason == RefusalReason.NOT_SUPPORTED, "a shoe has nothing to eject"
    assert ejected.id > refused.id


def test_power_cut_at_the_device_is_a_loss_though_the_port_stays_open(tmp_path: Path) -> None:
    bench = Bench(PtyWire(tmp_path / "shoe"))
    try:
        device = bench.ready()
        result = bench.cut_and_ask(device).result(PATIENCE_S)
        assert result == NoAnswer("the session ended (silence)", is_lost=True)
        lost = bench.ear.log.entries()[-1]
        assert isinstance(lost, DeviceSilent)
        assert "switched on" in lost.remedy
        with pytest.raises(DeviceSilent, match="no session"):
            device.send_command(Lock)
        bench.station.call(bench.hands.device.power_on)
        bench.ear.log.wait_for(lambda entries: sum(isinstance(entry, PowerRestored) for entry in entries) == 3)
        assert isinstance(device.send_command(Lock).result(PATIENCE_S), Done)
    finally:
        bench.stop()


def test_a_device_that_never_answers_is_lost_after_a_while(tmp_path: Path) -> None:
    bench = Bench(PtyWire(tmp_path / "shoe"))
    try:
        bench.station.call(bench.hands.device.power_off)
        device = bench.driver()
        (lost,) = bench.ear.log.wait_for(bool)
        assert isinstance(lost, DeviceSilent)
        assert "no device answers" in lost.problem
        # Its cable comes out as well: that is counted, and a loss is told once.
        bench.station.call(bench.wire.unplug)
        eventually(lambda: device.health().losses == 1, "the port has lost its line")
        assert bench.ear.log.entries() == [lost]
        bench.station.call(bench.wire.replug)
        bench.station.call(bench.hands.device.power_on)
        bench.ear.log.wait_for(lambda entries: "back" in entries)
    finally:
        bench.stop()


def test_other_security_at_the_device_is_named(tmp_path: Path) -> None:
    site = certificates.make_site(tmp_path)
    tls = ShoeSettings(terms=Terms(security=Security.TLS13), context=context(site, Role.DEVICE))
    bench = Bench(PtyWire(tmp_path / "shoe"), tls)
    try:
        bench.driver()
        (lost,) = bench.ear.log.wait_for(bool)
        assert isinstance(lost, DeviceMismatch)
        assert "reason 4" in lost.problem
        assert "`security`" in lost.remedy
    finally:
        bench.stop()


@pytest.mark.parametrize("is_right", [True, False], ids=["enrolled", "stranger"])
def test_tls_with_the_right_device_and_with_another(tmp_path: Path, *, is_right: bool) -> None:
    site = certificates.make_site(tmp_path)
    shown = context(site, Role.DEVICE, certificates.DEVICE if is_right else certificates.INTRUDER)
    bench = Bench(PtyWire(tmp_path / "shoe"), ShoeSettings(terms=Terms(security=Security.TLS13), context=shown))
    try:
        device = bench.driver(certificates.host_settings(site))
        if is_right:
            bench.ear.log.wait_for(lambda entries: any(isinstance(entry, Status) for entry in entries))
            assert isinstance(device.send_command(Lock).result(PATIENCE_S), Done)
            return
        (lost,) = bench.ear.log.wait_for(bool)
        assert isinstance(lost, DeviceMismatch)
        assert "TLS failed" in lost.problem
        assert "certificates" in lost.remedy
        assert not any(isinstance(entry, Message) for entry in bench.ear.log.entries())
    finally:
        bench.stop()


def test_stopping_ends_what_waits(bench: Bench) -> None:
    device = bench.ready()
    result = bench.cut_and_ask(device)
    assert device.stop(PATIENCE_S)
    # Whether it was on its way already is a matter of moments.
    assert isinstance(result.exception(0), PortLost) or isinstance(result.result(0), NoAnswer)


def test_a_device_that_is_not_started_has_its_ports_name() -> None:
    assert open_device("/dev/shoe", PLAIN, TdpEar()).name == "/dev/shoe"

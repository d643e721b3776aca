"""Recordings as devices: each fault of a line comes again, at its time, to a host that did not see it."""

import pytest

from protocols.angel_eye.decoder import TelegramDecoder
from protocols.bee_tek.decoder import LineDecoder
from protocols.tdp.commands import Unlock
from protocols.tdp.endpoint import Endpoint
from protocols.tdp.events import CardDrawn, StackLoaded
from protocols.tdp.framing import Frame, FrameKind, encode_frame
from protocols.tdp.messages import Done, Heartbeat, Hello
from protocols.tdp.states import Role
from sim.angel_eye.settings import ShoeSettings
from sim.bee_tek.control import BeeTekControl
from sim.bee_tek.hands import bee_tek_at
from sim.clock import VirtualClock
from sim.control import AngelEyeControl
from sim.hands import hands_at
from sim.line_commands import line_commands
from sim.replayed import BadRecording, RecordedBytes, ReplayControl, replay_bytes
from sim.tdp.replayed import replay_messages
from sim.tdp.settings import PLAIN
from sim.wires.direct import DirectWire
from sim.wires.faulty import FaultyWire
from tests.sim.tdp.rig import Host, Rig

FAULTS = ("damage 2", "lose 2", "duplicate", "split 2", "delay 40", "baud 4800", "baud 9600 4800")


def recorded_with(family: str, fault: str) -> list[RecordedBytes]:
    """The recording of three cards from a shoe on a line with a fault."""
    clock = VirtualClock()
    recorded: list[RecordedBytes] = []
    wire = FaultyWire(DirectWire(lambda data: recorded.append(RecordedBytes(clock.now_s(), "device", data))), clock)
    control: AngelEyeControl | BeeTekControl
    if family == "angel_eye":
        control = AngelEyeControl(hands_at(wire, clock, 1, ShoeSettings(initial_burn="none")), wire, 7)
    else:
        control = BeeTekControl(bee_tek_at(wire, clock, 1), wire, 7)
    control.include(line_commands(wire))
    control.hands.make_ready()
    for line in ("load 5", fault, "draw 3"):
        assert control.execute(line).startswith("ok: ")
    clock.run_until_idle()
    return recorded


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("family", ["angel_eye", "bee_tek"])
def test_each_fault_of_a_line_comes_again_at_its_time(family: str, fault: str) -> None:
    recorded = recorded_with(family, fault)
    clock = VirtualClock()
    clock.advance(100.0)
    came: list[tuple[float, bytes]] = []
    replay = replay_bytes(recorded, clock, lambda data: came.append((clock.now_s() - 100.0, data)))
    replay.power_on()
    clock.run_until_idle()
    assert came == []
    replay.start()
    replay.start()
    clock.run_until_idle()
    assert [data for _, data in came] == [one.data for one in recorded]
    first_s = recorded[0].t_s
    assert [at_s for at_s, _ in came] == pytest.approx([one.t_s - first_s for one in recorded])
    assert (replay.left, replay.awaits_host) == (0, False)
    decoders = (TelegramDecoder(), TelegramDecoder()) if family == "angel_eye" else (LineDecoder(), LineDecoder())
    before, after = decoders
    items = [*(item for one in recorded for item in before.feed(one.data)), *before.reset()]
    assert [*(item for _, data in came for item in after.feed(data)), *after.reset()] == items
    assert items


def test_what_the_host_sent_is_awaited_by_its_bytes() -> None:
    clock = VirtualClock()
    came: list[tuple[float, bytes]] = []
    recorded = [
        RecordedBytes(5.0, "device", b"a"),
        RecordedBytes(6.0, "host", b"??"),
        RecordedBytes(6.5, "device", b"b"),
        RecordedBytes(7.0, "host", b"!"),
        RecordedBytes(7.25, "device", b"c"),
    ]
    replay = replay_bytes(recorded, clock, lambda data: came.append((clock.now_s(), data)))
    replay.start()
    clock.advance(60.0)
    assert came == [(0.0, b"a")]
    assert (replay.left, replay.awaits_host) == (4, True)
    replay.receive(b"x")
    replay.receive(b"yz")  # its last byte is the second write already
    clock.advance(60.0)
    assert came[1:] == [(60.5, b"b"), (60.75, b"c")]


def test_its_control_lines(seed: int) -> None:
    clock = VirtualClock()
    wire = DirectWire(lambda _data: None)
    replay = replay_bytes([RecordedBytes(0.0, "host", b"?"), RecordedBytes(1.0, "device", b"a")], clock, wire.send)
    control = ReplayControl(replay, wire)
    control.hands.make_ready()
    assert control.execute("status") == "ok: 2 steps left; plugged in"
    assert control.execute("start") == "ok: started"
    assert control.execute("status") == "ok: 2 steps left, awaits the host; plugged in"
    assert control.state()["left"] == 2
    assert control.execute("unplug") == "ok: unplugged"
    assert control.execute("status").endswith("; unplugged")
    assert control.execute("start now").startswith("error: start: takes nothing after it")
    assert control.hands.draw().cards == ()
    assert control.hands.device.unload() == []
    with pytest.raises(Exception, match="a recording takes no 52 cards"):
        control.hands.load()
    assert "draw" not in control.commands, seed


def test_a_recording_of_nothing_is_refused() -> None:
    with pytest.raises(BadRecording, match="no byte of a device"):
        replay_bytes([RecordedBytes(0.0, "host", b"?")], VirtualClock(), lambda _data: None)


# --- TDP --------------------------------------------------------------------------------------------------------------


class Tapped(DirectWire):
    """The device's end as the host writes to it."""

    def __init__(self, rig: "RecordedRig") -> None:
        super().__init__(lambda _data: None)
        self._rig = rig

    def from_host(self, data: bytes) -> None:
        self._rig.recorded.append(RecordedBytes(self._rig.clock.now_s(), "host", data))
        self._rig.wire.from_host(data)


class RecordedRig(Rig):
    """A shoe of which three cards are drawn, recorded at both ends."""

    def __init__(self) -> None:
        self.recorded: list[RecordedBytes] = []
        super().__init__(on=False)
        self.host.wire = Tapped(self)
        self.hands.make_ready()
        self.rest()
        self.load()
        self.do(Unlock, 2)
        assert self.control.do("draw", ["2"]).ok
        self.rest()
        self.do(Unlock, 1)
        assert self.control.do("draw", ["1"]).ok
        self.rest()

    def hear(self, data: bytes) -> None:
        self.recorded.append(RecordedBytes(self.clock.now_s(), "device", data))
        super().hear(data)


def test_tdp_messages_come_again_in_a_session_of_their_own() -> None:
    recorded = RecordedRig().recorded
    clock = VirtualClock()
    host = Host(clock, Endpoint(Role.HOST, 9, PLAIN), acknowledges=True)
    wire = DirectWire(host.hear)
    replay = replay_messages(recorded, clock, wire.send)
    assert replay.settings == {"security": "plain"}
    wire.listen(replay.receive)
    host.wire = wire
    replay.power_on()
    host.endpoint.open(0.0)
    host.flush()
    replay.start()
    assert clock.run_until(lambda: replay.awaits_host, 60.0)
    assert isinstance(host.said[0], Hello)
    assert [one.cards for one in host.said if isinstance(one, StackLoaded)] == [52]
    assert not any(isinstance(one, CardDrawn) for one in host.said)
    # Its own numbers, and a command more than in the recording.
    for number in (71, 72, 73):
        host.endpoint.send(Unlock(number, 1))
        host.flush()
    assert clock.run_until(lambda: not replay.left, 60.0)
    clock.advance(3.0)
    assert [one.card for one in host.said if isinstance(one, CardDrawn)] == ["AS", "2S", "3S"]
    assert [one.id for one in host.said if isinstance(one, Done)] == [71, 72, 73]
    # Signs of life go on behind the end.
    beats = [one.uptime_s for one in host.said if isinstance(one, Heartbeat)]
    assert beats[-3:] == [beats[-1] - 2, beats[-1] - 1, beats[-1]]
    assert host.endpoint.ready


def test_a_host_that_comes_again_is_greeted_again() -> None:
    clock = VirtualClock()
    first = Host(clock, Endpoint(Role.HOST, 9, PLAIN), acknowledges=True)
    wire = DirectWire(first.hear)
    replay = replay_messages(RecordedRig().recorded, clock, wire.send)
    wire.listen(replay.receive)
    first.wire = wire
    replay.power_on()
    replay.start()
    first.endpoint.open(0.0)
    first.flush()
    assert clock.run_until(lambda: replay.awaits_host, 60.0)
    first.endpoint.close()
    first.flush()
    clock.advance(0.5)
    before = len(first.said)
    first.endpoint.open(clock.now_s())
    first.flush()
    assert clock.run_until(lambda: len(first.said) > before, 60.0)
    assert isinstance(first.said[before], Hello)


def test_bytes_under_tls_and_a_line_without_messages_are_refused() -> None:
    client_hello = encode_frame(Frame(FrameKind.DATA, 0x0102, 0, 0, bytes.fromhex("16 03 01 00 05")))
    with pytest.raises(BadRecording, match="under TLS"):
        replay_messages([RecordedBytes(0.0, "host", client_hello)], VirtualClock(), lambda _data: None)
    with pytest.raises(BadRecording, match="no message of a device"):
        replay_messages([RecordedBytes(0.0, "device", b"\x00\x01")], VirtualClock(), lambda _data: None)

"""Faults of a line that a tester brings about from outside, and what arrives at either end."""

from typing import Any

import pytest

from sim.angel_eye.settings import ShoeSettings
from sim.clock import VirtualClock
from sim.control import AngelEyeControl
from sim.hands import hands_at
from sim.line_commands import line_commands
from sim.wires.direct import DirectWire
from sim.wires.faulty import PIECE_GAP_S, FaultyWire
from sim.wires.uart import misread


class Line:
    """A line with a host that notes what arrives and when, and with control lines."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.host: list[tuple[float, bytes]] = []
        self.device: list[bytes] = []
        self.far = DirectWire(lambda data: self.host.append((self.clock.now_s(), data)))
        self.wire = FaultyWire(self.far, self.clock)
        self.control: AngelEyeControl = AngelEyeControl(
            hands_at(self.wire, self.clock, 1, ShoeSettings(initial_burn="none")), self.wire, seed=7
        )
        self.control.include(line_commands(self.wire))
        self.wire.listen(self.device.append)

    def say(self, line: str) -> str:
        return self.control.execute(line)

    def arrived(self) -> list[bytes]:
        self.clock.run_until_idle()
        found = [data for _, data in self.host]
        self.host.clear()
        return found


@pytest.fixture
def line() -> Line:
    return Line()


def test_writes_are_damaged_lost_and_doubled(line: Line) -> None:
    assert line.say("damage") == "ok: the next 1 writes of the device are damaged"
    assert line.say("duplicate 2 host") == "ok: the next 2 writes of the host are doubled"
    for data in (b"\x05\x31\x44", b"second"):
        line.wire.send(data)
        line.far.from_host(data)
    line.far.from_host(b"third")
    assert line.arrived() == [b"\x05\x30\x44", b"second"]
    assert line.device == [b"\x05\x31\x44", b"\x05\x31\x44", b"second", b"second", b"third"]
    line.say("lose 2")
    for data in (b"a", b"b", b"c"):
        line.wire.send(data)
    assert line.arrived() == [b"c"]


def test_pieces_come_one_after_the_other_and_a_delay_keeps_the_order(line: Line) -> None:
    assert line.say("split 2") == "ok: writes of the device arrive in pieces of 2 bytes"
    line.wire.send(b"abcde")
    line.clock.run_until_idle()
    times, pieces = zip(*line.host, strict=True)
    assert pieces == (b"ab", b"cd", b"e")
    assert times == pytest.approx((PIECE_GAP_S, 2 * PIECE_GAP_S, 3 * PIECE_GAP_S))
    line.host.clear()
    assert line.say("split off") == "ok: writes of the device arrive whole"
    assert line.say("delay 250") == "ok: writes of the device arrive 250 ms late"
    begun_s = line.clock.now_s()
    line.wire.send(b"late")
    line.say("delay off")
    line.wire.send(b"behind it")
    line.clock.run_until_idle()
    assert [data for _, data in line.host] == [b"late", b"behind it"]
    assert line.host[0][0] == pytest.approx(begun_s + 0.25)


def test_a_pulled_cable_loses_what_is_on_the_way(line: Line) -> None:
    line.say("delay 250")
    line.wire.send(b"lost")
    line.say("unplug")
    line.say("replug")
    line.say("straighten")
    line.wire.send(b"new")
    assert line.arrived() == [b"new"]


def test_bytes_take_their_time_and_are_read_at_the_wrong_speed(line: Line) -> None:
    assert line.say("baud 4800") == "ok: the device is at 4800 baud, the host at 4800"
    line.wire.send(bytes(48))
    line.clock.run_until_idle()
    ((arrived_s, zeros),) = line.host
    assert arrived_s == pytest.approx(0.1)
    assert zeros == bytes(48)
    line.host.clear()
    assert line.say("baud 9600 4800") == "ok: the device is at 9600 baud, the host at 4800"
    line.wire.send(b"\x00")
    line.far.from_host(b"\xff")
    assert line.arrived() == [b"\xf8"]
    assert line.device == [b"\xfe"]
    assert line.say("baud off") == "ok: bytes take no time"
    line.wire.send(b"\x00")
    assert line.host[0][1] == b"\x00"


# By hand: the levels of start, eight data bits (lowest first) and stop, sampled in the middle of the reader's bits.
@pytest.mark.parametrize(
    ("data", "sent", "read", "expected"),
    [
        (b"\x00", 9600, 4800, b"\xf8"),  # nine low bits last four and a half of the reader's: start and three zeros
        (b"\xff", 4800, 9600, b"\xfe"),  # the start bit lasts two: start and one zero
        (b"\xfe", 4800, 9600, b"\xf8"),
        (b"\x00", 4800, 9600, b"\x00"),  # eighteen low bits: no stop bit, which reads as 0; then nothing begins
        (b"\xff", 9600, 1200, b""),  # a start bit that has ended at the middle of the reader's is none
        (b"\x00", 9600, 1200, b"\xff"),  # nine low bits are one start bit
        (b"Ca\r\n", 9600, 9600, b"Ca\r\n"),
    ],
)
def test_what_a_receiver_at_another_speed_makes_of_a_byte(data: bytes, sent: int, read: int, expected: bytes) -> None:
    assert misread(data, sent, read) == expected


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("damage many", "'many' given, expected a number"),
        ("lose 0", "0 given, expected 1 to 1000"),
        ("split 0", "0 given, expected 1 to 4096"),
        ("delay", "nothing given, expected a number"),
        ("delay 60001 host", "60001 given, expected 0 to 60000"),
        ("baud", "give the device's speed and, if it differs, the host's, such as 9600 4800"),
        ("baud 1 2 3", "give the device's speed and, if it differs, the host's, such as 9600 4800"),
        ("baud fast", "'fast' given, expected a number"),
        ("straighten now", "takes nothing after it, 'now' given"),
    ],
)
def test_lines_that_cannot_be_done(line: Line, typed: str, problem: str) -> None:
    name = typed.split(maxsplit=1)[0]
    usage = line.control.commands[name].usage
    assert line.say(typed) == f"error: {name}: {problem}; usage: {usage}"
    line.wire.send(b"whole")
    assert line.host == [(0.0, b"whole")]


def test_they_are_listed_and_a_command_of_the_device_with_that_name_wins(line: Line) -> None:
    own: Any = line.control.commands["draw"]
    line.control.include({"draw": line.control.commands["lose"]})
    assert line.control.commands["draw"] is own
    assert "lose [N] [device|host]: lose the next N writes" in line.say("help")

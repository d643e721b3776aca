"""The simulated serial-to-TCP box: its bytes by hand from RFC 854 and RFC 2217, and pyserial's client against it."""

import select
import socket
from collections.abc import Callable, Iterator

import pytest
import serial

from drivers.serial_port import SerialPort, SerialSettings
from sim.clock import RealClock
from sim.com_port import ComPort, LineState
from sim.rfc2217 import OWED_LIMIT, WAITING_LIMIT, Rfc2217Wire
from sim.sim_thread import SimulatorThread
from sim.telnet import PARAMETER_LIMIT, Telnet
from tests.kit.waiting import eventually

PATIENCE_S = 20.0
EVERY_BYTE = bytes(range(256))
GREETING = bytes.fromhex(
    "FF FB 00  FF FD 00  FF FB 03  FF FD 03  FF FB 2C  FF FD 2C"  # WILL and DO: binary, no go-ahead, com port option
    "FF FA 2C 6B B0 FF F0"  # NOTIFY-MODEMSTATE: carrier, data set ready, clear to send
)

# pyserial's RFC 2217 client starts its thread in a way that Python has deprecated.
pytestmark = pytest.mark.filterwarnings(r"ignore:set(Daemon|Name)\(\) is deprecated:DeprecationWarning")


# --- Telnet -----------------------------------------------------------------------------------------------------------


def telnet(asked: list[tuple[int, bytes]] | None = None) -> Telnet:
    def take(option: int, parameters: bytes) -> bytes:
        if asked is not None:
            asked.append((option, parameters))
        return b""

    return Telnet(frozenset({0, 3, 44}), take)


def fed(one: Telnet, text: str) -> tuple[bytes, str]:
    data, answers = one.feed(bytes.fromhex(text))
    return data, answers.hex(" ").upper()


@pytest.mark.parametrize(
    ("said", "data", "answer"),
    [
        ("05 FF FF 03", "05 FF 03", ""),  # FF as data is doubled
        ("FF FD 2C", "", "FF FB 2C"),  # DO com port: WILL
        ("FF FB 2C", "", "FF FD 2C"),  # WILL: DO
        ("FF FD 01", "", "FF FC 01"),  # DO echo: WONT
        ("FF FB 1F", "", "FF FE 1F"),  # WILL window size: DONT
        ("FF FE 01", "", ""),  # DONT what is not done: nothing
        ("FF FC 01", "", ""),  # WONT likewise
        ("41 FF F1 42 FF F6 43", "41 42 43", ""),  # no operation, are you there: nothing
    ],
)
def test_telnet_commands(said: str, data: str, answer: str) -> None:
    assert fed(telnet(), said) == (bytes.fromhex(data), answer)


def test_telnet_agreed_is_agreed() -> None:
    """An option that is so already is not answered, or two ends that both answer would never stop."""
    one = telnet()
    assert one.greeting() == GREETING[:18]
    for said in ("FF FD 2C", "FF FB 2C", "FF FD 00"):
        assert fed(one, said) == (b"", "")
    assert fed(one, "FF FE 00") == (b"", "FF FC 00")  # DONT: WONT, once
    assert fed(one, "FF FE 00") == (b"", "")
    assert fed(one, "FF FD 00") == (b"", "FF FB 00")  # and on again
    assert fed(one, "FF FC 03") == (b"", "FF FE 03")


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_telnet_may_be_cut_anywhere(size: int) -> None:
    asked: list[tuple[int, bytes]] = []
    one = telnet(asked)
    said = bytes.fromhex("41 FF FA 2C 01 FF FF 00 00 12 FF F0 42 FF FF FF FD 2C 43")
    heard, answers = bytearray(), bytearray()
    for at in range(0, len(said), size):
        data, answer = one.feed(said[at : at + size])
        heard += data
        answers += answer
    assert heard == b"AB\xffC"
    assert answers == bytes.fromhex("FF FB 2C")
    assert asked == [(44, bytes.fromhex("01 FF 00 00 12"))]


def test_telnet_a_subnegotiation_without_end_swallows_no_more_than_itself() -> None:
    asked: list[tuple[int, bytes]] = []
    one = telnet(asked)
    fed(one, "FF FA 2C 05 FF F1")  # ended by something else than SE
    assert one.feed(b"card") == (b"card", b"")
    one.feed(bytes.fromhex("FF FA 2C") + bytes(PARAMETER_LIMIT) + bytes.fromhex("FF F0"))  # longer than is kept
    assert one.feed(b"card") == (b"card", b"")
    fed(one, "FF FA FF F0")  # of no option
    assert asked == [(44, b"\x05")]


# --- the com port option ----------------------------------------------------------------------------------------------


def com_port(purge: Callable[[], None] = lambda: None) -> ComPort:
    return ComPort(purge)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        # SET-BAUDRATE 4800, and nought to ask which it is
        ("01 00 00 12 C0", "65 00 00 12 C0"),
        ("01 00 00 00 00", "65 00 00 25 80"),
        ("01 00", ""),  # too short to mean anything
        # SET-DATASIZE 7, which?, impossible
        ("02 07", "66 07"),
        ("02 00", "66 08"),
        ("02 09", "66 08"),
        ("02", ""),
        # SET-PARITY even, which?, impossible
        ("03 03", "67 03"),
        ("03 00", "67 01"),
        ("03 06", "67 01"),
        # SET-STOPSIZE 2, 1.5, which?
        ("04 02", "68 02"),
        ("04 03", "68 03"),
        ("04 00", "68 01"),
        # SET-CONTROL: flow none, XON/XOFF, which?; break, DTR, RTS on, which?; flow towards the box: none
        ("05 01", "69 01"),
        ("05 02", "69 02"),
        ("05 00", "69 01"),
        ("05 05", "69 05"),
        ("05 04", "69 06"),
        ("05 08", "69 08"),
        ("05 07", "69 09"),
        ("05 0B", "69 0B"),
        ("05 0A", "69 0C"),
        ("05 0D", "69 0E"),
        ("05", ""),
        # NOTIFY-LINESTATE, NOTIFY-MODEMSTATE
        ("06", "6A 60"),
        ("07", "6B B0"),
        # FLOWCONTROL-SUSPEND and -RESUME have no answer
        ("08", ""),
        ("09", ""),
        # SET-LINESTATE-MASK, SET-MODEMSTATE-MASK, which some servers forget to acknowledge
        ("0A 10", "6E 10"),
        ("0B 00", "6F 00"),
        ("0B", ""),
        # PURGE-DATA both
        ("0C 03", "70 03"),
        ("0C", ""),
        # SIGNATURE: whose?; the host's own
        ("00", "64" + b"cardshoe sim".hex()),
        ("00 68 6F 73 74", ""),
        # unknown, and nothing at all
        ("63 00", ""),
        ("", ""),
    ],
)
def test_com_port_requests(asked: str, answer: str) -> None:
    expected = bytes.fromhex("FF FA 2C") + bytes.fromhex(answer) + bytes.fromhex("FF F0") if answer else b""
    assert com_port().execute(44, bytes.fromhex(asked)) == expected


def test_com_port_an_answer_doubles_ff() -> None:
    assert com_port().execute(44, bytes.fromhex("0B FF")) == bytes.fromhex("FF FA 2C 6F FF FF FF F0")


def test_com_port_other_options_are_not_its_business() -> None:
    assert com_port().execute(24, bytes.fromhex("01 00 00 12 C0")) == b""


def test_com_port_what_was_asked_for_is_seen() -> None:
    one = com_port()
    assert one.line == LineState(baud=9600, bytesize=8, parity="N", stopbits=1, flow="none")
    for asked in ("01 00 00 4B 00", "02 07", "03 02", "04 02", "05 03", "05 05", "05 08", "05 0B"):
        one.execute(44, bytes.fromhex(asked))
    assert one.line == LineState(
        baud=19200, bytesize=7, parity="O", stopbits=2, flow="hardware", breaking=True, dtr=True, rts=True
    )
    for asked in ("05 06", "05 09", "05 0C"):
        one.execute(44, bytes.fromhex(asked))
    assert (one.line.breaking, one.line.dtr, one.line.rts) == (False, False, False)


def test_com_port_only_received_data_is_purged() -> None:
    purged: list[str] = []
    one = com_port(lambda: purged.append("now"))
    one.execute(44, bytes.fromhex("0C 02"))  # what the host sent: it is at the device already
    assert not purged
    for both in ("0C 01", "0C 03"):
        one.execute(44, bytes.fromhex(both))
    assert purged == ["now", "now"]


# --- the wire, over a socket ------------------------------------------------------------------------------------------


@pytest.fixture
def wire() -> Iterator[Rfc2217Wire]:
    wire = Rfc2217Wire()
    yield wire
    wire.close()


def connected(wire: Rfc2217Wire) -> socket.socket:
    host = socket.create_connection(wire.address, PATIENCE_S)
    host.settimeout(PATIENCE_S)
    pump(wire)
    assert wire.is_connected
    assert exactly(host, len(GREETING)) == GREETING
    return host


def pump(wire: Rfc2217Wire) -> None:
    assert select.select(wire.fds(), [], [], PATIENCE_S)[0]
    wire.pump()


def exactly(host: socket.socket, count: int) -> bytes:
    got = b""
    while len(got) < count:
        more = host.recv(count - len(got))
        assert more, f"closed after {got!r}"
        got += more
    return got


def test_it_listens_on_this_machine_alone(wire: Rfc2217Wire) -> None:
    assert wire.address[0] == "127.0.0.1"
    assert wire.address[1] > 0
    assert wire.is_plugged


def test_every_byte_goes_through_both_ways(wire: Rfc2217Wire) -> None:
    heard = bytearray()
    wire.listen(heard.extend)
    with connected(wire) as host:
        wire.send(EVERY_BYTE)
        assert exactly(host, 257) == EVERY_BYTE + b"\xff"
        host.sendall(EVERY_BYTE + b"\xff")
        while len(heard) < 256:
            pump(wire)
        assert heard == EVERY_BYTE


def test_requests_are_answered_among_the_data(wire: Rfc2217Wire) -> None:
    heard = bytearray()
    wire.listen(heard.extend)
    with connected(wire) as host:
        host.sendall(b"a" + bytes.fromhex("FF FA 2C 01 00 00 12 C0 FF F0") + b"b")
        assert wire.line.baud == 9600
        while bytes(heard) != b"ab":
            pump(wire)
        assert exactly(host, 10) == bytes.fromhex("FF FA 2C 65 00 00 12 C0 FF F0")
    assert wire.line.baud == 4800


def test_without_a_host_bytes_are_lost(wire: Rfc2217Wire) -> None:
    wire.send(b"card\xff")
    assert wire.lost_bytes == 5
    with connected(wire) as host:
        wire.send(b"next")
        assert exactly(host, 4) == b"next"


def test_half_a_command_of_one_host_is_not_joined_with_the_next_host_s_data(wire: Rfc2217Wire) -> None:
    heard = bytearray()
    wire.listen(heard.extend)
    with connected(wire) as host:
        host.sendall(bytes.fromhex("FF FA 2C 01 00"))
        pump(wire)
    with connected(wire) as host:
        host.sendall(b"whole")
        while len(heard) < 5:
            pump(wire)
    assert heard == b"whole"


def suspend(host: socket.socket, wire: Rfc2217Wire) -> None:
    host.sendall(bytes.fromhex("FF FA 2C 08 FF F0 FF FA 2C 07 FF F0"))
    pump(wire)
    assert exactly(host, 7) == bytes.fromhex("FF FA 2C 6B B0 FF F0")  # so the request before is heard too


def test_a_host_may_suspend_the_flow(wire: Rfc2217Wire) -> None:
    with connected(wire) as host:
        suspend(host, wire)
        wire.send(bytes(WAITING_LIMIT - 1))
        wire.send(b"xy")
        assert wire.lost_bytes == 1
        host.sendall(bytes.fromhex("FF FA 2C 09 FF F0"))
        pump(wire)
        assert exactly(host, WAITING_LIMIT) == bytes(WAITING_LIMIT - 1) + b"x"
        wire.send(b"after")
        assert exactly(host, 5) == b"after"


def test_a_suspended_flow_ends_with_its_host(wire: Rfc2217Wire) -> None:
    with connected(wire) as host:
        suspend(host, wire)
        wire.send(b"waits")
    with connected(wire) as host:
        assert wire.lost_bytes == 5
        wire.send(b"card")
        assert exactly(host, 4) == b"card"


def test_what_waits_can_be_purged(wire: Rfc2217Wire) -> None:
    with connected(wire) as host:
        suspend(host, wire)
        wire.send(b"old")
        host.sendall(bytes.fromhex("FF FA 2C 0C 01 FF F0 FF FA 2C 09 FF F0"))
        pump(wire)
        wire.send(b"new")
        assert exactly(host, 10) == bytes.fromhex("FF FA 2C 70 01 FF F0") + b"new"


def test_unplug_and_replug_is_switching_off_and_on(wire: Rfc2217Wire) -> None:
    address = wire.address
    with connected(wire) as host:
        host.sendall(bytes.fromhex("FF FA 2C 03 03 FF F0"))
        pump(wire)
        assert wire.line.parity == "E"
        wire.unplug()
        wire.unplug()
        assert not wire.is_plugged
        assert exactly(host, 7) == bytes.fromhex("FF FA 2C 67 03 FF F0")
        assert host.recv(1) == b""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address, PATIENCE_S)
    wire.replug()
    assert wire.address == address
    assert wire.line.parity == "N"
    with connected(wire):
        assert wire.is_plugged


@pytest.mark.parametrize("before", [b"", b"a"])
def test_a_host_that_never_reads_blocks_nobody_and_finds_no_half_of_a_byte(wire: Rfc2217Wire, before: bytes) -> None:
    """A byte FF takes two, and with one of the two parameters the connection is full between them."""
    with connected(wire) as host:
        sent = before + b"\xff" * 4_000_000
        wire.send(sent)
        on_the_line = before + b"\xff" * 2 * (len(sent) - wire.lost_bytes - len(before))
        assert len(before) < len(on_the_line) < 2 * len(sent)
        assert exactly(host, len(on_the_line) - 1) == on_the_line[:-1]
        pump_to_pay(wire, host)
        assert exactly(host, 1) == b"\xff"
        wire.send(b"card")
        assert exactly(host, 4) == b"card"


def pump_to_pay(wire: Rfc2217Wire, host: socket.socket) -> None:
    """Give the box a turn: the host says something."""
    host.sendall(b"x")
    pump(wire)


def test_a_host_that_asks_and_never_reads_is_not_remembered_for_ever(wire: Rfc2217Wire) -> None:
    question = bytes.fromhex("FF FA 2C 00 FF F0") * 100
    with connected(wire) as host:
        while not wire.lost_bytes:
            wire.send(bytes(65536))
        for _ in range(OWED_LIMIT // 1000 + 100):
            host.sendall(question)
            pump(wire)
        before = wire.lost_bytes
        wire.send(b"card")
        assert wire.lost_bytes == before + 4


# --- pyserial's client ------------------------------------------------------------------------------------------------


def test_pyserial_sets_up_the_line_and_talks(wire: Rfc2217Wire) -> None:
    heard = bytearray()
    wire.listen(heard.extend)
    settings = SerialSettings(baud=19200, bytesize=7, parity="E", stopbits=2)
    port = SerialPort(f"rfc2217://127.0.0.1:{wire.address[1]}", settings)
    with SimulatorThread(RealClock(), [wire]) as station:
        port.open()
        assert (wire.line.baud, wire.line.bytesize, wire.line.parity, wire.line.stopbits) == (19200, 7, "E", 2)
        # The host asks for these without waiting for an answer.
        eventually(lambda: wire.line.dtr and wire.line.rts, "control lines set")
        assert wire.line.flow == "none"
        port.write(EVERY_BYTE)
        station.call(lambda: wire.send(EVERY_BYTE))
        got = b""
        while len(got) < 256:
            more = port.read(PATIENCE_S)
            assert more
            got += more
        assert got == EVERY_BYTE
        port.close()
    assert heard == EVERY_BYTE


def test_pyserial_sees_the_modem_lines(wire: Rfc2217Wire) -> None:
    with (
        SimulatorThread(RealClock(), [wire]),
        serial.serial_for_url(f"rfc2217://127.0.0.1:{wire.address[1]}", timeout=PATIENCE_S) as line,
    ):
        assert (line.cts, line.dsr, line.cd, line.ri) == (True, True, True, False)

"""The simulated lines from the host's side, with the operating system's own calls."""

import errno
import os
import select
import socket
import struct
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sim.wires.direct import DirectWire
from sim.wires.pty import PtyWire
from sim.wires.tcp import LOCALHOST, TcpWire
from sim.wires.wire import Wire, was_quiet
from tests.kit.pipe_wire import PipeWire, WireLost

PATIENCE_S = 20.0
EVERY_BYTE = bytes(range(256))


def pump_until(wire: Wire, heard: bytearray, count: int) -> None:
    """Pump as a station does, until `count` bytes were heard."""
    while len(heard) < count:
        ready, _w, _x = select.select(wire.fds(), [], [], PATIENCE_S)
        assert ready, f"only {bytes(heard)!r} came"
        wire.pump()


def read(fd: int, count: int) -> bytes:
    data = b""
    while len(data) < count:
        ready, _w, _x = select.select([fd], [], [], PATIENCE_S)
        assert ready, f"only {data!r} came"
        more = os.read(fd, count - len(data))
        assert more, f"the line ended after {data!r}"
        data += more
    return data


# --- pty --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def pty(tmp_path: Path) -> Iterator[PtyWire]:
    wire = PtyWire(tmp_path / "shoe")
    yield wire
    wire.close()


def test_pty_every_byte_goes_through_unchanged_both_ways(pty: PtyWire) -> None:
    heard = bytearray()
    pty.listen(heard.extend)
    host = os.open(pty.path, os.O_RDWR | os.O_NOCTTY)
    try:
        pty.send(EVERY_BYTE)
        assert read(host, 256) == EVERY_BYTE
        os.write(host, EVERY_BYTE)
        pump_until(pty, heard, 256)
        assert heard == EVERY_BYTE
    finally:
        os.close(host)


def test_pty_what_was_sent_before_the_host_came_waits(pty: PtyWire) -> None:
    pty.send(b"card")
    host = os.open(pty.path, os.O_RDWR | os.O_NOCTTY)
    assert read(host, 4) == b"card"
    os.close(host)


def test_pty_unplug_hangs_up_and_takes_the_name_away(pty: PtyWire) -> None:
    host = os.open(pty.path, os.O_RDWR | os.O_NOCTTY)
    pty.unplug()
    pty.unplug()
    assert not pty.is_plugged
    assert not os.path.lexists(pty.path)
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        os.write(host, b"x")
    os.close(host)
    assert pty.fds() == ()
    pty.pump()
    pty.send(b"into the void")
    assert pty.lost_bytes == len(b"into the void")


def test_pty_replug_is_another_terminal_under_the_same_name(pty: PtyWire) -> None:
    before = pty.path.readlink()
    old = os.open(pty.path, os.O_RDWR | os.O_NOCTTY)
    pty.unplug()
    pty.replug()
    pty.replug()
    assert pty.path.is_symlink()
    assert pty.path.readlink() != before
    new = os.open(pty.path, os.O_RDWR | os.O_NOCTTY)
    pty.send(b"again")
    assert read(new, 5) == b"again"
    os.close(new)
    os.close(old)


def test_pty_a_host_that_never_reads_loses_bytes_and_blocks_nobody(pty: PtyWire) -> None:
    for _ in range(1000):
        pty.send(EVERY_BYTE)
    assert pty.lost_bytes > 0
    host = os.open(pty.path, os.O_RDWR | os.O_NOCTTY)
    kept = 256_000 - pty.lost_bytes
    assert read(host, kept) == (EVERY_BYTE * 1000)[:kept]
    os.close(host)


def test_pty_replaces_a_link_and_nothing_else(tmp_path: Path) -> None:
    link, file = tmp_path / "link", tmp_path / "file"
    link.symlink_to(tmp_path / "gone")
    wire = PtyWire(link)
    assert link.exists()
    wire.close()
    file.write_text("mine")
    with pytest.raises(FileExistsError, match="choose another name"):
        PtyWire(file)
    assert file.read_text() == "mine"


def test_pty_has_its_name_again_though_a_process_that_is_being_started_has_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = PtyWire(tmp_path / "shoe")
    claim = wire._claim  # noqa: SLF001  # what a fork copies
    assert claim is not None
    copy = os.dup(claim)
    wire.unplug()
    looked = threading.Event()
    connect = socket.socket.connect

    def connected(waiting: socket.socket, name: bytes) -> None:
        connect(waiting, name)
        looked.set()

    def let_go() -> None:
        looked.wait(PATIENCE_S)
        os.close(copy)

    monkeypatch.setattr(socket.socket, "connect", connected)
    with ThreadPoolExecutor(1) as other:
        other.submit(let_go)
        wire.replug()
    assert looked.is_set()
    assert wire.is_plugged
    wire.close()


def test_pty_takes_no_name_that_another_simulator_has(tmp_path: Path) -> None:
    first = PtyWire(tmp_path / "shoe")
    terminal = first.path.readlink()
    (tmp_path / "folder").mkdir()
    for path in (first.path, tmp_path / "folder" / ".." / "shoe"):
        with pytest.raises(FileExistsError, match="another simulator has this name"):
            PtyWire(path)
    assert first.path.readlink() == terminal
    first.unplug()
    other = PtyWire(first.path)  # another device at the same place
    with pytest.raises(FileExistsError):
        first.replug()
    assert not first.is_plugged
    other.close()
    first.replug()
    assert first.path.is_symlink()
    first.close()


def test_pty_in_a_folder_that_is_not_there_leaves_nothing_open(tmp_path: Path) -> None:
    for _ in range(2):  # nor the name taken
        with pytest.raises(FileNotFoundError):
            PtyWire(tmp_path / "no" / "shoe")


def test_pty_leaves_nothing_behind(tmp_path: Path) -> None:
    wire = PtyWire(tmp_path / "shoe")
    wire.unplug()
    wire.replug()
    wire.close()
    assert list(tmp_path.iterdir()) == []


# --- TCP --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def tcp() -> Iterator[TcpWire]:
    wire = TcpWire()
    yield wire
    wire.close()


def connected(wire: TcpWire) -> socket.socket:
    host = socket.create_connection(wire.address, PATIENCE_S)
    select.select(wire.fds(), [], [], PATIENCE_S)
    wire.pump()
    assert wire.is_connected
    return host


def test_tcp_listens_on_this_machine_alone(tcp: TcpWire) -> None:
    assert tcp.address[0] == LOCALHOST == "127.0.0.1"
    assert tcp.address[1] > 0


def test_tcp_every_byte_goes_through_both_ways(tcp: TcpWire) -> None:
    heard = bytearray()
    tcp.listen(heard.extend)
    with connected(tcp) as host:
        tcp.send(EVERY_BYTE)
        assert read(host.fileno(), 256) == EVERY_BYTE
        host.sendall(EVERY_BYTE)
        pump_until(tcp, heard, 256)
        assert heard == EVERY_BYTE


def test_tcp_without_a_host_bytes_are_lost(tcp: TcpWire) -> None:
    tcp.send(b"card")
    assert tcp.lost_bytes == 4
    with connected(tcp) as host:
        tcp.send(b"next")
        assert read(host.fileno(), 4) == b"next"


def test_tcp_a_host_may_come_again_and_the_newest_counts(tcp: TcpWire) -> None:
    with connected(tcp) as first, connected(tcp) as second:
        first.settimeout(PATIENCE_S)
        assert first.recv(1) == b""
        tcp.send(b"x")
        assert read(second.fileno(), 1) == b"x"


def test_tcp_a_host_that_goes_is_noticed(tcp: TcpWire) -> None:
    connected(tcp).close()
    while tcp.is_connected:
        ready, _w, _x = select.select(tcp.fds(), [], [], PATIENCE_S)
        assert ready
        tcp.pump()
    tcp.send(b"x")
    assert tcp.lost_bytes == 1


def test_tcp_unplug_and_replug_on_the_same_port(tcp: TcpWire) -> None:
    address = tcp.address
    with connected(tcp) as host:
        tcp.unplug()
        tcp.unplug()
        host.settimeout(PATIENCE_S)
        assert host.recv(1) == b""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address, PATIENCE_S)
    tcp.replug()
    tcp.replug()
    assert tcp.address == address
    with connected(tcp) as host:
        tcp.send(b"x")
        assert read(host.fileno(), 1) == b"x"


def test_tcp_a_host_that_breaks_off_is_noticed(tcp: TcpWire) -> None:
    host = connected(tcp)
    # With a linger of nought, close sends a reset instead of an end.
    host.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    host.close()
    while tcp.is_connected:
        tcp.send(b"x")
        tcp.pump()
    assert tcp.lost_bytes > 0


def test_tcp_a_host_that_never_reads_blocks_nobody(tcp: TcpWire) -> None:
    with connected(tcp):
        while not tcp.lost_bytes:
            tcp.send(EVERY_BYTE * 256)


# --- pipe -------------------------------------------------------------------------------------------------------------


def test_pipe_bytes_go_both_ways() -> None:
    wire, heard, woken = PipeWire("shoe"), bytearray(), threading.Event()
    wire.listen(heard.extend)
    wire.on_wake(woken.set)
    assert wire.host.name == "shoe"
    wire.send(b"before")
    wire.host.open()
    wire.send(b"after")
    assert wire.host.read(0.0) == b"beforeafter"
    assert wire.host.read(0.0) == b""
    wire.host.write(b"command")
    assert woken.is_set()
    wire.pump()
    wire.pump()
    assert heard == b"command"


def test_pipe_a_read_is_woken_by_bytes_and_by_close() -> None:
    wire = PipeWire()
    wire.host.open()
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(wire.host.read, PATIENCE_S)
        wire.send(b"x")
        assert reading.result(PATIENCE_S) == b"x"
        reading = pool.submit(wire.host.read, PATIENCE_S)
        wire.host.close()
        with pytest.raises(WireLost):
            reading.result(PATIENCE_S)
    wire.host.close()


def test_pipe_unplug_is_a_lost_line_until_it_is_opened_again() -> None:
    wire = PipeWire()
    wire.host.open()
    wire.send(b"unread")
    wire.unplug()
    for _ in range(2):
        with pytest.raises(WireLost):
            wire.host.read(PATIENCE_S)
    with pytest.raises(WireLost):
        wire.host.write(b"x")
    with pytest.raises(WireLost):
        wire.host.open()
    wire.send(b"lost")
    assert wire.lost_bytes == len(b"unreadlost")
    wire.replug()
    with pytest.raises(WireLost):
        wire.host.read(0.0)
    wire.host.open()
    wire.send(b"x")
    assert wire.host.read(0.0) == b"x"


def test_pipe_raises_the_errors_it_was_given() -> None:
    wire = PipeWire("shoe", lost=lambda name: KeyError(f"lost {name}"), missing=lambda name: OSError(f"no {name}"))
    with pytest.raises(KeyError, match="lost shoe"):
        wire.host.read(0.0)
    wire.close()
    with pytest.raises(OSError, match="no shoe"):
        wire.host.open()


# --- direct -----------------------------------------------------------------------------------------------------------


def test_direct_hands_over_at_once() -> None:
    host, device = bytearray(), bytearray()
    wire = DirectWire(host.extend)
    wire.from_host(b"nobody listens yet")
    wire.listen(device.extend)
    wire.send(b"card")
    wire.from_host(b"command")
    wire.unplug()
    wire.send(b"lost")
    wire.from_host(b"lost")
    wire.replug()
    wire.on_wake(lambda: None)
    wire.pump()
    assert bytes(host) == b"card"
    assert bytes(device) == b"command"
    assert wire.lost_bytes == 4
    assert wire.fds() == ()
    wire.close()
    assert not wire.is_plugged
    was_quiet(b"")

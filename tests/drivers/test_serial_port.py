"""Opening a line that cannot be opened: each error with its attributes, its text and its remedy."""

import fcntl
import gc
import os
import re
import select
import socket
import struct
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from drivers.errors import BadSetting, DriverError, PortBusy, PortForbidden, PortLost, PortMissing, PortUnusable
from drivers.os_errors import open_failure
from drivers.port_holders import PortHolder, holder_of, holders, strangers
from drivers.serial_port import BAUD_RANGE, SerialPort, SerialSettings, list_serial_ports
from tests.kit.far_ends import PtyEnd
from tests.kit.waiting import PATIENCE_S, eventually

ROOT = Path(__file__).resolve().parent.parent.parent

OPENED_BY_NOBODY = """
import os, sys
from drivers.errors import PortForbidden
from drivers.serial_port import SerialPort
if os.geteuid() == 0:  # root may open everything, so somebody else tries
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
try:
    SerialPort(sys.argv[1]).open()
except PortForbidden as error:
    print(error)
"""

HOLDS_A_PORT = """
import sys
from drivers.serial_port import SerialPort
port = SerialPort(sys.argv[1])
port.open()
print("open", flush=True)
sys.stdin.read()
"""


def failure_to_open(target: str, settings: SerialSettings | None = None) -> DriverError:
    port = SerialPort(target, settings)
    with pytest.raises(DriverError) as caught:
        port.open()
    with pytest.raises(PortLost):  # a failed opening leaves nothing open
        port.read(0)
    assert caught.value.port == target
    assert str(caught.value).startswith(f"{target}: ")
    assert str(caught.value).endswith(caught.value.remedy)
    return caught.value


def test_a_path_to_nothing_is_missing(tmp_path: Path) -> None:
    error = failure_to_open(str(tmp_path / "shoe"))
    assert isinstance(error, PortMissing)
    assert isinstance(error.os_error, FileNotFoundError)
    assert "Check cable and power" in error.remedy


def test_a_link_to_nothing_says_where_it_points(tmp_path: Path) -> None:
    link, device = tmp_path / "shoe", tmp_path / "ttyUSB7"
    link.symlink_to(device)
    error = failure_to_open(str(link))
    assert isinstance(error, PortMissing)
    assert f"the link is there, the device it points to ({device}) is not" in error.problem


def test_a_file_is_no_line(tmp_path: Path) -> None:
    profile = tmp_path / "table.toml"
    profile.write_text("decks = 8\n")
    error = failure_to_open(str(profile))
    assert isinstance(error, PortUnusable)
    assert "cardshoe ports" in error.remedy
    assert profile.read_text() == "decks = 8\n"


def test_a_folder_is_no_line(tmp_path: Path) -> None:
    assert isinstance(failure_to_open(str(tmp_path)), PortUnusable)


def test_a_closed_tcp_port_is_missing() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        number = listener.getsockname()[1]
    for scheme in ("socket", "rfc2217"):
        error = failure_to_open(f"{scheme}://127.0.0.1:{number}")
        assert isinstance(error, PortMissing)
        assert isinstance(error.os_error, ConnectionRefusedError)
        assert "serial-to-TCP box" in error.remedy


def test_an_unknown_host_is_missing() -> None:
    assert isinstance(failure_to_open("socket://shoe.invalid:4001"), PortMissing)


@pytest.mark.filterwarnings(r"ignore:set(Daemon|Name)\(\) is deprecated:DeprecationWarning")
def test_a_box_that_does_not_speak_rfc2217_is_unusable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        error = failure_to_open(f"rfc2217://127.0.0.1:{silent.getsockname()[1]}?timeout=0.2")
        assert isinstance(error, PortUnusable)
        assert "protocol" in error.remedy


@pytest.mark.filterwarnings(r"ignore:set(Daemon|Name)\(\) is deprecated:DeprecationWarning")
def test_a_box_that_resets_while_it_is_spoken_to_leaves_no_socket_open() -> None:
    def reset() -> None:
        connection, _ = box.accept()
        connection.recv(1)  # the host has begun to negotiate
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closing sends a reset
        connection.close()

    with socket.create_server(("127.0.0.1", 0)) as box, warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", ResourceWarning)
        resetting = threading.Thread(target=reset)
        resetting.start()
        failure_to_open(f"rfc2217://127.0.0.1:{box.getsockname()[1]}?timeout=0.2")
        resetting.join()
        gc.collect()
    assert [str(one.message) for one in told if issubclass(one.category, ResourceWarning)] == []


def test_a_line_that_another_program_holds_is_busy(pty: PtyEnd) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS_A_PORT, pty.url],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        assert select.select([holder.stdout], [], [], PATIENCE_S)[0]
        assert holder.stdout.readline() == "open\n"
        error = failure_to_open(pty.url)
        holder.stdin.close()
        assert holder.wait(PATIENCE_S) == 0
    assert isinstance(error, PortBusy)
    assert holder.pid in [one.pid for one in error.holders]
    assert f"(pid {holder.pid})" in error.problem
    assert re.search(rf"kill .*\b{holder.pid}\b", error.remedy)
    port = SerialPort(pty.url)  # and free again afterwards
    port.open()
    port.close()


def test_a_second_port_in_the_same_program_is_busy_too(pty: PtyEnd) -> None:
    first = SerialPort(pty.url)
    first.open()
    try:
        assert isinstance(failure_to_open(pty.url), PortBusy)
    finally:
        first.close()


def test_who_holds_a_line_can_be_asked(pty: PtyEnd) -> None:
    found = holders(pty.url)
    assert [holder.pid for holder in found] == [os.getpid()]
    assert "pytest" in found[0].command or "python" in found[0].command
    os.close(pty.slave)
    pty.slave = -1
    assert holders(pty.url) == []


def test_who_else_has_a_port_open_is_known_and_its_device_is_not_among_them(pty: PtyEnd) -> None:
    # This process has both sides: to another one it is the device, until it locks the port.
    asked = (
        "import sys\nfrom drivers.port_holders import strangers\n"
        "print(*(one.pid for one in strangers(sys.argv[1])), flush=True)"
    )

    def others() -> list[int]:
        done = subprocess.run([sys.executable, "-c", asked, pty.url], capture_output=True, text=True, check=True)
        return [int(word) for word in done.stdout.split()]

    assert others() == []
    with subprocess.Popen(["cat", pty.url], stdout=subprocess.DEVNULL) as reader:
        eventually(lambda: others() == [reader.pid], "it has opened the port")
        assert [one.command.split()[0] for one in strangers(pty.url)] == ["cat"]
        reader.kill()
    fcntl.flock(pty.slave, fcntl.LOCK_EX)
    assert others() == [os.getpid()]
    assert strangers(pty.url) == [], "to itself it is no stranger"


@pytest.mark.parametrize(
    ("words", "role"),
    [
        (["/usr/bin/python3", "/opt/venv/bin/cardshoe", "--verbose", "run", "table.toml"], "run"),
        (["cardshoe", "sim", "angel-eye"], "sim"),
        (["cardshoe"], ""),
        (["minicom", "-D", "/dev/ttyUSB0"], None),
    ],
)
def test_a_holder_of_ours_is_known_by_its_command(words: list[str], role: str | None) -> None:
    program = [sys.executable, "-c", "import sys; print(flush=True); sys.stdin.read()", *words]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        assert holder_of(holder.pid).role == role
        assert holder_of(holder.pid).is_table == (role == "run")
        holder.communicate(timeout=PATIENCE_S)


def test_a_process_that_is_gone_is_no_table() -> None:
    assert holder_of(2**22 + 1) == PortHolder(2**22 + 1, "a program that has just ended")


def test_a_table_that_holds_a_line_is_not_to_be_killed() -> None:
    error = PortBusy("/dev/shoe", [PortHolder(7, "cardshoe run table.toml", "run"), PortHolder(8, "tail")])
    assert error.problem == "held by cardshoe run table.toml (pid 7), tail (pid 8)"
    assert "kill" not in error.remedy
    assert "type `quit` at it" in error.remedy


def test_a_holder_that_may_not_be_seen_is_looked_for_by_root() -> None:
    error = PortBusy("/dev/serial/by-id/shoe", [])
    assert "sudo fuser -v /dev/serial/by-id/shoe" in error.remedy


def test_a_forbidden_line_says_how_to_be_allowed(pty: PtyEnd) -> None:
    device = os.path.realpath(pty.link)
    Path(device).chmod(0)
    told = subprocess.run(
        [sys.executable, "-c", OPENED_BY_NOBODY, device],
        cwd=ROOT,
        # Nobody may not write where coverage would.
        env={name: value for name, value in os.environ.items() if not name.startswith("COV")},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "permission denied" in told
    assert "70-cardshoe.rules" in told
    assert 'SUBSYSTEM=="tty", ATTRS{idVendor}=="VVVV", ATTRS{idProduct}=="PPPP", GROUP="dialout", MODE="0660"' in told
    assert "sudo udevadm control --reload" in told
    assert "sudo usermod -aG dialout $USER, then log in again" in told


def test_a_line_that_is_open_to_a_group_names_the_group() -> None:
    error = PortForbidden("/dev/serial/by-id/shoe", "uucp", PermissionError(13, "Permission denied"))
    assert error.remedy == "Add the user to group uucp: sudo usermod -aG uucp $USER, then log in again."
    assert error.group == "uucp"


def test_the_group_is_the_devices_own(tmp_path: Path) -> None:
    path = tmp_path / "shoe"
    path.touch()
    gid = next(gid for gid in (5, *os.getgroups(), os.getgid()) if os.geteuid() == 0 or gid in os.getgroups())
    os.chown(path, -1, gid)
    path.chmod(0o660)
    error = open_failure("shoe", str(path), PermissionError(13, "Permission denied"))
    assert isinstance(error, PortForbidden)
    assert error.group == ("dialout" if gid == 0 else path.group())
    path.chmod(0o640)
    refused = open_failure("shoe", str(path), PermissionError(13, "Permission denied"))
    assert isinstance(refused, PortForbidden)
    assert refused.group == "dialout"


@pytest.mark.parametrize("end", ["pulled while writing", "pulled while waiting"])
def test_a_loss_keeps_what_the_system_said(pty: PtyEnd, end: str) -> None:
    port = SerialPort(pty.url)
    port.open()
    pty.vanish()
    move: Callable[[], object] = (lambda: port.write(b"x")) if "writing" in end else (lambda: port.read(PATIENCE_S))
    with pytest.raises(PortLost) as caught:
        move()
    assert caught.value.__cause__ is not None
    port.close()


def test_a_line_that_takes_nothing_is_lost(pty: PtyEnd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.serial_port.WRITE_TIMEOUT_S", 0.1)
    port = SerialPort(pty.url)
    port.open()
    with pytest.raises(PortLost):
        port.write(bytes(1_000_000))  # nobody reads at the far end
    port.close()


def test_a_link_is_followed_at_each_opening(pty: PtyEnd) -> None:
    port = SerialPort(pty.url)
    port.open()
    before = os.path.realpath(pty.link)
    old = pty.master, pty.slave
    pty.plug_in()
    port.close()
    port.open()
    pty.send(b"new")
    assert port.read(PATIENCE_S) == b"new"
    assert os.path.realpath(pty.link) != before
    port.close()
    for descriptor in old:
        os.close(descriptor)


def test_the_lock_is_one_that_other_programs_can_ask_for(pty: PtyEnd) -> None:
    port = SerialPort(pty.url)
    port.open()
    with pytest.raises(BlockingIOError):
        fcntl.flock(pty.slave, fcntl.LOCK_EX | fcntl.LOCK_NB)
    port.close()
    fcntl.flock(pty.slave, fcntl.LOCK_EX | fcntl.LOCK_NB)


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"baud": 0}, "baud"),
        ({"baud": 49}, "baud"),
        ({"baud": 4_000_001}, "baud"),
        ({"baud": "4800"}, "baud"),
        ({"baud": 4800.0}, "baud"),
        ({"baud": True}, "baud"),
        ({"bytesize": 9}, "bytesize"),
        ({"parity": "X"}, "parity"),
        ({"parity": "NE"}, "parity"),
        ({"stopbits": 3}, "stopbits"),
        ({"stopbits": [1]}, "stopbits"),
        ({"boud": 4800}, "boud"),
    ],
)
def test_impossible_settings_are_refused(settings: dict[str, object], key: str) -> None:
    with pytest.raises(BadSetting) as caught:
        SerialSettings.from_mapping(settings)
    assert caught.value.key == key
    assert caught.value.expected in str(caught.value)


@pytest.mark.parametrize("baud", [BAUD_RANGE.start, 4800, 9600, 115200, BAUD_RANGE.stop - 1])
def test_a_pty_takes_every_speed(pty: PtyEnd, baud: int) -> None:
    port = SerialPort(pty.url, SerialSettings.from_mapping({"baud": baud}))
    port.open()
    pty.send(b"x")
    assert port.read(PATIENCE_S) == b"x"
    port.close()


def test_the_default_line_is_the_shoes() -> None:
    assert SerialSettings.from_mapping({}) == SerialSettings(baud=4800, bytesize=8, parity="N", stopbits=1)


def test_the_machines_ports_can_be_listed() -> None:
    """Which there are depends on the machine; every one of them has what a name is made from."""
    for candidate in list_serial_ports():
        assert candidate.device.startswith("/dev/")
        assert candidate.best_name()

"""``cardshoe capture`` as a process, on a pty: what is in the file, how it ends, what it says."""

import json
import re
import signal
from datetime import datetime
from pathlib import Path

import pytest

from drivers.capture import read_capture
from tests.cardshoe.cli.support import PATIENCE_S, answered, cardshoe
from tests.kit.far_ends import PtyEnd, SocketEnd
from tests.kit.forked import started
from tests.kit.waiting import eventually

DATA = bytes.fromhex("0531 4481 b803 3446")


def captured(path: Path) -> bytes:
    return b"".join(read.data for read in read_capture(path)) if path.exists() else b""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly_at_ctrl_c(pty: PtyEnd, tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "shoe.jsonl"
    with started(["capture", pty.url, path]) as command:
        assert command.stderr is not None
        assert command.stdout is not None
        assert f"{pty.url}, 4800 baud 8N1, into {path}, until Ctrl-C" in command.stderr.readline().decode()
        pty.send(DATA)
        eventually(lambda: captured(path) == DATA, "what was sent is in the file")
        command.send_signal(number)
        said = command.stderr.read().decode()
        assert command.stdout.read() == b""
        assert command.wait(PATIENCE_S) == 0
    assert re.fullmatch(rf"{re.escape(str(path))}: 8 bytes in \d reads?s?, \d+\.\d s\n", said)


def test_it_ends_after_the_time_it_was_given(pty: PtyEnd, tmp_path: Path) -> None:
    path = tmp_path / "shoe.jsonl"
    pty.send(DATA)  # waits at the port until it is opened
    done = cardshoe("capture", pty.url, path, "--seconds", "0.5", "--baud", "9600", "--parity", "e")
    assert done.returncode == 0
    assert captured(path) == DATA
    assert b"9600 baud 8E1" in done.stderr
    assert b"until 0.5 s have passed" in done.stderr


def test_silence_is_said(pty: PtyEnd, tmp_path: Path) -> None:
    done = cardshoe("capture", pty.url, tmp_path / "shoe.jsonl", "--seconds", "0.3")
    assert done.returncode == 0
    assert b": 0 bytes in 0 reads" in done.stderr
    assert b"cardshoe doctor" in done.stderr


def test_a_line_that_goes_leaves_what_came_before(tmp_path: Path) -> None:
    end, path = SocketEnd(), tmp_path / "shoe.jsonl"
    with started(["capture", end.url, path]) as command:
        assert command.stderr is not None
        end.send(DATA)
        eventually(lambda: captured(path) == DATA, "what was sent is in the file")
        end.vanish()
        said = command.stderr.read().decode()
        assert command.wait(PATIENCE_S) == 5
    assert f"{end.url}: the line is gone" in said
    assert f"The bytes before that are in {path}." in said
    assert captured(path) == DATA


def test_a_file_is_never_overwritten(pty: PtyEnd, tmp_path: Path) -> None:
    path = tmp_path / "shoe.jsonl"
    path.write_text("evidence")
    done = answered("capture", pty.url, path, "--seconds", "0.3")
    assert done.returncode == 2
    assert f"{path}: this file exists already" in done.stderr.decode()
    assert path.read_text() == "evidence"


def test_a_folder_that_is_not_there(pty: PtyEnd, tmp_path: Path) -> None:
    done = answered("capture", pty.url, tmp_path / "nowhere" / "shoe.jsonl", "--seconds", "0.3")
    assert done.returncode == 1
    assert b"shoe.jsonl: No such file or directory" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_port_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "shoe.jsonl"
    done = answered("capture", tmp_path / "shoe", path)
    assert done.returncode == 5
    assert f"{tmp_path / 'shoe'}: nothing there" in done.stderr.decode()
    assert not path.exists()


def test_a_port_of_a_table_is_refused(pty: PtyEnd, tmp_path: Path) -> None:
    tables, path = tmp_path / "tables", tmp_path / "shoe.jsonl"
    tables.mkdir()
    (tables / "broken.toml").write_text("[[device")
    other = tmp_path / "another-name"
    other.symlink_to(pty.link)
    (tables / "B-101.toml").write_text(f'[[device]]\nname = "shoe"\nport = "{other}"\n')
    done = answered("capture", tmp_path / "free", path, "--host", pty.url, "--tables", tables)
    assert done.returncode == 2
    assert f"{pty.url}: it is the port of the table {tables / 'B-101.toml'}" in done.stderr.decode()
    assert not path.exists()


def test_a_typed_line_becomes_a_mark_and_a_capture_names_its_line(pty: PtyEnd, tmp_path: Path) -> None:
    path = tmp_path / "shoe.jsonl"
    with started(["capture", pty.url, path, "--baud", "9600"]) as command:
        assert command.stdin is not None
        command.stdin.write(b"cable pulled\n")
        command.stdin.flush()
        eventually(lambda: path.exists() and b"cable pulled" in path.read_bytes(), "the mark is in the file")
        command.send_signal(signal.SIGINT)
        assert command.wait(PATIENCE_S) == 0
    head = json.loads(path.read_text().splitlines()[0])
    assert datetime.fromisoformat(head.pop("at")).tzinfo is not None
    assert head == {
        "capture": 2, "port": pty.url, "host": None, "baud": 9600, "bytesize": 8, "parity": "N", "stopbits": 1,
        "contains_cards": True,
    }  # fmt: skip


def test_a_test_is_printed_for_a_capture_and_none_for_noise(tmp_path: Path) -> None:
    path = tmp_path / "shoe-3.jsonl"
    path.write_text(json.dumps({"t_s": 1, "hex": DATA.hex()}) + "\n")
    done = answered("capture", "test", path)
    assert done.returncode == 0
    said = done.stdout.decode()
    compile(said, "test", "exec")
    assert f'arguments=["{path}", "--family", "angel_eye"]' in said
    assert "def test_shoe_3(cardshoe_shoe, cardshoe_table):" in said
    assert '"bee_tek"' in answered("capture", "test", path, "--family", "bee_tek").stdout.decode()
    path.write_text('{"t_s": 1, "hex": "fefe"}\n')
    assert b"it holds no frame of any family" in answered("capture", "test", path).stderr
    path.write_text('{"t_s": 1}\n')
    assert b"line 1: no captured read" in answered("capture", "test", path).stderr
    assert b"No such file" in answered("capture", "test", tmp_path / "none").stderr


def test_a_name_that_somebody_types_may_be_unstable(tmp_path: Path) -> None:
    done = answered("capture", "/dev/ttyUSB97", tmp_path / "shoe.jsonl")
    assert done.returncode == 5  # missing, not refused as a name
    assert b"/dev/ttyUSB97: nothing there" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("ftp://192.0.2.7:1",),
        ("usb:12:34",),
        ("shoe", "--baud", "3"),
        ("shoe", "--parity", "Q"),
        ("shoe", "--stopbits", "3"),
        ("shoe", "--seconds", "0"),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = answered("capture", *arguments, tmp_path / "shoe.jsonl")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Traceback" not in done.stderr

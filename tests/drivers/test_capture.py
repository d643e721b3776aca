"""Captures: what is in the file when it ends well, by Ctrl-C, by a loss, by kill -9."""

import json
import os
import random
import select
import signal
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest

from drivers.capture import (
    CapturedRead,
    CaptureMark,
    CaptureSink,
    capture,
    read_capture,
    read_lines,
    stop_at_signals,
)
from drivers.errors import CaptureDamaged, PortLost, PortMissing
from drivers.serial_port import SerialPort
from tests.kit.far_ends import PtyEnd
from tests.kit.waiting import PATIENCE_S, eventually

ROOT = Path(__file__).resolve().parent.parent.parent

PROGRAM = """
import sys
from pathlib import Path
from drivers.capture import capture, stop_at_signals
from drivers.serial_port import SerialPort
with stop_at_signals() as stopping:
    print("ready", flush=True)
    summary = capture(SerialPort(sys.argv[1]), Path(sys.argv[2]), stopping)
print(summary.bytes_in)
"""


def captured(path: Path) -> bytes:
    return b"".join(read.data for read in read_capture(path)) if path.exists() else b""


def test_what_arrives_can_be_read_back(pty: PtyEnd, tmp_path: Path, seed: int) -> None:
    data = random.Random(seed).randbytes(3000)
    path, stopping = tmp_path / "shoe.jsonl", threading.Event()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(capture, SerialPort(pty.url), path, stopping)
        for at in range(0, len(data), 100):
            pty.send(data[at : at + 100])
        eventually(lambda: captured(path) == data, "all is in the file while it runs")
        stopping.set()
        summary = running.result(PATIENCE_S)
    reads = list(read_capture(path))
    assert b"".join(read.data for read in reads) == data
    assert all(earlier.t_s <= later.t_s for earlier, later in pairwise(reads))
    assert (summary.reads, summary.bytes_in) == (len(reads), 3000)
    assert summary.duration_s >= reads[-1].t_s


def test_a_line_is_what_the_manual_says(pty: PtyEnd, tmp_path: Path) -> None:
    path, stopping = tmp_path / "shoe.jsonl", threading.Event()
    moments_s = iter([10.0, 10.125, 10.5])
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(capture, SerialPort(pty.url), path, stopping, clock=lambda: next(moments_s))
        pty.send(b"\x05\x31")
        eventually(lambda: captured(path) == b"\x05\x31", "the line is written")
        stopping.set()
        assert running.result(PATIENCE_S).duration_s == 0.5
    assert path.read_text() == (
        '{"capture": 2, "contains_cards": true}\n{"t_s": 0.125, "from": "device", "hex": "0531"}\n'
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_whatever_ends_it_the_file_is_complete(pty: PtyEnd, tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "shoe.jsonl"
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, pty.url, str(path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout is not None
        assert select.select([program.stdout], [], [], PATIENCE_S)[0]
        assert program.stdout.readline() == "ready\n"
        sent = bytes(range(256)) * 4
        pty.send(sent)
        eventually(lambda: captured(path) == sent, "all is in the file while it runs")
        program.send_signal(number)
        said, _ = program.communicate(timeout=PATIENCE_S)
    if number is signal.SIGKILL:
        assert program.returncode == -number
    else:
        assert (program.returncode, said) == (0, "1024\n")
    assert captured(path) == sent


def test_a_capture_between_two_ends_passes_on_and_writes_both(pty: PtyEnd, tmp_path: Path) -> None:
    host, path, stopping = PtyEnd(tmp_path / "host"), tmp_path / "line.jsonl", threading.Event()
    marked = threading.Event()

    def started(sink: CaptureSink) -> None:
        sink.mark("begins")
        marked.set()

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(
            capture, SerialPort(pty.url), path, stopping, host=SerialPort(host.url), started=started, head={"port": "x"}
        )
        assert marked.wait(PATIENCE_S)
        pty.send(b"from the device")
        assert host.receive(15) == b"from the device"
        host.send(b"from the host")
        assert pty.receive(13) == b"from the host"
        eventually(lambda: captured(path) == b"from the devicefrom the host", "both are in the file")
        stopping.set()
        assert running.result(PATIENCE_S).bytes_in == 28
    host.end()
    assert json.loads(path.read_text().splitlines()[0]) == {"capture": 2, "port": "x", "contains_cards": True}
    mark, *reads = read_lines(path)
    assert isinstance(mark, CaptureMark)
    assert mark.mark == "begins"
    assert {read.sender for read in reads if isinstance(read, CapturedRead)} == {"device", "host"}


def test_a_capture_of_another_form_is_named(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_text('{"capture": 9}\n')
    with pytest.raises(CaptureDamaged, match="a capture of form 9, and form 2 is read"):
        list(read_capture(path))


def test_a_loss_is_told_and_what_came_before_is_kept(pty: PtyEnd, tmp_path: Path) -> None:
    path, stopping = tmp_path / "shoe.jsonl", threading.Event()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(capture, SerialPort(pty.url), path, stopping)
        pty.send(b"before")
        eventually(lambda: captured(path) == b"before", "the bytes are in")
        pty.vanish()
        assert isinstance(running.exception(PATIENCE_S), PortLost)
    assert captured(path) == b"before"


def test_without_a_port_there_is_no_file(tmp_path: Path) -> None:
    path = tmp_path / "shoe.jsonl"
    with pytest.raises(PortMissing):
        capture(SerialPort(str(tmp_path / "nowhere")), path, threading.Event())
    assert not path.exists()


def test_nobody_else_reads_a_capture_whatever_the_umask(pty: PtyEnd, tmp_path: Path) -> None:
    """Its frames tell the cards that lie face down; it was open to every account of the computer."""
    stopping, path = threading.Event(), tmp_path / "a.capture"
    stopping.set()
    before = os.umask(0)
    try:
        capture(SerialPort(pty.url), path, stopping)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_capture_overwrites_nothing_and_frees_the_port(pty: PtyEnd, tmp_path: Path) -> None:
    path = tmp_path / "shoe.jsonl"
    path.write_text("evidence")
    port = SerialPort(pty.url)
    with pytest.raises(FileExistsError):
        capture(port, path, threading.Event())
    assert path.read_text() == "evidence"
    with pytest.raises(PortLost, match="not open"):
        port.read(0)


def test_the_signals_are_given_back() -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with stop_at_signals() as stopping:
        assert not stopping.is_set()
        os.kill(os.getpid(), signal.SIGINT)
        assert stopping.wait(PATIENCE_S)
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


@pytest.mark.parametrize(
    "line",
    [
        "",
        "null",
        "[]",
        "{}",
        '{"t_s": 1}',
        '{"t_s": 1, "hex": "5"}',
        '{"t_s": 1, "hex": ""}',
        '{"t_s": "1", "hex": "05"}',
        '{"t_s": true, "hex": "05"}',
        '{"t_s": 1, "hex": 5}',
        '{"t_s": 1, "hex": "05"',
        "\udcff",
    ],
)
def test_a_damaged_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "shoe.jsonl"
    path.write_bytes(b'{"t_s": 0, "hex": "06"}\n' + line.encode(errors="surrogateescape") + b"\n")
    reads = read_capture(path)
    assert next(reads) == CapturedRead(0.0, b"\x06")
    with pytest.raises(CaptureDamaged) as caught:
        next(reads)
    assert caught.value.line == 2
    assert str(caught.value).startswith(f"{path}, line 2: ")


def test_a_last_line_without_an_end_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "shoe.jsonl"
    path.write_text('{"t_s": 0, "hex": "06"}\n{"t_s": 0.5, "he')
    assert list(read_capture(path)) == [CapturedRead(0.0, b"\x06")]

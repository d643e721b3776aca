"""The second device as a process of its own: real sockets, a real pseudo terminal, real TLS."""

import contextlib
import json
import os
import select
import socket
import ssl
import subprocess
import sys
import termios
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest

from tests.second_device.host import HostApplication, HostLink
from tests.second_device.messages import Type, Value, encode
from tests.second_device.session import Security
from tests.second_device.tls import Tls

ROOT = Path(__file__).parent.parent.parent
PATIENCE_S = 30.0
"""Nothing waits so long unless the test fails."""


class Process:
    """The device's process and its control lines."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.second_device", *arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        first: dict[str, str] = json.loads(self._line())
        self.line, self.address = first["line"], first["address"]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            assert self.send_line("quit") == "ok: bye"
            assert self._process.wait(PATIENCE_S) == 0
        else:
            self._process.kill()
            self._process.wait(PATIENCE_S)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()

    def send_line(self, text: str) -> str:
        assert self._process.stdin is not None
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()
        return self._line()

    def do(self, text: str) -> str:
        answer = self.send_line(text)
        assert answer.startswith("ok: "), answer
        return answer.removeprefix("ok: ")

    @property
    def status(self) -> dict[str, Any]:
        status: dict[str, Any] = json.loads(self.do("status"))
        return status

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


class Table:
    """A host at the other end of a real line, in real time."""

    def __init__(self, process: Process, context: ssl.SSLContext | None = None, first_id: int = 1) -> None:
        self._process = process
        self._context = context
        self._tls: Tls | None = None
        self._fd: int | None = None
        self._session = 0
        self._id = first_id - 1
        self.link = HostLink(1, Security.PLAIN if context is None else Security.TLS)
        self.application = HostApplication()
        self.link.open(time.monotonic())

    def close(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def until(self, condition: Callable[[], bool], what: str) -> None:
        deadline_s = time.monotonic() + PATIENCE_S
        while not condition():
            now_s = time.monotonic()
            assert now_s < deadline_s, f"in vain: {what}; {self._process.status}"
            if self._fd is None:
                self._connect()
            self._step(now_s)

    def command(self, kind: Type, **fields: Value) -> int:
        """Send a command; 0 if done, else the reason of the refusal."""
        self._id += 1
        self._write(encode(kind, id=self._id, **fields))
        answers = (Type.DONE, Type.REFUSED)

        def answered() -> bool:
            return any(each.number("id") == self._id for each in self.application.of(*answers))

        self.until(answered, f"an answer to {kind.name}")
        answer = self.application.of(*answers)[-1]
        return 0 if answer.type is Type.DONE else answer.number("reason")

    def greeted(self) -> bool:
        return bool(self.application.of(Type.STATUS))

    def _connect(self) -> None:
        with contextlib.suppress(OSError):
            if self._process.line == "pty":
                self._fd = os.open(self._process.address, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
                tty.setraw(self._fd, termios.TCSANOW)
            else:
                host, port = self._process.address.split(":")
                self._fd = socket.create_connection((host, int(port)), PATIENCE_S).detach()
                os.set_blocking(self._fd, False)

    def _step(self, now_s: float) -> None:
        due_s = self.link.due_s
        assert due_s is not None
        fds = [] if self._fd is None else [self._fd]
        readable, _, _ = select.select(fds, [], [], min(0.05, max(0.0, due_s - now_s)))
        now_s = time.monotonic()
        if readable:
            self._read(now_s)
        self.link.tick(now_s)
        self._flush(now_s)

    def _read(self, now_s: float) -> None:
        assert self._fd is not None
        try:
            data = os.read(self._fd, 4096)
        except OSError:
            data = b""
        if not data:
            self.close()
            self.link.line_lost(now_s)
            return
        self.link.receive(data, now_s)
        if self.link.sessions != self._session:
            self._session = self.link.sessions
            self.application.session_began()
            self._tls = None if self._context is None else Tls(self._context, is_server=False)
        self._arrived()

    def _arrived(self) -> None:
        data = self.link.take_arrived()
        if self._tls is not None:
            data = self._tls.receive(data)
        if answers := self.application.feed(data):
            self._write(answers)

    def _write(self, data: bytes) -> None:
        if self._tls is not None:
            self._tls.write(data)
        elif self.link.session is not None:
            self.link.write(data, time.monotonic())

    def _flush(self, now_s: float) -> None:
        if self._tls is not None and self.link.session is not None:
            if not self._tls.is_up:
                self._tls.receive(b"")  # the client speaks first
            self.link.write(self._tls.take(), now_s)
        data = self.link.take_line()
        if data and self._fd is not None:
            with contextlib.suppress(OSError):  # the next read says that it is gone
                os.write(self._fd, data)


@pytest.fixture(params=["tcp", "pty"])
def process(request: pytest.FixtureRequest, tmp_path: Path, seed: int) -> Iterator[Process]:
    line = ("--tcp", "127.0.0.1:0") if request.param == "tcp" else ("--pty", str(tmp_path / "line"))
    with Process(*line, "--plain", "--seed", str(seed), "--cards", "104") as process:
        yield process


@pytest.fixture
def table(process: Process) -> Iterator[Table]:
    with contextlib.closing(Table(process)) as table:
        table.until(table.greeted, "Hello and Status")
        yield table


def test_cards_from_hand_to_journal(process: Process, table: Table) -> None:
    assert process.do("load") == "104 cards"
    assert process.send_line("draw") == "error: locked"
    assert table.command(Type.UNLOCK, cards=3, permit=0) == 0
    drawn = [process.do("draw"), process.do("draw")]
    process.do("unread")
    drawn.append(process.do("draw"))
    assert process.send_line("draw") == "error: locked"
    table.until(lambda: len(table.application.of(Type.CARD_DRAWN)) == 3, "three cards")
    assert [f"{event.number('card'):02X}" for event in table.application.of(Type.CARD_DRAWN)] == drawn
    assert table.command(Type.DISPENSE, cards=5, permit=0) == 0
    table.until(lambda: bool(table.application.of(Type.PACKET_DISPENSED)), "a packet")
    table.until(lambda: process.status["pending"] == 0, "everything acknowledged")
    assert process.status["remaining"] == 104 - 8


def test_unplugged_and_replugged(process: Process, table: Table) -> None:
    process.do("load")
    assert table.command(Type.UNLOCK, cards=9, permit=0) == 0
    sessions = table.link.sessions
    process.do("unplug")
    assert process.status["link"] == "listening"
    assert process.send_line("draw") == "error: locked"
    process.do("key 2")
    process.do("replug")
    table.until(lambda: table.link.sessions > sessions, "another session")
    table.until(lambda: bool(table.application.of(Type.KEY_TURNED)), "what happened meanwhile")
    assert table.application.gaps == []


def test_power_cut_and_restored(process: Process, table: Table) -> None:
    process.do("load 10")
    table.until(lambda: process.status["pending"] == 0, "everything acknowledged")
    process.do("cut-power")
    assert process.send_line("draw") == "error: no power; restore-power first"
    assert process.do("restore-power") == "boot 2"
    table.until(lambda: len(table.application.of(Type.POWER_RESTORED)) == 2, "the second boot")
    assert table.application.gaps == []
    assert process.status["remaining"] == 10


def test_jam_cover_and_return(process: Process, table: Table) -> None:
    process.do("load")
    process.do("jam")
    assert table.command(Type.UNLOCK, cards=1, permit=0) == 5
    process.do("clear")
    process.do("cover open")
    assert table.command(Type.UNLOCK, cards=1, permit=0) == 6
    process.do("cover close")
    assert table.command(Type.DISPENSE, cards=4, permit=0) == 0
    table.until(lambda: bool(table.application.of(Type.PACKET_DISPENSED)), "a packet")
    process.do("return 4")
    assert table.command(Type.ACCEPT_RETURN) == 0
    table.until(lambda: bool(table.application.of(Type.CARDS_RETURNED)), "the return")
    wanted = [Type.FAULT, Type.FAULT_CLEARED, Type.COVER_OPENED, Type.COVER_CLOSED]
    wanted += [Type.PACKET_DISPENSED, Type.CARDS_RETURNED]
    assert [event.type for event in table.application.journal[-6:]] == wanted


@pytest.mark.parametrize("text", ["", "fly", "load many", "load -1", "key", "key 256", "cover ajar", "draw 2", "free"])
def test_what_is_no_command(tmp_path: Path, text: str) -> None:
    with Process("--pty", str(tmp_path / "line"), "--plain") as process:
        assert process.send_line(text).startswith("error: ")


def test_what_cannot_be_done_twice(tmp_path: Path) -> None:
    with Process("--pty", str(tmp_path / "line"), "--plain") as process:
        for action in ("cut-power", "restore-power", "unplug", "replug", "jam", "free", "clear", "cover open"):
            process.do(action)
            assert process.send_line(action).startswith("error: "), action
        assert process.send_line("cut") == "error: the cover is open"


def test_newer_connection_replaces_the_older(seed: int) -> None:
    with (
        Process("--tcp", "127.0.0.1:0", "--plain", "--seed", str(seed)) as process,
        contextlib.closing(Table(process)) as first,
        contextlib.closing(Table(process)) as second,
    ):
        first.until(first.greeted, "Hello")
        second.until(second.greeted, "Hello")
        assert process.status["link"] == "open"
        sessions = first.link.sessions
        first.until(lambda: first.link.sessions > sessions, "hung up on, and back by a new connection")


def test_events_of_a_process_killed(tmp_path: Path) -> None:
    arguments = ("--tcp", "127.0.0.1:0", "--plain", "--keep", str(tmp_path / "memory"))
    with contextlib.suppress(InterruptedError), Process(*arguments) as process:
        process.do("load 7")
        raise InterruptedError  # killed, without quit
    with Process(*arguments) as process, contextlib.closing(Table(process)) as table:
        table.until(lambda: len(table.application.journal) == 4, "the events of both boots")
        assert table.application.gaps == []
        assert table.application.journal[1].number("cards") == 7
        assert table.application.of(Type.HELLO)[0].number("capabilities") & 1 << 9


def test_roots_of_a_process_killed(tmp_path: Path) -> None:
    arguments = ("--tcp", "127.0.0.1:0", "--plain", "--keep", str(tmp_path / "memory"))
    log, root = b"\x4c" * 32, b"\xe5" * 32
    with (
        contextlib.suppress(InterruptedError),
        Process(*arguments) as process,
        contextlib.closing(Table(process)) as table,
    ):
        table.until(table.greeted, "Hello")
        assert table.command(Type.REMEMBER_ROOT, log=log, size=1 << 40, root=root) == 0
        raise InterruptedError  # killed, without quit, as soon as it has said Done
    with Process(*arguments) as process, contextlib.closing(Table(process, first_id=2)) as table:
        table.until(table.greeted, "Hello")
        assert table.command(Type.REMEMBER_ROOT, log=log, size=(1 << 40) - 1, root=root) == 11
        assert table.command(Type.RECALL_ROOT, log=log) == 0
        told = table.application.of(Type.ROOT_REMEMBERED)[-1].fields
        assert (told["size"], told["root"], told["logs"]) == (1 << 40, root, 1)


def make_certificates(folder: Path, name: str, authority: str | None) -> None:
    """A P-256 key and a certificate, signed by an authority or by itself."""
    arguments = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    arguments += ["-keyout", f"{name}.key", "-out", f"{name}.pem", "-subj", f"/CN={name}", "-days", "2"]
    if authority is not None:
        arguments += ["-CA", f"{authority}.pem", "-CAkey", f"{authority}.key"]
        use = "clientAuth" if name == "host" else "serverAuth"
        arguments += ["-addext", "basicConstraints=critical,CA:FALSE", "-addext", f"extendedKeyUsage={use}"]
    subprocess.run(arguments, cwd=folder, check=True, capture_output=True, timeout=PATIENCE_S)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certificates")
    for name, authority in (("site", None), ("device", "site"), ("host", "site"), ("stranger", None)):
        make_certificates(folder, name, authority)
    return folder


def client_context(certificates: Path, name: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False  # a device has no name
    context.load_verify_locations(certificates / "site.pem")
    context.load_cert_chain(certificates / f"{name}.pem", certificates / f"{name}.key")
    return context


def tls_arguments(certificates: Path) -> list[str]:
    files = {"certificate": "device.pem", "key": "device.key", "authority": "site.pem"}
    return [part for name, file in files.items() for part in (f"--{name}", str(certificates / file))]


def test_tls(certificates: Path) -> None:
    with (
        Process("--tcp", "127.0.0.1:0", *tls_arguments(certificates)) as process,
        contextlib.closing(Table(process, client_context(certificates, "host"))) as table,
    ):
        table.until(table.greeted, "Hello and Status")
        process.do("load")
        assert table.command(Type.UNLOCK, cards=1, permit=0) == 0
        drawn = process.do("draw")
        table.until(lambda: bool(table.application.of(Type.CARD_DRAWN)), "a card")
        assert f"{table.application.journal[-1].number('card'):02X}" == drawn
        process.do("unplug")
        process.do("replug")
        sessions = table.link.sessions
        table.until(lambda: table.link.sessions > sessions, "another session")
        table.until(table.greeted, "Hello again, in fresh TLS")


def test_tls_with_a_stranger(certificates: Path) -> None:
    with (
        Process("--tcp", "127.0.0.1:0", *tls_arguments(certificates)) as process,
        contextlib.closing(Table(process, client_context(certificates, "stranger"))) as table,
    ):
        with pytest.raises(ssl.SSLError, match="alert"):
            table.until(table.greeted, "nothing")
        assert not table.greeted()
        assert process.status["link"] == "listening"
        assert process.status["pending"] > 0  # nobody has acknowledged, for nobody was told


def test_plain_host_at_a_device_with_tls(certificates: Path) -> None:
    with (
        Process("--tcp", "127.0.0.1:0", *tls_arguments(certificates)) as process,
        contextlib.closing(Table(process)) as table,
    ):
        table.until(lambda: len(table.link.resets) >= 2, "refusals")
        assert {reason for _, reason in table.link.resets} == {4}


def test_tls_without_its_files() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.second_device", "--tcp", "127.0.0.1:0"],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE_S,
    )  # fmt: skip
    assert ended.returncode == 2
    assert "--plain" in ended.stderr

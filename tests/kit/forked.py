"""``cardshoe`` as a fork of a process that has imported it: the imports are three quarters of the CPU of a start.

It has pid, pipes, signals, folder, environment and end of its own, as a program that is started. What one has imported
while it ran, the next ones have. `program` is for those that start a file. Where coverage is measured, and where a test
has changed what Python or C read of the environment at their start, the program itself is started; CI measures
coverage.
"""

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import select
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Final, NoReturn, Self

import click

from cardshoe.cli import main

CARDSHOE: Final = Path(sys.executable).with_name("cardshoe")
COVERAGE: Final = "COVERAGE_PROCESS_CONFIG"
"""The variable by which coverage measures the programs that are started."""
_REQUEST_BYTES: Final = 1 << 17
_AT_START: Final = ("PYTHON", "LC_", "LANG", "LD_", "MALLOC", "TZ")
"""How the variables begin that are read at the start alone; a fork has all others as the test has them."""

_OURS: Final = frozenset({"cardshoe", "conformance", "drivers", "firmware_bridge", "protocols", "regulations", "sim"})


def started(arguments: Sequence[str | Path], folder: Path | None = None) -> "ForkedProcess | subprocess.Popen[bytes]":
    """Start ``cardshoe`` with pipes for its input, output and errors.

    Args:
        arguments: of the command.
        folder: its working directory.
    """
    if COVERAGE not in os.environ:
        forks = _forks()
        if forks.environment == _environment():
            return forks.start([str(argument) for argument in arguments], folder)
    return subprocess.Popen(
        [CARDSHOE, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder
    )


def program(folder: Path) -> Path:
    """A file that runs as ``cardshoe`` does: it has its own pid and group, and passes on signals and the exit code.

    Args:
        folder: where the file is made.
    """
    if COVERAGE in os.environ:
        return CARDSHOE
    forks = _forks()
    if forks.environment != _environment():
        return CARDSHOE
    file = folder / "cardshoe"
    command = shlex.join([sys.executable, "-I", "-S", str(Path(__file__).with_name("launched.py")), forks.address])
    file.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    file.chmod(0o755)
    return file


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith(_AT_START)}


class ForkedProcess:
    """One ``cardshoe``, as far as tests use `subprocess.Popen`.

    Args:
        args: its command line.
        status: tells its pid, and how it ended.
        pipes: its input, output and errors.
    """

    def __init__(self, args: Sequence[str], status: socket.socket, pipes: tuple[int, int, int]) -> None:
        self.args: Final = args
        self.stdin: Final[IO[bytes]] = os.fdopen(pipes[0], "wb")
        self.stdout: Final[IO[bytes]] = os.fdopen(pipes[1], "rb")
        self.stderr: Final[IO[bytes]] = os.fdopen(pipes[2], "rb")
        self.pid: Final = int(status.recv(32))
        self.returncode: int | None = None
        self._status: Final = status

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self.stdout, self.stderr, self.stdin):
            with contextlib.suppress(BrokenPipeError):  # what it never read
                stream.close()
        self.wait()

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; the exit code, negative for a signal.

        Raises:
            subprocess.TimeoutExpired: it still runs.
        """
        if self.returncode is None:
            self._status.settimeout(timeout)  # not select: a campaign of many tables has more than 1,024 files open
            try:
                self.returncode = int(self._status.recv(32))
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired(self.args, timeout or 0) from None
            self._status.close()
        return self.returncode

    def communicate(self, told: bytes = b"", timeout: float | None = None) -> tuple[bytes, bytes]:
        """Give it all input; its output and errors, once it has ended.

        Raises:
            subprocess.TimeoutExpired: it still runs.
        """
        with ThreadPoolExecutor() as readers, self.stdout, self.stderr:
            said = [readers.submit(stream.read) for stream in (self.stdout, self.stderr)]
            with contextlib.suppress(BrokenPipeError), self.stdin:
                self.stdin.write(told)
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
            output, errors = (one.result() for one in said)
        return output, errors

    def poll(self) -> int | None:
        """The exit code; ``None`` while it runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def send_signal(self, number: int) -> None:
        """Send a signal; nothing if it has ended."""
        if self.poll() is None:
            # Its parent may have waited for it already, and not yet have said so.
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)


class Forks:
    """The process that has imported ``cardshoe``, one for each that runs tests."""

    def __init__(self) -> None:
        self.environment: Final = _environment()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            listener.bind("")  # Linux names it, outside all folders
            listener.listen()
            self.address: Final = listener.getsockname().hex()
            descriptors = theirs.fileno(), listener.fileno()
            # Pipes, as a program that a test starts has them: Python sets up its streams by what they are.
            self._process: Final = subprocess.Popen(
                [sys.executable, "-m", "tests.kit.forked", *map(str, descriptors)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=Path(__file__).parents[2],
                pass_fds=descriptors,
            )

    def start(self, arguments: Sequence[str], folder: Path | None) -> ForkedProcess:
        """Start ``cardshoe`` with pipes."""
        (stdin, to), (of_output, stdout), (of_errors, stderr) = os.pipe(), os.pipe(), os.pipe()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        os.umask(mask := os.umask(0o077))
        told = json.dumps([arguments, str(folder or Path.cwd()), dict(os.environ), mask]).encode()
        socket.send_fds(self._socket, [told], [stdin, stdout, stderr, theirs.fileno()])
        for descriptor in (stdin, stdout, stderr):
            os.close(descriptor)
        theirs.close()
        return ForkedProcess([str(CARDSHOE), *arguments], ours, (to, of_output, of_errors))

    def close(self) -> None:
        """End it."""
        self._socket.close()
        with self._process:
            pass


@functools.cache
def _forks() -> Forks:
    forks = Forks()
    atexit.register(forks.close)
    return forks


class _Child(Exception):
    """This is the process that was forked; its arguments are the command's, and where it says what it has imported."""


def _serve(descriptor: int, listening: int) -> NoReturn:
    """Fork on request until the tests have ended.

    Args:
        descriptor: of the requests of the tests; each brings the socket that gets the pid and the exit code.
        listening: where each connection is one request, and gets pid and exit code of a process that ends with it.

    Raises:
        _Child: in each process that was forked.
    """
    requests, listener = socket.socket(fileno=descriptor), socket.socket(fileno=listening)
    woken, wake = socket.socketpair()
    wake.settimeout(0)
    learned, learn = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    learn.settimeout(0)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake.fileno())
    running: dict[int, socket.socket] = {}
    lent: dict[socket.socket, int] = {}
    while True:
        ready, _, _ = select.select([requests, listener, woken, learned, *lent], [], [])
        if woken in ready:
            woken.recv(64)
            _reap(running, lent)
        for status in lent.keys() & {*ready}:  # what stands for it has been killed
            os.kill(lent.pop(status), signal.SIGKILL)
        if learned in ready:
            _import_too(json.loads(learned.recv(_REQUEST_BYTES)))
        asked = _asked(requests, listener, ready)
        if asked is None:
            continue
        told, streams, status = asked
        arguments, folder, environment, mask = json.loads(told)
        _import(arguments)
        gc.freeze()  # a look for garbage would copy all of it for each
        if pid := os.fork():
            running[pid] = status
            if listener in ready:
                lent[status] = pid
            _tell(status, pid)
            for stream in streams:
                os.close(stream)
            continue
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for one in (requests, listener, woken, wake, learned, status, *running.values()):
            one.close()
        _become(folder, environment, mask, streams)
        raise _Child(arguments, learn)


def _asked(
    requests: socket.socket, listener: socket.socket, ready: Collection[socket.socket]
) -> tuple[bytes, list[int], socket.socket] | None:
    """A request, with the streams and the socket that it brings; the end of all where the tests have ended."""
    if listener in ready:
        status, _ = listener.accept()
        told, streams, _, _ = socket.recv_fds(status, _REQUEST_BYTES, 3)
        if told:
            return told, streams, status
        status.close()  # killed before it has asked
    elif requests in ready:
        told, descriptors, _, _ = socket.recv_fds(requests, _REQUEST_BYTES, 4)
        if not told:
            sys.exit()
        *streams, last = descriptors
        return told, streams, socket.socket(fileno=last)
    return None


def _become(folder: str, environment: Mapping[str, str], mask: int, streams: Sequence[int]) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.umask(mask)
    os.environ.clear()
    os.environ.update(environment)


def _reap(running: dict[int, socket.socket], lent: dict[socket.socket, int]) -> None:
    for pid in [*running]:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            with running.pop(pid) as told:
                lent.pop(told, None)
                _tell(told, os.waitstatus_to_exitcode(status))


def _tell(status: socket.socket, number: int) -> None:
    with contextlib.suppress(OSError):  # a test that failed has let go of it
        status.send(b"%d" % number)


def _import(arguments: Sequence[str]) -> None:
    """Import the command that is asked for, so that the next one has it; the program says what is wrong with one."""
    if arguments:
        main.get_command(click.Context(main), arguments[0])


def _import_too(names: Sequence[str]) -> None:
    for name in names:
        with contextlib.suppress(ImportError):  # what a program has made itself
            importlib.import_module(name)


def _tell_imported(learn: socket.socket, known: Collection[str]) -> None:
    with contextlib.suppress(OSError):  # the tests have ended
        ours = [name for name in sys.modules if name not in known and name.partition(".")[0] in _OURS]
        learn.send(json.dumps(ours).encode())


if __name__ == "__main__":
    try:
        _serve(int(sys.argv[1]), int(sys.argv[2]))
    except _Child as child:
        arguments, learn = child.args
        sys.argv[:] = [str(CARDSHOE), *arguments]
        atexit.register(_tell_imported, learn, frozenset(sys.modules))
    sys.exit(main(prog_name=CARDSHOE.name))

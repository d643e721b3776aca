"""Control lines over TCP, or to a process that we start."""

import contextlib
import json
import os
import shlex
import signal
import socket
import subprocess
import threading
from collections import deque
from collections.abc import Mapping
from typing import Final, Self

from conformance.operator import LineOperator
from drivers.errors import PortMissing

CONNECT_TIMEOUT_S: Final = 5.0

STDERR_LINES: Final = 40

ANSWER_TIMEOUT_S: Final = 30.0


class ControlChannelOperator(LineOperator):
    """An operator over ``cardshoe sim … --control ADDRESS``.

    Raises:
        PortMissing: it does not answer or start.
    """

    def __init__(self, address: tuple[str, int] | str) -> None:
        where = address if isinstance(address, str) else f"{address[0]}:{address[1]}"
        try:
            self._connection: Final = _connected(address)
        except OSError as error:
            remedy = "Start the simulated device with --control, or name the address it printed."
            raise PortMissing(where, "no control channel answers", remedy, error) from error
        self._connection.settimeout(ANSWER_TIMEOUT_S)
        self._lines: Final = self._connection.makefile("r", encoding="utf-8", newline="\n")
        super().__init__(f"the control channel {where}", self._exchange_line, limit_s=ANSWER_TIMEOUT_S)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._lines.close()
            self._connection.close()

    def _exchange_line(self, line: str) -> str:
        self._connection.sendall(f"{line}\n".encode())
        answer = self._lines.readline()
        if not answer:
            raise ConnectionResetError("it hung up")
        return answer


def _connected(address: tuple[str, int] | str) -> socket.socket:
    if not isinstance(address, str):
        return socket.create_connection(address, CONNECT_TIMEOUT_S)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(address)
    except OSError:
        connection.close()
        raise
    return connection


class ProcessOperator(LineOperator):
    """Control lines on standard input, answers on standard output.

    Raises:
        PortMissing: it does not answer or start.
    """

    def __init__(self, command: str) -> None:
        words = shlex.split(command)
        try:
            self._process: Final = subprocess.Popen(  # noqa: S603  the user names the program to run
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
                start_new_session=True,
            )
        except (OSError, IndexError) as error:
            cause = error if isinstance(error, OSError) else None
            raise PortMissing(command, "it cannot be started", "Check its name and options.", cause) from error
        self._stderr: Final[deque[str]] = deque(maxlen=STDERR_LINES)
        self._listener: Final = threading.Thread(target=self._listen, name="standard error", daemon=True)
        self._listener.start()
        self.greeting: Final = self._read()
        if not self.greeting:
            self.close()
            said = "; ".join(self._stderr) or "nothing on its standard error either"
            raise PortMissing(
                command, f"it ended without a word ({said})", "Start it in a terminal and see what it says."
            )
        super().__init__(f"the process {words[0]}", self._exchange_line, limit_s=ANSWER_TIMEOUT_S)
        self.stderr = self._stderr

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @property
    def port(self) -> str:
        told = self._greeting_fields()
        address = str(told.get("port") or told.get("address") or "")
        return f"socket://{address}" if told.get("line") == "tcp" and "port" not in told else address

    @property
    def settings(self) -> Mapping[str, object]:
        settings = self._greeting_fields().get("settings")
        return settings if isinstance(settings, dict) else {}

    def _greeting_fields(self) -> dict[str, object]:
        try:
            told = json.loads(self.greeting)
        except ValueError:
            return {}
        return told if isinstance(told, dict) else {}

    def close(self) -> None:
        process = self._process
        with contextlib.suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()
        try:
            process.wait(CONNECT_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            # The whole group: what it started holds its pipes open, and would be waited for without end.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self._listener.join(CONNECT_TIMEOUT_S)
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()

    def _listen(self) -> None:
        stderr = self._process.stderr
        if stderr is not None:
            self._stderr.extend(line.rstrip() for line in stderr)

    def _exchange_line(self, line: str) -> str:
        if self._process.stdin is None:
            raise BrokenPipeError("its standard input is closed")
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> str:
        if self._process.stdout is None:
            return ""
        watchdog = threading.Timer(ANSWER_TIMEOUT_S, self._process.kill)
        watchdog.daemon = True
        watchdog.start()
        try:
            return self._process.stdout.readline()
        finally:
            watchdog.cancel()

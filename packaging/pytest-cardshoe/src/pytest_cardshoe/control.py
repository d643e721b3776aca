"""The control channel of a simulated device or rig."""

import collections
import json
import os
import socket
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pytest_cardshoe.errors import CommandRefused, ProcessEnded, Silent

__tracebackhide__ = True  # a failure is shown where the test asked for it, not where it was found

Data = dict[str, Any]
Note = Callable[[Mapping[str, object]], None]
"""Receives commands with answers, and events, for a recording."""
_READ_BYTES: Final = 65536
SHOWN_COMMANDS: Final = 40


class Control:
    """A control channel (docs/simulator.md, "The control channel")."""

    def __init__(self, address: str, patience_s: float, note: Note) -> None:
        self.address: Final = address
        self._patience_s: Final = patience_s
        self._note: Final = note
        self._rest = b""
        self._lines: Final[collections.deque[Data]] = collections.deque()
        self._events: Final[collections.deque[Data]] = collections.deque()
        self._asked = 0
        self._done: Final[collections.deque[str]] = collections.deque(maxlen=SHOWN_COMMANDS)
        self._socket: Final = _connect(address, patience_s)

    @property
    def history(self) -> Sequence[str]:
        """The last commands with their answers."""
        return tuple(self._done)

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def do(self, command: str, *arguments: str | int, patience_s: float | None = None) -> Data:
        """Execute a command, with `patience_s` seconds for its answer.

        Raises:
            CommandRefused: not done.
            Silent: no answer.
            ProcessEnded: the other end is gone.
        """
        self._asked += 1
        request = {"id": self._asked, "do": command, "arguments": list(arguments)}
        try:
            self._socket.settimeout(self._patience_s if patience_s is None else patience_s)
            self._socket.sendall(json.dumps(request).encode() + b"\n")
        except OSError as error:
            raise ProcessEnded(f"the control channel at {self.address}", None, str(error)) from error
        answer = self._next(f"the answer to {command!r}")
        while answer.get("id") != self._asked or "event" in answer:
            self._store(answer)
            answer = self._next(f"the answer to {command!r}")
        asked = {"do": command, "arguments": list(arguments)}
        self._note({"source": "control", **asked, **{key: answer[key] for key in answer if key != "id"}})
        words = " ".join(map(str, (command, *arguments)))
        self._done.append(f"{words} -> {answer['said'] if answer['ok'] else 'refused: ' + answer['error']}")
        if not answer["ok"]:
            raise CommandRefused(words, answer["error"], answer["usage"])
        return {"said": answer["said"], **answer["data"]}

    def usages(self) -> dict[str, str]:
        """The commands and their usage."""
        return {command["do"]: command["usage"] for command in self.do("help")["commands"]}

    def watch(self, *kinds: str) -> None:
        """Subscribe to events of these kinds; default: all but bytes."""
        self.do("watch", *kinds)

    def wait_for(self, event: str, *, patience_s: float | None = None, **fields: object) -> Data:
        """The next matching event, within `patience_s` seconds; `watch` first.

        Raises:
            Silent: not in time.
        """
        wanted = " ".join([f"the event {event!r}", *(f"{key}={value!r}" for key, value in fields.items())])
        came: list[str] = []
        self._socket.settimeout(self._patience_s if patience_s is None else patience_s)
        while True:
            if not self._events:
                self._store(self._next(wanted, came))
                continue
            found = self._events.popleft()
            if found["event"] == event and all(found.get(key) == value for key, value in fields.items()):
                return found
            came.append(json.dumps(found))

    def _store(self, line: Data) -> None:
        if "event" in line:
            self._events.append(line)
            self._note({"source": "device", **line})

    def _next(self, wanted: str, came: Sequence[str] = ()) -> Data:
        while not self._lines:
            try:
                data = self._socket.recv(_READ_BYTES)
            except TimeoutError as error:
                seconds = self._socket.gettimeout() or self._patience_s
                raise Silent(f"the control channel at {self.address}", wanted, seconds, came) from error
            except OSError as error:
                raise ProcessEnded(f"the control channel at {self.address}", None, str(error)) from error
            if not data:
                raise ProcessEnded(f"the control channel at {self.address}", None, "it hung up")
            *whole, self._rest = (self._rest + data).split(b"\n")
            self._lines.extend(json.loads(line) for line in whole)
        return self._lines.popleft()


def _connect(address: str, patience_s: float) -> socket.socket:
    try:
        if address.startswith("unix:"):
            return _connect_to_file(Path(address.removeprefix("unix:")), patience_s)
        host, _, port = address.rpartition(":")
        return socket.create_connection((host or "127.0.0.1", int(port)), patience_s)
    except (OSError, ValueError) as error:
        raise ProcessEnded(f"the control channel at {address}", None, str(error)) from error


def _connect_to_file(path: Path, patience_s: float) -> socket.socket:
    # Connect to a socket of the file system; its path may be longer than the 107 bytes that an address holds.
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    end = socket.socket(socket.AF_UNIX)
    try:
        end.settimeout(patience_s)
        end.connect(f"/proc/self/fd/{folder}/{path.name}")
    except OSError:
        end.close()
        raise
    finally:
        os.close(folder)
    return end

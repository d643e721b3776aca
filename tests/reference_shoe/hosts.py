"""Frames, written from the page, and a host for tests that answers nothing by itself."""

import subprocess
from typing import Final

from tests.reference_shoe.building import built
from tests.reference_shoe.given_time import GivenTime

HOST: Final = 7
"""The host's number."""


def hexed(text: str) -> str:
    """Hexadecimal as the vectors have it, without spaces."""
    return text.replace(" ", "")


def link_says(lines: list[str], *options: str) -> list[list[str]]:
    """Give the link lines; return what it answers to each."""
    done = subprocess.run(
        [built("posix") / "link_bench", *options],
        input="".join(f"{line}\n" for line in lines),
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    answers = [part.splitlines() for part in done.stdout.split(".\n")]
    return answers[: len(lines)]


def frame(kind: int, session: int, sequence: int = 0, payload: bytes = b"") -> bytes:
    """A frame as on the line."""
    return framed(bytes([1, kind]) + session.to_bytes(2, "big") + bytes([sequence, 0]) + payload)


class Host:
    """A host at a plain shoe on given time, that answers nothing by itself."""

    def __init__(self, process: GivenTime, security: int = 0) -> None:
        self._process = process
        self._sequence = 0
        opened = process.ask(f"rx {frame(1, HOST << 8, payload=bytes([1, 1, 4, 224, security])).hex()}")
        (_kind, payload, self.session) = self._read(opened.sent)[0]
        assert payload[0] == 1
        self.heard = self.send(4)

    def say(self, message: bytes) -> bytes:
        """Send bytes of the stream; return those that come back at once."""
        heard = self.send(3, message)
        self._sequence += 1
        return heard

    def send(self, kind: int, payload: bytes = b"") -> bytes:
        """Send a frame of the session; return the bytes of the stream that come back at once."""
        sequence = self._sequence if payload else 0
        sent = self._process.ask(f"rx {frame(kind, self.session, sequence, payload).hex()}").sent
        return b"".join(payload for kind, payload, _session in self._read(sent) if kind == "3")

    @staticmethod
    def _read(wires: list[bytes]) -> list[tuple[str, bytes, int]]:
        found = []
        for answer in link_says([f"frame {wire.hex()}" for wire in wires]):
            for line in answer:
                _frame, kind, session, _sequence, _expected, *payload = line.split(" ")
                found.append((kind, bytes.fromhex(payload[0]), int(session)))
        return found


def framed(body: bytes) -> bytes:
    """A frame as on the line, by section 3."""
    check = 0xFFFFFFFF
    for byte in body:
        check ^= byte
        for _ in range(8):
            check = check >> 1 ^ (0x82F63B78 if check & 1 else 0)
    whole = body + (check ^ 0xFFFFFFFF).to_bytes(4)
    return b"\0" + b"".join(bytes([len(run) + 1]) + run for run in whole.split(b"\0")) + b"\0"


def messages_of(stream: bytes) -> list[bytes]:
    found = []
    while stream:
        length = int.from_bytes(stream[:2])
        found.append(stream[2 : 2 + length])
        stream = stream[2 + length :]
    return found

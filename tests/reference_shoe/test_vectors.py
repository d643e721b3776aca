"""The shoe in C keeps to the vectors of the page, byte by byte."""

import json
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from tests.reference_shoe.building import built, needs_compiler
from tests.reference_shoe.given_time import GivenTime
from tests.vectors.tdp.for_programs import FILE

pytestmark = needs_compiler

STORED: Final[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
KINDS: Final = ("OPEN", "ACCEPT", "DATA", "ACK", "NAK", "RESET")
FIRST_NUMBER: Final = "41"
STEP_MS: Final = 5


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


def hexed(text: str) -> str:
    return text.replace(" ", "")


def test_frames() -> None:
    frames = STORED["frames"]
    answers = link_says([f"frame {hexed(frame['wire'])}" for frame in frames])
    for frame, answer in zip(frames, answers, strict=True):
        numbers = f"{KINDS.index(frame['kind']) + 1} {frame['session']} {frame['sequence']} {frame['acknowledgement']}"
        assert answer == [f"frame {numbers} {hexed(frame['payload'])}"], frame["name"]


def test_bad_frames() -> None:
    bad = STORED["bad_frames"]
    answers = link_says([f"frame {hexed(frame['wire'])}" for frame in bad])
    for frame, answer in zip(bad, answers, strict=True):
        assert set(answer) == {"skipped"}, frame["why"]


@pytest.mark.parametrize("timeline", STORED["timelines"], ids=lambda timeline: timeline["name"])
def test_timelines(timeline: dict[str, Any]) -> None:
    steps = timeline["steps"]
    heard = {step["at_ms"]: hexed(step["to_device"]) for step in steps if "to_device" in step}
    lines = [f"write {hexed(timeline['written'])}"]
    times = range(0, max(step["at_ms"] for step in steps) + STEP_MS, STEP_MS)
    for at_ms in times:
        lines += [f"at {at_ms}"] + ([f"rx {heard[at_ms]}"] if at_ms in heard else [])
    answers = iter(link_says(lines, FIRST_NUMBER)[1:])
    said = []
    for at_ms in times:
        for _ in range(2 if at_ms in heard else 1):
            said += [(at_ms, line.removeprefix("tx ")) for line in next(answers)]
    assert said == [(step["at_ms"], hexed(step["from_device"])) for step in steps if "from_device" in step]


@pytest.mark.parametrize(
    ("baud", "terms"),
    [(9600, (1, 83)), (19200, (1, 179)), (38400, (1, 224)), (57600, (2, 224)), (115200, (4, 224))],
)
def test_no_more_than_the_line_carries(baud: int, terms: tuple[int, int]) -> None:
    opened = hexed(STORED["timelines"][0]["steps"][0]["to_device"])
    (accept,) = link_says([f"rx {opened}"], FIRST_NUMBER, str(baud))[0]
    (read,) = link_says([f"frame {accept.removeprefix('tx ')}"])[0]
    payload = bytes.fromhex(read.split()[-1])
    assert (payload[1], payload[2]) == terms


DONE: Final = {0x04}
REFUSED: Final = {0x05}
NOT_THIS_SHOE: Final = {"Shuffle", "Dispense", "AcceptReturn", "Eject", "Attest"}
"""It has neither motors nor, here, a key."""


class Host:
    """A host at a plain shoe on given time, that answers nothing by itself."""

    def __init__(self, process: GivenTime) -> None:
        self._process = process
        self._sequence = 0
        opened = process.ask(f"rx {hexed(STORED['timelines'][0]['steps'][0]['to_device'])}")
        (_kind, payload, self._session) = self._read(opened.sent)[0]
        assert payload[0] == 1
        self.heard = self._send("04", b"")

    def say(self, message: bytes) -> bytes:
        """Send bytes of the stream; return those that come back at once."""
        heard = self._send("03", message)
        self._sequence += 1
        return heard

    def _send(self, kind: str, payload: bytes) -> bytes:
        head = bytes.fromhex(f"01{kind}{self._session:04x}{self._sequence if payload else 0:02x}00")
        sent = self._process.ask(f"rx {framed(head + payload).hex()}").sent
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


@pytest.fixture(scope="module")
def shoe() -> Path:
    return built("posix") / "shoe"


def test_the_first_session_of_all(shoe: Path) -> None:
    """Hello, Status, PowerRestored as in the vectors, Heartbeat."""
    (restored,) = (one for one in STORED["messages"] if one["name"] == "first start of all")
    with GivenTime(shoe, "--given-time") as process:
        heard = Host(process).heard
    hello, status, first, beat = messages_of(heard)
    assert (hello[0], len(hello), status[0], len(status)) == (1, 0x91, 2, 0x0B)
    assert first == bytes.fromhex(restored["wire"])[2:]
    assert (beat[0], len(beat)) == (3, 0x0F)


def test_commands(shoe: Path) -> None:
    """Each of the page's commands is read: what this shoe has is done, or refused for what holds."""
    commands = [one for one in STORED["messages"] if bytes.fromhex(one["wire"])[2] >= 0x50]
    assert len(commands) > 10
    for one in commands:
        wire = bytes.fromhex(one["wire"])
        with GivenTime(shoe, "--given-time") as process:
            answers = [message for message in messages_of(Host(process).say(wire)) if message[1:5] == wire[3:7]]
        last = answers[-1]
        reason = {"Unlock": 7, "ClearFault": 2}.get(one["type"], 1 if one["type"] in NOT_THIS_SHOE else 0)
        assert (last[0], last[5:]) == ((5, bytes([reason])) if reason else (4, b"")), one["name"]


@pytest.mark.parametrize("vector", STORED["bad_messages"], ids=lambda vector: vector["why"])
def test_bad_messages(shoe: Path, vector: dict[str, Any]) -> None:
    raw = bytes.fromhex(vector["raw"])
    if not raw:
        return  # a length of 0 is no message: the suite has its own check
    with GivenTime(shoe, "--given-time") as process:
        heard = Host(process).say(len(raw).to_bytes(2) + raw)
    refused = [message for message in messages_of(heard) if message[0] == 5]
    assert refused == ([] if vector["refused"] is None else [bytes([5]) + raw[1:5] + bytes([vector["refused"]])])

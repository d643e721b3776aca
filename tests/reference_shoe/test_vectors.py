"""The shoe in C keeps to the vectors of the page, byte by byte."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.reference_shoe.building import built, needs_compiler
from tests.reference_shoe.given_time import GivenTime
from tests.reference_shoe.hosts import Host, hexed, link_says, messages_of
from tests.vectors.tdp.for_programs import FILE

pytestmark = needs_compiler

STORED: Final[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
KINDS: Final = ("OPEN", "ACCEPT", "DATA", "ACK", "NAK", "RESET")
FIRST_NUMBER: Final = "41"
STEP_MS: Final = 5


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


NOT_THIS_SHOE: Final = {"Shuffle", "Dispense", "AcceptReturn", "Eject", "Attest"}
"""It has neither motors nor, here, a key."""


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

"""Readers of outside bytes in the simulator: control channel and serial-to-TCP box (``docs/simulator.md``)."""

import json
from collections.abc import Iterable
from typing import Final

from sim.com_port import COM_PORT_OPTION, ComPort
from sim.control_lines import CommandReply
from sim.control_words import (
    LINE_MAX_BYTES,
    BadRequest,
    LineSplitter,
    Overlong,
    encode,
    parse,
    refused,
    refused_overlong,
)
from sim.telnet import BINARY, IAC, SUPPRESS_GO_AHEAD, Telnet, doubled, subnegotiation
from tests.fuzz.target import BYTEWISE, WHOLE, Target, pieces

_ANSWER: Final = CommandReply(ok=True, text="drew AS")


def check_channel(data: bytes) -> None:
    """The control channel: any pieces give the same lines, and each line exactly one line for an answer."""
    cut = pieces(data)
    parts = LineSplitter()
    lines = [line for piece in cut for line in parts.feed(piece)]
    assert lines == list(LineSplitter().feed(b"".join(cut))), "the pieces matter"
    for line in lines:
        if isinstance(line, Overlong):
            _check_answer(refused_overlong(line), in_json=line.in_json)
            continue
        assert len(line) <= LINE_MAX_BYTES, "the buffer grows"
        try:
            request = parse(line)
        except BadRequest as bad:
            _check_answer(refused(bad), in_json=bad.in_json)
            continue
        if request is not None:
            _check_answer(encode(request, _ANSWER), in_json=request.in_json)


def _check_answer(answer: bytes, *, in_json: bool) -> None:
    assert answer.count(b"\n") == 1, "the answer is not one line"
    assert answer.endswith(b"\n"), "the answer is not one line"
    if in_json:
        assert isinstance(json.loads(answer, parse_constant=_no_number), dict), "the answer is no JSON object"


def _no_number(name: str) -> object:
    raise AssertionError(f"{name} is no JSON")


def check_telnet(data: bytes) -> None:
    """A box's Telnet: any pieces give the same data and answers, and data without commands passes as it is."""
    cut = pieces(data)
    parts, whole = _box(), _box()
    heard = answered = b""
    for piece in cut:
        passed, answers = parts.feed(piece)
        heard += passed
        answered += answers
    assert (heard, answered) == whole.feed(b"".join(cut)), "the pieces matter"
    assert len(heard) <= sum(map(len, cut)), "data came out of nothing"
    assert _box().feed(doubled(data)) == (data, b""), "data does not pass"


def _box() -> Telnet:
    com_port = ComPort(lambda: None)
    options = frozenset({BINARY, SUPPRESS_GO_AHEAD, COM_PORT_OPTION})
    return Telnet(options, com_port.execute)


def _channel_seeds() -> Iterable[bytes]:
    lines = (
        b"draw 3\n\nstatus\r\n",
        b'{"id":1,"do":"draw","arguments":["3", 4]}\n',
        b'{"id":1e400,"do":"draw"}\n',
        b'{"id":true,"do":"","arguments":7}\n',
        b"\xff\n",
        b"{" * 3000 + b"\n",
        b'{"id":' + b"[" * 3000 + b"\n",
        b"x" * (LINE_MAX_BYTES + 1) + b"\nhelp\n",
    )
    return [start + line for start in (WHOLE, b"\x02\x03\x1f") for line in lines]


def _telnet_seeds() -> Iterable[bytes]:
    asked = (subnegotiation(COM_PORT_OPTION, bytes([number, 0, 0, 0x25, 0x80])) for number in range(13))
    offers = bytes([IAC, 253, BINARY, IAC, 251, COM_PORT_OPTION, IAC, 254, 1, IAC, 252, BINARY, IAC, 253, 99])
    return [
        WHOLE + offers + b"card",
        BYTEWISE + offers,
        *(WHOLE + one + b"x" for one in asked),
        WHOLE + b"\xff\xfa,\x01",
    ]


_CHANNEL_WORDS: Final = (b'{"id":', b'"do":"', b'"arguments":[', b"\n", b"1e999", b"NaN", b"\\ud800", b"\xf0\x9f")
_TELNET_WORDS: Final = (b"\xff\xfa\x2c", b"\xff\xf0", b"\xff\xff", b"\xff\xfd", b"\xff\xfb")

TARGETS: Final = {
    "control-channel": Target(check_channel, _channel_seeds, 250, LINE_MAX_BYTES + 64, words=_CHANNEL_WORDS),
    "telnet": Target(check_telnet, _telnet_seeds, 500, words=_TELNET_WORDS),
}

"""Lines of the control channel: words and JSON, whole and in pieces, good and malformed."""

import json
import random

import pytest

from sim.control_lines import CommandReply
from sim.control_words import (
    ARGUMENTS_MAX,
    LINE_MAX_BYTES,
    BadRequest,
    ControlRequest,
    LineSplitter,
    Overlong,
    encode,
    parse,
    refused,
    refused_overlong,
)


def test_words() -> None:
    assert parse(b"draw 3") == ControlRequest("draw", ["3"])
    assert parse(b"  preset 07  0120\r") == ControlRequest("preset", ["07", "0120"])
    assert parse(b"") is None
    assert parse(b" \r") is None


def test_json() -> None:
    line = b'{"id":1,"do":"draw","arguments":["3"]}'
    assert parse(line) == ControlRequest("draw", ["3"], in_json=True, id=1)
    assert parse(b' {"do":"draw","arguments":[3]}\r') == ControlRequest("draw", ["3"], in_json=True, id=None)
    assert parse('{"id":"ü","do":"help"}'.encode()) == ControlRequest("help", [], in_json=True, id="ü")
    assert parse(b'{"do":"alarm","arguments":["E5 Door Open"]}') == ControlRequest(
        "alarm", ["E5 Door Open"], in_json=True
    )


@pytest.mark.parametrize(
    ("line", "problem", "request_id"),
    [
        (b"{", "no JSON: Expecting", None),
        (b'{"do":"draw"} x', "no JSON: Extra data", None),
        (b"{" * 5000, "no JSON", None),
        (b'{"a":' * 1500, "no JSON", None),
        (b'{"id":NaN,"do":"draw"}', "NaN is no number of JSON", None),
        (b'{"id":' + b"9" * 5000 + b',"do":"draw"}', "no JSON", None),
        (b'{"id":[],"do":"draw"}', "`id` is neither text nor a number", None),
        (b'{"id":7,"do":"draw","argument":[]}', "unknown key 'argument'; there are id, do, arguments", 7),
        (b'{"id":7}', "`do` must be the name of a command", 7),
        (b'{"id":7,"do":""}', "`do` must be the name of a command", 7),
        (b'{"id":7,"do":3}', "`do` must be the name of a command", 7),
        (b'{"id":"a","do":"draw","arguments":"3"}', "`arguments` must be a list", "a"),
        (b'{"id":7,"do":"draw","arguments":[true]}', "`arguments` holds true", 7),
        (b'{"id":7,"do":"draw","arguments":[1.5]}', "`arguments` holds 1.5", 7),
        (b'{"id":7,"do":"draw","arguments":[null]}', "`arguments` holds null", 7),
    ],
)
def test_malformed_json_says_what_is_wrong_and_repeats_the_id(line: bytes, problem: str, request_id: object) -> None:
    with pytest.raises(BadRequest) as bad:
        parse(line)
    assert problem in str(bad.value)
    answer = json.loads(refused(bad.value))
    assert (answer["id"], answer["ok"]) == (request_id, False)
    assert problem in answer["error"]
    assert '{"id":1,"do":"draw","arguments":["3"]}' in answer["usage"]


def test_too_many_arguments() -> None:
    most = ["1"] * ARGUMENTS_MAX
    assert parse(" ".join(["draw", *most]).encode()) == ControlRequest("draw", most)
    with pytest.raises(BadRequest, match="65 arguments"):
        parse(" ".join(["draw", *most, "1"]).encode())
    with pytest.raises(BadRequest, match="at most 64"):
        parse(json.dumps({"do": "draw", "arguments": [*most, "1"]}).encode())


def test_what_is_no_utf_8_is_answered_in_the_form_in_which_it_began() -> None:
    for line, begins in ((b"draw \xff", b"error: byte 6 "), (b'{"do":"\xff"}', b'{"id":null,"ok":false,')):
        with pytest.raises(BadRequest) as bad:
            parse(line)
        assert refused(bad.value).startswith(begins)


def test_answers() -> None:
    good = CommandReply(ok=True, text="drew 9H", data={"cards": ["9H"]})
    bad = CommandReply(ok=False, text="draw: 'x' given", usage="draw [N]")
    assert encode(ControlRequest("draw", ()), good) == b"ok: drew 9H\n"
    assert encode(ControlRequest("draw", ()), bad) == b"error: draw: 'x' given; usage: draw [N]\n"
    assert json.loads(encode(ControlRequest("draw", (), in_json=True, id="a"), good)) == {
        "id": "a",
        "ok": True,
        "said": "drew 9H",
        "data": {"cards": ["9H"]},
    }
    assert json.loads(encode(ControlRequest("draw", (), in_json=True), bad)) == {
        "id": None,
        "ok": False,
        "error": "draw: 'x' given",
        "usage": "draw [N]",
    }


def test_an_answer_is_one_line_whatever_is_in_it() -> None:
    answer = CommandReply(ok=False, text="unknown command 'a\nb\ud800'")
    for request in (ControlRequest("x", ()), ControlRequest("x", (), in_json=True)):
        line = encode(request, answer)
        assert line.count(b"\n") == 1
        assert line.endswith(b"\n")


def test_lines_come_whole_however_the_bytes_are_cut(seed: int) -> None:
    rng = random.Random(seed)
    longest = b"x" * LINE_MAX_BYTES
    data = b"\n".join([b"draw", b"", b"y" + longest, longest, b"{" + longest * 3, b"load", b"rest"])
    wanted = [b"draw", b"", Overlong(in_json=False), longest, Overlong(in_json=True), b"load"]
    for most in (1, 7, 5000, len(data)):
        lines, found, at = LineSplitter(), [], 0
        while at < len(data):
            piece = data[at : at + rng.randint(1, most)]
            found += list(lines.feed(piece))
            at += len(piece)
        assert found == wanted


def test_an_overlong_line_is_answered_in_the_form_in_which_it_began() -> None:
    assert refused_overlong(Overlong(in_json=False)).startswith(b"error: the line is longer than 8192 bytes")
    assert json.loads(refused_overlong(Overlong(in_json=True)))["ok"] is False

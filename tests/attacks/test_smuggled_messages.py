"""Attack: a browser sends a body whose layout becomes messages of their own on the table's live socket."""

import json
from http import HTTPStatus
from pathlib import Path

import httpx
import msgspec
import pytest

from cardshoe.table.live import messages
from tests.cardshoe.persons.support import PINS, WRONG
from tests.cardshoe.table.display.support import caught_up, displayed_with_persons, signed_in
from tests.cardshoe.table.live.support import READY, ServedTable

JSON = {"Content-Type": "application/json"}
BETS = {"event": "bets_closed", "seats": [1], "wagers": [{"seat": 1, "bet": "tie", "stake": 100}]}
VOID = {"event": "void", "ground": "not_begun", "reason": "x"}


def post(client: httpx.Client, path: str, body: str, key: str) -> httpx.Response:
    return client.post(f"/api/v1/{path}", content=body.encode(), headers={"Idempotency-Key": key, **JSON})


def smuggling(message: dict[str, object]) -> str:
    """A value of JSON over several lines, one of which is a message."""
    return f'{{"a":\n{json.dumps(message)}\n}}'


@pytest.mark.parametrize("path", ["inputs", "proposals"])
def test_a_body_is_one_message_whatever_its_layout(tmp_path: Path, path: str) -> None:
    sign_in: dict[str, object] = {"type": "sign_in", "id": "x", "person": "vera", "pin": PINS["vera"]}
    with displayed_with_persons(tmp_path) as (table, home), httpx.Client(base_url=home.base_url) as watcher:
        signed_in(home, "cara")
        signed_in(watcher, "vera", "own")
        before = caught_up(table)
        said = f'{{"event":\n"shuffled"\n,"by":{smuggling(sign_in)}}}'
        body = said if path == "inputs" else f'{{"input":\n{said}\n}}'
        answer = post(watcher, path, body, "smuggled")
        assert answer.status_code in (HTTPStatus.BAD_REQUEST, HTTPStatus.FORBIDDEN)
        assert answer.json()["refused"] in ("malformed", "not_permitted")
        # Nobody was signed in by it, and nobody was signed out.
        assert caught_up(table) == before
        assert [one.get("/api/v1/session").json()["id"] for one in (home, watcher)] == ["cara", "vera"]


def test_an_act_is_not_approved_elsewhere_than_where_it_was_proposed(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path) as (table, home), httpx.Client(base_url=home.base_url) as other:
        signed_in(home, "cara")
        for number, line in enumerate([*READY, BETS]):
            assert post(home, "inputs", json.dumps(line), f"ready {number}").status_code == HTTPStatus.CREATED
        proposal = home.post("/api/v1/proposals", json={"input": VOID}).json()["id"]
        signed_in(other, "sven", "own")
        approve = {"type": "approve", "id": "x", "proposal": proposal, "person": "sven", "pin": PINS["sven"]}
        post(other, "inputs", f'{{"event":"card","card":{smuggling(approve)}}}', "smuggled")
        before = caught_up(table)
        assert not [line for line in map(json.loads, lines_of(table)) if line["event"] == "voided"]
        # The proposal still waits at its own screen, and all are still signed in.
        assert home.get("/api/v1/session").json()["id"] == "cara"
        path = f"proposals/{proposal}/approve"
        assert post(home, path, json.dumps({"id": "sara", "pin": WRONG}), "").json()["refused"] == "sign_in_refused"
        done = post(home, path, json.dumps({"id": "sara", "pin": PINS["sara"]}), "")
        assert done.status_code == HTTPStatus.CREATED, done.text
        assert caught_up(table) > before


def test_an_honest_body_may_be_printed_over_several_lines(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path) as (_, home):
        signed_in(home, "cara")
        for number, line in enumerate([*READY, BETS]):
            for indent in ("\n", "\r\n", "\r", "\t"):
                pretty = json.dumps(line, indent=2).replace("\n", indent)
                answer = post(home, "inputs", pretty, f"{number}")
                assert answer.status_code == HTTPStatus.CREATED, answer.text
        pretty = json.dumps({"input": VOID}, indent=4)
        assert post(home, "proposals", pretty, "void").status_code == HTTPStatus.CREATED
        assert home.get("/api/v1/session").json()["id"] == "cara"


@pytest.mark.parametrize("body", ['{"event":"void","reason":[%s]}', '{"input":{"event":"void","reason":[%s]}}'])
def test_a_body_that_grows_as_it_is_written_again_signs_nobody_out(tmp_path: Path, body: str) -> None:
    with displayed_with_persons(tmp_path) as (table, home), httpx.Client(base_url=home.base_url) as watcher:
        signed_in(home, "cara")
        signed_in(watcher, "vera", "own")
        before = caught_up(table)
        path = "proposals" if "input" in body else "inputs"
        answer = post(watcher, path, body % ",".join(["1e15"] * 6_000), "long")
        assert answer.status_code == HTTPStatus.BAD_REQUEST, answer.text
        assert answer.json()["refused"] == "malformed"
        assert str(messages.LINE_MAX) in answer.json()["detail"]
        assert caught_up(table) == before
        assert [one.get("/api/v1/session").json()["id"] for one in (home, watcher)] == ["cara", "vera"]


def test_no_message_with_a_line_feed_is_sent(tmp_path: Path) -> None:
    laid_out = msgspec.Raw(b'{"event":\n"shuffled"}')
    for message in (
        messages.SubmitInput(id="1", line=laid_out),
        messages.Propose(id="1", line=laid_out),
        messages.LineMessage(line=laid_out),
        messages.InputResult(id="1", seq=1, refused=None, lines=[laid_out]),
    ):
        with pytest.raises(ValueError, match="line feed"):
            messages.written(message)
    assert bytes(messages.part_of(bytes(laid_out))) == b'{"event":"shuffled"}'
    with pytest.raises(ValueError, match="trailing"):
        messages.part_of(b'{"event":"x"},"session":"y"')
    with ServedTable(tmp_path) as table, table.client() as client:
        said = client.say(json.dumps(READY[0], indent=1).encode())
        assert isinstance(said, messages.InputResult)
        assert said.refused is None


def lines_of(table: ServedTable) -> list[bytes]:
    return [line for entry in table.log.journal.entries(1) for line in entry.lines]

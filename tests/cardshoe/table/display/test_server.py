"""The display over a real table: interface, stream, refusals, and its own death."""

import asyncio
import itertools
import json
import os
import re
import signal
import socket
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from cardshoe.table.display.feed import Listener
from regulations.events.inputs import Table
from regulations.games.registry import NAMES
from tests.cardshoe.cli.support import answered
from tests.cardshoe.table.display.support import (
    LEFT,
    PADS,
    display_pid,
    displayed,
    events,
    of_kind,
    pages_of,
    raw,
    ready,
    ready_again,
)
from tests.cardshoe.table.live.support import READY
from tests.kit.command import Line
from tests.sim.croupier.profiles import profile

CARD = re.compile(r'aria-label="(?:10|[2-9AJQK])[♠♥♦♣]"')
FOREIGN = re.compile(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}")
ROUND: list[Line] = [
    {"event": "bets_closed", "seats": [1], "wagers": [{"seat": 1, "bet": "banker", "stake": 10000}]},
    {"event": "card", "card": "9H"},
]


def test_snapshot_lines_and_a_stream_that_goes_on(tmp_path: Path) -> None:
    with displayed(tmp_path) as (table, client):
        log = table.log.journal.header.fingerprint
        stream = events(client)
        begun = of_kind(stream, "snapshot")
        assert (begun["id"], begun["data"]["current"]) == (f"{log}:2", True)
        table.tell(*READY)
        lines = [of_kind(stream, "line") for _ in range(table.log.journal.last_seq - 2)]
        assert [one["id"] for one in lines] == [f"{log}:{number}" for number in range(3, 3 + len(lines))]
        assert lines[0]["data"]["event"] == "shuffled"
        again = events(client, last=lines[4]["id"])
        assert [one["id"] for one in itertools.islice(again, 3)] == [one["id"] for one in lines[5:8]]
        other = events(client, last=f"{'0' * 32}:7")
        assert next(other)["event"] == "snapshot"
        assert client.get("/api/v1/events", headers={"Last-Event-ID": "x:y"}).status_code == 400
        now = client.get("/api/v1/table").json()
        assert (now["log"], now["seq"], now["view"]["phase"]) == (log, table.log.journal.last_seq, "betting")


def test_refusals_are_problems_and_nobody_from_elsewhere_gets_in(tmp_path: Path) -> None:
    with displayed(tmp_path) as (_, client):
        for answer, status in (
            (client.get("/nothing"), 404),
            (client.post("/board"), 405),
            (client.get("/board", headers={"Origin": "http://evil.example"}), 403),
        ):
            assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
            assert answer.json()["status"] == status
            assert "default-src 'none'" in answer.headers["content-security-policy"]
        status, body = raw(client, "evil.example")
        assert (status, json.loads(body)["title"]) == (403, "Forbidden")
        assert raw(client, client.base_url.netloc.decode())[0] == 200
        assert client.get("/healthz").json() == {"alive": True}
        assert 'cardshoe_journal_entries{table="T-1"} 2.0' in client.get("/metrics").text
        document = client.get("/api/v1/openapi.json").json()
        assert document["openapi"] == "3.1.0"
        for path, verbs in document["paths"].items():
            if path != "/api/v1/events" and "get" in verbs:
                assert str(client.get(path).status_code) in verbs["get"]["responses"]
        for path in ("/board", "/croupier", "/static/display.js", "/static/display.css"):
            assert FOREIGN.findall(client.get(path).text) == []


def test_a_killed_display_comes_back_and_the_table_has_not_noticed(tmp_path: Path) -> None:
    with displayed(tmp_path, apart=True) as (table, client):
        stream = events(client, "/pages/croupier/events")
        of_kind(stream, "shown")
        first = display_pid()
        os.kill(first, signal.SIGKILL)
        table.tell(*READY, *ROUND)
        # Who asks while it is away waits: the socket is the table's.
        ready_again(client)
        assert display_pid() != first
        shown = of_kind(events(client, "/pages/croupier/events"), "shown")
        assert shown["id"] == f"{table.log.journal.header.fingerprint}:{table.log.journal.last_seq}"
        assert 'aria-label="9♥"' in shown["data"]["html"]


def test_streams_are_completed_when_the_display_ends(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with displayed(tmp_path, apart=True) as (_, client):
        paths = ("/pages/board/events", "/pages/croupier/events", "/api/v1/events")
        with ExitStack() as opened:
            streams = [opened.enter_context(client.stream("GET", path)).iter_raw() for path in paths]
            for stream in streams:
                assert next(stream)
            os.kill(display_pid(), signal.SIGTERM)
            # One that is broken off is a RemoteProtocolError here, and a word of the server's on standard error.
            assert all(list(stream) is not None for stream in streams)
        ready_again(client)
    told = [record.getMessage() for record in caplog.records if record.name == "cardshoe.table.live.child"]
    assert [one for one in told if one.startswith("display:")] == []
    assert len(told) == 1  # that it ended, and is started again


def test_a_table_that_goes_is_told(tmp_path: Path) -> None:
    with displayed(tmp_path) as (table, client):
        stream = events(client, "/pages/board/events")
        assert of_kind(stream, "pulse")["data"]["why_not"] == ""
        table.live.__exit__()
        told = next(one["data"]["why_not"] for one in stream if one["event"] == "pulse" and one["data"]["why_not"])
        assert told in ("the table was stopped", "no table runs")
        assert set(ready(client, 503)["failing"]) == {"table"}


@pytest.mark.parametrize("table", [profile(one, "shoe", {}) for one in NAMES], ids=NAMES)
def test_a_card_that_lies_face_down_is_nowhere(table: Table) -> None:
    hidden = 0
    for view, page in pages_of(table):
        html = LEFT.sub("", PADS.sub("", page))
        cards = [] if view.round is None else view.round.cards
        opened = [one.card for one in cards if one.card is not None]
        if view.prompt is not None and view.prompt.do != "resolve":
            assert html.count('class="slot down"') == len(cards) - len(opened)
            assert len(CARD.findall(html)) == len(opened)
        hidden = max(hidden, len(cards) - len(opened))
    assert (hidden > 0) == (table.game not in ("baccarat", "casino_war"))


def test_a_port_that_is_taken_names_who_has_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        config = tmp_path / "table.toml"
        config.write_text(
            '[table]\nid = "T"\ngame = "baccarat"\ndecks = 8\nseats = 7\nequipment = "shoe"\n[journal]\nfolder = "j"\n'
            f'[display]\nlisten = "127.0.0.1:{taken.getsockname()[1]}"\n'
        )
        for command in ("display", "run"):
            told = answered(command, config)
            assert (told.returncode, b"Address already in use, by " in told.stderr) == (2, True), told.stderr
        config.write_text(config.read_text().replace("127.0.0.1:", "0.0.0.0:"))
        told = answered("display", config)
        assert (told.returncode, b"can be reached from other machines" in told.stderr) == (2, True)


def test_a_stream_has_the_lines_of_one_log() -> None:
    async def told() -> list[Sequence[tuple[int, bytes]]]:
        listener = Listener()
        listener.tell([(7, b"closed")])
        listener.end()
        listener.tell([(1, b"shuffle")])
        return [await listener.next(0.0), await listener.next(0.0)]

    assert asyncio.run(told()) == [[(7, b"closed")], []]

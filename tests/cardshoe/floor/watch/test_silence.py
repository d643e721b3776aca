"""An alarm of the watch changes nothing for anybody but surveillance: no byte of any answer, no count, no message."""

import datetime as dt
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cardshoe.floor.alarms import open_alarms
from cardshoe.floor.database import Database
from cardshoe.floor.pages import history
from cardshoe.floor.permissions import PERMISSIONS
from cardshoe.floor.siem.forwarder import Telling
from cardshoe.floor.siem.section import Kind, SiemSection
from cardshoe.floor.siem.transports import Outlet
from cardshoe.floor.watch.shoes import ShuffleFinding
from cardshoe.floor.watch.store import acknowledge, close, raise_finding
from tests.cardshoe.floor.browsers import Browser, Interface
from tests.cardshoe.floor.facts.support import CLOSED, DEALT, cards, written
from tests.cardshoe.floor.filling import filling
from tests.cardshoe.floor.postgres import needs_postgres
from tests.cardshoe.floor.receivers import Message

pytestmark = needs_postgres
OTHERS = {"croupier": "cara", "supervisor": "sara", "technician": "theo", "regulator": "rosa"}
SURVEILLANCE = "vera"
FOUND = (
    ShuffleFinding("kept_order", f"{'0' * 32} 4", "T-1", "0" * 32, 4, "shuffler-3", 8),
    ShuffleFinding("shuffle_weak", "shuffler-3 2026-11-23", "T-1", "0" * 32, 4, "shuffler-3", 6),
)
ENDS_THE_SESSION = {"DELETE /api/v1/session", "POST /sign-out", "POST /sign-in", "POST /api/v1/session"}


class StoppedClock(dt.datetime):
    """One moment: pages that tell when they were made are the same again."""

    @classmethod
    def now(cls, tz: dt.tzinfo | None = None) -> "StoppedClock":
        return cls(2026, 11, 23, 12, tzinfo=tz)


def raised(database: Database) -> None:
    """Raises an alarm of each kind."""
    with database.transaction() as db:
        for finding in FOUND:
            raise_finding(db, finding)


def askers(interface: Interface) -> dict[str, Browser]:
    """Everybody but surveillance, as they are signed in; a program, and somebody who is not."""
    found = {"program": Browser(interface, "siem"), "nobody": Browser(interface, "office-3")}
    for role, person in OTHERS.items():
        found[role] = Browser(interface, "office-3")
        assert found[role].sign_in(person).status_code == 201
    return found


def answers(interface: Interface, browsers: dict[str, Browser]) -> dict[tuple[str, str], tuple[Any, ...]]:
    """The whole answer of each route to each of them."""
    interface.board.take(interface.board.look())
    with interface.database.transaction() as db:
        db.execute("DELETE FROM visits WHERE what LIKE '%exported'")  # those of an earlier call of this function
    log = interface.database.rows("SELECT log FROM streams", {})[0]["log"]
    query = {"table": "T-1", "log": log, "id": "T-1", "all": "1", "day": "2026-11-23"}
    found: dict[tuple[str, str], tuple[Any, ...]] = {}
    for name in sorted({*PERMISSIONS} - ENDS_THE_SESSION):
        method, path = name.split(" ")
        where = path.replace("{number}", "1").replace("{log}", log).replace("{seq}", "1")
        for who, browser in browsers.items():
            more: dict[str, Any] = {"params": query} if method == "GET" else {"json": {}}
            answer = browser.ask(method, where, **more)
            found[name, who] = answer.status_code, answer.headers.raw, answer.content
    return found


def test_everybody_else_is_answered_byte_for_byte_the_same(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(history, "datetime", StoppedClock)
    caplog.set_level(logging.DEBUG, "cardshoe")
    with (
        filling(database, tmp_path / "filler") as (_, filler),
        Interface(tmp_path / "state", database, programs=["siem"], secure=True) as interface,
    ):
        filler.deliver(written(tmp_path, *cards(*DEALT), CLOSED))
        watching, browsers = Browser(interface, "office-3"), askers(interface)
        watching.sign_in(SURVEILLANCE)
        interface.entrance.tick()
        before, tiles = answers(interface, browsers), list(interface.board.tiles)
        version, said = interface.board.version, len(caplog.records)
        raised(interface.database)
        after = answers(interface, browsers)
        assert after == before
        assert interface.board.version == version
        assert [one.key for one in interface.board.tiles] == [one.key for one in tiles]
        assert open_alarms(interface.database) == []
        # It was a page with a table in it, and routes that were not all refused.
        assert b"T-1" in before["GET /tables", "technician"][2]
        assert {status for (_, who), (status, *_) in before.items() if who == "supervisor"} >= {200, 403, 404}
        for number, act in ((1, "acknowledge"), (1, "close"), (2, "close")):
            assert watching.ask("POST", f"/api/v1/watch/{number}/{act}", json={}).status_code == 200
        assert answers(interface, browsers) == before
        told = [one.getMessage() for one in caplog.records[said:] if one.name.startswith("cardshoe")]
        assert [one for one in told if "_exported" not in one] == []  # what the exports above record


def test_surveillance_reads_acknowledges_and_closes(tmp_path: Path, database: str) -> None:
    with Interface(tmp_path / "state", database) as interface:
        watching = Browser(interface)
        watching.sign_in(SURVEILLANCE)
        page = watching.ask("GET", "/watch", params={"lang": "en"})
        assert "The watch has not been started" in page.text
        assert 'aria-current="page">Shuffle watch' in page.text
        raised(interface.database)
        first, second = reversed(watching.ask("GET", "/api/v1/watch").json()["alarms"])
        # No card, no place, no direction.
        assert {*first} == {
            *("id", "kind", "table", "log", "shoe", "device", "strength", "first_at", "last_at"),
            *("acknowledged_at", "acknowledged_by", "closed_at", "closed_by"),
        }
        assert (first["kind"], first["strength"], second["kind"]) == ("kept_order", 8, "shuffle_weak")
        page = watching.ask("GET", "/watch", params={"lang": "en"})
        assert "Order of the cards kept" in page.text
        assert "1 : 10<sup>8</sup>" in page.text
        assert watching.form("/watch/1/acknowledge", csrf="wrong").status_code == 403
        assert watching.form("/watch/1/acknowledge", csrf=watching.csrf).status_code == 303
        assert watching.form("/watch/1/acknowledge", csrf=watching.csrf).status_code == 404
        assert watching.form("/watch/1/close", csrf=watching.csrf).status_code == 303
        assert watching.ask("POST", "/api/v1/watch/2/close", json={"go_on": True}).status_code == 400
        assert watching.ask("POST", "/api/v1/watch/2/close", json={}).json() == {"closed": 2, "by": "vera"}
        assert watching.ask("GET", "/api/v1/watch").json()["alarms"] == []
        closed = watching.ask("GET", "/api/v1/watch", params={"all": "1"}).json()["alarms"]
        assert [(one["id"], one["acknowledged_by"], one["closed_by"]) for one in closed] == [
            (2, None, "vera"),
            (1, "vera", "vera"),
        ]


class Kept(Outlet):
    """Keeps what a receiver gets."""

    def __init__(self) -> None:
        self.came: list[Message] = []

    def send(self, messages: Sequence[bytes]) -> None:
        self.came += map(Message.read, messages)


@pytest.mark.parametrize(
    ("kinds", "wanted"),
    [
        ([], []),
        (["alarm", "table"], []),
        (["kept_order"], [("kept_order", "raised"), ("kept_order", "closed")]),
        (["alarm", "shuffle_weak"], [("shuffle_weak", "raised")]),
    ],
)
def test_a_siem_gets_them_only_by_name(database: str, kinds: list[Kind], wanted: list[tuple[str, str]]) -> None:
    outlet = Kept()
    with Database(database, 1) as floor:
        floor.prepare()
        raised(floor)
        assert acknowledge(floor, 1, SURVEILLANCE)
        telling = Telling("watch", SiemSection(to="file:x", kinds=kinds), floor, outlet)
        while telling.step():
            continue
        assert close(floor, 1, SURVEILLANCE)
        while telling.step():
            continue
    assert [(one.kind, one.said["event"]) for one in outlet.came] == wanted
    for one in outlet.came:
        assert {*one.said} - {"id", "kind", "severity", "at", "table", "log", "seq", "event", "by"} == {
            *("shoe", "device", "strength")
        }


def test_a_new_receiver_is_not_told_of_closed_ones(database: str) -> None:
    outlet = Kept()
    with Database(database, 1) as floor:
        floor.prepare()
        raised(floor)
        assert close(floor, 1, SURVEILLANCE)
        telling = Telling("watch", SiemSection(to="file:x", kinds=["kept_order", "shuffle_weak"]), floor, outlet)
        assert telling.step()
        assert not telling.step()
    assert [one.kind for one in outlet.came] == ["shuffle_weak"]

"""The interface for persons, over real sockets: sessions, inputs with keys, proposals, each refusal's code."""

import json
import os
import signal
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx

from cardshoe.persons.registry import StaffRegistry
from cardshoe.screens.words.display_section import DisplaySection
from cardshoe.table.display.settings import DisplaySettings
from cardshoe.table.staff_service import Persons
from tests.cardshoe.persons.support import CHEAP, PINS, WRONG, Clock, damage, table_with_persons
from tests.cardshoe.table.display.here import DisplayHere
from tests.cardshoe.table.display.support import (
    caught_up,
    display_pid,
    displayed,
    displayed_with_persons,
    ready,
    signed_in,
)
from tests.cardshoe.table.live.support import READY, TABLE, ServedTable
from tests.kit.command import PATIENCE_S, Line
from tests.kit.sealed import verified

BETS: Line = {"event": "bets_closed", "seats": [1], "wagers": [{"seat": 1, "bet": "banker", "stake": 10000}]}
VOID: Line = {"event": "void", "ground": "not_begun", "reason": "closed by mistake"}


def say(client: httpx.Client, line: Line, key: str) -> httpx.Response:
    return client.post("/api/v1/inputs", json=line, headers={"Idempotency-Key": key})


def refused(answer: httpx.Response) -> tuple[int, str | None]:
    """Status and code of a problem."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    told: dict[str, Any] = answer.json()
    assert told["status"] == answer.status_code
    return answer.status_code, told.get("refused")


def ready_for_bets(client: httpx.Client) -> None:
    for number, line in enumerate(READY):
        assert say(client, line, f"ready-{number}").status_code == HTTPStatus.CREATED


def logged(table: ServedTable, event: str) -> list[Line]:
    caught_up(table)
    found = [json.loads(line) for entry in table.log.journal.entries() for line in entry.lines]
    return [line for line in found if line["event"] == event]


def test_a_person_signs_in_says_inputs_and_signs_out(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path) as (table, client):
        assert refused(client.get("/api/v1/session")) == (401, None)
        assert refused(say(client, READY[0], "k")) == (401, None)
        for wrong in ({"id": "cara", "pin": WRONG}, {"id": "nobody", "pin": PINS["cara"]}):
            answer = client.post("/api/v1/session", json={**wrong, "screen": "table"})
            assert refused(answer) == (403, "not_permitted")
            assert "set-cookie" not in answer.headers
        assert table.persons is not None
        damage(table.persons.registry, "sara")
        unchecked = client.post("/api/v1/session", json={"id": "sara", "pin": PINS["sara"], "screen": "table"})
        assert refused(unchecked) == (500, "not_checked")
        session = signed_in(client, "cara")
        assert (session["id"], session["role"], session["idle_s"]) == ("cara", "croupier", None)
        assert {"bets_closed", "void", "eject"} <= set(session["may"])
        assert not {"closed", "equipment"} & set(session["may"])
        assert client.get("/api/v1/session").json() == session

        first = say(client, READY[0], "one")
        assert first.status_code == HTTPStatus.CREATED
        assert first.json()["input"]["event"] == "shuffled"
        assert first.json()["lines"][-1]["do"] == "cut"
        assert say(client, READY[0], "one").json() == first.json()
        assert refused(say(client, READY[1], "one")) == (422, "key_reused")
        refusal = say(client, READY[0], "two")
        assert refused(refusal) == (409, "not_now")
        assert refusal.json()["article"] == "55/2004 art. 2.º-1"
        # A page can be opened in each language.
        assert refusal.json()["said"] == {
            "en": "cards are shuffled before a shoe game begins, once",
            "pt": "as cartas baralham-se uma vez, antes de a partida começar",
            "zh-Hant": "每靴開始前洗牌一次",
        }
        assert refused(say(client, {"event": "closed"}, "three")) == (403, "not_permitted")
        assert refused(say(client, {"event": "fault", "device": "shoe", "code": 1}, "four")) == (403, "not_for_persons")
        assert refused(say(client, {"event": "resolve", "by": ["sara"]}, "five")) == (400, None)
        assert refused(say(client, {"event": "no_such"}, "six")) == (400, "malformed")
        assert refused(client.post("/api/v1/inputs", json=READY[1])) == (400, None)
        assert [line["key"] for line in logged(table, "shuffled")] == ["one", "two"]

        assert client.delete("/api/v1/session").status_code == HTTPStatus.NO_CONTENT
        assert refused(say(client, READY[1], "seven")) == (401, None)
        assert [line["because"] for line in logged(table, "signed_out")] == ["asked"]


def test_two_persons_on_one_screen(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path) as (table, client):
        signed_in(client, "cara")
        ready_for_bets(client)
        assert say(client, BETS, "bets").status_code == HTTPStatus.CREATED
        assert refused(say(client, VOID, "alone")) == (409, "two_persons_needed")
        proposed = client.post("/api/v1/proposals", json={"input": VOID}, headers={"Idempotency-Key": "void"})
        assert proposed.status_code == HTTPStatus.CREATED, proposed.text
        waits = proposed.json()
        assert (waits["expires_s"], waits["input"], waits["needs"]["role"]) == (60.0, VOID, "supervisor")
        assert (waits["after"]["voided"], waits["partial"]) == ("closed by mistake", False)
        assert "returned" in waits["changes"]
        approve = f"/api/v1/proposals/{waits['id']}/approve"
        for person, pin, expected in (
            ("sara", WRONG, (403, "sign_in_refused")),
            ("cara", PINS["cara"], (403, "same_person")),
            ("carl", PINS["carl"], (403, "not_permitted")),
        ):
            assert refused(client.post(approve, json={"id": person, "pin": pin})) == expected
        done = client.post(approve, json={"id": "sara", "pin": PINS["sara"]})
        assert done.status_code == HTTPStatus.CREATED, done.text
        assert [line["event"] for line in done.json()["lines"]] == ["voided", "next"]
        assert (done.json()["input"]["by"], done.json()["input"]["key"]) == (["cara", "sara"], "void")
        assert refused(client.post(approve, json={"id": "sara", "pin": PINS["sara"]})) == (410, "no_proposal")
        # The first session has not ended by it.
        assert client.get("/api/v1/session").json()["id"] == "cara"
        assert refused(client.post("/api/v1/proposals", json={"input": BETS})) == (403, "not_permitted")

        # What has changed meanwhile is not approved; and a proposal is another screen's nowhere.
        assert say(client, {"event": "round_closed"}, "close").status_code == HTTPStatus.CREATED
        assert say(client, BETS, "bets again").status_code == HTTPStatus.CREATED
        waits = client.post("/api/v1/proposals", json={"input": VOID}).json()
        approve = f"/api/v1/proposals/{waits['id']}/approve"
        with httpx.Client(base_url=client.base_url) as other:
            signed_in(other, "sven", "own")
            assert refused(other.post(approve, json={"id": "sara", "pin": PINS["sara"]})) == (410, "no_proposal")
        assert say(client, {"event": "card", "card": "9H"}, "card").status_code == HTTPStatus.CREATED
        assert refused(client.post(approve, json={"id": "sara", "pin": PINS["sara"]})) == (410, "state_changed")
        answer = client.post("/api/v1/proposals", json={"input": VOID})
        assert refused(answer) == (409, "not_allowed")
        assert answer.json()["article"]
        assert len(logged(table, "voided")) == 1


def test_a_supervisor_suspends_the_croupiers_session_which_resumes(tmp_path: Path) -> None:
    clock = Clock()
    with displayed_with_persons(tmp_path, clock) as (table, client), httpx.Client(base_url=client.base_url) as other:

        def whose() -> str:
            answer = client.get("/api/v1/session")
            client.headers["Cardshoe-Csrf"] = answer.json().get("csrf", "")
            return str(answer.json().get("id"))

        signed_in(client, "cara")
        croupiers = dict(client.cookies)
        signed_in(client, "sara")
        # While it is suspended the croupier's cookie is worth nothing.
        with httpx.Client(base_url=client.base_url, cookies=croupiers) as thief:
            assert thief.get("/api/v1/session").status_code == HTTPStatus.UNAUTHORIZED
        assert whose() == "sara"
        assert client.delete("/api/v1/session").status_code == HTTPStatus.NO_CONTENT
        assert whose() == "cara"
        ready_for_bets(client)
        signed_in(client, "sara")
        signed_in(client, "theo")  # a technician in the supervisor's place
        clock.s += 400
        assert whose() == "cara"
        assert say(client, BETS, "resumed").status_code == HTTPStatus.CREATED
        ended = [(line["person"], line["because"]) for line in logged(table, "signed_out")]
        assert ended == [("sara", "asked"), ("sara", "asked"), ("theo", "idle")]
        # A croupier who is relieved meanwhile, or disabled, does not come back.
        signed_in(client, "sara")
        signed_in(other, "carl")
        clock.s += 31
        assert client.get("/api/v1/session").status_code == HTTPStatus.UNAUTHORIZED


def test_wagers_that_are_not_sent_are_kept_until_they_are(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path) as (table, client), httpx.Client(base_url=client.base_url) as other:
        assert client.get("/api/v1/draft").status_code == HTTPStatus.UNAUTHORIZED
        signed_in(client, "cara")
        ready_for_bets(client)
        log = table.log.journal.header.fingerprint
        draft = {"key": f"{log}:0:new", "seats": [1], "wagers": [{"seat": 1, "bet": "banker", "stake": 10000}]}
        assert client.put("/api/v1/draft", json=draft).status_code == HTTPStatus.NO_CONTENT
        # Another page finds it, so that a reload loses nothing.
        signed_in(other, "sara", "own")
        found = other.get("/api/v1/draft").json()
        assert (found["key"], found["seats"], found["wagers"][0]["stake"]) == (draft["key"], [1], 10000)
        for wrong in ({"key": "x" * 129}, {**draft, "seats": [0]}, {**draft, "more": 1}, {**draft, "wagers": [{}]}):
            assert client.put("/api/v1/draft", json=wrong).status_code == HTTPStatus.BAD_REQUEST
        # A card begins the round without them: the page says so.
        assert say(client, {"event": "card", "card": "9H"}, "card").status_code == HTTPStatus.CREATED
        page = client.get("/croupier").text
        assert 'class="unsent"' in page
        assert "100.00" in page
        assert say(client, {"event": "misdeal", "detail": "x"}, "misdeal").status_code == HTTPStatus.CREATED
        assert 'class="unsent"' not in client.get("/croupier").text  # the alarm has the screen


def test_wagers_that_are_sent_are_no_draft(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path) as (table, client):
        signed_in(client, "cara")
        ready_for_bets(client)
        draft = {
            "key": f"{table.log.journal.header.fingerprint}:0:new",
            "seats": BETS["seats"],
            "wagers": BETS["wagers"],
        }
        assert client.put("/api/v1/draft", json=draft).status_code == HTTPStatus.NO_CONTENT
        assert say(client, BETS, "bets").status_code == HTTPStatus.CREATED
        assert client.get("/api/v1/draft").json()["key"] == ""
        assert say(client, {"event": "card", "card": "9H"}, "card").status_code == HTTPStatus.CREATED
        assert 'class="unsent"' not in client.get("/croupier").text


def test_options_are_what_may_be_said_now(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path) as (_, client):
        signed_in(client, "cara")
        first = [one["event"] for one in client.get("/api/v1/options").json()["options"]]
        assert first == ["shuffled", "equipment", "supervisor_called", "dispute"]
        ready_for_bets(client)
        say(client, BETS, "bets")
        say(client, {"event": "card", "card": "9H"}, "card")
        told = client.get("/api/v1/options").json()
        assert {"event": "void", "persons": 2} in told["options"]
        assert told["seq"] == client.get("/api/v1/table").json()["seq"]


def test_a_table_without_persons_is_looked_at_alone(tmp_path: Path) -> None:
    with displayed(tmp_path) as (_, client):
        wanted = {"id": "cara", "pin": PINS["cara"], "screen": "table"}
        assert refused(client.post("/api/v1/session", json=wanted)) == (404, "no_persons")
        assert refused(client.get("/api/v1/session")) == (404, "no_persons")
        assert refused(say(client, READY[0], "k")) == (404, "no_persons")


def test_a_dispute_holds_the_deal_until_a_supervisor_has_settled_it_with_the_croupier(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path) as (table, client):
        signed_in(client, "cara")
        ready_for_bets(client)
        say(client, BETS, "bets")
        called = say(client, {"event": "supervisor_called", "reason": "a bet came late"}, "call")
        assert [line["event"] for line in called.json()["lines"]] == ["next"]
        assert client.get("/api/v1/table").json()["view"]["called"] != ""
        held = say(client, {"event": "dispute", "detail": "seat 1 says that it bet on the player"}, "hold")
        assert [line.get("code") for line in held.json()["lines"]] == ["dispute", None]
        assert refused(say(client, {"event": "round_closed"}, "on")) == (409, "irregularity_open")
        options = client.get("/api/v1/options").json()["options"]
        assert options[0] == {"event": "resolve", "action": "settle", "irregularity": 1, "persons": 2}
        assert [one["event"] for one in options[1:]] == ["supervisor_called"]
        settle = {"event": "resolve", "irregularity": 1, "action": "settle"}
        assert refused(say(client, settle, "alone")) == (409, "two_persons_needed")
        waits = client.post("/api/v1/proposals", json={"input": settle}).json()
        assert waits["needs"] == {"role": "supervisor", "roles": ["supervisor"]}
        approve = f"/api/v1/proposals/{waits['id']}/approve"
        assert refused(client.post(approve, json={"id": "carl", "pin": PINS["carl"]})) == (403, "not_permitted")
        settled = client.post(approve, json={"id": "sara", "pin": PINS["sara"]}).json()["lines"]
        assert [line["event"] for line in settled] == ["resolved", "next"]
        assert (settled[0]["by"], settled[1]["do"]) == (["cara", "sara"], "draw")
        assert client.get("/api/v1/table").json()["view"]["called"] == ""
        journal = table.log.journal.path
    verified(journal)


def test_a_key_is_known_after_a_restart_of_the_table_and_sessions_are_not(tmp_path: Path) -> None:
    section = DisplaySection(listen="127.0.0.1:0", languages=["en"])
    settings = DisplaySettings(folder=str(tmp_path), table_id=TABLE.table_id, section=section, currency="MOP")
    with DisplayHere(settings) as display, httpx.Client(base_url=display.home, timeout=PATIENCE_S) as client:
        with table_with_persons(tmp_path):
            ready(client)
            signed_in(client, "cara")
            first = say(client, READY[0], "one")
            assert first.status_code == HTTPStatus.CREATED
        ready(client, 503)
        assert refused(say(client, READY[0], "one")) == (503, None)
        with table_with_persons(tmp_path) as table:
            ready(client)
            assert refused(say(client, READY[0], "one")) == (401, None)
            signed_in(client, "cara")
            assert say(client, READY[0], "one").json() == first.json()
            assert refused(say(client, READY[1], "one")) == (422, "key_reused")
            assert len(logged(table, "shuffled")) == 1


def test_a_killed_display_ends_its_sessions_and_the_table_says_so(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path, apart=True) as (table, client):
        signed_in(client, "cara")
        os.kill(display_pid(), signal.SIGKILL)
        # Another connection of the same browser: the first one has ended with that process.
        with httpx.Client(base_url=client.base_url, cookies=client.cookies, timeout=PATIENCE_S) as again:
            ready(again)
            assert refused(again.get("/api/v1/session")) == (401, None)
            signed_in(again, "cara")
            assert say(again, READY[0], "one").status_code == HTTPStatus.CREATED
        assert [line["because"] for line in logged(table, "signed_out")] == ["gone"]


def test_the_first_supervisor_is_added_by_the_one_time_code(tmp_path: Path) -> None:
    registry = StaffRegistry(tmp_path / "persons.toml")
    section = DisplaySection(listen="127.0.0.1:0", languages=["en"])
    settings = DisplaySettings(folder=str(tmp_path), table_id=TABLE.table_id, section=section, currency="MOP")
    with (
        ServedTable(tmp_path, persons=lambda note: Persons(registry, note, CHEAP)) as table,
        DisplayHere(settings) as display,
        httpx.Client(base_url=display.home, timeout=PATIENCE_S) as client,
    ):
        assert table.persons is not None
        code = table.persons.first.make()
        ready(client)
        wanted = {"id": "anna", "code": code, "pin": PINS["sara"]}
        for change, expected in (
            ({"code": "GUESSED234"}, (403, "bad_code")),
            ({"id": "a b"}, (400, "bad_id")),
            ({"pin": "123456"}, (400, "bad_pin")),
        ):
            assert refused(client.post("/api/v1/enrolment", json=wanted | change)) == expected
        added = client.post("/api/v1/enrolment", json=wanted)
        assert (added.status_code, added.json()) == (HTTPStatus.CREATED, {"id": "anna"})
        assert refused(client.post("/api/v1/enrolment", json=wanted)) == (403, "bad_code")
        answer = client.post("/api/v1/session", json={"id": "anna", "pin": PINS["sara"]})
        assert answer.json()["role"] == "supervisor"

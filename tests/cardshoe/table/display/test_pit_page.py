"""The supervisor's page: what it shows, that it follows the table, and that no other role sees it."""

import re
from http import HTTPStatus
from pathlib import Path

import httpx
import msgspec

from cardshoe.screens.felt.action_buttons import Offer
from cardshoe.screens.felt.pit import Stakes, acts_of, ladder_of, stakes_of
from cardshoe.screens.view import TableView
from cardshoe.screens.view.parts import DeviceView, FaultView
from cardshoe.screens.words import labels
from cardshoe.screens.words.currency import currency
from tests.cardshoe.persons.support import PINS, ROLES, table_with_persons
from tests.cardshoe.persons.support import events as recorded
from tests.cardshoe.table.display.support import (
    Inside,
    caught_up,
    displayed_with_persons,
    events,
    inside,
    of_kind,
    signed_in,
)
from tests.cardshoe.table.live.support import READY
from tests.kit.command import Line
from tests.kit.waiting import eventually

BETS = {
    "event": "bets_closed",
    "seats": [1, 2],
    "wagers": [
        {"seat": 1, "bet": "banker", "stake": 10000},
        {"seat": 2, "bet": "banker", "stake": 5000},
        {"seat": 2, "bet": "tie", "stake": 2000},
    ],
}


def texts(html: str) -> str:
    """The text of a page."""
    return " ".join(re.sub(r"<[^>]+>", " ", html.partition("<main")[2].partition("</main>")[0]).split())


def shows(client: Inside, *wanted: str) -> bool:
    said = texts(client.get("/pit").text)
    return all(one in said for one in wanted)


def test_state_stakes_and_calls_are_shown_but_no_card_before_its_time(tmp_path: Path) -> None:
    with table_with_persons(tmp_path) as table, inside(table) as client:
        client.enter()
        table.tell(*READY, BETS, {"event": "supervisor_called", "reason": "x"})
        eventually(lambda: shows(client, "Supervisor called", "Banker · 2 150", "Tie · 1 20", "All 170"), "it is shown")
        assert shows(client, "Largest wager 100", "Largest payout 160", "Difference 150")
        html = client.get("/pit").text
        assert re.search(r'data-since="20\d\d-[^"]*Z"', html)
        assert 'data-event="void"' in html
        assert table.view.round is not None
        link = f'href="/rounds/{table.log.journal.header.fingerprint}/{table.view.round.seq}"'
        assert link in html
        croupier, board = client.get("/croupier").text, client.get("/board").text
        assert f'data-roles="regulator supervisor surveillance" data-{link}' in croupier
        assert "/rounds" not in board
        # The exposure is that of the wagers alone: a card changes nothing of it.
        before = re.findall(r"<section><h2>.*?Stakes.*?</section>", html, re.DOTALL)
        table.tell({"event": "card", "card": "9H"})
        eventually(lambda: f"№ {table.log.journal.last_seq}" in client.get("/pit").text, "the card is taken")
        assert re.findall(r"<section><h2>.*?Stakes.*?</section>", client.get("/pit").text, re.DOTALL) == before


def test_an_irregularity_with_its_options_and_an_approval_that_waits(tmp_path: Path) -> None:
    with table_with_persons(tmp_path) as table, inside(table) as client:
        client.enter()
        table.tell(*READY, BETS, {"event": "card", "card": "9H"}, {"event": "misdeal", "detail": "two cards"})
        eventually(
            lambda: shows(client, "Irregularity 1", labels.WAYS_OUT["void"], "Two people confirm"),
            "the options are shown",
        )
        csrf = client.request("GET", "/api/v1/session").json()["csrf"]
        line = {"event": "resolve", "irregularity": 1, "action": "void"}
        headers = {"Cardshoe-Csrf": csrf, "Idempotency-Key": "1"}
        answer = client.request("POST", "/api/v1/proposals", json={"input": line}, headers=headers)
        assert answer.status_code == HTTPStatus.CREATED, answer.text
        eventually(lambda: shows(client, "Approvals waiting : resolve · sara"), "the proposal is shown")
        path = f"/api/v1/proposals/{answer.json()['id']}/approve"
        approved = client.request("POST", path, json={"id": "sven", "pin": PINS["sven"]}, headers=headers)
        assert approved.status_code == HTTPStatus.CREATED, approved.text
        eventually(lambda: not shows(client, "Approvals waiting"), "the approval is given")


def test_only_a_supervisor_gets_the_page_and_its_stream(tmp_path: Path) -> None:
    with table_with_persons(tmp_path) as table, inside(table) as client:
        table.tell(READY[0])
        assert client.get("/pit").status_code == client.get("/pages/pit/events").status_code == HTTPStatus.UNAUTHORIZED
        for person, role in ROLES.items():
            client.enter(person)
            may = role == "supervisor"
            assert client.get("/pit").status_code == (200 if may else 403), person
            if not may:
                assert client.get("/pages/pit/events").status_code == HTTPStatus.UNAUTHORIZED


def test_its_stream_follows_the_table_and_ends_with_the_session(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path) as (table, client):
        signed_in(client, "sara", "own")
        stream = events(client, "/pages/pit/events")
        assert "Preparing" in of_kind(stream, "shown")["data"]["html"]
        table.tell(READY[0])
        assert of_kind(stream, "shown")["data"]["id"].endswith(f":{table.log.journal.last_seq}")
        client.delete("/api/v1/session")
        assert [one for one in stream if one["event"] == "shown"] == []


def test_each_rung_of_a_device() -> None:
    view = TableView()
    view.devices = {
        "a": DeviceView(lost=True),
        "b": DeviceView(),
        "c": DeviceView(model="M", serial="1"),
        "d": DeviceView(model="M", reads=True),
        "e": DeviceView(model="M", reads=True, faults=[FaultView(code=3, origin="device")]),
    }
    rungs = [(one.rung, one.model) for one in ladder_of(view)]
    assert rungs == [("disconnected", ""), ("connected", ""), ("identified", "M 1"), ("working", "M"), ("faulty", "M")]
    assert stakes_of(view, currency("MOP")) == Stakes(bets=[])
    assert msgspec.json.encode(view)


def test_rounds_that_have_ended_lead_to_their_pages_and_the_croupier_has_a_time(tmp_path: Path) -> None:
    with table_with_persons(tmp_path) as table, inside(table) as client:
        client.enter("cara")
        client.enter()
        dealt = [{"event": "card", "card": card, "device": "shoe"} for card in ("9H", "3D", "KS", "4C")]
        table.tell(*READY, *dealt, {"event": "round_closed"}, {"event": "card", "card": "2D", "device": "shoe"})
        table.tell({"event": "misdeal", "detail": "two cards"})
        eventually(lambda: shows(client, "Last results 1 Player", "Irregularity 1"), "the round is listed")
        html = client.get("/pit").text
        log, (first,) = table.log.journal.header.fingerprint, table.view.results
        assert f'href="/rounds/{log}/{first.seq}"' in html
        assert f'href="/rounds/{log}/{table.view.irregularities[0].seq}"' in html
        assert client.get(f"/rounds/{log}/{first.seq}").status_code == HTTPStatus.OK
        assert f'data-since="{table.view.croupier_at}"' in html


def test_a_closed_table_is_opened_here() -> None:
    assert acts_of([Offer("table_opened", "Open the table"), Offer("card", "The card cannot be read")])[0].event == (
        "table_opened"
    )


def test_a_void_and_a_correction_show_what_they_change_and_no_void_is_offered_after_the_result(tmp_path: Path) -> None:
    dealt = [{"event": "card", "card": card, "device": "shoe"} for card in ("9H", "3D", "KS", "4C")]
    with table_with_persons(tmp_path) as table, inside(table) as client:
        client.enter()
        csrf = client.request("GET", "/api/v1/session").json()["csrf"]

        def changes(key: str, line: Line) -> str:
            headers = {"Cardshoe-Csrf": csrf, "Idempotency-Key": key}
            answer = client.request("POST", "/api/v1/proposals", json={"input": line}, headers=headers)
            assert answer.status_code == HTTPStatus.CREATED, answer.text
            return " ".join(re.sub(r"<[^>]+>", " ", answer.json()["changes"]).split())

        table.tell(*READY, BETS, *dealt[:3])
        eventually(lambda: 'data-event="void"' in client.get("/pit").text, "the round may be void")
        voided = changes("1", {"event": "void", "ground": "misdeal", "reason": "cannot_be_corrected"})
        assert voided == ("Round void: return every wager 1 Banker returned 100 2 Banker returned 50 2 Tie returned 20")
        table.tell(dealt[3])
        eventually(lambda: shows(client, "Paying", "Report a misdeal", "Hold for a dispute"), "the result is out")
        assert 'data-event="void"' not in client.get("/pit").text
        table.tell({"event": "misdeal", "detail": "card_entered_wrongly"})
        cards = [{"index": 4, "card": "6C"}]
        line: Line = {"event": "resolve", "irregularity": 1, "action": "identify", "ground": "misread", "cards": cards}
        corrected = changes("2", line)
        assert corrected.startswith("4 4 Banker · 2 → 6 Result Player → Tie"), corrected
        assert corrected.endswith("2 Tie take 20 → pay 160"), corrected


def test_the_next_croupier_signs_in_below_the_supervisor_and_takes_over(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path) as (table, client):
        signed_in(client, "cara")
        signed_in(client, "sara")

        def relieve(person: str, pin: str = "", screen: str = "table") -> httpx.Response:
            body = {"id": person, "pin": pin or PINS[person], "screen": screen, "relieves": True}
            return client.post("/api/v1/session", json=body)

        assert relieve("carl", "4096731").json()["refused"] == "not_permitted"
        assert relieve("theo").json()["refused"] == "not_croupier"
        assert relieve("sara").json()["refused"] == "not_croupier"
        assert client.get("/api/v1/session").json()["id"] == "sara"
        assert relieve("carl", screen="own").json()["refused"] == "not_permitted"
        done = relieve("carl")
        assert (done.status_code, done.json()["id"], done.json()["role"]) == (201, "sara", "supervisor")
        caught_up(table)
        assert table.view.croupier == "carl"
        # The supervisor stays signed in; the new croupier is there once they leave.
        assert client.get("/api/v1/session").json()["id"] == "sara"
        assert client.delete("/api/v1/session").status_code == HTTPStatus.NO_CONTENT
        assert client.get("/api/v1/session").json()["id"] == "carl"
        client.headers["Cardshoe-Csrf"] = client.get("/api/v1/session").json()["csrf"]
        assert relieve("cara").json()["refused"] == "not_permitted"
        client.headers["Cardshoe-Csrf"] = "x"
        assert relieve("cara").json()["refused"] == "csrf"
        assert client.get("/api/v1/session").json()["id"] == "carl"
    out = [(one["person"], one["because"]) for one in recorded(table, "signed_out")]
    assert out[:3] == [("theo", "asked"), ("cara", "relieved"), ("sara", "asked")]


def test_at_a_supervisors_own_computer_the_relief_is_refused(tmp_path: Path) -> None:
    with table_with_persons(tmp_path) as table, inside(table, peer="192.0.2.7") as away:
        table.tell(READY[0])
        away.enter()
        assert 'data-screen="own"' in away.get("/pit").text
        csrf = away.get("/api/v1/session").json()["csrf"]
        body = {"id": "carl", "pin": PINS["carl"], "relieves": True}
        answer = away.request("POST", "/api/v1/session", json=body, headers={"Cardshoe-Csrf": csrf})
        assert (answer.status_code, answer.json()["refused"]) == (HTTPStatus.FORBIDDEN, "not_permitted")
        assert away.get("/api/v1/session").json()["id"] == "sara"
        assert not table.view.croupier
    assert [one["person"] for one in recorded(table, "signed_in")] == ["sara"]

"""Each route of the interface, asked by each role, by programs and by nobody."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from cardshoe.floor import access_control as gate
from cardshoe.floor.config import load
from cardshoe.floor.permissions import PERMISSIONS, Permission
from cardshoe.floor.server import Floor
from tests.cardshoe.floor.browsers import Browser, Interface
from tests.cardshoe.floor.house import disable
from tests.cardshoe.floor.postgres import Postgres, needs_postgres
from tests.cardshoe.floor.site import Collector, Site
from tests.kit.certificates import needs_openssl

pytestmark = needs_postgres
PERSONS: Final = {
    "croupier": "cara",
    "supervisor": "sara",
    "surveillance": "vera",
    "technician": "theo",
    "regulator": "rosa",
}
LOOKS: Final = {"supervisor", "surveillance", "regulator"}
EVERYBODY: Final = {*PERSONS}
ANYBODY: Final = {*PERSONS, "program", "nobody"}
EXPECTED: Final = {
    "GET /api/v1/tables": LOOKS | {"technician", "program"},
    "GET /api/v1/logs": LOOKS | {"technician", "program"},
    "GET /api/v1/lines": LOOKS | {"program"},
    "GET /api/v1/notes": LOOKS | {"program"},
    "GET /api/v1/alarms": LOOKS | {"technician", "program"},
    "POST /api/v1/alarms/{number}/close": {"supervisor"},
    "GET /api/v1/watch": {"surveillance"},
    "POST /api/v1/watch/{number}/acknowledge": {"surveillance"},
    "POST /api/v1/watch/{number}/close": {"surveillance"},
    "GET /api/v1/visits": LOOKS,
    "GET /": LOOKS | {"technician"},
    "GET /tables": LOOKS | {"technician"},
    "GET /tables/events": LOOKS | {"technician"},
    "GET /table": LOOKS | {"technician"},
    "GET /table/events": LOOKS | {"technician"},
    "GET /irregularities": LOOKS,
    "GET /plots": LOOKS | {"technician"},
    "GET /rounds": LOOKS,
    "GET /rounds.csv": LOOKS,
    "GET /rounds/{log}/{seq}": LOOKS,
    "GET /rounds/{log}/{seq}/proof": LOOKS,
    "GET /surveillance": {"surveillance"},
    "GET /surveillance/events": {"surveillance"},
    "GET /report": LOOKS,
    "GET /report.csv": LOOKS,
    "GET /watch": {"surveillance"},
    "GET /watch/events": {"surveillance"},
    "POST /watch/{number}/acknowledge": {"surveillance"},
    "POST /watch/{number}/close": {"surveillance"},
    "GET /static": ANYBODY,
    "POST /api/v1/session": ANYBODY,
    "GET /api/v1/session": EVERYBODY,
    "DELETE /api/v1/session": EVERYBODY,
    "GET /sign-in": ANYBODY,
    "POST /sign-in": ANYBODY,
    "POST /sign-out": EVERYBODY,
    "GET /healthz": ANYBODY,
    "GET /readyz": ANYBODY,
}
"""By route: who is let in. A route that is added wants a line in cardshoe/floor/permissions.py, and one here."""
QUERY: Final = {"table": "T-1", "log": "0" * 32}


@pytest.fixture(scope="module")
def secured(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    """Over TLS, where `siem` is a program and other certificates are persons' browsers."""
    state = tmp_path_factory.mktemp("gate")
    with Interface(state, postgres.database("gate"), programs=["siem"], secure=True) as interface:
        yield interface


def asker(interface: Interface, who: str) -> Browser:
    """Whoever asks, signed in where a role does."""
    browser = Browser(interface, "siem" if who == "program" else "office-3")
    if who in PERSONS:
        assert browser.sign_in(PERSONS[who]).status_code == 201
    return browser


@needs_openssl
def test_every_route_has_a_permission_and_every_permission_a_route(site: Site, state: Path) -> None:
    # The floor as `cardshoe floor run` makes it, with all that is served; it is not connected to its database.
    collector = Collector(site, state, "dbname=none")
    with closing(Floor(load(collector.file))) as floor:
        assert floor.interface is not None
        routes = {name for route in floor.interface.routes for name in gate.names_of(route)}
    assert routes == set(PERMISSIONS) == set(EXPECTED)
    assert all(name.startswith("GET /api/v1/") for name, one in PERMISSIONS.items() if one.programs)


@pytest.mark.parametrize("name", EXPECTED)
def test_who_is_let_in(secured: Interface, name: str) -> None:
    method, path = name.split(" ")
    where = path.replace("{number}", "7").replace("{log}", "0" * 32).replace("{seq}", "1")
    let_in = set()
    for who in (*PERSONS, "program", "nobody"):
        browser = asker(secured, who)
        if method == "GET":
            answer = browser.ask(method, where, params=QUERY)
        elif not path.startswith("/api/") and method == "POST":
            answer = browser.form(where, csrf=browser.csrf, id="nobody", pin="1")
        else:
            answer = browser.ask(method, where, **({} if method == "DELETE" else {"json": {}}))
        assert answer.status_code < 500, (who, answer.text)
        # Whoever signs in with a wrong PIN is answered by the sign-in, and not by the gate.
        by_gate = answer.status_code == 401 or (answer.status_code == 403 and path != "/sign-in")
        if not by_gate:
            let_in.add(who)
    assert let_in == EXPECTED[name]


def test_a_head_is_as_a_get(secured: Interface) -> None:
    assert asker(secured, "nobody").ask("HEAD", "/api/v1/tables").status_code == 401
    assert asker(secured, "surveillance").ask("HEAD", "/api/v1/tables").status_code == 200


@pytest.mark.parametrize("number", ["9" * 5000, "9" * 17, "x", "-1", "\u0661"])
def test_what_is_no_number_of_an_alarm_is_said(secured: Interface, number: str) -> None:
    path = f"/api/v1/alarms/{number}/close"
    assert asker(secured, "nobody").ask("POST", path, json={}).status_code == 401
    assert asker(secured, "supervisor").ask("POST", path, json={}).status_code == 400


def test_what_is_not_there_says_so_to_anybody(secured: Interface) -> None:
    assert asker(secured, "nobody").ask("GET", "/nothing").status_code == 404
    assert asker(secured, "nobody").ask("PUT", "/api/v1/alarms").status_code == 405


def test_a_browser_that_nobody_is_signed_in_at_is_led_to_the_sign_in(secured: Interface) -> None:
    answer = asker(secured, "nobody").ask("GET", "/api/v1/tables?a=1&b=2", headers={"accept": "text/html,*/*"})
    assert (answer.status_code, answer.headers["location"]) == (
        303,
        "/sign-in?next=%2Fapi%2Fv1%2Ftables%3Fa%3D1%26b%3D2",
    )


def test_a_page_is_refused_in_its_language_with_the_sign_in(secured: Interface) -> None:
    browser = asker(secured, "supervisor")
    answer = browser.ask("GET", "/surveillance?table=T-1&lang=pt", headers={"accept": "text/html,*/*"})
    assert answer.status_code == 403
    assert '<p role="alert" class="fault">Não permitido</p>' in answer.text
    assert 'name="next" value="/surveillance?table=T-1&amp;lang=pt"' in answer.text
    assert "sara, " in answer.text, "who may sign out"
    assert browser.ask("GET", "/surveillance").json()["refused"] == "not_permitted"


def test_a_certificate_is_a_program_s_only_by_its_name(secured: Interface) -> None:
    assert Browser(secured, "siem").ask("GET", "/api/v1/tables").status_code == 200
    for name in ("office-3", "siem2", "", None):
        assert Browser(secured, name).ask("GET", "/api/v1/tables").status_code == 401


def test_a_route_that_nobody_listed_is_answered_to_nobody(secured: Interface) -> None:
    async def secret(_request: Request) -> Response:
        return PlainTextResponse("secret")

    added = Route("/secret", secret)
    secured.app.router.routes.append(added)
    try:
        for who in (*PERSONS, "program", "nobody"):
            answer = asker(secured, who).ask("GET", "/secret")
            assert (answer.status_code, answer.json()["refused"]) == (403, "unlisted")
    finally:
        secured.app.router.routes.remove(added)


def test_a_stream_ends_once_who_listens_is_signed_out(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "LOOK_S", 0.0)
    monkeypatch.setattr(gate, "PERMISSIONS", {**PERMISSIONS, "GET /stream": Permission()})
    pieces = 0

    async def pieces_of_it() -> AsyncIterator[bytes]:
        nonlocal pieces
        while True:
            pieces += 1
            if pieces == 5:
                disable(interface.roll, "vera")
            yield b"piece\n"
            await asyncio.sleep(0)

    async def stream(_request: Request) -> Response:
        return StreamingResponse(pieces_of_it())

    with Interface(tmp_path, database) as interface:
        interface.app.router.routes.append(Route("/stream", stream))
        browser = Browser(interface)
        browser.sign_in("vera")
        assert browser.ask("GET", "/stream").text == "piece\n" * 4
        assert browser.ask("GET", "/stream").status_code == 401


def test_on_this_machine_whoever_can_connect_is_a_program(tmp_path: Path, database: str) -> None:
    with Interface(tmp_path, database) as interface:
        assert Browser(interface).ask("GET", "/api/v1/tables").status_code == 200
        assert Browser(interface).ask("GET", "/api/v1/visits").status_code == 401
        signed_in = Browser(interface)
        signed_in.sign_in("cara")
        # Who is signed in is a person, and asks as that.
        assert signed_in.ask("GET", "/api/v1/tables").status_code == 403

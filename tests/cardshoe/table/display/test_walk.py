"""Every route by every role, and without one, in every state of a table, against the permission table."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from http import HTTPStatus
from pathlib import Path
from typing import Final, get_args

import httpx

from cardshoe.persons.permissions import PAGES, PERMISSIONS, InputPermission
from cardshoe.persons.refusal import AccessRefusal
from cardshoe.table.display.persons_api import NAMED
from regulations.events.origins import ALLOWED_ORIGINS
from regulations.events.vocabulary import Role
from tests.cardshoe.persons.support import PINS, ROLES, WRONG
from tests.cardshoe.table.display.support import caught_up, displayed_with_persons, of_kind, ready, signed_in
from tests.cardshoe.table.display.support import events as events_of
from tests.cardshoe.table.live.support import READY
from tests.kit.command import Line
from tests.regulations.support.inputs import all_inputs

ACTS: Final = ("clear_error", "shuffle", "eject")
LOOKS: Final = ("/board", "/croupier", "/api/v1/table", "/api/v1/options", "/api/v1/openapi.json", "/healthz")
WATCHES: Final = ("/version", "/metrics", "/static/display.js", "/static/display.css")
STREAMS: Final = ("/api/v1/events", "/pages/board/events", "/pages/croupier/events")
SAYS: Final[dict[str, set[str]]] = {
    "/api/v1/session": {"GET", "POST", "DELETE"},
    "/api/v1/draft": {"GET", "PUT"},
    "/api/v1/enrolment": {"POST"},
    "/api/v1/inputs": {"POST"},
    "/api/v1/acts": {"POST"},
    "/api/v1/opening": {"POST"},
    "/api/v1/proposals": {"POST"},
    "/api/v1/proposals/none/approve": {"POST"},
}
BODIES: Final[dict[str, Line]] = {
    "/api/v1/session": {"id": "cara", "pin": WRONG},
    "/api/v1/draft": {"key": "x:1:new"},
    "/api/v1/enrolment": {"id": "cara", "pin": WRONG, "code": "x"},
    "/api/v1/inputs": {"event": "round_closed"},
    "/api/v1/acts": {"act": "eject"},
    "/api/v1/opening": {"id": "sara", "pin": WRONG},
    "/api/v1/proposals": {"input": {"event": "void"}},
    "/api/v1/proposals/none/approve": {"id": "sara", "pin": WRONG},
}
ROUNDS: Final = {"/rounds.csv": 200, "/rounds/x/1": 404, "/rounds/x/1/proof": 404}
"""Other pages of the page of rounds, for those who may open it."""
METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
USED: Final = "used before"
BETS: Line = {"event": "bets_closed", "seats": [1], "wagers": [{"seat": 1, "bet": "banker", "stake": 10000}]}
STATES: Final[dict[str, list[Line]]] = {
    "no shoe": [],
    "in round": [*READY, BETS, {"event": "card", "card": "9H"}],
    "irregularity open": [{"event": "misdeal", "detail": "two cards"}],
    "held": [{"event": "dispute", "detail": "seat 1 had withdrawn"}],
}
"""What leads from each state to the next."""
LINES: Final = {
    str(line["event"]): {key: value for key, value in line.items() if key not in ("by", "device", "raw", "at")}
    for line in reversed(all_inputs(1))
    if line["event"] in NAMED
} | {
    str(line["event"]): {key: value for key, value in line.items() if key not in ("device", "raw", "at")}
    for line in reversed(all_inputs(1))
    if line["event"] not in NAMED and "person" in ALLOWED_ORIGINS[str(line["event"])]
}
LINES["device_readmitted"]["device"] = "shoe"


def statuses(client: httpx.Client, role: Role | None) -> Iterator[tuple[str, int, int]]:
    """Each request, the status that the permission table has for it, and the one that came."""

    def may(permission: InputPermission) -> bool:
        return role is not None and role in permission.says

    def expected(name: str, status: int) -> int:
        return 401 if role is None else status if may(PERMISSIONS[name]) else 403

    for path in (*LOOKS, *WATCHES):
        yield path, 200, client.get(path).status_code
    for name, roles in PAGES.items():
        status = 401 if role is None else 200 if role in roles else 403
        yield f"/{name}", status, client.get(f"/{name}").status_code
    for path, found in ROUNDS.items():
        status = 401 if role is None else found if role in PAGES["rounds"] else 403
        yield path, status, client.get(path).status_code
    if role not in PAGES["pit"]:
        yield "pit stream", 401, client.get("/pages/pit/events").status_code
    yield "/readyz", 200, client.get("/readyz").status_code
    yield "/", 307, client.get("/").status_code
    yield "GET session", 401 if role is None else 200, client.get("/api/v1/session").status_code
    yield "draft", 401 if role is None else 200, client.get("/api/v1/draft").status_code
    yield "keep draft", expected("bets_closed", 204), client.put("/api/v1/draft", json={"key": "x:1:new"}).status_code
    for name in PERMISSIONS:
        if name in ACTS:
            act = {"act": name, **({"number": 1} if name == "clear_error" else {})}
            yield name, expected(name, 200), client.post("/api/v1/acts", json=act).status_code
        else:
            answer = client.post("/api/v1/inputs", json=LINES[name], headers={"Idempotency-Key": USED})
            yield name, expected(name, 422), answer.status_code
    proposed = client.post("/api/v1/proposals", json={"input": LINES["void"]})
    # The regulation may refuse what got past the persons.
    yield "propose", expected("void", 201), 201 if proposed.status_code == HTTPStatus.CONFLICT else proposed.status_code
    yield (
        "propose one",
        401 if role is None else 403,
        client.post("/api/v1/proposals", json={"input": BETS}).status_code,
    )
    approval = {"id": "sara", "pin": PINS["sara"]}
    answer = client.post("/api/v1/proposals/none/approve", json=approval)
    yield "approve", 401 if role is None else 410, answer.status_code
    enrolment = client.post("/api/v1/enrolment", json={"id": "mine", "code": "GUESSED234", "pin": PINS["cara"]})
    yield "enrol", 403, enrolment.status_code
    if role is None:
        yield "no csrf", 401, client.delete("/api/v1/session").status_code
    else:
        answer = client.delete("/api/v1/session", headers={"Cardshoe-Csrf": "x"})
        yield "no csrf", 403, answer.status_code


def test_the_routes_are_those_of_the_document(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path) as (_, client):
        document = client.get("/api/v1/openapi.json").json()["paths"]
        said = {path.replace("{id}", "none"): {verb.upper() for verb in verbs} for path, verbs in document.items()}
        looked = {path: {"GET"} for path in (*LOOKS, *WATCHES, *STREAMS, "/readyz") if not path.startswith("/static")}
        pages = {"/board", "/croupier", "/pages/board/events", "/pages/croupier/events"}
        assert said == {**SAYS, **{path: verbs for path, verbs in looked.items() if path not in pages}}
        for path, verbs in {**SAYS, **looked, "/": {"GET"}, "/static/display.js": {"GET"}, "/none": set()}.items():
            for method in set(METHODS) - verbs:
                status = client.request(method, path).status_code
                assert status == (404 if path == "/none" else 405), (method, path, status)


def everybody(home: httpx.Client, opened: ExitStack) -> dict[Role | None, httpx.Client]:
    """A browser of each role, signed in, and one of nobody."""
    clients: dict[Role | None, httpx.Client] = {None: home}
    for person, role in reversed(ROLES.items()):
        clients[role] = opened.enter_context(httpx.Client(base_url=home.base_url))
        signed_in(clients[role], person, "own")
    assert set(clients) == {None, *get_args(Role)}
    return clients


def say(client: httpx.Client, line: Line, key: str) -> httpx.Response:
    return client.post("/api/v1/inputs", json=line, headers={"Idempotency-Key": key}, timeout=30.0)


def test_each_role_in_each_state(tmp_path: Path) -> None:
    walked = 0
    with displayed_with_persons(tmp_path) as (table, home), ExitStack() as opened:
        clients = everybody(home, opened)
        croupier = clients["croupier"]
        assert say(croupier, {"event": "supervisor_called", "reason": "x"}, USED).status_code == HTTPStatus.CREATED
        for state, way in STATES.items():
            for number, line in enumerate(way):
                answer = say(croupier, line, f"{state} {number}")
                assert answer.status_code == HTTPStatus.CREATED, (state, answer.text)
            before = caught_up(table)
            for role, client in clients.items():
                for what, expected, status in statuses(client, role):
                    assert status == expected, (state, role, what)
                    walked += 1
            # Nothing was taken: there are the refused enrolments, and who has proposed.
            said = [entry.lines[0] for entry in table.log.journal.entries(before + 1)]
            assert all(b'"sign_ins_refused"' in line or b'"event":"proposed"' in line for line in said), said
        for path in STREAMS:
            assert next(events_of(home, path))["event"] in ("snapshot", "shown")
    each = len(LOOKS) + len(WATCHES) + len(PAGES) + len(ROUNDS) + len(PERMISSIONS) + 10
    assert walked == len(STATES) * (len(clients) * each + len(clients) - len(PAGES["pit"]))


def test_a_table_that_hangs_and_one_that_has_gone(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path) as (table, home), ExitStack() as opened:
        clients = everybody(home, opened)
        held = threading.Event()

        def hang() -> AccessRefusal:
            held.wait(60.0)
            return AccessRefusal(code="busy", reason="it hung")

        table.controller.ask_and_wait(hang, lambda _: None)
        # An input is not answered, and whoever looks on is.
        assert say(clients["croupier"], BETS, "hangs").status_code == HTTPStatus.SERVICE_UNAVAILABLE
        assert home.get("/api/v1/table").status_code == HTTPStatus.OK
        held.set()
        # The connection was given up, and its sessions with it.
        assert [one.get("/api/v1/session").status_code for one in clients.values()] == [401] * len(clients)

        signed_in(clients["supervisor"], "sara", "own")
        table.live.__exit__()
        ready(home, 503)
        for client in (home, clients["supervisor"]):
            for path in (*LOOKS, *WATCHES):
                assert client.get(path).status_code == HTTPStatus.OK
            for path, verbs in SAYS.items():
                for verb in verbs:
                    answer = client.request(verb, path, json=BODIES.get(path), headers={"Idempotency-Key": "late"})
                    assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE, (verb, path, answer.text)
        assert of_kind(events_of(home), "pulse")["data"]["why_not"] != ""

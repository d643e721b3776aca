"""Attempts of another site's page, or of whoever reaches the port: each refused, with its status."""

import json
import random
import re
import socket
import time
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import pytest

from cardshoe.process.http.bodies import BODY_MAX, BODY_S
from cardshoe.process.http.browser_sessions import BROWSER, BROWSER_S, COOKIE
from tests.cardshoe.persons.support import PINS, ROLES, WRONG, Clock
from tests.cardshoe.table.display.support import caught_up, displayed_with_persons, signed_in
from tests.cardshoe.table.live.support import READY
from tests.kit.command import PATIENCE_S, Line
from tests.kit.length import at_length

SHUFFLED: Line = {"event": "shuffled", "by": "croupier"}
VOID: Line = {"event": "void", "ground": "not_begun", "reason": "x"}
JSON: Final = {"Content-Type": "application/json"}
ABUSES: Final = at_length(150, 10_000)


def say(client: httpx.Client, line: Line = SHUFFLED, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.post("/api/v1/inputs", json=line, headers={"Idempotency-Key": "k", **named})


def post(client: httpx.Client, body: bytes, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.post("/api/v1/inputs", content=body, headers={"Idempotency-Key": "k", **JSON, **named})


def raw(client: httpx.Client, data: bytes) -> bytes:
    """Sends bytes and stalls; what came until the server closed."""
    parts = urlsplit(str(client.base_url))
    with socket.create_connection((str(parts.hostname), int(parts.port or 0)), PATIENCE_S) as connection:
        connection.sendall(data)
        return b"".join(iter(lambda: connection.recv(65_536), b""))


def test_pages_of_others_change_nothing(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path) as (table, client), httpx.Client(base_url=client.base_url) as other:
        csrf_of_another = signed_in(other, "sara", "own")["csrf"]
        signed_in(client, "cara")
        before, home = caught_up(table), str(client.base_url).rstrip("/")
        assert say(client, Cardshoe_Csrf="").json()["refused"] == "csrf"
        for headers in (
            {"Cardshoe_Csrf": "wrong"},
            {"Cardshoe_Csrf": csrf_of_another},
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"Origin": home.replace("http:", "https:")},
            {"Origin": f"{home}.evil.example"},
            {"Sec_Fetch_Site": "cross-site"},
            {"Sec_Fetch_Site": "same-site"},
            {"Host": "evil.example"},
        ):
            answer = say(client, **headers)
            assert answer.status_code == HTTPStatus.FORBIDDEN, headers
            assert "default-src 'none'" in answer.headers["content-security-policy"]
            assert client.delete("/api/v1/session", headers={k.replace("_", "-"): v for k, v in headers.items()}
                                 ).status_code == HTTPStatus.FORBIDDEN  # fmt: skip
        # What a form of another site can send is no JSON.
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
            answer = post(client, json.dumps(SHUFFLED).encode(), Content_Type=kind)
            assert answer.status_code == HTTPStatus.UNSUPPORTED_MEDIA_TYPE, kind
        # Nobody is signed in by another's page either: it could have a person say things as somebody else.
        wanted = {"id": "cara", "pin": PINS["cara"]}
        answer = client.post("/api/v1/session", json=wanted, headers={"Sec-Fetch-Site": "cross-site"})
        assert (answer.status_code, "set-cookie" in answer.headers) == (HTTPStatus.FORBIDDEN, False)
        assert caught_up(table) == before
        assert say(client, Origin=home, Sec_Fetch_Site="same-origin").status_code == HTTPStatus.CREATED


def test_bodies_that_are_too_long_too_slow_or_nothing(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path) as (table, client):
        signed_in(client, "cara")
        before = caught_up(table)
        long = b'{"event":"misdeal","detail":"' + b"x" * BODY_MAX + b'"}'
        chunks: Iterator[bytes] = (long[at : at + 1000] for at in range(0, len(long), 1000))
        statuses = {
            "long": post(client, long).status_code,
            "chunked": client.post(
                "/api/v1/inputs", content=chunks, headers={"Idempotency-Key": "k", **JSON}
            ).status_code,
        }
        assert set(statuses.values()) == {HTTPStatus.REQUEST_ENTITY_TOO_LARGE}, statuses
        for body in (
            b"",
            b"null",
            b"[]",
            b"{",
            b"{}",
            b'{"event":7}',
            b'{"event":"\xff"}',
            b'{"event":"\xed\xa0\x80"}',
            b'{"event":"misdeal","detail":"\\ud800"}',
            b"[" * 20_000,
            b'{"event":"misdeal","detail":' + b"[" * 5_000 + b"]" * 5_000 + b"}",
            b'{"event":"shuffled","by":"croupier","origin":"device"}',
            b'{"event":"void","ground":"misdeal","reason":"x","by":["cara","sara"]}',
            b'{"event":"void","ground":"misdeal","reason":"x","by":null}',
        ):
            status = post(client, body).status_code
            assert status in (HTTPStatus.BAD_REQUEST, HTTPStatus.FORBIDDEN), (body[:60], status)
        for key in (b"", b"x" * 65, b"\x7f", b"\xe9"):
            headers = [(b"Idempotency-Key", key), (b"Cardshoe-Csrf", client.headers["Cardshoe-Csrf"].encode())]
            answer = client.post("/api/v1/inputs", json=SHUFFLED, headers=headers)
            assert answer.status_code == HTTPStatus.BAD_REQUEST, key
        assert caught_up(table) == before
        host = client.base_url.netloc.decode()
        began_s = time.monotonic()
        came = raw(
            client,
            f"POST /api/v1/session HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            'Content-Length: 40\r\n\r\n{"id":"cara"'.encode(),
        )
        assert came.startswith(b"HTTP/1.1 408 ")
        assert time.monotonic() - began_s >= BODY_S


def test_a_cookie_is_ours_alone(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path) as (table, client):
        # One that somebody planted never becomes a session's.
        client.cookies.set(COOKIE, "planted")
        assert client.get("/api/v1/session").status_code == HTTPStatus.UNAUTHORIZED
        client.cookies.set(COOKIE, "planted")
        answer = client.post("/api/v1/session", json={"id": "cara", "pin": PINS["cara"]})
        flags, browser = answer.headers.get_list("set-cookie")
        kept = rf"{BROWSER}=([A-Za-z0-9_-]{{43}}); .*HttpOnly; Max-Age={BROWSER_S}; Path=/; SameSite=strict"
        assert re.fullmatch(kept, browser), browser
        first = re.fullmatch(rf"{COOKIE}=([A-Za-z0-9_-]{{43}}); HttpOnly; Path=/; SameSite=strict", flags)
        assert first is not None, flags
        with httpx.Client(base_url=client.base_url, cookies={COOKIE: "planted"}) as planter:
            assert planter.get("/api/v1/session").status_code == HTTPStatus.UNAUTHORIZED
        # Another sign-in has another cookie, and the one before is worth nothing.
        again = client.post(
            "/api/v1/session", json={"id": "sara", "pin": PINS["sara"]}, headers={"Cookie": f"{COOKIE}={first[1]}"}
        )
        assert again.status_code == HTTPStatus.CREATED
        assert first[1] not in again.headers["set-cookie"]
        with httpx.Client(base_url=client.base_url, cookies={COOKIE: first[1]}) as thief:
            assert thief.get("/api/v1/session").status_code == HTTPStatus.UNAUTHORIZED
        # The table's own token is in no answer.
        assert table.persons is not None
        told = again.text + again.headers["set-cookie"]
        assert json.loads(again.text)["csrf"] not in again.headers["set-cookie"]
        assert not any(
            len(word) == 43 and table.persons.session(1, word) is None for word in re.findall(r"[\w-]+", told)
        )


def test_a_supervisor_who_is_silent_and_a_croupier_who_is_relieved(tmp_path: Path) -> None:
    clock = Clock()
    with displayed_with_persons(tmp_path, clock) as (table, client), httpx.Client(base_url=client.base_url) as other:
        assert signed_in(client, "sara")["idle_s"] == 30.0
        clock.s += 29.0
        # To be asked keeps nobody signed in; to say something does.
        assert client.get("/api/v1/session").status_code == HTTPStatus.OK
        assert say(client).status_code == HTTPStatus.CREATED
        clock.s += 29.0
        assert client.get("/api/v1/session").status_code == HTTPStatus.OK
        clock.s += 1.0
        assert client.get("/api/v1/session").status_code == HTTPStatus.UNAUTHORIZED
        assert say(client).status_code == HTTPStatus.UNAUTHORIZED

        signed_in(client, "cara")
        clock.s += 86_400.0
        began_s = time.monotonic()
        signed_in(other, "carl")
        assert other.get("/api/v1/session").json()["id"] == "carl"
        assert time.monotonic() - began_s < 5.0
        assert client.get("/api/v1/session").status_code == HTTPStatus.UNAUTHORIZED
        caught_up(table)
        lines = [json.loads(line) for entry in table.log.journal.entries() for line in entry.lines]
        ended = [(line["person"], line["because"]) for line in lines if line["event"] == "signed_out"]
        assert ended == [("sara", "idle"), ("cara", "relieved")]


def test_too_many_wrong_pins(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path) as (_, client):
        wrong = [client.post("/api/v1/session", json={"id": "cara", "pin": WRONG}) for _ in range(6)]
        assert [one.status_code for one in wrong] == [403] * 5 + [429]
        assert wrong[-1].json()["refused"] == "locked"
        assert wrong[-1].headers["retry-after"] == "60"
        right = client.post("/api/v1/session", json={"id": "cara", "pin": PINS["cara"]})
        assert right.status_code == HTTPStatus.TOO_MANY_REQUESTS
        signed_in(client, "sara")


class Abuser:
    """Whoever has everybody's PIN but the supervisors' tries to get acts of two persons through, by chance."""

    def __init__(self, clients: list[httpx.Client], rng: random.Random) -> None:
        self.clients, self.rng = clients, rng
        self.proposals = ["guessed"]
        self.taken: list[Any] = []
        self.statuses: dict[int, int] = {}

    def post(self, path: str, body: object, **headers: str) -> httpx.Response:
        answer = self.rng.choice(self.clients).post(f"/api/v1/{path}", json=body, headers=headers)
        self.statuses[answer.status_code] = self.statuses.get(answer.status_code, 0) + 1
        return answer

    def act(self) -> None:
        rng = self.rng
        own = [person for person, role in ROLES.items() if role != "supervisor"]
        person = rng.choice(own)
        event: Line = rng.choice(
            [VOID, {"event": "device_readmitted", "device": "shoe"}, {"event": "bettor_left", "seat": 1}]
        )
        match rng.randrange(6):
            case 0:
                answer = self.post(
                    "session", {"id": person, "pin": PINS[person], "screen": rng.choice(["table", "own"])}
                )
                csrf = answer.json().get("csrf")
                for client in self.clients if rng.random() < 0.1 else ():
                    client.headers["Cardshoe-Csrf"] = csrf or "x"
            case 1:
                by = rng.choice([{}, {"by": [person, "sara"]}, {"by": ["sara", "sven"]}])
                self.note(self.post("inputs", event | by, **{"Idempotency-Key": str(rng.randrange(20))}))
            case 2 | 3:
                found = self.post("proposals", {"input": event}).json()
                self.proposals.append(found.get("id", "guessed"))
            case _:
                approver = rng.choice([*own, "sara"])
                pin = PINS.get(approver, WRONG) if approver in own else WRONG
                path = f"proposals/{rng.choice(self.proposals[-4:])}/approve"
                self.note(self.post(path, {"id": approver, "pin": pin}))
        for client in self.clients:
            now = client.get("/api/v1/session")
            if now.status_code == HTTPStatus.OK:
                client.headers["Cardshoe-Csrf"] = now.json()["csrf"]

    def note(self, answer: httpx.Response) -> None:
        if answer.status_code == HTTPStatus.CREATED:
            self.taken.append(answer.json())


@pytest.mark.statistical
def test_no_abuse_gets_an_act_of_two_persons_through(tmp_path: Path, seed: int) -> None:
    clock, rng = Clock(), random.Random(seed)
    with displayed_with_persons(tmp_path, clock) as (table, home):
        signed_in(home, "cara")
        for number, line in enumerate(
            [*READY, {"event": "bets_closed", "seats": [1], "wagers": [{"seat": 1, "bet": "tie", "stake": 100}]}]
        ):
            assert say(home, line, Idempotency_Key=f"ready {number}").status_code == HTTPStatus.CREATED
        clients = [httpx.Client(base_url=home.base_url) for _ in range(3)]
        abuser = Abuser(clients, rng)
        for _ in range(ABUSES):
            abuser.act()
            clock.s += rng.choice((0.0,) * 7 + (20.0, 1000.0))
        for client in clients:
            client.close()
        assert abuser.taken == []
        assert {401, 403, 410} <= set(abuser.statuses), abuser.statuses
        assert max(abuser.statuses) < HTTPStatus.INTERNAL_SERVER_ERROR
        lines = [json.loads(line) for entry in table.log.journal.entries() for line in entry.lines]
        assert not {"voided", "resolved"} & {line["event"] for line in lines}

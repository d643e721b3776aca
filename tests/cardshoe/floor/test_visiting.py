"""Signing in at the floor: cookies, forms, lock-out, silence, and what is recorded; and who tries to get around it."""

import random
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from cardshoe.floor.alarm_kinds import Alarm
from cardshoe.floor.alarms import raise_alarm
from cardshoe.floor.database import Database
from cardshoe.floor.persons.recorder import Recorder
from cardshoe.persons.sign_in import WAITING
from regulations.events.notices import SignedIn, SignedOut
from tests.cardshoe.floor.browsers import HOST, Browser, Interface
from tests.cardshoe.floor.house import PINS, damage, disable, roll_in
from tests.cardshoe.floor.postgres import Postgres, needs_postgres
from tests.cardshoe.persons.support import WRONG

pytestmark = needs_postgres
SEQUENCES: Final = 150


@pytest.fixture(scope="module")
def address(postgres: Postgres) -> str:
    return postgres.database("visiting")


@pytest.fixture
def interface(tmp_path: Path, address: str) -> Iterator[Interface]:
    with Interface(tmp_path / "state", address) as found:
        with found.database.transaction() as db:
            db.execute("TRUNCATE visits, alarms CASCADE")
        yield found


def alarm_in(database: Database) -> int:
    """An alarm that is open; its number."""
    with database.transaction() as db:
        raise_alarm(db, "T-1", "", Alarm("two_senders", "x"))
    return int(database.rows("SELECT max(id) AS id FROM alarms", {})[0]["id"])


def is_open(database: Database, number: int) -> bool:
    return bool(database.rows("SELECT 1 FROM alarms WHERE id = %(id)s AND closed_at IS NULL", {"id": number}))


def test_a_cookie_says_nothing_and_each_sign_in_has_another(interface: Interface) -> None:
    browser = Browser(interface)
    browser.cookie = "cardshoe_floor=planted"
    answer = browser.sign_in("sara")
    assert answer.json() == {"id": "sara", "role": "supervisor", "csrf": browser.csrf, "idle_s": 900.0}
    cookie, browser_cookie = answer.headers.get_list("set-cookie")
    assert browser_cookie.startswith("cardshoe_floor_browser=")
    assert re.fullmatch(r"cardshoe_floor=[\w-]{43}; HttpOnly; Path=/; SameSite=strict", cookie)
    assert "sara" not in cookie
    assert browser.ask("GET", "/api/v1/session").json()["id"] == "sara"
    first = browser.cookie
    browser.sign_in("sven")
    thief = Browser(interface)
    thief.cookie = first
    assert thief.ask("GET", "/api/v1/session").status_code == 401
    assert browser.ask("DELETE", "/api/v1/session").status_code == 204
    assert browser.ask("GET", "/api/v1/session").status_code == 401
    assert interface.visits() == [
        ("sara", "signed_in", "supervisor"),
        ("sven", "signed_in", "supervisor"),
        ("sara", "signed_out", "asked"),
        ("sven", "signed_out", "asked"),
    ]


def test_over_tls_the_cookie_goes_over_nothing_else(tmp_path: Path, address: str) -> None:
    with Interface(tmp_path / "state", address, secure=True) as interface:
        cookie = Browser(interface, "office").sign_in("sara").headers.get_list("set-cookie")[0]
        assert cookie.startswith("__Host-cardshoe_floor=")
        assert "; Secure" in cookie
        # One without the prefix is not looked at: a neighbour of the domain may have planted it.
        planted = Browser(interface, "office")
        planted.cookie = cookie.removeprefix("__Host-").partition(";")[0]
        assert planted.ask("GET", "/api/v1/session").status_code == 401


def test_the_page_signs_in_and_out_without_a_script(interface: Interface) -> None:
    browser = Browser(interface)
    page = browser.ask("GET", "/sign-in?next=/api/v1/alarms")
    assert 'name="next" value="/api/v1/alarms"' in page.text
    assert "form-action 'self'" in page.headers["content-security-policy"]
    wrong = browser.form("/sign-in", id="sara", pin=WRONG, next="/api/v1/alarms")
    assert (wrong.status_code, "no such person with this PIN" in wrong.text) == (403, True)
    assert 'value="sara"' in wrong.text
    assert WRONG not in wrong.text
    other = browser.form("/sign-in?lang=pt", id="sara", pin=WRONG, next="/")
    assert ('lang="pt"' in other.text, "errado" in other.text) == (True, True)
    done = browser.form("/sign-in", id="sara", pin=PINS["sara"], next="/api/v1/alarms")
    assert (done.status_code, done.headers["location"]) == (303, "/api/v1/alarms")
    page = browser.ask("GET", "/sign-in")
    assert "<span>sara, Supervisor</span>" in page.text
    # Another person signs in at the same page, over which nobody else's session is kept.
    assert browser.form("/sign-in", id="sven", pin=PINS["sven"]).headers["location"] == "/"
    page = browser.ask("GET", "/sign-in")
    assert "<span>sven, Supervisor</span>" in page.text
    found = re.search(r'name="csrf" value="([\w-]{43})"', page.text)
    assert found is not None
    assert browser.form("/sign-out", csrf="x").status_code == 403
    assert browser.form("/sign-out", csrf=found[1]).headers["location"] == "/sign-in"
    assert browser.ask("GET", "/api/v1/session").status_code == 401


@pytest.mark.parametrize(
    "after",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "javascript:alert(1)",
        "evil",
        "/a\nSet-Cookie: x=y",
        "//[",
        "",
    ],
)
def test_after_a_sign_in_a_browser_stays_here(interface: Interface, after: str) -> None:
    assert Browser(interface).ask("GET", "/sign-in", params={"next": after}).status_code == 200
    done = Browser(interface).form("/sign-in", id="sara", pin=PINS["sara"], next=after)
    assert (done.status_code, done.headers["location"]) == (303, "/")


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", '"><img src=x>', "{{7*7}}", "{% x %}", "' OR 1=1 --"])
def test_what_is_typed_is_text(interface: Interface, text: str) -> None:
    wrong = Browser(interface).form("/sign-in", id=text, pin=WRONG, next="/?" + text)
    assert wrong.status_code == 403
    assert not re.search(r"(?<![\w-])49(?![\w-])", wrong.text)
    assert "<script" not in wrong.text
    assert "<img" not in wrong.text


def test_pages_of_others_change_nothing(interface: Interface) -> None:
    number = alarm_in(interface.database)
    browser = Browser(interface)
    for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {"host": "evil.example"}):
        assert browser.form("/sign-in", headers, id="sara", pin=PINS["sara"]).status_code == 403
    browser.sign_in("sara")
    close = f"/api/v1/alarms/{number}/close"
    for headers in ({"cardshoe-csrf": ""}, {"cardshoe-csrf": "x" * 43}, {"origin": "null"}):
        assert browser.ask("POST", close, json={}, headers=headers).status_code == 403
    # A form of another site can send this, and no header.
    text = {"content-type": "text/plain", "cardshoe-csrf": ""}
    assert browser.ask("POST", close, content=b"{}", headers=text).status_code == 403
    assert is_open(interface.database, number)
    assert browser.ask("POST", close, json={}).json() == {"closed": number, "by": "sara", "goes_on": False}
    assert not is_open(interface.database, number)
    assert browser.ask("POST", close, json={}).status_code == 404
    rows = interface.database.rows("SELECT closed_by FROM alarms WHERE id = %(id)s", {"id": number})
    assert rows == [{"closed_by": "sara"}]


@pytest.mark.parametrize(
    ("path", "more", "status"),
    [
        ("/sign-in", {"content": b"x" * 40_000, "headers": {"content-type": "application/x-www-form-urlencoded"}}, 413),
        ("/sign-in", {"content": b"a&" * 5_000, "headers": {"content-type": "application/x-www-form-urlencoded"}}, 400),
        ("/sign-in", {"content": b"&".join(b"a=1" for _ in range(40)),
                      "headers": {"content-type": "application/x-www-form-urlencoded"}}, 400),
        ("/sign-in", {"content": b"{}", "headers": {"content-type": "application/json"}}, 415),
        ("/sign-in", {"content": b"id=\xff%00%ff&pin=%00",
                      "headers": {"content-type": "application/x-www-form-urlencoded"}}, 403),
        ("/api/v1/session", {"content": b"{" * 40_000, "headers": {"content-type": "application/json"}}, 413),
        ("/api/v1/session", {"json": {"id": "sara", "pin": ["1"]}}, 400),
        ("/api/v1/session", {"json": {"id": "sara", "pin": "1", "role": "supervisor"}}, 400),
        ("/api/v1/session", {"json": {"id": "x" * 100, "pin": "1"}}, 400),
        ("/api/v1/session", {"data": {"id": "sara", "pin": "1"}}, 415),
    ],
)  # fmt: skip
def test_what_is_no_sign_in_is_refused(interface: Interface, path: str, more: dict[str, object], status: int) -> None:
    answer = Browser(interface).ask("POST", path, **more)
    assert answer.status_code == status, answer.text
    assert "set-cookie" not in answer.headers


def test_wrong_pins_lock_an_id_out_whether_there_is_one_or_not_and_are_recorded(interface: Interface) -> None:
    browser = Browser(interface)
    for person in ("sara", "nobody"):
        tried = [browser.sign_in(person, WRONG) for _ in range(6)]
        assert [one.json()["refused"] for one in tried] == ["sign_in_refused"] * 5 + ["locked"]
        assert len({one.json()["detail"] for one in tried[:5]}) == 1
        assert int(tried[-1].headers["retry-after"]) in range(50, 62)
    assert browser.sign_in("sara").json()["refused"] == "locked"
    interface.clock.s += 60
    assert browser.sign_in("sara").status_code == 201
    counts = [int(detail.split(" ")[0]) for _, what, detail in interface.visits() if what == "sign_ins_refused"]
    assert sum(counts) == 13


def test_pins_are_looked_at_one_at_a_time_and_few_wait(interface: Interface) -> None:
    going, free = threading.Event(), threading.Event()

    def hold() -> None:
        going.set()
        free.wait(30)

    interface.entrance.later(hold, lambda _: None)
    assert going.wait(30)
    for _ in range(WAITING):
        interface.entrance.later(free.wait, lambda _: None)
    answer = Browser(interface).sign_in("sara")
    assert (answer.status_code, answer.json()["refused"]) == (429, "busy")
    free.set()


def test_whose_pin_cannot_be_checked_is_told_so_and_others_come_in(interface: Interface) -> None:
    damage(roll_in(interface.roll.folder.parent), "vera")
    browser = Browser(interface)
    answer = browser.sign_in("vera")
    assert (answer.status_code, answer.json()["refused"]) == (500, "not_checked")
    page = browser.ask("POST", "/sign-in", data={"id": "vera", "pin": PINS["vera"], "after": "/"})
    assert (page.status_code, "The PIN could not be checked" in page.text) == (500, True)
    assert browser.sign_in("sara").status_code == 201
    assert [what for _, what, _ in interface.visits()] == ["signed_in"]  # nobody was wrong


def test_a_record_that_cannot_be_stored_closes_no_door_and_is_stored_later(interface: Interface) -> None:
    with interface.database.transaction() as db:
        db.execute("ALTER TABLE visits RENAME TO moved")
    browsers = [(person, Browser(interface)) for person in ("sara", "sven", "vera")]
    assert [one.sign_in(person).status_code for person, one in browsers] == [201] * 3
    with interface.database.transaction() as db:
        db.execute("ALTER TABLE moved RENAME TO visits")
    interface.recorder.flush()
    assert [person for person, what, _ in interface.visits() if what == "signed_in"] == ["sara", "sven", "vera"]


def test_who_is_silent_or_disabled_is_signed_out(interface: Interface) -> None:
    sara, vera = Browser(interface), Browser(interface)
    sara.sign_in("sara")
    vera.sign_in("vera")
    by_itself = {"sec-fetch-mode": "cors"}
    for _ in range(2):
        interface.clock.s += 890
        assert sara.ask("GET", "/api/v1/alarms").status_code == 200
    interface.clock.s += 890
    # What a page fetches by itself is nobody's doing.
    assert sara.ask("GET", "/api/v1/alarms", headers=by_itself).status_code == 200
    interface.clock.s += 10
    assert sara.ask("GET", "/api/v1/alarms").status_code == 401
    assert vera.ask("GET", "/api/v1/alarms").status_code == 200
    disable(roll_in(interface.roll.folder.parent), "vera")
    assert vera.ask("GET", "/api/v1/alarms").status_code == 401
    assert vera.sign_in("vera").json()["refused"] == "sign_in_refused"
    assert [(person, detail) for person, what, detail in interface.visits() if what == "signed_out"] == [
        ("sara", "idle"), ("vera", "changed"),
    ]  # fmt: skip


def test_a_list_that_was_altered_lets_nobody_in_and_those_who_are_in_no_further(interface: Interface) -> None:
    browser = Browser(interface)
    browser.sign_in("sara")
    path = interface.roll.folder / "list"
    path.write_bytes(path.read_bytes().replace(b'"croupier"', b'"supervisor"', 1))
    assert browser.ask("GET", "/api/v1/alarms").status_code == 401
    assert browser.sign_in("cara").json()["refused"] == "no_persons"


def test_a_floor_that_knows_nobody_says_how_the_first_is_added(tmp_path: Path, address: str) -> None:
    with Interface(tmp_path / "state", address, knows=False) as interface:
        browser = Browser(interface)
        assert "cardshoe floor persons add" in browser.ask("GET", "/sign-in").text
        for person, pin in (("admin", "admin"), ("sara", PINS["sara"]), ("", "")):
            assert browser.sign_in(person, pin).json()["refused"] == "no_persons"
            assert browser.form("/sign-in", id=person, pin=pin).status_code == 404


def test_what_is_recorded_waits_for_a_database_that_is_away(address: str) -> None:
    database = Database(address, 1)
    recorder = Recorder(database)
    for person in ("cara", "sara"):
        recorder.note(SignedIn(person=person, role="supervisor", place="own_screen"))
        recorder.flush()  # it is not connected yet
    with database:
        database.prepare()
        with database.transaction() as db:
            db.execute("TRUNCATE visits")
        recorder.note(SignedOut(person="sara", place="own_screen", because="idle"))
        recorder.flush()
        recorder.flush()
        rows = database.rows("SELECT person, detail FROM visits ORDER BY id", {})
    assert [(one["person"], one["detail"]) for one in rows] == [
        ("cara", "supervisor"), ("sara", "supervisor"), ("sara", "idle"),
    ]  # fmt: skip


def test_no_sequence_of_abuse_without_a_supervisor_s_pin_closes_an_alarm(interface: Interface, seed: int) -> None:
    number = alarm_in(interface.database)
    chance = random.Random(seed)
    own = ("cara", "vera", "theo", "rosa")
    browsers = [Browser(interface) for _ in range(3)]
    supervisor = Browser(interface)
    supervisor.sign_in("sara")
    spent = supervisor.cookie
    supervisor.ask("DELETE", "/api/v1/session")
    statuses = set()
    for _ in range(SEQUENCES):
        browser = chance.choice(browsers)
        match chance.randrange(7):
            case 0:
                browser.sign_in(chance.choice(own))
            case 1:
                browser.sign_in(chance.choice(("sara", "sven")), chance.choice((WRONG, PINS["cara"], "")))
            case 2:
                browser.csrf = chance.choice([one.csrf for one in browsers] + [supervisor.csrf])
            case 3:
                browser.cookie = chance.choice(browsers).cookie
            case 4:
                browser.cookie = chance.choice((spent, "cardshoe_floor=", "cardshoe_floor=x", f"a=b; {spent}"))
            case 5:
                interface.clock.s += chance.choice((1, 70, 1000))
            case _:
                how = chance.choice(("POST", "POST", "POST", "PUT", "GET", "HEAD", "DELETE", "PATCH"))
                end = chance.choice(("", "", "", "/", "?role=supervisor", "%2e", "/../close"))
                headers = chance.choice(({}, {"x-http-method-override": "POST"}, {"x-forwarded-for": HOST}))
                path = f"/api/v1/alarms/{number}/close{end}"
                statuses.add(browser.ask(how, path, json={"go_on": True}, headers=dict(headers)).status_code)
        assert is_open(interface.database, number)
    assert {401, 403} <= statuses
    assert 200 not in statuses

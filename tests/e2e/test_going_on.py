"""A page when something ends: the table, the display, a session, a day; and a page of another build."""

import os
import signal
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from cardshoe.screens.words.display_section import DisplaySection
from cardshoe.table.display.child import DisplayChild
from cardshoe.table.display.settings import DisplaySettings
from regulations.events.inputs import AnyInput, CardDrawn
from tests.cardshoe.persons.support import PINS, Clock
from tests.cardshoe.table.display.support import display_pid
from tests.cardshoe.table.live.support import READY, TABLE, ServedTable
from tests.e2e.fingers import Fingers
from tests.e2e.left_open import LeftOpen
from tests.e2e.stage import LONG, NEEDS_CHROMIUM, PATIENCE_MS, SHOWN, Stage, stage

pytestmark = [NEEDS_CHROMIUM, pytest.mark.timeout(1200 if LONG else 120)]
TABS: Final = 10 if LONG else 3
SHOES: Final = (5, 416) if LONG else (1, 1)
"""Shoe games of a page that is left open, until it is measured first, and from then until it is measured again: of 125
lines each, 52,000 lines."""
ROUNDS: Final = 6
"""Of each of them: no card is out more often than there are decks."""
_HELD: Final = """() => {
  const real = window.fetch, released = new Promise((resolve) => { window.release = resolve; });
  window.fetch = async (path, request) => {
    const answer = await real(path, request);
    if (path.endsWith("/inputs")) await released;
    return answer;
  };
}"""
"""Holds the answers to inputs until they are released."""


def test_a_display_that_dies_in_mid_round_takes_nothing_along_and_nothing_is_taken_twice(
    tmp_path: Path, browser: Browser
) -> None:
    with stage(tmp_path, TABLE, browser, apart=True) as shown:
        fingers = Fingers(shown.page)
        fingers.sign_in("cara")
        shown.tell(*READY)
        shown.page.locator('[data-seat="2"][data-bet="banker"]').tap()
        expect(shown.page.locator('[data-seat="2"][data-bet="banker"] .put')).to_have_text("100")
        killed = display_pid()
        _kill(killed)
        shown.tell({"event": "bets_closed", "seats": [], "wagers": []}, {"event": "card", "card": "9H"})
        expect(shown.page.locator(".slot.open")).to_have_count(1)
        # The display has forgotten who was signed in; the page says so by itself, and takes the next croupier.
        expect(shown.page.locator(".nobody")).to_be_visible(timeout=PATIENCE_MS)
        fingers.sign_in("carl")
        assert display_pid() != killed
        # Once more, when the table has taken an input, and the answer is lost on its way.
        shown.page.route("**/api/v1/inputs", _taken_and_never_answered, times=1)
        fingers.press("card-3D")
        assert _card(shown.answered().event) == "3D"
        assert fingers.understood() == "not_permitted"  # said again with its key, by nobody any more
        fingers.sign_in("cara")
        shown.settled()
        assert _left(shown) == ["9H", "3D"]
        fingers.press("card-KS")
        assert _card(shown.answered().event) == "KS"
        shown.settled()
        assert _left(shown) == ["9H", "3D", "KS"]
        expect(shown.page.locator("[data-by-hand]")).to_have_count(3)


def _taken_and_never_answered(route: Route) -> None:
    answer = route.fetch()
    print(answer.status, answer.text())  # noqa: T201  shown where the table took nothing
    _kill(display_pid())
    route.abort()


def test_a_table_that_is_started_again_in_mid_round_goes_on_where_it_was(tmp_path: Path, browser: Browser) -> None:
    with stage(tmp_path, TABLE, browser) as shown:
        fingers = Fingers(shown.page)
        fingers.sign_in("cara")
        shown.tell(*READY, {"event": "bets_closed", "seats": [], "wagers": []}, {"event": "card", "card": "9H"})
        shown.table.__exit__()
        expect(shown.page.locator("#cover")).to_be_visible(timeout=PATIENCE_MS)
        shown.table = shown.made()
        shown.table.__enter__()
        shown.settled()
        # Its sessions ended with it: the page asks by itself, and a touch of the one before would be nobody's.
        expect(shown.page.locator(".nobody")).to_be_visible(timeout=PATIENCE_MS)
        fingers.sign_in("cara")
        fingers.press("card-3D")
        assert _card(shown.answered().event) == "3D"
        shown.settled()
        assert _left(shown) == ["9H", "3D"]
        expect(shown.page.locator(".slot.open")).to_have_count(2)
        assert shown.faults == []


def test_a_page_says_that_it_hears_nothing_until_its_input_is_answered(tmp_path: Path, browser: Browser) -> None:
    with stage(tmp_path, TABLE, browser) as shown:
        fingers = Fingers(shown.page)
        fingers.sign_in("cara")
        shown.tell(*READY, {"event": "bets_closed", "seats": [], "wagers": []})
        shown.page.evaluate(_HELD)
        fingers.press("card-9H")
        assert _card(shown.answered().event) == "9H"
        shown.settled()
        # The line came before the answer: all buttons are there, and a touch now is none.
        busy = shown.page.locator(":root[data-busy]")
        expect(busy).to_have_count(1)
        expect(shown.page.locator('button[data-key="card-KS"][data-ripe="yes"]')).to_have_count(1)
        shown.page.locator('button[data-key="card-KS"]').tap()
        shown.page.evaluate("() => window.release()")
        fingers.press("card-3D")
        assert _card(shown.answered().event) == "3D"
        shown.settled()
        assert _left(shown) == ["9H", "3D"]
        expect(busy).to_have_count(0)
        assert shown.faults == []


def test_a_page_of_another_build_reloads_only_once_the_new_server_answers(tmp_path: Path, browser: Browser) -> None:
    folder = str(tmp_path)
    old = DisplaySection(listen="127.0.0.1:0", languages=["en"])
    page = browser.new_page()
    with ServedTable(tmp_path):
        settings = DisplaySettings(folder=folder, table_id=TABLE.table_id, section=old, currency="MOP")
        with DisplayChild(settings) as child:
            page.goto(f"{child.home}croupier")
            expect(page.locator("#cover")).to_be_hidden(timeout=PATIENCE_MS)
            port = child.home.rstrip("/").rpartition(":")[2]
        # Nobody answers: the page stays, covered, and does not become a white one.
        expect(page.locator("#cover")).to_be_visible(timeout=PATIENCE_MS)
        assert page.evaluate("document.documentElement.lang") == "en"
        assert page.locator("h1").count() == 1
        new = DisplaySection(listen=f"127.0.0.1:{port}", languages=["pt"])
        settings = DisplaySettings(folder=folder, table_id=TABLE.table_id, section=new, currency="MOP")
        with DisplayChild(settings):
            expect(page.locator("html")).to_have_attribute("lang", "pt", timeout=PATIENCE_MS)
            expect(page.locator("#cover")).to_be_hidden(timeout=PATIENCE_MS)
    page.close()


def test_the_next_croupier_relieves_the_one_before_and_a_supervisor_who_is_silent_is_out(
    tmp_path: Path, browser: Browser
) -> None:
    clock = Clock()
    with stage(tmp_path, TABLE, browser, clock=clock) as shown:
        fingers = Fingers(shown.page)
        fingers.sign_in("cara")
        other = shown.context.new_page()
        other.goto(f"{shown.home}croupier")
        expect(other.locator("[data-who=id]")).to_have_text("cara")
        shown.page.bring_to_front()
        # Under five seconds: one request, which waits for one PIN, and no touch but to say who and with which PIN.
        said: list[str] = []
        shown.page.on("request", lambda one: said.append(f"{one.method} {one.url.partition('/api')[2]}"))
        before, lines = fingers.touches, shown.table.log.journal.last_seq
        fingers.sign_in("carl")
        assert fingers.touches - before == len("carl") + len(PINS["carl"]) + 3  # open, to the PIN, done
        assert [one for one in said if "session" in one] == ["POST /v1/session"]
        shown.settled()
        assert shown.table.log.journal.last_seq > lines  # who came, and who was relieved
        expect(other.locator("[data-who=id]")).to_have_text("carl")
        fingers.sign_in("sara")
        expect(other.locator("[data-who=id]")).to_have_text("sara")
        clock.s += 31
        fingers.press(next(one["key"] for one in fingers.offered() if one["line"].get("by") == "croupier"))
        assert fingers.understood() == "not_permitted"
        # The supervisor has gone; the croupier, whose session waited, is there again without a PIN.
        expect(other.locator("[data-who=id]")).to_have_text("carl")
        expect(shown.page.locator("[data-who=id]")).to_have_text("carl")


def test_tabs_stay_live_and_none_of_them_grows(tmp_path: Path, browser: Browser) -> None:
    with stage(tmp_path, TABLE, browser) as shown:
        # That nobody is signed in here is an answer, which a browser prints.
        shown.context.on(
            "console", lambda one: shown.faults.extend([one.text] * ("/session" not in one.location["url"]))
        )
        tabs = [shown.page, *(shown.context.new_page() for _ in range(TABS - 1))]
        for number, tab in enumerate(tabs[1:]):
            tab.goto(f"{shown.home}{'croupier' if number % 2 else 'board'}")
        shown.tell(*READY)
        for tab in tabs:
            _follows(shown, tab)
            expect(tab.locator(".banner")).to_be_visible()
        for tab in tabs[2:]:
            tab.close()
        pages = [LeftOpen(tab) for tab in (*tabs[:2], _supervisors(shown))]
        for shoes in SHOES:
            _play(shown, shoes)
            for page in pages:
                _follows(shown, page.page)
                page.measure(shown.table.log.journal.last_seq)
        for page in pages:
            page.check()
        assert shown.faults == []


def _supervisors(shown: Stage) -> Page:
    """The supervisor's page, in a browser of its own."""
    page = shown.browser.new_context(has_touch=True).new_page()
    page.goto(f"{shown.home}pit")
    page.locator("#id").fill("sara")
    page.locator("#pin").fill(PINS["sara"])
    page.locator("#enter button").tap()
    expect(page.locator(".pit-page")).to_be_visible(timeout=PATIENCE_MS)
    return page


def _follows(shown: Stage, tab: Page) -> None:
    journal = shown.table.log.journal
    tab.evaluate(SHOWN, [journal.header.fingerprint, journal.last_seq, PATIENCE_MS])


def _play(shown: Stage, shoes: int) -> None:
    for _ in range(shoes):
        for _ in range(ROUNDS):
            for name in ("9H", "3D", "KS", "4C"):
                shown.give({"event": "card", "card": name})
            shown.tell({"event": "round_closed"})
        shown.tell({"event": "shoe_ended", "reason": "house"}, *READY)


def _card(event: AnyInput) -> str | None:
    assert isinstance(event, CardDrawn)
    return event.card


def _left(shown: Stage) -> list[str | None]:
    now = shown.table.view.round
    assert now is not None
    return [*now.left]


def _kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)

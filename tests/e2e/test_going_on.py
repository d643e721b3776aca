"""What happens to a page when something ends: the table, the display, a session; and a page of another build."""

import os
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from regulations.events.inputs import CardDrawn
from table.display.child import DisplayChild
from table.display.settings import DisplaySettings
from table.setup.display_section import DisplaySection
from tests.e2e.fingers import Fingers
from tests.e2e.stage import NEEDS_CHROMIUM, PATIENCE_MS, stage
from tests.table.display.support import display_pid
from tests.table.live.support import READY, TABLE, ServedTable
from tests.table.persons.support import Clock

pytestmark = [NEEDS_CHROMIUM, pytest.mark.timeout(120)]


def test_a_display_that_dies_in_mid_round_comes_back_and_the_round_goes_on(tmp_path: Path, browser: Browser) -> None:
    with stage(tmp_path, TABLE, browser) as shown:
        fingers = Fingers(shown.page)
        fingers.sign_in("cara")
        shown.tell(*READY)
        shown.page.locator('[data-seat="2"][data-bet="banker"]').tap()
        expect(shown.page.locator('[data-seat="2"][data-bet="banker"] .put')).to_have_text("100")
        killed = display_pid()
        _kill(killed)
        shown.tell({"event": "bets_closed", "seats": [], "wagers": []}, {"event": "card", "card": "9H"})
        expect(shown.page.locator(".slot.open")).to_have_count(1, timeout=PATIENCE_MS)
        # The display has forgotten who was signed in; the page says so, and takes the next croupier.
        fingers.sign_in("carl")
        fingers.press("card-3D")
        assert isinstance(shown.answered().event, CardDrawn)
        shown.settled()
        expect(shown.page.locator(".slot.open")).to_have_count(2)
        assert display_pid() != killed


def test_a_table_that_stops_covers_the_page_and_uncovers_it_once_it_runs_again(
    tmp_path: Path, browser: Browser
) -> None:
    section = DisplaySection(listen="127.0.0.1:0", languages=["en"])
    settings = DisplaySettings(folder=str(tmp_path), table_id=TABLE.table_id, section=section, currency="MOP")
    page = browser.new_page()
    with DisplayChild(settings) as child:
        with ServedTable(tmp_path) as table:
            page.goto(f"{child.home}croupier")
            table.tell(*READY, {"event": "card", "card": "9H"})
            expect(page.locator(".slot.open")).to_have_count(1, timeout=PATIENCE_MS)
        expect(page.locator("#cover")).to_be_visible(timeout=PATIENCE_MS)
        with ServedTable(tmp_path) as table:
            expect(page.locator("#cover")).to_be_hidden(timeout=PATIENCE_MS)
            table.tell({"event": "card", "card": "3D"})
            expect(page.locator(".slot.open")).to_have_count(2, timeout=PATIENCE_MS)
    page.close()


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
        fingers.sign_in("carl")
        other = shown.context.new_page()
        other.goto(f"{shown.home}croupier")
        expect(other.locator("[data-who=id]")).to_have_text("carl")
        shown.page.bring_to_front()
        fingers.sign_in("sara")
        expect(other.locator("[data-who=id]")).to_have_text("sara")
        clock.s += 31
        fingers.press(next(one["key"] for one in fingers.offered() if one["line"].get("by") == "croupier"))
        assert fingers.understood() == "not_permitted"
        expect(shown.page.locator(".nobody")).to_be_visible()


def _kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)

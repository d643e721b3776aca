"""The floor's pages in a browser while tables play: axe, sizes, delay, pictures in `.e2e`."""

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from cardshoe.floor.pages import labels as floor_labels
from cardshoe.floor.pages.language import WORDS
from cardshoe.floor.permissions import PERMISSIONS
from cardshoe.screens.words.display_section import Language
from cardshoe.screens.words.labels import NOT_PERMITTED
from regulations.events import notices
from regulations.events.inputs import AnyInput
from tests.cardshoe.floor.house import ROLES
from tests.cardshoe.floor.many import FloorStage
from tests.cardshoe.floor.postgres import needs_postgres
from tests.e2e.floor_stage import CATCHING_UP_MS, floor_stage, open_page, reloaded_until, settled, sign_in
from tests.e2e.left_open import LeftOpen
from tests.e2e.looking import look
from tests.e2e.stage import NEEDS_CHROMIUM, PATIENCE_MS, SIZES
from tests.kit.certificates import needs_openssl

pytestmark = [NEEDS_CHROMIUM, needs_postgres, needs_openssl, pytest.mark.timeout(1800)]  # 300 journals to be written
LONG: Final = os.environ.get("CARDSHOE_E2E") == "1"
TABLES: Final = 300 if LONG else 4
PICTURES: Final = Path(".e2e/floor")
LANGUAGES: Final[tuple[Language, ...]] = ("zh-Hant", "pt", "en") if LONG else ("zh-Hant",)
LOOKS: Final = [(size, language) for size in (SIZES if LONG else ("small",)) for language in LANGUAGES]
PAGES: Final = {
    "tables": "/tables",
    "table": "/table?id=T-003",
    "irregular-table": "/table?id=T-001",
    "irregularities": "/irregularities",
    "plots": "/plots",
    "report": "/report",
    "rounds": "/rounds",
}
LOOKED_AT: Final = PAGES if LONG else {name: PAGES[name] for name in ("tables", "irregular-table", "plots", "rounds")}
REPORTED: Final[list[tuple[str, Language]]] = (
    [(person, language) for person in ("rosa", "sara", "vera") for language in LANGUAGES] if LONG else [("rosa", "pt")]
)
"""To whom the day report is shown."""
REFUSED: Final[list[tuple[str, str, Language]]] = (
    [
        (path, person, language)
        for path in ("/surveillance", "/report")
        for person, role in ROLES.items()
        if role not in PERMISSIONS[f"GET {path}"].roles
        for language in LANGUAGES
    ]
    if LONG
    else [("/surveillance", "sara", "pt"), ("/report", "theo", "zh-Hant")]
)
DELIVERED: Final = ((60, 60), (50, 520)) if LONG else ((5, 20), (2, 100))
"""Deliveries to a timeline that is left open, and entries of each, of two lines; then it is measured. First the engine
is warm, then 52,000 lines have come."""
ROWS: Final = 200
"""Entries of a timeline."""
REACHED: Final = """(entry) => Number(document.querySelector(".timeline tbody tr").dataset.key.slice(2)) >= entry"""
LAG_S: Final = 1.0
"""Seconds that a page may be behind what is committed."""
SAMPLES: Final = 30


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FloorStage]:
    with floor_stage(tmp_path_factory.mktemp("floor"), TABLES) as stage:
        yield stage


@pytest.mark.parametrize(("size", "language"), LOOKS)
def test_each_page_is_looked_at(floor: FloorStage, browser: Browser, size: str, language: str) -> None:
    for name, path in LOOKED_AT.items():
        page, faults = open_page(browser, floor.home, path, SIZES[size], language)
        settled(page)
        look(page, PICTURES / f"{size}-{language}" / f"{name}.png")
        if name == "report":
            _look_at_print(page, PICTURES / f"{size}-{language}" / "report-printed.png")
        assert faults == []
        page.context.close()


@pytest.mark.parametrize(("size", "language"), LOOKS)
def test_a_round_and_a_timeline_are_looked_at(floor: FloorStage, browser: Browser, size: str, language: str) -> None:
    folder = PICTURES / f"{size}-{language}"
    page, faults = open_page(browser, floor.home, "/surveillance?table=T-003", SIZES[size], language, "vera")
    expect(page.locator("#cover")).to_be_hidden()
    expect(page.locator(".timeline tbody tr")).not_to_have_count(0)
    look(page, folder / "timeline.png")
    page.locator(".timeline .csv").first.click()
    expect(page.locator(".timeline [rel=prev]")).to_have_count(1)
    page.goto(f"{floor.home}/rounds?table=T-003&lang={language}")
    rounds = page.locator("tbody th a")
    reloaded_until(page, rounds)
    rounds.last.click()  # the newest may be open
    expect(page.locator(".round .proved")).to_have_count(1)
    look(page, folder / "round.png")
    _look_at_print(page, folder / "round-printed.png")
    assert faults == []
    page.context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_surveillance_follows_a_table_pauses_and_steps(floor: FloorStage, browser: Browser, language: Language) -> None:
    said = WORDS[language].plain
    page, faults = open_page(browser, floor.home, "/surveillance?table=T-003", SIZES["large"], language, "vera")
    assert page.title().startswith(said(floor_labels.TIMELINE))
    newest = page.locator(".timeline tbody tr").first
    expect(page.locator("#cover")).to_be_hidden()
    floor.change_croupier("T-003", "8200")
    expect(newest).to_contain_text("8200", timeout=PATIENCE_MS)
    expect(newest.locator("time")).to_have_text(re.compile(r"\.\d{3}$"))
    look(page, PICTURES / f"large-{language}" / "timeline-followed.png")
    shown = _entry(page)
    page.get_by_role("link", name=said("Pause")).click()
    expect(page.locator("html")).to_have_attribute("data-page", "")
    assert _entry(page) == shown
    page.locator("[rel=prev]").click()
    page.wait_for_url(f"**entry={shown - 1}**")
    assert _entry(page) == shown - 1
    floor.change_croupier("T-003", "8201")
    page.locator("[rel=next]").click()
    page.wait_for_url(f"**entry={shown}**")
    assert _entry(page) == shown, "the table plays on, and the page stays where it was led"
    look(page, PICTURES / f"large-{language}" / "timeline-paused.png")
    page.get_by_role("link", name=said("Follow")).click()
    expect(newest).to_contain_text("8201", timeout=PATIENCE_MS)
    floor.change_croupier("T-003", "8202")
    expect(newest).to_contain_text("8202", timeout=PATIENCE_MS)
    assert faults == []
    page.context.close()


def test_a_timeline_that_is_left_open_does_not_grow(floor: FloorStage, browser: Browser) -> None:
    count = ROWS + sum(batches * each for batches, each in DELIVERED)
    told: list[AnyInput] = [
        notices.SignedIn(person="8300", role="croupier", place="table_screen"),
        notices.SignedOut(person="8300", place="table_screen", because="asked"),
    ]
    book = floor.played["T-003"].play(told * (count // 2))
    end = len(book.entries) - count + ROWS
    page, faults = open_page(browser, floor.home, "/surveillance?table=T-003", SIZES["large"], "en", "vera")
    left = LeftOpen(page)
    for batches, each in DELIVERED:
        for _ in range(batches):
            end += each
            floor.tables.tell(book, end)
            page.wait_for_function(REACHED, arg=end - 1, timeout=PATIENCE_MS)
        left.measure(book.next_seq(end))
    left.check()
    assert faults == []
    page.context.close()


def _entry(page: Page) -> int:
    return int((page.locator(".timeline tbody tr").first.get_attribute("data-key") or "").removeprefix("e-"))


@pytest.mark.parametrize(("person", "language"), REPORTED)
def test_the_day_report_adds_up_and_leads_to_its_rounds(
    floor: FloorStage, browser: Browser, person: str, language: Language
) -> None:
    page, faults = open_page(browser, floor.home, f"/report?day={floor.day}", SIZES["large"], language, person)
    assert page.title().startswith(WORDS[language].plain(floor_labels.NAV["report"]))
    head = [*floor_labels.NAV, *(floor_labels.WATCHING if person == "vera" else ())]
    assert page.locator(".head nav a").count() == len(head)
    with floor.tables.held():
        _reloaded_until_counted(floor, page)
        look(page, PICTURES / f"large-{language}" / f"report-{person}.png")
        rows = [_numbers(one) for one in page.locator(".played tbody tr").all_inner_texts()]
        (total,) = [_numbers(one) for one in page.locator(".played tfoot tr").all_inner_texts()]
        assert len(rows) >= 3
        assert total == [sum(column) for column in zip(*rows, strict=True)]
        by_hand = page.locator(".acts-of").filter(has=page.locator("td:nth-child(7)")).first.locator("tbody tr")
        kinds = by_hand.evaluate_all("all => all.map((one) => [one.cells[0].innerText, one.cells[1].innerText].join())")
        assert len(kinds) == len({*kinds}) > 0, "a table without a reader has one line, not one for each card"
        figure = page.locator(".played tbody tr:last-child td:nth-child(2) a")
        count = int(figure.inner_text())
        figure.click()
        expect(page.locator("tbody th a")).to_have_count(count)
    assert faults == []
    page.context.close()


def _reloaded_until_counted(floor: FloorStage, page: Page) -> None:
    """Until the floor has read all that was delivered, and two reports in a row have the same figures."""
    report = page.url
    page.goto(f"{floor.home}/tables")
    expect(page.locator("#cover")).to_be_hidden(timeout=CATCHING_UP_MS)
    expect(page.locator(".sum p.lag:not(:has(b))")).to_have_count(0, timeout=CATCHING_UP_MS)
    page.goto(report)
    before, now = "", page.locator(".played tbody").inner_text()
    patience = time.monotonic() + PATIENCE_MS / 1000
    while not (before and before == now) and time.monotonic() < patience:
        page.reload()
        before, now = now, page.locator(".played tbody").inner_text()


def _numbers(row: str) -> list[int]:
    return [int(re.sub(r"[.,]", "", one.replace("−", "-"))) for one in row.split("\t")[1:]]


@pytest.mark.parametrize(("path", "person", "language"), REFUSED)
def test_another_role_is_refused_in_its_language(
    floor: FloorStage, browser: Browser, path: str, person: str, language: Language
) -> None:
    page = browser.new_context(viewport={"width": 1024, "height": 600}).new_page()
    page.goto(f"{floor.home}{path}?lang={language}")
    with page.expect_navigation(url=f"**{path}?**") as answer:
        sign_in(page, person)
    assert answer.value.status == 403
    expect(page.locator("[role=alert]")).to_have_text(WORDS[language].plain(NOT_PERMITTED))
    look(page, PICTURES / f"small-{language}" / f"refused-{path[1:]}-{person}.png")
    page.context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sign_in_is_looked_at(floor: FloorStage, browser: Browser, language: str) -> None:
    page = browser.new_context(viewport={"width": 1024, "height": 600}).new_page()
    page.goto(f"{floor.home}/irregularities?lang={language}")
    look(page, PICTURES / f"small-{language}" / "sign-in.png")
    sign_in(page, "vera", "000000")
    expect(page.locator("[role=alert]")).to_have_count(1)
    look(page, PICTURES / f"small-{language}" / "sign-in-refused.png")
    sign_in(page, "vera")
    # Where the browser wanted to go, in its language.
    expect(page).to_have_url(f"{floor.home}/irregularities?lang={language}")
    page.locator(".who-is-here button").click()
    page.goto(f"{floor.home}/report")
    expect(page.locator("#pin")).to_have_count(1)
    page.context.close()


def test_a_change_leaves_focus_and_scroll_and_reaches_each_tab(floor: FloorStage, browser: Browser) -> None:
    page, faults = open_page(browser, floor.home, "/tables", (320, 200), "en")
    settled(page)
    page.locator("[data-key='t-T-004'] a:not(.to-round)").focus()
    page.evaluate("() => { window.kept = document.activeElement; }")
    assert page.evaluate("() => document.scrollingElement.scrollTop") > 0
    floor.change_croupier("T-004", "8100")
    _wait_for_tile(page, "T-004", "8100")
    assert page.evaluate("() => window.kept === document.activeElement && window.kept.isConnected")
    # What stands above may have become shorter: the tile is in sight as before.
    expect(page.locator("[data-key='t-T-004'] a:not(.to-round)")).to_be_in_viewport()
    # A tab that comes later has what the others were sent before, and then the same changes.
    later = page.context.new_page()
    later.goto(f"{floor.home}/tables?lang=en")
    settled(later)
    floor.change_croupier("T-003", "8101")
    for tab in (page, later):
        _wait_for_tile(tab, "T-003", "8101")
        _wait_for_tile(tab, "T-004", "8100")
    assert faults == []
    page.context.close()


def _wait_for_tile(page: Page, table: str, text: str) -> None:
    page.wait_for_function(
        "([key, text]) => document.querySelector(`[data-key='${key}']`).textContent.includes(text)",
        arg=[f"t-{table}", text],
        timeout=PATIENCE_MS,
    )


def _look_at_print(page: Page, picture: Path) -> None:
    page.set_viewport_size({"width": 1046, "height": 740})
    page.emulate_media(media="print")
    if LONG:
        page.screenshot(path=picture)
    assert page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    overlaps = "() => [...document.querySelectorAll('.wide')].some((one) => one.scrollWidth > one.clientWidth + 1)"
    assert not page.evaluate(overlaps), "a table is wider than its place on the paper"


def test_what_is_committed_is_on_the_page(floor: FloorStage, browser: Browser) -> None:
    page, faults = open_page(browser, floor.home, "/tables", SIZES["large"], "en")
    settled(page)
    expect(page.locator(".tile")).to_have_count(TABLES)
    waited = []
    for number in range(SAMPLES if LONG else 1):
        table = f"T-{4 + number % (TABLES - 3):03}"
        committed_s = floor.change_croupier(table, f"8{number:03}")
        _wait_for_tile(page, table, f"8{number:03}")
        waited.append(time.time() - committed_s)
    waited.sort()
    middle, longest = waited[len(waited) // 2], waited[-1]
    measured = f"tables={TABLES} samples={len(waited)} p50={middle:.2f} s max={longest:.2f} s"
    print(f"floor page: {measured}")  # noqa: T201  # measured
    assert faults == []
    assert not LONG or middle <= LAG_S
    page.context.close()

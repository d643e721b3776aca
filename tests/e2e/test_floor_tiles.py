"""The floor's page of all tables, rendered without a floor: tiles grow as tables are fewer, and cut no text."""

from datetime import UTC, datetime
from importlib import resources
from typing import Final

import msgspec
import pytest
from playwright.sync_api import Browser, Page, Route

from cardshoe.floor.database import Database
from cardshoe.floor.facts.fold import LogState
from cardshoe.floor.facts.projector import Known, StreamRow
from cardshoe.floor.pages.all_tables import AllTables
from cardshoe.floor.pages.poller import TablePoller
from cardshoe.floor.pages.rendering import Here, Templates
from cardshoe.floor.pages.settings import PagesSettings
from cardshoe.floor.pages.tiles import DETAILED_MAX, Tiles
from cardshoe.screens.rounds.parts import RoundsState, StaffAtPlace
from cardshoe.screens.view import TableView
from cardshoe.screens.words.display_section import LANGUAGE_NAMES, Language
from regulations.games.registry import NAMES
from tests.cardshoe.screens.view.support import copy_of
from tests.e2e.gallery import HOME, at_prompts
from tests.e2e.looking import look
from tests.e2e.stage import LONG, NEEDS_CHROMIUM, PICTURES, SIZES

pytestmark = [NEEDS_CHROMIUM, pytest.mark.timeout(300)]
CROUPIER: Final = StaffAtPlace(person="carolina.fernandes", role="croupier")
AT: Final = datetime(2026, 11, 21, tzinfo=UTC)
COUNTS: Final = (1, 6, DETAILED_MAX, 40, 120, 300) if LONG else (1, 6, DETAILED_MAX, 300)
FOLDERS: Final = {"static/": resources.files("cardshoe.screens") / "static"}
_CUT: Final = """() => [...document.querySelectorAll(".tile :is(a, p, b, i, em, small, span)")]
  .filter((one) => one.checkVisibility() && getComputedStyle(one).display !== "inline")
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || getComputedStyle(one).textOverflow === "ellipsis")
  .map((one) => [one.tagName, one.className, one.textContent.trim(), one.scrollWidth, one.clientWidth])"""
_SIZE: Final = """() => [parseFloat(getComputedStyle(document.querySelector(".tile em")).fontSize),
  document.querySelector(".tile").getBoundingClientRect().width]"""


def rows(count: int) -> list[tuple[StreamRow, TableView]]:
    """So many tables, each game in turn, in the middle of a round."""
    found = []
    for number in range(count):
        game = NAMES[number % len(NAMES)]
        views = at_prompts(game, "tracked")
        view = copy_of(max(views.values(), key=lambda one: len(one.round.cards) if one.round else 0))
        name = f"T-{number + 1:03}"
        row = StreamRow(name, view.log, None, game, "", view.seq, view.seq, view.seq, "", AT, AT)
        found.append((row, view))
    return found


def show(page: Page, tables: list[tuple[StreamRow, TableView]], language: Language) -> None:
    """Shows a floor of these tables."""
    board = TablePoller(Database.__new__(Database))
    rounds = RoundsState(signed_in={"table": CROUPIER})
    known = [Known(stream=row, state=LogState(view=view, rounds=rounds), last=view.seq) for row, view in tables]
    board.take(Tiles().of(iter(known), [], AT))
    templates = Templates(PagesSettings())
    whole = AllTables(templates, board).whole(language)
    here = Here(path="/tables", query={}, language=language)
    html = templates.page(
        "live", here, name="tables", title="", stream="", main=whole.html, id=whole.id, why_not="", build="x", digits=2
    )

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(HOME).partition("?")[0]
        folder = next((one for one in FOLDERS if path.startswith(one)), None)
        if folder is None:
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        else:
            kind = "text/css" if path.endswith("css") else "image/svg+xml"
            route.fulfill(body=(FOLDERS[folder] / path.removeprefix(folder)).read_bytes(), content_type=kind)

    page.unroute_all()
    page.route(f"{HOME}**", answer)
    page.goto(f"{HOME}tables")


@pytest.mark.parametrize("language", LANGUAGE_NAMES if LONG else ["pt"])
def test_tiles_grow_as_tables_are_fewer_and_cut_no_text(browser: Browser, language: Language) -> None:
    width, height = SIZES["large"]
    page = browser.new_context(viewport={"width": width, "height": height}).new_page()
    sizes = []
    for count in COUNTS:
        show(page, rows(count), language)
        assert page.evaluate(_CUT) == [], count
        text, wide = page.evaluate(_SIZE)
        sizes.append((text, wide))
        if LONG or count <= DETAILED_MAX:  # axe takes seconds for 300 tiles
            look(page, PICTURES / f"floor-tiles-{count}-{language}.png")
    texts = [text for text, _ in sizes]
    assert texts == sorted(texts, reverse=True)
    assert (texts[0], texts[-1]) == (20, 12)
    assert sizes[2][1] >= 400
    page.context.close()


def test_up_to_twelve_tables_show_hands_wagers_croupier_and_road(browser: Browser) -> None:
    width, height = SIZES["large"]
    page = browser.new_context(viewport={"width": width, "height": height}).new_page()
    show(page, rows(DETAILED_MAX), "en")
    baccarat = page.locator(".tile").first
    view = rows(1)[0][1]
    assert view.round is not None
    shown = [card for card in view.round.cards if card.card]
    assert baccarat.locator(".dealt-now .corner:not(.down)").count() == len(shown)
    assert baccarat.locator(".wager").count() == len(view.round.wagers)
    assert "carolina.fernandes" in baccarat.inner_text()
    assert baccarat.locator(".road circle").count() >= 1
    show(page, rows(DETAILED_MAX + 1), "en")
    assert page.locator(".dealt-now, .wager, .road").count() == 0
    page.context.close()


def test_a_card_that_lies_face_down_is_no_card_of_a_tile(browser: Browser) -> None:
    page = browser.new_page()
    (row, view) = rows(1)[0]
    assert view.round is not None
    view.round.cards[0] = msgspec.structs.replace(view.round.cards[0], card=None)
    show(page, [(row, view)], "en")
    assert page.locator(".corner.down").count() == 1
    assert page.locator(".corner:not(.down)").count() == len(view.round.cards) - 1
    page.close()

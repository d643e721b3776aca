"""The players' board: the whole of any shoe game fits on every screen, in every language, and can be read from afar."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec
import pytest
from playwright.sync_api import Browser

from cardshoe.screens.view import TableView
from cardshoe.screens.words.display_section import LANGUAGE_NAMES, Language
from regulations.games.registry import GAMES
from tests.cardshoe.screens.view.support import copy_of
from tests.e2e.gallery import hang, long_shoe, still_page
from tests.e2e.looking import look
from tests.e2e.stage import LONG, NEEDS_CHROMIUM, PICTURES

pytestmark = [NEEDS_CHROMIUM, pytest.mark.timeout(300)]
ROUNDS_MAX: Final = 102
"""Of eight decks: rounds of four cards, (416 - 8 burned) / 4."""
WIDE: Final = ("small", "large", "portrait")
LANGUAGES: Final[list[list[Language]]] = [*([one] for one in LANGUAGE_NAMES), ["zh-Hant", "pt"]]
_BELOW: Final = """() => [document.documentElement.scrollHeight - innerHeight,
  document.documentElement.scrollWidth - innerWidth]"""
_CUT: Final = """() => [...document.querySelectorAll("main :is(h2, p, dt, dd, li, figcaption)")]
  .filter((one) => one.checkVisibility() && !one.matches(".progress, .strip *"))
  .filter((one) => getComputedStyle(one).display !== "inline" && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent.trim())"""
_MET: Final = """() => {
  const inside = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getBoundingClientRect();
  };
  const boxes = [...document.querySelectorAll("main :is(figure, dt, dd, .asked li, .last h2, .dealt .points)")]
    .filter((one) => one.checkVisibility() && one.getClientRects().length)
    .map((one) => [one.textContent.trim().slice(0, 20), inside(one)]);
  // What stands above a letter and below it may meet the next line's.
  return boxes.flatMap(([a, x], at) => boxes.slice(at + 1)
    .filter(([, y]) => x.left < y.right - 1 && y.left < x.right - 1 && x.top < y.bottom - 8 && y.top < x.bottom - 8)
    .map(([b]) => [a, b]));
}"""
_PIXELS: Final = """(wanted) => Math.min(...[...document.querySelectorAll(wanted)]
  .map((one) => parseFloat(getComputedStyle(one).fontSize)))"""
_CELL: Final = """(road) => {
  const svg = document.querySelector(`.${road} svg`);
  return svg.getBoundingClientRect().height / 6;
}"""


def shoe_of(outcomes: str) -> TableView:
    """A board of baccarat with these outcomes, limits on each bet and between the sides."""
    view = copy_of(long_shoe("baccarat"))
    pattern = view.results[0]
    assert isinstance(pattern.result, dict)
    view.results = [
        msgspec.structs.replace(
            pattern,
            round=number,
            result={
                **pattern.result,
                "outcome": {"B": "banker", "P": "player", "T": "tie"}[one],
                "pairs": ["player", "banker"],
            },
        )
        for number, one in enumerate(outcomes, start=1)
    ]
    view.round = None
    return limited(view)


def limited(view: TableView) -> TableView:
    """A table with limits on each bet."""
    assert view.profile is not None
    bets = sorted(GAMES[view.profile.game].sheet.bets.all)
    limits: dict[str, Any] = {
        bet: {"least": 10_000, "most": 500_000_000 >> number % 2} for number, bet in enumerate(bets)
    }
    if view.profile.game == "baccarat":
        limits["difference"] = 100_000_000
    view.profile.options = {**view.profile.options, "limits": limits}
    return view


def boards() -> Iterator[tuple[str, TableView, int]]:
    """Name, view, and cells of the big road."""
    yield "alternating", shoe_of("BP" * (ROUNDS_MAX // 2)), ROUNDS_MAX
    yield "a-dragon", shoe_of("B" * ROUNDS_MAX), ROUNDS_MAX
    yield "pairs-of-wins", shoe_of("BBPPT" * (ROUNDS_MAX // 5)), ROUNDS_MAX // 5 * 4


@pytest.mark.parametrize("size", WIDE)
def test_the_longest_shoe_game_is_seen_whole(browser: Browser, size: str) -> None:
    page = still_page(browser, size)
    for languages in LANGUAGES if LONG else LANGUAGES[2:]:
        for name, view, wins in boards():
            hang(page, "board", view, languages)
            assert page.evaluate(_BELOW) == [0, 0], (name, languages)
            assert page.evaluate(_CUT) == [], (name, languages)
            assert page.evaluate(_MET) == [], (name, languages)
            assert page.locator(".big_road .cell").count() == wins
            assert page.locator(".bead_plate .cell").count() == len(view.results)
            assert "cards dealt" not in page.inner_text("main")
    page.context.close()


@pytest.mark.parametrize("size", WIDE)
def test_limits_of_each_game_are_shown_whole(browser: Browser, size: str) -> None:
    page = still_page(browser, size)
    for game in GAMES if LONG else ("blackjack", "three_card_baccarat"):
        for languages in LANGUAGES if LONG else LANGUAGES[1:2]:
            hang(page, "board", limited(copy_of(long_shoe(game))), languages)
            assert page.evaluate(_BELOW) == [0, 0], (game, languages)
            assert page.evaluate(_CUT) == [], (game, languages)
            assert page.locator(".limits dd").first.inner_text() in ("100–5,000,000", "100–2,500,000")
            look(page, PICTURES / f"board-{size}-{'-'.join(languages)}-{game}.png")
    page.context.close()


def test_it_is_read_from_three_metres(browser: Browser) -> None:
    """Pixels at 1920 by 1080; on a screen of 32 inches, 0.37 mm each, 27 are 10 mm: 1/300 of three metres."""
    page = still_page(browser, "large")
    hang(page, "board", limited(copy_of(long_shoe("baccarat"))), ["zh-Hant", "en"])
    for wanted in (".last h2", ".dealt .points", ".counts dd", ".limits dd", ".limits .commission dt", ".asked li"):
        assert page.evaluate(_PIXELS, wanted) >= 27, wanted
    assert page.evaluate(_CELL, "big_road") >= 33
    assert page.evaluate(_CELL, "bead_plate") >= 33
    assert page.evaluate(_CELL, "big_eye_boy") == pytest.approx(page.evaluate(_CELL, "big_road") / 2, rel=0.03)
    page.context.close()

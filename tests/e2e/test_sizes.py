"""Busy states of the pages fit a screen of 1024 by 600 pixels, and no text there is below 14 pixels."""

import json
from typing import Any, Final

import pytest
from playwright.sync_api import Browser

from cardshoe.screens.words.display_section import Language
from regulations.events.codec import decode_input
from tests.cardshoe.table.live.support import READY, TABLE
from tests.e2e.gallery import hang, still_page, views
from tests.e2e.stage import NEEDS_CHROMIUM, SIZES
from tests.kit.command import Line

pytestmark = [NEEDS_CHROMIUM, pytest.mark.timeout(120)]
TEXT_MIN: Final = 14
"""CSS pixels."""
CHIPS_APART: Final = 8
_SMALL: Final = """(least) => [...document.querySelectorAll("body *")]
  .filter((one) => one.checkVisibility() && one.getClientRects().length && !one.closest(".gone, svg"))
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
  .filter((one) => parseFloat(getComputedStyle(one).fontSize) < least)
  .map((one) => [one.textContent.trim(), getComputedStyle(one).fontSize])"""
_HIGHER: Final = "() => document.documentElement.scrollHeight - innerHeight"
_GAPS: Final = """() => [...document.querySelectorAll(".stack .act")].map((one) => one.getBoundingClientRect())
  .map((box, at, all) => (at ? box.left - all[at - 1].right : Infinity))"""
WAGERS: Final = [
    {"seat": seat, "bet": bet, "stake": stake}
    for seat, bet, stake in ((1, "banker", 10000), (2, "player", 20000), (5, "player", 30000), (7, "banker", 100000))
]
DEALT: Final[list[Line]] = [
    *READY,
    {"event": "bets_closed", "seats": [1, 2, 5, 7], "wagers": WAGERS},
    *({"event": "card", "card": card, "device": "shoe"} for card in ("9H", "3D", "KS", "4C")),
]
WRONG: Final[Line] = {"event": "misdeal", "detail": "card_entered_wrongly"}
NAMED: Final[Line] = {
    "event": "resolve",
    "irregularity": 1,
    "action": "identify",
    "cards": [{"index": 1, "card": "6H"}],
    "ground": "misread",
    "by": ["cara", "sara"],
}
STATES: Final[dict[str, list[Line]]] = {
    "bets": [*READY],
    "misdeal": [*DEALT, WRONG],
    "changed": [*DEALT, WRONG, NAMED],
    "fault": [*DEALT, {"event": "fault", "code": 3, "device": "shoe", "raw": "00"}],
}


@pytest.mark.parametrize(("size", "least"), [("small", 46), ("portrait", 80), ("large", 90)])
def test_the_pin_pad_is_as_large_as_the_screen_allows(browser: Browser, size: str, least: int) -> None:
    page = still_page(browser, size)
    *_, view = views(TABLE, [decode_input(json.dumps(line)) for line in READY])
    hang(page, "croupier", view, ["zh-Hant", "pt"])
    page.locator("#who").tap()
    for key in page.locator("#ask-person .digits button").all():
        box = key.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= least
    assert page.evaluate(
        "(() => { const box = document.querySelector('#ask-person'); return box.scrollHeight <= box.clientHeight; })()"
    )
    page.context.close()


@pytest.mark.parametrize("languages", [["zh-Hant", "pt"], ["pt"]])
def test_nothing_is_too_small_or_below_the_edge(browser: Browser, languages: list[Language]) -> None:
    page = still_page(browser, "small")
    assert SIZES["small"] == (1024, 600)
    for name, lines in STATES.items():
        *_, view = views(TABLE, [decode_input(json.dumps(line)) for line in lines])
        for which in ("croupier", "board"):
            hang(page, which, view, languages)
            small: list[Any] = page.evaluate(_SMALL, TEXT_MIN)
            assert small == [], (name, which)
            assert page.evaluate(_HIGHER) <= 0, (name, which)
        hang(page, "croupier", view, languages)
        assert min(page.evaluate(_GAPS) or [CHIPS_APART]) >= CHIPS_APART
    page.context.close()

"""Hands, seats and prompt stay where they are from the bets to the payments, in each game and on each screen."""

from typing import Any, Final

import pytest
from playwright.sync_api import Browser

from cardshoe.screens.words.display_section import Language
from regulations.events.vocabulary import Game
from regulations.games.registry import NAMES
from tests.e2e.gallery import at_prompts, hang, still_page
from tests.e2e.stage import LONG, NEEDS_CHROMIUM, PICTURES, SIZES

pytestmark = [NEEDS_CHROMIUM, pytest.mark.timeout(600)]
SCREENS: Final = ("small", "large", "portrait")
PHASES: Final = ("betting", "dealing", "deciding", "choosing", "revealing", "paying")
LANGUAGES: Final[list[list[Language]]] = [["zh-Hant", "pt"], ["en"], ["pt"]] if LONG else [["zh-Hant", "pt"]]
_BOXES: Final = """() => {
  const found = {};
  const add = (name, one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    found[name] = [x, y, width, height].map(Math.round);
  };
  for (const one of document.querySelectorAll(".prompt")) add("prompt", one);
  for (const [at, one] of document.querySelectorAll(".top").entries()) add(`top ${at}`, one);
  const seen = (one) => one.checkVisibility({ visibilityProperty: true });
  const all = (which) => [...document.querySelectorAll(which)].filter(seen);
  for (const one of all(".seat h3, .place")) add(`seat ${one.textContent.trim()}`, one);
  for (const one of all(".hand .slot:first-child")) add(one.dataset.key, one);
  return found;
}"""
_BEYOND: Final = """() => {
  const page = document.documentElement;
  const beyond = [...document.querySelectorAll(".prompt, .acts > button, .top, .seat h3, .under, .tools, .bets, .pad")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => {
      const box = one.getBoundingClientRect();
      const felt = one.closest(".desk") && document.querySelector(".felt");
      return (felt && box.bottom > felt.getBoundingClientRect().top)
        || one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 4
        || box.bottom > innerHeight + 1 || box.right > innerWidth + 1;
    })
    .concat([...document.querySelectorAll(".felt > .pad")].flatMap((pad) =>
      [...document.querySelectorAll(".seat .chip")]
        .filter((one) => one.getBoundingClientRect().bottom > pad.getBoundingClientRect().top + 1)))
    .map((one) => [one.className || one.tagName, one.textContent.trim().replace(/\\s+/g, " ").slice(0, 60)]);
  return page.scrollHeight > innerHeight ? [...beyond, ["page", page.scrollHeight]] : beyond;
}"""


@pytest.mark.parametrize("languages", LANGUAGES, ids="-".join)
@pytest.mark.parametrize("reads", [False, True] if LONG else [False])
@pytest.mark.parametrize("game", NAMES)
def test_hands_seats_and_prompt_never_move(
    browser: Browser, game: Game, reads: bool, languages: list[Language]
) -> None:
    stakes = ["tracked", "untracked"] if LONG or game == "baccarat" else ["tracked"]
    faults: list[object] = []
    page = still_page(browser, SCREENS[0])
    for told in stakes:
        first: dict[tuple[str, str], Any] = {}
        views = at_prompts(game, told, reads=reads)
        for phase in filter(views.get, PHASES):
            hang(page, "croupier", views[phase], languages)
            name = f"{game}-{told}-{phase}{'-read' if reads else ''}"
            for size in SCREENS:
                width, height = SIZES[size]
                page.set_viewport_size({"width": width, "height": height})
                if LONG:
                    page.screenshot(path=PICTURES / f"{size}-{'-'.join(languages)}" / f"{name}.png")
                boxes = {(size, key): box for key, box in page.evaluate(_BOXES).items()}
                moved = {key: (first[key], box) for key, box in boxes.items() if first.setdefault(key, box) != box}
                faults += [(size, name, one) for one in (*moved.items(), *page.evaluate(_BEYOND))]
        assert {(size, key) for size in SCREENS for key in ("prompt", "top 0", "seat 1")} <= set(first)
    page.context.close()
    assert faults == []

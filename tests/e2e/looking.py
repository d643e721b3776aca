"""Checks of every page: axe's findings, contrast, and the size of what is touched."""

from pathlib import Path
from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.e2e.stage import LONG

TAGS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PROMPTS_MIN: Final = 7.0
"""Contrast of what the croupier must read at a glance."""
TOUCH_MIN: Final = 44
"""CSS pixels of what is touched, in both directions."""
_CONTRASTS: Final = """() => {
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((one) => one / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const parts = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const behind = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const [r, g, b, alpha = 1] = parts(getComputedStyle(at).backgroundColor);
      if (alpha === 1) return [r, g, b];
    }
    return [10, 20, 17];
  };
  const seen = (one) => one.checkVisibility() && one.getClientRects().length;
  const wanted = [".prompt h2", ".irregular h2", ".acts .says", ".way b", "#cover h2"]
    .flatMap((one) => [`${one} .l1`, `${one} .l2`]).join();
  return [...document.querySelectorAll(wanted)].filter(seen).map((one) => {
    const front = light(parts(getComputedStyle(one).color));
    const back = light(behind(one));
    return [one.textContent, (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05)];
  });
}"""
_TARGETS: Final = """() => [...document.querySelectorAll("button, summary")]
  .filter((one) => one.checkVisibility() && !one.disabled)
  .map((one) => [one.textContent.trim() || one.dataset.key, one.getBoundingClientRect()])
  .map(([name, box]) => [name, Math.round(box.width * 10) / 10, Math.round(box.height * 10) / 10])"""
_WIDER: Final = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def look(page: Page, picture: Path | None = None, *, keeps: bool = LONG) -> None:
    """Looks at a page.

    Args:
        page: as it stands.
        picture: where a picture of it is kept; ``None``: nowhere.
        keeps: false, as in the short form: no picture is kept.

    Raises:
        AssertionError: something is not as it must be.
    """
    page.wait_for_load_state()  # a link followed is in the document before its style sheets are
    if picture is not None and keeps:
        picture.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=picture)
    found = Axe().run(
        page, options={"runOnly": {"type": "tag", "values": TAGS}, "rules": {"target-size": {"enabled": True}}}
    )
    assert found.violations_count == 0, found.generate_report()
    contrasts: list[Any] = page.evaluate(_CONTRASTS)
    assert [one for one in contrasts if one[1] < PROMPTS_MIN] == []
    small = [one for one in page.evaluate(_TARGETS) if min(one[1:]) < TOUCH_MIN]
    assert small == [], small
    assert page.evaluate(_WIDER) <= 0, "the page is wider than the screen"

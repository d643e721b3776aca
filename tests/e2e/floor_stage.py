"""A browser that looks at a floor with many tables that play."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Locator, Page, expect

from tests.cardshoe.floor import many
from tests.cardshoe.floor.house import PINS
from tests.cardshoe.floor.many import FloorStage
from tests.cardshoe.floor.postgres import Postgres
from tests.cardshoe.floor.site import Site

CATCHING_UP_MS: Final = 300_000


@contextmanager
def floor_stage(folder: Path, count: int) -> Iterator[FloorStage]:
    """A floor with so many tables, on a database of its own."""
    with (
        Postgres() as postgres,
        many.floor_stage(folder, Site(folder / "site"), postgres.database("floor"), count) as one,
    ):
        yield one


def open_page(
    browser: Browser, home: str, path: str, size: tuple[int, int], language: str, person: str = "sara"
) -> tuple[Page, list[str]]:
    """A page as a browser has it, and what its script ran into."""
    width, height = size
    page = browser.new_context(viewport={"width": width, "height": height}).new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.goto(f"{home}{path}{'&' if '?' in path else '?'}lang={language}")
    sign_in(page, person)
    page.wait_for_url(lambda url: "/sign-in" not in url)  # until loaded: between two pages it has no title
    return page, faults


def sign_in(page: Page, person: str = "sara", pin: str = "") -> None:
    """Signs in where a page has led to the sign-in, or tries to; a person is signed in at one browser."""
    page.locator("#id").fill(person)
    page.locator("#pin").fill(pin or PINS[person])
    page.locator(".asks button").click()


def reloaded_until(page: Page, one: Locator) -> None:
    """Reloads a page that does not change by itself until what was delivered before it is counted."""
    patience = time.monotonic() + CATCHING_UP_MS / 1000
    while not one.count() and time.monotonic() < patience:
        page.reload()


def settled(page: Page) -> None:
    """Waits until a page is current; what was stored before it came is read, and all tables were heard of since."""
    if page.locator("#cover").count():
        expect(page.locator("#cover")).to_be_hidden(timeout=CATCHING_UP_MS)
        expect(page.locator("#shown .tiles, #shown .felt-side h1")).not_to_have_count(0)
        expect(page.locator("#clock")).not_to_have_text("--:--:--")
    if page.locator(".sum").count():
        expect(page.locator(".sum .away, .sum p.lag:not(:has(b))")).to_have_count(0, timeout=CATCHING_UP_MS)

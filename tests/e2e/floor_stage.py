"""A floor with many tables that play, its collector and pages as a process, and a browser that looks at them."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, expect

from cardshoe.journal.delivery.wire import Has
from regulations.events import notices
from tests.cardshoe.floor.filling import GAMES, Going, Played, filling, introduced, shoe_game, troubled
from tests.cardshoe.floor.house import PINS, everybody, roll_in
from tests.cardshoe.floor.postgres import Postgres
from tests.cardshoe.floor.site import Collector, Site
from tests.cardshoe.floor.tables import names

APART_S: Final = 12.0
"""Seconds from one input to the next: so a table has been open for an hour or two."""
LAGS: Final = 4
"""A table that has more lines than it has delivered."""
TROUBLED: Final = 23
"""Each such table is in some trouble."""
CATCHING_UP_MS: Final = 300_000
LEFT: Final = 40
"""Lines that each table has not delivered yet when the looking begins."""
LINES_PER_S: Final = 175.0
"""The mean load of 300 tables (docs/adr/0046-the-journal-is-the-outbox.md)."""


@dataclass
class FloorStage:
    """A floor and who looks at it.

    Attributes:
        home: the address of the pages.
        tables: what goes on.
        played: the journals, by table.
    """

    home: str
    tables: Going
    played: dict[str, Played]

    def change_croupier(self, table: str, person: str) -> float:
        """Another croupier signs in; the time at which that was committed."""
        book = self.played[table].play([notices.SignedIn(person=person, role="croupier", place="table_screen")])
        return self.tables.tell(book)


@contextmanager
def floor_stage(folder: Path, count: int) -> Iterator[FloorStage]:
    """A floor with so many tables."""
    games = [
        (game, shoe_game(game, 12, seed=number, mistakes=0.12 if number % 3 == 0 else 0, by_hand=number == 1))
        for number, game in enumerate(GAMES)
    ]
    rng, now = random.Random(count), datetime.now(UTC)
    site = Site(folder / "site")
    state = folder / "state"
    state.mkdir(mode=0o700)
    with Postgres() as postgres:
        address = postgres.database("floor")
        with filling(address, folder / "filler") as (_, filler):
            played, books = {}, {}
            for number, name in enumerate(names(count)):
                game, told = games[number % len(games)]
                table = Played(folder / name, name, game, now - timedelta(seconds=APART_S * len(told)), APART_S)
                more = troubled(rng) if number % TROUBLED == 0 else []
                told = told[: len(told) - rng.randrange(2, 40)]
                book = table.play([*introduced(number, f"{7000 + number % 90}"), *told, *more])
                upto = len(book.entries) if more else max(2, len(book.entries) - LEFT)
                filler.deliver(book, 0, upto, is_all=number != LAGS)
                played[name], books[name] = table, (book, upto)
            # Somebody uses a table's certificate for another table.
            everybody(roll_in(state))
            filler.collector.marks("T-002", Has(table="T-001", sender="0" * 32, logs=[]))
            with Going(filler, books, LINES_PER_S) as going, Collector(site, state, address) as floor:
                yield FloorStage(floor.read, going, played)


def open_page(browser: Browser, home: str, path: str, size: tuple[int, int], language: str) -> tuple[Page, list[str]]:
    """A page as a browser has it, and what its script ran into."""
    width, height = size
    page = browser.new_context(viewport={"width": width, "height": height}).new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.goto(f"{home}{path}{'&' if '?' in path else '?'}lang={language}")
    sign_in(page)
    expect(page.locator("#pin")).to_have_count(0)
    return page, faults


def sign_in(page: Page, person: str = "sara", pin: str = "") -> None:
    """Signs in where a page has led to the sign-in, or tries to; a person is signed in at one browser."""
    page.locator("#id").fill(person)
    page.locator("#pin").fill(pin or PINS[person])
    page.locator(".asks button").click()


def settled(page: Page) -> None:
    """Waits until a page is current; what was stored before it came is read, and all tables were heard of since."""
    if page.locator("#cover").count():
        expect(page.locator("#cover")).to_be_hidden(timeout=CATCHING_UP_MS)
        expect(page.locator("#shown .tiles, #shown .felt-side h1")).not_to_have_count(0)
        expect(page.locator("#clock")).not_to_have_text("--:--:--")
    if page.locator(".sum").count():
        expect(page.locator(".sum .away, .sum p.lag:not(:has(b))")).to_have_count(0, timeout=CATCHING_UP_MS)

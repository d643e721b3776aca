"""A floor with many tables that play: journals in a real database, and its collector and pages as a process."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

from cardshoe.floor.pages.days import ZONE
from cardshoe.journal.delivery.wire import Has
from regulations.events import notices
from tests.cardshoe.floor.filling import GAMES, Going, Played, filling, introduced, shoe_game, troubled
from tests.cardshoe.floor.house import everybody, roll_in
from tests.cardshoe.floor.site import Collector, Site
from tests.cardshoe.floor.tables import names

APART_S: Final = 12.0
"""Seconds from one input to the next: so a table has been open for an hour or two."""
LAGS: Final = 4
"""A table that has more lines than it has delivered."""
TROUBLED: Final = 23
"""Each such table is in some trouble."""
LEFT: Final = 40
"""Entries that each table has not delivered yet when the looking begins."""
LINES_PER_S: Final = 175.0
"""The mean load of 300 tables (docs/adr/0046-the-journal-is-the-outbox.md)."""


@dataclass
class FloorStage:
    """A floor and who looks at it.

    Attributes:
        day: the date in Macau of half an hour or more of play before the floor began.
    """

    home: str
    day: date
    floor: Collector
    tables: Going
    played: dict[str, Played]

    def change_croupier(self, table: str, person: str) -> float:
        """Another croupier signs in; the time at which that was committed."""
        book = self.played[table].play([notices.SignedIn(person=person, role="croupier", place="table_screen")])
        return self.tables.tell(book)


@contextmanager
def floor_stage(folder: Path, site: Site, address: str, count: int) -> Iterator[FloorStage]:
    """A floor with so many tables.

    Args:
        address: of an empty database.
    """
    games = [
        (game, shoe_game(game, 12, seed=number, mistakes=0.12 if number % 3 == 0 else 0, by_hand=number == 1))
        for number, game in enumerate(GAMES)
    ]
    rng, now = random.Random(count), datetime.now(UTC)
    state = folder / "state"
    state.mkdir(mode=0o700)
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
            yield FloorStage(floor.read, (now.astimezone(ZONE) - timedelta(minutes=30)).date(), floor, going, played)

"""The time that a search takes: over a million rounds at the floor, over a month, with totals, at a table."""

import random
import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import msgspec

from cardshoe.floor.database import Database
from cardshoe.floor.pages.search import RoundSearch
from cardshoe.screens.rounds.asked import RoundsAsked, rounds_asked
from cardshoe.screens.rounds.fact import RoundFact
from cardshoe.screens.rounds.search import PAGE_ROWS
from cardshoe.table.display.round_index import IndexedLog, RoundIndex

SEARCH_S_MAX: Final = 0.3
TURNS: Final = 3
"""Of each measurement the best turn counts: other programs of the machine only add."""
TABLES: Final = 300
ROUNDS: Final = 1_000_000
MONTH: Final = 44_640
"""Rounds of one table in 31 days, one a minute."""
START: Final = b'{"shoe":1,"standing":[],"signed_in":{}' + b" " * 500 + b"}"
"""As long as that of a real round."""
CODES: Final = ("misdeal", "device_fault", "dispute", "card_not_due", "unread_card", "card_by_hand")
_LOGS: Final = """
INSERT INTO streams (table_id, log, month, origin, first_key, game, program, mark, edge, seq, note, last)
SELECT 'T-' || number, lpad(to_hex(number), 32, '0'), '2026-11-01', 't', 'k', 'baccarat', 'p', 0, '', 0, '', 0
FROM generate_series(1, %(tables)s) number
"""
_PROJECTED: Final = "INSERT INTO projected (table_id, log, entry, form) SELECT table_id, log, 0, 1 FROM streams"
_COLUMNS: Final = (
    "table_id, log, round, shoe, at, outcome, voided, demonstration, corrected, seq, last_seq, entry, last_entry, "
    "staked, house, tags, start"
)
QUESTIONS: Final[dict[str, dict[str, str]]] = {
    "all": {},
    "table": {"table": "T-7"},
    "round": {"round": "1234"},
    "time": {"since": "2026-11-10T12:00", "until": "2026-11-10T12:30"},
    "card": {"card": "9H"},
    "two cards": {"card": "9H", "seat": "5", "result": "tie"},
    "rare result": {"result": "tie", "irregularity": "dispute"},
    "irregularity": {"irregularity": "dispute"},
    "person": {"person": "p17"},
    "rare person": {"person": "rare"},
    "rare person and card": {"person": "rare", "card": "9H"},
    "nobody": {"person": "nobody", "card": "9H"},
    "act at a table": {"act": "manual_card", "table": "T-7"},
    "card at a table": {"card": "2C", "table": "T-299", "person": "p17"},
    "never together": {"person": "p17", "irregularity": "misdeal", "mark": "void", "seat": "1"},
    "old": {"card": "9H", "until": "2026-11-02T00:00"},
    "old person": {"person": "p17", "until": "2026-11-02T00:00"},
}


class Searched(NamedTuple):
    """Searches over generated rounds.

    Attributes:
        rounds: in the database.
        took: by question, how many rounds were found and the seconds of the best turn.
    """

    rounds: int
    took: dict[str, tuple[int, float]]

    @property
    def longest(self) -> tuple[str, float]:
        """The question that took longest, and its seconds."""
        return max(((name, took_s) for name, (_, took_s) in self.took.items()), key=lambda one: one[1])

    @property
    def is_bad(self) -> bool:
        return self.longest[1] > SEARCH_S_MAX

    def __str__(self) -> str:
        name, took_s = self.longest
        longest = f"longest={name.replace(' ', '_')} longest_ms={took_s * 1000:.0f}"
        return f"searches: rounds={self.rounds} questions={len(self.took)} {longest}"


def searching(address: str, *, rounds: int = ROUNDS, seed: int = 1) -> Searched:
    """Fill an empty database and ask every question."""
    with Database(address) as database:
        database.prepare()
        fill(database, rounds, seed)
        search = RoundSearch(database)
        return Searched(rounds, dict(searches(lambda asked: len(search.rounds(asked, PAGE_ROWS + 1)))))


def searching_a_month(*, rounds: int = MONTH, seed: int = 1) -> Searched:
    """Fill an index of one table and ask every question, with its totals."""
    index = RoundIndex("T-1")
    index.store(IndexedLog("1" * 32), _facts(rounds, seed))

    def ask(asked: RoundsAsked) -> int:
        index.totals(asked)
        return len(index.rounds(asked, PAGE_ROWS + 1))

    found = Searched(rounds, dict(searches(ask)))
    index.close()
    return found


def fill(database: Database, rounds: int, seed: int) -> None:
    """Store so many generated rounds."""
    with database.transaction() as db:
        db.execute("SET LOCAL statement_timeout = 0")
        db.execute("ALTER TABLE rounds DISABLE TRIGGER rounds_are_summed")
        db.execute("DROP INDEX rounds_tags")  # made at once it takes a tenth of the time
        db.execute(_LOGS, {"tables": TABLES})
        db.execute(_PROJECTED)
        with db.cursor() as cursor, cursor.copy(f"COPY rounds ({_COLUMNS}) FROM STDIN") as copy:
            for row in _rows(rounds, seed):
                copy.write_row(row)
        db.execute("CREATE INDEX rounds_tags ON rounds USING gin (tags)")
        db.execute("ALTER TABLE rounds ENABLE TRIGGER rounds_are_summed")
        db.execute("ANALYZE rounds")


def _rows(rounds: int, seed: int, tables: int = TABLES, pace_s: float = 2.5) -> Iterator[tuple[object, ...]]:
    rng = random.Random(seed)
    begun = 1793462400.0  # 2026-11-01 of Macau
    cards = [f"card:{rank}{suit}" for rank in "A23456789TJQK" for suit in "SHDC"]
    for number in range(rounds):
        table, turn = number % tables, number // tables
        outcome = rng.choices(("banker", "player", "tie"), (45, 45, 10))[0]
        tags = {f"result:{outcome}", *rng.choices(cards, k=5), f"person:p{table % 40}"}
        tags |= {f"seat:{seat}" for seat in rng.sample(range(1, 10), rng.randrange(1, 6))}
        if rng.random() < 0.01:
            tags |= {f"irregularity:{rng.choice(CODES)}", f"person:s{table % 9}", "act:manual_card"}
        if rng.random() < 0.00001:
            tags.add("person:rare")
        voided = rng.random() < 0.002
        if voided:
            tags |= {"mark:void", "act:void"}
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(begun + number * pace_s))
        place = (f"T-{table + 1}", f"{table + 1:032x}", turn + 1, turn // 70 + 1, at, outcome, voided, False, False)
        yield (*place, *(turn * 40 + 1, turn * 40 + 40, turn * 20 + 1, turn * 20 + 20), 5000, 100, sorted(tags), b"{}")


def _facts(rounds: int, seed: int) -> Iterator[RoundFact]:
    names = _COLUMNS.split(", ")
    for row in _rows(rounds, seed, tables=1, pace_s=60.0):
        yield msgspec.convert({**dict(zip(names, row, strict=True)), "start": START}, RoundFact)


def searches(ask: Callable[[RoundsAsked], int]) -> Iterator[tuple[str, tuple[int, float]]]:
    """Ask every question, each several times."""
    for name, query in QUESTIONS.items():
        asked, best_s, found = rounds_asked(query), float("inf"), 0
        for _ in range(TURNS):
            began_s = time.perf_counter()
            found = ask(asked)
            best_s = min(best_s, time.perf_counter() - began_s)
        yield name, (found, best_s)

"""Facts in a real PostgreSQL: the same however they were made, and one log's trouble is none of the others'."""

import random
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import psycopg
import pytest
from psycopg import sql

from cardshoe.floor.database import Database, month_of, months_back
from cardshoe.floor.facts.projector import Projector
from regulations.events.vocabulary import Game
from tests.cardshoe.floor.batches import Journal
from tests.cardshoe.floor.facts.support import BEGUN, BY, CLOSED, DEALT, cards, events, opened, written
from tests.cardshoe.floor.filling import Filling, Played, filling, introduced, shoe_game
from tests.cardshoe.floor.postgres import needs_postgres
from tests.cardshoe.floor.waiting import PATIENCE_S, wait_until

pytestmark = needs_postgres
FACTS: Final = ("rounds", "round_sums", "irregularities", "acts", "device_faults")
COUNTED: Final = """
SELECT table_id, log, date_bin('1 hour', at, '1970-01-01Z') AS hour,
       count(*) FILTER (WHERE outcome IS NOT NULL AND NOT voided AND NOT demonstration), count(*) FILTER (WHERE voided),
       sum(staked)::bigint, sum(house)::bigint
FROM rounds GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""


class At(NamedTuple):
    """A database with its collector."""

    address: str
    database: Database
    filler: Filling

    def facts(self) -> dict[str, list[Any]]:
        """All facts."""
        with psycopg.connect(self.address) as db:
            query = "SELECT * FROM {} ORDER BY 1, 2, 3"
            return {name: db.execute(sql.SQL(query).format(sql.Identifier(name))).fetchall() for name in FACTS}

    def check_sums(self) -> list[tuple[int, int]]:
        """Check that the sums are those of the rounds, counted one by one; how many count and are void, by the hour."""
        with psycopg.connect(self.address) as db:
            counted = db.execute(COUNTED).fetchall()
        assert self.facts()["round_sums"] == counted
        return [(rounds, voided) for *_, rounds, voided, _staked, _house in counted]

    def do(self, statement: str) -> None:
        """Changes the database by hand."""
        with psycopg.connect(self.address) as db:
            db.execute(statement)


@pytest.fixture
def at(database: str, tmp_path: Path) -> Iterator[At]:
    with filling(database, tmp_path / "filler") as (made, filler):
        yield At(database, made, filler)


def looked(projector: Projector) -> Projector:
    """To the end of what there is."""
    while projector.look() or projector.is_behind:
        continue
    return projector


def rich(folder: Path, name: str, number: int) -> Journal:
    """A table at which much goes wrong."""
    told = shoe_game("q_poker" if number % 2 else "baccarat", 3, seed=number, mistakes=0.15)
    fault = events({"event": "fault", "device": "shoe", "code": 3})
    table = Played(folder / name, name, "q_poker" if number % 2 else "baccarat", BEGUN)
    return table.play([*introduced(number), *told, *fault])


def test_facts_are_the_same_however_they_were_made(at: At, tmp_path: Path) -> None:
    books = [rich(tmp_path, f"T-{number}", number) for number in range(3)]
    projector = Projector(at.database, keep_entries=8)
    for number, book in enumerate(books):
        for end in range(0, len(book.entries) + 37, 37):
            at.filler.deliver(book, min(end, len(book.entries)), min(end + 37, len(book.entries)))
            projector.look()
            if (end // 37 + number) % 3 == 0:
                projector = Projector(at.database, keep_entries=8)  # killed, and started anew
    looked(projector)
    step_by_step = at.facts()
    assert all(step_by_step.values())
    at.do("DELETE FROM projected")
    assert not any(at.facts().values())
    looked(Projector(at.database))
    assert at.facts() == step_by_step
    at.do("UPDATE projected SET form = form + 1")
    looked(Projector(at.database))
    assert at.facts() == step_by_step


def test_a_void_after_the_result_was_counted_is_counted_anew(at: At, tmp_path: Path) -> None:
    table = Played(tmp_path, "T-1", "baccarat", BEGUN)
    book = table.play([*opened(), *events(*cards(*DEALT[:3]), {"event": "fault", "device": "shoe", "code": 3})])
    at.filler.deliver(book)
    projector = looked(Projector(at.database))
    book, had = table.play(events(*cards(DEALT[3]))), len(book.entries)
    [row] = at.facts()["rounds"]
    assert row[5:7] == (None, False)
    assert at.check_sums() == [(0, 0)]
    void = {"event": "resolve", "irregularity": 1, "action": "void", "by": BY}
    book = table.play(events(void, CLOSED))
    at.filler.deliver(book, had)
    looked(projector)
    [row] = at.facts()["rounds"]
    assert row[5:7] == (None, True)
    assert at.check_sums() == [(0, 1)]


def test_a_correction_takes_a_round_out_of_the_sums(at: At, tmp_path: Path) -> None:
    table = Played(tmp_path, "T-1", "baccarat", BEGUN)
    book = table.play([*opened(), *events(*cards(*DEALT))])
    at.filler.deliver(book)
    projector = looked(Projector(at.database))
    assert at.check_sums() == [(1, 0)]
    misdeal = {"event": "misdeal", "detail": "card_entered_wrongly"}
    burned = {"index": 1, "to": "burn"}
    moved = {
        "event": "resolve",
        "irregularity": 1,
        "action": "reassign",
        "ground": "foreign",
        "by": BY,
        "cards": [burned],
    }
    had = len(book.entries)
    at.filler.deliver(table.play(events(misdeal, moved)), had)
    looked(projector)
    assert at.check_sums() == [(0, 0)]


def test_sums_are_those_of_the_rounds_on_random_play(at: At, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    games: list[Game] = ["baccarat", "q_poker", "blackjack"]
    left = []
    for number, game in enumerate(games):
        told = shoe_game(game, 15, seed=rng.randrange(1000), mistakes=0.3)
        table = Played(tmp_path / game, f"T-{number}", game, BEGUN, apart_s=rng.uniform(20, 90))
        left.append((table.play([*introduced(number), *told]), 0))
    projectors = [Projector(at.database, keep_entries=rng.randrange(5, 50)) for _ in range(2)]
    while left:
        book, had = left.pop(rng.randrange(len(left)))
        end = min(had + rng.randrange(1, 60), len(book.entries))
        at.filler.deliver(book, had, end)
        # Two at one database, by mistake: neither counts a round again.
        looked(rng.choice(projectors))
        at.check_sums()
        left += [(book, end)] if end < len(book.entries) else []
    for projector in projectors:
        looked(projector)
    sums = at.check_sums()
    assert sum(rounds + voided for rounds, voided in sums) > 20
    assert len(sums) > len(games)


def test_a_log_that_cannot_be_read_stops_no_other(at: At, tmp_path: Path) -> None:
    good, bad = written(tmp_path / "a", *cards(*DEALT), name="T-1"), written(tmp_path / "b", *cards(*DEALT), name="T-2")
    at.filler.deliver(bad, 0, 40)
    at.do(
        "UPDATE entries SET lines = "
        "replace(convert_from(lines, 'UTF8'), '\"event\":', '\"newer\":1,\"event\":')::bytea "
        "WHERE table_id = 'T-2' AND events[1] = 'card'"
    )
    at.filler.deliver(good)
    projector = looked(Projector(at.database))
    faults = {known.stream.table: known.fault for known in projector.tables()}
    assert faults["T-1"] == ""
    assert "newer" in faults["T-2"]
    assert [row[0] for row in at.facts()["rounds"]] == ["T-1"]
    assert {known.stream.table: known.fault for known in looked(Projector(at.database)).tables()} == faults


def test_a_statement_that_waits_keeps_nobody_from_looking(at: At, tmp_path: Path) -> None:
    book = written(tmp_path, *cards(*DEALT))
    projector = looked(Projector(at.database))
    at.filler.deliver(book)
    waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INTO rounds%'"
    with psycopg.connect(at.address) as somebody, psycopg.connect(at.address, autocommit=True) as db:
        somebody.execute("LOCK TABLE rounds IN ACCESS EXCLUSIVE MODE")
        looking = threading.Thread(target=projector.look)
        looking.start()
        wait_until(lambda: db.execute(waits).fetchone())
        assert projector.reading.acquire(blocking=False), "whoever looks would wait as well"
        projector.reading.release()
        found = projector.view(book.table)
        assert found is not None
        assert found[2].rounds == 1
        somebody.rollback()
        looking.join(PATIENCE_S)
    assert len(at.facts()["rounds"]) == 1


def test_what_retention_drops_takes_its_facts_along(at: At, tmp_path: Path) -> None:
    at.filler.deliver(written(tmp_path, *cards(*DEALT)))
    looked(Projector(at.database))
    assert at.facts()["rounds"]
    at.do("UPDATE streams SET heard_at = '2020-01-01'")
    at.do("CREATE TABLE entries_of_all_other_months PARTITION OF entries DEFAULT")  # somebody's own
    assert at.database.drop_before(months_back(month_of(datetime.now(UTC).date()), -1))
    looked(Projector(at.database))
    assert not any(at.facts().values())


def test_a_database_that_goes_away_loses_nothing(at: At, tmp_path: Path) -> None:
    book = rich(tmp_path, "T-1", 0)
    half = len(book.entries) // 2
    at.filler.deliver(book, 0, half)
    projector = looked(Projector(at.database))
    at.filler.deliver(book, half)
    at.do("ALTER TABLE acts RENAME TO gone")
    with pytest.raises(psycopg.errors.UndefinedTable):
        looked(projector)
    at.do("ALTER TABLE gone RENAME TO acts")
    looked(projector)
    step_by_step = at.facts()
    at.do("DELETE FROM projected")
    looked(Projector(at.database))
    assert at.facts() == step_by_step


def test_the_newest_log_is_the_tables(at: At, tmp_path: Path) -> None:
    first = Played(tmp_path, "T-1", "baccarat", BEGUN)
    at.filler.deliver(first.play([*opened(), *events({"event": "closed"})]))
    projector = looked(Projector(at.database))
    assert [known.state.closed for known in projector.tables()] == [True]
    second = first.play([*opened(), *events(*cards(*DEALT))])
    at.filler.deliver(second)
    [known] = looked(projector).tables()
    assert (known.stream.log, known.state.closed, known.state.view.rounds) == (second.log, False, 1)


def test_a_table_that_appears_does_not_break_off_a_search(at: At, tmp_path: Path) -> None:
    at.filler.deliver(written(tmp_path / "first", name="T-1"))
    projector = looked(Projector(at.database))
    at.filler.deliver(written(tmp_path / "second", name="T-2"))
    looking, before = threading.Thread(target=projector.look), projector.now

    class Asked(str):
        """A log that is compared while the new table is found."""

        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            if not looking.ident:
                looking.start()
                wait_until(lambda: projector.now != before)
            return super().__eq__(other)

    assert projector.open_round(Asked("no such log")) is None
    looking.join(PATIENCE_S)
    assert len(list(projector.tables())) == 2

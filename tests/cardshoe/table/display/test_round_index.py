"""The display's index of rounds by itself: pages without gap, changed tags, what is forgotten, a log that is no log."""

import resource
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from cardshoe.screens.rounds import search
from cardshoe.screens.rounds.asked import rounds_asked
from cardshoe.screens.rounds.fact import RoundFact
from cardshoe.screens.rounds.search import found_page, rounds_csv
from cardshoe.table.display.round_index import IndexedLog, RoundIndex

BEGUN = datetime(2026, 11, 1, tzinfo=UTC)


def fact(number: int, *tags: str) -> RoundFact:
    return RoundFact(
        round=number,
        shoe=1,
        at=(BEGUN + timedelta(minutes=number)).isoformat(),
        outcome="player",
        voided=False,
        demonstration=False,
        corrected=False,
        seq=10 * number,
        last_seq=10 * number + 9,
        entry=number,
        last_entry=number,
        staked=100,
        house=-5,
        tags=[*tags],
        start=b"{}",
    )


def index_of(facts: Sequence[RoundFact], log: str = "a" * 32) -> RoundIndex:
    index = RoundIndex("T-1")
    index.store(IndexedLog(log), facts)
    return index


def test_pages_follow_each_other_without_gap_or_repetition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "PAGE_ROWS", 2)
    monkeypatch.setattr(search, "CHUNK_ROWS", 2)
    index = index_of([fact(number) for number in range(1, 6)])
    seen, query = list[int](), dict[str, str]()
    while True:
        page = found_page(index, query, "en")
        seen += [one.round for one in page.found]
        if not page.has_more:
            break
        query = {"before": page.found[-1].place}
        assert "before=" in str(page.shown()["older"])
    assert seen == [5, 4, 3, 2, 1]
    rows = b"".join(rounds_csv(index, rounds_asked({}))).decode().splitlines()
    assert len(rows) == 6
    for before in ("x", "2026-11-23T10:00|1|x|T-1", "2026-11-23T10:00Z|-1|x|T-1"):
        assert found_page(index, {"before": before}, "en").fault


def test_a_changed_round_is_found_by_its_new_tags_alone() -> None:
    index = index_of([fact(1, "card:9H", "seat:1")])
    index.store(IndexedLog("a" * 32), [fact(1, "card:2C", "seat:1")])
    found = {card: len(index.rounds(rounds_asked({"card": card}), 9)) for card in ("9H", "2C")}
    assert found == {"9H": 0, "2C": 1}
    assert len(index.rounds(rounds_asked({"seat": "1"}), 9)) == 1
    assert msgspec.structs.astuple(index.totals(rounds_asked({}))) == (1, 0, 100, -5)


def test_a_line_leads_to_its_round_and_an_old_round_is_forgotten() -> None:
    index = index_of([fact(1, "seat:1"), fact(2, "seat:1")])
    found = [index.find("a" * 32, seq) for seq in (9, 10, 19, 20, 30)]
    assert [None if one is None else one.round for one in found] == [None, 1, 1, 2, None]
    assert index.find("b" * 32, 10) is None
    index.forget(BEGUN + timedelta(minutes=2))
    assert [one.round for one in index.rounds(rounds_asked({"seat": "1"}), 9)] == [2]
    assert index.opening("b" * 32) == ()


@contextmanager
def full_disk() -> Iterator[None]:
    """A disk that takes no more of any file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_that_was_full_once_spoils_nothing() -> None:
    index, log = index_of([fact(1, "seat:1")]), IndexedLog("a" * 32)
    large = msgspec.structs.replace(
        fact(2, "seat:1"), start=b"{" + b" " * (8 << 20) + b"}"
    )  # more than SQLite keeps in memory
    with full_disk(), pytest.raises(sqlite3.OperationalError):
        index.store(log, [large, fact(3, "seat:1")])
    assert [one.round for one in index.rounds(rounds_asked({"seat": "1"}), 9)] == [1]
    index.store(log, [large, fact(3, "seat:1")])
    assert [one.round for one in index.rounds(rounds_asked({"seat": "1"}), 9)] == [3, 2, 1]


def test_an_entry_that_does_not_follow_is_refused() -> None:
    log = IndexedLog("a" * 32)
    with pytest.raises(ValueError, match="entry 1 does not follow -1"):
        log.take(1, [b"{}"])
    assert log.open_round() is None

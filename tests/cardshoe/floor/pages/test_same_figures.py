"""One day's figures at the table, at the floor, in its report and at the terminal: computed once, and alike."""

import re
from pathlib import Path

import pytest

from cardshoe.journal.file.chain import lines_of
from cardshoe.screens.rounds.asked import rounds_asked
from cardshoe.screens.rounds.search import found_page
from cardshoe.table.display.round_index import IndexedLog, RoundIndex
from cardshoe.table.log.log_builder import LoggedInput, Scribe
from cardshoe.table.terminal.statistics import Statistics
from regulations.events.inputs import AnyInput, Table
from regulations.events.vocabulary import Game
from tests.cardshoe.floor.facts.support import BEGUN
from tests.cardshoe.floor.filling import Played, introduced, shoe_game
from tests.cardshoe.floor.pages.support import DAY, looked_at, rows_of
from tests.cardshoe.floor.postgres import needs_postgres
from tests.sim.croupier.profiles import profile

pytestmark = needs_postgres
FREE: dict[str, object] = {"rounds_without_wagers": True}
SPAN = {"since": f"{DAY}T00:00", "until": "2026-11-24T00:00"}


def counted(table: Table, events: list[AnyInput]) -> Statistics:
    """The terminal's figures of these inputs."""
    statistics = Statistics()
    scribe = Scribe(table)
    for one in (scribe.opening, *map(scribe.take, events)):
        assert isinstance(one, LoggedInput)
        statistics(one)
    return statistics


@pytest.mark.parametrize("game", ["baccarat", "casino_war"])
def test_a_day_has_the_same_figures_everywhere(database: str, tmp_path: Path, game: Game) -> None:
    events = [*introduced(1), *shoe_game(game, 8, seed=5, mistakes=0.1)]
    book = Played(tmp_path / "journal", "T-1", game, BEGUN).play(events)
    index, log = RoundIndex("T-1"), IndexedLog(book.log)
    facts = [log.take(number, lines_of(data)) for number, data in enumerate(book.entries)]
    index.store(log, [one for one in facts if one is not None])
    totals = index.totals(rounds_asked(SPAN))
    assert totals.rounds >= 3
    with looked_at(database, tmp_path) as looked:
        looked.filler.deliver(book)
        report = next(row for row in rows_of(looked.get("/report", day=DAY)) if row.startswith("T-1 "))
        told = [int(one.replace(",", "").replace(".", "")) for one in re.sub("−", "-", report).split()[1:]]
        assert told == [totals.rounds, totals.voided, totals.staked, totals.house]
        floor = [int(row.split(" · ")[1].split()[0]) for row in rows_of(looked.get("/rounds", SPAN))[1:]]
    page = found_page(index, SPAN, "en")
    assert [one.round for one in page.found] == floor
    statistics = counted(profile(game, "shoe", FREE if game == "baccarat" else {}), events)
    assert (statistics.wagered, statistics.house_net) == (totals.staked, totals.house)
    assert statistics.counts["Voided"] == totals.voided
    index.close()

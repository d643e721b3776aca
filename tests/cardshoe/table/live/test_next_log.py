"""Clients of a table that goes over to another log: they follow, and whoever is signed in stays so."""

from pathlib import Path

import pytest

from cardshoe.table.live import messages as says
from cardshoe.table.live.client import follow, number_of, view_of
from cardshoe.table.live.session import LiveError
from cardshoe.table.live.tail import LogFollower
from cardshoe.table.staff_service import Persons
from regulations.events.notices import SignedIn
from tests.cardshoe.persons.support import CHEAP, SHUFFLED, Clock, registry_in, signed_in
from tests.cardshoe.table.live.support import READY, DayTable


@pytest.fixture
def served(tmp_path: Path) -> DayTable:
    return DayTable(tmp_path)


def test_a_viewer_gets_the_table_as_it_stands_in_the_next_log(served: DayTable) -> None:
    with served.table as table, table.client() as client:
        client.subscribe()
        log = served.go_over()
        with pytest.raises(LiveError) as caught:
            for _ in client.lines():
                pass
        assert caught.value.code == "other_log"
        shown = client.snapshot()
        view = view_of(shown)
        assert (shown.log, shown.seq, view.log, view.seq, view.phase) == (log, 2, log, 2, "preparing")
        table.tell(READY[0])
        news = [client.news(5.0), client.news(5.0)]
        assert [number_of(bytes(one.line)) for one in news if isinstance(one, says.LineMessage)] == [3, 4]


def test_who_connects_later_is_greeted_with_the_next_log(served: DayTable) -> None:
    with served.table as table:
        log = served.go_over()
        table.tell(READY[0])
        with table.client() as client:
            assert (client.hello.log, client.hello.seq, client.hello.entry) == (log, 4, 2)
            assert isinstance(client.subscribe(2, log), says.Resumed)


def test_both_logs_are_followed_line_by_line(served: DayTable) -> None:
    with served.table as table:
        follower = LogFollower(table.place, lambda _: None)
        lines = follower.lines()
        first = [next(lines)]
        log = served.go_over()
        first += list(lines)
        assert [number_of(line) for line in first] == list(range(1, len(first) + 1))
        assert first[-1].startswith(b'{"event":"next"')
        assert b'"do":"nothing"' in first[-1]
        assert follower.now.log == log
        assert number_of(next(follower.lines())) == 1
        assert number_of(next(follow(table.place, 1, log))) == 2


def test_who_is_signed_in_stays_so_and_the_next_log_is_told(tmp_path: Path) -> None:
    registry = registry_in(tmp_path)
    served = DayTable(tmp_path, lambda note: Persons(registry, note, CHEAP, Clock()))
    with served.table as table, table.client() as client:
        token = signed_in(client, "cara")
        while not isinstance(table.heard().event, SignedIn):
            pass
        served.go_over()
        signed = table.heard().event
        assert isinstance(signed, SignedIn)
        assert (signed.person, signed.role, signed.origin) == ("cara", "croupier", "table")
        answer = client.ask(says.SubmitInput(id="1", line=SHUFFLED, session=token))
        assert isinstance(answer, says.InputResult)
        assert answer.refused is None

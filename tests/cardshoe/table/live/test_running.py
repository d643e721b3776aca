"""The socket of a real table: killed, started again, asked by `cardshoe status`, followed."""

import itertools
import json
import queue
import threading
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from cardshoe.cli.live import tables_at
from cardshoe.cli.status import left_at
from cardshoe.screens.view import LineFold, TableView
from cardshoe.table.live.client import LiveClient, follow, number_of, view_of
from cardshoe.table.live.messages import InputResult, Resumed
from cardshoe.table.live.place import TablePlace
from cardshoe.table.live.session import LiveError
from cardshoe.table.log.query import together
from cardshoe.table.log.table_journal import open_log
from tests.cardshoe.cli.support import answered
from tests.cardshoe.table.live.support import READY, TABLE, cards, stored
from tests.kit.command import PATIENCE_S, Command, Line
from tests.kit.running_table import RunningTable, write_config
from tests.kit.table_log import played


def place_of(config: Path) -> TablePlace:
    (place,) = tables_at(config)
    return place


def readied(folder: Path, said: Sequence[Line]) -> Path:
    """The configuration of a table that was told these lines, and ended."""
    config = write_config(folder, None)
    with RunningTable(config) as table:
        table.answer()
        for line in said:
            table.tell(line)
        table.say("quit")
        table.rest()
    return config


def test_a_killed_table_is_taken_up_and_who_looked_on_misses_nothing(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    place = place_of(config)
    with RunningTable(config) as table:
        table.answer()
        for line in READY[:3]:
            table.tell(line)
        with LiveClient(place) as client:
            client.subscribe(0)
            seen = list(itertools.islice(client.lines(), 8))
            log = client.hello.log
            table.process.kill()
            table.process.wait(PATIENCE_S)
            with pytest.raises(LiveError) as caught:
                list(client.lines())
        assert caught.value.code == "lost"
    assert place.socket.exists()
    told = answered("status", config)
    assert (told.returncode, b"no table runs here" in told.stderr, b"NOT RUNNING" in told.stdout) == (4, True, True)
    with RunningTable(config) as table:
        table.answer()
        with LiveClient(place) as client:
            assert client.subscribe(number_of(seen[-1]), log) == Resumed(log=log, seq=8)
            said = client.say(json.dumps(READY[3]).encode())
            assert isinstance(said, InputResult)
            assert (said.seq, said.refused) == (10, None)
            assert [number_of(line) for line in itertools.islice(client.lines(), 2)] == [9, 10]
        assert table.answer()[0]["event"] == "loaded"


def test_after_a_restart_the_round_is_said_in_words_and_to_programs_not(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    with RunningTable(config) as table:
        table.answer()
        for line in [*READY, {"event": "card", "card": "9H"}]:
            table.tell(line)
        table.process.kill()
        table.process.wait(PATIENCE_S)
    with Command("run", config) as words:
        said = words.until(lambda line: line.lstrip().startswith("→"))
        assert any("resumed after" in line for line in said)
        assert "  player        9♥" in said
        assert said[-1].startswith("→ draw for banker, card 1")
        words.say("quit")
        words.rest()
    with RunningTable(config) as table:
        assert json.loads(table.line())["event"] == "card"
        assert "player        9♥" not in table.errors()


def test_status_asks_the_table_in_words_and_in_json(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    with RunningTable(config) as table:
        table.answer()
        for line in [*READY, {"event": "card", "card": "9H"}, {"event": "misdeal", "detail": "x"}]:
            table.tell(line)
        told = answered("status", config)
        assert told.returncode == 0
        assert told.stdout.startswith(b"table T-1: baccarat, 8 decks, 7 seats, shoe\n")
        assert "IRREGULARITY 1 misdeal" in told.stdout.decode()
        assert "  player        9♥" in told.stdout.decode()
        told = answered("status", "--json", tmp_path / "journals")
        shown = json.loads(told.stdout)
        assert (told.returncode, shown["running"], shown["view"]["round"]["number"]) == (0, True, 1)
        assert msgspec.json.decode(json.dumps(shown["view"]), type=TableView).prompt is not None


def test_status_where_nothing_is(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    (tmp_path / "journals").mkdir()
    for source in (config, tmp_path / "journals"):
        told = answered("status", source)
        assert (told.returncode, b"there is neither a table nor a journal here" in told.stderr) == (2, True)
    assert answered("status", tmp_path / "nowhere").returncode == 2


# --- the view after a restart ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rest", [0, 4, 5, 15])
def test_a_log_that_is_taken_up_has_the_view_that_all_its_lines_give(tmp_path: Path, rest: int) -> None:
    path = played(tmp_path, 2, rest=rest)
    log = open_log(tmp_path, TABLE, "2026-12-01T00:00:00.000000Z", lambda _: None)
    encoded = log.view
    log.journal.close()
    assert encoded is not None
    view = encoded.decoded()
    place = TablePlace.of(tmp_path, "T-1")
    assert place.newest_journal == path
    fold = LineFold(TableView(log=log.journal.header.fingerprint))
    for answer in together(stored(place)):
        fold.take(answer.lines)
    assert fold.view == view
    assert left_at(place) == view
    assert log.replayed < log.recovered


# --- following -------------------------------------------------------------------------------------------------------


def test_following_begins_in_the_journal_and_goes_on_live_to_the_end(tmp_path: Path, seed: int) -> None:
    config = readied(tmp_path, READY)
    place = place_of(config)
    heard: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    def listen() -> None:
        for line in follow(place, 5):
            heard.put(line)
        heard.put(None)

    with RunningTable(config) as table:
        before = table.answer()[-1]["seq"]
        follower = threading.Thread(target=listen)
        follower.start()
        lines = [heard.get(timeout=PATIENCE_S) for _ in range(before - 5)]
        for line in cards(seed)[:3]:
            table.tell(line)
        table.say("quit")
        table.rest()
    follower.join(PATIENCE_S)
    after = list(iter(lambda: heard.get(timeout=PATIENCE_S), None))
    assert [*lines, *after] == stored(place)[5:]
    assert after


def test_what_is_not_kept_is_read_from_the_journal_of_the_running_table(tmp_path: Path) -> None:
    config = readied(tmp_path, READY[:4])
    place = place_of(config)
    # It is taken up from the standing of its shoe game: the lines before that only the journal has.
    with RunningTable(config) as table:
        table.answer()
        lines = list(itertools.islice(follow(place), 9))
        assert [number_of(line) for line in lines] == [*range(1, 10)]
        with LiveClient(place) as client:
            assert view_of(client.snapshot()).shoe.loaded == 416

"""``cardshoe log --follow`` beside a real table: what is there, what comes, restarts, another log, and no table."""

import json
import signal
from pathlib import Path

from tests.cardshoe.cli.support import ROUND, STACK, answered, parsed
from tests.kit.command import Command
from tests.kit.running_table import RunningTable, journal_of, lines_of, write_config

WAITS = "cardshoe: the table has stopped; waiting until it runs again"


def config_of(folder: Path, currency: str = "MOP") -> Path:
    config = write_config(folder, None)
    config.write_text(config.read_text().replace("[table]", f'[table]\ncurrency = "{currency}"'))
    return config


def begin(table: RunningTable, *lines: dict[str, object]) -> int:
    """Begin a table; return the number of its last line."""
    seq: int = table.answer()[-1]["seq"]
    for line in lines:
        seq = table.tell(line)[-1]["seq"]
    return seq


def numbers(follower: Command, last: int) -> list[int]:
    """The numbers of the lines that it prints, up to one."""
    return [json.loads(line)["seq"] for line in follower.until(lambda line: json.loads(line)["seq"] == last)]


def test_the_whole_log_goes_on_over_a_kill_and_a_restart_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    config = config_of(tmp_path)
    with RunningTable(config) as table:
        begun = begin(table, *STACK)
        with Command("log", "-f", config) as follower:
            assert numbers(follower, begun) == list(range(1, begun + 1))
            told = table.tell(ROUND[0])[-1]["seq"]
            assert numbers(follower, told) == list(range(begun + 1, told + 1))
            table.kill()
            follower.wait_for_error(WAITS)
            with RunningTable(config) as again:
                again.answer()
                last = again.tell(ROUND[1])[-1]["seq"]
                assert numbers(follower, last) == list(range(told + 1, last + 1))
                again.say("quit")
                again.rest()
            follower.wait_for_error(WAITS, 2)
            follower.send(signal.SIGINT)
            assert (follower.rest(), follower.end()) == ([], 0)
            assert follower.errors().count("\n") == 2
    assert len(lines_of(journal_of(tmp_path))) == last


def test_in_words_with_the_tables_currency_and_the_last_ones_to_begin_with(tmp_path: Path) -> None:
    config = config_of(tmp_path, "JPY")
    with RunningTable(config) as table:
        begin(table, *STACK, ROUND[0])
        with Command("log", "--follow", "--words", "--last", "1", config) as follower:
            assert follower.line().startswith("── round 1, ")
            assert follower.line().endswith("  bets closed: 1 wager, 10,000 JPY")
            table.tell(ROUND[1])
            assert follower.until(lambda line: "player 1" in line)[-1].endswith("  player 1  9♥")
            follower.send(signal.SIGTERM)


def test_filters_hold_for_what_is_there_and_for_what_comes(tmp_path: Path) -> None:
    with RunningTable(config_of(tmp_path)) as table:
        begin(table, *STACK, *ROUND[:2])
        asked = ("--card", "9h", "--card", "KS", "--inputs", journal_of(tmp_path))
        with Command("log", "--follow", *asked) as follower:
            assert json.loads(follower.line())["card"] == "9H"
            for line in ROUND[2:4]:
                table.tell(line)
            assert json.loads(follower.line())["card"] == "KS"


def test_a_table_that_closes_and_opens_anew_is_followed_into_its_next_log(tmp_path: Path) -> None:
    config = config_of(tmp_path)
    with RunningTable(config) as table:
        begin(table)
        with Command("log", "--follow", "--last", "1", tmp_path / "journals") as follower:
            assert json.loads(follower.line())["event"] == "table"
            table.say({"event": "closed"})
            table.rest()
            follower.wait_for_error(WAITS)
            first = journal_of(tmp_path)
            with RunningTable(config) as again:
                begin(again, STACK[0])
                heard = [json.loads(line) for line in follower.until(lambda line: '"shuffled"' in line)]
                assert [(one["seq"], one["event"]) for one in heard] == [
                    (2, "next"),
                    (3, "closed"),
                    (4, "next"),
                    (1, "table"),
                    (2, "next"),
                    (3, "shuffled"),
                ]
                told = answered("log", "--follow", first)
                assert (told.returncode, told.stdout) == (4, b"")
                assert b"its table has gone on to T-1-" in told.stderr
    assert [line["event"] for line in parsed(answered("log", "--inputs", first).stdout)] == ["table", "closed"]


def test_a_journal_in_use_is_said_how_to_be_looked_at(tmp_path: Path) -> None:
    with RunningTable(config_of(tmp_path)) as table:
        begin(table)
        path = journal_of(tmp_path)
        told = answered("log", path)
        assert (told.returncode, told.stdout) == (4, b"")
        said = told.stderr.decode()
        assert f"in use by process {table.process.pid}" in said
        assert f"`cardshoe log --follow {path}`" in said
        assert f"`cardshoe status {path.parent}`" in said


def test_where_no_table_runs_nothing_is_followed(tmp_path: Path) -> None:
    config = config_of(tmp_path)
    with RunningTable(config) as table:
        begin(table)
    path = journal_of(tmp_path)
    for source in (config, path.parent, path):
        told = answered("log", "--follow", source)
        assert (told.returncode, told.stdout) == (4, b"")
        assert told.stderr.decode() == (
            f"cardshoe: {source}: no table runs there\n"
            f"  `cardshoe log {path}` prints what is there; `cardshoe run TABLE.toml` starts a table.\n"
        )


def test_what_cannot_be_followed(tmp_path: Path) -> None:
    nothing = answered("log", "--follow", tmp_path)
    assert (nothing.returncode, b"neither a table nor a journal" in nothing.stderr) == (2, True)
    missing = answered("log", "--follow", tmp_path / "b.journal")
    assert (missing.returncode, b"no such file" in missing.stderr) == (2, True)
    sealed = answered("log", "--follow", "--open", tmp_path)
    assert (sealed.returncode, b"opens nothing that is sealed" in sealed.stderr) == (2, True)
    folder = answered("log", tmp_path)
    assert (folder.returncode, b"is a folder; name a journal" in folder.stderr) == (2, True)

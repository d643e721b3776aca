"""A table at work goes over to another log: witnesses, device, pages and floor follow, and so does a restart."""

import itertools
import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import httpx

from cardshoe.journal.proof.note import VerifyKey
from cardshoe.journal.witness.store import trust
from cardshoe.process.clock import wall_time
from cardshoe.table.log.journal_names import journals_of
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.setup.config import load
from regulations.law.calendar import MACAU_TIME
from tests.cardshoe.cli.support import invoke
from tests.cardshoe.floor.postgres import needs_postgres
from tests.cardshoe.floor.site import TABLE, Collector, Site, configured
from tests.cardshoe.floor.tables import entries_of, log_of
from tests.cardshoe.floor.waiting import alarms, stored, wait_until
from tests.cardshoe.journal.sealed import by_the_verifier
from tests.cardshoe.table.display.support import events, of_kind, ready
from tests.cardshoe.table.live.support import ENDED
from tests.kit.certificates import needs_openssl
from tests.kit.command import PATIENCE_S, Command, Line
from tests.kit.opening import OPENING
from tests.kit.running_table import RunningTable

pytestmark = [needs_postgres, needs_openssl]
AT_THE_TABLE: Final = """
[display]
listen = "127.0.0.1:0"
[[device]]
name = "shoe"
family = "tdp"
port = "{port}"
commands = ["lock", "let_draw"]
settings = {{ security = "plain" }}
"""


class Shoe(Command):
    """A simulated shoe that remembers roots."""

    def __init__(self) -> None:
        super().__init__("sim", "tdp-shoe", "--tcp", "127.0.0.1:0", "--ready-json", "--seed", "5")
        self.port: Final[str] = json.loads(self.line())["port"]

    def do(self, name: str) -> dict[str, Any]:
        """Hands do something to it."""
        self.say({"do": name, "arguments": []})
        data: dict[str, Any] = json.loads(self.line())["data"]
        return data


def begun_yesterday(config: Path, witness: str, port: str) -> None:
    """Complete a configuration, and begin the table's log a day ago; the house's hour is half a day away."""
    now = datetime.fromisoformat(wall_time())
    hour = (now.astimezone(MACAU_TIME).hour + 12) % 24
    journal = f'[journal]\nday_begins = {hour}\nwitness = ["stick.notes", "{witness}"]\n'
    config.write_text(config.read_text().replace("[journal]\n", journal) + AT_THE_TABLE.format(port=port))
    chosen = load(config, wall_time())
    begun = (now - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    log = open_log(chosen.journal_dir, chosen.table, begun, lambda _: None, sealing_key=chosen.sealing_key)
    log.journal.close()
    # The first log alone: its last key signs the first key of the next one.
    assert trust(config.parent / "witness", VerifyKey.parse(log.journal.header.key))


def play_shoe_game(table: RunningTable, shoe: Shoe) -> list[Line]:
    """One shoe game with one round, up to its end; its lines."""
    for event in OPENING:
        table.say(event)
    lines = table.until_prompt("load")
    shoe.do("load")
    lines += table.until_prompt("burn")
    while lines[-1]["do"] in {"burn", "draw"}:
        while not shoe.do("draw")["cards"]:
            pass
        lines += table.answer()
    table.say({"event": "round_closed"})
    lines += table.until_prompt("draw")
    table.say(ENDED[0])
    return lines


def log_shown(page: Iterator[dict[str, Any]]) -> str:
    """The log of what a page shows next; nothing covers it."""
    for told in page:
        if told["event"] == "shown":
            return str(told["id"].partition(":")[0])
        assert told["event"] != "pulse" or not told["data"]["why_not"]
    raise AssertionError("the page's stream has ended")


def rounds(lines: Sequence[Line]) -> set[object]:
    return {line["round"] for line in lines if "round" in line}


def test_both_logs_arrive_whole_and_no_alarm_is_raised(tmp_path: Path, site: Site, database: str, state: Path) -> None:
    serve = ("witness", "serve", "--state", tmp_path / "witness", "--listen", "127.0.0.1:0")
    with Collector(site, state, database) as floor, Command(*serve) as service, Shoe() as shoe:
        config = configured(tmp_path, site, floor)
        service.line()
        witness = service.line().removeprefix("listening on ")
        begun_yesterday(config, witness, shoe.port)
        with RunningTable(config) as table:
            table.until_prompt("shuffle")
            table.wait_for_error("pages: ")
            home = str(re.findall(r"pages: (\S+)/board", table.errors())[0])
            with httpx.Client(base_url=home, timeout=PATIENCE_S) as client:
                ready(client)
                stream, page = events(client), events(client, "/pages/croupier/events")
                first = of_kind(stream, "snapshot")["data"]["log"]
                assert log_shown(page) == first
                assert rounds(play_shoe_game(table, shoe)) == {1}
                closed = table.until_prompt("nothing")[-1]
                lines = table.until_prompt("shuffle")
                ended = list(stream)[-1]
                assert (ended["id"], ended["data"]["do"]) == (f"{first}:{closed['seq']}", "nothing")
                # The stream of lines ends with its log; whoever comes back with its last line gets the next log.
                stream = events(client, last=ended["id"])
                second = of_kind(stream, "snapshot")["data"]["log"]
                assert second != first
                lines += play_shoe_game(table, shoe)
                assert rounds(lines) == {2}
                assert of_kind(stream, "line")["id"].startswith(f"{second}:")
                wait_until(lambda: log_shown(page) == second)
            lines += table.until_prompt("shuffle")
            entries = 1 + sum(line["event"] == "next" for line in lines)
            wait_until(lambda: len(stored(database, TABLE, second)) >= entries, table.errors)
            table.say("quit")
            assert table.end() == 0
            assert "first key (write it down" not in table.errors()
            assert "lacks" not in table.errors()
        paths = journals_of(tmp_path / "journals", TABLE)
        assert [log_of(path) for path in paths] == [first, second]
        before = f"the log before it, {first}, lies beside it and ended as this one says"
        for place, path in itertools.product((witness, tmp_path / "stick.notes"), paths):
            found = invoke("verify", str(path), "--witness", str(place))
            assert (found.exit_code, before in found.stdout) == (0, path == paths[1]), found.stderr
            signed, witnessed = re.findall(r"(?:signed|witnessed) up to entry (\d+)", found.stdout)
            assert signed == witnessed
        code, said = by_the_verifier(*paths, "--witness", tmp_path / "stick.notes")
        assert (code, f"the log before it, {first}, holds" in said) == (0, True), said
        with RunningTable(config) as again:
            again.wait_for_error("device shoe: remembers this journal up to entry")
            again.say("quit")
            assert again.end() == 0
    assert stored(database, TABLE, first) == entries_of(paths[0])
    assert stored(database, TABLE, second)[:entries] == entries_of(paths[1])[:entries]
    assert alarms(database) == []

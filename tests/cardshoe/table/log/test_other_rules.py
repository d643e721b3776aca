"""A journal that other rules gave: verified, not replayed, and not gone on with."""

import json
from pathlib import Path

import pytest

from cardshoe.cli.doctoring.journals import newest
from cardshoe.journal import JournalBroken, read_only
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.log.sealing_keys import make_keys
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.log.verify import verify
from regulations.events.codec import decode_input
from regulations.events.inputs import Table
from regulations.law.edition import RULES_VERSION
from tests.cardshoe.cli.journals import entries_of, journal_of
from tests.cardshoe.cli.support import GAME, PROFILE, invoke
from tests.cardshoe.journal.sealed import by_the_verifier, edited

AT = "2026-01-06T10:00:00.000000Z"
NAME = "B-101-20260105T100000-000000Z.journal"
OTHER = RULES_VERSION + 1


def table() -> Table:
    found = decode_input(json.dumps({**PROFILE, "at": AT}))
    assert isinstance(found, Table)
    return found


def test_it_is_verified_and_not_replayed(tmp_path: Path) -> None:
    path = journal_of(tmp_path / NAME, GAME, rules=OTHER)
    found = verify(path)
    assert (found.replayed, found.not_replayed, found.rules) == (False, "other_rules", OTHER)
    assert (found.entries, found.proved) == (len(GAME), found.entries)
    told = json.loads(invoke("verify", path, "--json").stdout)
    assert (told["replayed"], told["not_replayed"], told["rules"]) == (False, "other_rules", OTHER)
    done = invoke("verify", path)
    assert done.exit_code == 0
    assert f"NOT replayed: other rules (version {OTHER}, here {RULES_VERSION}) gave its outputs" in done.stdout
    assert by_the_verifier(path)[0] == 0
    edited(path, lambda database: database.execute("UPDATE entries SET node = zeroblob(32) WHERE number = 5"))
    with pytest.raises(JournalBroken) as caught:
        verify(path)
    assert caught.value.entry == 5


def test_one_of_these_rules_says_so(tmp_path: Path) -> None:
    found = verify(journal_of(tmp_path / NAME))
    assert (found.replayed, found.not_replayed, found.rules) == (True, None, RULES_VERSION)


def test_a_table_does_not_go_on_with_it(tmp_path: Path) -> None:
    make_keys(tmp_path / "sealing.key")
    path = journal_of(tmp_path / NAME, GAME, rules=OTHER)
    with pytest.raises(Stop, match="Close it with the version that began it") as caught:
        open_log(tmp_path, table(), AT, lambda _: None)
    assert caught.value.code == Exit.JOURNAL
    assert "cardshoe 0.1.0 began this log with " in caught.value.what
    (finding,) = newest(tmp_path, "B-101", AT)
    assert (finding.about, finding.exit_code) == ("journal", Exit.JOURNAL)
    assert finding.remedy == caught.value.remedy
    assert len(entries_of(path)) == verify(path).entries


def test_after_one_that_is_closed_a_new_log_begins(tmp_path: Path) -> None:
    make_keys(tmp_path / "sealing.key")
    path = journal_of(
        tmp_path / NAME, [*GAME, {"event": "shoe_ended", "reason": "house"}, {"event": "closed"}], rules=OTHER
    )
    log = open_log(tmp_path, table(), AT, lambda _: None)
    with log.journal:
        assert (log.journal.path != path, log.recovered) == (True, 0)
        assert log.journal.header.rules == RULES_VERSION
    (finding,) = newest(tmp_path, "B-101", AT)
    assert finding.exit_code == 0


def test_the_header_of_a_log_of_now_names_them(tmp_path: Path) -> None:
    log = open_log(tmp_path, table(), AT, lambda _: None)
    log.journal.close()
    with read_only(log.journal.path) as evidence:
        assert json.loads(evidence.genesis.data)["rules"] == RULES_VERSION

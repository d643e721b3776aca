"""(table, log, seq) names a line for ever: `log` is the fingerprint of the journal's first key, and no epoch."""

import hashlib
import json
from pathlib import Path

from cardshoe.journal import read_only
from cardshoe.journal.delivery.wire import Batch
from regulations.events.inputs import AnyInput
from tests.cardshoe.floor.batches import Journal
from tests.cardshoe.floor.tables import journal, played
from tests.cardshoe.table.live.support import TABLE, ServedTable


def test_a_table_that_closes_and_opens_anew_on_a_day_has_another_log(tmp_path: Path) -> None:
    inputs: list[AnyInput] = played(rounds=1)
    first = Journal(journal(tmp_path, "T-1", inputs, at="2026-11-23T10:00:00.000000Z"))
    second = Journal(journal(tmp_path, "T-1", inputs, at="2026-11-23T18:00:00.000000Z"))
    assert first.table == second.table
    assert first.log != second.log
    # The epochs of both begin with 0: they are no part of a name.
    assert first.notes[0][1].split("\n")[1] == second.notes[0][1].split("\n")[1] == "key 0"


def test_an_open_log_that_goes_on_is_the_same(tmp_path: Path) -> None:
    inputs = played(rounds=1)
    path = journal(tmp_path, "T-1", inputs[:5], closed=False)
    log = Journal(path).log
    assert journal(tmp_path, "T-1", inputs[5:], closed=False) == path
    assert Journal(path).log == log


def test_it_is_the_fingerprint_of_the_first_key_everywhere(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as served, served.client() as client:
        hello, snapshot = client.hello, client.snapshot()
        path = served.log.journal.path
    with read_only(path) as evidence:
        key = json.loads(evidence.genesis.data)["key"]
    log = hashlib.sha256(key.encode()).hexdigest()[:32]
    book = Journal(path)
    batch = Batch.decode(book.batch(0, 2).encoded())
    assert {hello.log, snapshot.log, book.log, batch.head.log} == {log}
    assert (hello.table, batch.head.table) == (TABLE.table_id, TABLE.table_id)

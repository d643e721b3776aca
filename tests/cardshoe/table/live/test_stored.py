"""Stored entries over the live socket: each byte as the journal has it, in all logs of a table; proofs that hold."""

import queue
from pathlib import Path

import msgspec
import pytest

from cardshoe.journal import Entry, read_only
from cardshoe.journal.proof.entry_proof import Unproved
from cardshoe.journal.reading.proving import check_proof
from cardshoe.table.controller import Controller
from cardshoe.table.live import messages as says
from cardshoe.table.live import stored as module
from cardshoe.table.live.client import LiveClient
from cardshoe.table.log.journal_names import journals_of
from cardshoe.table.log.table_journal import open_log
from tests.cardshoe.table.live.support import READY, TABLE, Bare, DayTable, ServedTable, cards
from tests.kit.command import Line

ROUND: list[Line] = [*({"event": "card", "card": card} for card in ("9H", "2D", "TS", "3C")), {"event": "round_closed"}]


def all_entries(client: LiveClient, log: str | None) -> tuple[list[tuple[int, list[bytes]]], says.SaidHistory]:
    """All entries of a log, asked for a part at a time, and the last answer."""
    found: list[tuple[int, list[bytes]]] = []
    while True:
        told = client.history(log, len(found))
        assert told.fault == ""
        found += [(one.entry, list(map(bytes, one.lines))) for one in told.entries]
        if len(found) > told.last:
            return found, told


def as_stored(entries: list[Entry]) -> list[tuple[int, list[bytes]]]:
    return [(one.number, one.lines) for one in entries]


def test_the_running_log_is_sent_as_the_journal_has_it(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table, table.client() as client:
        table.tell(*READY, *cards(3)[:60], *ROUND)
        found, told = all_entries(client, None)
        assert (told.log, told.before, told.last) == (client.hello.log, "", table.log.journal.last)
        assert len(found) > module.ENTRIES
        assert client.history(None, told.last + 1).entries == []
    (path,) = journals_of(table.place.folder, table.place.stem)
    with read_only(path) as evidence:
        assert found == as_stored([evidence.genesis, *evidence.entries()])


def test_a_long_entry_is_sent_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BYTES", 700)
    with ServedTable(tmp_path) as table, table.client() as client:
        table.tell(*READY)
        assert [one.entry for one in client.history(None, 0).entries] == [0]
        assert len(all_entries(client, None)[0]) == table.log.journal.last + 1


def test_a_closed_log_is_read_from_its_file(tmp_path: Path) -> None:
    served = DayTable(tmp_path)
    with served.table as table, table.client() as client:
        first = client.hello.log
        later = served.go_over()
        table.tell(READY[0])
        _, now = all_entries(client, None)
        assert (now.log, now.before) == (later, first)
        found, told = all_entries(client, first)
        assert (told.log, told.before) == (first, "")
        oldest, _ = journals_of(table.place.folder, table.place.stem)
        with read_only(oldest) as evidence:
            assert found == as_stored([evidence.genesis, *evidence.entries()])
        assert client.history("0" * 32, 0).fault == module.NO_LOG
        assert client.proof("0" * 32, (1, 1), 1).fault == module.NO_LOG


def test_a_damaged_log_hides_no_older_one(tmp_path: Path) -> None:
    at = iter(range(1, 9))
    log = open_log(tmp_path, TABLE, "2026-01-01T10:00:00.000000Z", lambda _: None)
    first = log.journal.header.fingerprint
    for _ in range(2):
        log.go_over(f"2026-01-0{next(at) + 1}T10:00:00.000000Z").close()
    oldest, damaged, running = journals_of(tmp_path, TABLE.table_id)
    assert running == log.journal.path
    data = damaged.read_bytes()
    damaged.write_bytes(data[:200] + bytes(len(data) - 200))
    answers: list[module.Told] = []
    stored = module.StoredLogs(log, Controller(log, queue.SimpleQueue()))
    for asked in (first, "0" * 32):
        stored.take(says.AskHistory(id="1", log=asked, first=0), log.journal.header.fingerprint, answers.append)
    log.journal.close()
    found, missing = answers
    assert isinstance(found, says.SaidHistory)
    assert isinstance(missing, says.SaidHistory)
    with read_only(oldest) as evidence:
        assert [list(map(bytes, one.lines)) for one in found.entries] == [
            one.lines for one in (evidence.genesis, *evidence.entries())
        ]
    assert damaged.name in missing.fault


def proved(client: LiveClient, log: str, entries: tuple[int, int], number: int) -> says.SaidProof:
    told = client.proof(log, entries, number)
    if told.proof:
        assert check_proof(told.proof.encode()).round == number
    return told


def test_a_round_is_proved_in_the_running_log_and_in_a_closed_one(tmp_path: Path) -> None:
    served = DayTable(tmp_path)
    with served.table as table, table.client() as client:
        table.tell(*READY)
        first = table.log.journal.last + 1
        table.tell(*ROUND)
        last, log = table.log.journal.last, client.hello.log
        held = proved(client, log, (first, last), 1)
        assert held.proof
        other = held.proof.replace('card\\":\\"9H', 'card\\":\\"8H')
        with pytest.raises(Unproved):
            check_proof(other.encode())
        assert proved(client, log, (first, last), 2).fault == "it holds no entry of round 2"
        assert proved(client, log, (last, last + 1), 1).fault == f"no such entry in a journal of {last}"
        assert proved(client, log, (1, 600), 1).fault == f"more than {module.ROUND_ENTRIES} entries"


def test_who_may_only_look_on_may_read_and_a_malformed_request_is_said(
    tmp_path: Path,
) -> None:
    with ServedTable(tmp_path) as table, Bare(table.place) as bare:
        bare.say(b'{"type":"history","id":"1","log":"x"}\n')
        assert bare.next()["code"] == "malformed"
        bare.say(b'{"type":"history","id":"2","first":1}\n{"type":"snapshot"}\n')
        told = bare.next()
        assert (told["type"], told["id"], told["entries"][0]["entry"]) == ("history", "2", 1)
        assert msgspec.json.encode(told["entries"][0]["lines"][0]).startswith(b'{"event":"table"')
        assert bare.next()["type"] == "snapshot"

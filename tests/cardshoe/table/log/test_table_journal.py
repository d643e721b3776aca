"""A table's log in its journal: begun, taken up, and refused."""

from pathlib import Path

import msgspec
import pytest

from cardshoe.journal import Entry, Header, Journal, JournalBroken, Keyring, read_only
from cardshoe.journal.file.chain import data_of
from cardshoe.process.exits import Stop
from cardshoe.table.log.journal_names import newest_journal
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.replaying import replayed
from cardshoe.table.log.table_journal import open_log
from regulations.events.inputs import AnyInput, CardDrawn, Closed, Loaded, Shuffled
from regulations.law.edition import RULES_VERSION
from tests.cardshoe.cli.journals import forge
from tests.kit.sealed import verified
from tests.kit.table_log import AT, INPUTS, TABLE, ignore

LATER = "2026-01-06T10:00:00.000000Z"


def written(folder: Path, *events: AnyInput) -> Path:
    log = open_log(folder, TABLE, AT, ignore)
    with log.journal:
        for event in events:
            log.journal.append([log.scribe.take(event).entry])
    return log.journal.path


def test_a_new_log_has_its_opening(tmp_path: Path) -> None:
    log = open_log(tmp_path / "new" / "folder", TABLE, AT, ignore)
    with log.journal:
        assert log.recovered == 0
        assert log.last.prompt.do == "shuffle"
        assert log.journal.path.name == "T-1-20260105T100000-000000Z.journal"
        assert log.journal.header.table_id == "T-1"
        assert log.journal.header.options["deal"] == "face_up"
    assert verified(log.journal.path).entries == 1


def test_an_open_log_is_taken_up_where_it_ended(tmp_path: Path) -> None:
    path = written(tmp_path, *INPUTS[:14])
    remembered: list[LoggedInput] = []
    log = open_log(tmp_path, TABLE, LATER, remembered.append)
    with log.journal:
        assert log.journal.path == path
        assert log.recovered == 15
        assert (log.last.prompt.to, log.last.prompt.position) == ("banker", 1)
        assert [type(taken.event) for taken in remembered[1:]] == [type(event) for event in INPUTS[:14]]
        taken = log.scribe.take(INPUTS[14])
        log.journal.append([taken.entry])
    assert verified(path).entries == 16


def test_what_was_refused_is_remembered_as_that(tmp_path: Path) -> None:
    written(tmp_path, Loaded(cards=416, at=AT), Shuffled(by="croupier", at=AT), CardDrawn(card="2C", at=AT))
    remembered: list[LoggedInput] = []
    with open_log(tmp_path, TABLE, LATER, remembered.append).journal:
        refused = [type(taken.event) for taken in remembered if taken.is_refused]
        assert refused == [Loaded]
        assert isinstance(remembered[2].event, Shuffled)


@pytest.mark.parametrize(
    ("more", "source"),
    [
        ([Loaded(cards=416, device="shoe", at=AT)], "shoe"),
        ([Loaded(cards=416, at=AT)], None),
        ([Loaded(cards=400, device="shoe", at=AT)], None),
        ([Loaded(cards=416, device="shoe", at=AT), Loaded(cards=416, device="spare", at=AT)], "shoe"),
    ],
    ids=["its own", "a person's", "refused", "the second refused"],
)
def test_whose_stack_is_dealt_from_is_known_again(tmp_path: Path, more: list[AnyInput], source: str | None) -> None:
    written(tmp_path, *INPUTS[:3], *more)
    log = open_log(tmp_path, TABLE, LATER, ignore)
    with log.journal:
        assert log.loaded_by == source


def test_after_a_closed_log_a_new_one_begins_with_whatever_profile(tmp_path: Path) -> None:
    path = written(tmp_path, Closed(at=AT))
    log = open_log(tmp_path, msgspec.structs.replace(TABLE, decks=6), LATER, ignore)
    with log.journal:
        assert log.journal.path != path
        assert log.recovered == 0
    assert newest_journal(tmp_path, "T-1") == log.journal.path


def test_a_clock_that_was_set_back_hides_no_open_log(tmp_path: Path) -> None:
    log = open_log(tmp_path, TABLE, LATER, ignore)
    with log.journal:
        log.journal.append([log.scribe.take(Closed(at=LATER)).entry])
    closed = log.journal.path
    path = written(tmp_path, *INPUTS[:14])  # a day before
    assert path != closed
    assert newest_journal(tmp_path, "T-1") == path
    log = open_log(tmp_path, TABLE, AT, ignore)
    with log.journal:
        assert log.journal.path == path
        assert log.recovered == 15


def test_two_logs_of_one_moment_have_their_order(tmp_path: Path) -> None:
    paths = [written(tmp_path, Closed(at=AT)) for _ in range(3)]
    assert sorted(set(paths)) == paths
    assert newest_journal(tmp_path, "T-1") == paths[-1]


def test_an_open_log_with_another_profile_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, *INPUTS[:2])
    with pytest.raises(Stop, match="another profile") as caught:
        open_log(tmp_path, msgspec.structs.replace(TABLE, decks=6), LATER, ignore)
    assert caught.value.code == 2
    # And was let go.
    Journal.open(path).close()


def test_a_log_that_was_stopped_before_its_first_line(tmp_path: Path) -> None:
    header = Header(
        table_id="T-1", game="baccarat", edition="x", program="cardshoe", created_at=AT, rules=RULES_VERSION
    )
    path = tmp_path / "T-1-20260105T100000-000000Z.journal"
    Journal.create(path, header, Keyring(path)).close()
    log = open_log(tmp_path, TABLE, LATER, ignore)
    with log.journal:
        log.journal.sign(LATER)
        assert log.journal.path == path
        assert log.last.prompt.do == "shuffle"
        assert log.last.event.at == AT
    assert verified(path).entries == 1


def test_a_demonstration_begins_a_new_one_always(tmp_path: Path) -> None:
    path = written(tmp_path)
    log = open_log(tmp_path, TABLE, LATER, ignore, resume=False)
    with log.journal:
        assert log.journal.path != path


def test_the_newest_is_the_table_s_own(tmp_path: Path) -> None:
    mine = tmp_path / "T-1-20260105T100000-000000Z.journal"
    names = [
        "T-1-2-20270105T100000-000000Z.journal",
        "T-1-notes.journal",
        f"{mine.name}-wal",
        f".{mine.name}.x.creating",
    ]
    for name in [*names, mine.name, "T-1-20250105T100000-000000Z.journal"]:
        (tmp_path / name).touch()
    assert newest_journal(tmp_path, "T-1") == mine
    assert newest_journal(tmp_path, "T-9") is None


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Stop, match="Name a folder"):
        open_log(tmp_path / "file" / "journals", TABLE, AT, ignore)


def test_a_table_whose_name_is_no_file_name(tmp_path: Path) -> None:
    table = msgspec.structs.replace(TABLE, table_id="salão 3/b")
    with open_log(tmp_path, table, AT, ignore).journal as journal:
        assert journal.path.name == "salão_3_b-20260105T100000-000000Z.journal"
    with open_log(tmp_path, table, LATER, ignore).journal as journal:
        assert journal.header.table_id == "salão 3/b"


def test_a_changed_output_is_found(tmp_path: Path) -> None:
    path = written(tmp_path, *INPUTS)
    with read_only(path) as evidence:
        entries = list(evidence.entries())
    (result,) = [entry.number for entry in entries if b'"event":"result"' in entry.data]
    # Whoever has the key can make tree and signatures hold; replaying shows it all the same.
    forge(path, result, b'"outcome":"player"', b'"outcome":"banker"')
    for act in (lambda: verified(path), lambda: open_log(tmp_path, TABLE, LATER, ignore)):
        with pytest.raises(JournalBroken) as caught:
            act()
        assert caught.value.entry == result


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda lines: lines[:-1], "the regulation does not give line"),
        (lambda lines: [lines[0], lines[1], *lines[1:]], "the regulation does not give line"),
        (lambda lines: lines[2:], "the first input is not a `table` event"),
        (
            lambda lines: [lines[0].replace(b'"decks":8', b'"decks": 8'), *lines[1:]],
            "not written as this program writes",
        ),
        (lambda lines: [b'{"event":"danced","seq":1}', *lines[1:]], "not an input of the table log"),
        (lambda lines: [lines[0].replace(b"baccarat", b"q_poker"), *lines[1:]], "does not give line"),
        (lambda lines: [lines[0].replace(b"baccarat", b"bridge"), *lines[1:]], "bridge"),
    ],
)
def test_what_another_run_does_not_give_is_found(tmp_path: Path, change: object, reason: str) -> None:
    path = written(tmp_path, *INPUTS[:1])
    with read_only(path) as evidence:
        first, second = evidence.entries()
    assert callable(change)
    lines = change(first.lines)
    entries = [Entry(1, data_of(lines), first.node)] if lines else [second]
    with pytest.raises(JournalBroken, match=reason):
        list(replayed(path, entries))

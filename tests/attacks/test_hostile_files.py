"""Attack: somebody hands over a file that was made by hand, and one of the two verifiers says that all of it holds."""

import json
import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Final

import apsw
import pytest

from cardshoe.journal import Journal, Keyring, NotAJournal, backup
from cardshoe.journal.file.chain import lines_of
from cardshoe.journal.file.database import connect
from cardshoe.journal.file.line import FIELDS
from tests.attacks.verdicts import HOLDS, NONE, Edit, judged, script
from tests.cardshoe.journal.sealed import VERIFIER, edited, regrown, sealed_journal
from tests.tamper.agree import Comparison
from tests.tamper.forger import Forger, Unsigned

AT: Final = '"at":"2026-01-05T10:00:12.000000Z"'
EDITS: Final = 150


@pytest.fixture
def forger() -> Forger:
    """Who has all the keys of a journal of 12 entries; line 12 is in entry 4, and signed are sizes 4, 7, 10, 13."""
    forger = Forger(random.Random(1))
    assert b'"seq":12,' in lines_of(forger.rows[4])[1]
    assert (forger.begins, [size for size, _ in forger.signed]) == ([1, 1, 7], [4, 7, 10, 13])
    return forger


def member(value: str) -> bytes:
    """Line 12 with a value that no table has written there."""
    return f'{{"event":"dealt","seq":12,{AT},"detail":{value}}}'.encode()


SOUND: Final = {
    "as it is written": member('"x"'),
    "a text in other letters": member('"龍 é \x7f \ufffd"'),
    "a control character as it must be escaped": member(r'"\u0000\u001f\n\t\"\\"'),
    "the largest number": member("18446744073709551615"),
    "the least number": member("-9223372036854775808"),
    "a decimal": member("-86400.000001"),
    "as deep as it may be": member("[" * 31 + "]" * 31),
    "brackets in a text": member('"' + "[{" * 5_000 + '"'),
    "every field there is": member('"x"')[:-1] + b"," + b",".join(
        f'"{name}":null'.encode() for name in sorted(FIELDS - {"event", "seq", "at", "detail"})
    ) + b"}",
}  # fmt: skip

HOSTILE: Final = {
    "a member twice": member('"x","detail":"y"'),
    "a member twice, further in": member('{"card":"AS","card":"2S"}'),
    "a space": member(' "x"'),
    "a space at the end": member('"x"') + b" ",
    "a line's end": member('"x"\n'),
    "half of a surrogate pair": member(r'"\ud800"'),
    "the other half": member(r'"\udc00"'),
    "both halves, escaped": member(r'"\ud83d\ude00"'),
    "half of a pair in bytes": member('"x"').replace(b'"x"', b'"\xed\xa0\x80"'),
    "bytes that are no text": member('"x"').replace(b'"x"', b'"\xff"'),
    "another encoding": member('"x"').decode().encode("utf-16-le"),
    "a mark of byte order": b"\xef\xbb\xbf" + member('"x"'),
    "a letter escaped that need not be": member(r'"\u0041"'),
    "a slash escaped": member(r'"\/"'),
    "an escape in capitals": member(r'"\u001F"'),
    "a control character that is not escaped": member('"\x01"'),
    "a number of 4,000 digits": member("9" * 4_000),
    "one of 5,000": member("9" * 5_000),
    "a number too large by one": member("18446744073709551616"),
    "a number too small by one": member("-9223372036854775809"),
    "a number beyond all": member("1e999999"),
    "an exponent": member("1e5"),
    "a decimal that is not the shortest": member("1.50"),
    "a decimal too long to be one": member("0.1000000000000000055511151231257827"),
    "a decimal too small": member("0.00001"),
    "a negative nothing": member("-0"),
    "no number": member("NaN"),
    "infinity": member("Infinity"),
    "deeper than it may be": member("[" * 32 + "]" * 32),
    "objects deeper than it may be": member('{"a":' * 32 + "0" + "}" * 32),
    "deeper than any parser goes": member("[" * 100_000 + "]" * 100_000),
    "an unknown field": f'{{"event":"dealt","seq":12,{AT},"stake_back":1}}'.encode(),
    "a field without a name": f'{{"event":"dealt","seq":12,{AT},"":1}}'.encode(),
    "another order": f'{{"seq":12,"event":"dealt",{AT}}}'.encode(),
    "the number not second": f'{{"event":"dealt",{AT},"seq":12}}'.encode(),
    "no number of its own": f'{{"event":"dealt",{AT}}}'.encode(),
    "a number that is a decimal": f'{{"event":"dealt","seq":12.0,{AT}}}'.encode(),
    "a number that is a text": f'{{"event":"dealt","seq":"12",{AT}}}'.encode(),
    "the number of another": f'{{"event":"dealt","seq":13,{AT}}}'.encode(),
    "an event that is no text": f'{{"event":7,"seq":12,{AT}}}'.encode(),
    "no object": b'["event","dealt","seq",12]',
    "two lines": member('"x"') * 2,
    "nothing": b"",
}


@pytest.mark.parametrize("line", SOUND.values(), ids=SOUND)
def test_a_line_in_the_one_way_there_is_holds(path: Path, verifier: ModuleType, forger: Forger, line: bytes) -> None:
    forger.relined(4, 1, lambda _: line)
    forger.write(path)
    assert judged(verifier, path) == HOLDS


@pytest.mark.parametrize("line", HOSTILE.values(), ids=HOSTILE)
def test_a_line_in_another_way_is_refused_although_it_is_signed(
    path: Path, verifier: ModuleType, forger: Forger, line: bytes
) -> None:
    forger.relined(4, 1, lambda _: line)
    forger.write(path)
    assert judged(verifier, path) == (False, 4)


def said(**values: object) -> Callable[[Forger], object]:
    """The header says something else."""
    return lambda forger: forger.said.update(values)


def without(name: str) -> Callable[[Forger], object]:
    return lambda forger: forger.said.pop(name)


def last_first(forger: Forger) -> None:
    forger.said = {"event": "journal", **dict(reversed(forger.said.items()))}


HEADERS: Final[dict[str, Callable[[Forger], object]]] = {
    "an unknown field": said(stake=1),
    "a field is missing": without("options"),
    "another order": last_first,
    "a number for a text": said(table_id=101),
    "a list for options": said(options=[]),
    "another event": said(event="table"),
    "an identity with U+FFFD": said(journal_id="\ufffd" * 32),
    "no version of the rules": without("rules"),
    "a version of the rules that is a text": said(rules="1"),
    "one that is a decimal": said(rules=1.0),
    "one that is true": said(rules=True),
    "an identity in capitals": said(journal_id="A" * 32),
    "no key": said(key=""),
    "a key that is none": said(key="x+00000000+AAAA"),
    "a number beyond 64 bits": said(options={"limit": 10**30}),
    "options deeper than they may be": said(options={"a": json.loads("[" * 31 + "]" * 31)}),
}


@pytest.mark.parametrize("change", HEADERS.values(), ids=HEADERS)
def test_a_header_in_another_way_is_refused(
    path: Path, verifier: ModuleType, forger: Forger, change: Callable[[Forger], object]
) -> None:
    change(forger)
    forger.relined(0, 0, lambda _: forger.written_header())
    forger.write(path)
    assert judged(verifier, path) == (False, 0)


def test_a_header_with_a_space_a_member_twice_or_another_end(path: Path, verifier: ModuleType, forger: Forger) -> None:
    sound = forger.rows[0]
    for header in (
        sound.replace(b",", b", ", 1),
        sound.replace(b"{", b'{"event":"journal",', 1),
        sound[:-1],
        sound + b"\n",
        sound * 2,
    ):
        forger.rows[0] = header
        forger.write(path)
        assert judged(verifier, path) == (False, 0)
        path.unlink()


def replaced(number: int, old: bytes, new: bytes) -> Callable[[list[Unsigned]], None]:
    """A note says something else, and is signed by the key whose turn it is."""

    def change(notes: list[Unsigned]) -> None:
        assert old in notes[number].text
        notes[number].text = notes[number].text.replace(old, new)

    return change


NOTES: Final[dict[str, tuple[Callable[[list[Unsigned]], None], tuple[bool, int | None]]]] = {
    "U+FFFD in the time, which is text": (replaced(4, b"2026", "\ufffd".encode()), HOLDS),
    "bytes that are no text": (replaced(4, b"2026", b"\xff"), (False, NONE)),
    "a control character": (replaced(4, b"2026", b"\x07"), (False, NONE)),
    "a blank line": (replaced(4, b"checkpoint 2", b"\ncheckpoint 2"), (False, NONE)),
    "a number with a nought before it": (replaced(4, b"\n7\n", b"\n07\n"), (False, NONE)),
    "a size beyond all": (replaced(4, b"\n7\n", b"\n" + b"9" * 19 + b"\n"), (False, NONE)),
    "a first key that takes over before the header": (replaced(0, b"\n1\n", b"\n0\n"), (False, 0)),
    "a larger size": (replaced(6, b"\n13\n", b"\n14\n"), (False, 13)),
    "another journal's": (replaced(4, b"journal/", b"journal/0"), (False, NONE)),
    "a key of another name": (replaced(2, b"+", b"0+"), (False, NONE)),
    "a state that is no hash": (replaced(2, b"Z\n", b"Z\nstate x\n"), (False, NONE)),
    "a root that is none": (replaced(4, b"=\n", b"\n"), (False, NONE)),
}


@pytest.mark.parametrize(("change", "expected"), NOTES.values(), ids=NOTES)
def test_a_note_in_another_way(
    path: Path,
    verifier: ModuleType,
    forger: Forger,
    change: Callable[[list[Unsigned]], None],
    expected: tuple[bool, int | None],
) -> None:
    forger.write(path, change)
    assert judged(verifier, path) == expected


def sql(*texts: str, fit: bool = False) -> Edit:
    """Ordinary tools edit the file; with ``fit`` all that needs no key is computed anew."""

    def edit(database: sqlite3.Connection) -> None:
        for text in texts:
            database.execute(text)
        if fit:
            regrown(database)

    return lambda path: edited(path, edit)


def patched(at: int, new: bytes) -> Edit:
    """Other bytes in the file."""

    def edit(path: Path) -> None:
        data = path.read_bytes()
        path.write_bytes(data[:at] + new + data[at + len(new) :])

    return edit


def appended(new: bytes) -> Edit:
    return lambda path: path.write_bytes(path.read_bytes() + new)


def appended_page_and_counted(path: Path) -> None:
    """A further page, which the first page counts."""
    data = path.read_bytes()
    pages = int.from_bytes(data[28:32], "big") + 1
    path.write_bytes(data[:28] + pages.to_bytes(4, "big") + data[32:] + b"\r" + bytes(4095))


def appended_under_a_log(path: Path) -> None:
    """Bytes after the last page, while a write-ahead log holds the newest commit."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("CREATE TABLE more (x)")
        main, log = path.read_bytes(), path.with_name(f"{path.name}-wal").read_bytes()
    path.write_bytes(main + bytes(8192))
    path.with_name(f"{path.name}-wal").write_bytes(log)


def linked(path: Path) -> None:
    """The newest commit is in the log of another name of the same file."""
    other = path.with_name("other.journal")
    os.link(path, other)
    with closing(sqlite3.connect(other, isolation_level=None)) as database:
        database.execute("DELETE FROM checkpoints WHERE number = 4")
        log = other.with_name("other.journal-wal")
        data = log.read_bytes()
    log.write_bytes(data)


def retyped(path: Path) -> None:
    """A text where bytes must be, in a table that takes none."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        ((text,),) = database.execute("SELECT sql FROM sqlite_schema WHERE name = 'entries'").fetchall()
        rows = database.execute("SELECT * FROM entries").fetchall()
        database.executescript(f"DROP TABLE entries; {text.replace(' STRICT', '')}")
        database.executemany("INSERT INTO entries VALUES (?, ?, ?)", rows)
        database.execute("UPDATE entries SET lines = CAST(lines AS TEXT) WHERE number = 4")
        database.execute("PRAGMA writable_schema = 1")
        database.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'entries'", (text,))


SNAPSHOTS: Final = (
    "DROP TABLE snapshots; CREATE TABLE snapshots (epoch INTEGER PRIMARY KEY, state BLOB NOT NULL) STRICT"
)
SQL: Final = "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = "
SLOW: Final = (
    "CREATE TABLE slow (a CHECK (a GLOB '*a*a*a*a*a*a*a*a*b')); INSERT INTO slow VALUES (printf('%.300c', 'a'))"
)
HUGE: Final = (
    "DROP TABLE snapshots; CREATE TABLE snapshots (epoch INTEGER PRIMARY KEY, state BLOB AS (zeroblob(900000000)));"
    "INSERT INTO snapshots (epoch) VALUES (1), (2)"
)
UNSIGNED: Final = "INSERT INTO snapshots VALUES (1, x'7b7d')"

FILES: Final[dict[str, tuple[Edit, tuple[bool, int | None]]]] = {
    "as it was written": (sql(), HOLDS),
    "a table made again as it was": (script(SNAPSHOTS), HOLDS),
    "other bytes where no byte matters": (patched(96, bytes(4)), HOLDS),
    "no write-ahead log": (script("PRAGMA journal_mode = delete"), (False, NONE)),
    "the flag of writing alone": (patched(18, b"\1"), (False, NONE)),
    "the flag of reading alone": (patched(19, b"\1"), (False, NONE)),
    "pages of another size": (
        script("PRAGMA journal_mode = delete; PRAGMA page_size = 8192; VACUUM; PRAGMA journal_mode = wal"),
        (False, NONE),
    ),
    "room kept free in each page": (patched(20, b"\x08"), (False, NONE)),
    "pages that move": (script("PRAGMA auto_vacuum = 1; VACUUM"), (False, NONE)),
    "texts in another encoding": (patched(59, b"\2"), (False, NONE)),
    "a cache of its own wish": (script("PRAGMA default_cache_size = 50"), (False, NONE)),
    "bytes that SQLite reserves": (patched(72, b"hidden"), (False, NONE)),
    "of another program": (script("PRAGMA application_id = 7"), (False, NONE)),
    "of another version": (script("PRAGMA user_version = 9"), (False, NONE)),
    "a further table": (script("CREATE TABLE photographs (seq INTEGER PRIMARY KEY, image BLOB) STRICT"), (False, NONE)),
    "a further column": (script("ALTER TABLE checkpoints ADD COLUMN more BLOB"), (False, NONE)),
    "a further column beside": (script(SNAPSHOTS.replace("NULL)", "NULL, more BLOB)")), (False, NONE)),
    "a table that is not strict": (script(SNAPSHOTS.replace(" STRICT", "")), (False, NONE)),
    "a table written otherwise": (script(f"{SQL} replace(sql, 'STRICT', 'strict') WHERE name = 'keys'"), (False, NONE)),
    "an index": (script("CREATE INDEX i ON entries (node)"), (False, NONE)),
    "a view": (script("CREATE VIEW v AS SELECT * FROM entries"), (False, NONE)),
    "a trigger": (script("CREATE TRIGGER t AFTER INSERT ON keys BEGIN DELETE FROM keys; END"), (False, NONE)),
    "a virtual table": (
        script("DROP TABLE snapshots; CREATE VIRTUAL TABLE snapshots USING fts5(epoch, state)"),
        (False, NONE),
    ),
    "statistics": (script("ANALYZE"), (False, NONE)),
    "a column that is computed": (script(HUGE), (False, NONE)),
    "a condition that takes hours": (script(f"PRAGMA ignore_check_constraints = 1; {SLOW}"), (False, NONE)),
    "a table that is missing": (script("DROP TABLE checkpoints"), (False, NONE)),
    "a letter after its end": (appended(b"x"), (False, NONE)),
    "a page after its end": (appended(bytes(4096)), (False, NONE)),
    "a page after its end that it counts": (appended_page_and_counted, (False, NONE)),
    "a page after its end under a log": (appended_under_a_log, (False, NONE)),
    "a second name": (linked, (False, NONE)),
    "a row below the first": (sql("INSERT INTO entries VALUES (-1, x'00', x'00')"), (False, 0)),
    "a row far beyond the last": (sql("INSERT INTO entries VALUES (1 << 62, x'00', x'00')"), (False, 13)),
    "an entry without its last line feed": (
        sql("UPDATE entries SET lines = substr(lines, 1, length(lines) - 1) WHERE number = 4"),
        (False, 4),
    ),
    "a row that is missing": (sql("DELETE FROM entries WHERE number = 4"), (False, 4)),
    "a row of text": (retyped, (False, NONE)),
    "a line altered": (
        sql("UPDATE entries SET lines = CAST(replace(lines, 'raw', 'why') AS BLOB) WHERE number = 4"),
        (False, 4),
    ),
    "a line altered, and all nodes fit": (
        sql("UPDATE entries SET lines = CAST(replace(lines, 'raw', 'why') AS BLOB) WHERE number = 5", fit=True),
        (False, 4),  # the first that the checkpoint of size 4 does not prove
    ),
    "a checkpoint that is missing": (sql("DELETE FROM checkpoints WHERE number = 2"), (False, NONE)),
    "a key that is missing": (sql("DELETE FROM keys WHERE epoch = 1"), (False, NONE)),
    "a snapshot that nobody signed": (script(UNSIGNED), (False, NONE)),
}


@pytest.mark.parametrize(("edit", "expected"), FILES.values(), ids=FILES)
def test_a_file_that_was_made_by_hand(
    path: Path, verifier: ModuleType, forger: Forger, edit: Edit, expected: tuple[bool, int | None]
) -> None:
    forger.write(path)
    edit(path)
    assert judged(verifier, path) == expected


def test_a_table_does_not_go_on_with_such_a_file(path: Path) -> None:
    """Nor is a backup made of a file with two names: the entries of the other log would be missing in it."""
    sealed_journal(path)
    other = path.with_name("other.journal")
    os.link(path, other)
    for refused in (
        lambda: Journal.open(path, Keyring(path)),
        lambda: backup(path, path.with_name("copy.journal")),
    ):
        with pytest.raises(NotAJournal, match="2 names") as caught:
            refused()
        assert "-wal of another one" in str(caught.value)
    other.unlink()
    Journal.open(path, Keyring(path)).close()


def test_a_name_that_a_crash_has_left_is_no_attack(path: Path, verifier: ModuleType) -> None:
    """For an instant a new file has its own name and its passing one. With a log of its own that is an attack."""
    sealed_journal(path)
    folder = path.with_name(f".{path.name}.abc.importing")
    folder.mkdir()
    os.link(path, folder / "x.journal")
    os.link(path, path.with_name(f".{path.name}.abc.creating"))
    assert judged(verifier, path) == HOLDS
    Journal.open(path, Keyring(path)).close()
    path.with_name(f".{path.name}.abc.creating-wal").touch()
    assert judged(verifier, path) == (False, NONE)
    with pytest.raises(NotAJournal, match="2 names"):
        Journal.open(path, Keyring(path))


def test_sqlites_advice_for_untrusted_files_is_followed(path: Path, verifier: ModuleType, forger: Forger) -> None:
    forger.write(path)
    advised = {"trusted_schema": 0, "cell_size_check": 1, "mmap_size": 0}
    connection = connect(path, path)
    assert {name: connection.pragma(name) for name in advised} == advised
    assert connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, -1) == 1
    assert connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, -1) == 0
    connection.close()
    with closing(sqlite3.connect(path)) as database:
        verifier.check_file(database, path)
        assert {name: database.execute(f"PRAGMA {name}").fetchone()[0] for name in advised} == advised
        if hasattr(database, "getconfig"):  # Python 3.12
            assert database.getconfig(verifier.DEFENSIVE)


def test_an_sqlite_too_old_to_read_it_says_so_and_blames_no_journal(
    path: Path,
    verifier: ModuleType,
    forger: Forger,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    forger.write(path)
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 0))
    with pytest.raises(SystemExit) as caught:
        verifier.main([str(path)])
    assert caught.value.code == 1
    assert "3.37 or newer is needed" in capsys.readouterr().err


def test_both_and_the_documentation_know_the_same_fields(verifier: ModuleType) -> None:
    """A new field of the table log must come into `NAMES` of cardshoe_verify.py, and into docs/journal.md."""
    page = (VERIFIER.parents[2] / "docs" / "journal.md").read_text()
    assert verifier.FIELDS == FIELDS
    assert page.split("the others, except in a")[1].split("```")[1].split() == ["text", *sorted(FIELDS)]


def test_generated_edits_are_judged_alike(tmp_path: Path, seed: int) -> None:
    """In short what `python -m tests.tamper.agree` does 100,000 times."""
    result = Comparison(tmp_path, seed).run(EDITS)
    assert result.disagreements == []
    assert 0 < result.held < result.edits == EDITS
    assert len(result.by_kind) == 10

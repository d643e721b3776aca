"""Generated edits of a journal's form: lines and notes that are signed as they stand, rows, tables, bytes."""

import json
import random
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

from cardshoe.journal.file.chain import data_of, lines_of
from tests.cardshoe.journal.samples import written
from tests.cardshoe.journal.sealed import edited, regrown
from tests.tamper.forger import Forger, Unsigned

PAGE = 4096
Said = dict[str, Any]

VALUES: Final = (
    b"0", b"-0", b"-1", b"01", b"1.0", b"1.50", b"0.1", b"0.0001", b"0.00001", b"1e5", b"1E5", b"1e+16", b"1e16",
    b"1e999999", b"-0.0", b"9007199254740993", b"9223372036854775807", b"-9223372036854775808",
    b"-9223372036854775809", b"18446744073709551615", b"18446744073709551616", b"1000000000000000.0",
    b"10000000000000000.0", b"0.1000000000000000055511151231257827", b"NaN", b"Infinity", b"-Infinity", b"null",
    b"true", b"True", b"nul", b'""', b'"\\u00e9"', b'"\xc3\xa9"', b'"\\/"', b'"/"', b'"\\ud800"', b'"\\udc00"',
    b'"\\ud83d\\ude00"', b'"\xf0\x9f\x98\x80"', b'"\xed\xa0\x80"', b'"\xff"', b'"\\u0000"', b'"\x00"', b'"\\u001F"',
    b'"\\u001f"', b'"\x7f"', b'"\\u007f"', b'"\\t"', b'"\\u0009"', b'"\t"', b'"\xe2\x80\xa8"', b'"\xef\xbf\xbd"',
    b"[]", b"{}", b"[ ]", b"[1,2]", b"[1, 2]", b'{"a":1,"a":1}', b'{"a":1,"b":1}', b'{"":0}', b"[1,]", b"'x'", b"",
    b"/**/1", b"\xef\xbb\xbf1", b"1 ", b"\n1",
)  # fmt: skip
"""What may stand as a value: some of it may, most of it not."""


def flipped(data: bytes, chance: random.Random, first: int = 0, end: int | None = None) -> bytes:
    """The bytes with one bit another."""
    if len(data) <= first:
        return data + b"x"
    changed = bytearray(data)
    changed[chance.randrange(first, min(len(data), end or len(data)))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def spliced(data: bytes, at: int, new: bytes, without: int = 0) -> bytes:
    """The bytes with others put in."""
    return data[:at] + new + data[at + without :]


def _value(line: bytes, chance: random.Random) -> bytes:
    value = chance.choice(VALUES) if chance.random() < 0.8 else b"9" * chance.choice([18, 19, 20, 21, 4000, 4301, 5000])
    name = chance.choice([b"raw", b"detail", b"note", b"seconds", b"options", b"x", b"event", b"seq", b"at"])
    return spliced(line, len(line) - 1, b',"%b":%b' % (name, value))


def _deep(line: bytes, chance: random.Random) -> bytes:
    depth = chance.choice([30, 31, 32, 33, 40, 1000, 50_000])
    ends = [(b"[", b"]") if chance.random() < 0.5 else (b'{"a":', b"}") for _ in range(depth)]
    inner = b"".join(one for one, _ in ends) + b"0" + b"".join(one for _, one in reversed(ends))
    if chance.random() < 0.3:
        inner = b'"' + b"[" * depth + b'\\"' + b'"'
    return spliced(line, len(line) - 1, b',"detail":' + inner)


def _token(line: bytes, chance: random.Random) -> bytes:
    new = chance.choice([b" ", b"\n", b"\t", b",", b'"', b"\\", b"{", b"}", b"\x00", b"\xff", b"\xc2\xa0", b"0"])
    return spliced(line, chance.randrange(len(line) + 1), new)


def _members(line: bytes, chance: random.Random) -> bytes:
    said = list(json.loads(line).items())
    match chance.randrange(4):
        case 0:
            chance.shuffle(said)
        case 1:
            said.pop(chance.randrange(len(said)))
        case 2:
            at = chance.randrange(len(said))
            said[at] = (said[at][0], chance.choice([None, 1, 1.5, "x", "", True, [], {}, -1, 2**63]))
        case _:
            at = chance.randrange(len(said))
            said[at] = (chance.choice(["raw", "detail", "", "é", "event", "seq", "journal_id"]), said[at][1])
    return written(dict(said))


def _other(line: bytes, chance: random.Random) -> bytes:
    spaced = json.dumps(json.loads(line)).encode()
    return chance.choice([b"", b"{}", b"[]", b"null", spaced, line * 2, line + b"\n", b" " + line, line[:-1], line[1:]])


LINES: Final[tuple[Callable[[bytes, random.Random], bytes], ...]] = (_value, _deep, _token, _members, _other, flipped)


def _passes(line: bytes, chance: random.Random) -> bytes:
    new = chance.choice([b"0", b"1", b"8", b"15", b"16", b"17", b"016", b"9" * 18, b"9" * 19, b"x", b"", b"\x7f", b"A"])
    numbers = [found.span() for found in re.finditer(rb"[0-9a-z]+", line)]
    first, end = chance.choice(numbers)
    return line[:first] + new + line[end:]


def line(path: Path, chance: random.Random) -> str:
    """A line, perhaps the header or one that passes over an entry, written otherwise and signed."""
    forger = Forger(chance)
    how = chance.choice((*LINES, _passes))
    if how is _passes or chance.random() < 0.3:
        last = forger.pass_over()
        if how is _passes:
            forger.relined(last, 0, lambda text: how(text, chance))
            forger.write(path)
            return "passes"
    for number in chance.sample(range(len(forger.rows)), chance.choice([1] * 9 + [2])):
        forger.relined(number, chance.randrange(5), lambda text: how(text, chance))
    forger.write(path)
    return how.__name__.strip("_")


def order(path: Path, chance: random.Random) -> str:
    """Lines and entries in another order, put together, or parted otherwise, signed."""
    forger = Forger(chance)
    passes = chance.random() < 0.5 and forger.pass_over()
    rows = forger.rows
    number = int(passes) if passes and chance.random() < 0.5 else chance.randrange(1, len(rows))
    lines = lines_of(rows[number])
    match chance.randrange(8):
        case 0:
            rows[number] = rows[number][:-1]
        case 1:
            rows[number] += b"\n"
        case 2:
            chance.shuffle(lines)
            rows[number] = data_of(lines)
        case 3:
            rows[number] = data_of(lines[: chance.randrange(len(lines) + 1)])
        case 4:
            rows[number - 1 : number + 1] = [rows[number - 1], rows[number - 1]]
        case 5:
            rows[number - 1], rows[number] = rows[number - 1] + rows[number], rows[number - 1]
        case 6:
            events = chance.choice([b'"card"', b'"next"', b'"dealt"', b'"passed_over"'])
            forger.relined(
                number, chance.randrange(5), lambda one: re.sub(rb'"(card|next|dealt|passed_over)"', events, one)
            )
        case _:
            rows[number] = rows[number].replace(b"\n", b"\r\n")
    forger.write(path)
    return "order"


def note(path: Path, chance: random.Random) -> str:
    """A note whose text was changed, signed by the key whose turn it was, or by another one."""
    forger = Forger(chance)

    def change(notes: list[Unsigned]) -> None:
        one = chance.choice(notes)
        lines = one.text.split(b"\n")
        at = chance.randrange(len(lines) - 1)
        match chance.randrange(6):
            case 0:
                one.text = flipped(one.text, chance)
            case 1:
                new = chance.choice(
                    [b"\xef\xbf\xbd", b"\xff", b" ", b"\x00", b"\x7f", b"\xe2\x80\x94 ", b"\r", b"0", b"\n"]
                )
                one.text = spliced(one.text, chance.randrange(len(one.text)), new)
            case 2:
                lines[at] = re.sub(rb"[0-9]+", str(chance.choice([0, 1, 5, 10**17, 10**18, 2**64])).encode(), lines[at])
                one.text = b"\n".join(lines)
            case 3:
                one.by = [chance.choice(forger.keys) for _ in range(chance.choice([0, 1, 1, 2, 17]))]
            case 4:
                lines.insert(at, chance.choice([b"", b"x", b"state x", lines[at]]))
                one.text = b"\n".join(lines)
            case _:
                one.number += chance.choice([-1, 1, 100, -100])
                notes[:] = list({(each.table, each.number): each for each in notes}.values())

    forger.write(path, change)
    return "note"


def bare(path: Path, chance: random.Random) -> str:
    """The bytes of a note as they are stored."""
    Forger(chance).write(path)
    table, column = chance.choice([("keys", "epoch"), ("checkpoints", "number")])

    def change(database: sqlite3.Connection) -> None:
        number, data = chance.choice(database.execute(f"SELECT {column}, note FROM {table}").fetchall())  # noqa: S608  # names of ours
        new = chance.choice([b"\n", b"\xef\xbf\xbd", b" ", b"\r\n", b"=", b"\xe2\x80\x94 x eA==\n"])
        data = flipped(data, chance) if chance.random() < 0.5 else spliced(data, chance.randrange(len(data) + 1), new)
        database.execute(f"UPDATE {table} SET note = ? WHERE {column} = ?", (data, number))  # noqa: S608  # as above

    edited(path, change)
    return "bare"


ROWS: Final = (
    "DELETE FROM entries WHERE number = {n}",
    "DELETE FROM entries WHERE number > {n}",
    "DELETE FROM entries WHERE number < {n}",
    "DELETE FROM entries",
    "UPDATE entries SET node = randomblob(32) WHERE number = {n}",
    "UPDATE entries SET node = x'' WHERE number = {n}",
    "UPDATE entries SET number = number + 1000 WHERE number = {n}",
    "UPDATE entries SET number = -number - 1 WHERE number = {n}",
    "INSERT INTO entries SELECT {m}, lines, node FROM entries WHERE number = {n}",
    "INSERT INTO entries VALUES (9223372036854775807, x'00', x'00')",
    "INSERT INTO entries VALUES (-9223372036854775808, x'00', x'00')",
    "UPDATE entries SET lines = CAST(lines || ' ' AS BLOB) WHERE number = {n}",
    "UPDATE entries SET lines = x'' WHERE number = {n}",
    "INSERT INTO snapshots VALUES ({k}, x'7b7d')",
    "DELETE FROM keys WHERE epoch = {k}",
    "DELETE FROM keys",
    "UPDATE keys SET epoch = epoch + 10 WHERE epoch = {k}",
    "DELETE FROM checkpoints WHERE number = {k}",
    "DELETE FROM checkpoints WHERE number > {k}",
    "DELETE FROM checkpoints",
    "UPDATE checkpoints SET number = -number WHERE number = {k}",
    "INSERT INTO checkpoints SELECT {m}, note FROM checkpoints WHERE number = {k}",
    "INSERT INTO keys SELECT {m}, note FROM keys WHERE epoch = {k}",
)


def row(path: Path, chance: random.Random) -> str:
    """Rows, perhaps with all that needs no key computed anew."""
    forger = Forger(chance)
    forger.write(path)
    for _ in range(chance.choice([1, 1, 2])):
        numbers = {
            "n": chance.randint(0, len(forger.rows) - 1),
            "m": chance.randint(-2, 40),
            "k": chance.randint(-1, 5),
        }
        sql = chance.choice(ROWS).format(**numbers)
        again = chance.random() < 0.3

        def change(database: sqlite3.Connection, sql: str = sql, *, again: bool = again) -> None:
            with suppress(sqlite3.IntegrityError):  # a number that is taken
                database.execute(sql)
                if again:
                    regrown(database)

        edited(path, change)
    return "row"


SCHEMA: Final = (
    "CREATE TABLE photographs (seq INTEGER PRIMARY KEY, image BLOB) STRICT",
    "DROP TABLE snapshots; CREATE TABLE snapshots (epoch INTEGER PRIMARY KEY, state BLOB NOT NULL, more BLOB) STRICT",
    "DROP TABLE snapshots; CREATE TABLE snapshots (epoch INTEGER PRIMARY KEY, state BLOB NOT NULL)",
    "ALTER TABLE entries ADD COLUMN more BLOB",
    "ALTER TABLE keys ADD COLUMN more BLOB",
    "ALTER TABLE checkpoints RENAME COLUMN note TO text",
    "ALTER TABLE snapshots RENAME TO standings",
    "ALTER TABLE entries DROP COLUMN node",
    "CREATE INDEX i ON entries (node)",
    "CREATE UNIQUE INDEX i ON keys (note)",
    "CREATE VIEW v AS SELECT * FROM entries",
    "CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM keys; END",
    "CREATE VIRTUAL TABLE words USING fts5(x)",
    "CREATE TABLE odd (a INTEGER PRIMARY KEY AUTOINCREMENT, b TEXT) STRICT",
    "CREATE TABLE IF NOT EXISTS photographs (seq INTEGER PRIMARY KEY) STRICT",
    "DROP TABLE snapshots",
    "DROP TABLE checkpoints",
    "ANALYZE",
    "PRAGMA user_version = {v}",
    "PRAGMA application_id = {v}",
    "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = sql || ' ' WHERE name = 'keys'",
    "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', 'strict') WHERE name = 'keys'",
    "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET tbl_name = 'Keys' WHERE name = 'keys'",
    "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET rootpage = {v} WHERE name = 'keys'",
    "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET type = 'view' WHERE name = 'keys'",
    "PRAGMA writable_schema = 1; INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name = 'keys'",
    "PRAGMA writable_schema = 1; DELETE FROM sqlite_schema WHERE name = 'snapshots'",
    "PRAGMA journal_mode = delete",
    "PRAGMA journal_mode = delete; PRAGMA page_size = {p}; VACUUM",
    "PRAGMA journal_mode = delete; PRAGMA page_size = {p}; VACUUM; PRAGMA journal_mode = wal",
    "PRAGMA auto_vacuum = 1; VACUUM",
    "PRAGMA default_cache_size = 50",
    "VACUUM",
)


def schema(path: Path, chance: random.Random) -> str:
    """Tables, columns, indexes, views, triggers, and what the file says of itself."""
    Forger(chance).write(path)
    sql = chance.choice(SCHEMA).format(v=chance.randint(0, 6), p=chance.choice([512, 1024, 8192, 65536]))
    with closing(sqlite3.connect(path)) as database:
        database.executescript(sql)
    return "schema"


def types(path: Path, chance: random.Random) -> str:
    """A column that holds another type than its table allows."""
    Forger(chance).write(path)
    columns = [("entries", "lines"), ("entries", "node"), ("keys", "note"), ("checkpoints", "note")]
    table, column = chance.choice(columns)
    value = chance.choice(["text", 1.5, None, 7, "", b"\x00"])
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        ((sql,),) = database.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchall()
        loose = (
            sql.replace(" STRICT", "")
            .replace(" NOT NULL", "")
            .replace(f"{column} INTEGER", column)
            .replace(f"{column} BLOB", column)
        )
        rows = database.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608  # names of ours
        database.executescript(f"DROP TABLE {table}; {loose};")
        for one in rows:
            database.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(one))})", one)  # noqa: S608  # as above
        key = {"entries": "number", "keys": "epoch", "checkpoints": "number"}[table]
        target = chance.choice(rows)[0]
        database.execute(f"UPDATE {table} SET {column} = ? WHERE {key} = ?", (value, target))  # noqa: S608  # as above
        database.execute("PRAGMA writable_schema = 1")
        database.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql, table))
    return "types"


def byte(path: Path, chance: random.Random) -> str:
    """Bytes of the closed file."""
    Forger(chance).write(path)
    data = path.read_bytes()
    match chance.randrange(6):
        case 0:
            data = flipped(data, chance, 0, 100)
        case 1:
            data = flipped(data, chance)
        case 2:
            data += chance.choice([b"x", bytes(512), bytes(PAGE), data[:PAGE], chance.randbytes(2 * PAGE)])
        case 3:
            data = data[: chance.randrange(len(data))]
        case 4:
            first, second = (PAGE * chance.randrange(len(data) // PAGE) for _ in range(2))
            data = spliced(data, first, data[second : second + PAGE], PAGE)
        case _:
            page = PAGE * chance.randrange(len(data) // PAGE)
            data = spliced(data, page + chance.randrange(12), chance.randbytes(chance.randint(1, 4)), 1)[: len(data)]
    path.write_bytes(data)
    return "byte"


def log(path: Path, chance: random.Random) -> str:
    """A write-ahead log that lies beside it, whole, torn, altered, or of another file."""
    forger = Forger(chance)
    forger.write(path)
    wal = path.with_name(f"{path.name}-wal")
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        if chance.random() < 0.5:
            database.execute("DELETE FROM checkpoints WHERE number > 3")
            database.execute("DELETE FROM entries WHERE number >= ?", (forger.signed[-1][0] - 1,))
        else:
            database.execute("CREATE TABLE more (epoch INTEGER PRIMARY KEY, state BLOB NOT NULL) STRICT")
        main, data = path.read_bytes(), wal.read_bytes()
    match chance.randrange(5):
        case 0:
            data = flipped(data, chance)
        case 1:
            data = data[: chance.randrange(len(data))]
        case 2:
            data += chance.choice([bytes(PAGE), chance.randbytes(100)])
        case 3:
            main += chance.choice([b"x", bytes(PAGE)])
        case _:
            main = flipped(main, chance, 0, 100)
    path.write_bytes(main)
    wal.write_bytes(data)
    return "log"


KINDS: Final[dict[str, Callable[[Path, random.Random], str]]] = {
    one.__name__: one for one in (line, order, note, bare, row, schema, types, byte, log)
}

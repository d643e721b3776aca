"""Verifies a journal of cardshoe without cardshoe: tree, signatures, succession of keys, witness.

    python cardshoe_verify.py JOURNAL [--witness FILE] [--first-key KEY]

One file on purpose: whoever has to trust it can read it. It needs Python 3.11, an SQLite from 3.37 on, and the library
`cryptography`. It was written from the description of the format in docs/journal.md, from RFC 6962 and from
c2sp.org/signed-note and c2sp.org/tlog-checkpoint, and shares no line with the program that writes the journals.

The journal's own files are not touched: a copy is read. It says whether anything was changed since it was signed, names
the first bad event, and up to where the journal is proved. It does not say whether the table followed the regulation:
`cardshoe verify` replays the game for that. Exit status: 0 all holds, 1 it cannot be read, 2 usage, 4 it does not hold.
"""

import argparse
import base64
import hashlib
import heapq
import itertools
import json
import re
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

APPLICATION_ID, VERSION, ED25519, DASH = 0x4353484A, 2, b"\x01", "\u2014"
TABLES = {
    "entries": "CREATE TABLE entries (seq INTEGER PRIMARY KEY, kind INTEGER NOT NULL, line BLOB NOT NULL, "
    "node BLOB NOT NULL) STRICT",
    "mark": "CREATE TABLE mark (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, node BLOB NOT NULL) STRICT",
    "keys": "CREATE TABLE keys (epoch INTEGER PRIMARY KEY, note BLOB NOT NULL) STRICT",
    "checkpoints": "CREATE TABLE checkpoints (number INTEGER PRIMARY KEY, note BLOB NOT NULL) STRICT",
}
HEADER, INPUT, OUTPUT, HASH_BYTES, KEY_BYTES, SIGNATURE_BYTES = 0, 1, 2, 32, 32, 64
N = r"\d{1,18}"
CHECKPOINT = rf"(?P<origin>.+)\n(?P<size>{N})\n(?P<root>.+)\ncheckpoint (?P<number>{N}) key (?P<epoch>{N}) at .*\n"
TAKEOVER = rf"(?P<origin>.+)\nkey (?P<epoch>{N})\n(?P<size>{N})\n(?P<root>.+)\n(?P<key>.+)\nat .*\n(state .+\n)?"


class Wrong(Exception):
    """Something does not hold.

    Attributes:
        seq: the first event that may be bad; None where no event is, but what was signed about them.
    """

    def __init__(self, reason: str, seq: int | None = None) -> None:
        super().__init__(reason)
        self.seq = seq


@dataclass(frozen=True)
class Key:
    """A public key with its name."""

    name: str
    raw: bytes

    @property
    def key_id(self) -> bytes:
        """The first four bytes of the hash over name and key, as signed-note has it."""
        return hashlib.sha256(self.name.encode() + b"\n" + ED25519 + self.raw).digest()[:4]

    def __str__(self) -> str:
        encoded = base64.b64encode(ED25519 + self.raw).decode()
        return f"{self.name}+{self.key_id.hex()}+{encoded}"


@dataclass(frozen=True)
class Statement:
    """What a note says. A takeover has a key, a checkpoint a number."""

    note: bytes
    text: str
    signatures: list[tuple[str, bytes, bytes]]
    origin: str
    size: int
    root: bytes
    epoch: int
    number: int
    keys: tuple[Key, ...]

    @property
    def what(self) -> str:
        """Its name in messages."""
        return f"the statement of key {self.epoch}" if self.keys else f"checkpoint {self.number}"

    def demand(self, key: Key) -> None:
        """See that a key signed it, once and rightly."""
        mine = [one for name, key_id, one in self.signatures if (name, key_id) == (key.name, key.key_id)]
        if not mine:
            raise Wrong(f"{self.what} is not signed by the key {key.key_id.hex()}")
        for signature in mine:
            try:
                Ed25519PublicKey.from_public_bytes(key.raw).verify(signature, self.text.encode())
            except InvalidSignature:
                raise Wrong(f"{self.what}: the signature of the key {key.key_id.hex()} does not hold") from None


def debase64(text: str, length: int, what: str) -> bytes:
    """Standard base64, written in the one way there is."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise Wrong(f"{what}: no base64: {text!r}") from None
    if base64.b64encode(data).decode() != text or len(data) != length:
        raise Wrong(f"{what}: no base64 of {length} bytes: {text!r}")
    return data


def read_key(text: str, what: str) -> Key:
    """NAME+ID+KEY."""
    name, _, rest = text.partition("+")
    data = debase64(rest.partition("+")[2], KEY_BYTES + 1, what)
    key = Key(name, data[1:])
    if not name or any(c.isspace() for c in name) or str(key) != text:
        raise Wrong(f"{what}: no Ed25519 key: {text!r}")
    return key


def read_note(data: bytes, what: str) -> Statement:
    """A note taken apart; nothing of it is trusted yet."""
    try:
        whole = data.decode()
    except UnicodeDecodeError:
        raise Wrong(f"{what} is not UTF-8") from None
    text, found, tail = whole.rpartition("\n\n")
    if not found or not tail.endswith("\n") or any(c < " " and c != "\n" for c in whole):
        raise Wrong(f"{what} is no signed note")
    signatures = []
    for line in tail[:-1].split("\n"):
        dash, name, encoded = (*line.split(" "), "", "")[:3]
        if f"{dash} {name} {encoded}" != line or dash != DASH:
            raise Wrong(f"{what} has a signature line that is none")
        raw = debase64(encoded, 4 + SIGNATURE_BYTES, what)
        signatures.append((name, raw[:4], raw[4:]))
    text += "\n"
    form = re.fullmatch(TAKEOVER, text, re.ASCII) or re.fullmatch(CHECKPOINT, text, re.ASCII)
    if not form:
        raise Wrong(f"{what} is neither a checkpoint nor the statement of a key")
    said = form.groupdict()
    size, epoch, number = (int(said.get(name, 0)) for name in ("size", "epoch", "number"))
    keys = (read_key(said["key"], what),) if "key" in said else ()
    root = debase64(said["root"], HASH_BYTES, what)
    return Statement(data, text, signatures, said["origin"], size, root, epoch, number, keys)


def succession(rows: list[tuple[int, bytes]], origin: str, first_key: str) -> list[Statement]:
    """The statements of all keys: each without gap, certified by the key before, and signed by itself."""
    takeovers: list[Statement] = []
    for epoch, data in rows:
        if epoch != len(takeovers):
            raise Wrong(f"key {len(takeovers)} is missing")
        one = read_note(data, f"the statement of key {epoch}")
        if not one.keys or (one.origin, one.epoch) != (origin, epoch):
            raise Wrong(f"in the place of the statement of key {epoch} stands {one.what} of {one.origin}")
        if epoch == 0 and str(one.keys[0]) != first_key:
            raise Wrong("key 0 is not the one that the header names", 0)
        if takeovers and one.size < takeovers[-1].size:
            raise Wrong(f"{one.what} takes over before the key before it did")
        for before in takeovers[-1:]:
            one.demand(before.keys[0])
        one.demand(one.keys[0])
        takeovers.append(one)
    if not takeovers:
        raise Wrong("key 0 is missing: nobody signed this journal")
    return takeovers


def checkpoints(rows: Iterator[tuple[int, bytes]], origin: str, takeovers: list[Statement]) -> Iterator[Statement]:
    """The checkpoints: each without gap, signed by the key whose time it was, and never of a smaller tree."""
    before = Statement(b"", "", [], origin, 0, b"", 0, 0, ())
    for number, data in rows:
        if number != before.number + 1:
            raise Wrong(f"checkpoint {before.number + 1} is missing")
        one = read_note(data, f"checkpoint {number}")
        if one.keys or (one.origin, one.number) != (origin, number):
            raise Wrong(f"in the place of checkpoint {number} stands {one.what} of {one.origin}")
        if one.epoch >= len(takeovers):
            raise Wrong(f"{one.what} names key {one.epoch}, which there is not")
        one.demand(takeovers[one.epoch].keys[0])
        ends = takeovers[one.epoch + 1].size if one.epoch + 1 < len(takeovers) else one.size
        if not takeovers[one.epoch].size <= one.size <= ends:
            raise Wrong(f"{one.what} is signed by key {one.epoch}, whose time was another one")
        if (one.size, one.epoch) < (before.size, before.epoch):
            raise Wrong(f"{one.what} is of a smaller tree than the one before it")
        before = one
        yield one


@dataclass
class Log:
    """The journal as far as it was followed."""

    size: int = 0
    edge: list[bytes] = field(default_factory=list)
    open_input: int = 0
    proved: int = 0

    def root(self) -> bytes:
        """RFC 6962: the hash of the whole tree, from the complete subtrees at its edge."""
        root = self.edge[-1]
        for node in reversed(self.edge[:-1]):
            root = hashlib.sha256(b"\x01" + node + root).digest()
        return root

    def take(self, seq: int, kind: int, line: bytes, node: bytes) -> None:
        """The next row: its place in the order, and its node."""
        if seq != self.size:
            raise Wrong(f"missing; the next one there is {seq}", self.size)
        if seq:
            self._order(seq, kind, line)
        elif kind != HEADER:
            raise Wrong("the first entry is no header", 0)
        grown, covered = hashlib.sha256(b"\x00" + line).digest(), 1
        while self.size & covered:
            grown, covered = hashlib.sha256(b"\x01" + self.edge.pop() + grown).digest(), covered * 2
        self.edge.append(grown)
        self.size += 1
        if grown != node:
            first = max(self.size - covered, self.proved)
            others = "" if first == seq else f", or one from {first} on together with its own node"
            raise Wrong(f"the node does not fit: this entry was altered{others}", seq)

    def _order(self, seq: int, kind: int, line: bytes) -> None:
        try:
            said = json.loads(line)
            numbered = said["seq"] == seq and type(said["seq"]) is int
            event = said["event"]
        except (ValueError, KeyError, TypeError):
            raise Wrong("no line of a table log", seq) from None
        if not numbered or b"\n" in line or kind not in (INPUT, OUTPUT):
            raise Wrong(f"of unknown kind {kind}, numbered {said['seq']}, or with a line's end in it", seq)
        if kind == INPUT and self.open_input:
            raise Wrong(f"the outputs of input {self.open_input} do not end with a next", seq)
        if kind == OUTPUT and not self.open_input:
            raise Wrong("an output that belongs to no input", seq)
        self.open_input = seq if kind == INPUT else 0 if event == "next" else self.open_input

    def compare(self, one: Statement) -> None:
        """What was signed, against what is there."""
        if one.size != self.size or one.root != self.root():
            last = self.size - 1
            entries = "this entry" if last == self.proved else f"one of the entries from here to {last}"
            raise Wrong(f"{entries} is not what {one.what} was signed for", self.proved)
        self.proved = self.size


def follow(database: sqlite3.Connection, log: Log, first_key: str | None) -> tuple[list[Statement], set[bytes]]:
    """Follow the journal from the header to its end; the keys' statements, and all notes that hold."""
    rows = database.execute("SELECT seq, kind, line, node FROM entries ORDER BY seq")
    head = next(rows, None)
    if head is None or head[0] != 0:
        raise Wrong("the header is missing", 0)
    log.take(*head)
    origin, key = read_header(head[2])
    if first_key is not None and key != first_key:
        raise Wrong(f"the first key is {key or 'missing'}, not {first_key}", 0)
    takeovers = succession(database.execute("SELECT epoch, note FROM keys ORDER BY epoch").fetchall(), origin, key)
    stored = database.execute("SELECT number, note FROM checkpoints ORDER BY number")
    # Both streams grow; of two statements about one size it does not matter which is compared first.
    statements = heapq.merge(takeovers, checkpoints(stored, origin, takeovers), key=lambda one: one.size)
    held: set[bytes] = set()
    one = next(statements, None)
    while True:
        while one is not None and one.size <= log.size:
            log.compare(one)
            held.add(one.note)
            one = next(statements, None)
        row = next(rows, None)
        if row is None:
            break
        log.take(*row)
    if one is not None:
        raise Wrong(f"missing: {one.what} was signed for entries up to {one.size - 1}", log.size)
    if log.open_input:
        raise Wrong(f"the log ends before the outputs of input {log.open_input} do", log.size - 1)
    mark = database.execute("SELECT mark.seq, mark.node = entries.node FROM mark JOIN entries USING (seq)").fetchall()
    if len(mark) != 1 or not mark[0][1]:
        raise Wrong("the mark of the open shoe does not fit")
    there = database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'standings'").fetchone()
    states = database.execute("SELECT epoch, state FROM standings").fetchall() if there else []
    hashes = {epoch: base64.b64encode(hashlib.sha256(state).digest()).decode() for epoch, state in states}
    if hashes != {one.epoch: one.text.split("\nstate ")[1][:-1] for one in takeovers if "\nstate " in one.text}:
        raise Wrong("a standing is not what the statement of its key was signed for")
    return takeovers, held


def read_header(line: bytes) -> tuple[str, str]:
    """The name of the journal in its notes, and its first key."""
    try:
        header = json.loads(line)
        return f"cardshoe/journal/{header['journal_id']}", header["key"]
    except (ValueError, KeyError, TypeError):
        raise Wrong("no header of a signed journal: nobody signed it", 0) from None


def check_witness(path: Path, origin: str, held: set[bytes], log: Log) -> int:
    """Every whole note of this journal that the witness holds must be in it; the last entry that this proves."""
    blocks = [block.strip(b"\n") for block in path.read_bytes().split(b"\n\n")]
    notes = []
    for text, tail in itertools.pairwise(blocks):
        if text.startswith(DASH.encode()) or not tail.startswith(DASH.encode()):
            continue  # a write that was torn off
        try:
            one = read_note(text + b"\n\n" + tail + b"\n", "a note of the witness")
        except Wrong:
            continue
        if one.origin == origin:
            notes.append(one)
    log.proved, sizes = 0, [0]
    if not notes:
        raise Wrong("the witness holds nothing of this journal: it is another one, or was made anew", 0)
    for one in notes:  # in the order in which they came: what came first is about what really happened
        if one.note not in held:
            log.proved = max(size for size in sizes if size <= one.size)
            said = f"the witness holds {one.what} over entries up to {one.size - 1}"
            if one.size > log.size:
                raise Wrong(f"missing: {said}", log.size)
            raise Wrong(f"{said}, and the journal another: it was cut off and went on, or made anew", log.proved)
        sizes.append(one.size)
    return max(sizes) - 1


def verify(journal: Path, witness: Path | None = None, first_key: str | None = None) -> str:
    """Verify a journal.

    Returns:
        What was found, when everything holds.

    Raises:
        Wrong: with the first event that does not hold; the message also says up to where the journal is proved.
        OSError: the files cannot be read.
    """
    log = Log()
    with tempfile.TemporaryDirectory(prefix="cardshoe-verify-") as folder:
        try:
            copy = Path(shutil.copyfile(journal, Path(folder) / "copy"))
            wal = journal.resolve().with_name(f"{journal.resolve().name}-wal")
            if wal.exists():
                shutil.copyfile(wal, Path(folder) / "copy-wal")
            with closing(sqlite3.connect(copy)) as database:
                check_database(database)
                takeovers, held = follow(database, log, first_key)
            end, signed = log.size - 1, log.proved - 1
            seen = None if witness is None else check_witness(witness, takeovers[0].origin, held, log)
        except Wrong as wrong:
            where = "" if wrong.seq is None else f"entry {wrong.seq}: "
            proved = f"proved up to entry {log.proved - 1}" if log.proved else "nothing of it is proved"
            raise Wrong(f"{where}{wrong}; {proved}", wrong.seq) from wrong
        except (sqlite3.Error, UnicodeDecodeError, TypeError) as error:
            raise Wrong(f"damaged: {error}") from error
    unseen = "no witness was asked: nothing is proved against whoever had the machine"
    witnessed = unseen if seen is None else f"witnessed up to entry {seen}"
    return (
        f"{end} entries, {len(held) - len(takeovers)} checkpoints, {len(takeovers)} keys: all of it holds\n"
        f"signed up to entry {signed}\n{witnessed}\nfirst key {takeovers[0].keys[0]}\nroot {log.root().hex()}"
    )


def check_database(database: sqlite3.Connection) -> None:
    """Is it a journal of the version that this program knows, with nothing hidden in it?"""
    found = [database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    if found != [APPLICATION_ID, VERSION]:
        raise Wrong(f"no journal of version {VERSION} (application id {found[0]}, version {found[1]})")
    schema = database.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    ours = [row for row in schema if row[0] != "table" or row[1] in TABLES]
    if sorted(ours, key=str) != [("table", name, name, sql) for name, sql in sorted(TABLES.items())]:
        raise Wrong("its tables are not those of a journal")
    if (state := database.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
        raise Wrong(f"damaged pages: {state}")


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="cardshoe-verify", description="Verify a journal without cardshoe.")
    parser.add_argument("journal", type=Path)
    parser.add_argument("--witness", type=Path, help="the file of a witness: prove up to where it does")
    parser.add_argument("--first-key", help="the journal's first key, as it was noted when the table began")
    given = parser.parse_args(arguments)
    try:
        print(f"{given.journal}: {verify(given.journal, given.witness, given.first_key)}")
    except Wrong as wrong:
        print(f"{given.journal}: {wrong}", file=sys.stderr)
        return 4
    except OSError as error:
        print(f"{error.filename or given.journal}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

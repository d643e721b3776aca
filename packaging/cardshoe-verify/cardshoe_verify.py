"""Verifies a journal of cardshoe, or a proof of single entries, without cardshoe: tree, signatures, keys, witness.

    python cardshoe_verify.py [--proof] FILE [--witness FILE] [--first-key KEY]

One file on purpose: whoever has to trust it can read it. It needs Python 3.11, an SQLite from 3.37 on, and the library
`cryptography`. It was written from docs/journal.md and docs/journal-file.md, RFC 6962, c2sp.org/signed-note and
c2sp.org/tlog-checkpoint, and shares no line with the program that writes the journals. A copy is read; the journal's
own files are not touched.
It says whether anything was changed since it was signed, names the first bad event, and up to where the journal is
proved; not whether the table followed the regulation: `cardshoe verify` replays the game for that.
"""

import argparse
import base64
import glob
import hashlib
import heapq
import json
import os
import re
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import reduce
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

PAGE_BYTES, WHOLE, PART, ED25519, DASH = 4096, 2, 4, b"\x01", "\u2014"
COLUMNS = {
    "entries": "seq INTEGER PRIMARY KEY, kind INTEGER NOT NULL, line BLOB NOT NULL, node BLOB NOT NULL",
    "mark": "id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, node BLOB NOT NULL",
    "keys": "epoch INTEGER PRIMARY KEY, note BLOB NOT NULL",
    "checkpoints": "number INTEGER PRIMARY KEY, note BLOB NOT NULL",
    "segment": "id INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, size INTEGER NOT NULL, edge BLOB NOT NULL, "
    "archived INTEGER NOT NULL",  # of a part of a journal alone
    "retired": "id INTEGER PRIMARY KEY, line BLOB NOT NULL, path BLOB NOT NULL, notes BLOB NOT NULL",  # likewise
    "standings": "epoch INTEGER PRIMARY KEY, state BLOB NOT NULL",  # may be missing
}
# What the first 100 bytes of the database say of every journal; and SQLite's advice for files of strangers.
FIXED = {
    0: b"SQLite format 3\0\x10\0\2\2\0\x40\x20\x20",  # pages of 4096 bytes; read and written with a write-ahead log
    44: b"\0\0\0\4" + bytes(11) + b"\1",  # UTF-8
    64: bytes(4) + b"CSHJ" + bytes(20),
}
SAFE, DEFENSIVE = {"trusted_schema": 0, "cell_size_check": 1, "mmap_size": 0}, 1010
# A line is JSON in the one way there is, nested so deep at most, with members that the table log has.
DEPTH, TEXTS = 32, re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
NAMES = """
    action actions amount any_pair article at authorisations because behind bettors boot by card cards cards_left
    cards_seen checks claimed code count cut_card decided_by decision decks detail device digest do duties edition
    entry equipment event face firmware first frame_length frame_type game ground hand hash id ids irregularity
    issued key lapsed left maker mark model note notes number one_more options origin outcome pairs permit person
    persons pick_up place position raw reads reason registry role root round sealed seat seats seats_at_most seconds
    security_counter seq serial set since size state table_id to unseen until value verdict version wagers who why
    witness
"""
# What the header says, in this order; only a table's own log has no "imported", and only a log of updates no "rules".
HEAD: dict[str, type] = dict.fromkeys(("event", "table_id", "game", "edition", "program", "created_at"), str)
HEAD |= {"options": dict, "journal_id": str, "key": str, "imported": str, "rules": int}
FIELDS = frozenset(NAMES.split())
HEADER, INPUT, OUTPUT, RETIRED, PASSED, HASH_BYTES, KEY_BYTES, SIGNATURE_BYTES = 0, 1, 2, 3, 4, 32, 32, 64
PROOF, PROVED = "cardshoe/journal/2", ("before", "entries")
OWN = {"retired": RETIRED, "passed_over": PASSED}  # the events of the journal's own entries
Rows = Iterable[tuple[int, bytes]]
UNWITNESSED = "no witness was asked: nothing is proved against whoever had the machine"
N = r"(?:0|[1-9]\d{0,17})"
NOTE = rf"((?:(?!{DASH} )[^\0-\x1f]+\n)+)\n((?:{DASH} [^\0- ]+ [^\0- ]+\n){{1,16}})"
CHECKPOINT = rf"(?P<origin>.+)\n(?P<size>{N})\n(?P<root>.+)\ncheckpoint (?P<number>{N}) key (?P<epoch>{N}) at .*\n"
TAKEOVER = (
    rf"(?P<origin>.+)\nkey (?P<epoch>{N})\n(?P<size>{N})\n(?P<root>.+)\n(?P<key>.+)\nat .*\n(?:state (?P<state>.+)\n)?"
)
T = r'[^"\\\0-\x1f\x7f\ud800-\udfff]+'
RETIREMENT = (
    rf'{{"event":"retired","seq":(?P<seq>[1-9]\d{{0,17}}),"at":"(?P<at>{T})","first":(?P<first>[1-9]\d{{0,17}}),'
    rf'"size":(?P<size>[1-9]\d{{0,17}}),"root":"(?P<root>[0-9a-f]{{64}})","by":"(?P<by>{T})"}}'
)
PASSING = (
    rf'{{"event":"passed_over","seq":(?P<seq>[1-9]\d{{0,17}}),"at":"{T}","entry":(?P<entry>[1-9]\d{{0,17}}),'
    rf'"hash":"(?P<hash>[0-9a-f]{{64}})","by":\["(?P<by>{T})","(?P<other>{T})"\]}}'
)
BACK, AHEAD = timedelta(seconds=-0.5), timedelta(days=365)


def sha(*parts: bytes) -> bytes:
    """The hash of all trees and keys."""
    return hashlib.sha256(b"".join(parts)).digest()


class Wrong(Exception):
    """Something does not hold. `seq` is the first event that may be bad; None where what was signed about them is."""

    def __init__(self, reason: str, seq: int | None = None) -> None:
        super().__init__(reason if seq is None else f"entry {seq}: {reason}")
        self.seq = seq


class Retirement(NamedTuple):
    """The journal's own entry about retired shoe games: entries from `first` on, up to a tree of `size`."""

    seq: int
    first: int
    size: int
    root: bytes
    text: str


def read_retirement(line: bytes, seq: int | None = None) -> Retirement:
    """Its line, of which there is one form; the number is that of the row, if one is given."""
    found = re.fullmatch(RETIREMENT, line.decode(errors="surrogateescape"), re.ASCII)
    number, first, size = (int(found[name]) if found else 0 for name in ("seq", "first", "size"))
    if not found or seq not in (None, number) or not first < size <= number:
        raise Wrong("not an entry about retired shoe games, or it retires entries that are not before it", seq)
    by = f"entries {first} to {size - 1} retired by entry {number}, which {found['by']} asked for at {found['at']}\n"
    return Retirement(number, first, size, bytes.fromhex(found["root"]), by)


def read_passing(line: bytes, seq: int, last: tuple[int, bytes] | None) -> None:
    """The line of an entry that passes over the last input before it, if that is known here; two people say so."""
    found = re.fullmatch(PASSING, line.decode(errors="surrogateescape"), re.ASCII)
    if not found or int(found["seq"]) != seq or int(found["entry"]) >= seq or found["by"] == found["other"]:
        raise Wrong("not an entry that passes over one before it, or one person says so twice", seq)
    if last not in (None, (int(found["entry"]), bytes.fromhex(found["hash"]))):
        raise Wrong(f"it passes over entry {found['entry']}, which is not the last input before it", seq)


class Statement(NamedTuple):
    """The statement in a note. A takeover has a key, NAME+ID+KEY; a checkpoint has a number."""

    note: bytes
    signatures: list[tuple[str, bytes]]
    origin: str
    size: int
    root: bytes
    epoch: int
    number: int
    key: str
    what: str

    @property
    def text(self) -> bytes:
        """The bytes that are signed."""
        return self.note[: self.note.rindex(b"\n\n") + 1]

    def is_signed(self, takeovers: "list[Statement]", *, alone: bool = True) -> bool:
        """True if the keys whose turn it was signed it, each once and nobody else; or not `alone`."""
        by = [*takeovers[max(0, self.epoch - 1) : self.epoch], self] if self.key else takeovers[self.epoch :][:1]
        keys = [one.key.split("+", 2) for one in by]
        lines = [([name, signature[:4].hex()], signature[4:]) for name, signature in self.signatures]
        sound = [[name == key[:2] and self._holds(key[2], signature) for name, signature in lines] for key in keys]
        if alone:
            return len(keys) == len(lines) and all(row[n] for n, row in enumerate(sound))
        return bool(keys) and all(map(any, sound))

    def _holds(self, key: str, signature: bytes) -> bool:
        with suppress(InvalidSignature):
            Ed25519PublicKey.from_public_bytes(base64.b64decode(key)[1:]).verify(signature, self.text)
            return True
        return False


def debase64(text: str, length: int, what: str, seq: int | None = None, *, longer: bool = False) -> bytes:
    """Standard base64, written in the one way there is."""
    with suppress(ValueError):
        data = base64.b64decode(text, validate=True)
        if base64.b64encode(data).decode() == text and (len(data) == length or (longer and len(data) > length)):
            return data
    raise Wrong(f"{what}: not base64 of {length} bytes: {text!r}", seq)


def whole(text: str) -> int:
    """A whole number of 64 bits."""
    if not -(2**63) <= (number := int(text)) < 2**64:
        raise ValueError(text)
    return number


def decimal(text: str) -> float:
    """A number with a point and without an exponent; that it is as short as can be, writing it again shows."""
    if "e" in text.lower():
        raise ValueError(text)
    return float(text)


# NaN and Infinity are whole numbers for it, so that they are refused.
READER = json.JSONDecoder(parse_int=whole, parse_float=decimal, parse_constant=whole)
WRITER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False)


def read_object(line: bytes) -> dict[str, Any]:
    """The JSON object that a line is, empty if there is none, or if it is not written in the one way there is."""
    with suppress(ValueError, RecursionError):
        text = line.decode()
        marks = TEXTS.sub("", text) if text.count("{") + text.count("[") > DEPTH else ""
        if max(accumulate((c in "{[") - (c in "}]") for c in marks), default=0) <= DEPTH:
            said = READER.decode(text)
            if isinstance(said, dict) and WRITER.encode(said) == text:
                return said
    return {}


def check_key(text: str, what: str, seq: int | None = None) -> str:
    """The name of a key that is written as NAME+ID+KEY."""
    name, key_id, encoded = (*text.split("+", 2), "", "")[:3]
    raw = debase64(encoded, 1 + KEY_BYTES, what, seq)
    if not name or sha(name.encode(), b"\n", raw)[:4].hex() != key_id or raw[:1] != ED25519:
        raise Wrong(f"{what}: not an Ed25519 key: {text!r}", seq)
    return name


def read_note(data: bytes, what: str, origin: str | None = None) -> Statement:
    """A note taken apart; nothing of it is trusted yet. With an origin, it must be what is said, of that journal."""
    text = lines = ""
    with suppress(UnicodeDecodeError):
        text, lines = found.groups() if (found := re.fullmatch(NOTE, data.decode())) else ("", "")
    form = re.fullmatch(TAKEOVER, text, re.ASCII) or re.fullmatch(CHECKPOINT, text, re.ASCII)
    if not form:
        raise Wrong(f"{what} is not a signed note, or neither a checkpoint nor the statement of a key")
    said = form.groupdict()
    size, epoch, number = (int(said.get(name, 0)) for name in ("size", "epoch", "number"))
    root, key = debase64(said["root"], HASH_BYTES, what), said.get("key", "")
    debase64(said.get("state") or said["root"], HASH_BYTES, what)
    signed = re.findall(rf"{DASH} (.+) (.+)\n", lines)
    # Those of others may be longer: a cosignature has a time in it.
    signatures = [(name, debase64(encoded, 4 + SIGNATURE_BYTES, what, longer=True)) for name, encoded in signed]
    if key and (named := check_key(key, what)) != said["origin"]:
        raise Wrong(f"{what}: its key has another name than the journal: {named!r}")
    called = f"the statement of key {epoch}" if key else f"checkpoint {number}"
    one = Statement(data, signatures, said["origin"], size, root, epoch, number, key, called)
    if origin is not None and (one.what, one.origin) != (what, origin):
        raise Wrong(f"{what} is missing: in its place stands {one.what} of {one.origin}")
    return one


def notes_in(data: bytes) -> list[bytes]:
    """Find all that looks like a note followed by a blank line."""
    blocks, dash = [block.strip(b"\n") for block in data.replace(b"\r\n", b"\n").split(b"\n\n")], DASH.encode()
    return [b"%b\n\n%b\n" % two for two in pairwise(blocks) if [one.startswith(dash) for one in two] == [False, True]]


def succession(rows: Rows, origin: str, first_key: str) -> list[Statement]:
    """The statements of all keys: each without gap, certified by the key before, and signed by itself."""
    takeovers: list[Statement] = []
    for epoch, data in rows:
        if epoch != len(takeovers):
            raise Wrong(f"key {len(takeovers)} is missing")
        one = read_note(data, f"the statement of key {epoch}", origin)
        if takeovers and one.size < takeovers[-1].size:
            raise Wrong(f"{one.what} takes over before the key before it did")
        if not one.is_signed(takeovers):
            raise Wrong(f"{one.what} is not signed by itself and the key before alone, or a signature does not hold")
        takeovers.append(one)
    if not takeovers or takeovers[0].key != first_key:
        raise Wrong("key 0 is missing, which the header names: nobody signed this journal")
    return takeovers


def checkpoints(rows: Rows, origin: str, takeovers: list[Statement], first: int = 0) -> Iterator[Statement]:
    """The checkpoints: each without gap, signed by the key whose time it was, and never of a smaller tree."""
    # A part of a journal has the last one before its first key, so that none after that can be left out.
    last: Statement | None = None
    for number, data in rows:
        one = read_note(data, f"checkpoint {number}", origin)
        due = last.number + 1 if last else number if one.epoch < first else 1
        if number != due:
            raise Wrong(f"checkpoint {due} is missing")
        time = takeovers[one.epoch : one.epoch + 2]
        if not time or one.size < time[0].size or (time[1:] and one.size > time[1].size):
            raise Wrong(f"{one.what} is signed by key {one.epoch} out of its turn")
        if not one.is_signed(takeovers):
            raise Wrong(f"{one.what} is not signed by key {one.epoch} alone, or its signature does not hold")
        if last and (one.size, one.epoch) < (last.size, last.epoch):
            raise Wrong(f"{one.what} is of a smaller tree than the one before it")
        yield (last := one)


@dataclass
class Log:
    """The journal as far as it was followed; for a part of one, with which key, size and edge it begins."""

    size: int = 0
    edge: list[bytes] = field(default_factory=list)
    open_input: int = 0
    last_input: tuple[int, bytes] | None = (0, b"")  # which may be passed over, and its hash; None: not known here
    proved: int = 0
    epoch: int = 0
    begins: int = 0
    before: list[bytes] = field(default_factory=list)
    archived: bool = False
    carried: tuple[bytes, ...] = ()
    retired: Retirement | None = None
    newest: Retirement | None = None
    moment: datetime | None = None
    odd: list[int] = field(default_factory=list)

    def root(self) -> bytes:
        """RFC 6962: the hash of the whole tree, from the complete subtrees at its edge."""
        return reduce(lambda root, node: sha(b"\x01", node, root), reversed(self.edge))

    def take(self, seq: int, kind: int, line: bytes, node: bytes) -> None:
        """The next row: its place in the order, and its node."""
        if seq != self.size:
            raise Wrong(f"missing; the next one there is {seq}", self.size)
        if seq:
            self._order(seq, kind, line)
        elif kind != HEADER:
            raise Wrong("the first entry is not a header", 0)
        grown, covered = sha(b"\x00", line), 1
        while self.size & covered:
            grown, covered = sha(b"\x01", self.edge.pop(), grown), covered * 2
        self.edge.append(grown)
        self.size += 1
        if grown != node:
            first = max(self.size - covered, self.proved)
            others = "" if first == seq else f", or one from {first} on together with its own node"
            raise Wrong(f"the node does not fit: this entry was altered{others}", seq)

    def _order(self, seq: int, kind: int, line: bytes) -> None:
        said = read_object(line)
        event, number = said.get("event"), said.get("seq")
        if (number, type(number), type(event)) != (seq, int, str) or list(said)[:2] != ["event", "seq"]:
            raise Wrong(f"not a line of a table log in its one permitted form, or its number is {number}", seq)
        if event != "result" and (strange := said.keys() - FIELDS):  # the members of a verdict are its game's own
            raise Wrong(f"not a line of a table log that this verifier knows: it has a field {min(strange)!r}", seq)
        if kind not in (INPUT, OUTPUT, RETIRED, PASSED):
            raise Wrong(f"an entry of unknown kind {kind}", seq)
        if (kind if kind in OWN.values() else None) != OWN.get(str(event)):
            raise Wrong(f"a line with the event {event} cannot be of the kind {kind}", seq)
        if (kind != OUTPUT) == bool(self.open_input):
            early = f"the outputs of input {self.open_input} do not end with a next"
            raise Wrong("an output that belongs to no input" if kind == OUTPUT else early, seq)
        if kind == RETIRED:
            self.newest = read_retirement(line, seq)
            return
        if kind == PASSED:
            read_passing(line, seq, self.last_input)
            self.last_input = (0, b"")
            return
        if kind == INPUT:
            self.last_input = seq, sha(b"\0", line)
        self.open_input = seq if kind == INPUT else 0 if event == "next" else self.open_input
        if kind == INPUT and isinstance(at := said.get("at"), str) and at.endswith("Z"):
            self._time(seq, at, stepped=event == "clock_stepped")

    def _time(self, seq: int, at: str, *, stepped: bool) -> None:
        """A clock that nobody sets goes neither back nor years ahead between two inputs."""
        with suppress(ValueError):
            last, self.moment = self.moment, datetime.fromisoformat(at)
            if last and not stepped and not BACK <= self.moment - last <= AHEAD:
                self.odd.append(seq)

    def compare(self, one: Statement) -> None:
        """Compare what was signed with what is there."""
        if one.size >= self.begins and (one.size != self.size or one.root != self.root()):
            last = self.size - 1
            entries = "this entry" if last == self.proved else f"one of the entries from here to {last}"
            raise Wrong(f"{entries} is not what {one.what} was signed for", self.proved)
        self.proved = self.size


def follow(database: sqlite3.Connection, log: Log, first_key: str | None) -> tuple[list[Statement], set[bytes]]:
    """Follow the journal from the header on; the keys' statements, and the texts of all notes that hold."""
    rows = database.execute("SELECT seq, kind, line, node FROM entries ORDER BY seq")
    log.take(*(head := next(rows, (1, HEADER, b"", b""))))
    origin, key = read_header(head[2], first_key)
    takeovers = succession(database.execute("SELECT epoch, note FROM keys ORDER BY epoch"), origin, key)
    if log.begins:
        begin_part(log, takeovers)
    notes = database.execute("SELECT number, note FROM checkpoints ORDER BY number")
    held: set[bytes] = set()
    # Both streams grow; of two statements about one size it does not matter which is compared first.
    for one in heapq.merge(takeovers, checkpoints(notes, origin, takeovers, log.epoch), key=lambda one: one.size):
        for _, row in zip(range(one.size - log.size), rows, strict=False):
            log.take(*row)
        if one.size > log.size:
            raise Wrong(f"missing: {one.what} was signed for entries up to {one.size - 1}", log.size)
        log.compare(one)
        held.add(one.text)
    for row in rows:
        log.take(*row)
    check_end(database, log, takeovers)
    return takeovers, held


def check_end(database: sqlite3.Connection, log: Log, takeovers: list[Statement]) -> None:
    """Every entry was followed: may the log end there, and does it say what a part of it carries?"""
    if log.open_input:
        raise Wrong(f"the log ends before the outputs of input {log.open_input} do", log.size - 1)
    if log.archived and takeovers[-1].size != log.size:
        raise Wrong("an archive that does not end where its last key took over", takeovers[-1].size)
    if log.retired and not log.archived:
        told = database.execute("SELECT line FROM entries WHERE seq = ?", (log.retired.seq,)).fetchone()
        if not log.newest or told != log.carried[:1]:
            raise Wrong("it is not the one that tells what is retired, or missing", log.retired.seq)
        if log.newest.size < log.begins:
            raise Wrong(f"it retires less than is missing: the rest begins with {log.begins}", log.newest.seq)


def begin_part(log: Log, takeovers: list[Statement]) -> None:
    """A part of a journal begins where the statement of a key proves it, and carries the entry that tells of it."""
    Log(1, log.edge).compare(takeovers[0])
    log.size, log.edge, log.proved, log.last_input = log.begins, list(log.before), 0, None
    began = takeovers[log.epoch :][: 1 + log.archived]  # an archive has the key after it as well
    if len(began) <= log.archived or (began[0].size, began[0].root) != (log.begins, log.root()):
        raise Wrong(f"key {log.epoch} did not take over where this part of the journal begins, or one is missing")
    log.compare(began[0])
    log.retired = read_carried(log, takeovers)


def read_carried(log: Log, takeovers: list[Statement]) -> Retirement:
    """Read a part's own evidence of its retirement: is it proved, and is this the part that it tells of?"""
    line, path, notes = log.carried
    said, found = read_retirement(line), notes_in(notes)
    if not found or b"".join(note + b"\n" for note in found) != notes:
        raise Wrong("the entry about what is retired carries no checkpoint, or between its notes stands something else")
    # An archive has the statements of its own keys; those up to the one that signed the entry come with it.
    origin, key = takeovers[0].origin, takeovers[0].key
    keys = succession(enumerate([*(one.note for one in takeovers), *found[:-1]]), origin, key)
    number = read_note(found[-1], "the checkpoint of the entry about what is retired").number
    [one] = checkpoints([(number, found[-1])], origin, keys, 10**18)
    audit = [path[at : at + HASH_BYTES] for at in range(0, len(path), HASH_BYTES)]
    in_time = keys[one.epoch].size <= said.seq < one.size  # a later key could have signed another past
    if not in_time or climb(sha(b"\0", line), said.seq, one.size, audit) != one.root:
        raise Wrong(f"the entry about what is retired is not among those of {one.what}")
    ends = takeovers[-1 if log.archived else log.epoch]
    if (log.begins if log.archived else said.first, ends.size, ends.root) != (said.first, said.size, said.root):
        raise Wrong(f"entry {said.seq} retires entries {said.first} to {said.size - 1}, and not what is missing here")
    return said


def check_beside(database: sqlite3.Connection, takeovers: list[Statement], log: Log) -> None:
    """The mark, and where the table stood as keys took over: is it what their statements were signed for?"""
    # The open shoe begins where the last key took over: a table looks at its entries alone when it starts.
    fits = "SELECT count(*), sum(id = 1 AND seq = ? AND mark.node = ifnull(entries.node, ?)) FROM mark"
    where = (takeovers[-1].size - 1, *(log.before or [b""])[-1:])
    if database.execute(f"{fits} LEFT JOIN entries USING (seq)", where).fetchone() != (1, 1):
        raise Wrong("the mark of the open shoe does not fit")
    there = database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'standings'").fetchone()
    states = database.execute("SELECT epoch, state FROM standings").fetchall() if there else []
    signed = {one.epoch: one.note.rpartition(b"\n\n")[0].partition(b"\nstate ")[2] for one in takeovers[log.epoch :]}
    if {epoch: base64.b64encode(sha(state)) for epoch, state in states} != {e: one for e, one in signed.items() if one}:
        raise Wrong("a snapshot is not what the statement of its key was signed for")


def read_header(line: bytes, first_key: str | None) -> tuple[str, str]:
    """The name of the journal in its notes, and its first key, which may be known from elsewhere."""
    header = read_object(line)
    may_lack = {"imported", "rules"} if header.get("game") == "firmware_update" else {"imported"}
    form = {name: kind for name, kind in HEAD.items() if name in header or name not in may_lack}
    if [(name, type(said)) for name, said in header.items()] != list(form.items()) or header["event"] != "journal":
        raise Wrong("not a header of a journal in its one permitted form", 0)
    origin, key = f"cardshoe/journal/{header['journal_id']}", header["key"]
    if not re.fullmatch("[0-9a-f]{32}", header["journal_id"]):
        raise Wrong("its journal_id is not 32 hexadecimal digits", 0)
    if first_key is not None and key != first_key:
        raise Wrong(f"the first key is {key or 'missing'!r}, not {first_key}", 0)
    if not key:
        raise Wrong("it names no key: nobody signed this journal", 0)
    check_key(key, "the header", 0)
    return origin, key


def plain(path: Path) -> bytes:
    """The bytes of a file; the other end of a pipe may never come."""
    if path.exists() and not path.is_file():
        raise OSError(f"{path} is no plain file")
    return path.read_bytes()


def check_witness(path: Path, takeovers: list[Statement], held: set[bytes], log: Log) -> str:
    """Every whole note of this journal that the witness holds must be in it; up to where this proves it."""
    notes = []
    # In a part of a journal are the statements of all keys up to its last, and its own checkpoints.
    last = takeovers[-1] if log.archived else takeovers[0]._replace(epoch=10**18)
    for note in notes_in(plain(path)):
        with suppress(Wrong):  # no note, or a write that was torn off
            one = read_note(note, "a note of the witness")
            before = not one.key and one.epoch < log.epoch and one.size <= log.begins
            after = one.epoch >= last.epoch + bool(one.key) and one.size >= log.size
            if one.origin == takeovers[0].origin and not before and not after:
                notes.append(one)
    sizes = [0]
    if not notes:
        log.proved = 0
        raise Wrong("the witness holds nothing of this journal: never told of it, or the journal was made anew")
    for one in notes:  # in the order in which they came: what came first is about what really happened
        if one.text not in held:
            log.proved = max(size for size in sizes if size <= one.size)
            said = f"the witness holds {one.what} over entries up to {one.size - 1}"
            said += "" if one.is_signed(takeovers, alone=False) else ", which no key of this journal has signed"
            if one.size > log.size:
                raise Wrong(f"missing: {said}", log.size)
            raise Wrong(f"{said}, and the journal another: it was cut off and went on, or made anew", log.proved)
        sizes.append(one.size)
    return f"witnessed up to entry {max(sizes) - 1}"


def count_names(journal: Path) -> int:
    """How many names the file has, without a passing one that a crash has left as it was made, and that has no log."""
    pattern = f".{glob.escape(journal.name)}.*"
    beside = chain(journal.parent.glob(pattern), journal.parent.glob(f"{pattern}/*"))
    passing = [one for one in beside if one.exists() and one.samefile(journal) and not Path(f"{one}-wal").exists()]
    return journal.stat().st_nlink - len(passing)


def verify(journal: Path, witness: Path | None = None, first_key: str | None = None) -> str:
    """Verify a journal; what was found, when everything holds. Else `Wrong` says up to where it is proved."""
    log = Log()
    if (names := count_names(journal.resolve())) > 1:
        raise Wrong(f"it has {names} names (hard links): its newest entries may be in the -wal of another one")
    if os.path.lexists(f"{journal.resolve()}-journal"):  # nothing of it is in the copy that is read here
        raise Wrong(f"beside it lies {journal.resolve().name}-journal, which a start would play back over it")
    with tempfile.TemporaryDirectory(prefix="cardshoe-verify-") as folder:
        try:
            shutil.copyfile(journal, f"{folder}/copy")
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{journal.resolve()}-wal", f"{folder}/copy-wal")
            with closing(sqlite3.connect(f"{folder}/copy")) as database:
                check_file(database, Path(folder, "copy"))
                check_database(database, log)
                takeovers, held = follow(database, log, first_key)
                signed = log.proved - 1
                seen = UNWITNESSED if witness is None else check_witness(witness, takeovers, held, log)
                check_beside(database, takeovers, log)
        except Wrong as wrong:
            proved = f"proved up to entry {log.proved - 1}" if log.proved else "nothing of it is proved"
            wrong.args = (f"{wrong}; {proved}",)
            raise
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise Wrong(f"damaged: {error}") from error
    part = f"{'archive' if log.archived else 'rest'} from entry {log.begins} on: " if log.begins else ""
    entries, keys = log.size - max(1, log.begins), len(takeovers)
    what = f"{part}{entries} entries, {len(held) - keys} checkpoints, {keys} keys: all of it holds"
    odd = f"{len(log.odd)} times that no clock gives, the first at entry {log.odd[0]}\n" if log.odd else ""
    more = f"{log.retired.text if log.retired else ''}{odd}first key {takeovers[0].key}\nroot {log.root().hex()}"
    return f"{what}\nsigned up to entry {signed}\n{seen}\n{more}"


def climb(leaf: bytes, seq: int, size: int, path: list[bytes]) -> bytes:
    """The root to which an audit path leads from the hash of a leaf: RFC 6962 section 2.1.1, read from the top down."""
    if size <= 1 or not path or len(path[-1]) != HASH_BYTES:  # a longer one could be both children of a node at once
        return leaf if size == 1 and not path else b""
    half = 1 << (size - 1).bit_length() - 1
    if seq < half:
        return sha(b"\x01", climb(leaf, seq, half, path[:-1]), path[-1])
    return sha(b"\x01", path[-1], climb(leaf, seq - half, size - half, path[:-1]))


def once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object of which no member stands twice: two readers would take two of them."""
    if len(said := dict(members)) < len(members):
        raise ValueError(members)
    return said


def check_span(number: int | None, before: list[tuple[int, str]], entries: list[tuple[int, str]], begins: int) -> str:
    """Are the entries of a proof all lines of the round that it names, in order, or one entry alone? What they are."""
    (first, line), (last, end) = entries[0], entries[-1]
    if [seq for seq, _ in before + entries] != list(range(first - len(before), last + 1)):
        raise Wrong("its entries do not follow each other", first)
    if number is None:
        if len(before + entries) > 1:
            raise Wrong("more than one entry, and it names no round", first)
        return "1 entry"
    start, *own = [read_object(text.encode()) for _, text in before] or [{}]
    if first != begins if not before else (start.get("event") != "next" or {one.get("event") for one in own} - {*OWN}):
        raise Wrong(f"it does not show what came before round {number}", first)
    if read_object(line.encode()).get("round") != number or start.get("round") == number:
        raise Wrong(f"not the first line of round {number}", first)
    if (closing := read_object(end.encode())).get("event") != "next" or closing.get("round") == number:
        raise Wrong(f"not the last line of round {number}", last)
    return f"round {number}, {len(entries)} entries"


def read_proof(data: bytes) -> tuple[bytes, bytes, list[bytes], int | None, list[list[tuple[int, str, list[bytes]]]]]:
    """The header, checkpoint, statements of keys, round, and entries before it and of it, of a proof of one form."""
    said = json.loads(data.decode(), object_pairs_hook=once, parse_int=whole)
    head, note, *keys = (text.encode() for text in (said["header"], said["checkpoint"], *said["keys"]))
    rows = [[(one["seq"], one["line"], [*map(bytes.fromhex, one["path"])]) for one in said[name]] for name in PROVED]
    parts = [
        [{"seq": seq, "line": line, "path": [one.hex() for one in path]} for seq, line, path in row] for row in rows
    ]
    texts = {
        "proof": PROOF,
        "header": head.decode(),
        "checkpoint": note.decode(),
        "keys": [key.decode() for key in keys],
    }
    kinds = {(type(seq), type(line.encode())) for seq, line, _ in chain(*rows)}
    # Equal to what was read of it: nothing else stands there, nor in another way.
    if said != texts | dict(zip(PROVED, parts, strict=True)) | {"round": said["round"]} or kinds != {(int, bytes)}:
        raise ValueError(said["proof"])
    if not rows[1] or type(said["round"]) not in (int, type(None)):
        raise ValueError(said["round"])
    return head, note, keys, said["round"], rows


def check_proof(file: Path, witness: Path | None = None, first_key: str | None = None) -> str:
    """Verify the proof of an entry or of a round; those entries, when it holds."""
    try:
        head, note, keys, number, rows = read_proof(plain(file))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Wrong("not a proof of entries of a journal") from None
    origin, key = read_header(head, first_key)
    takeovers = succession(enumerate(keys), origin, key)
    Log(1, [sha(b"\x00", head)]).compare(takeovers[0])
    row = read_note(note, "the checkpoint").number if note else 0, note
    [one] = checkpoints([row], origin, takeovers, 10**18) if note else takeovers[-1:]
    # A key proves the entries of its own shoe game: a later one could have signed another past.
    begins = takeovers[max(0, one.epoch - bool(one.key))].size
    for seq, line, path in chain(*rows):
        if not begins <= seq < one.size or climb(sha(b"\x00", line.encode()), seq, one.size, path) != one.root:
            raise Wrong(f"not among those from {begins} on that {one.what} was signed for", seq)
    seen = UNWITNESSED if witness is None else f"the witness holds {one.what}"
    if witness is not None and not any(note.startswith(one.text + b"\n") for note in notes_in(plain(witness))):
        raise Wrong(f"the witness does not hold {one.what}")
    before, entries = ([(seq, line) for seq, line, _ in part] for part in rows)
    lines = "\n".join(line for _, line in entries)
    return f"{check_span(number, before, entries, begins)}, proved by {one.what}\n{seen}\nfirst key {key}\n{lines}"


def check_file(database: sqlite3.Connection, copy: Path) -> None:
    """Does the file say of itself what the file of a journal says, and end where its last page does?"""
    if configure := getattr(database, "setconfig", None):  # from Python 3.12 on
        configure(DEFENSIVE)
    for name, value in SAFE.items():
        database.execute(f"PRAGMA {name} = {value}")
        if database.execute(f"PRAGMA {name}").fetchone() not in ((value,), None):  # None: built without
            raise OSError(f"this SQLite, {sqlite3.sqlite_version}, does not set {name} to {value}")
    with copy.open("rb") as file:
        start = file.read(100)
    if any(start[at : at + len(wanted)] != wanted for at, wanted in FIXED.items()):
        raise Wrong("its first page is not that of a journal")
    names = ("application_id", "page_size", "journal_mode", "page_count")  # as its write-ahead log has them
    *found, pages = (database.execute(f"PRAGMA {name}").fetchone()[0] for name in names)
    if found != [int.from_bytes(b"CSHJ", "big"), PAGE_BYTES, "wal"]:
        raise Wrong(f"application id, page size and mode are {found}: not those of a journal")
    if (more := copy.stat().st_size - PAGE_BYTES * pages) > 0:
        raise Wrong(f"{more} bytes follow its last page")


def check_database(database: sqlite3.Connection, log: Log) -> None:
    """Is it of a version known here, with the tables of that and nothing else? And which part of a journal?"""
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version not in (WHOLE, PART):
        raise Wrong(f"a journal of version {version}; this verifier reads versions {WHOLE} and {PART}")
    tables = {name: f"CREATE TABLE {name} ({columns}) STRICT" for name, columns in COLUMNS.items()}
    without = ("segment", "retired") if version == WHOLE else ()
    due = [("table", name, name, sql) for name, sql in tables.items() if name not in without]
    schema = database.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    if len(schema) != len(set(schema)) or set(due) not in (set(schema), {*schema, due[-1]}):
        raise Wrong("its tables are not those of a journal, and those alone")
    if (state := database.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
        raise Wrong(f"damaged pages: {state}")
    if version != WHOLE:
        sql = "SELECT epoch, size, edge, archived FROM segment WHERE min(epoch, size - 1, archived, 1 - archived) >= 0"
        for log.epoch, log.begins, edge, log.archived in (rows := database.execute(sql).fetchall()):
            log.before = [edge[at : at + HASH_BYTES] for at in range(0, len(edge), HASH_BYTES)]
        if len(rows) != 1 or len(log.before) != log.begins.bit_count():
            raise Wrong("its segment does not say with which key and tree it begins")
        rows = database.execute("SELECT id, line, path, notes FROM retired").fetchall()
        if [row[0] for row in rows] != [1]:
            raise Wrong("the entry about what is retired is missing, or stands there twice")
        log.carried = rows[0][1:]


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="cardshoe-verify", description="Verify a journal without cardshoe.")
    parser.add_argument("file", type=Path, metavar="JOURNAL", help="the journal, or with --proof the file of a proof")
    parser.add_argument(
        "--proof", action="store_true", help="verify the proof of an entry or round, without the journal"
    )
    parser.add_argument("--witness", type=Path, help="the file of a witness: prove up to where it does")
    parser.add_argument("--first-key", help="the journal's first key, as it was noted when the table began")
    given = parser.parse_args(arguments)
    if sqlite3.sqlite_version_info < (3, 37):  # the first that knows STRICT: to older ones every journal looks damaged
        parser.exit(1, f"this Python has SQLite {sqlite3.sqlite_version}; 3.37 or newer is needed: take another one\n")
    try:
        asked = (given.file, given.witness, given.first_key)
        print(f"{given.file}: {check_proof(*asked) if given.proof else verify(*asked)}")
    except (Wrong, OSError) as error:
        where, what = getattr(error, "filename", None) or given.file, getattr(error, "strerror", None) or error
        print(f"{where}: {what}", file=sys.stderr)
        return 4 if isinstance(error, Wrong) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

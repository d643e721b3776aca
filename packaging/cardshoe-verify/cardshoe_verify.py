"""Verify a journal of cardshoe, or a proof of entries, without cardshoe.

Written from docs/journal.md, RFC 6962, c2sp.org/signed-note and c2sp.org/tlog-checkpoint, without the
program's code.

python cardshoe_verify.py [--proof] FILE... [--witness FILE] [--first-key KEY]

Needs Python 3.11, SQLite 3.37 and `cryptography`. It names the first bad entry and the proved part, not
whether the table followed the regulation: `cardshoe verify` does.
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

PAGE_BYTES, VERSION, ED25519, DASH = 4096, 5, b"\x01", "\u2014"
COLUMNS = {
    "entries": "number INTEGER PRIMARY KEY, lines BLOB NOT NULL, node BLOB NOT NULL",
    "keys": "epoch INTEGER PRIMARY KEY, note BLOB NOT NULL",
    "checkpoints": "number INTEGER PRIMARY KEY, note BLOB NOT NULL",
    "snapshots": "epoch INTEGER PRIMARY KEY, state BLOB NOT NULL",
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
    act action actions amount any_pair article at authorisations because behind bettors boot by card cards cards_left
    cards_seen checks claimed closed code count cut_card decided_by decision decks detail device digest do duties
    edition entries entry equipment event face firmware frame_length frame_type game ground hand hash id ids
    irregularity issued key lapsed left maker mark model note notes number one_more options origin outcome pairs permit
    person persons pick_up place position raw reads reason refused registry role root round rounds sealed seat seats
    seats_at_most seconds security_counter seq serial set since state table_id to unseen until value verdict version
    wagers what who why witness
"""
FIELDS = frozenset(NAMES.split())
# What the header says, in this order; `read_header` knows what may be missing.
HEAD: dict[str, type] = dict.fromkeys(("event", "table_id", "game", "edition", "program", "created_at"), str)
HEAD |= {"options": dict, "journal_id": str, "key": str, "imported": str, "rules": int, "previous": dict}
HASH_BYTES, KEY_BYTES, SIGNATURE_BYTES = 32, 32, 64
PROOF, PASSED = "cardshoe/journal/5", "passed_over"  # the event of the journal's own entries
Rows = Iterable[tuple[int, bytes]]
UNWITNESSED = "no witness was asked: no proof against owners of the machine"
N = r"(?:0|[1-9]\d{0,17})"
NOTE = rf"((?:(?!{DASH} )[^\0-\x1f]+\n)+)\n((?:{DASH} [^\0- ]+ [^\0- ]+\n){{1,16}})"
TREE = rf"(?P<size>{N})\n(?P<root>.+)\n"
CHECKPOINT = rf"(?P<origin>.+)\n{TREE}checkpoint (?P<number>{N}) key (?P<epoch>{N}) at .*\n"
TAKEOVER = rf"(?P<origin>.+)\nkey (?P<epoch>{N})\n{TREE}(?P<key>.+)\nat .*\n(?:state (?P<state>.+)\n)?"
T = r'[^"\\\0-\x1f\x7f\ud800-\udfff]+'
PASSING = (
    rf'{{"event":"passed_over","seq":(?P<seq>[1-9]\d{{0,17}}),"at":"{T}","entry":(?P<entry>[1-9]\d{{0,17}}),'
    rf'"hash":"(?P<hash>[0-9a-f]{{64}})","by":\["(?P<by>{T})","(?P<other>{T})"\]}}'
)
ORIGIN = "cardshoe/journal/[0-9a-f]{32}"
PREVIOUS = rf'\{{"log":"[0-9a-f]{{32}}","size":[1-9]\d{{0,17}},"root":"[0-9a-f]{{64}}","key":"{ORIGIN}\+{T}"\}}'
BACK, AHEAD = timedelta(seconds=-0.5), timedelta(days=365)


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


class Wrong(Exception):
    """A failed check. `entry`: the first doubtful one; None: their signatures."""

    def __init__(self, reason: str, entry: int | None = None) -> None:
        super().__init__(reason if entry is None else f"entry {entry}: {reason}")
        self.entry = entry


class Statement(NamedTuple):
    """A note's statement. A takeover has a key, NAME+ID+KEY; a checkpoint a number."""

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
        """The signed bytes."""
        return self.note[: self.note.rindex(b"\n\n") + 1]

    def is_signed(self, takeovers: "list[Statement]", before: str = "", *, alone: bool = True) -> bool:
        """True if the expected keys, and `before`, signed once; if `alone`, no other."""
        by = [*takeovers[max(0, self.epoch - 1) : self.epoch], self] if self.key else takeovers[self.epoch :][:1]
        keys = [text.split("+", 2) for text in (before, *(one.key for one in by)) if text]
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
    with suppress(ValueError):
        data = base64.b64decode(text, validate=True)
        if base64.b64encode(data).decode() == text and (len(data) == length or (longer and len(data) > length)):
            return data
    raise Wrong(f"{what}: not base64 of {length} bytes: {text!r}", seq)


def whole(text: str) -> int:
    if not -(2**63) <= (number := int(text)) < 2**64:
        raise ValueError(text)
    return number


# NaN, Infinity and numbers with an exponent are whole numbers for it, so that they are refused; that another one is as
# short as can be, writing it again shows.
READER = json.JSONDecoder(
    parse_int=whole, parse_float=lambda text: whole(text) if "e" in text.lower() else float(text), parse_constant=whole
)
WRITER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False)


def read_object(line: bytes) -> dict[str, Any]:
    with suppress(ValueError, RecursionError):
        text = line.decode()
        marks = TEXTS.sub("", text) if text.count("{") + text.count("[") > DEPTH else ""
        if max(accumulate((c in "{[") - (c in "}]") for c in marks), default=0) <= DEPTH:
            said = READER.decode(text)
            if isinstance(said, dict) and WRITER.encode(said) == text:
                return said
    return {}


def check_key(text: str, what: str, seq: int | None = None) -> str:
    name, key_id, encoded = (*text.split("+", 2), "", "")[:3]
    raw = debase64(encoded, 1 + KEY_BYTES, what, seq)
    if not name or sha(name.encode(), b"\n", raw)[:4].hex() != key_id or raw[:1] != ED25519:
        raise Wrong(f"{what}: not an Ed25519 key: {text!r}", seq)
    return name


def read_note(data: bytes, what: str, origin: str | None = None) -> Statement:
    """A parsed, untrusted note; `origin`: required journal."""
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
    blocks, dash = [block.strip(b"\n") for block in data.replace(b"\r\n", b"\n").split(b"\n\n")], DASH.encode()
    return [b"%b\n\n%b\n" % two for two in pairwise(blocks) if [one.startswith(dash) for one in two] == [False, True]]


def succession(rows: Rows, origin: str, first_key: str, before: str) -> list[Statement]:
    """Key statements: without gap, certified by the key before and itself."""
    takeovers: list[Statement] = []
    for epoch, data in rows:
        if epoch != len(takeovers):
            raise Wrong(f"key {len(takeovers)} is missing")
        one = read_note(data, f"the statement of key {epoch}", origin)
        if takeovers and one.size < takeovers[-1].size:
            raise Wrong(f"{one.what} takes over before the key before it did")
        if not one.is_signed(takeovers, before * (not takeovers)):
            raise Wrong(f"{one.what} is not signed by itself and the key before alone, or a signature does not hold")
        takeovers.append(one)
    if not takeovers or takeovers[0].key != first_key:
        raise Wrong("key 0 of the header is missing: this journal is unsigned")
    return takeovers


def checkpoints(rows: Rows, origin: str, takeovers: list[Statement], first: int = 1) -> Iterator[Statement]:
    """Checkpoints: without gap, each by its key, never smaller."""
    last: Statement | None = None
    for due, (number, data) in enumerate(rows, start=first):
        one = read_note(data, f"checkpoint {number}", origin)
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
    """The journal so far."""

    size: int = 0
    edge: list[bytes] = field(default_factory=list)
    seq: int = 0
    last: bytes | None = b""
    proved: int = 0
    keys: list[str] = field(default_factory=list)
    previous: dict[str, Any] = field(default_factory=dict)
    rounds: list[Any] = field(default_factory=lambda: [0])
    moment: datetime | None = None
    odd: list[int] = field(default_factory=list)

    def root(self) -> bytes:
        """The root of the whole tree (RFC 6962)."""
        return reduce(lambda root, node: sha(b"\x01", node, root), reversed(self.edge))

    def apply(self, number: int, data: bytes, node: bytes) -> None:
        """Check the next row."""
        if number != self.size:
            raise Wrong(f"missing; the next one there is {number}", self.size)
        grown, covered = sha(b"\x00", data), 1
        if number:
            self.read(number, data, grown)
        while self.size & covered:
            grown, covered = sha(b"\x01", self.edge.pop(), grown), covered * 2
        self.edge.append(grown)
        self.size += 1
        if grown != node:
            first = max(self.size - covered, self.proved)
            others = "" if first == number else f", or one from {first} on together with its own node"
            raise Wrong(f"the node does not fit: this entry was altered{others}", number)

    def read(self, number: int, data: bytes, leaf: bytes) -> None:
        """Check the lines of the next entry."""
        *lines, end = data.split(b"\n")
        if end or not lines:
            raise Wrong("it does not end with a line feed", number)
        passes = False
        for at, line in enumerate(lines):
            said, self.seq = read_object(line), self.seq + 1
            event, seq = said.get("event"), said.get("seq")
            if (seq, type(seq), type(event)) != (self.seq, int, str) or list(said)[:2] != ["event", "seq"]:
                raise Wrong(f"not a line of a table log in its one permitted form, or its number is {seq}", number)
            if event != "result" and (strange := said.keys() - FIELDS):  # the members of a verdict are its game's own
                raise Wrong(f"not a line of a table log that this verifier knows: a field {min(strange)!r}", number)
            passes = passes or event == PASSED
            if not at:
                self.rounds.append(said.get("round") or said.get("rounds") or self.rounds[-1])
            if not at and not passes and (time := str(said.get("at"))).endswith("Z"):
                with suppress(ValueError):  # a clock that nobody sets goes neither back nor years ahead
                    last, self.moment = self.moment, datetime.fromisoformat(time)
                    if last and event != "clock_stepped" and not BACK <= self.moment - last <= AHEAD:
                        self.odd.append(number)
        if passes:
            self._passes(number, data[:-1])
        self.last = b"" if passes else leaf

    def _passes(self, number: int, line: bytes) -> None:
        found = re.fullmatch(PASSING, line.decode(errors="surrogateescape"), re.ASCII)
        if not found or found["by"] == found["other"]:
            raise Wrong("not an entry that passes over one before it, or one person says so twice", number)
        if int(found["entry"]) != number - 1 or self.last not in (None, bytes.fromhex(found["hash"])):
            raise Wrong(f"it passes over entry {found['entry']}, which is not the input before it", number)
        del self.rounds[max(1, len(self.rounds) - 2) :]

    def compare(self, one: Statement) -> None:
        """Compare a signed statement with the tree."""
        if one.size != self.size or one.root != self.root():
            last = self.size - 1
            entries = "this entry" if last == self.proved else f"one of the entries from here to {last}"
            raise Wrong(f"{entries} is not what {one.what} was signed for", self.proved)
        self.proved = self.size


def follow(database: sqlite3.Connection, log: Log, first_key: str | None) -> tuple[list[Statement], set[bytes]]:
    """Follow the journal; return key statements and the texts of valid notes."""
    rows = database.execute("SELECT number, lines, node FROM entries ORDER BY number")
    log.apply(*(head := next(rows, (1, b"", b""))))
    origin, key, log.previous = read_header(head[1], first_key)
    keys = database.execute("SELECT epoch, note FROM keys ORDER BY epoch")
    takeovers = succession(keys, origin, key, log.previous.get("key", ""))
    log.keys = [one.key for one in takeovers]
    notes = database.execute("SELECT number, note FROM checkpoints ORDER BY number")
    held: set[bytes] = set()
    # Both streams grow; of two statements about one size it does not matter which is compared first.
    for one in heapq.merge(takeovers, checkpoints(notes, origin, takeovers), key=lambda one: one.size):
        for _, row in zip(range(one.size - log.size), rows, strict=False):
            log.apply(*row)
        if one.size > log.size:
            raise Wrong(f"missing: {one.what} was signed for entries up to {one.size - 1}", log.size)
        log.compare(one)
        held.add(one.text)
    for row in rows:
        log.apply(*row)
    return takeovers, held


def check_snapshots(database: sqlite3.Connection, takeovers: list[Statement]) -> None:
    states = database.execute("SELECT epoch, state FROM snapshots").fetchall()
    signed = {one.epoch: one.note.rpartition(b"\n\n")[0].partition(b"\nstate ")[2] for one in takeovers}
    if {epoch: base64.b64encode(sha(state)) for epoch, state in states} != {e: one for e, one in signed.items() if one}:
        raise Wrong("a snapshot is not what the statement of its key was signed for")


def read_header(data: bytes, first_key: str | None) -> tuple[str, str, dict[str, Any]]:
    header = read_object(data[:-1]) if data.endswith(b"\n") else {}
    may_lack = {"imported", "previous", *(["rules"] if header.get("game") == "firmware_update" else [])}
    form = {name: kind for name, kind in HEAD.items() if name in header or name not in may_lack}
    if [(name, type(said)) for name, said in header.items()] != list(form.items()) or header["event"] != "journal":
        raise Wrong("not a header of a journal in its one permitted form", 0)
    origin, key = f"cardshoe/journal/{header['journal_id']}", header["key"]
    if not re.fullmatch("[0-9a-f]{32}", header["journal_id"]):
        raise Wrong("its journal_id is not 32 hexadecimal digits", 0)
    if (before := header.get("previous")) is not None:
        if not re.fullmatch(PREVIOUS, WRITER.encode(before)):
            raise Wrong("its previous is not a log, a size, a root and a key", 0)
        check_key(before["key"], "its previous", 0)
    if first_key is not None and key != first_key:
        raise Wrong(f"the first key is {key or 'missing'!r}, not {first_key}", 0)
    if not key:
        raise Wrong("it names no key: this journal is unsigned", 0)
    check_key(key, "the header", 0)
    return origin, key, before or {}


def plain(path: Path) -> bytes:
    """The bytes of a regular file; a pipe could block."""
    if path.exists() and not path.is_file():
        raise OSError(f"{path} is no plain file")
    return path.read_bytes()


def check_witness(path: Path, takeovers: list[Statement], held: set[bytes], log: Log) -> str:
    """Check that every whole note of the witness is in the journal."""
    notes = []
    for note in notes_in(plain(path)):
        with suppress(Wrong):  # no note, or a write that was torn off
            if (one := read_note(note, "a note of the witness")).origin == takeovers[0].origin:
                notes.append(one)
    sizes = [0]
    if not notes:
        log.proved = 0
        raise Wrong("the witness has no record of this journal: it was not registered, or the journal was recreated")
    for one in notes:  # in the order in which they came: what came first is about what really happened
        if one.text not in held:
            log.proved = max(size for size in sizes if size <= one.size)
            said = f"the witness holds {one.what} over entries up to {one.size - 1}"
            said += "" if one.is_signed(takeovers, alone=False) else ", which no key of this journal has signed"
            if one.size > log.size:
                raise Wrong(f"missing: {said}", log.size)
            raise Wrong(f"{said}, and the journal another: it was cut off and continued, or recreated", log.proved)
        sizes.append(one.size)
    return f"witnessed up to entry {max(sizes) - 1}"


def count_names(journal: Path) -> int:
    pattern = f".{glob.escape(journal.name)}.*"
    beside = chain(journal.parent.glob(pattern), journal.parent.glob(f"{pattern}/*"))
    passing = [one for one in beside if one.exists() and one.samefile(journal) and not Path(f"{one}-wal").exists()]
    return journal.stat().st_nlink - len(passing)


def check_chain(files: list[Path], logs: list[Log]) -> str:
    """Check that each header's log before is among these files."""
    ends = {sha(one.keys[0].encode()).hex()[:32]: one for one in logs}
    told = []
    for file, log in [two for two in zip(files, logs, strict=True) if two[1].previous]:
        before = ends.get(log.previous["log"])
        if before and [before.size, before.root().hex(), before.keys[-1]] != [*log.previous.values()][1:]:
            raise Wrong(f"{file}: the log before it has another end than its header names", 0)
        if before and log.rounds[1:2] not in ([], last := before.rounds[-1:]):
            raise Wrong(f"{file}: it continues after round {log.rounds[1]}, the log before it ended with {last[0]}", 1)
        told.append(f"{file}: the log before it, {log.previous['log']}, {'holds' if before else 'is not here'}")
    return "\n".join(told)


def verify(journal: Path, witness: Path | None = None, first_key: str | None = None, log: Log | None = None) -> str:
    """Verify a journal; return a report. `Wrong` names the proved part."""
    log = log or Log()
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
                takeovers, held = follow(database, log, first_key)
                signed = log.proved - 1
                seen = UNWITNESSED if witness is None else check_witness(witness, takeovers, held, log)
                check_snapshots(database, takeovers)
        except Wrong as wrong:
            proved = f"proved up to entry {log.proved - 1}" if log.proved else "nothing of it is proved"
            wrong.args = (f"{wrong}; {proved}",)
            raise
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise Wrong(f"damaged: {error}") from error
    what = f"{log.size - 1} entries, {len(held) - len(takeovers)} checkpoints, {len(takeovers)} keys: all of it holds"
    odd = f"{len(log.odd)} times that no clock gives, the first at entry {log.odd[0]}\n" if log.odd else ""
    return f"{what}\nsigned up to entry {signed}\n{seen}\n{odd}first key {takeovers[0].key}\nroot {log.root().hex()}"


def climb(leaf: bytes, seq: int, size: int, path: list[bytes]) -> bytes:
    """The root of an audit path (RFC 6962 section 2.1.1)."""
    if size <= 1 or not path or len(path[-1]) != HASH_BYTES:  # a longer one could be both children of a node at once
        return leaf if size == 1 and not path else b""
    half = 1 << (size - 1).bit_length() - 1
    if seq < half:
        return sha(b"\x01", climb(leaf, seq, half, path[:-1]), path[-1])
    return sha(b"\x01", path[-1], climb(leaf, seq - half, size - half, path[:-1]))


def once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(said := dict(members)) < len(members):
        raise ValueError(members)
    return said


Proved = tuple[int, list[str], list[bytes]]  # an entry of a proof: its number, its lines, its audit path


def check_span(number: int | None, entries: list[Proved], begins: int) -> str:
    """Check that a proof holds its whole round, in order."""
    first, last = entries[0][0], entries[-1][0]
    if [entry for entry, _, _ in entries] != list(range(first, last + 1)):
        raise Wrong("its entries do not follow each other", first)
    seq = read_object(entries[0][1][0].encode()).get("seq")
    log = Log(seq=seq - 1 if type(seq) is int else 0, last=None)
    for entry, lines, _ in entries:
        data = b"".join(line.encode() + b"\n" for line in lines)
        log.read(entry, data, sha(b"\x00", data))
    if number is None:
        if len(entries) > 1:
            raise Wrong("more than one entry, and it names no round", first)
        return "1 entry"
    inputs, ends = ([read_object(lines[at].encode()) for _, lines, _ in entries] for at in (0, -1))
    asks, answers = ([repr(said.get("round")) == repr(number) for said in some] for some in (inputs, ends))
    if True not in asks:
        raise Wrong(f"it holds no entry of round {number}", first)
    start = asks.index(True)
    # Before it comes the entry that shows that none of its own is missing; or a key, with which a shoe game begins.
    if not (inputs[0]["event"] != PASSED and not answers[0] if start else first == begins):
        raise Wrong(f"it does not show what came before round {number}", first)
    if any(said["event"] != PASSED for said in inputs[1:start]):
        raise Wrong(f"it shows more than what came before round {number}", first)
    if not asks[-1] or answers[-1]:
        raise Wrong(f"not the last entry of round {number}", last)
    return f"round {number}, {len(entries) - start} entries"


def read_proof(data: bytes) -> tuple[bytes, bytes, list[bytes], int | None, list[Proved]]:
    said = json.loads(data.decode(), object_pairs_hook=once, parse_int=whole)
    head, note, *keys = (text.encode() for text in (said["header"], said["checkpoint"], *said["keys"]))
    rows = [(one["entry"], one["lines"], [*map(bytes.fromhex, one["path"])]) for one in said["entries"]]
    entries = [{"entry": n, "lines": [*lines], "path": [one.hex() for one in path]} for n, lines, path in rows]
    form = {name: said[name] for name in ("header", "checkpoint", "round")}
    form |= {"proof": PROOF, "keys": [*said["keys"]], "entries": entries}
    told = "".join(line for _, lines, _ in rows for line in lines).encode()
    # Equal to what was read of it: nothing else stands there, nor in another way.
    if said != form or b"\n" in told or type(said["round"]) not in (int, type(None)):
        raise ValueError(said["proof"])
    if not rows or not all(type(number) is int and lines for number, lines, _ in rows):
        raise ValueError(said["entries"])
    return head, note, keys, said["round"], rows


def check_proof(file: Path, witness: Path | None = None, first_key: str | None = None) -> str:
    """Verify a proof; return its entries."""
    try:
        head, note, keys, number, rows = read_proof(plain(file))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Wrong("not a proof of entries of a journal") from None
    origin, key, before = read_header(head + b"\n", first_key)
    takeovers = succession(enumerate(keys), origin, key, before.get("key", ""))
    Log(1, [sha(b"\x00", head, b"\n")]).compare(takeovers[0])
    row = read_note(note, "the checkpoint").number if note else 0, note
    [one] = checkpoints([row], origin, takeovers, row[0]) if note else takeovers[-1:]
    # A key proves the entries of its own shoe game: a later one could have signed another past.
    begins = takeovers[max(0, one.epoch - bool(one.key))].size
    for entry, lines, path in rows:
        leaf = sha(b"\x00", *(line.encode() + b"\n" for line in lines))
        if not begins <= entry < one.size or climb(leaf, entry, one.size, path) != one.root:
            raise Wrong(f"not among those from {begins} on that {one.what} was signed for", entry)
    seen = UNWITNESSED if witness is None else f"the witness holds {one.what}"
    if witness is not None and not any(note.startswith(one.text + b"\n") for note in notes_in(plain(witness))):
        raise Wrong(f"the witness does not hold {one.what}")
    told = "\n".join(line for _, lines, _ in rows for line in lines)
    return f"{check_span(number, rows, begins)}, proved by {one.what}\n{seen}\nfirst key {key}\n{told}"


def check_file(database: sqlite3.Connection, copy: Path) -> None:
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
    names = ("user_version", "application_id", "page_size", "journal_mode", "page_count")  # with its write-ahead log
    version, *found, pages = (database.execute(f"PRAGMA {name}").fetchone()[0] for name in names)
    if found != [int.from_bytes(b"CSHJ", "big"), PAGE_BYTES, "wal"]:
        raise Wrong(f"application id, page size and mode are {found}: not those of a journal")
    if (more := copy.stat().st_size - PAGE_BYTES * pages) > 0:
        raise Wrong(f"{more} bytes follow its last page")
    if version != VERSION:
        raise Wrong(f"a journal of version {version}; this verifier reads version {VERSION}")
    due = [("table", name, name, f"CREATE TABLE {name} ({columns}) STRICT") for name, columns in COLUMNS.items()]
    schema = database.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    if sorted(schema, key=str) != sorted(due, key=str):
        raise Wrong("its tables are not those of a journal, and those alone")
    if (state := database.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
        raise Wrong(f"damaged pages: {state}")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="cardshoe-verify", description="Verify a journal without cardshoe.")
    parser.add_argument("files", type=Path, nargs="+", metavar="JOURNAL", help="journals; with --proof: proofs")
    parser.add_argument("--proof", action="store_true", help="verify proofs of entries or rounds, without journals")
    parser.add_argument("--witness", type=Path, help="the file of a witness: prove up to where it does")
    parser.add_argument("--first-key", help="the first key of the last file, as it was noted then")
    given = parser.parse_args(arguments)
    if sqlite3.sqlite_version_info < (3, 37):  # the first that knows STRICT: to older ones every journal looks damaged
        parser.exit(1, f"this Python has SQLite {sqlite3.sqlite_version}; 3.37 or newer is needed: take another one\n")
    logs: list[Log] = []
    file = given.files[-1]
    try:
        for file in given.files:
            key = given.first_key if file is given.files[-1] else None
            if given.proof:
                print(f"{file}: {check_proof(file, given.witness, key)}")
            else:
                logs.append(Log())
                print(f"{file}: {verify(file, given.witness, key, logs[-1])}")
        if told := check_chain(given.files, logs) if logs else "":
            print(told)
    except (Wrong, OSError) as error:
        where, what = getattr(error, "filename", None) or file, getattr(error, "strerror", None) or error
        print(f"{where}: {what}", file=sys.stderr)
        return 4 if isinstance(error, Wrong) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Read part of a journal under its newest signature.

Rows outside the part are not verified: `verify_store` does that.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from cardshoe.journal.file.atomic_files import ROOM, copy_pair, temporary_folder
from cardshoe.journal.file.chain import Entry
from cardshoe.journal.file.errors import JournalBroken, JournalFailed
from cardshoe.journal.file.file_holders import readers_lock
from cardshoe.journal.file.header import Previous
from cardshoe.journal.file.store import Store, stored_tree
from cardshoe.journal.file.wal import read_log_header
from cardshoe.journal.proof.note import BadNote
from cardshoe.journal.proof.statements import Checkpoint, Takeover
from cardshoe.journal.proof.tree import Frontier, is_prefix
from cardshoe.journal.reading.read_only import Evidence
from cardshoe.journal.reading.reader import chain_after, followed, read_signatures


class SignedTree(NamedTuple):
    size: int
    root: bytes


class _WithRound(msgspec.Struct):
    round: int | None = None


class Marked(Evidence):
    """A partly read journal."""

    def __init__(self, store: Store, ended: Previous | None = None) -> None:
        super().__init__(store)
        if ended is None or self.header.fingerprint != ended.log:
            self.mark = self._newest()
        else:
            self.mark = SignedTree(ended.size, bytes.fromhex(ended.root))
            signatures = read_signatures(store, self.header, self.last + 2)
            key = "" if signatures is None else str(signatures.keys[-1])
            if (self.last + 1, key) != (ended.size, ended.key):
                raise JournalBroken(self.path, None, "it has another end than the header of the log behind it names")
        self._check_covered(Frontier(1, [self.genesis.node]))

    def _newest(self) -> SignedTree:
        signatures = read_signatures(self._store, self.header, self.last + 2)
        if signatures is None:
            raise JournalBroken(self.path, 0, "it has no signature")
        last = self._store.last_checkpoint()
        try:
            said: list[Checkpoint | Takeover] = [signatures.takeovers[-1]]
            if last is not None:
                said.append(signatures.read_one(last[1]))
        except BadNote as error:
            raise JournalBroken(self.path, None, f"the newest checkpoint: {error.reason}") from error
        newest = max(said, key=lambda one: one.size)
        if newest.size > self.last + 1:
            raise JournalBroken(self.path, self.last + 1, f"missing: entries up to {newest.size - 1} were signed")
        return SignedTree(newest.size, newest.root)

    def between(self, first: int, last: int) -> list[Entry]:
        """Entries ``first`` (from 1) to ``last``, each verified; empty if ``last`` is smaller."""
        if last < first:
            return []
        chain = chain_after(self._store, first - 1)
        entries = list(followed(self.path, chain, map(self._store.entry, range(first, last + 1))))
        self._check_covered(chain.edge)
        return entries

    def first_of_round(self, number: int) -> int:
        """First entry of a round, by binary search: round numbers only rise."""
        low, high = 1, self.last + 1
        while low < high:
            at = middle = (low + high) // 2
            found = None
            while at < high and (found := self._round_of(self._store.entry(at))) is None:
                at += 1  # between two rounds
            low, high = (at + 1, high) if found is not None and found < number else (low, middle)
        return low

    def _round_of(self, entry: Entry) -> int | None:
        try:
            told = (msgspec.json.decode(line, type=_WithRound).round for line in entry.lines)
            return next((one for one in told if one is not None), None)
        except msgspec.DecodeError as error:
            raise JournalBroken(self.path, entry.number, f"not a line of the table log: {error}") from error

    def _check_covered(self, edge: Frontier) -> None:
        here = (edge.size, edge.root())
        (first, first_root), (second, second_root) = sorted([here, self.mark], key=lambda one: one[0])
        path = stored_tree(self._store).consistency(first, second)
        if not is_prefix(first, second, first_root, second_root, path):
            raise JournalBroken(
                self.path, None, "an entry is not what was signed; `cardshoe verify` names the first that does not hold"
            )


@contextlib.contextmanager
def marked(path: Path, ended: Previous | None = None) -> Iterator[Marked]:
    """A partly read journal that no table has open; its files are not changed.

    Raises:
        JournalError: missing, busy, damaged, not a journal, or cannot be read.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(readers_lock(path))
        try:
            logged = read_log_header(path)
        except OSError as error:
            raise JournalFailed(path, f"its write-ahead log cannot be read: {error.strerror}") from error
        file = path
        if logged:
            file = stack.enter_context(temporary_folder(path)) / "copy.journal"
            copy_pair(path, file, ROOM)
            Store(file, shown_as=path).close()
        store = Store(file, shown_as=path, in_place=True)
        stack.callback(store.abandon)
        yield Marked(store, ended)

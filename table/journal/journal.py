"""The journal of a table: written by one thread of one process, durable before anybody is answered."""

import contextlib
import errno
import os
import secrets
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, TypeVar

import msgspec

from table.journal.chain import BEFORE_HEADER, Chain, Entry, NotNext, digest_of
from table.journal.errors import (
    JournalBroken,
    JournalError,
    JournalExists,
    JournalFailed,
    JournalFull,
    JournalMissing,
    LinesRefused,
)
from table.journal.header import Header, encode_header
from table.journal.reader import check_all_there, checked, read_header
from table.journal.room import LOW_BYTES, Ballast, Room, free_space
from table.journal.store import Store
from table.journal.wal import WAL_BYTES, enlarge, wal_of

T = TypeVar("T")


class Journal:
    """An open journal. Made by `create` or `open`; a context manager that closes at its end.

    Not for several threads: the table's thread alone uses it.

    Attributes:
        path: the file.
        header: entry 0.
    """

    def __init__(self, store: Store) -> None:
        self.path = store.shown_as
        self._store = store
        self._failed: JournalError | None = None
        self._closed = False
        self._ballast = Ballast(self.path)
        store.quick_check()
        first, self.header = read_header(store)
        mark, digest = store.mark()
        before = first if mark == 0 else next(store.entries(mark), first)
        if (before.seq, before.digest) != (mark, digest):
            raise JournalBroken(self.path, mark, "the mark of the open shoe does not fit the entry before the shoe")
        self._before_shoe = mark
        self._chain = checked(self.path, before)
        for _ in self._chain.follow(store.entries(mark + 1)):
            pass

"""Replay a log's inputs while its tree is followed.

Shoe games replay separately from signed snapshots; the result never depends on the number of processors.
"""

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from cardshoe.journal import UPDATES, Entry, Evidence, JournalBroken, JournalError, Stood, Watch, unwatched
from cardshoe.journal.file.store import Store
from cardshoe.journal.reading.reader import line_of
from cardshoe.table.log.log_builder import Scribe
from cardshoe.table.log.replaying import SealingKeyMissing, replayed
from cardshoe.table.log.sealing import Sealer
from cardshoe.table.log.sealing_keys import SealingKeys
from cardshoe.table.log.snapshot import LogSummary, TableSnapshot
from cardshoe.table.log.timeline import Timeline
from regulations.law.edition import RULES_VERSION

NotReplayed: TypeAlias = Literal["other_rules", "no_sealing_key"]

PARALLEL_FROM: Final = 20_000


class Shoe(NamedTuple):
    """A separately replayed shoe game.

    Attributes:
        before: ``None``: the log begins with it.
        behind: ``None``: the log ends with it.
    """

    copy: Path
    path: Path
    origin: str
    keys: SealingKeys
    before: Stood | None
    behind: Stood | None


class Judge:
    """Follows a log's entries and replays them by the regulation; ``pool`` ``None``: in this process."""

    def __init__(
        self,
        evidence: Evidence,
        keys: SealingKeys,
        watch: Watch = unwatched,
        pool: "Callable[[], Executor] | UnsetType | None" = UNSET,
    ) -> None:
        self.timeline: Final = Timeline()
        self._evidence: Final = evidence
        self._keys: Final = keys
        self._watch: Final = watch
        self._pool: Final = _pool_for(evidence.last) if pool is UNSET else pool
        self._not_replayed: NotReplayed | None = None
        self._failed: Exception | None = None

    def follow(self, entries: Iterable[Entry]) -> None:
        """Follow all entries in order; replay failures are kept until the end."""
        header, tree = self._evidence.header, _Tree(entries)
        try:
            if header.game == UPDATES:
                from cardshoe.table.log.update_log import followed  # noqa: PLC0415  a table needs none of it

                followed(self._evidence.path, tree)
            elif header.rules == RULES_VERSION:
                self._replay(self.timeline.noting(tree))
            else:
                self._not_replayed = "other_rules"
        except Exception as error:
            if error is tree.failed:
                raise
            self._failed = error  # a tree that does not hold is said first
        for _ in tree if header.game == UPDATES else self.timeline.noting(tree):
            pass

    def verdict(self, *, without_keys: bool) -> tuple[NotReplayed | None, str | None]:
        """Reason for no replay and missing key; both ``None``: all replayed."""
        if isinstance(self._failed, SealingKeyMissing) and without_keys:
            return "no_sealing_key", self._failed.key_id
        if self._failed is not None:
            raise self._failed
        return self._not_replayed, None

    def _replay(self, entries: Iterator[Entry]) -> None:
        evidence = self._evidence
        try:
            stood = evidence.snapshots()
        except JournalBroken:
            stood = []  # whoever follows the tree says so, in its turn
        before: Stood | None = None
        if self._pool is not None and len(shoes := self._shoes(stood)) > 1:
            failed = self._first_that_fails(self._pool, shoes, entries)
            if failed is None:
                return
            before = failed.before
            entries = evidence.entries(1 if before is None else before.last + 1)
        seq = 0 if before is None else evidence.last_line_of(before.last)
        _replay(evidence.path, entries, Sealer(self._keys, evidence.header.origin), stood, before, seq)

    def _shoes(self, stood: list[Stood]) -> list[Shoe]:
        known = [one for one in stood if _snapshot_of(one) is not None]
        file, evidence = self._evidence.single_file(), self._evidence
        return [
            Shoe(file, evidence.path, evidence.header.origin, self._keys, before, behind)
            for before, behind in pairwise([None, *known, None])
        ]

    def _first_that_fails(
        self, make_pool: Callable[[], Executor], shoes: list[Shoe], entries: Iterator[Entry]
    ) -> Shoe | None:
        with make_pool() as pool:
            verdicts = [pool.submit(holds, shoe) for shoe in shoes]
            try:
                for _ in entries:
                    pass
                for shoe, verdict in zip(shoes, self._watch("replay", verdicts, len(verdicts)), strict=True):
                    if not verdict.result():
                        return shoe
            except BrokenExecutor:
                return shoes[0]
            finally:
                pool.shutdown(cancel_futures=True)
        return None


class _Tree:
    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries: Final = iter(entries)
        self.failed: Exception | None = None

    def __iter__(self) -> Iterator[Entry]:
        return self

    def __next__(self) -> Entry:
        try:
            return next(self._entries)
        except JournalError as error:
            self.failed = error
            raise


def holds(shoe: Shoe) -> bool:
    store = Store(shoe.copy, shown_as=shoe.path, in_place=True)
    try:
        before, behind = shoe.before, shoe.behind
        first, seq = (1, 0) if before is None else (before.last + 1, line_of(store, before.last, -1))
        last = store.last() if behind is None else behind.last
        entries = map(store.entry, range(first, last + 1))
        stood = [] if behind is None else [behind]
        return _replay(shoe.path, entries, Sealer(shoe.keys, shoe.origin), stood, before, seq) == last
    except Exception:  # noqa: BLE001  the log is replayed from here in the process that answers
        return False
    finally:
        store.abandon()


def _replay(
    path: Path, entries: Iterable[Entry], sealer: Sealer, stood: Iterable[Stood], before: Stood | None, seq: int
) -> int:
    compared = {one.last: one for one in stood}
    past = LogSummary()
    scribe, last = None, 0
    if before is not None and (snapshot := _snapshot_of(before)) is not None:
        past.restore(snapshot)
        scribe, last = Scribe(snapshot.profile, sealer=sealer, snapshot=snapshot.regulation, seq=seq), before.last
    reached = last

    def passing() -> Iterator[Entry]:
        nonlocal last
        for entry in entries:
            last = entry.number
            yield entry

    for stands, taken in replayed(path, passing(), sealer, scribe):
        past.note(taken)
        reached = last
        one = compared.get(last)
        if one is not None and (stored := _snapshot_of(one)) is not None and stored != past.snapshot(stands):
            raise JournalBroken(path, one.last, f"the snapshot at key {one.epoch} is not how the table stands after it")
    return reached


def _snapshot_of(one: Stood) -> TableSnapshot | None:
    """The replayable part of a snapshot; ``None``: another version."""
    try:
        stored = msgspec.json.decode(one.state, type=TableSnapshot)
    except msgspec.ValidationError:
        return None
    return msgspec.structs.replace(stored, devices={}, view=UNSET)


def processes() -> Executor:
    """A process per processor, not forked: a thread here may hold any lock."""
    return ProcessPoolExecutor(len(os.sched_getaffinity(0)), get_context("spawn"), _leave_interrupts)


def _pool_for(entries: int) -> Callable[[], Executor] | None:
    return processes if entries >= PARALLEL_FROM and len(os.sched_getaffinity(0)) > 1 else None


def _leave_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)

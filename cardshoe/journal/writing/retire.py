"""Retention: closed shoe games move out of a journal into an archive, and both stay provable.

First the journal gets a signed entry that says what is retired and who asked; each part carries it with its proof. Then
two new files are made, and nothing is deleted from an old one: no byte of what was retired is left in the journal.
The order makes each step safe against a crash: the archive is whole, verified and durable under its name before the
rest takes the journal's name in one step; until then the journal lacks nothing. A second call does what was left
undone.
"""

import contextlib
import os
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import msgspec

from cardshoe.journal.file.atomic_files import passing_folder, place
from cardshoe.journal.file.errors import JournalArchived, JournalBroken, JournalError, JournalExists, JournalFailed
from cardshoe.journal.file.keyring import Keyring
from cardshoe.journal.file.retirement import Attested, Retirement
from cardshoe.journal.file.segment import Segment
from cardshoe.journal.file.store import Store, stored_tree
from cardshoe.journal.file.wal import sync, wal_of
from cardshoe.journal.file.watching import Watch, unwatched
from cardshoe.journal.proof.entry_proof import covering
from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.signatures import NEVER, Numbered
from cardshoe.journal.proof.statements import Checkpoint, Takeover
from cardshoe.journal.proof.tree import edge_rows
from cardshoe.journal.reading.read_only import read_only
from cardshoe.journal.reading.reader import Checked, verify_store
from cardshoe.journal.writing.journal import Journal

Choose = Callable[[Sequence[Takeover]], int]
"""From the statements of all keys to the epoch with which the rest is to begin."""


class Retired(msgspec.Struct, frozen=True, kw_only=True):
    """The retired part of a journal, or the part that would be retired.

    Attributes:
        shoes: the shoe games, first and last, by their keys.
        entries: the entries, first and last.
        since: when the first of the shoe games began.
        until: when the last of them ended.
        kept_from: the first entry that stays.
        kept_shoes: how many shoe games stay, the open one included.
    """

    shoes: tuple[int, int]
    entries: tuple[int, int]
    since: str
    until: str
    kept_from: int
    kept_shoes: int


def keep_shoes(count: int) -> Choose:
    """Keep the last shoe games.

    Args:
        count: how many, the open one included, from 1.
    """
    return lambda takeovers: max(0, len(takeovers) - count)


def not_beyond(choose: Choose, seq: int) -> Choose:
    """Keep an entry in any case.

    Args:
        choose: which shoe games stay otherwise.
        seq: the entry.
    """
    return lambda takeovers: min(choose(takeovers), max(one.epoch for one in takeovers if one.size <= max(1, seq)))


def ended_before(moment: datetime) -> Choose:
    """Keep the shoe games that ended at a moment or later, by the clock of the machine that signed."""

    def choose(takeovers: Sequence[Takeover]) -> int:
        epoch = 0
        for takeover in takeovers[1:]:
            with contextlib.suppress(ValueError):  # a clock that said nothing: nothing is retired beyond it
                if datetime.fromisoformat(takeover.at) <= moment:
                    epoch = takeover.epoch
                    continue
            break
        return epoch

    return choose


def would_retire(path: Path, choose: Choose, watch: Watch = unwatched) -> Retired | None:
    """Return the result that `retire` would have; no file is changed.

    Raises:
        JournalError: as `retire`.
    """
    with read_only(path) as evidence:
        evidence.verify(watch=watch)
        return _planned(path, evidence.takeovers(), evidence.segment, choose)


def retire(path: Path, archive: Path, choose: Choose, *, by: str, at: str, watch: Watch = unwatched) -> Retired | None:
    r"""Move closed shoe games out of a journal that no table has open.

    Args:
        path: the journal, or the rest of one; its key lies beside it.
        archive: the archive's file. If it is there, it must hold exactly what is to be retired: a crash left it.
        choose: which shoe games stay.
        by: who asks; printable and without ``"`` and ``\``.
        at: now, RFC 3339, UTC.
        watch: looks on.

    Returns:
        What was retired; ``None`` if there is nothing to retire.

    Raises:
        ValueError: nobody's name is like this.
        JournalExists: the archive's name is taken by something else.
        JournalArchived: it is itself an archive.
        KeyMissing: the key is not there that must sign what is retired.
        JournalMissing, JournalBusy, NotAJournal, JournalBroken, SettingRefused, JournalFailed: see there.
    """
    with read_only(path) as evidence:
        checked = evidence.verify(watch=watch)
        plan = _planned(path, evidence.takeovers(), evidence.segment, choose)
        if plan is None:
            return None
        kept = evidence.takeovers()[plan.shoes[1] + 1]
        said = Retirement(seq=checked.last_seq + 1, at=at, first=plan.entries[0], size=kept.size, root=kept.root, by=by)
        announced = _announces(evidence.last_retirement(), said)
    if not announced:
        if os.path.lexists(archive):
            raise JournalExists(archive, f"there is already something of this name, and not what {path} retires")
        line = said.line()
        with Journal.open(path, Keyring(path)) as journal:
            journal.append([("retirement", line)], at)
    store = Store(path)
    try:
        checked = verify_store(store, watch=watch)
        takeovers = [Takeover.read(Note(note)) for _, note in store.key_notes()]
        entry = store.last_retirement()
        if entry is None or not _announces(entry, said) or _planned(path, takeovers, store.segment, choose) != plan:
            raise JournalFailed(path, "its table went on meanwhile", "Close the table, then give the command again.")
        _archive(store, archive, takeovers[: plan.shoes[1] + 2], entry, watch)
        _replace(store, takeovers[plan.shoes[1] + 1], checked, entry, watch)
    finally:
        store.abandon()
    return plan


def _announces(newest: Retirement | None, said: Retirement) -> bool:
    """True if the newest entry about retired shoe games says the same: an earlier call left it so."""
    return newest is not None and (newest.first, newest.size, newest.root) == (said.first, said.size, said.root)


def _attested(store: Store, entry: Retirement, keys: int) -> Attested:
    """The entry with its proof, for a part with so many statements of keys."""
    takeovers = [(Takeover.read(Note(note)), note) for _, note in store.key_notes()]
    signed = covering(entry.seq, entry.seq, [takeover for takeover, _ in takeovers], store.checkpoints())
    note = store.checkpoint_note(signed.number) if isinstance(signed, Checkpoint) else None
    if note is None:
        raise JournalFailed(store.shown_as, f"no checkpoint covers entry {entry.seq}")
    later = [note for _, note in takeovers[keys : signed.epoch + 1]]
    return Attested.of(
        store.entry(entry.seq).line, stored_tree(store).inclusion(entry.seq, signed.size), [*later, note]
    )


def _planned(path: Path, takeovers: Sequence[Takeover], segment: Segment, choose: Choose) -> Retired | None:
    if not takeovers:
        raise JournalBroken(path, 0, "nobody signed this journal")
    if segment.archived:
        raise JournalArchived(path, "an archive already", "Retire from the journal of the table.")
    epoch = min(choose(takeovers), len(takeovers) - 1)
    if epoch <= segment.epoch or takeovers[epoch].size == segment.size:
        return None
    return Retired(
        shoes=(segment.epoch, epoch - 1),
        entries=(segment.size, takeovers[epoch].size - 1),
        since=takeovers[segment.epoch].at,
        until=takeovers[epoch].at,
        kept_from=takeovers[epoch].size,
        kept_shoes=len(takeovers) - epoch,
    )


def _archive(store: Store, archive: Path, takeovers: Sequence[Takeover], entry: Retirement, watch: Watch) -> None:
    """Make the archive, or see that a crash has left it."""
    last = takeovers[-1]
    keys = [(epoch, note) for epoch, note in store.key_notes() if epoch <= last.epoch]
    begins = store.segment
    first = takeovers[begins.epoch]
    part = _part(store, first, archived=True)
    checkpoints = _of_epochs(store, first.epoch, last.epoch)
    attested = _attested(store, entry, len(keys))
    if os.path.lexists(archive):
        _check_left(store, archive, part, [note for _, note in [*keys, *checkpoints]], attested)
        return
    with passing_folder(archive, "archiving") as folder:
        passing = folder / "archive.journal"
        passing.touch(0o600)
        store.extract(passing, part, last.size, keys, checkpoints, attested)
        _verified(passing, store.shown_as, watch)
        place(passing, archive)


def _replace(store: Store, first: Takeover, checked: Checked, entry: Retirement, watch: Watch) -> None:
    """Put the rest in the journal's place."""
    real = store.path.resolve()
    with passing_folder(real, "retiring") as folder:
        passing = folder / "rest.journal"
        passing.touch(0o600)
        part = _part(store, first, archived=False)
        keys, checkpoints = store.key_notes(), _of_epochs(store, first.epoch, NEVER)
        attested = _attested(store, entry, len(keys))
        store.extract(passing, part, checked.last_seq + 1, keys, checkpoints, attested)
        if _verified(passing, store.shown_as, watch).root != checked.root:
            raise JournalFailed(store.shown_as, "the rest does not lead to the root of the whole")
        # Its log must be gone when another file gets its name: it would be taken for that one's.
        store.empty_log()
        try:
            wal_of(real).unlink(missing_ok=True)
            sync(real.parent)
            owner = real.stat()
            if (owner.st_uid, owner.st_gid) != (os.geteuid(), os.getegid()):
                os.chown(passing, owner.st_uid, owner.st_gid)
            passing.chmod(owner.st_mode & 0o777)
            sync(passing)
            passing.replace(real)
            sync(real.parent)
        except OSError as error:
            problem = f"the rest cannot be put in its place: {error.strerror or error}"
            raise JournalFailed(store.shown_as, problem) from error


def _part(store: Store, first: Takeover, *, archived: bool) -> Segment:
    edge = tuple(store.nodes(edge_rows(first.size)))
    return Segment(epoch=first.epoch, size=first.size, edge=edge, archived=archived)


def _of_epochs(store: Store, first: int, end: int) -> list[Numbered]:
    """The checkpoints of some epochs, and the last one before them."""
    kept: list[Numbered] = []
    for number, note in store.checkpoints():
        epoch = Checkpoint.read(Note(note)).epoch
        if epoch < first:
            kept.clear()
        if epoch < end:
            kept.append((number, note))
    return kept


def _verified(passing: Path, shown_as: Path, watch: Watch) -> Checked:
    made = Store(passing, shown_as)
    try:
        checked = verify_store(made, watch=watch)
    except BaseException:
        made.abandon()
        raise
    made.close()
    return checked


def _check_left(store: Store, archive: Path, part: Segment, notes: list[bytes], attested: Attested) -> None:
    """See that an archive that is there already is the one that was to be made."""
    try:
        with read_only(archive) as evidence:
            evidence.verify()  # what it holds leads to the root that the last of its notes is signed for
            if (evidence.segment, list(evidence.notes()), evidence.attested) == (part, notes, attested):
                return
    except JournalError as error:
        raise JournalExists(archive, f"there is already something of this name: {error.problem}") from error
    raise JournalExists(archive, f"there is already something of this name, and not what {store.shown_as} retires")

"""``cardshoe verify``: do a journal's tree and signatures hold, and its inputs replay to its outputs, byte for byte?"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET

from cardshoe.journal import (
    UPDATES,
    Entry,
    Evidence,
    JournalBroken,
    NoteSource,
    Stood,
    Watch,
    read_only,
    unwatched,
)
from cardshoe.journal.file.header import Previous
from cardshoe.journal.file.passed_over import PassedOver
from cardshoe.journal.proof.cosignature import CosignatureKey
from cardshoe.journal.witness.cosigned import Seen, cosigned_of
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.log.journal_names import journals_of
from cardshoe.table.log.log_builder import Scribe, Taken
from cardshoe.table.log.sealing import CannotOpen, Sealer
from cardshoe.table.log.sealing_keys import SealingKeys
from cardshoe.table.log.snapshot import LogSummary, TableSnapshot
from cardshoe.table.log.timeline import OddTime, Timeline
from regulations.events.codec import decode_input, encode
from regulations.events.errors import MalformedLine, RegulationsError
from regulations.events.inputs import AnyInput, Table
from regulations.law.edition import RULES_VERSION

NO_KEYS: Final = SealingKeys([])
NotReplayed: TypeAlias = Literal["other_rules", "no_sealing_key"]


class SealingKeyMissing(Stop):
    """A card that lay face down is sealed with a key that is not here.

    Attributes:
        path: the journal.
        seq: the first such entry.
        key_id: the key.
        held: the keys that are here.
    """

    def __init__(self, path: Path, seq: int, key_id: str, held: list[str]) -> None:
        super().__init__(
            f"{path}: entry {seq} is sealed with the key {key_id}, which is not here (there are "
            f"{', '.join(held) or 'none'})",
            "Name the file with the table's keys: [journal] sealing_key, or --sealing-key. Tree and signatures can be "
            "verified without it. If the key is lost, the open shoe game cannot go on: docs/journal.md.",
            Exit.JOURNAL,
        )
        self.path = path
        self.seq = seq
        self.key_id = key_id
        self.held = held


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """The facts of a verified journal.

    Attributes:
        entries: how many it has.
        lines: how many lines they have.
        replayed: whether the inputs were replayed.
        not_replayed: why they were not: ``other_rules`` gave the outputs, or cards are sealed with a key that is not
            here (``no_sealing_key``).
        missing_key: the id of that key; ``None``: none is missing.
        rules: the version of the rules that gave the outputs; ``None``: it is a log of updates.
        odd_times: inputs whose time went back, or years ahead, and no ``clock_stepped`` tells of it.
        first_odd_time: the first of them.
        root: the root of the tree over all entries, hexadecimal: compare it with what was noted elsewhere.
        proved: the last entry that is under a signature.
        witnessed: the last entry under a signature that the witness holds; ``None`` if none was asked.
        checkpoints: how many signatures over the tree there are.
        keys: how many keys there were, one for each shoe game.
        first_key: the first of them, which must be known from elsewhere to prove anything against the owner of the
            machine.
        game: the game; ``firmware_update`` for the log of a device's updates.
        edition: the edition of the regulation, or of the rules of an update.
        table_id: the table.
        program: what wrote it.
        cosigned: what witnesses have cosigned of it, as it is kept beside it.
        previous: the log before it, as its header names it; ``None``: it is the table's first.
        previous_is_here: whether that log lies beside it and ended so.
    """

    entries: int
    lines: int
    replayed: bool
    not_replayed: NotReplayed | None
    missing_key: str | None
    rules: int | None
    odd_times: int
    first_odd_time: OddTime | None
    root: str
    proved: int
    witnessed: int | None
    checkpoints: int
    keys: int
    first_key: str
    game: str
    edition: str
    table_id: str
    program: str
    cosigned: list[Seen]
    previous: Previous | None
    previous_is_here: bool


def verify(
    path: Path,
    witness: NoteSource | None = None,
    first_key: str | None = None,
    keys: SealingKeys = NO_KEYS,
    witness_keys: Sequence[CosignatureKey] = (),
    *,
    without_keys: bool = False,
    watch: Watch = unwatched,
) -> Verified:
    """Verifies a journal; its files are not changed.

    Args:
        path: the journal.
        witness: what a witness holds.
        first_key: the journal's first key, as it was noted elsewhere.
        keys: the table's sealing keys; without them what lay face down cannot be judged, and nothing is replayed.
        witness_keys: the keys of witnesses that are known from elsewhere.
        without_keys: whether it is verified as far as that goes where a sealing key is missing.
        watch: looks on.

    Raises:
        SealingKeyMissing: tree and signatures hold, and cards are sealed with a key that is not here.
        WitnessFailed: the witness cannot be read, or what is kept of one it did not sign.
        JournalError: it is missing, busy, no journal or broken; ``JournalBroken`` names the first bad entry.
    """
    with read_only(path) as evidence:
        header = evidence.header
        checked = evidence.verify(witness, first_key, watch) if header.key else None
        if checked is None or checked.proved is None:
            raise JournalBroken(path, 0, "this journal is unsigned")
        cosigned = cosigned_of(path, evidence, witness_keys)
        timeline = Timeline()
        not_replayed: NotReplayed | None = None
        missing_key = None
        try:
            if header.game == UPDATES:
                _follow(path, evidence)
            elif header.rules == RULES_VERSION:
                _replay(path, evidence, Sealer(keys, header.origin), timeline, watch)
            else:
                not_replayed = "other_rules"
        except SealingKeyMissing as missing:
            if not without_keys:
                raise
            # A copy elsewhere, without its secret, is as good as before: tree and signatures have been verified.
            not_replayed, missing_key, timeline = "no_sealing_key", missing.key_id, Timeline()
        if not_replayed is not None:
            for _ in timeline.noting(evidence.entries()):
                pass
        return Verified(
            entries=checked.last,
            lines=checked.lines,
            replayed=not_replayed is None,
            not_replayed=not_replayed,
            missing_key=missing_key,
            rules=None if header.rules is UNSET else header.rules,
            odd_times=timeline.odd,
            first_odd_time=timeline.first,
            root=checked.root.hex(),
            proved=checked.proved,
            witnessed=checked.witnessed,
            checkpoints=checked.checkpoints,
            keys=len(checked.keys),
            first_key=checked.keys[0],
            game=header.game,
            edition=header.edition,
            table_id=header.table_id,
            program=header.program,
            cosigned=cosigned,
            previous=None if header.previous is UNSET else header.previous,
            previous_is_here=header.previous is not UNSET and _is_here(path, header.table_id, header.previous),
        )


def _is_here(path: Path, table_id: str, previous: Previous) -> bool:
    """True if the log before one lies beside it and ended as its header says.

    Raises:
        JournalBroken: that log ended otherwise.
        JournalError: the file there cannot be read.
    """
    older = [one for one in journals_of(path.parent, table_id) if one.name < path.name]
    if not older:
        return False
    with read_only(older[-1]) as evidence:
        if evidence.header.fingerprint != previous.log:
            return False
        size = evidence.last + 1
        if (size, evidence.edge(size).root().hex()) != (previous.size, previous.root):
            raise JournalBroken(path, 0, f"the log before it, {older[-1].name}, has another end than its header names")
    return True


def _follow(path: Path, evidence: Evidence) -> None:
    from cardshoe.table.log.update_log import followed  # noqa: PLC0415  a table that starts verifies its log, and needs none of it

    followed(path, evidence.entries())


def _replay(path: Path, evidence: Evidence, sealer: Sealer, timeline: Timeline, watch: Watch) -> None:
    """Replays everything and compares each stored snapshot with where the table stands then."""
    stood = {one.last: one for one in evidence.snapshots()}
    past = LogSummary()
    last = 0

    def passing() -> Iterator[Entry]:
        nonlocal last
        for entry in watch("replay", evidence.entries(), evidence.last):
            last = entry.number
            yield entry

    for scribe, taken in replayed(path, timeline.noting(passing()), sealer):
        past.note(taken)
        one = stood.get(last)
        if one is not None:
            _compare(path, one, past.snapshot(scribe))


def _compare(path: Path, one: Stood, found: TableSnapshot | None) -> None:
    try:
        stored = msgspec.json.decode(one.state, type=TableSnapshot)
    except msgspec.ValidationError:
        # Of another version: this one does not take it up either, so it can lead nobody astray.
        return
    # What devices remember depends on messages that mean nothing to the table: the signature stands for it. A view is
    # folded from the lines that are verified, perhaps by another version.
    if msgspec.structs.replace(stored, devices={}, view=UNSET) != found:
        raise JournalBroken(path, one.last, f"the snapshot at key {one.epoch} is not how the table stands after it")


class LastEntryFails(JournalBroken):
    """The last input of a log gives other lines than the log has, or none.

    Attributes:
        failing: the entry of that input and its answer.
        scribe: as it stood before that input.
    """

    def __init__(self, path: Path, error: JournalBroken, failing: Entry, scribe: Scribe) -> None:
        super().__init__(path, error.entry, error.reason, error.proved)
        self.failing = failing
        self.scribe = scribe


def replayed(
    path: Path, entries: Iterable[Entry], sealer: Sealer | None = None, scribe: Scribe | None = None
) -> Iterator[tuple[Scribe, Taken]]:
    """Replays a journal's inputs and compares what comes out with what it holds, entry by entry.

    An input on which the replay fails may be passed over by the journal's own entry behind it: then it counts as
    refused. One that can be processed may not.

    Args:
        path: the journal, for messages.
        entries: its entries, from the first, or from where the scribe stands.
        sealer: opens what is sealed.
        scribe: goes on from where it stands; left out: it is made by the first entry.

    Yields:
        The scribe after each input that was taken or passed over, and what it took.

    Raises:
        SealingKeyMissing: a card is sealed with a key that is not here.
        LastEntryFails: with the first entry that another run of the regulation does not give, of the last input.
        JournalBroken: likewise, of an input before.
    """
    failed: LastEntryFails | None = None
    for entry in entries:
        if entry.passes_over and scribe is not None:
            yield scribe, _passed_over(path, entry, failed, scribe)
            failed = None
            continue
        if failed is not None:
            raise JournalBroken(path, failed.entry, failed.reason)
        before = scribe
        try:
            scribe, taken = _taken(path, scribe, entry, sealer)
            _compare_lines(path, entry, taken)
        except SealingKeyMissing:
            raise
        except JournalBroken as error:
            if before is None:
                raise
            before.forget_last(_number(entry))
            failed = LastEntryFails(path, error, entry, before)
            continue
        yield scribe, taken
    if failed is not None:
        raise failed


def _number(entry: Entry) -> int:
    return msgspec.json.decode(entry.lines[0], type=_Numbered).seq


class _Numbered(msgspec.Struct):
    seq: int


def _passed_over(path: Path, entry: Entry, failed: LastEntryFails | None, scribe: Scribe) -> Taken:
    said = PassedOver.read(entry.lines[0])
    if failed is None:
        raise JournalBroken(path, entry.number, f"it passes over entry {said.entry}, which can be processed")
    return scribe.without(failed.failing.lines, said.seq, said.at)


def _compare_lines(path: Path, entry: Entry, taken: Taken) -> None:
    if entry.data == taken.entry:
        return
    found = entry.lines
    if found[0] != taken.lines[0]:
        raise JournalBroken(path, entry.number, "the input is not written as this program writes it")
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(found, taken.lines, strict=False)))
    seq = _number(entry) + same
    raise JournalBroken(path, entry.number, f"the regulation does not give line {seq} for this input")


def _taken(path: Path, scribe: Scribe | None, entry: Entry, sealer: Sealer | None) -> tuple[Scribe, Taken]:
    event = _input_of(path, entry)
    try:
        if scribe is not None:
            return scribe, scribe.take_again(event)
        if not isinstance(event, Table):
            raise JournalBroken(path, entry.number, "the first input is not a `table` event")
        scribe = Scribe(event, sealer=sealer)
    except CannotOpen as error:
        raise _cannot_open(path, entry.number, error) from error
    except RegulationsError as error:
        raise JournalBroken(path, entry.number, str(error)) from error
    return scribe, scribe.opening


def _input_of(path: Path, entry: Entry) -> AnyInput:
    try:
        return decode_input(entry.lines[0])
    except MalformedLine as error:
        raise JournalBroken(path, entry.number, f"not an input of the table log: {error}") from error


def opened_lines(path: Path, entry: Entry, sealer: Sealer) -> list[bytes]:
    """The lines of an entry with nothing sealed in them.

    Args:
        path: the journal, for messages.
        entry: one of its entries.
        sealer: opens it.

    Raises:
        SealingKeyMissing: it is sealed with a key that is not here.
        JournalBroken: it cannot be opened.
    """
    if entry.passes_over:
        return entry.lines
    event, opened = opened_input(path, entry, sealer)
    return entry.lines if event.sealed is UNSET else [encode(opened), *entry.lines[1:]]


def opened_input(path: Path, entry: Entry, sealer: Sealer) -> tuple[AnyInput, AnyInput]:
    """An input of a journal as it stands there, and with nothing sealed in it.

    Raises:
        SealingKeyMissing: it is sealed with a key that is not here.
        JournalBroken: it cannot be opened, or is no input.
    """
    event = _input_of(path, entry)
    try:
        return event, event if event.sealed is UNSET else sealer.open(event)
    except CannotOpen as error:
        raise _cannot_open(path, entry.number, error) from error


def _cannot_open(path: Path, seq: int, error: CannotOpen) -> SealingKeyMissing | JournalBroken:
    if error.is_lost:
        return SealingKeyMissing(path, seq, error.key_id, error.held)
    return JournalBroken(path, seq, error.reason)

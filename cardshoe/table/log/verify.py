"""``cardshoe verify``: check tree and signatures, and replay inputs to equal outputs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from msgspec import UNSET

from cardshoe.journal import JournalBroken, NoteSource, Watch, read_only, unwatched
from cardshoe.journal.file.header import Previous
from cardshoe.journal.proof.cosignature import CosignatureKey
from cardshoe.journal.witness.cosigned import CosignatureProof, cosigned_of
from cardshoe.table.log.judging import Judge, NotReplayed
from cardshoe.table.log.marked_before import begins_with, continues
from cardshoe.table.log.sealing_keys import SealingKeys
from cardshoe.table.log.timeline import OddTime

NO_KEYS: Final = SealingKeys([])


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """The facts of a verified journal.

    Attributes:
        rules: ``None``: an update log.
        witnessed: last witnessed entry; ``None``: no witness asked.
        first_key: compare with a copy from elsewhere.
        previous: ``None``: the table's first log.
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
    cosigned: list[CosignatureProof]
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
    """Verify a journal; its files are not changed.

    Args:
        first_key: of the journal, or of an earlier log beside it.

    Raises:
        JournalError: missing, busy, no journal or broken.
        SealingKeyMissing: tree and signatures are valid, but a sealing key is missing.
        WitnessFailed: unreadable, or its record is not signed.
    """
    with read_only(path) as evidence:
        header = evidence.header
        judge = Judge(evidence, keys, watch)
        if first_key is not None and begins_with(evidence, first_key):
            first_key = None
        checked = evidence.verify(witness, first_key, watch, judge.follow) if header.key else None
        if checked is None or checked.proved is None:
            raise JournalBroken(path, 0, "this journal is unsigned")
        cosigned = cosigned_of(path, evidence, witness_keys)
        not_replayed, missing_key = judge.verdict(without_keys=without_keys)
        timeline = judge.timeline
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
            previous_is_here=continues(evidence),
        )

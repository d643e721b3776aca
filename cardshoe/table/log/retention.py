"""``cardshoe journal retire``: how much may be retired so that the table can still take up its log."""

from pathlib import Path

import msgspec

from cardshoe.journal import NoteSource, Watch, read_only, unwatched
from cardshoe.journal.writing.retire import Choose, Retired, not_beyond, retire, would_retire
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.log.snapshot import TableSnapshot


def retire_shoes(
    journal: Path,
    archive: Path,
    choose: Choose,
    *,
    by: str,
    at: str,
    dry_run: bool,
    witness: NoteSource | None = None,
    watch: Watch = unwatched,
) -> Retired | None:
    """Retires shoe games, but none that the table needs for taking up its log where it last stood.

    Args:
        journal: the log's journal; no table has it open.
        archive: the new file.
        choose: which shoe games stay, at least.
        by: who asks, for the journal's entry.
        at: now, RFC 3339, UTC.
        dry_run: only say what would be done.
        witness: must hold all that is retired: one on another machine cannot be shown it afterwards.
        watch: looks on.

    Returns:
        The retired shoe games, or those that would be retired; ``None`` if there is nothing to retire.

    Raises:
        Stop: where the table stood at the last stack is not in the journal, or not as this version knows it; the
            witness is behind.
        WitnessFailed: the witness cannot be read.
        JournalError: as `cardshoe.journal.writing.retire.retire`.
    """
    chosen = not_beyond(choose, _needed(journal))
    planned = would_retire(journal, chosen, watch)
    if planned is not None and witness is not None:
        _check_witnessed(journal, witness, planned.entries[1])
    return planned if dry_run else retire(journal, archive, chosen, by=by, at=at, watch=watch)


def _check_witnessed(journal: Path, witness: NoteSource, last: int) -> None:
    with read_only(journal) as evidence:
        held = evidence.verify(witness).witnessed_seq or 0
    if held < last:
        raise Stop(
            f"{journal}: the witness holds the journal up to entry {held}, and entries up to {last} would be retired",
            "Let it catch up first: run the table with this witness until it is no longer behind. It cannot be shown "
            "afterwards that the journal only grew.",
            Exit.JOURNAL,
        )


def _needed(journal: Path) -> int:
    """The first entry that is read when the log is taken up: the last stack's, or what a device must hear again."""
    with read_only(journal) as evidence:
        stood = evidence.snapshots()
        last = len(evidence.takeovers()) - 1
    if not stood or stood[-1].epoch != last:
        raise Stop(
            f"{journal}: it has no snapshot of the last stack, so all of it is needed",
            "A log has one from the first stack on that is loaded with this version of cardshoe. To put away a closed "
            "log as a whole, move its files; the table then begins a new one.",
            Exit.USAGE,
        )
    try:
        snapshot = msgspec.json.decode(stood[-1].state, type=TableSnapshot)
    except msgspec.ValidationError as error:
        raise Stop(
            f"{journal}: another version of cardshoe wrote its snapshot: {error}",
            "Retire with that version, or load a new stack with this one first.",
            Exit.USAGE,
        ) from error
    return min([snapshot.input, *(one.heard_from for one in snapshot.devices.values() if one.heard_from is not None)])

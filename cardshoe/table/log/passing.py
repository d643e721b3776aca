"""Pass over the last, unprocessable input of a log."""

from pathlib import Path

from msgspec import UNSET

from cardshoe.journal import Entry, Journal, JournalBroken, Keyring
from cardshoe.journal.file.chain import data_of
from cardshoe.journal.file.passed_over import PassedOver
from cardshoe.journal.proof.tree import leaf_hash
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.log.replaying import LastEntryFails, SealingKeyMissing, opened_input, replayed
from cardshoe.table.log.reports import recorded_for, with_origin
from cardshoe.table.log.sealing import Sealer
from cardshoe.table.log.sealing_keys import SealingKeys
from regulations.events.inputs import AnyInput
from regulations.events.line import DeviceReport
from regulations.events.origins import origin_of
from regulations.law.edition import RULES_VERSION


def pass_over_last(path: Path, keys: SealingKeys, by: tuple[str, str], at: str) -> PassedOver:
    """Pass over the last input of a journal, if its replay fails; it stays in the journal.

    The passing entry holds its number and hash; its card becomes unread.

    Raises:
        Stop: no entry fails, or it may not be passed over.
        JournalError: the journal cannot be used, or an earlier entry fails.
    """
    with Journal.open(path, Keyring(path)) as journal:
        if journal.header.rules != RULES_VERSION:
            raise _not_passed(path, "other rules gave this log", "Start the table with the version that began it.")
        sealer = Sealer(keys, journal.origin)
        failed = _failing(journal, sealer)
        if failed is None:
            raise _not_passed(path, "every entry can be processed", "Start the table.")
        entry = failed.failing
        if entry.number < journal.shoe_start:
            what = f"entry {entry.number} began the shoe game"
            raise _not_passed(path, what, "Begin a new journal: docs/when-the-journal-stops.md.")
        said = PassedOver(seq=journal.last_seq + 1, at=at, entry=entry.number, hash=leaf_hash(entry.data), by=by)
        entries = [data_of([said.line()])]
        failed.scribe.without(entry.lines, said.seq, at)
        instead = [with_origin(event, "person", at) for event in _instead(journal.path, entry, sealer)]
        entries += [failed.scribe.take(event).entry for event in instead]
        journal.append(entries, sign_at=at)
        return said


def _failing(journal: Journal, sealer: Sealer) -> LastEntryFails | None:
    try:
        for _ in replayed(journal.path, journal.entries(), sealer):
            pass
    except LastEntryFails as failed:
        return failed
    return None


def _instead(path: Path, entry: Entry, sealer: Sealer) -> list[AnyInput]:
    try:
        event = opened_input(path, entry, sealer)[1]
    except SealingKeyMissing:
        raise
    except JournalBroken:  # not even an input of the table log
        return []
    origin = origin_of(event)
    device = event.device if origin == "device" and isinstance(event, DeviceReport) else UNSET
    found = recorded_for(event, device if isinstance(device, str) else None)
    return [with_origin(one, origin, "") for one in found if one.origin is UNSET]


def _not_passed(path: Path, what: str, remedy: str) -> Stop:
    return Stop(f"{path}: nothing was passed over: {what}", remedy, Exit.USAGE)

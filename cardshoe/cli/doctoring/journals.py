"""Check the newest journal, and the clock against it."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from cardshoe.cli.doctoring.findings import Finding, fine, problem, warning
from cardshoe.journal import JournalBroken, JournalBusy, JournalError, KeyMissing, Keyring, NotAJournal, read_only
from cardshoe.process.exits import Exit
from cardshoe.table.log.journal_names import newest_journal
from cardshoe.table.log.table_journal import of_other_rules
from drivers.port_holders import holder_of


class _StampedLine(msgspec.Struct):
    at: str = ""


def newest(folder: Path, table_id: str, now: str) -> Iterator[Finding]:
    """Check the newest journal, which the next start continues; ``now``: RFC 3339, UTC."""
    path = newest_journal(folder, table_id)
    if path is None:
        yield fine("journal", f"none of table {table_id} yet: the first start begins one")
        return
    try:
        with read_only(path) as evidence:
            checked = evidence.verify()
            last = checked.last
            other = of_other_rules(path, evidence.header, evidence.entries())
            at = max(
                (msgspec.json.decode(one.lines[-1], type=_StampedLine).at for one in evidence.entries(last)), default=""
            )
        if checked.keys:  # without the last one the journal verifies, and the table does not start
            Keyring(path).load(len(checked.keys) - 1)
    except JournalBusy as busy:
        yield _busy(path, busy)
    except JournalError as error:
        broken = isinstance(error, JournalBroken | NotAJournal | KeyMissing)
        yield problem(
            "journal", f"{error.path}: {error.problem}", error.remedy, Exit.JOURNAL if broken else Exit.FAILURE
        )
    else:
        if other is None:
            yield fine("journal", f"{path}: {last} entries, intact")
        else:
            yield problem("journal", other.what, other.remedy, Exit.JOURNAL)
        if at > now:
            yield problem(
                "clock",
                f"it says {now}, and the journal's last entry is of {at}",
                "Set the clock before the table continues: sudo timedatectl set-ntp true",
            )


def _busy(path: Path, busy: JournalBusy) -> Finding:
    if busy.pid is not None and holder_of(busy.pid).is_table:
        return fine("journal", f"{path}: in use by the running table (pid {busy.pid})")
    return warning("journal", f"{path}: {busy.problem}", busy.remedy)

"""Figures of a running table for Prometheus.

Never a card, bettor or wager.
"""

from collections.abc import Iterator, Mapping

import msgspec
from prometheus_client.core import GaugeMetricFamily, Metric

from cardshoe.journal import Journal
from cardshoe.journal.file.disk_space import free_space
from cardshoe.journal.file.wal import wal_of
from cardshoe.journal.witness.witness import PendingNotes


class TableFigures(msgspec.Struct, frozen=True, kw_only=True):
    """A table at one moment; ``list_s``: validity of the floor's staff list, ``None``: none."""

    entries: int
    unsigned: int
    checkpoint: int
    journal_bytes: int
    free_bytes: int
    windows: Mapping[str, PendingNotes]
    list_s: float | None = None


def figures_of(journal: Journal, windows: Mapping[str, PendingNotes], list_s: float | None = None) -> TableFigures:
    """The current figures; from any thread.

    Raises:
        OSError: the files' sizes cannot be read.
    """
    wal = wal_of(journal.path)
    return TableFigures(
        entries=journal.last,
        unsigned=max(0, journal.unsigned),  # two numbers, and a signature may come between them
        checkpoint=journal.checkpoints,
        journal_bytes=journal.path.stat().st_size + (wal.stat().st_size if wal.exists() else 0),
        free_bytes=free_space(journal.path.parent),
        windows=windows,
        list_s=list_s,
    )


def metrics_of(table_id: str, now: TableFigures) -> Iterator[Metric]:
    for name, about, value in (
        ("cardshoe_journal_entries", "Entries in the journal.", now.entries),
        ("cardshoe_journal_unsigned_entries", "Entries that no signature covers yet.", now.unsigned),
        ("cardshoe_journal_last_checkpoint", "Number of the last signed checkpoint.", now.checkpoint),
        ("cardshoe_journal_bytes", "Size of the journal with its write-ahead log.", now.journal_bytes),
        ("cardshoe_journal_disk_free_bytes", "Free bytes on the journal's disk.", now.free_bytes),
    ):
        family = GaugeMetricFamily(name, about, labels=["table"])
        family.add_metric([table_id], value)
        yield family
    if now.list_s is not None:
        about = "Seconds until the floor's list of persons expires; negative: expired."
        family = GaugeMetricFamily("cardshoe_persons_list_valid_seconds", about, labels=["table"])
        family.add_metric([table_id], now.list_s)
        yield family
    notes = GaugeMetricFamily(
        "cardshoe_witness_waiting_notes",
        "Signatures that a witness does not hold yet.",
        labels=["table", "witness"],
    )
    seconds = GaugeMetricFamily(
        "cardshoe_witness_waiting_seconds",
        "Seconds that the oldest of them has waited.",
        labels=["table", "witness"],
    )
    for name, window in now.windows.items():
        notes.add_metric([table_id, name], window.notes)
        seconds.add_metric([table_id, name], window.seconds)
    yield notes
    yield seconds

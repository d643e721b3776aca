"""The rows of the day report as CSV."""

from typing import Final

from cardshoe.floor.pages.days import ZONE
from cardshoe.floor.pages.queries import Done

ACT_COLUMNS: Final = (
    "kind", "time", "table", "round", "persons", "code", "article", "reason", "irregularity", "settled", "log", "seq",
)  # fmt: skip


def act_cells(row: Done) -> list[str]:
    return [
        row.kind,
        row.at.astimezone(ZONE).isoformat(),
        row.table,
        "" if row.round is None else str(row.round),
        " ".join(row.by),
        row.code,
        row.article,
        row.reason,
        "" if row.irregularity is None else str(row.irregularity),
        "" if row.over_at is None else row.over_at.astimezone(ZONE).isoformat(),
        row.log,
        str(row.seq),
    ]

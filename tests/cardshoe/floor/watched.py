"""The cost of the live watch: CPU a card while many tables are dealt from, as a share of a core."""

import time
from pathlib import Path
from typing import Final, NamedTuple

from cardshoe.floor.database import Database
from cardshoe.floor.watch.store import watch_alarms
from cardshoe.floor.watch.watcher import Watcher
from tests.cardshoe.floor.filling import filling
from tests.cardshoe.floor.tables import names
from tests.cardshoe.floor.watch.support import journal, table, told

CARDS_PER_S: Final = 60
"""Of 300 tables that deal without a rest; one look sees those of a second."""
SHARE_MAX: Final = 0.05
LOOKS: Final = 60
MICRO: Final = 1e6
_COPIED: Final = (
    """INSERT INTO streams SELECT %(table)s, log, month, origin, first_key, game, program, began_at, heard_at, %(mark)s,
    edge, seq, note, epoch, proved, last, stopped, dropped FROM streams WHERE table_id = 'T-1' RETURNING 1""",
    """INSERT INTO entries SELECT %(table)s, log, number, seq, month, epoch, events, round, at, received_at, lines, node
    FROM entries WHERE table_id = 'T-1' RETURNING 1""",
)
_SHOES: Final = (
    "SELECT number FROM entries WHERE table_id = 'T-1' AND events[1] = 'loaded' ORDER BY number DESC LIMIT 1"
)
_CARDS: Final = "SELECT number FROM entries WHERE table_id = 'T-1' AND events[1] = 'card' AND number > %(after)s"
_DEALT: Final = "UPDATE streams SET mark = %(mark)s, heard_at = now() WHERE table_id = ANY(%(tables)s) RETURNING 1"


class Watched(NamedTuple):
    """The cost of the watch.

    Attributes:
        tables: how many.
        cards: that were judged while it was measured.
        start_s: CPU until all open shoes were known.
        card_s: CPU for a card.
        alarms: of shuffled shoes, which ought to have none.
    """

    tables: int
    cards: int
    start_s: float
    card_s: float
    alarms: int

    @property
    def share(self) -> float:
        """Of a core, at `CARDS_PER_S` for 300 tables."""
        return self.card_s * CARDS_PER_S * self.tables / 300

    @property
    def is_bad(self) -> bool:
        """True if the watch costs too much, or raised an alarm."""
        return self.share > SHARE_MAX or bool(self.alarms)

    def __str__(self) -> str:
        return (
            f"watch: tables={self.tables} cards={self.cards} start_s={self.start_s:.1f} "
            f"card_us={self.card_s * MICRO:.0f} share_of_a_core={self.share:.4f} alarms={self.alarms}"
        )


def watched(folder: Path, database: str, *, tables: int = 300, looks: int = LOOKS) -> Watched:
    """Measure the watch of tables whose second shoe is dealt; PostgreSQL's own CPU is not counted.

    Args:
        folder: of a journal.
        database: an empty one.
        tables: how many; all have the same cards, in their own time.
        looks: of a second each.
    """
    book = journal(folder / "journals", told(table("uniform", rounds=130)))
    with filling(database, folder / "filler") as (floor, filler):
        filler.deliver(book)
        (began,) = floor.rows(_SHOES, {})
        cards = [int(row["number"]) for row in floor.rows(f"{_CARDS} ORDER BY number", {"after": began["number"]})]
        ids = list(names(tables))
        for name in ids:
            for query in _COPIED:
                floor.rows(query, {"table": name, "mark": cards[0]})
        floor.rows("UPDATE streams SET mark = 0 WHERE table_id = 'T-1' RETURNING 1", {})
        watcher = Watcher(floor)
        began_s = time.process_time()
        while watcher.look():
            continue
        start_s = time.process_time() - began_s
        judged, spent_s = 0, 0.0
        each = max(1, round(CARDS_PER_S * tables / 300))
        for look in range(looks):
            judged += _deal(floor, ids, cards, look * each, each)
            began_s = time.process_time()
            while watcher.look():
                continue
            spent_s += time.process_time() - began_s
        return Watched(tables, judged, start_s, spent_s / judged, len(watch_alarms(floor)[1]))


def _deal(floor: Database, ids: list[str], cards: list[int], first: int, count: int) -> int:
    """Have the next tables in turn deal a card."""
    for number in range(first, first + count):
        turn, at = divmod(number, len(ids))
        floor.rows(_DEALT, {"mark": cards[turn + 1], "tables": [ids[at]]})
    return count

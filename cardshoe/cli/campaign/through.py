"""Ways of a campaign's shoes: through the law alone, or through a table with its journal."""

import queue
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

from cardshoe.cli.campaign.dealer import Dealer
from cardshoe.cli.campaign.totals import ShoeTotals
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.controller import Controller
from cardshoe.table.log.sealing_keys import find_keys, read_keys
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.log.verify import verify
from regulations.events.cards import Card
from regulations.events.inputs import Table

Way = Literal["law", "journal"]
AT: Final = "2026-01-01T00:00:00.000000Z"
"""The time of every entry: equal shoes have equal lines."""
MEMORY: Final = Path("/dev/shm")  # noqa: S108  # a file system without a disk under it: a sync there costs nothing

Deal = Callable[[Sequence[Card]], ShoeTotals]


def shoes_through(way: Way, table: Table, strategy: str, stacks: Iterator[Sequence[Card]]) -> Iterator[ShoeTotals]:
    """Deal each stack; through `journal`, the first one's journal is verified.

    Raises:
        Stop: that journal does not replay to the same answers.
    """
    if way == "law":
        yield from (Dealer(table, cards, strategy).play() for cards in stacks)
        return
    with tempfile.TemporaryDirectory(prefix="cardshoe-", dir=MEMORY if MEMORY.is_dir() else None) as folder:
        for number, cards in enumerate(stacks):
            yield _through_journal(Path(folder), Dealer(table, cards, strategy), table, is_verified=not number)


def _through_journal(folder: Path, dealer: Dealer, table: Table, *, is_verified: bool) -> ShoeTotals:
    log = open_log(folder, table, AT, lambda _: None, resume=False)
    controller = Controller(log, queue.SimpleQueue(), lambda: AT, boot_s=lambda: 0.0)
    path = log.journal.path
    with log.journal:
        totals = dealer.play_with(log.last.outputs, lambda given: controller.take(given).outputs)
    if is_verified:
        found = verify(path, keys=read_keys(find_keys(None, folder)))
        if not found.replayed:
            raise Stop(f"a journal of the campaign does not replay: {found.not_replayed}", "Report it.", Exit.FAILURE)
    for file in folder.glob(f"{path.name}*"):
        file.unlink()
    return totals

"""Ways of a campaign's shoes: the law alone, a table with its journal, or also a simulated device at its bridge."""

import queue
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

from cardshoe.cli.campaign.dealer import Answers, Dealer
from cardshoe.cli.campaign.devices import HandsAtTable
from cardshoe.cli.campaign.totals import ShoeTotals
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.controller import Controller
from cardshoe.table.log.sealing_keys import find_keys, read_keys
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.log.verify import verify
from regulations.events.cards import Card
from regulations.events.inputs import Table

Way = Literal["law", "journal", "devices"]
AT: Final = "2026-01-01T00:00:00.000000Z"
MEMORY: Final = Path("/dev/shm")  # noqa: S108  # a file system without a disk under it: a sync there costs nothing

ToTable = Callable[[Table, Controller, Sequence[Card]], Answers]
"""Makes a dealer's way to the table for a stack."""
_TO_TABLE: Final[dict[Way, ToTable]] = {
    "journal": lambda _table, controller, _cards: lambda given: controller.take(given).outputs,
    "devices": lambda table, controller, cards: HandsAtTable(table, controller, cards).take,
}


def shoes_through(way: Way, table: Table, strategy: str, stacks: Iterator[Sequence[Card]]) -> Iterator[ShoeTotals]:
    """Deal each stack; the first one's journal, if there is one, is verified.

    Raises:
        Stop: that journal does not replay to the same answers.
    """
    if way == "law":
        yield from (Dealer(table, cards, strategy).play() for cards in stacks)
        return
    with tempfile.TemporaryDirectory(prefix="cardshoe-", dir=MEMORY if MEMORY.is_dir() else None) as folder:
        for number, cards in enumerate(stacks):
            yield _at_table(Path(folder), table, strategy, cards, _TO_TABLE[way], is_verified=not number)


def _at_table(
    folder: Path, table: Table, strategy: str, cards: Sequence[Card], to_table: ToTable, *, is_verified: bool
) -> ShoeTotals:
    log = open_log(folder, table, AT, lambda _: None, resume=False)
    controller = Controller(log, queue.SimpleQueue(), lambda: AT, boot_s=lambda: 0.0)
    path = log.journal.path
    with log.journal:
        totals = Dealer(table, cards, strategy).play_with(log.last.outputs, to_table(table, controller, cards))
    if is_verified:
        found = verify(path, keys=read_keys(find_keys(None, folder)))
        if not found.replayed:
            raise Stop(f"a journal of the campaign does not replay: {found.not_replayed}", "Report it.", Exit.FAILURE)
    for file in folder.glob(f"{path.name}*"):
        file.unlink()
    return totals

"""The witnesses of a running table, and its figures for Prometheus."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from cardshoe.journal import Journal
from cardshoe.journal.witness.configured import holder_at
from cardshoe.journal.witness.targets import WitnessTarget
from cardshoe.journal.witness.tasks import Tasks
from cardshoe.journal.witness.witness import NoteSender, PendingNotes
from cardshoe.journal.witness.witnesses import Witnesses
from cardshoe.table.controller import Controller, Item
from cardshoe.table.device_witness import devices_that_remember
from cardshoe.table.inbox import Inbox
from cardshoe.table.setup.config import TableConfig
from cardshoe.table.staff_service import Persons
from cardshoe.table.terminal.output_queue import Screen
from firmware_bridge.bridge import Bridge


@contextlib.contextmanager
def witnessed(
    config: TableConfig,
    journal: Journal,
    bridges: Sequence[Bridge[Any]],
    controller: Controller,
    inbox: Inbox[Item],
    printer: Screen,
    persons: Persons | None,
) -> Iterator[None]:
    """While the block runs, what is signed goes to the witnesses, and the metrics say how far they are.

    Devices among the witnesses must be listened to already: they are asked first what they remember.
    """
    tasks = Tasks(inbox.put)
    holders: list[WitnessTarget] = [
        holder_at(place, config.path.parent, config.witness_tls, tasks, config.witness_keys)
        for place in config.witnesses
    ]
    holders += devices_that_remember(bridges, printer.say)
    witnesses = Witnesses([NoteSender(holder) for holder in holders], tasks, controller.note)
    witnesses.start(journal)
    with _metrics(config, journal, witnesses.windows, persons):
        try:
            yield
        finally:
            for name, window in witnesses.stop().items():
                if window.notes:
                    printer.say(f"the witness {name} lacks {window.notes} notes, the oldest for {window.seconds:.0f} s")


def _metrics(
    config: TableConfig, journal: Journal, windows: Callable[[], dict[str, PendingNotes]], persons: Persons | None
) -> contextlib.AbstractContextManager[object]:
    """While the block runs, figures of the table are written for Prometheus, where the configuration says so."""
    if config.metrics is None:
        return contextlib.nullcontext()
    from cardshoe.process.metrics_file import MetricsFile
    from cardshoe.table.log.metrics import figures_of, metrics_of

    table_id, list_s = config.table.table_id, (lambda: None) if persons is None else persons.list_left_s
    return MetricsFile(config.metrics, lambda: metrics_of(table_id, figures_of(journal, windows(), list_s())))

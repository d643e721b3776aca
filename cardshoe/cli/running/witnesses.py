"""The witnesses of a running table, and its figures for Prometheus."""

import contextlib
import logging
import ssl
import threading
from collections.abc import Iterator, Sequence
from typing import Any, Final

from cardshoe.journal import Journal, JournalError
from cardshoe.journal.witness.configured import holder_at
from cardshoe.journal.witness.targets import WitnessTarget
from cardshoe.journal.witness.tasks import Tasks
from cardshoe.journal.witness.witness import NoteSender
from cardshoe.journal.witness.witnesses import Witnesses
from cardshoe.process.exits import Stop
from cardshoe.process.http.tls import TlsFiles
from cardshoe.table.controller import Controller, Item
from cardshoe.table.device_witness import devices_that_remember
from cardshoe.table.inbox import Inbox
from cardshoe.table.log.table_journal import OpenLog
from cardshoe.table.setup.config import TableConfig
from cardshoe.table.staff_service import Persons
from cardshoe.table.terminal.output_queue import Screen
from firmware_bridge.bridge import Bridge

logger: Final = logging.getLogger(__name__)


class Witnessing:
    """The witnesses of each log; those among ``bridges`` must be open when a log starts."""

    def __init__(
        self,
        config: TableConfig,
        log: OpenLog,
        bridges: Sequence[Bridge[Any]],
        controller: Controller,
        inbox: Inbox[Item],
        printer: Screen,
    ) -> None:
        self._config: Final = config
        self._log: Final = log
        self._bridges: Final = bridges
        self._controller: Final = controller
        self._inbox: Final = inbox
        self._printer: Final = printer
        self._ending: Final[list[threading.Thread]] = []
        self._tls: ssl.SSLContext | None = None
        self.now = self._made()

    def _made(self) -> Witnesses:
        config, tasks = self._config, Tasks(self._inbox.put)
        if config.witness_tls is not None:
            self._read_certificates(config.witness_tls)
        holders: list[WitnessTarget] = [
            holder_at(place, config.path.parent, self._tls, tasks, config.witness_keys) for place in config.witnesses
        ]
        holders += devices_that_remember(self._bridges, self._printer.say)
        return Witnesses([NoteSender(holder) for holder in holders], tasks, self._controller.note)

    def _read_certificates(self, files: TlsFiles) -> None:
        try:
            self._tls = files.client()
        except Stop as error:
            if self._tls is None:
                raise
            logger.warning("%s: the witnesses of the new log are reached with the certificates read before", error.what)

    def succeed(self, ended: Journal) -> None:
        """Continue with the new log; complete and close the ended one in a thread."""
        before, self.now = self.now, self._made()
        self.now.begin(self._log.journal)
        thread = threading.Thread(target=self._complete, args=(before, ended), name="log-ending")
        self._ending.append(thread)
        thread.start()

    def _complete(self, witnesses: Witnesses, ended: Journal) -> None:
        try:
            with ended:
                self.end(witnesses)
        except JournalError as error:
            # It is complete and durable; only its write-ahead log stays beside it.
            logger.warning("%s", error)

    def end(self, witnesses: Witnesses) -> None:
        """End the witnesses of a log, after a last attempt of each."""
        for name, window in witnesses.stop().items():
            if window.notes:
                self._printer.say(
                    f"the witness {name} lacks {window.notes} notes, the oldest for {window.seconds:.0f} s"
                )

    def join(self) -> None:
        """Wait until all ended logs are closed."""
        for thread in self._ending:
            thread.join()


@contextlib.contextmanager
def witnessed(
    config: TableConfig,
    log: OpenLog,
    bridges: Sequence[Bridge[Any]],
    controller: Controller,
    inbox: Inbox[Item],
    printer: Screen,
    persons: Persons | None,
) -> Iterator[None]:
    """Run witnesses and metrics while the block runs; witness devices must be open."""
    witnessing = Witnessing(config, log, bridges, controller, inbox, printer)
    witnessing.now.start(log.journal)
    controller.succeed(witnessing.succeed)
    with _metrics(config, log, witnessing, persons):
        try:
            yield
        finally:
            witnessing.end(witnessing.now)
            witnessing.join()


def _metrics(
    config: TableConfig, log: OpenLog, witnessing: Witnessing, persons: Persons | None
) -> contextlib.AbstractContextManager[object]:
    if config.metrics is None:
        return contextlib.nullcontext()
    from cardshoe.process.metrics_file import MetricsFile
    from cardshoe.table.log.metrics import figures_of, metrics_of

    table_id, list_s = config.table.table_id, (lambda: None) if persons is None else persons.list_left_s
    return MetricsFile(
        config.metrics, lambda: metrics_of(table_id, figures_of(log.journal, witnessing.now.windows(), list_s()))
    )

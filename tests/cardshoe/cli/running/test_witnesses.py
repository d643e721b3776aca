"""The witnesses of a table that goes over to another log."""

from pathlib import Path

import pytest

from cardshoe.cli.running.witnesses import Witnessing
from cardshoe.process.exits import Stop
from cardshoe.process.http.tls import TlsFiles
from cardshoe.table.controller import Controller, Item
from cardshoe.table.inbox import Inbox
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.setup.config import TableConfig
from cardshoe.table.terminal.output_queue import Screen
from cardshoe.table.terminal.printing import JsonPrinter
from tests.kit.certificates import HOST, make_site, needs_openssl
from tests.kit.table_log import AT, TABLE
from tests.kit.timed_table import NEXT_DAY

NOWHERE = "https://127.0.0.1:1"


@needs_openssl
def test_the_next_log_has_its_witness_though_the_certificates_are_gone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    site = make_site(tmp_path)
    files = TlsFiles(**{name: str(site / f"{HOST}.{end}") for name, end in (("certificate", "pem"), ("key", "key"))},
                     authority=str(site / "site.pem"))  # fmt: skip
    log, inbox = open_log(tmp_path / "journals", TABLE, AT, lambda _: None), Inbox[Item]()
    config = TableConfig(
        path=tmp_path / "table.toml",
        table=TABLE,
        journal_dir=tmp_path / "journals",
        devices=(),
        witnesses=[NOWHERE],
        witness_tls=files,
    )
    controller, screen = Controller(log, inbox), Screen(JsonPrinter())
    witnessing = Witnessing(config, log, [], controller, inbox, screen)
    witnessing.now.start(log.journal)
    (site / f"{HOST}.key").unlink()
    witnessing.succeed(log.go_over(NEXT_DAY))
    assert "the certificates read before" in caplog.text
    assert [*witnessing.now.windows()] == [NOWHERE]
    witnessing.end(witnessing.now)
    witnessing.join()
    log.journal.close()
    with pytest.raises(Stop, match=HOST):
        Witnessing(config, log, [], controller, inbox, screen)

"""The messages to whoever started the table, by the protocol of sd_notify(3); and who may feed the watchdog."""

import logging
import os
import threading
from pathlib import Path

import pytest

from cardshoe.process.clock import wall_time
from cardshoe.table.controller import Controller, Item
from cardshoe.table.inbox import Inbox
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.service.lifecycle import Heart
from cardshoe.table.service.manager import Manager
from cardshoe.table.setup.config import load
from regulations.events.inputs import Shuffled
from tests.cardshoe.table.service.support import Listener
from tests.kit.command import PATIENCE_S, Command
from tests.kit.running_table import write_config


class TestManager:
    def test_nobody_asked(self) -> None:
        assert Manager.of({}) is None
        assert Manager.of({"NOTIFY_SOCKET": "no/absolute/path"}) is None

    def test_no_child_speaks_in_its_place(self) -> None:
        variables = {"NOTIFY_SOCKET": "@nobody", "WATCHDOG_USEC": "1", "WATCHDOG_PID": "1", "HOME": "/"}
        manager = Manager.of(variables)
        assert manager is not None
        manager.close()
        assert variables == {"HOME": "/"}

    @pytest.mark.parametrize(
        ("variables", "seconds"),
        [
            ({"WATCHDOG_USEC": "60000000"}, 60.0),
            ({"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": str(os.getpid())}, 60.0),
            ({"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "1"}, None),
            ({"WATCHDOG_USEC": "0"}, None),
            ({"WATCHDOG_USEC": "soon"}, None),
            ({}, None),
        ],
    )
    def test_whose_watchdog_it_is(self, variables: dict[str, str], seconds: float | None) -> None:
        manager = Manager.of({"NOTIFY_SOCKET": "@nobody", **variables})
        assert manager is not None
        manager.close()
        assert manager.watchdog_s == seconds

    @pytest.mark.parametrize("address", ["path", "abstract"])
    def test_what_is_said_arrives(self, address: str, tmp_path: Path) -> None:
        name = str(tmp_path / "notify") if address == "path" else f"@cardshoe-{os.getpid()}"
        with Listener(name) as listener:
            manager = Manager(name)
            manager.tell("READY=1", "STATUS=one line\nnot MAINPID=1")
            assert listener.words() == ["READY=1", "STATUS=one line not MAINPID=1"]
            manager.close()

    def test_one_that_does_not_listen_is_named_once_and_holds_nothing_up(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        manager = Manager(str(tmp_path / "nobody"))
        with caplog.at_level(logging.WARNING):
            manager.tell("READY=1")
            manager.tell("WATCHDOG=1")
        manager.close()
        assert [record.getMessage() for record in caplog.records] == [
            "READY=1 cannot be sent to the service manager: No such file or directory"
        ]


def test_a_table_thread_that_hangs_is_not_fed(tmp_path: Path) -> None:
    """The real controller, its thread held up by a listener, as by a defect; the heart's own thread is well."""
    config = load(write_config(tmp_path, None), wall_time())
    inbox: Inbox[Item] = Inbox()
    log = open_log(config.journal_dir, config.table, wall_time(), lambda _: None)
    controller = Controller(log, inbox)
    hangs, goes_on = threading.Event(), threading.Event()

    def hang(_: LoggedInput) -> None:
        hangs.set()
        goes_on.wait(PATIENCE_S)

    controller.listen(hang)
    put: list[object] = []

    def count(item: Item) -> None:
        put.append(item)
        inbox.put(item)

    with Listener(str(tmp_path / "notify")) as listener:
        manager = Manager(listener.address)
        heart = Heart(count, lambda: manager.tell("WATCHDOG=1"), interval_s=0.001)
        at_work = threading.Thread(target=controller.run)
        at_work.start()
        heart.start()
        assert listener.words() == ["WATCHDOG=1"]
        controller.submit(Shuffled(by="croupier"))
        assert hangs.wait(PATIENCE_S)
        listener.waiting()
        before = len(put)
        for _ in range(20):  # it wants to beat, and cannot
            heart.beat_soon()
        assert not goes_on.wait(0.1)
        assert listener.waiting() == []
        assert len(put) <= before + 1, "what a thread that hangs does not do must not pile up"
        goes_on.set()
        assert listener.words() == ["WATCHDOG=1"]
        heart.stop()
        controller.stop()
        at_work.join(PATIENCE_S)
        manager.close()
    log.journal.close()


def test_a_table_says_that_it_is_ready_where_it_stands_and_that_it_ends(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    with Listener(str(tmp_path / "notify")) as listener:
        environment = {"NOTIFY_SOCKET": listener.address, "WATCHDOG_USEC": "300000"}
        with Command("run", "--json", config, environment=environment) as table:
            heard = listener.until("STATUS=no shoe game runs; next: shuffle")
            assert heard[0] == "READY=1"
            assert "WATCHDOG=1" in heard
            assert "WATCHDOG=1" in listener.until("WATCHDOG=1")
            table.say("shuffled croupier")
            listener.until("STATUS=no shoe game runs; next: cut")
            table.say("quit")
            listener.until("STOPPING=1")
            assert table.end() == 0
            assert listener.waiting() == []

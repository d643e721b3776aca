"""A newer build is installed while tables run: each goes on with its own until its shoe game is over."""

import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from cardshoe.process.exits import Exit, Stop
from cardshoe.table.controller import Stopping
from cardshoe.table.service.builds import CURRENT, Build, Keeper
from cardshoe.table.service.lifecycle import ServiceLifecycle
from cardshoe.table.service.manager import Manager
from regulations.events.inputs import Closed
from regulations.law.edition import RULES_VERSION
from tests.cardshoe.cli.support import STACK
from tests.cardshoe.table.service.support import Listener, make_build, make_current
from tests.kit.command import Command
from tests.kit.desk import Desk
from tests.kit.running_table import journal_of, write_config

OLD: Final = "0.1.0-aaaaaaaa"
NEW: Final = "0.2.0-bbbbbbbb"
END_OF_SHOE: Final = {"event": "shoe_ended", "reason": "house"}


@pytest.fixture
def builds(tmp_path: Path) -> Path:
    """Where the builds lie; the old one is current."""
    folder = tmp_path / "builds"
    make_build(folder, OLD)
    make_current(folder, OLD)
    return folder


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Listener]:
    with Listener(str(tmp_path / "notify")) as listener:
        yield listener


class Table(Command):
    """``cardshoe run``, as the service starts it: by the link to the newest build."""

    def __init__(self, builds: Path, config: Path, manager: Listener | None) -> None:
        environment = {} if manager is None else {"NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "600000"}
        command = builds / CURRENT / "bin" / "cardshoe"
        super().__init__("run", "--json", config, environment=environment, command=command)

    @property
    def build(self) -> str:
        """The build that runs."""
        program = Path(f"/proc/{self.process.pid}/cmdline").read_bytes().split(b"\0")[0].decode()
        return Path(program).parent.parent.name

    def play(self, *lines: dict[str, object]) -> None:
        """Types, and hears each answer."""
        for line in lines:
            self.say(line)
            self.until(lambda heard: '"event":"next"' in heard)


def test_a_newer_build_waits_for_the_end_of_the_shoe(builds: Path, manager: Listener, tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    keeper = Keeper(tmp_path / "journals", "T-1")
    with Table(builds, config, manager) as table:
        manager.until("READY=1")
        table.until(lambda heard: '"do":"shuffle"' in heard)
        table.play(*STACK)
        make_build(builds, NEW)
        make_current(builds, NEW)
        manager.until("WATCHDOG=1")
        manager.until("WATCHDOG=1")  # a whole beat after the link was moved
        assert table.process.poll() is None
        assert (table.build, keeper.read()) == (OLD, OLD)
        table.kill()
    # What a power cut leaves: the service starts the newest build, and that hands the shoe game to its own.
    with Table(builds, config, manager) as table:
        manager.until("READY=1")
        table.until(lambda heard: '"do":"draw"' in heard)
        assert table.build == OLD
        table.say(END_OF_SHOE)
        assert table.end() == Exit.NEWER_BUILD
        assert f"a newer build is installed, {NEW}" in table.errors()
        assert keeper.read() == ""
    journal = journal_of(tmp_path)
    with Table(builds, config, manager) as table:
        manager.until("READY=1")
        table.until(lambda heard: '"do":"shuffle"' in heard)
        assert (table.build, keeper.read()) == (NEW, NEW)
        assert journal_of(tmp_path) == journal, "the same rules: the log goes on"
        table.say("closed")
        assert table.end() == Exit.OK
        assert keeper.read() == ""


def test_under_other_rules_the_log_is_closed_first(builds: Path, manager: Listener, tmp_path: Path) -> None:
    with Table(builds, write_config(tmp_path, None), manager) as table:
        manager.until("READY=1")
        make_build(builds, NEW, rules=RULES_VERSION + 1)
        make_current(builds, NEW)
        assert table.end() == Exit.NEWER_BUILD
        assert [line for line in table.rest() if '"event":"closed"' in line and '"origin":"table"' in line]
    assert Keeper(tmp_path / "journals", "T-1").read() == ""


def test_a_person_is_told_and_starts_it_again(builds: Path, tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    (tmp_path / "journals").mkdir(mode=0o700)
    (tmp_path / "journals" / ".T-1.build").write_text("0.0.9-gone\n")
    with Table(builds, config, None) as table:
        table.wait_for_error(f"the build 0.0.9-gone has the log of table T-1 and cannot be started: {OLD} continues")
        table.until(lambda heard: '"do":"shuffle"' in heard)
        table.play(*STACK)
        make_build(builds, NEW)
        make_current(builds, NEW)
        table.say(END_OF_SHOE)
        table.wait_for_error(f"a newer build is installed, {NEW}: it plays once you quit and start again")
        table.send(signal.SIGTERM)
        assert table.end() == Exit.OK


@pytest.mark.parametrize("by_people", [True, False])
def test_a_closed_table_ends_for_a_newer_build_alone(
    by_people: bool, builds: Path, manager: Listener, tmp_path: Path
) -> None:
    desk, build = Desk(tmp_path / "journals"), Build.at(builds / OLD)
    keeper = Keeper(tmp_path / "journals", "T-1")
    with desk.log.journal, closing(Manager(manager.address)) as told:
        duty = ServiceLifecycle(desk.log, desk.controller, keeper, build, told, lambda _: None)
        make_build(builds, NEW, rules=RULES_VERSION + 1)
        make_current(builds, NEW)
        if by_people:
            desk.controller.submit(Closed())
        else:
            duty.beat()
        desk.run()
        assert isinstance(desk.log.last.event, Closed)
        assert isinstance(desk.inbox.get_nowait(), Stopping)  # the desk's own: the table had ended
        duty.beat()
        if by_people:
            # Two people open it again; no restart does.
            assert desk.inbox.empty()
            duty.leave()
        else:
            assert isinstance(desk.inbox.get_nowait(), Stopping)
            with pytest.raises(Stop, match=NEW):
                duty.leave()


def test_a_table_that_people_close_first_does_not_end_for_a_newer_build(
    builds: Path, manager: Listener, tmp_path: Path
) -> None:
    desk, build = Desk(tmp_path / "journals"), Build.at(builds / OLD)
    with desk.log.journal, closing(Manager(manager.address)) as told:
        duty = ServiceLifecycle(
            desk.log, desk.controller, Keeper(tmp_path / "journals", "T-1"), build, told, lambda _: None
        )
        make_build(builds, NEW, rules=RULES_VERSION + 1)
        make_current(builds, NEW)
        desk.controller.submit(Closed())
        duty.beat()
        desk.run()
        assert desk.log.last.event.origin == "person"
        assert isinstance(desk.inbox.get_nowait(), Closed)  # of the newer build: too late
        assert isinstance(desk.inbox.get_nowait(), Stopping)  # the desk's own
        duty.beat()
        assert desk.inbox.empty()
        duty.leave()


@pytest.mark.parametrize("name", ["", "..", "../other", "/etc", ".hidden", OLD])
def test_no_name_leads_out_of_the_folder_or_to_itself(name: str, builds: Path) -> None:
    build = Build.at(builds / OLD)
    assert build is not None
    assert build.other(name) is None

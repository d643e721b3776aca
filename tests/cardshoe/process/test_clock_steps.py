"""The wall clock is set while a table runs, or while it does not: the log says so before the next line."""

import queue
from pathlib import Path
from typing import Final

import pytest

from cardshoe.process.clock import SLEW, TOLERANCE_S, ClockWatch, wall_time, went_back_s
from cardshoe.table.controller import Controller, Item
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.table_journal import open_log
from firmware_bridge.report import Report
from regulations.events.inputs import AnyInput, DeviceLost, Fault, Shuffled
from regulations.events.notices import ClockStepped
from tests.kit.sealed import opened_inputs, verified
from tests.kit.table_log import TABLE

DAY: Final = "2026-01-05T"
SHUFFLED: Final = Shuffled(by="croupier")


class Clocks:
    """A wall clock that can be set, and one that cannot."""

    def __init__(self, at: str = "10:00:00.000000") -> None:
        self.wall = f"{DAY}{at}Z"
        self.boot_s = 1000.0

    def set(self, at: str, *, after_s: float) -> None:
        """Seconds pass, and then the wall clock says this."""
        self.wall = f"{DAY}{at}Z"
        self.boot_s += after_s


class TestWatch:
    def test_time_that_passes_is_no_step(self) -> None:
        clocks = Clocks()
        watch = ClockWatch(lambda: clocks.boot_s)
        assert watch.step_s(clocks.wall) is None
        clocks.set("11:00:00.000000", after_s=3600)
        assert watch.step_s(clocks.wall) is None

    @pytest.mark.parametrize(("at", "step_s"), [("10:05:00.250000", 290.25), ("09:00:10.000000", -3600)])
    def test_a_step_is_told_once(self, at: str, step_s: float) -> None:
        clocks = Clocks()
        watch = ClockWatch(lambda: clocks.boot_s)
        watch.step_s(clocks.wall)
        clocks.set(at, after_s=10)
        assert watch.step_s(clocks.wall) == step_s
        assert watch.step_s(clocks.wall) is None

    def test_a_time_server_that_only_makes_it_faster_is_no_step(self) -> None:
        clocks = Clocks()
        watch = ClockWatch(lambda: clocks.boot_s)
        watch.step_s(clocks.wall)
        # In eight hours, as fast as the kernel lets it.
        clocks.set("18:00:14.400000", after_s=8 * 3600)
        assert SLEW * 8 * 3600 + TOLERANCE_S > 14.4
        assert watch.step_s(clocks.wall) is None
        clocks.set("18:00:16.400000", after_s=0)
        assert watch.step_s(clocks.wall) == 2

    def test_steps_too_small_to_see_add_up(self) -> None:
        clocks = Clocks()
        watch = ClockWatch(lambda: clocks.boot_s)
        told = []
        for n in range(11):
            # Each second it is set forward by 0.4 s.
            told.append(watch.step_s(clocks.wall))
            clocks.set(f"10:00:{(n + 1) * 1.4:09.6f}", after_s=1)
        assert told == [None, None, 0.8] + [None, 0.8] * 4

    def test_a_difference_of_the_tolerance_is_none(self) -> None:
        clocks = Clocks()
        watch = ClockWatch(lambda: clocks.boot_s)
        watch.step_s(clocks.wall)
        clocks.set("10:00:00.500000", after_s=0)
        assert watch.step_s(clocks.wall) is None
        clocks.set("10:00:00.000000", after_s=0)
        assert watch.step_s(clocks.wall) is None

    def test_it_compares_with_the_clock_of_this_computer(self) -> None:
        watch = ClockWatch()
        assert watch.step_s(wall_time()) is None
        assert watch.step_s(wall_time()) is None

    @pytest.mark.parametrize(
        ("now", "back_s"), [("10:00:00.0", None), ("09:59:59.6", None), ("09:59:00.0", -60), ("10:00:01.0", None)]
    )
    def test_a_log_from_the_future(self, now: str, back_s: float | None) -> None:
        assert went_back_s(f"{DAY}10:00:00.000000Z", f"{DAY}{now}Z") == back_s


class Desk:
    """A controller on clocks that tests set."""

    def __init__(self, folder: Path, clocks: Clocks) -> None:
        self.clocks = clocks
        self.log = open_log(folder, TABLE, clocks.wall, lambda _: None)
        self.inbox: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self.controller = Controller(
            self.log, self.inbox, lambda: clocks.wall, monotonic=lambda: clocks.boot_s, boot_s=lambda: clocks.boot_s
        )
        self.taken: list[LoggedInput] = []
        self.controller.listen(self.taken.append)

    def run(self, *items: Item) -> None:
        """Takes these, and stops."""
        for item in items:
            self.inbox.put(item)
        self.controller.stop()
        self.controller.run()

    @property
    def events(self) -> list[AnyInput]:
        return [taken.event for taken in self.taken]


class TestAtATable:
    def test_the_log_says_it_before_the_line_that_comes_next(self, tmp_path: Path) -> None:
        desk = Desk(tmp_path, Clocks())
        with desk.log.journal:
            desk.run()
            desk.clocks.set("09:30:00.000000", after_s=60)
            desk.run(SHUFFLED)
        assert [type(event) for event in desk.events] == [ClockStepped, Shuffled]
        assert isinstance(desk.events[0], ClockStepped)
        assert desk.events[0].seconds == -1860
        assert [event.at for event in desk.events] == [desk.clocks.wall] * 2
        assert verified(desk.log.journal.path).entries == 3

    def test_so_it_does_before_what_a_device_tells(self, tmp_path: Path) -> None:
        desk = Desk(tmp_path, Clocks())
        with desk.log.journal:
            desk.run()
            desk.clocks.set("12:00:00.000000", after_s=60)
            desk.run(Report("shoe", (Fault(device="shoe", code=1), DeviceLost(device="shoe"))))
        assert [type(event) for event in desk.events] == [ClockStepped, Fault, DeviceLost]

    def test_a_clock_that_runs_says_nothing(self, tmp_path: Path) -> None:
        desk = Desk(tmp_path, Clocks())
        with desk.log.journal:
            desk.run()
            desk.clocks.set("10:10:00.000000", after_s=600)
            desk.run(SHUFFLED)
        assert [type(event) for event in desk.events] == [Shuffled]

    def test_a_log_that_is_taken_up_before_its_own_end(self, tmp_path: Path) -> None:
        desk = Desk(tmp_path, Clocks("10:00:00.000000"))
        with desk.log.journal:
            desk.run(SHUFFLED)
        again = Desk(tmp_path, Clocks("08:00:00.000000"))
        with again.log.journal:
            again.run()
        assert [event.seconds for event in again.events if isinstance(event, ClockStepped)] == [-7200]
        later = Desk(tmp_path, Clocks("08:00:01.000000"))
        with later.log.journal:
            later.run()
        assert later.events == []
        assert len([one for one in opened_inputs(desk.log.journal.path) if isinstance(one, ClockStepped)]) == 1

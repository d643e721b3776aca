"""A simulated table of a floor with the real controller, journal and socket."""

import contextlib
import random
import threading
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from cardshoe.cli.demo.equipment import Show, equipped, spawned
from cardshoe.cli.demo.profile import profile_of
from cardshoe.cli.floor.demo.mishaps import Mishaps
from cardshoe.cli.floor.demo.plan import Seating
from cardshoe.cli.sim.shuffle import way_to_shuffle
from cardshoe.process.clock import wall_time
from cardshoe.table.controller import Controller, Item, Listener
from cardshoe.table.inbox import Inbox
from cardshoe.table.live.server import LiveServer
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.terminal.statistics import Statistics
from regulations.events.inputs import Void
from sim.clock import RealClock
from sim.croupier.instructions import PICK_UP, HouseInstructions
from sim.shuffling import Shuffling
from sim.sim_thread import SimulatorThread
from sim.wires.pty import PtyWire

END_S: Final = 20.0


class TableProgress(Struct, frozen=True, kw_only=True):
    table: str
    log: str
    last: int
    rounds: int
    irregularities: int
    voids: int
    is_closed: bool
    stuck: str


class SimulatedTable:
    def __init__(self, seating: Seating, clock: RealClock) -> None:
        self._settings: Final = seating.uplink
        kind, rng = seating.kind, random.Random(seating.seed)  # noqa: S311  # a simulation must play the same again
        table, simulated = profile_of(
            kind.game, kind.source, linked=kind.linked, untracked=False, table_id=self._settings.table_id
        )
        table, equipment = msgspec.structs.replace(table, pick_up=PICK_UP), table.equipment
        folder = Path(self._settings.folder)
        self._log: Final = open_log(folder, table, wall_time(), _nobody, resume=False)
        self._inbox: Final[Inbox[Item]] = Inbox()
        self._controller: Final = Controller(self._log, self._inbox)
        troubles = spawned(rng)
        show = Show(
            table=table,
            simulated=simulated,
            reads=False,
            strategy="basic",
            mistakes=seating.mistakes,
            orders=HouseInstructions(games=None, rounds=seating.rounds, pick_up=PICK_UP),
            pty=folder / "line",
            serial_number=f"SIM-{table.table_id}",
            shuffle=Shuffling() if equipment == "shuffler_dealer" else way_to_shuffle(seating.shuffle, equipment),
        )
        self._at_work: Final = equipped(show, clock, self._controller, self._inbox.put, rng)
        self._at_work.croupier.on_done = self._controller.stop
        self._report: Final = self._at_work.report()
        self._is_linked: Final = kind.linked
        self._live: Final = LiveServer(self._settings.place, self._log, self._controller, equipment=self._report)
        self._log.journal.listen(self._live.noted)
        self._statistics: Final = Statistics()
        self._statistics(self._log.last)
        self._voids = 0
        for listener in (self._statistics, self._count):
            self._controller.listen(listener)
        self._controller.show(self._live)
        self._mishaps = (
            Mishaps(
                clock, troubles, self._at_work, lambda: self._log.scribe.procedure.is_mid_round, self._controller.submit
            )
            if seating.is_troubled
            else None
        )
        self._station: SimulatorThread | None = None
        self._thread: Final = threading.Thread(target=self._play, name=table.table_id)

    @property
    def wire(self) -> PtyWire | None:
        """The line of its equipment."""
        return self._at_work.wire

    def listen(self, listener: Listener) -> None:
        """Add a listener for durable inputs; before `begin`."""
        self._controller.listen(listener)

    def begin(self, station: SimulatorThread) -> None:
        """Play in a new thread."""
        self._station = station
        self._thread.start()

    def stop(self) -> None:
        """Request the end of play."""
        self._controller.stop()

    def end(self) -> None:
        """Wait for the end and close the journal."""
        self._thread.join(END_S)

    def progress(self) -> TableProgress:
        """The current progress."""
        return TableProgress(
            table=self._settings.table_id,
            log=self._log.journal.header.fingerprint,
            last=self._log.journal.last,
            rounds=self._statistics.rounds,
            irregularities=self._statistics.irregularities.total(),
            voids=self._voids,
            is_closed=not self._thread.is_alive(),
            stuck=self._at_work.croupier.stuck or "",
        )

    def _play(self) -> None:
        station, croupier = self._station, self._at_work.croupier
        if station is None:
            return
        # A machine reports at any time: its croupier waits for the answer to the croupier's own input.
        hears = self._is_linked or self._mishaps is not None
        self._controller.listen(
            lambda taken: station.post(lambda: croupier.apply(taken.outputs, taken.event if hears else None))
        )
        with self._log.journal, self._report, self._live, contextlib.ExitStack() as held:
            held.enter_context(self._at_work.listened_to(station))
            if self._mishaps is not None:
                held.callback(station.post, self._mishaps.stop)
            station.post(lambda: croupier.apply(self._log.last.outputs))
            self._controller.run()

    def _count(self, taken: LoggedInput) -> None:
        self._voids += isinstance(taken.event, Void) and not taken.is_refused


def _nobody(_taken: LoggedInput) -> None:
    """No log is resumed."""

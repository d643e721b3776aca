"""A demonstrated table at work: controller, live socket, pages, simulated croupier."""

import random
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from cardshoe.cli.demo.equipment import Show, equipped
from cardshoe.persons.registry import StaffRegistry
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.signals import signals_stop
from cardshoe.screens.words.currency import MOP
from cardshoe.screens.words.display_section import DisplaySection, Language, faults_of_display
from cardshoe.table.controller import Controller, Item
from cardshoe.table.display.child import DisplayChild
from cardshoe.table.display.settings import DisplaySettings, StartPage
from cardshoe.table.inbox import Inbox
from cardshoe.table.live.place import TablePlace
from cardshoe.table.live.server import LiveServer
from cardshoe.table.log.table_journal import OpenLog
from cardshoe.table.setup.fault_texts import fault_texts
from cardshoe.table.staff_service import Persons
from cardshoe.table.terminal.output_queue import Screen
from cardshoe.table.terminal.statistics import Statistics
from regulations.events.notices import DeviceIdentified
from regulations.events.vocabulary import Role
from sim.clock import RealClock
from sim.sim_thread import SimulatorThread


def section_of(listen: str, languages: Sequence[Language]) -> DisplaySection:
    section = DisplaySection(listen=listen, languages=[*languages], simulated=True)
    if (fault := next(faults_of_display(section), None)) is not None:
        option = fault.key.removeprefix("display.").removesuffix("s")
        raise Stop(f"--{option}: {fault.reason}", "Change the option, or use --plain to serve no pages.", Exit.USAGE)
    return section


def pages_of(journals: Path, show: Show, section: DisplaySection, pins: Mapping[Role, str]) -> DisplayChild:
    table, simulated = show.table, show.simulated
    families = {} if simulated is None else {str(table.equipment): simulated.family.name}
    return DisplayChild(
        DisplaySettings(
            folder=str(journals.absolute()),
            table_id=table.table_id,
            section=section,
            currency=MOP,
            faults=fault_texts(families),
            start=StartPage(game=table.game, pins={**pins}),
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    log: OpenLog
    journals: Path
    speed: float


def play(
    setting: Setting,
    show: Show,
    rng: random.Random,
    listeners: list[Screen | Statistics],
    registry: StaffRegistry | None,
    ended: Callable[[bool], bool],
) -> str | None:
    """Play until the croupier closes the table or Ctrl-C; ``registry`` ``None``: no staff."""
    log = setting.log
    inbox: Inbox[Item] = Inbox()
    controller = Controller(log, inbox)
    clock = RealClock(setting.speed)
    at_work = equipped(show, clock, controller, inbox.put, rng)
    croupier = at_work.croupier
    station = SimulatorThread(clock, [*([at_work.wire] if at_work.wire else []), *at_work.also])
    croupier.on_done = controller.stop
    for listener in listeners:
        controller.listen(listener)
    persons = None if registry is None else Persons(registry, controller.note)
    report = at_work.report()
    place = TablePlace.of(setting.journals, show.table.table_id)
    live = LiveServer(place, log, controller, persons=persons, equipment=report)
    if persons is not None:
        controller.listen(persons)
    controller.show(live)
    with persons or nullcontext(), report, live, station:
        # A machine says at any time how it is: its croupier waits for the answer to what it said itself.
        controller.listen(
            lambda taken: station.post(
                lambda: croupier.apply(
                    taken.outputs,
                    taken.event
                    if show.is_linked or show.orders.hands_only or isinstance(taken.event, DeviceIdentified)
                    else None,
                )
            )
        )
        with at_work.listened_to(station):
            for listener in listeners:
                listener(log.last)
            station.post(lambda: croupier.apply(log.last.outputs))
            over = threading.Event()

            def stop() -> None:
                over.set()
                controller.stop()

            with signals_stop(stop):
                controller.run()
                if ended(over.is_set()):
                    over.wait()
    if (closed := controller.closed_for_room) is not None:
        raise closed
    return croupier.stuck

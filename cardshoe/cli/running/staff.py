"""Staff of a running table, and the first supervisor's code."""

import contextlib
import sys
from pathlib import Path

from cardshoe.cli.running.processes import account_number
from cardshoe.persons.floor_list import FloorList
from cardshoe.persons.registry import StaffRegistry
from cardshoe.table.controller import Controller
from cardshoe.table.setup.config import TableConfig
from cardshoe.table.staff_service import Persons
from cardshoe.table.terminal.terminal_session import TerminalSession


def floor_list(config: TableConfig) -> FloorList | None:
    """The floor's list of staff, as the uplink stores it; ``None``: no such list."""
    if config.persons_key is None:
        return None
    writer = None if config.live is None else account_number(config, config.live.uplink)
    return FloorList(
        config.persons_list, config.persons_key, config.table.table_id, memory=config.journal_dir, writer=writer
    )


def staff_at(config: TableConfig, file: Path, controller: Controller, held: contextlib.ExitStack) -> Persons:
    registry = StaffRegistry(file)
    registry.persons()
    persons = Persons(registry, controller.note, listed=floor_list(config))
    controller.listen(persons)
    return held.enter_context(persons)


def give_first_code(persons: Persons, seat: TerminalSession) -> None:
    if persons.known.persons():
        return
    if sys.stdout.isatty() and not seat.is_json:
        seat.screen.say(f"No staff registered. Enrolment code (valid 10 min): {persons.first.make()}")
    else:
        file = persons.registry.path.with_name(f"{persons.registry.path.name}.code")
        try:
            persons.first.write(file)
        except OSError as error:
            seat.screen.say(f"No staff registered, and {file} cannot be written: {error.strerror}")
            return
        seat.screen.say(f"No staff registered. Enrolment code (valid 10 min) in {file}")
    seat.screen.say("Add the first supervisor with it: `enrol ID`. Or at a shell: `cardshoe persons add`.")

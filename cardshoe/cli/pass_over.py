"""``cardshoe journal pass-over``: two people skip an entry that cannot be processed."""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click

from cardshoe.cli.persons import pin_in
from cardshoe.cli.running.staff import floor_list
from cardshoe.persons.floor_list import MergedPersons
from cardshoe.persons.lockout import TERMINAL
from cardshoe.persons.permissions import PASS_OVER
from cardshoe.persons.pin_checker import PinChecker
from cardshoe.persons.pins import Pins
from cardshoe.persons.refusal import AccessRefusal
from cardshoe.persons.registry import Person, PersonSource, StaffRegistry
from cardshoe.process.clock import wall_time
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.log.journal_names import newest_journal
from cardshoe.table.log.passing import pass_over_last
from cardshoe.table.log.sealing_keys import find_keys, read_keys
from cardshoe.table.setup.config import TableConfig, load
from regulations.events.inputs import AnyInput


def pass_over(config: Path, by: Sequence[str], pin_files: Sequence[Path]) -> list[str]:
    """Pass over the last entry of a table's newest journal.

    Args:
        pin_files: of mode 0600; empty: PINs are asked for.

    Raises:
        Stop: the two people may not do this, or there is no such entry.
        JournalError: the journal cannot be used.
    """
    table = load(config, wall_time())
    first, second = _two(table, by, pin_files)
    path = newest_journal(table.journal_dir, table.table.table_id)
    if path is None:
        raise Stop(f"{table.journal_dir}: no journal of {table.table.table_id}", "Start the table.", Exit.USAGE)
    keys = read_keys(find_keys(table.sealing_key, table.journal_dir))
    said = pass_over_last(path, keys, (first, second), wall_time())
    return [
        f"{path}: entry {said.entry} passed over by entry {said.entry + 1}, by {first} and {second}",
        "Start the table. Compare the cards on the layout with the screen before the deal continues.",
    ]


def _two(config: TableConfig, by: Sequence[str], pin_files: Sequence[Path]) -> tuple[str, str]:
    if len(by) != 2 or len(set(by)) != len(by) or not all(map(_is_writable, by)):  # noqa: PLR2004  two people
        raise Stop("two different people must authorise this", "Name both: --by ID --by ID.", Exit.USAGE)
    if config.persons is not None:
        _check(config, config.persons, by, pin_files)
    return by[0], by[1]


def _is_writable(person: str) -> bool:
    return person.isprintable() and bool(person.strip()) and not set(person) & {'"', "\\"}


def _check(config: TableConfig, file: Path, by: Sequence[str], pin_files: Sequence[Path]) -> None:
    registry = StaffRegistry(file)
    known: PersonSource = registry
    if (listed := floor_list(config)) is not None:
        listed.poll()
        known = MergedPersons(registry, listed)
    pins = PinChecker(known, Pins(), time.monotonic, wall_time, _not_noted)
    found: list[Person] = []
    for number, person in enumerate(by):
        came = pins.verify_pin(TERMINAL, person, _pin(person, pin_files[number] if number < len(pin_files) else None))
        if isinstance(came, AccessRefusal):
            raise Stop(f"{person}: {came.reason}", came.remedy, Exit.USAGE)
        found.append(came)
    if any(one.role not in PASS_OVER.says for one in found) or not any(one.role in PASS_OVER.confirms for one in found):
        allowed = " or ".join(sorted(PASS_OVER.says))
        raise Stop("these two may not pass over an entry", f"Each must be {allowed}; one a supervisor.", Exit.USAGE)


def _pin(person: str, file: Path | None) -> str:
    if file is not None:
        return pin_in(file)
    if not sys.stdin.isatty():
        remedy = "Run this at a terminal, or name two files of mode 0600: --pin-file, in the order of --by."
        raise Stop(f"the PIN of {person}: there is no terminal to ask at", remedy, Exit.USAGE)
    return str(click.prompt(f"PIN of {person}", hide_input=True, err=True))


def _not_noted(_: AnyInput) -> None:
    """No table runs that could record a refused PIN."""

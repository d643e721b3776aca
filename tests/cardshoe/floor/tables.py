"""Simulated tables with real journals: the real regulation plays a shoe game that a simulated croupier deals."""

import queue
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import structs

from cardshoe.journal import read_only
from cardshoe.table.controller import Controller
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.table_journal import open_log
from regulations.events.inputs import AnyInput, Closed, Table
from sim.croupier.instructions import HouseInstructions
from tests.sim.croupier.plain_table import PlainTable

SEED: Final = 20261123
AT: Final = "2026-11-23T10:00:00.000000Z"
ROUNDS: Final = 12
"""Of baccarat: some two hundred lines."""


def table_of(name: str) -> Table:
    """The profile of a table."""
    return Table(
        table_id=name,
        game="baccarat",
        decks=8,
        seats=7,
        equipment="shoe",
        options={"rounds_without_wagers": True},
    )


def played(rounds: int = ROUNDS, seed: int = SEED) -> list[AnyInput]:
    """The inputs of some rounds."""
    table = PlainTable(seed, table_of("any"), orders=HouseInstructions(games=None, rounds=rounds))
    table.run()
    return [structs.replace(event, at=AT) for event, _ in table.log[1:] if not isinstance(event, Closed)]


def journal(folder: Path, name: str, inputs: list[AnyInput], *, closed: bool = True, at: str = AT) -> Path:
    """Plays inputs into the journal of a table, which goes on if it has an open one; the file."""
    log = open_log(folder, table_of(name), at, nobody)
    with log.journal as book:
        controller = Controller(log, queue.SimpleQueue(), lambda: at, boot_s=lambda: 0.0)
        for event in inputs:
            controller.take(event)
        if closed:
            controller.take(Closed(at=at))
        elif book.unsigned:
            book.sign(at)
        return book.path


def entries_of(path: Path) -> list[bytes]:
    """All entries of a closed journal, its header first."""
    with read_only(path) as evidence:
        return [evidence.genesis.data, *(entry.data for entry in evidence.entries())]


def log_of(path: Path) -> str:
    """The fingerprint of a journal's log."""
    with read_only(path) as evidence:
        return evidence.header.fingerprint


def names(count: int) -> Iterator[str]:
    """Ids of tables."""
    return (f"T-{number:03}" for number in range(1, count + 1))


def nobody(_taken: LoggedInput) -> None:
    """No device remembers."""

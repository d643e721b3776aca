"""A table's life: begun, closed, taken up again; with the product's regulation and controller."""

import queue
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from cardshoe.journal.witness.tasks import Task
from cardshoe.table.controller import Controller, Item
from cardshoe.table.log import table_journal
from cardshoe.table.log.table_journal import OpenLog, open_log
from regulations.events.inputs import AnyInput, Loaded, Table
from regulations.events.vocabulary import EquipmentKind, Game
from regulations.games.registry import GAMES
from sim.croupier.instructions import HouseInstructions
from tests.powercut.layer import PLENTY_BYTES, Folder
from tests.powercut.recorder import WitnessedJournal
from tests.sim.croupier.plain_table import PlainTable
from tests.sim.croupier.profiles import AT, profile

NAME: Final = "T-1-20250106T120000-000000Z.journal"
EQUIPMENT: Final[EquipmentKind] = "shoe"
LITTLE_BYTES: Final = 1 << 20
SECOND_SHOE: Final = 25
"""Inputs of the second shoe game that are played: its checkpoint, and some more."""


@dataclass(frozen=True)
class Script:
    """The inputs of one table."""

    game: Game
    table: Table
    events: Sequence[AnyInput]


def script_of(game: Game, seed: int, rounds: int | None = None) -> Script:
    """A whole shoe game and the start of a second one, with a careless croupier and people who interfere.

    Args:
        rounds: only so many, and the table is closed; ``None``: the whole shoe game.
    """
    one_deck = GAMES[game].law.equipment[EQUIPMENT].decks == (1, 1)
    orders = HouseInstructions(games=None, rounds=rounds or 60) if rounds or one_deck else HouseInstructions(games=2)
    table = PlainTable(
        seed,
        profile(game, EQUIPMENT, {}),
        mistakes=0.05,
        orders=orders,
        reads=True,
        strategy="random",
        interference=0.02,
    )
    table.run()
    events = [event for event, _ in table.log]
    first = events[0]
    assert isinstance(first, Table)
    loads = [place for place, event in enumerate(events) if isinstance(event, Loaded)]
    if not rounds and not one_deck:
        events = events[: loads[-1] + SECOND_SHOE]
    return Script(game, first, events[1:])


def open_table(folder: Folder, script: Script, journals: type[WitnessedJournal], sealing_key: Path) -> OpenLog:
    """Begins the table's log, or takes it up after whatever stopped it, as ``cardshoe run`` does: signed and sealed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_journal, "Journal", journals)
        return open_log(folder.path, script.table, AT, lambda _: None, sealing_key=sealing_key)


def go_on(log: OpenLog, events: Sequence[AnyInput], folder: Folder, *, fills_up: bool = False) -> None:
    """Takes events as the table's thread does, and closes the journal."""
    inbox: queue.SimpleQueue[Item] = queue.SimpleQueue()
    thirds = {len(events) // 3: LITTLE_BYTES, 2 * len(events) // 3: PLENTY_BYTES}
    controller = Controller(log, inbox, lambda: AT, boot_s=lambda: 0.0)
    for place, event in enumerate(events):
        if fills_up and (free_bytes := thirds.get(place)) is not None:
            inbox.put(Task(partial(setattr, folder, "free_bytes", free_bytes)))
        inbox.put(event)
    controller.stop()
    # Once the disk is nearly full the controller has the table close: that lies behind its end in the inbox.
    controller.run()
    log.journal.close()


def whole_life(folder: Folder, script: Script, journals: type[WitnessedJournal], sealing_key: Path) -> None:
    """Begins a log, closes it after two thirds, takes it up again and plays the rest."""
    halt = 2 * len(script.events) // 3
    go_on(open_table(folder, script, journals, sealing_key), script.events[:halt], folder, fills_up=True)
    go_on(open_table(folder, script, journals, sealing_key), script.events[halt:], folder)

"""A table's life: begun, closed, taken up again; with the product's regulation and controller."""

import queue
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from regulations.events.inputs import AnyInput, Loaded, Table
from regulations.events.vocabulary import EquipmentKind, Game
from regulations.games import GAMES
from sim.croupier.orders import Orders
from table.controller import Controller
from table.journal import Header
from table.scribe import Scribe, Taken
from table.standing import Past
from table.table_journal import OpenLog
from table.verify import replayed
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
    """What happens at one table.

    Attributes:
        game: the game.
        table: its profile, the first input.
        events: the other inputs.
    """

    game: Game
    table: Table
    events: Sequence[AnyInput]


def script_of(game: Game, seed: int, rounds: int | None = None) -> Script:
    """A whole shoe game and the start of a second one, with a careless croupier and people who interfere.

    Args:
        game: the game.
        seed: of cards, players and mistakes.
        rounds: only so many, and the table is closed; ``None``: the whole shoe game.
    """
    one_deck = GAMES[game].law.equipment[EQUIPMENT].decks == (1, 1)
    orders = Orders(games=None, rounds=rounds or 60) if rounds or one_deck else Orders(games=2)
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


def begin(path: Path, script: Script, journals: type[WitnessedJournal]) -> OpenLog:
    """Begins a log as the table does, and writes its first lines."""
    scribe = Scribe(msgspec.structs.replace(script.table, at=AT))
    opening = scribe.opening
    header = Header(
        table_id=script.table.table_id,
        game=script.game,
        edition=scribe.procedure.edition,
        program="cardshoe",
        created_at=AT,
        journal_id=f"{0:032}",
    )
    journal = journals.create(path, header)
    journal.append(opening.lines)
    past = Past()
    past.take(opening)
    return OpenLog(journal, scribe, opening, 0, past)


def take_up(path: Path, script: Script, journals: type[WitnessedJournal]) -> OpenLog:
    """Takes the log up again as the table does after whatever stopped it."""
    journal = journals.open(path)
    stood: tuple[Scribe, Taken] | None = None
    past = Past()
    for stood in replayed(path, journal.entries()):
        past.note(stood[1])
    if stood is None:
        scribe = Scribe(msgspec.structs.replace(script.table, at=journal.header.created_at))
        journal.append(scribe.opening.lines)
        past.take(scribe.opening)
        return OpenLog(journal, scribe, scribe.opening, 1, past)
    return OpenLog(journal, *stood, past.inputs, past)


def go_on(log: OpenLog, events: Sequence[AnyInput], folder: Folder, *, fills_up: bool = False) -> None:
    """Takes events and closes the journal.

    Args:
        log: the open log.
        events: what comes next.
        folder: where the journal lies.
        fills_up: whether the disk is nearly full for the middle third, so that the ballast goes and comes back.
    """
    controller = Controller(log, queue.SimpleQueue(), lambda: AT, boot_s=lambda: 0.0)
    for place, event in enumerate(events):
        if fills_up:
            is_full = len(events) <= 3 * place < 2 * len(events)
            folder.free_bytes = LITTLE_BYTES if is_full else PLENTY_BYTES
        controller.take(event)
    log.journal.close()


def whole_life(path: Path, script: Script, journals: type[WitnessedJournal], folder: Folder) -> None:
    """Begins a log, closes it after two thirds, takes it up again and plays the rest."""
    halt = 2 * len(script.events) // 3
    go_on(begin(path, script, journals), script.events[:halt], folder, fills_up=True)
    go_on(take_up(path, script, journals), script.events[halt:], folder)

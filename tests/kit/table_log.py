"""A baccarat table for logs in this process: its profile, inputs of a round and a shoe game, what seals cards."""

import queue
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cardshoe.table.controller import Controller
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.sealing import Sealer
from cardshoe.table.log.sealing_keys import SealingKeys
from cardshoe.table.log.table_journal import open_log
from regulations.events.inputs import (
    AnyInput,
    BetsClosed,
    CardDrawn,
    Cut,
    CutCardPlaced,
    Loaded,
    RoundClosed,
    ShoeEnded,
    Shuffled,
    StackCounted,
    Table,
    Wager,
)

AT = "2026-01-05T10:00:00.000000Z"
TABLE = Table(
    table_id="T-1",
    game="baccarat",
    decks=8,
    seats=7,
    equipment="shoe",
    options={"rounds_without_wagers": True},
    at=AT,
)
INPUTS: list[AnyInput] = [
    Shuffled(by="croupier", at=AT),
    Cut(by="player", at=AT),
    CutCardPlaced(behind=14, at=AT),
    Loaded(cards=416, at=AT),
    *(CardDrawn(card="2C", at=AT) for _ in range(8)),
    BetsClosed(seats=[1], wagers=[Wager(seat=1, bet="banker", stake=100)], at=AT),
    CardDrawn(card="9H", at=AT),
    CardDrawn(card="3D", at=AT),
    CardDrawn(card="KS", at=AT),
    CardDrawn(card="4C", at="2026-01-05T10:00:01.000000Z"),
    RoundClosed(at=AT),
]
SHOE: list[AnyInput] = [*INPUTS, ShoeEnded(reason="house"), StackCounted(cards=404)]
"""A shoe game with one round: 8 cards are burned and 4 dealt."""
SEALER: Final = Sealer(SealingKeys([secrets.token_bytes(32)]), "log")


def ignore(_taken: LoggedInput) -> None:
    """Nobody remembers."""


def played(folder: Path, shoes: int, *, rest: int = 7) -> Path:
    """Shoe games as a controller plays them, then the first inputs of another one."""
    log = open_log(folder, TABLE, AT, ignore)
    with log.journal:
        controller = Controller(log, queue.SimpleQueue(), lambda: AT, boot_s=lambda: 0.0)
        for event in [*SHOE * shoes, *INPUTS[:rest]]:
            controller.take(event)
        log.journal.sign(AT)
    return log.journal.path


def two_logs(folder: Path, inputs: Sequence[AnyInput], later: str) -> list[Path]:
    """Two logs of a table, the earlier with these inputs, both signed; the later one begins at ``later``."""
    made = []
    for at, events in ((AT, inputs), (later, [])):
        log = open_log(folder, TABLE, at, ignore)
        with log.journal as journal:
            for event in events:
                journal.append([log.scribe.take(event).entry])
            journal.sign(at)
        made.append(journal.path)
    return made

"""The answers of a table to inputs, from which a view is made."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from cardshoe.screens.view import TableView
from cardshoe.table.log.log_builder import LoggedInput, Scribe
from regulations.events.inputs import AnyInput, Table
from tests.kit.table_log import SEALER
from tests.soak.corrections.play import Play

AT = "2026-11-21T00:00:00.000000Z"


def taken(table: Table, events: Sequence[AnyInput]) -> Iterator[tuple[Scribe, LoggedInput]]:
    """The answers of a table with a sealer to inputs, its opening first."""
    scribe = Scribe(msgspec.structs.replace(table, at=AT), sealer=SEALER)
    yield scribe, scribe.opening
    for event in events:
        if scribe.procedure.is_closed:
            return
        yield scribe, scribe.take(msgspec.structs.replace(event, at=AT))


def copy_of(view: TableView) -> TableView:
    return msgspec.json.decode(msgspec.json.encode(view), type=TableView)


@lru_cache(maxsize=256)
def mishaps(game: str, seed: int, number: int) -> tuple[Table, list[AnyInput]]:
    """A few rounds of a game with undue cards, packets, misdeals and corrections."""
    play = Play(game, random.Random(f"{seed} {game} {number}"), Counter())
    play.play()
    return play.profile, play.live.given

"""A baccarat table by hand, and what its lines tell."""

import itertools
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cardshoe.floor.facts.fold import LogFold
from cardshoe.floor.facts.told import Fact
from regulations.events.codec import decode_input
from regulations.events.inputs import AnyInput
from tests.cardshoe.floor.batches import Journal
from tests.cardshoe.floor.filling import Played, introduced
from tests.cardshoe.table.live.support import READY
from tests.kit.command import Line

BEGUN: Final = datetime(2026, 11, 23, 10, tzinfo=UTC)
BY: Final = ["7001", "9001"]
DEALT: Final = ("9H", "3D", "KS", "4C")
"""The player has nine, the banker seven: the player's round, without a third card."""
CLOSED: Final[Line] = {"event": "round_closed"}


def events(*lines: Line) -> list[AnyInput]:
    """Inputs as they are typed."""
    return [decode_input(json.dumps(line)) for line in lines]


def cards(*names: str, by_hand: bool = False) -> list[Line]:
    """Cards that the shoe deals, or that a person enters."""
    whose: Line = {} if by_hand else {"device": "shoe"}
    return [{"event": "card", "card": name, **whose} for name in names]


def opened() -> list[AnyInput]:
    """A croupier signed in, a shoe with a serial number, the first cards burned."""
    return [*introduced(7), *events(*READY[:4], *({**line, "device": "shoe"} for line in READY[4:]))]


def written(folder: Path, *lines: Line, name: str = "T-1") -> Journal:
    """The journal of an open table with these inputs."""
    return Played(folder / "journal", name, "baccarat", BEGUN).play([*opened(), *events(*lines)])


def facts_of(entries: Sequence[bytes]) -> list[Fact]:
    """The facts of entries, from the header on."""
    fold = LogFold()
    return list(itertools.chain.from_iterable(fold.take(number, data) for number, data in enumerate(entries)))

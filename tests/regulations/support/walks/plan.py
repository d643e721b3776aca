"""The plan of the exhaustive walk of a game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module

from tests.regulations.support.profiles import Json

Path = tuple[Json, ...]
States = tuple[str, str, str]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The walk of one profile."""

    table: Json
    asks_in: Sequence[StrEnum]
    starts: Sequence[Path]
    reachable: frozenset[tuple[str, str]]


@dataclass(frozen=True, kw_only=True)
class GameWalk:
    """The walks of a game: ``tests/regulations/support/walks/GAME.py`` calls it ``WALK``.

    Attributes:
        handed_on: the inputs that the shoe game must hand to the round.
        unreached: inputs that never reach the round in a state.
    """

    plans: Mapping[str, Plan]
    resting: Sequence[StrEnum]
    inputs: Mapping[str, Sequence[Json]] = field(default_factory=dict)
    ways: Sequence[Json] = ()
    handed_on: frozenset[str]
    unreached: frozenset[tuple[str, str]] = frozenset()


def walk_of(game: str) -> GameWalk:
    """The walk of a game; its module may import the game, so it is loaded only where the game is enforced."""
    walk = import_module(f"tests.regulations.support.walks.{game}").WALK
    if not isinstance(walk, GameWalk):
        raise TypeError(f"WALK of {game} is no GameWalk")
    return walk


def leap(ready: Sequence[Json], out: int, card: str, by: Sequence[str], bets: Json) -> Path:
    """So many cards out, by a gap in the device's count that voids the first round."""
    return (
        *ready,
        bets,
        {"event": "card", "card": card, "count": out},
        {"event": "resolve", "irregularity": 1, "action": "void", "by": list(by)},
        {"event": "round_closed"},
    )

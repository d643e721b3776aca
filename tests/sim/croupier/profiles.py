"""Table profiles of every game that is enforced, with every value of every option, for equipment of every kind."""

import re
from typing import Any

from regulations.events.inputs import Authorisation, Table
from regulations.events.vocabulary import EquipmentKind, Game
from regulations.games.registry import GAMES
from regulations.law.game_law import Option

AT = "2025-01-06T12:00:00.000000Z"
MOST_DECKS = 8


def profile(game: Game, equipment: EquipmentKind, options: dict[str, Any], decks: int | None = None) -> Table:
    """A table of a game; the options have the authorisations that they may need."""
    law = GAMES[game].law
    fewest, most = law.equipment[equipment].decks
    wanted = {**options, "equipment": equipment}
    return Table(
        table_id="T-1",
        game=game,
        decks=max(fewest, min(most or MOST_DECKS, MOST_DECKS)) if decks is None else decks,
        seats=max(law.seats, 7),
        equipment=equipment,
        options=options,
        authorisations=[
            Authorisation(option=name, value=value, reference="1", requested="2024-01-02", effective="2024-02-01")
            for name, value in wanted.items()
        ],
        at=AT,
    )


def materials() -> list[tuple[Game, EquipmentKind]]:
    """Every game with every equipment."""
    return [(game.law.game, kind) for game in GAMES.values() for kind in game.law.equipment]


def values(option: Option) -> list[Any]:
    """Values that an option allows, found in its own words; of a range its ends."""
    words = re.findall(r'"(\w+)"', option.allowed)
    numbers = [int(number) for number in re.findall(r"\b(\d+)\b", option.allowed)]
    lists = [words, *([word] for word in words)]
    return [value for value in (*words, *numbers, True, False, *lists) if option.accepts(value)]


def variants() -> list[tuple[Game, EquipmentKind, dict[str, Any]]]:
    """Every game with every equipment, and with each other value of each option that has an effect there."""
    found: list[tuple[Game, EquipmentKind, dict[str, Any]]] = []
    for game, kind in materials():
        found.append((game, kind, {}))
        for option in GAMES[game].law.options:
            if not option.on or kind in option.on:
                found += [(game, kind, {option.name: value}) for value in values(option) if value != option.default]
    return [one for one in found if not _is_excluded(*one)]


def _is_excluded(game: Game, kind: EquipmentKind, options: dict[str, Any]) -> bool:
    wanted = {**{one.name: one.default for one in GAMES[game].law.options}, **options, "equipment": kind}
    pairs = [(one.first, one.second) for one in GAMES[game].law.exclusions]
    return any(all(wanted.get(name) == value for name, value in pair) for pair in pairs)

"""The profile of a demonstrated table, and its dealing device."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from cardshoe.cli.sim.kinds import Simulated, simulated_kinds
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.setup.games import game_by_name
from regulations.events.inputs import Authorisation, Table
from regulations.events.vocabulary import EquipmentKind
from regulations.law.game_law import GameLaw
from regulations.law.stakes import UNTRACKED
from regulations.play.context.game import Game

DECKS_MAX: Final = 8
SEATS: Final = 7
LIMITS: Final = {"least": 10_000, "most": 5_000_000}
REFERENCE: Final = "demonstration"
"""Replaces an authorisation of the DICJ."""


class _Source(NamedTuple):
    name: str
    equipment: EquipmentKind
    simulated: Simulated | None = None


def profile_of(
    name: str, asked: str | None, *, linked: bool, untracked: bool, table_id: str = "demo"
) -> tuple[Table, Simulated | None]:
    """The profile and dealing device of a demonstration; ``None``: plain equipment.

    Raises:
        Stop: game not enforced, equipment not allowed by its regulation, or no such machine.
    """
    game = game_by_name(name)
    law = game.law
    known: dict[str, _Source] = {}
    for one in _machines(law) if linked else _sources(law):
        known.setdefault(one.name, one)
    source = known.get(asked or next(iter(known), ""))
    if source is None:
        how = " that reports its cards itself" if linked else ""
        what = f"{law.game} cannot be dealt from {asked!r}{how}"
        raise Stop(what, f"Choose one of: {', '.join(known)}.", Exit.USAGE)
    wants = {} if source.simulated is None else source.simulated.family.wants
    options: dict[str, Any] = {option: value for option, value in wants.items() if law.option(option) is not None}
    if untracked:
        options["stakes"] = UNTRACKED
    else:
        options["limits"] = dict.fromkeys(sorted(game.sheet.bets.all), LIMITS)
    equipment = source.equipment
    table = Table(
        table_id=table_id,
        game=law.game,
        decks=_decks(game, equipment),
        seats=max(SEATS, law.seats),
        equipment=equipment,
        options=options,
        authorisations=[_authorisation(equipment)] if equipment in law.authorised_equipment else [],
    )
    return table, source.simulated


def _machines(law: GameLaw) -> Iterator[_Source]:
    machines = [one for one in simulated_kinds() if one.kind.is_machine]
    for equipment in law.equipment:
        yield from (_Source(equipment, equipment, one) for one in machines if one.kind.equipment == equipment)


def _sources(law: GameLaw) -> Iterator[_Source]:
    fitting = [
        _Source(one.family.name, one.kind.equipment, one)
        for one in simulated_kinds()
        if one.kind.equipment in law.equipment and (not one.family.games or law.game in one.family.games)
    ]
    yield from (one for one in fitting if one.simulated is not None and one.simulated.family.games)
    yield from (_Source(equipment, equipment) for equipment in law.equipment)
    yield from (one for one in fitting if one.simulated is not None and not one.simulated.family.games)


def _decks(game: Game, equipment: EquipmentKind) -> int:
    fewest, most = game.law.equipment[equipment].decks
    return max(fewest, DECKS_MAX if most is None else min(most, DECKS_MAX))


def _authorisation(equipment: EquipmentKind) -> Authorisation:
    return Authorisation(
        option="equipment", value=equipment, reference=REFERENCE, requested="2005-09-01", effective="2005-10-03"
    )

"""The profile of a table that is shown, and what it deals from."""

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
"""Limits of each bet, in minor units; simulated players stay within them."""
REFERENCE: Final = "demonstration"
"""Stands for an authorisation of the DICJ; the cards of a demonstration are nobody's money."""


class _Source(NamedTuple):
    """What can be dealt from: a simulated device, or plain equipment."""

    name: str
    equipment: EquipmentKind
    simulated: Simulated | None = None


def profile_of(
    name: str, asked: str | None, *, linked: bool, untracked: bool, table_id: str = "demo"
) -> tuple[Table, Simulated | None]:
    """The profile of a table that is shown, and the simulated device that it deals from; ``None``: plain equipment.

    Args:
        name: of the game.
        asked: the equipment, or the family of a simulated device; ``None``: the usual one.
        linked: the equipment is a machine that reports its cards itself.
        untracked: the stakes are not recorded.
        table_id: its id.

    Raises:
        Stop: this edition does not enforce the game, or its regulation does not deal from this equipment, or there is
            no such machine.
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
    """The equipment of which there is a machine, in the order of the law."""
    machines = [one for one in simulated_kinds() if one.kind.is_machine]
    for equipment in law.equipment:
        yield from (_Source(equipment, equipment, one) for one in machines if one.kind.equipment == equipment)


def _sources(law: GameLaw) -> Iterator[_Source]:
    """Devices made for this game, then plain equipment, then devices for any game."""
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

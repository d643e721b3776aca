"""The profile of a table that is shown, and what it deals from."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from cardshoe.process.exits import Exit, Stop
from cardshoe.table.setup.games import game_by_name
from firmware_bridge.interlock import ActKind
from regulations.events.inputs import Authorisation, Table
from regulations.events.vocabulary import EquipmentKind
from regulations.law.stakes import UNTRACKED
from regulations.play.context.game import Game
from sim.tdp.hands import TdpKind

DECKS_MAX: Final = 8
SEATS: Final = 7
ANGEL_EYE: Final = "angel_eye"
Source = Literal["angel_eye"] | EquipmentKind
"""What is dealt from: the simulated Angel Eye shoe, or plain equipment of a kind."""
MACHINES: Final[Mapping[TdpKind, Sequence[ActKind]]] = {
    "shoe": (ActKind.LOCK, ActKind.LET_DRAW),
    "shuffler_dealer": (ActKind.LOCK, ActKind.DISPENSE, ActKind.ACCEPT_RETURN),
    "shuffler": (ActKind.DISPENSE, ActKind.SHUFFLE),
}
"""Equipment that is simulated with its electronics, and what the table may tell it."""
REFERENCE: Final = "demonstration"
"""Stands for an authorisation of the DICJ; the cards of a demonstration are nobody's money."""


def profile_of(
    name: str, asked: Source | None, *, linked: bool, untracked: bool, table_id: str = "demo"
) -> tuple[Table, Source]:
    """The profile of a table that is shown, and what it deals from.

    Args:
        name: of the game.
        asked: what it shall deal from; ``None``: what is usual.
        linked: whether the equipment has electronics that speak TDP.
        untracked: whether the table is not told the stakes.
        table_id: its id.

    Raises:
        Stop: this edition does not enforce the game, or its regulation does not deal from this equipment, or the
            equipment has no electronics that speak TDP.
    """
    game = game_by_name(name)
    law = game.law
    known: list[Source] = [ANGEL_EYE] if law.game == "baccarat" else []
    known += law.equipment
    if linked:
        known = [one for one in known if one in MACHINES]
    source = known[0] if asked is None else asked
    equipment: EquipmentKind = "shoe" if source == ANGEL_EYE else source
    if source not in known:
        how = " that speaks TDP" if linked else ""
        raise Stop(
            f"{law.game} cannot be dealt from {source!r}{how}", f"Choose one of: {', '.join(known)}.", Exit.USAGE
        )
    # What an Angel Eye shoe does with an overdrawn card.
    options = {"overdrawn_card": "next_round"} if source == ANGEL_EYE else {}
    if untracked:
        options["stakes"] = UNTRACKED
    table = Table(
        table_id=table_id,
        game=law.game,
        decks=_decks(game, equipment),
        seats=max(SEATS, law.seats),
        equipment=equipment,
        options=options,
        authorisations=[_authorisation(equipment)] if equipment in law.authorised_equipment else [],
    )
    return table, source


def _decks(game: Game, equipment: EquipmentKind) -> int:
    fewest, most = game.law.equipment[equipment].decks
    return max(fewest, DECKS_MAX if most is None else min(most, DECKS_MAX))


def _authorisation(equipment: EquipmentKind) -> Authorisation:
    return Authorisation(
        option="equipment", value=equipment, reference=REFERENCE, requested="2005-09-01", effective="2005-10-03"
    )

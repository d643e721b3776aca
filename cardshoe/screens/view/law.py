"""The facts that the law has fixed for a table."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UnsetType

from cardshoe.screens.view.parts import Profile
from regulations.events import codec
from regulations.events.results import Result
from regulations.events.vocabulary import EquipmentKind
from regulations.games.registry import SHEETS
from regulations.law.sheet import Sheet
from regulations.law.stakes import are_recorded


def sheet_of(profile: Profile) -> Sheet:
    """The sheet of the table's game."""
    return SHEETS[profile.game]


def result_of(profile: Profile, result: Mapping[str, Any] | UnsetType) -> Result | None:
    """The verdict on a round, as the view keeps it; ``None``: there is none."""
    return None if isinstance(result, UnsetType) else codec.result_of(sheet_of(profile).result, result)


def equipment_of(profile: Profile) -> Sequence[EquipmentKind]:
    """The equipment from which the game may be dealt."""
    return list(sheet_of(profile).law.equipment)


def stakes_are_told(profile: Profile) -> bool:
    """True if the table is told the stakes."""
    return are_recorded(profile.options)


def cards_behind(profile: Profile) -> int:
    """How many cards usually are behind the cut card."""
    return sheet_of(profile).law.cards_behind(profile.options)

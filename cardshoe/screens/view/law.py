"""Facts that the law fixes for a table."""

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
    return SHEETS[profile.game]


def result_of(profile: Profile, result: Mapping[str, Any] | UnsetType) -> Result | None:
    return None if isinstance(result, UnsetType) else codec.result_of(sheet_of(profile).result, result)


def equipment_of(profile: Profile) -> Sequence[EquipmentKind]:
    return list(sheet_of(profile).law.equipment)


def stakes_are_known(profile: Profile) -> bool:
    return are_recorded(profile.options)


def cards_behind(profile: Profile) -> int:
    return sheet_of(profile).law.cards_behind(profile.options)

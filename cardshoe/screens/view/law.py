"""The facts that the law has fixed for a table: its equipment, its cut card, whether stakes are told."""

from collections.abc import Sequence
from typing import Final

from cardshoe.screens.view.parts import Profile
from regulations.events.vocabulary import EquipmentKind
from regulations.games.registry import SHEETS
from regulations.law.stakes import are_told

_BEHIND: Final = 14
"""Cards behind the cut card where no option says how many (55/2004 art. 2.º-1: about twelve)."""


def equipment_of(profile: Profile) -> Sequence[EquipmentKind]:
    """The equipment from which the game may be dealt."""
    return list(SHEETS[profile.game].law.equipment)


def stakes_are_told(profile: Profile) -> bool:
    """True if the table is told the stakes."""
    return are_told(profile.options)


def cards_behind(profile: Profile) -> int:
    """How many cards usually lie behind the cut card: as the table's option says, else as the law lets it."""
    least, most = SHEETS[profile.game].law.cut_card_behind
    return int(profile.options.get("cut_card_behind", min(most, max(least, _BEHIND))))

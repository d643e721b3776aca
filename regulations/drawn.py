"""A card that left the device, on its way to a place."""

from dataclasses import dataclass
from typing import Final

from regulations.cards import Card
from regulations.events.inputs import Claimed
from regulations.events.vocabulary import Target

Place = tuple[Target, int]
"""Whose card it is and its position in that hand, from 1; burned cards have position 0."""

BURN_PLACE: Final[Place] = ("burn", 0)


@dataclass(slots=True, kw_only=True)
class Drawn:
    """A card that left the device.

    Attributes:
        card: which one; ``None`` while nobody knows.
        face_up: whether it left the device face up, for all to see.
        unseen: whether it is regular that nothing read it.
        claimed: where the device believes that it goes.
        place: where it lies by the regulation; ``None`` while it has no place.
        is_open: whether it lies face up now.
    """

    card: Card | None
    face_up: bool = False
    unseen: bool = False
    claimed: Claimed | None = None
    place: Place | None = None
    is_open: bool = False

    @property
    def shown(self) -> Card | None:
        """The card if it lies open, else ``None`` (reading G8)."""
        return self.card if self.is_open or self.face_up else None

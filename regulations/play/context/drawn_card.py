"""A card that left the device, on its way to a place."""

from enum import StrEnum, auto, unique
from typing import Final, NamedTuple

import msgspec

from regulations.events.cards import Card
from regulations.events.inputs import ClaimedPosition
from regulations.events.vocabulary import Target


class CardOwner(NamedTuple):
    """``seat`` and ``hand`` count from 1; 0: none."""

    to: Target
    seat: int = 0
    hand: int = 0


class CardPosition(NamedTuple):
    """Owner and position, from 1; burned cards: 0."""

    to: Target
    position: int = 0
    seat: int = 0
    hand: int = 0

    @property
    def owner(self) -> CardOwner:
        """The owner of the card."""
        return CardOwner(self.to, self.seat, self.hand)

    def __str__(self) -> str:
        where = f"{self.to} {self.seat}" if self.seat else str(self.to)
        hand = f", hand {self.hand}" if self.hand > 1 else ""
        return f"{where}{hand}, card {self.position}" if self.position else where


BURN_PLACE: Final = CardPosition("burn")


@unique
class CardStatus(StrEnum):
    """``WAITING``: it left before a decision (reading J30)."""

    COUNTS = auto()
    BURNED = auto()
    HELD = auto()
    ACCEPTED = auto()
    WAITING = auto()


class DrawnCard(msgspec.Struct, kw_only=True):
    """A card that left the device.

    Attributes:
        left: number among all cards, from 1; fractional if inserted later.
        unseen: it is regular that no device read it.
        left_blocked: it cannot be a hit (reading J30).
        decides: it is a hit by itself (reading J30).
    """

    card: Card | None
    face_up: bool = False
    unseen: bool = False
    claimed: ClaimedPosition | None = None
    was_read: bool = False
    is_counted: bool = False
    was_misread: bool = False
    left: float = 0
    place: CardPosition | None = None
    is_open: bool = False
    status: CardStatus = CardStatus.COUNTS
    was_irregular: bool = False
    was_named: bool = False
    was_held: bool = False
    held_though_due: bool = False
    left_blocked: bool = False
    decides: bool = False

    @property
    def waits(self) -> bool:
        return self.place is None and self.status not in (CardStatus.HELD, CardStatus.WAITING)

    @property
    def shown(self) -> Card | None:
        """The card if it lies open, else ``None`` (reading G8)."""
        return self.card if self.is_open or self.face_up else None

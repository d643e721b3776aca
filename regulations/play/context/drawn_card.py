"""A card that left the device, on its way to a place."""

from enum import StrEnum, auto, unique
from typing import Final, NamedTuple

import msgspec

from regulations.events.cards import Card
from regulations.events.inputs import ClaimedPosition
from regulations.events.vocabulary import Target


class CardOwner(NamedTuple):
    """Whose cards they are; ``seat`` and ``hand`` count from 1 and are 0 where the owner has none."""

    to: Target
    seat: int = 0
    hand: int = 0


class CardPosition(NamedTuple):
    """Where a card lies: its owner and its position in that hand, from 1; burned cards have position 0."""

    to: Target
    position: int = 0
    seat: int = 0
    hand: int = 0

    @property
    def owner(self) -> CardOwner:
        """Whose card it is."""
        return CardOwner(self.to, self.seat, self.hand)

    def __str__(self) -> str:
        where = f"{self.to} {self.seat}" if self.seat else str(self.to)
        hand = f", hand {self.hand}" if self.hand > 1 else ""
        return f"{where}{hand}, card {self.position}" if self.position else where


BURN_PLACE: Final = CardPosition("burn")


@unique
class CardStatus(StrEnum):
    """The fate of a card: it counts, as every card does at first, is burned, held, or valid after all.

    ``WAITING``: it left before a decision, and goes to the hand to which it is due after that (reading J30).
    """

    COUNTS = auto()
    BURNED = auto()
    HELD = auto()
    ACCEPTED = auto()
    WAITING = auto()


class DrawnCard(msgspec.Struct, kw_only=True):
    """A card that left the device.

    Attributes:
        card: which one; ``None`` while nobody knows.
        face_up: whether it left the device face up, for all to see.
        unseen: whether it is regular that nothing read it.
        claimed: where the device believes that it goes.
        was_read: whether a device reported which card it is.
        is_counted: whether a device counted it.
        was_misread: whether persons have named it anew since.
        left: its number among all cards that ever left, from 1; one that was never told has one between two of them.
        place: where it lies by the regulation; ``None`` while it has no place.
        is_open: whether it lies face up now.
        fate: what persons said of it.
        was_irregular: whether an irregularity about it was opened before the round's result.
        was_named: whether persons said which it is: copies that lie face down no longer speak against it.
        was_held: whether it waited for the open round since the one before.
        held_though_due: whether persons hold it for the next round although this one had a place for it, from which
            what held the deal kept it.
        left_blocked: whether it is no decision by itself (reading J30): it left while an irregularity was open, or two
            people let it wait.
        decides: whether it is the hit of the hand that was asked (reading J30).
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
        """True if an irregularity of its own is open, or another one before it: it has no place yet."""
        return self.place is None and self.status not in (CardStatus.HELD, CardStatus.WAITING)

    @property
    def shown(self) -> Card | None:
        """The card if it lies open, else ``None`` (reading G8)."""
        return self.card if self.is_open or self.face_up else None

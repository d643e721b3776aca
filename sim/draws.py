"""The cards that come into a hand that pulls at a device."""

import msgspec

from regulations.events.cards import Card


class ShoeMisuse(RuntimeError):
    """Hands tried what the box does not let them, such as pushing back a card that is not there."""


class PulledCard(msgspec.Struct, frozen=True):
    """A card that left a device, and what the device told of it: ``None`` if it told no card."""

    card: Card
    told: Card | None


class Draw(msgspec.Struct, frozen=True):
    """The result of a pull: no card from an empty device, two in a double feed; or the cut card alone."""

    cards: tuple[PulledCard, ...] = ()
    cut_card: bool = False

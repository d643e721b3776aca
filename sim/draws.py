"""The cards that come into a hand that pulls at a device."""

import msgspec

from regulations.events.cards import Card


class ShoeMisuse(RuntimeError):
    """Hands tried what the box does not allow."""


class PulledCard(msgspec.Struct, frozen=True):
    card: Card
    told: Card | None


class Draw(msgspec.Struct, frozen=True):
    """No card, one, two in a double feed, or the cut card."""

    cards: tuple[PulledCard, ...] = ()
    cut_card: bool = False

"""Events that a device reports and stores until the host has them (``docs/protocols/tdp.md``, section 9).

``count``: cards that left since ``StackLoaded`` or emptying, this event included, modulo 2¹⁶. ``card``: None if unread.
``permit``: that of the ``Unlock`` or ``Dispense`` under which a card left, else 0.
"""

from dataclasses import dataclass, field
from typing import Final

import msgspec

from protocols.tdp.codes import Face
from regulations.events.cards import Card

PACKET_MAX: Final = 32
"""Cards in a packet at most: more than any game deals at once."""


class EventKey(msgspec.Struct, frozen=True, order=True):
    """Unique, ordered key of an event within a device.

    Attributes:
        boot: the device's boot count, 1 to 2³²−1.
        number: of the event within that boot, from 1 without a gap.
    """

    boot: int
    number: int


@dataclass(frozen=True, slots=True)
class DeviceEvent:
    """The part that all events share.

    Attributes:
        boot: the device's boot count, 0 to 2³²−1 on the wire and 1 or more in use.
        raw: the message as it travelled, with its length; empty for an event that did not come over a line.
    """

    boot: int
    number: int
    raw: bytes = field(default=b"", init=False, compare=False, repr=False)

    @property
    def key(self) -> EventKey:
        """The key, unique in the journal together with the device."""
        return EventKey(self.boot, self.number)


@dataclass(frozen=True, slots=True)
class CardDrawn(DeviceEvent):
    """A card was drawn.

    Attributes:
        count: 0 to 65535; see above.
        card: what was read, or None.
        confidence: of the reading, 0 to 100 %; 0 with a card that was not read.
    """

    count: int
    card: Card | None
    face: Face
    confidence: int
    permit: int = 0


@dataclass(frozen=True, slots=True)
class PacketDispensed(DeviceEvent):
    """A packet of 1 to 32 cards was dispensed, in the order in which they lie, bottom first."""

    count: int
    cards: tuple[Card | None, ...]
    permit: int = 0


@dataclass(frozen=True, slots=True)
class CutCardDrawn(DeviceEvent):
    """The cut card came; it does not count in ``count``."""

    count: int


@dataclass(frozen=True, slots=True)
class StackLoaded(DeviceEvent):
    """A stack of ``cards`` cards is in the device; 0: it was made empty. ``count`` starts at 0 again."""

    cards: int


@dataclass(frozen=True, slots=True)
class ShuffleStarted(DeviceEvent):
    """A shuffle began."""


@dataclass(frozen=True, slots=True)
class ShuffleDone(DeviceEvent):
    """A shuffle ended with ``cards`` cards, counted."""

    cards: int


@dataclass(frozen=True, slots=True)
class CardsReturned(DeviceEvent):
    """``cards`` cards were put back into the device."""

    cards: int


@dataclass(frozen=True, slots=True)
class CoverOpened(DeviceEvent):
    """Cover number ``cover``, from 0, was opened."""

    cover: int


@dataclass(frozen=True, slots=True)
class CoverClosed(DeviceEvent):
    """Cover number ``cover``, from 0, was closed."""

    cover: int


@dataclass(frozen=True, slots=True)
class Fault(DeviceEvent):
    """A fault began: ``code`` (``FaultCode`` where known), in ``module``, the maker's number of the part."""

    code: int
    module: int


@dataclass(frozen=True, slots=True)
class FaultCleared(DeviceEvent):
    """The fault ``code`` in ``module`` ended."""

    code: int
    module: int


@dataclass(frozen=True, slots=True)
class KeyTurned(DeviceEvent):
    """The key switch was turned to ``position``, from 0; 0 is for dealing."""

    position: int


@dataclass(frozen=True, slots=True)
class PowerRestored(DeviceEvent):
    """The device started: event 1 of each boot, so that a boot with lost events is noticed.

    Attributes:
        previous_boot: boot of the last event before this start that was no ``PowerRestored``, 0 if there was none.
        previous_last: that event's number, 0 if there was none.
    """

    previous_boot: int
    previous_last: int
    reason: int

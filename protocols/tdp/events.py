"""Events that a device stores until the host has them (``docs/protocols/tdp.md``, section 9).

``count``: cards since ``StackLoaded``, modulo 2¹⁶; ``permit`` 0: none; ``card`` None: unread.
"""

from dataclasses import dataclass, field
from typing import Final

import msgspec

from protocols.tdp.codes import Face
from regulations.events.cards import Card

PACKET_MAX: Final = 32
"""More than any game deals at once."""


class EventKey(msgspec.Struct, frozen=True, order=True):
    """``boot`` is 1 to 2³²−1; ``number`` counts within it, from 1 without a gap."""

    boot: int
    number: int


@dataclass(frozen=True, slots=True)
class DeviceEvent:
    """The part that all events share.

    Attributes:
        raw: as it travelled, with its length; empty: it came over no line.
    """

    boot: int
    number: int
    raw: bytes = field(default=b"", init=False, compare=False, repr=False)

    @property
    def key(self) -> EventKey:
        """Unique in the journal together with the device."""
        return EventKey(self.boot, self.number)


@dataclass(frozen=True, slots=True)
class CardDrawn(DeviceEvent):
    """A card was drawn.

    Attributes:
        confidence: 0 to 100 %; 0 with an unread card.
    """

    count: int
    card: Card | None
    face: Face
    confidence: int
    permit: int = 0


@dataclass(frozen=True, slots=True)
class PacketDispensed(DeviceEvent):
    """1 to 32 cards in the order in which they lie, bottom first."""

    count: int
    cards: tuple[Card | None, ...]
    permit: int = 0


@dataclass(frozen=True, slots=True)
class CutCardDrawn(DeviceEvent):
    """It does not count in ``count``."""

    count: int


@dataclass(frozen=True, slots=True)
class StackLoaded(DeviceEvent):
    """``cards`` 0: made empty; ``count`` starts at 0 again."""

    cards: int


@dataclass(frozen=True, slots=True)
class ShuffleStarted(DeviceEvent):
    """A shuffle began."""


@dataclass(frozen=True, slots=True)
class ShuffleDone(DeviceEvent):
    cards: int


@dataclass(frozen=True, slots=True)
class CardsReturned(DeviceEvent):
    cards: int


@dataclass(frozen=True, slots=True)
class CoverOpened(DeviceEvent):
    """``cover`` counts from 0."""

    cover: int


@dataclass(frozen=True, slots=True)
class CoverClosed(DeviceEvent):
    """``cover`` counts from 0."""

    cover: int


@dataclass(frozen=True, slots=True)
class Fault(DeviceEvent):
    """``module`` is the maker's number of the part."""

    code: int
    module: int


@dataclass(frozen=True, slots=True)
class FaultCleared(DeviceEvent):
    code: int
    module: int


@dataclass(frozen=True, slots=True)
class KeyTurned(DeviceEvent):
    """``position`` counts from 0; 0 is for dealing."""

    position: int


@dataclass(frozen=True, slots=True)
class PowerRestored(DeviceEvent):
    """Event 1 of each boot, so that a boot with lost events is noticed.

    Attributes:
        previous_boot: of the last other event; 0: none.
        previous_last: its number; 0: none.
    """

    previous_boot: int
    previous_last: int
    reason: int

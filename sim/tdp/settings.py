"""Settings of a simulated TDP device."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from protocols.tdp.handshake import Security, Terms
from protocols.tdp.tls import TlsContext
from sim.firmware.board import FirmwareBoard
from sim.tdp.hostile import Hostile
from sim.tdp.identity import SimIdentity

PLAIN: Final = Terms(security=Security.PLAIN)

SHELVES: Final = 38
ROOM_FACTOR: Final = 1.25
"""Places on all shelves, per card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TdpMachineSettings:
    """A device's identity and abilities.

    Attributes:
        identity: None: the kind's own.
        signer: None: the device does not attest.
        keeps_events: events survive a power cut (capability 9).
        keeps_answers: the last 16 answers survive it.
        remembers_roots: stores roots of the host's journal (capability 10).
        reads: reads cards (capability 2).
        shelves: of a carousel, at least 2.
        shelf_cards: None: as many as the decks need.
        board: flash and boot loader; None: its firmware never changes.
    """

    identity: SimIdentity | None = None
    terms: Terms = field(default=PLAIN)
    context: TlsContext | None = None
    signer: Callable[[bytes], bytes] | None = None
    keeps_events: bool = True
    keeps_answers: bool = True
    tells_restarts: bool = True
    remembers_roots: bool = True
    reads: bool = True
    dispenses: bool = True
    shelves: int = SHELVES
    shelf_cards: int | None = None
    buffer_cards: int = 8
    board: FirmwareBoard | None = None
    hostile: frozenset[Hostile] = frozenset()

    def __post_init__(self) -> None:
        if self.shelves < 2 or self.buffer_cards < 1 or (self.shelf_cards is not None and self.shelf_cards < 1):  # noqa: PLR2004  # as documented above
            raise ValueError("a carousel has 2 shelves or more, a shelf and the buffer room for 1 card or more")

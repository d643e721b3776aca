"""Commands of the host to a device (``docs/protocols/tdp.md``, section 10).

``id``, 1 to 2³²−1, is higher than that of every earlier command; a repeated id is answered again and not executed
again. Commands that release cards carry ``permit``, 0 to 2³²−1, which the device reports with the cards; 0: no permit.
"""

from typing import Final

import msgspec

from protocols.tdp.codes import Capability, Lamp, LampMode


class EventAcknowledged(msgspec.Struct, frozen=True):
    """Every event up to and including this one is durable at the host; not a command."""

    boot: int
    number: int


class DeviceCommand(msgspec.Struct, frozen=True):
    """The part that all commands share: ``id``."""

    id: int


class Shuffle(DeviceCommand, frozen=True):
    """Shuffle the stack. ``Done`` means begun; ``ShuffleStarted`` and ``ShuffleDone`` tell the rest."""


class Dispense(DeviceCommand, frozen=True):
    """Dispense a packet of ``cards`` cards, 1 to 32, under ``permit``."""

    cards: int
    permit: int = 0


class Unlock(DeviceCommand, frozen=True):
    """Let ``cards`` cards be drawn by hand, 1 to 65535, under ``permit``; then lock."""

    cards: int
    permit: int = 0


class Lock(DeviceCommand, frozen=True):
    """Let no card be drawn, whatever was allowed before."""


class AcceptReturn(DeviceCommand, frozen=True):
    """Take back the cards that are put into the entry."""


class Eject(DeviceCommand, frozen=True):
    """Give out the whole stack, without telling its order."""


class ClearFault(DeviceCommand, frozen=True):
    """Try to end the fault ``code`` in ``module``; ``FaultCleared`` says that it worked."""

    code: int
    module: int


class SetLamp(DeviceCommand, frozen=True):
    """Switch a lamp."""

    lamp: Lamp
    mode: LampMode


class ReadMeters(DeviceCommand, frozen=True):
    """Answer with ``Meters``, then ``Done``."""


class Attest(DeviceCommand, frozen=True):
    """Answer with ``Attestation`` over ``nonce``, 32 bytes drawn at random by the host, then ``Done``."""

    nonce: bytes


class RememberRoot(DeviceCommand, frozen=True):
    """Remember the size and root of a host's log; a log never shrinks and has one root at each size.

    Attributes:
        log: SHA-256 of the log's name, 32 bytes.
        size: its entries, 1 to 2⁶⁴−1.
        root: of the tree over them, 32 bytes.
    """

    log: bytes
    size: int
    root: bytes


class RecallRoot(DeviceCommand, frozen=True):
    """Answer with ``RootRemembered`` of ``log``, then ``Done``."""

    log: bytes


NEEDED: Final[dict[type[DeviceCommand], Capability]] = {
    Shuffle: Capability.SHUFFLES,
    Dispense: Capability.DISPENSES,
    Unlock: Capability.LOCKS,
    AcceptReturn: Capability.TAKES_RETURNS,
    Eject: Capability.EJECTS,
    Attest: Capability.ATTESTS,
    RememberRoot: Capability.REMEMBERS_ROOTS,
    RecallRoot: Capability.REMEMBERS_ROOTS,
}
"""The capability that a command needs (section 10); a command that is not here, every device takes."""

"""Commands of the host to a device (``docs/protocols/tdp.md``, section 10).

``id``, 1 to 2³²−1, grows; a repeated one is not executed again. ``permit`` 0: none.
"""

from typing import Final

import msgspec

from protocols.tdp.codes import Capability, Lamp, LampMode


class EventAcknowledged(msgspec.Struct, frozen=True):
    """All events up to this one are durable; not a command."""

    boot: int
    number: int


class DeviceCommand(msgspec.Struct, frozen=True):
    id: int


class Shuffle(DeviceCommand, frozen=True):
    """``Done`` means begun."""


class Dispense(DeviceCommand, frozen=True):
    """``cards`` is 1 to 32."""

    cards: int
    permit: int = 0


class Unlock(DeviceCommand, frozen=True):
    """``cards`` is 1 to 65535; then lock."""

    cards: int
    permit: int = 0


class Lock(DeviceCommand, frozen=True):
    """Let no card be drawn, whatever was allowed before."""


class AcceptReturn(DeviceCommand, frozen=True):
    """Take back the cards that are put into the entry."""


class Eject(DeviceCommand, frozen=True):
    """Give out the whole stack, without its order."""


class ClearFault(DeviceCommand, frozen=True):
    """``FaultCleared`` says that it worked."""

    code: int
    module: int


class SetLamp(DeviceCommand, frozen=True):
    lamp: Lamp
    mode: LampMode


class ReadMeters(DeviceCommand, frozen=True):
    """Answer with ``Meters``, then ``Done``."""


class Attest(DeviceCommand, frozen=True):
    """``Attestation`` over ``nonce``, 32 random bytes, then ``Done``."""

    nonce: bytes


class RememberRoot(DeviceCommand, frozen=True):
    """A log never shrinks and has one root at each size.

    Attributes:
        log: SHA-256 of its name, 32 bytes.
        size: entries, 1 to 2⁶⁴−1.
        root: 32 bytes.
    """

    log: bytes
    size: int
    root: bytes


class RecallRoot(DeviceCommand, frozen=True):
    """``RootRemembered`` of ``log``, then ``Done``."""

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
"""Every device takes a command that is not here (section 10)."""

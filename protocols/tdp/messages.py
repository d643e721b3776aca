"""A device's identity, state and results (``docs/protocols/tdp.md``, section 8)."""

from dataclasses import dataclass

import msgspec

from protocols.tdp.codes import BootState, Capability, Condition, DeviceState
from protocols.tdp.commands import DeviceCommand, EventAcknowledged
from protocols.tdp.events import DeviceEvent

SIGNATURE_MAX = 512
"""RSA of 4096 bits; Ed25519 and ECDSA take far less."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message of every session.

    Attributes:
        maker: at most 24 printable ASCII characters, as the other texts.
        image_digest: SHA-256 of the running image, 32 bytes.
        security_counter: never lower than that of any image that ran.
        boot_count: 1 to 2³²−1, one higher with each start, never reset.
    """

    message_version: int
    maker: str
    model: str
    serial: str
    hardware_revision: int
    firmware_version: str
    image_digest: bytes
    security_counter: int
    boot_count: int
    boot_reason: int
    capabilities: Capability


@dataclass(frozen=True, slots=True)
class Status:
    """Sent after ``Hello`` and at each change; only the newest counts.

    Attributes:
        stack_cards: 0 to 65535; how many, never which.
        fault_code: of the first fault that holds, else 0.
    """

    state: DeviceState
    conditions: Condition
    key_position: int
    stack_cards: int
    count: int
    fault_code: int
    fault_module: int


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Sent every second.

    Attributes:
        last_number: of its last event in this boot: a host that has fewer expects more.
    """

    uptime_s: int
    boot: int
    last_number: int
    pending: int


class Done(msgspec.Struct, frozen=True):
    id: int


class Refused(msgspec.Struct, frozen=True):
    """Permanently; ``reason`` is a ``RefusalReason`` where known."""

    id: int
    reason: int


@dataclass(frozen=True, slots=True)
class Meters:
    """Since manufacture; they only grow."""

    id: int
    shuffles_done: int
    shuffles_failed: int
    cards_per_shuffle: int
    cards_read: int
    cards_not_read: int
    misfeeds: int
    power_cycles: int
    cover_openings: int


@dataclass(frozen=True, slots=True)
class Attestation:
    """Section 11 says what ``signature``, 0 to 512 bytes, covers.

    Attributes:
        nonce: that of the command, 32 bytes.
    """

    id: int
    nonce: bytes
    image_digest: bytes
    security_counter: int
    boot_state: BootState
    signature: bytes


@dataclass(frozen=True, slots=True)
class RootRemembered:
    """The answer to ``RecallRoot``.

    Attributes:
        size: the largest it was given; 0: none.
        root: 32 bytes; zeros: none.
    """

    id: int
    log: bytes
    size: int
    root: bytes
    logs: int


Report = Hello | Status | Heartbeat | Done | Refused | Meters | Attestation | RootRemembered
Message = Report | DeviceEvent | DeviceCommand | EventAcknowledged

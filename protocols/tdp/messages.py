"""Messages of a device other than events: identity, state and results (``docs/protocols/tdp.md``, section 8)."""

from dataclasses import dataclass

import msgspec

from protocols.tdp.codes import BootState, Capability, Condition, DeviceState
from protocols.tdp.commands import DeviceCommand, EventAcknowledged
from protocols.tdp.events import DeviceEvent

SIGNATURE_MAX = 512
"""Bytes: an RSA signature of 4096 bits; Ed25519 and ECDSA take far less."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message of every session.

    Attributes:
        message_version: of the messages, 1.
        maker: at most 24 printable ASCII characters, as ``model`` and ``serial``.
        hardware_revision: 0 to 65535.
        firmware_version: at most 24 printable ASCII characters.
        image_digest: SHA-256 of the running firmware image, 32 bytes.
        security_counter: of the running image; a device starts none with a lower one than it ever started.
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
    """State of the device: sent after ``Hello`` and at each change; only the newest counts.

    Attributes:
        key_position: of the key switch, from 0.
        stack_cards: cards in the device, 0 to 65535; how many, never which.
        fault_code: of the first fault that holds, else 0.
        fault_module: its module, else 0.
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
    """Sign of life of the device's application, sent every second.

    Attributes:
        last_number: number of its last event in this boot: a host that has fewer expects more.
    """

    uptime_s: int
    boot: int
    last_number: int
    pending: int


class Done(msgspec.Struct, frozen=True):
    """The command ``id`` was done."""

    id: int


class Refused(msgspec.Struct, frozen=True):
    """The command ``id`` is refused for ``reason`` (``RefusalReason`` where known), permanently."""

    id: int
    reason: int


@dataclass(frozen=True, slots=True)
class Meters:
    """Counters of the device since manufacture; they only grow. ``id`` is that of ``ReadMeters``."""

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
    """Facts that the device's key vouches for. ``id`` is that of ``Attest``; section 11 says what ``signature`` covers.

    Attributes:
        nonce: that of the command, 32 bytes.
        image_digest: SHA-256 of the running image, 32 bytes.
        signature: 0 to 512 bytes.
    """

    id: int
    nonce: bytes
    image_digest: bytes
    security_counter: int
    boot_state: BootState
    signature: bytes


@dataclass(frozen=True, slots=True)
class RootRemembered:
    """The device's memory of a log: the answer to ``RecallRoot``.

    Attributes:
        size: the largest that it was given of this log; 0 if it remembers none.
        root: that goes with it, 32 bytes; zeros if it remembers none.
    """

    id: int
    log: bytes
    size: int
    root: bytes
    logs: int


Report = Hello | Status | Heartbeat | Done | Refused | Meters | Attestation | RootRemembered
Message = Report | DeviceEvent | DeviceCommand | EventAcknowledged

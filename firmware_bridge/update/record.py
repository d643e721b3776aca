"""The record of updates: an entry for each applied rule, durable before the act."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import msgspec
from msgspec import Struct

from firmware_bridge.trust.acts import Update
from firmware_bridge.update.codes import UpdateCode
from firmware_bridge.update.errors import UpdateRefused
from firmware_bridge.update.states import UpdateState, UpdateStep, UpdateTrigger


class AttestationEvidence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    version: str
    digest: str
    security_counter: int
    boot_state: str
    nonce: str
    signature: str
    certificate: str


class UpdateApprovers(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    by: tuple[str, str]
    at: str
    registry: str


class UpdateEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One applied rule.

    Attributes:
        at: RFC 3339, UTC.
        code: reason of an end or a way back; else empty.
    """

    at: str
    trigger: UpdateTrigger
    state: UpdateState
    act: UpdateStep | None = None
    code: str = ""
    detail: str = ""
    by: str = ""
    update: Update | None = None
    approval: UpdateApprovers | None = None
    evidence: AttestationEvidence | None = None


Record = Callable[[UpdateEntry], None]
"""Durably; it raises if not, and nothing is done."""

_decoder = msgspec.json.Decoder(UpdateEntry)


def encode(entry: UpdateEntry) -> bytes:
    return msgspec.json.encode(entry)


def decode(data: bytes) -> UpdateEntry:
    """The entry in some bytes.

    Raises:
        UpdateRefused: not an entry (``record_damaged``).
    """
    try:
        return _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UpdateRefused(UpdateCode.RECORD_DAMAGED, f"no entry of an update: {error}") from error


def newest(entries: Sequence[UpdateEntry]) -> Sequence[UpdateEntry]:
    first = max((index for index, entry in enumerate(entries) if entry.trigger is UpdateTrigger.STAGE), default=None)
    return () if first is None else entries[first:]


def stamp(moment: datetime) -> str:
    """RFC 3339, UTC, microseconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

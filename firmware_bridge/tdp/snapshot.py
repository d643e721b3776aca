"""What is remembered of a TDP device, without the bytes of its events (``firmware_bridge.memory``)."""

import msgspec

from firmware_bridge.tdp.identity import Identity
from protocols.tdp.events import EventKey


class HistorySnapshot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One unit's events.

    Attributes:
        last: the last one that is durable.
        last_other: the last one that was no start of the device.
    """

    last: EventKey | None
    last_other: EventKey | None


class TranslationSnapshot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What its events mean.

    Attributes:
        count: cards since the stack was loaded.
        is_dealing: whether a stack is in it that is dealt from.
        faults: that hold, by name.
    """

    count: int
    is_dealing: bool
    faults: list[str]


class TdpSnapshot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The device.

    Attributes:
        identity: who it is, if it said so.
        is_identified: whether the log has been told.
        is_lost: whether its link was lost.
        cards_out: whether cards of its stack are out.
        meaning: what its events mean.
        history: its events.
        others: the units that stood under its name before it, each with its events.
    """

    identity: Identity | None
    is_identified: bool
    is_lost: bool
    cards_out: bool
    meaning: TranslationSnapshot
    history: HistorySnapshot
    others: list[tuple[tuple[str, str, str], HistorySnapshot]]

"""The updates that block their device, from their records."""

from collections.abc import Sequence
from typing import Final

from firmware_bridge.update.codes import UpdateCode
from firmware_bridge.update.record import UpdateEntry
from firmware_bridge.update.states import FINAL, OBSERVATIONS, ON_DEVICE, UpdateState, UpdateTrigger

OFF_THE_TABLE: Final = frozenset(
    {
        UpdateCode.TRIAL_UNASKED,
        UpdateCode.CONFIRMED_UNASKED,
        UpdateCode.UNKNOWN_FIRMWARE,
        UpdateCode.STATES_DIFFER,
        UpdateCode.CANNOT_REVERT,
    }
)


def unsettled(entries: Sequence[UpdateEntry]) -> UpdateEntry | None:
    """From ``closed`` on an update blocks until confirmed, reverted, or observed to be unnecessary."""
    stands: UpdateEntry | None = None
    before: UpdateEntry | None = None
    state = UpdateState.STAGED
    for entry in entries:
        is_in_doubt = entry.code in OFF_THE_TABLE or state is UpdateState.REVERTING
        if entry.trigger is UpdateTrigger.STAGE:
            before = stands
        elif entry.state in ON_DEVICE or (entry.state is UpdateState.REFUSED and is_in_doubt):
            stands = entry
        elif entry.state in FINAL:
            # What a person ended without a look leaves the device as the update before it did.
            was_seen = entry.trigger in OBSERVATIONS and entry.trigger is not UpdateTrigger.UNTRUE
            stands = None if was_seen else before
        state = entry.state
    return stands

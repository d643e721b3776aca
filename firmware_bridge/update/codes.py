"""Why an update is refused, and who can put it right; what a device fails in its verdict has the codes of ``trust``."""

from enum import StrEnum
from typing import Final

from firmware_bridge.trust.codes import (
    AUTHORITY,
    CALLER,
    MAKER,
    PERSONS,
    RESOLUTIONS,
    TECHNICIAN,
    Code,
    Resolution,
)


class UpdateCode(StrEnum):
    """Why an update, or a step of it, is refused."""

    FILE_DIFFERS = "file_differs"
    WRONG_MODEL = "wrong_model"
    LOWER_COUNTER = "lower_counter"
    NOT_STAGED = "not_staged"
    UPDATE_OPEN = "update_open"
    NOT_NOW = "not_now"
    NOT_AUTHORISED = "not_authorised"
    STALE_APPROVAL = "stale_approval"
    TABLE_OPEN = "table_open"
    CANCELLED = "cancelled"
    ALREADY_RUNS = "already_runs"
    DEVICE_SILENT = "device_silent"
    DEVICE_STRANGE = "device_strange"
    SERVICE_SILENT = "service_silent"
    SERVICE_GARBAGE = "service_garbage"
    SERVICE_REFUSED = "service_refused"
    TRANSFER_FAILED = "transfer_failed"
    TRIAL_FAILED = "trial_failed"
    TRIAL_UNASKED = "trial_unasked"
    CONFIRMED_UNASKED = "confirmed_unasked"
    NOT_KEPT = "not_kept"
    UNKNOWN_FIRMWARE = "unknown_firmware"
    STATES_DIFFER = "states_differ"
    CANNOT_REVERT = "cannot_revert"
    RECORD_DAMAGED = "record_damaged"


_OFF_THE_TABLE: Final = "Take the device off the table; no game with it until its maker has looked."

UPDATE_RESOLUTIONS: Final[dict[UpdateCode, Resolution]] = {
    UpdateCode.FILE_DIFFERS: Resolution(
        MAKER, "Have the file and its entry in the approved list compared: they differ."
    ),
    UpdateCode.WRONG_MODEL: Resolution(
        CALLER, "Name a firmware for this model; `cardshoe trust firmware list` shows all."
    ),
    UpdateCode.LOWER_COUNTER: Resolution(MAKER, "Ask for a newer firmware: this one is older than what runs."),
    UpdateCode.NOT_STAGED: Resolution(CALLER, "Begin with `cardshoe update stage`."),
    UpdateCode.UPDATE_OPEN: Resolution(CALLER, "Finish the open update (`cardshoe update run`) or cancel it."),
    UpdateCode.NOT_NOW: Resolution(CALLER, "Look at `cardshoe update status` for what comes next."),
    UpdateCode.NOT_AUTHORISED: Resolution(PERSONS, "Have two persons approve it: `cardshoe update authorise`, twice."),
    UpdateCode.STALE_APPROVAL: Resolution(PERSONS, "Cancel it, stage it again, and approve it on the day it is done."),
    UpdateCode.TABLE_OPEN: Resolution(TECHNICIAN, "Close the table (`closed`), and stop `cardshoe run`."),
    UpdateCode.CANCELLED: Resolution(CALLER, "Stage it again, if it is wanted after all."),
    UpdateCode.ALREADY_RUNS: Resolution(CALLER, "Nothing needs to be done: this firmware runs already."),
    UpdateCode.DEVICE_SILENT: Resolution(
        TECHNICIAN, "Check power and cable, switch the device off and on, then `cardshoe update run` again."
    ),
    UpdateCode.DEVICE_STRANGE: Resolution(
        TECHNICIAN, "Compare the certificates of table and device with what was enrolled, and `device_name` with both."
    ),
    UpdateCode.SERVICE_SILENT: Resolution(
        TECHNICIAN, "Turn the device's key to its service position, check the cable, then run it again."
    ),
    UpdateCode.SERVICE_GARBAGE: Resolution(
        TECHNICIAN, "Check that the port is this device's service port and the cable sound; then run it again."
    ),
    UpdateCode.SERVICE_REFUSED: Resolution(MAKER, "Show its maker the number with which the device refused."),
    UpdateCode.TRANSFER_FAILED: Resolution(
        TECHNICIAN, "Replace the cable; if it fails again, show the device to its maker."
    ),
    UpdateCode.TRIAL_FAILED: Resolution(
        MAKER, "The device runs as before. Ask the maker why the new firmware did not start."
    ),
    UpdateCode.TRIAL_UNASKED: Resolution(TECHNICIAN, "Find out who else updates this device; then stage it again."),
    UpdateCode.CONFIRMED_UNASKED: Resolution(TECHNICIAN, _OFF_THE_TABLE),
    UpdateCode.NOT_KEPT: Resolution(
        MAKER, "The device runs as before. Ask the maker why it did not keep what was confirmed."
    ),
    UpdateCode.UNKNOWN_FIRMWARE: Resolution(TECHNICIAN, _OFF_THE_TABLE),
    UpdateCode.STATES_DIFFER: Resolution(TECHNICIAN, _OFF_THE_TABLE),
    UpdateCode.CANNOT_REVERT: Resolution(TECHNICIAN, _OFF_THE_TABLE),
    UpdateCode.RECORD_DAMAGED: Resolution(AUTHORITY, "Verify the update log, and find out who wrote to it."),
}
"""For each code; a test sees that none is missing."""


def resolution_of(code: str) -> Resolution | None:
    """Who can resolve a code, of an update or of a verdict, and how; ``None`` for what is none."""
    if code in UpdateCode.__members__.values():
        return UPDATE_RESOLUTIONS[UpdateCode(code)]
    return RESOLUTIONS[Code(code)] if code in Code.__members__.values() else None

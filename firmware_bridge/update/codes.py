"""Reasons to refuse an update, and the responsible roles."""

from enum import StrEnum
from typing import Final

from firmware_bridge.trust.codes import (
    AUTHORITY,
    CALLER,
    MAKER,
    PERSONS,
    RESOLUTIONS,
    TECHNICIAN,
    Remedy,
    TrustCode,
)


class UpdateCode(StrEnum):
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

UPDATE_RESOLUTIONS: Final[dict[UpdateCode, Remedy]] = {
    UpdateCode.FILE_DIFFERS: Remedy(MAKER, "Have the file and its entry in the approved list compared: they differ."),
    UpdateCode.WRONG_MODEL: Remedy(CALLER, "Name a firmware for this model; `cardshoe trust firmware list` shows all."),
    UpdateCode.LOWER_COUNTER: Remedy(MAKER, "Ask for a newer firmware: this one is older than what runs."),
    UpdateCode.NOT_STAGED: Remedy(CALLER, "Begin with `cardshoe update stage`."),
    UpdateCode.UPDATE_OPEN: Remedy(CALLER, "Finish the open update (`cardshoe update run`) or cancel it."),
    UpdateCode.NOT_NOW: Remedy(CALLER, "Look at `cardshoe update status` for what comes next."),
    UpdateCode.NOT_AUTHORISED: Remedy(PERSONS, "Have two persons approve it: `cardshoe update authorise`, twice."),
    UpdateCode.STALE_APPROVAL: Remedy(PERSONS, "Cancel it, stage it again, and approve it on the day it is done."),
    UpdateCode.TABLE_OPEN: Remedy(TECHNICIAN, "Close the table (`closed`), and stop `cardshoe run`."),
    UpdateCode.CANCELLED: Remedy(CALLER, "Stage it again, if it is wanted after all."),
    UpdateCode.ALREADY_RUNS: Remedy(CALLER, "Nothing needs to be done: this firmware runs already."),
    UpdateCode.DEVICE_SILENT: Remedy(
        TECHNICIAN, "Check power and cable, switch the device off and on, then `cardshoe update run` again."
    ),
    UpdateCode.DEVICE_STRANGE: Remedy(
        TECHNICIAN, "Compare the certificates of table and device with what was enrolled, and `device_name` with both."
    ),
    UpdateCode.SERVICE_SILENT: Remedy(
        TECHNICIAN, "Turn the device's key to its service position, check the cable, then run it again."
    ),
    UpdateCode.SERVICE_GARBAGE: Remedy(
        TECHNICIAN, "Check that the port is this device's service port and the cable sound; then run it again."
    ),
    UpdateCode.SERVICE_REFUSED: Remedy(MAKER, "Show its maker the number with which the device refused."),
    UpdateCode.TRANSFER_FAILED: Remedy(
        TECHNICIAN, "Replace the cable; if it fails again, show the device to its maker."
    ),
    UpdateCode.TRIAL_FAILED: Remedy(
        MAKER, "The device runs as before. Ask the maker why the new firmware did not start."
    ),
    UpdateCode.TRIAL_UNASKED: Remedy(TECHNICIAN, "Find out who else updates this device; then stage it again."),
    UpdateCode.CONFIRMED_UNASKED: Remedy(TECHNICIAN, _OFF_THE_TABLE),
    UpdateCode.NOT_KEPT: Remedy(
        MAKER, "The device runs as before. Ask the maker why it did not keep what was confirmed."
    ),
    UpdateCode.UNKNOWN_FIRMWARE: Remedy(TECHNICIAN, _OFF_THE_TABLE),
    UpdateCode.STATES_DIFFER: Remedy(TECHNICIAN, _OFF_THE_TABLE),
    UpdateCode.CANNOT_REVERT: Remedy(TECHNICIAN, _OFF_THE_TABLE),
    UpdateCode.RECORD_DAMAGED: Remedy(AUTHORITY, "Verify the update log, and find out who wrote to it."),
}


def resolution_of(code: str) -> Remedy | None:
    if code in UpdateCode.__members__.values():
        return UPDATE_RESOLUTIONS[UpdateCode(code)]
    return RESOLUTIONS[TrustCode(code)] if code in TrustCode.__members__.values() else None

"""How far an update is, what is seen of its device, and what can be done to it."""

from enum import StrEnum
from typing import Final


class UpdateState(StrEnum):
    """How far an update is."""

    STAGED = "staged"
    """A person has named device and firmware."""
    VERIFIED = "verified"
    """The file is the firmware that maker and regulator approved, for this device."""
    AUTHORISED = "authorised"
    """Two persons have approved exactly this update."""
    CLOSED = "closed"
    """The table is closed, and the file may be sent."""
    TRANSFERRED = "transferred"
    """The device holds it, whole."""
    TESTING = "testing"
    """The trial was requested."""
    ATTESTED = "attested"
    """The device's key has signed that it runs for trial; it may be kept."""
    REVERTING = "reverting"
    """It is not to be kept: the device goes back."""
    CONFIRMED = "confirmed"
    """The device has attested that it keeps it."""
    REVERTED = "reverted"
    """The device has attested that the firmware of before runs, and keeps nothing of the new one in wait."""
    REFUSED = "refused"
    """A check failed; a person must look."""
    ABANDONED = "abandoned"
    """Given up before the device had anything to try."""


FINAL: Final = frozenset({UpdateState.CONFIRMED, UpdateState.REVERTED, UpdateState.REFUSED, UpdateState.ABANDONED})
"""Nothing follows; another update may be staged."""
ON_DEVICE: Final = frozenset(
    {UpdateState.CLOSED, UpdateState.TRANSFERRED, UpdateState.TESTING, UpdateState.ATTESTED, UpdateState.REVERTING}
)
"""States in which the device may be changed, after an observation."""


class UpdateTrigger(StrEnum):
    """Triggers of an update."""

    STAGE = "stage"
    VERIFY = "verify"
    MISMATCH = "mismatch"
    """The file, or what is approved, is not what was staged."""
    AUTHORISE = "authorise"
    LAPSE = "lapse"
    """The approval is too old, or no longer that of two persons of this site."""
    CLOSE = "close"
    CANCEL = "cancel"

    SILENT = "silent"
    """The device did not answer in time, on one of its two lines."""
    UNTRUE = "untrue"
    """The device shows something that does not hold."""
    RUNS_OLD = "runs_old"
    """The firmware of before runs, confirmed; the new one is not there."""
    HOLDS_NEW = "holds_new"
    """As above, and the new one lies whole in the other slot."""
    AWAITS_TRIAL = "awaits_trial"
    """As above, and the next start tries it."""
    RUNS_TRIAL = "runs_trial"
    """The new one runs, for trial: the next start would go back."""
    KEEPS_NEW = "keeps_new"
    """The new one runs since a trial, and the device says that it is confirmed; a start has to show it."""
    RUNS_NEW = "runs_new"
    """The new one runs, confirmed."""


OBSERVATIONS: Final = (
    UpdateTrigger.SILENT,
    UpdateTrigger.UNTRUE,
    UpdateTrigger.RUNS_OLD,
    UpdateTrigger.HOLDS_NEW,
    UpdateTrigger.AWAITS_TRIAL,
    UpdateTrigger.RUNS_TRIAL,
    UpdateTrigger.KEEPS_NEW,
    UpdateTrigger.RUNS_NEW,
)
"""All observations of a device; in each state of its update there is a rule for each."""

OLD_RUNS: Final = frozenset({UpdateTrigger.RUNS_OLD, UpdateTrigger.HOLDS_NEW, UpdateTrigger.AWAITS_TRIAL})
"""In these the firmware of before runs, confirmed."""


class UpdateStep(StrEnum):
    """Acts on a device. Each can be done again: a device that has done it takes no harm."""

    UPLOAD = "upload"
    TRY = "try"
    RESTART = "restart"
    CONFIRM = "confirm"
    ERASE = "erase"
    WAIT = "wait"
    """Nothing now; a person has to see to the device."""


MOST: Final = {
    UpdateStep.UPLOAD: 6,
    UpdateStep.TRY: 6,
    UpdateStep.RESTART: 8,
    UpdateStep.CONFIRM: 6,
    UpdateStep.ERASE: 6,
}
"""Most repetitions of each step in one update, counted in its record."""

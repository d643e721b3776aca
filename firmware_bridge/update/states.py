"""States, observations and steps of an update."""

from enum import StrEnum
from typing import Final


class UpdateState(StrEnum):
    STAGED = "staged"
    VERIFIED = "verified"
    """The file is what maker and regulator approved, for this device."""
    AUTHORISED = "authorised"
    """Two persons approved exactly this update."""
    CLOSED = "closed"
    TRANSFERRED = "transferred"
    """The device holds the file, whole."""
    TESTING = "testing"
    ATTESTED = "attested"
    """The device has signed that it runs for trial; it may be kept."""
    REVERTING = "reverting"
    CONFIRMED = "confirmed"
    REVERTED = "reverted"
    """The firmware of before runs, attested, and nothing new waits."""
    REFUSED = "refused"
    ABANDONED = "abandoned"
    """Given up before the device had anything to try."""


FINAL: Final = frozenset({UpdateState.CONFIRMED, UpdateState.REVERTED, UpdateState.REFUSED, UpdateState.ABANDONED})
ON_DEVICE: Final = frozenset(
    {UpdateState.CLOSED, UpdateState.TRANSFERRED, UpdateState.TESTING, UpdateState.ATTESTED, UpdateState.REVERTING}
)


class UpdateTrigger(StrEnum):
    STAGE = "stage"
    VERIFY = "verify"
    MISMATCH = "mismatch"
    AUTHORISE = "authorise"
    LAPSE = "lapse"
    """The approval is too old, or not of two persons of this site."""
    CLOSE = "close"
    CANCEL = "cancel"

    SILENT = "silent"
    UNTRUE = "untrue"
    RUNS_OLD = "runs_old"
    """The firmware of before runs, confirmed; the new one is missing."""
    HOLDS_NEW = "holds_new"
    """As above, and the new one lies whole in the other slot."""
    AWAITS_TRIAL = "awaits_trial"
    """As above, and the next start tries it."""
    RUNS_TRIAL = "runs_trial"
    """The new one runs, for trial: the next start would go back."""
    KEEPS_NEW = "keeps_new"
    """The new one runs since a trial, confirmed as the device says; a start has to show it."""
    RUNS_NEW = "runs_new"


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

OLD_RUNS: Final = frozenset({UpdateTrigger.RUNS_OLD, UpdateTrigger.HOLDS_NEW, UpdateTrigger.AWAITS_TRIAL})


class UpdateStep(StrEnum):
    """Each can be done again without harm."""

    UPLOAD = "upload"
    TRY = "try"
    RESTART = "restart"
    CONFIRM = "confirm"
    ERASE = "erase"
    WAIT = "wait"
    """A person has to see to the device."""


MOST: Final = {
    UpdateStep.UPLOAD: 6,
    UpdateStep.TRY: 6,
    UpdateStep.RESTART: 8,
    UpdateStep.CONFIRM: 6,
    UpdateStep.ERASE: 6,
}
"""In one update, counted in its record."""

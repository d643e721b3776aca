"""Which record of updates keeps a device off the table, by docs/update.md ("At the table meanwhile")."""

import pytest

from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.update.codes import UpdateCode
from firmware_bridge.update.record import UpdateEntry
from firmware_bridge.update.states import UpdateState, UpdateTrigger
from firmware_bridge.update.unsettled import unsettled

S, T = UpdateState, UpdateTrigger
Step = tuple[UpdateTrigger, UpdateState] | tuple[UpdateTrigger, UpdateState, str]
STAGED: list[Step] = [(T.STAGE, S.STAGED), (T.VERIFY, S.VERIFIED), (T.AUTHORISE, S.AUTHORISED)]
CLOSED: list[Step] = [*STAGED, (T.CLOSE, S.CLOSED)]
SENT: list[Step] = [*CLOSED, (T.RUNS_OLD, S.CLOSED), (T.HOLDS_NEW, S.TRANSFERRED)]
TRIED: list[Step] = [*SENT, (T.AWAITS_TRIAL, S.TESTING)]
STUCK: list[Step] = [*TRIED, (T.SILENT, S.REVERTING), (T.AWAITS_TRIAL, S.REFUSED, UpdateCode.CANNOT_REVERT)]
GIVEN_UP: Step = (T.CANCEL, S.ABANDONED, UpdateCode.CANCELLED)


def entries(*steps: Step) -> list[UpdateEntry]:
    return [
        UpdateEntry(at="2026-11-22T02:10:00.000000Z", trigger=one[0], state=one[1], code="".join(one[2:]))
        for one in steps
    ]


@pytest.mark.parametrize(
    "steps",
    [
        [],
        STAGED,
        [*STAGED, GIVEN_UP],
        [*STAGED, (T.MISMATCH, S.REFUSED, UpdateCode.FILE_DIFFERS)],
        [*CLOSED, GIVEN_UP],
        [*CLOSED, (T.LAPSE, S.ABANDONED, UpdateCode.STALE_APPROVAL)],
        [*CLOSED, (T.UNTRUE, S.REFUSED, TrustCode.FIRMWARE_UNAPPROVED)],
        [*CLOSED, (T.RUNS_OLD, S.REFUSED, UpdateCode.LOWER_COUNTER)],
        [*CLOSED, (T.RUNS_NEW, S.ABANDONED, UpdateCode.ALREADY_RUNS)],
        [*TRIED, (T.RUNS_TRIAL, S.ATTESTED), (T.RUNS_NEW, S.CONFIRMED)],
        [*TRIED, (T.RUNS_OLD, S.REVERTED, UpdateCode.TRIAL_FAILED)],
        [*STUCK, *TRIED, (T.RUNS_OLD, S.REVERTED, UpdateCode.TRIAL_FAILED)],
        [*STUCK, *CLOSED, (T.RUNS_NEW, S.ABANDONED, UpdateCode.ALREADY_RUNS)],
    ],
)
def test_nothing_waits_in_the_device(steps: list[Step]) -> None:
    assert unsettled(entries(*steps)) is None


@pytest.mark.parametrize(
    ("steps", "state"),
    [
        (CLOSED, S.CLOSED),
        (SENT, S.TRANSFERRED),
        (TRIED, S.TESTING),
        ([*TRIED, (T.RUNS_TRIAL, S.ATTESTED)], S.ATTESTED),
        ([*TRIED, (T.CANCEL, S.REVERTING, UpdateCode.CANCELLED)], S.REVERTING),
        (STUCK, S.REFUSED),
        ([*TRIED, (T.KEEPS_NEW, S.REFUSED, UpdateCode.CONFIRMED_UNASKED)], S.REFUSED),
        ([*CLOSED, (T.UNTRUE, S.REFUSED, UpdateCode.TRIAL_UNASKED)], S.REFUSED),
        ([*TRIED, (T.SILENT, S.REVERTING), (T.UNTRUE, S.REFUSED, TrustCode.REVOKED)], S.REFUSED),
    ],
)
def test_a_device_of_which_nobody_knows_what_it_starts(steps: list[Step], state: UpdateState) -> None:
    found = unsettled(entries(*steps))
    assert found is not None
    assert found.state is state


@pytest.mark.parametrize("ended", [STAGED, [*STAGED, GIVEN_UP], [*CLOSED, GIVEN_UP]])
def test_an_update_that_was_given_up_settles_nothing_of_the_one_before(ended: list[Step]) -> None:
    """Whoever stages one and cancels it would else open the table to the device in doubt."""
    found = unsettled(entries(*STUCK, *ended))
    assert found is not None
    assert found.code == UpdateCode.CANNOT_REVERT

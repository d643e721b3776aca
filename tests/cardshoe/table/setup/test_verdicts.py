"""The verdict on a device, in words."""

import pytest

from cardshoe.table.setup.verdicts import judged_text, refusals_of
from firmware_bridge.trust.codes import RESOLUTIONS, TrustCode
from regulations.events.notices import DeviceCheck, DeviceJudged

HELD = DeviceCheck(check="certificate", ok=True, code="ok")


def refused(*checks: DeviceCheck, serial: str = "SN-1") -> DeviceJudged:
    return DeviceJudged(
        device="shoe", verdict="refused", maker="Acme", model="Shoe 9", serial=serial, checks=[HELD, *checks]
    )


def test_every_check_that_failed_is_there_with_who_can_resolve_it() -> None:
    said = judged_text(
        refused(
            DeviceCheck(check="attestation", ok=False, code="digest_differs", detail="it says two things"),
            DeviceCheck(check="firmware", ok=False, code="firmware_unapproved", detail="6.6.6 is not approved"),
        )
    )
    assert said.splitlines() == [
        "shoe: NOT ADMITTED: Acme Shoe 9 SN-1",
        "    attestation: it says two things [digest_differs]",
        "      technician: Take the device off the table: it contradicts itself about its firmware.",
        "    firmware: 6.6.6 is not approved [firmware_unapproved]",
        "      regulator: Update the device to an approved firmware, or have this one approved.",
    ]


@pytest.mark.parametrize("code", TrustCode)
def test_each_code_of_the_log_has_somebody_who_can_resolve_it(code: TrustCode) -> None:
    ((what, remedy),) = refusals_of(refused(DeviceCheck(check="identity", ok=False, code=code.value, detail="so")))
    assert what == f"identity: so [{code.value}]"
    assert remedy == f"{RESOLUTIONS[code].who}: {RESOLUTIONS[code].remedy}"


def test_a_code_of_a_later_version_is_shown_as_it_is() -> None:
    assert refusals_of(refused(DeviceCheck(check="mood", ok=False, code="sulks"))) == [("mood:  [sulks]", "")]


def test_one_that_cannot_attest_is_marked() -> None:
    event = DeviceJudged(
        device="shoe", verdict="cannot_attest", maker="Angel", model="Eye", serial="47", by=["anna", "bruno"]
    )
    assert judged_text(event) == (
        "shoe: CANNOT ATTEST: nothing on its line shows that it is Angel Eye 47; anna and bruno admitted it"
    )


def test_what_nobody_judged_is_no_news() -> None:
    assert judged_text(DeviceJudged(device="shoe", verdict="not_judged", serial="SN-1")) == ""


def test_one_that_never_said_who_it_is_has_no_name() -> None:
    failed = DeviceCheck(check="certificate", ok=False, code="expired", detail="certificate has expired")
    event = DeviceJudged(device="shoe", verdict="refused", checks=[failed])
    assert judged_text(event).splitlines()[0] == "shoe: NOT ADMITTED"

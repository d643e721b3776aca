"""Judging by a site's folder: when it cannot be used, and what a table remembers of it."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from firmware_bridge.admission.site_verifier import SiteVerifier
from firmware_bridge.admission.trust_memory import FILE, TrustMemory
from firmware_bridge.trust import keys
from firmware_bridge.trust.acts import Renewal
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import TrustError
from firmware_bridge.trust.facts import DeviceEvidence, Unit
from firmware_bridge.trust.site import FIRMWARE
from firmware_bridge.trust.verification import attested
from protocols.tdp.codes import BootReason, BootState, Capability
from protocols.tdp.messages import Attestation
from regulations.events.notices import DeviceJudged
from regulations.events.vocabulary import DeviceVerdict
from tests.firmware_bridge.admission.sites import TodaysSite, identity
from tests.firmware_bridge.trust.houses import DEVICE_KEY

NONCE = bytes(range(32))


def presented(site: TodaysSite, version: str = "1.1.0", counter: int = 2) -> DeviceEvidence:
    """The evidence that the enrolled device shows."""
    hello = identity(version, counter).hello(1, BootReason.POWER_ON, Capability.ATTESTS)
    told = Attestation(1, NONCE, hello.image_digest, counter, BootState.VERIFIED, b"")
    signature = keys.sign(DEVICE_KEY, attested(told))
    told = Attestation(1, NONCE, hello.image_digest, counter, BootState.VERIFIED, signature)
    certificate = site.house.registry.book.devices[0].certificate
    return DeviceEvidence(certificate=certificate, hello=hello, nonce=NONCE, attestation=told)


def judge(site: TodaysSite, later: timedelta = timedelta()) -> SiteVerifier:
    """A judge as after each start of the table."""
    return SiteVerifier(site.folder, TrustMemory(site.folder.parent / FILE), lambda: site.today + later)


def codes(
    site: TodaysSite, later: timedelta = timedelta(), shown: DeviceEvidence | None = None
) -> list[tuple[str, str]]:
    found = judge(site, later).attesting(shown or presented(site))
    assert (found.verdict == "refused") is bool(found.refusals)
    return [(one.name, one.code.value) for one in found.refusals]


def test_it_admits_what_is_enrolled(site: TodaysSite) -> None:
    found = judge(site).attesting(presented(site))
    assert (found.verdict, found.by, found.unit) == ("admitted", ("anna", "bruno"), Unit("Acme", "Shuffler 9", "SN-1"))
    assert found.registry == str(site.house.registry.head)


def test_the_highest_counter_outlasts_a_restart(site: TodaysSite) -> None:
    assert codes(site, shown=presented(site, "1.0.0", 1)) == []
    assert codes(site) == []
    assert codes(site, shown=presented(site, "1.0.0", 1)) == [("firmware", "counter_went_back")]
    (site.folder.parent / FILE).unlink()
    assert codes(site, shown=presented(site, "1.0.0", 1)) == []


def test_a_refused_device_raises_no_counter(site: TodaysSite) -> None:
    assert codes(site, shown=presented(site, "9.9.9", 9)) == [("firmware", "firmware_unapproved")]
    assert codes(site) == []


def test_an_old_copy_of_the_registry_judges_nobody(site: TodaysSite, tmp_path: Path) -> None:
    shutil.copytree(site.folder, tmp_path / "old")
    site.revoke()
    assert codes(site) == [("enrolment", "revoked")]
    (site.folder / "registry.jsonl").write_bytes((tmp_path / "old" / "registry.jsonl").read_bytes())
    assert codes(site) == [("registry", "registry_went_back")]
    with pytest.raises(TrustError) as refused:
        judge(site).open()
    assert (refused.value.code, refused.value.who) == (TrustCode.REGISTRY_WENT_BACK, "keeper of the site authority")


def test_a_clock_that_was_set_back_judges_nobody(site: TodaysSite) -> None:
    judge(site, timedelta(days=1)).open()
    assert codes(site, timedelta(days=1)) == []
    assert codes(site, timedelta(hours=23)) == [("registry", "clock_went_back")]
    found = judge(site).plain("shoe", "angel_eye", "/dev/a", None)
    assert [one.code for one in found.refusals] == [TrustCode.CLOCK_WENT_BACK]
    assert codes(site, timedelta(days=1, minutes=-4)) == [], "a time server may set it so far"


def test_an_old_list_of_firmware_judges_nobody(site: TodaysSite, tmp_path: Path) -> None:
    """It has not ended, and every signature of it holds; but the regulator has taken an approval back since."""
    firmware = site.folder / FIRMWARE
    shutil.copytree(firmware, tmp_path / "old")
    site.publish(lambda makers: makers.publication.withdraw("acme/shuffler-9/1.1.0.img", site.today))
    assert codes(site) == [("firmware", "regulator_missing")]
    shutil.rmtree(firmware)
    shutil.copytree(tmp_path / "old", firmware)
    assert codes(site) == [("firmware", "rolled_back")]
    with pytest.raises(TrustError, match="has version 3, but the newest seen here had 4") as refused:
        judge(site).firmware()
    assert refused.value.code == TrustCode.ROLLED_BACK


def test_a_new_anchor_begins_with_lists_of_its_own(site: TodaysSite, tmp_path: Path) -> None:
    seen = TrustMemory(tmp_path / FILE)
    seen.record_list("a" * 64, 7)
    again = TrustMemory(tmp_path / FILE)
    again.check_list("a" * 64, 7)
    again.check_list("b" * 64, 1)
    again.record_list("b" * 64, 1)
    TrustMemory(tmp_path / FILE).check_list("a" * 64, 1)
    assert codes(site) == []


def judged(seq: int, verdict: DeviceVerdict = "admitted", counter: int = 3) -> DeviceJudged:
    """A verdict as a journal holds it."""
    return DeviceJudged(
        device="shoe",
        verdict=verdict,
        maker="Acme",
        model="Shuffler 9",
        serial="SN-1",
        security_counter=counter,
        registry=f"{seq}:{seq:064x}",
    )


def test_what_journals_hold_of_verdicts_is_remembered_where_it_is_newer(tmp_path: Path) -> None:
    path, unit = tmp_path / FILE, Unit("Acme", "Shuffler 9", "SN-1")
    seen = TrustMemory(path)
    seen.recall(judged(5))
    written = path.read_bytes()
    for older in (judged(4, counter=2), judged(5, "refused", 9), judged(5)):
        seen.recall(older)
    assert path.read_bytes() == written
    seen.recall(DeviceJudged(device="shoe", verdict="refused", registry="whatever it says"))
    seen.recall(judged(6, "refused", 9))
    again = TrustMemory(path)
    assert (str(again.head), again.counter(unit)) == (f"6:{6:064x}", 3)


@pytest.mark.parametrize(
    ("file", "code"),
    [("registry.jsonl", "registry_altered"), ("authority.pem", "file_damaged")],
)
def test_a_folder_that_was_altered_judges_nobody(site: TodaysSite, file: str, code: str) -> None:
    shown = presented(site)
    data = (site.folder / file).read_bytes()
    (site.folder / file).write_bytes(data[:200] + b"x" + data[201:])
    assert codes(site, shown=shown) == [("registry", code)]
    with pytest.raises(TrustError) as refused:
        judge(site).open()
    assert refused.value.code == code


def test_a_list_of_the_revoked_that_is_none_refuses(site: TodaysSite) -> None:
    (site.folder / "revoked.pem").write_text("nothing")
    assert codes(site) == [("enrolment", "file_damaged")]


def test_without_approved_firmware_no_device_that_attests_is_admitted(site: TodaysSite) -> None:
    shutil.rmtree(site.folder / "firmware")
    assert codes(site) == [("firmware", "no_approved_list")]


def test_when_the_newest_stick_has_ended_none_is(site: TodaysSite) -> None:
    site.house.renew(site.today + timedelta(days=90))
    assert codes(site, timedelta(days=91)) == [("firmware", "frozen")]


def test_a_list_of_the_revoked_counts_until_its_end_and_the_days_of_grace(site: TodaysSite) -> None:
    assert codes(site, timedelta(days=30 + 7, seconds=-2)) == []
    assert codes(site, timedelta(days=30 + 7, seconds=2)) == [("enrolment", "revoked_list_expired")]
    site.house.renew(site.today, Renewal(grace_days=0))
    assert codes(site, timedelta(days=30, seconds=2)) == [("enrolment", "revoked_list_expired")]
    (site.folder / "revoked.pem").unlink()
    assert codes(site) == [("enrolment", "no_revoked_list")]


def test_a_registry_counts_so_many_days_after_the_last_approval(site: TodaysSite) -> None:
    site.admit("angel_eye", "/dev/a")
    days = timedelta(days=90)

    def expired(later: timedelta) -> bool:
        site.house.site.write_crl(site.house.issuer, site.today + later)
        return ("registry", "registry_expired") in codes(site, later)

    assert not expired(days - timedelta(seconds=2))
    assert expired(days + timedelta(seconds=2))
    # What one person alone does renews nothing: a proposal that nobody approves, a revocation.
    later = site.today + timedelta(days=1)
    site.house.site.propose(Renewal(), site.house.anna, later)
    site.house.site.revoke("person", "carla", "left", site.house.bruno, later)
    assert expired(days + timedelta(seconds=2))
    site.house.renew(later, Renewal(registry_days=10))
    assert expired(timedelta(days=11, seconds=2))
    # Who cannot attest is judged by the registry alone.
    found = judge(site, timedelta(days=12)).plain("shoe", "angel_eye", "/dev/a", None)
    assert [(one.name, one.code.value) for one in found.refusals] == [("registry", "registry_expired")]
    site.house.renew(site.today + timedelta(days=12))
    assert judge(site, timedelta(days=12)).plain("shoe", "angel_eye", "/dev/a", None).verdict == "cannot_attest"


def test_judging_leaves_the_folder_as_it_is(site: TodaysSite) -> None:
    def content() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in site.folder.rglob("*") if path.is_file()}

    before = content()
    judge(site).open()
    assert codes(site) == []
    assert content() == before


def test_a_memory_that_was_altered_is_not_passed_over(site: TodaysSite) -> None:
    judge(site).open()
    path = site.folder.parent / FILE
    assert path.stat().st_mode & 0o777 == 0o600
    for text in ("{}x", '{"head":"1:zz"}', '{"time":"yesterday"}', '{"other":1}'):
        path.write_text(text)
        with pytest.raises(TrustError, match="not what was written") as refused:
            TrustMemory(path)
        assert refused.value.code == TrustCode.FILE_DAMAGED


def test_a_device_that_cannot_attest_is_known_by_its_record(site: TodaysSite) -> None:
    site.admit("angel_eye", "/dev/a")

    def plain(port: str) -> list[tuple[str, str, bool]]:
        found = judge(site).plain("shoe", "angel_eye", port, None)
        return [(found.verdict, one.code.value, one.ok) for one in found.checks]

    assert plain("/dev/a") == [("cannot_attest", "cannot_attest", True)]
    assert plain("/dev/b") == [("refused", "identity_differs", False)]
    site.revoke("shoe")
    assert plain("/dev/a") == [("refused", "revoked", False)]
    # A name under which a device with a key is enrolled admits nothing without one.
    found = judge(site).plain("shuffler-1", "tdp", "/dev/a", None)
    assert (found.verdict, found.by, found.unit) == ("refused", (), None)

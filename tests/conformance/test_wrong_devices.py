"""A suite that everything passes shows nothing: each of these devices is wrong in one thing, and is caught for it."""

from pathlib import Path

import pytest

from cardshoe.cli.sim.virtual import Far, bench_of
from conformance.check_result import CheckStatus, RequirementFailed
from conformance.runner import ConformanceReport, run_suite
from conformance.tdp.rig import TdpRig
from conformance.tdp.setup import setup_of
from sim.tdp.hostile import Hostile
from tests.conformance.defects import Defect, wrong_device
from tests.conformance.suites import suite
from tests.conformance.virtual import angel_eye_shoe, checked
from tests.conformance.wrong import DEFECTS, UNTRIED, wrong_devices
from tests.conformance.wrong_mechanisms import STAYS_JAMMED
from tests.conformance.wrong_security import SECURED, WRONG_SECURED, WrongSecured, secured_shoe
from tests.conformance.wrong_shoes import ANGEL_EYE, BEE_TEK, TDP_SHOES, WrongShoe, small_letters
from tests.kit import certificates

TDP = suite("tdp")
TLS_GROUPS = ("session", "tls", "messages", "commands", "roots", "events", "lock", "machine", "secrecy", "power", "run")
SHOES = [
    *(("tdp", wrong) for wrong in TDP_SHOES),
    *(("angel_eye", wrong) for wrong in ANGEL_EYE),
    *(("bee_tek", wrong) for wrong in BEE_TEK),
]


SILENT = {"is silent where it should refuse", "no S"}
"""Devices that send nothing in their first check, which ends a run of several."""


def runs_of(what: str, checks: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The checks that a device is tried with, run by run."""
    return [(name,) for name in checks] if what in SILENT else [checks]


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.what.replace(" ", "-"))
def test_a_wrong_device_is_caught(defect: Defect, seed: int, tmp_path: Path) -> None:
    for only in runs_of(defect.what, defect.caught_by):
        caught(checked(wrong_device(defect, seed, tmp_path), TDP, seed, *only), only)


@certificates.needs_openssl
@pytest.mark.parametrize("defect", SECURED, ids=lambda defect: defect.what.replace(" ", "-"))
def test_a_device_that_is_not_secure_is_caught(defect: Defect, seed: int, site: Path, tmp_path: Path) -> None:
    caught(secured(wrong_device(defect, seed, tmp_path, site), site, seed, *defect.caught_by), defect.caught_by)


@certificates.needs_openssl
@pytest.mark.parametrize("wrong", WRONG_SECURED, ids=lambda wrong: wrong.what.value)
def test_a_wrong_secured_shoe_is_caught(wrong: WrongSecured, seed: int, site: Path) -> None:
    caught(secured(wrong.make(site, seed), site, seed, *wrong.caught_by), wrong.caught_by)


def test_a_fault_that_stays_is_an_error_of_each_check_that_it_blocks(seed: int, tmp_path: Path) -> None:
    far = wrong_device(STAYS_JAMMED, seed, tmp_path)
    report = checked(far, TDP, seed, "machine.fault-and-its-end", *STAYS_JAMMED.caught_by)
    verdicts = {result.name: (result.verdict, "fault, and stays so" in result.got) for result in report.results}
    assert not report.good
    assert verdicts[STAYS_JAMMED.caught_by[0]] == (CheckStatus.ERROR, True)


MORE_THAN_WAITS = 70_000
"""Bytes: the host's link keeps 64 KiB."""


def test_a_device_that_takes_nothing_ends_no_run(seed: int, tmp_path: Path) -> None:
    (defect,) = (one for one in DEFECTS if one.what == "acknowledges nothing")
    rig = TdpRig(bench_of(wrong_device(defect, seed, tmp_path), seed), setup_of({"security": "plain"}))
    rig.bench.open()
    session = rig.open()
    with pytest.raises(RequirementFailed, match="does not take what is sent"):
        session.send_raw(bytes(MORE_THAN_WAITS))
    rig.end()
    rig.bench.close()


WELL_FORMED = ("telegrams.well-formed",)
FAULTS = {
    Hostile.ANY_HOST: {
        "tls.host-of-its-own-making-refused",
        "tls.host-of-another-authority-refused",
        "tls.authority-refused",
        "tls.any-use-refused",
        "tls.intermediate-refused",
    },
    Hostile.SIGNS_LESS: {"commands.attestation"},
    Hostile.PERMIT_SURVIVES: {"lock.fault-takes-back"},
    Hostile.DROPS_EVENTS: {"events.no-place-left-stops"},
}
"""The firmware of four faults that passed everything once."""


@certificates.needs_openssl
def test_the_firmware_of_four_faults_fails_by_a_check_for_each_and_by_no_other(seed: int, site: Path) -> None:
    report = secured(secured_shoe(site, seed, *FAULTS), site, seed, *TLS_GROUPS)
    wrong = {result.name for result in report.results if result.verdict in {CheckStatus.FAILED, CheckStatus.ERROR}}
    assert wrong == set().union(*FAULTS.values())
    assert secured(secured_shoe(site, seed), site, seed, *wrong).count(CheckStatus.PASSED) == len(wrong)


def secured(far: Far, site: Path, seed: int, *only: str) -> ConformanceReport:
    return run_suite(
        TDP,
        bench_of(far, seed),
        {**certificates.host_settings(site), **certificates.other_settings(site)},
        port="virtual",
        seed=seed,
        started="now",
        only=only,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certificates.make_site(tmp_path_factory.mktemp("site"))


@pytest.mark.parametrize(
    ("family", "wrong"), SHOES, ids=[f"{family} {wrong.what}".replace(" ", "-") for family, wrong in SHOES]
)
def test_a_wrong_shoe_is_caught(family: str, wrong: WrongShoe, seed: int) -> None:
    for only in runs_of(wrong.what, wrong.caught_by):
        caught(checked(wrong.make(seed), suite(family), seed, *only), only)


@pytest.mark.parametrize("seed", [0, 8, 11])
def test_small_letters_are_caught_where_the_first_checks_have_none(seed: int) -> None:
    caught(checked(angel_eye_shoe(seed, alter=small_letters), suite("angel_eye"), seed, *WELL_FORMED), WELL_FORMED)


def caught(report: ConformanceReport, by: tuple[str, ...]) -> None:
    verdicts = {result.name: result.verdict for result in report.results}
    assert verdicts == dict.fromkeys(by, CheckStatus.FAILED), [result.got for result in report.results]
    for result in report.results:
        assert result.expected
        assert result.got
        assert result.look_at


@pytest.mark.parametrize("family", ["angel_eye", "bee_tek", "tdp"])
def test_no_check_is_toothless(family: str) -> None:
    """Each check is failed by some wrong device, but for those named here and why."""
    biting = {name for shoe_family, wrong in SHOES if shoe_family == family for name in wrong.caught_by}
    if family == "tdp":
        biting |= set(wrong_devices())
    names = {check.name for check in suite(family).checks}
    assert biting <= names
    assert names - biting == (UNTRIED if family == "tdp" else set())

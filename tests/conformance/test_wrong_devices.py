"""A suite that everything passes shows nothing: each of these devices is wrong in one thing, and is caught for it."""

from pathlib import Path

import pytest

from conformance.runner import Report, run_suite
from conformance.suites import suite
from conformance.verdict import Verdict
from tests import certificates
from tests.conformance.defects import Defect, wrong_device
from tests.conformance.virtual import bench_of, checked
from tests.conformance.wrong_commands import COMMANDS
from tests.conformance.wrong_frames import FRAMES
from tests.conformance.wrong_links import LINKS
from tests.conformance.wrong_mechanisms import MECHANISMS
from tests.conformance.wrong_memories import MEMORIES
from tests.conformance.wrong_messages import MESSAGES
from tests.conformance.wrong_roots import ROOTS
from tests.conformance.wrong_security import SECURED
from tests.conformance.wrong_shoes import ANGEL_EYE, BEE_TEK, TDP_SHOES, WrongShoe
from tests.conformance.wrong_streams import STREAMS

TDP = suite("tdp")
DEFECTS = [*FRAMES, *LINKS, *STREAMS, *MESSAGES, *COMMANDS, *MEMORIES, *ROOTS, *MECHANISMS]
UNTRIED = {
    "tdp": {
        "power.cards-drawn-while-unplugged",  # the second device locks as soon as it sees the line go
    }
}
SHOES = [
    *(("tdp", wrong) for wrong in TDP_SHOES),
    *(("angel_eye", wrong) for wrong in ANGEL_EYE),
    *(("bee_tek", wrong) for wrong in BEE_TEK),
]


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.what.replace(" ", "-"))
def test_a_wrong_device_is_caught(defect: Defect, seed: int, tmp_path: Path) -> None:
    caught(checked(wrong_device(defect, seed, tmp_path), TDP, seed, *defect.caught_by), defect.caught_by)


@certificates.needs_openssl
@pytest.mark.parametrize("defect", SECURED, ids=lambda defect: defect.what.replace(" ", "-"))
def test_a_device_that_is_not_secure_is_caught(defect: Defect, seed: int, site: Path, tmp_path: Path) -> None:
    far = wrong_device(defect, seed, tmp_path, site)
    report = run_suite(
        TDP,
        bench_of(far, seed),
        certificates.host_settings(site),
        port="virtual",
        seed=seed,
        started="now",
        only=defect.caught_by,
    )
    caught(report, defect.caught_by)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certificates.make_site(tmp_path_factory.mktemp("site"))


@pytest.mark.parametrize(
    ("family", "wrong"), SHOES, ids=[f"{family} {wrong.what}".replace(" ", "-") for family, wrong in SHOES]
)
def test_a_wrong_shoe_is_caught(family: str, wrong: WrongShoe, seed: int) -> None:
    caught(checked(wrong.make(seed), suite(family), seed, *wrong.caught_by), wrong.caught_by)


def caught(report: Report, by: tuple[str, ...]) -> None:
    verdicts = {result.name: result.verdict for result in report.results}
    assert verdicts == dict.fromkeys(by, Verdict.FAILED), [result.got for result in report.results]
    for result in report.results:
        assert result.expected
        assert result.got
        assert result.look_at


@pytest.mark.parametrize("family", ["angel_eye", "bee_tek", "tdp"])
def test_no_check_is_toothless(family: str) -> None:
    """Each check is failed by some wrong device, but for those named here and why."""
    biting = {name for shoe_family, wrong in SHOES if shoe_family == family for name in wrong.caught_by}
    if family == "tdp":
        biting |= {name for defect in [*DEFECTS, *SECURED] for name in defect.caught_by}
    names = {check.name for check in suite(family).checks}
    assert biting <= names
    assert names - biting == UNTRIED.get(family, set())

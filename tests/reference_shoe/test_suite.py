"""The whole conformance suite against the shoe in C, on virtual time."""

from pathlib import Path
from typing import Final

from cardshoe.cli.sim.virtual import bench_of
from conformance.runner import run_suite
from tests.conformance.not_tried import skipped
from tests.conformance.suites import suite
from tests.conformance.virtual import checked
from tests.kit import certificates
from tests.reference_shoe.building import NO_MOTORS, PLAIN_WITHOUT_KEY, built, needs_compiler
from tests.reference_shoe.given_time import FirmwareFar, GivenTime

pytestmark = needs_compiler

LOCKS_AT_ONCE: Final = {"power.cards-drawn-while-unplugged"}
"""It sees the line go."""


def test_every_check_that_can_be_tried_passes(seed: int, tmp_path: Path) -> None:
    command = (built("posix") / "shoe", "--given-time", "--keep", str(tmp_path / "memory"), "--seed", "1")
    with GivenTime(*command) as process:
        report = checked(FirmwareFar(process), suite("tdp"), seed)
    assert skipped(report) == PLAIN_WITHOUT_KEY | LOCKS_AT_ONCE
    assert report.good


@certificates.needs_openssl
def test_every_check_of_a_secured_shoe_passes(seed: int, tmp_path: Path) -> None:
    site = certificates.make_site(tmp_path)
    device = site / certificates.DEVICE
    command = (built("posix") / "shoe", "--given-time", "--seed", "1", "--authority", site / "site.pem")
    with GivenTime(*command, "--certificate", f"{device}.pem", "--key", f"{device}.key") as process:
        report = run_suite(
            suite("tdp"),
            bench_of(FirmwareFar(process), seed),
            {**certificates.host_settings(site), **certificates.other_settings(site)},
            port="virtual",
            seed=seed,
            started="2026-01-02T03:04:05",
        )
    assert skipped(report) == NO_MOTORS | LOCKS_AT_ONCE


@certificates.needs_openssl
def test_a_plain_shoe_with_a_key_attests(seed: int, tmp_path: Path) -> None:
    site = certificates.make_site(tmp_path)
    device = site / certificates.DEVICE
    with GivenTime(built("posix") / "shoe", "--given-time", "--key", f"{device}.key") as process:
        settings = {"security": "plain", "device_certificate": f"{device}.pem"}
        report = run_suite(
            suite("tdp"),
            bench_of(FirmwareFar(process), seed),
            settings,
            port="virtual",
            seed=seed,
            started="2026-01-02T03:04:05",
            only=("commands.attestation",),
        )
    assert skipped(report) == set()
    assert report.results[0].observed == ("boot state unverified",)

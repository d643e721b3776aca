"""Right devices pass at every speed of the line, and nothing is judged that a slow adapter hides."""

from collections.abc import Callable
from typing import Final

import pytest

from cardshoe.cli.sim.virtual import Far, bench_of
from conformance.check_result import CheckStatus
from conformance.runner import ConformanceReport, run_suite
from protocols.tdp.handshake import Security, Terms
from sim.tdp.settings import TdpMachineSettings
from tests.conformance.not_tried import (
    FORGETS_EVENTS,
    NO_ATTESTATION,
    NO_CUT_CARD,
    NO_SHUFFLE,
    NO_TLS,
    UNKNOWN_ORDER,
    skipped,
)
from tests.conformance.paced import PacedFar
from tests.conformance.suites import suite
from tests.conformance.virtual import second_device, tdp_device
from tests.kit.length import SOAK
from tests.reference_shoe.building import NO_MOTORS, built, needs_compiler
from tests.reference_shoe.given_time import FirmwareFar, GivenTime

BAUDS: Final = (9600, 57600, 115200, 1_000_000) if SOAK else (9600,)
LOCKS_AT_ONCE: Final = {"power.cards-drawn-while-unplugged"}
WINDOW_OF_ONE: Final = {"stream.out-of-order-dropped"}
SLOW: Final = "answers to OPEN take up to 16 ms here"
ADAPTER_S: Final = 0.016
"""The latency timer of a usual USB adapter."""


def simulated(kind: str) -> Callable[[int, int], Far]:
    def make(seed: int, baud: int) -> Far:
        terms = Terms(security=Security.PLAIN).at(baud)
        return tdp_device("shoe" if kind == "shoe" else "shuffler_dealer", seed, TdpMachineSettings(terms=terms))

    return make


def over(far: Far, baud: int, seed: int, *only: str, adapter_s: float = 0.0) -> ConformanceReport:
    line = PacedFar(far, baud, adapter_s)
    return run_suite(
        suite("tdp"),
        bench_of(line, seed),
        {"security": "plain", "baud": baud},
        port="virtual",
        seed=seed,
        started="now",
        only=only,
    )


def not_judged(baud: int) -> set[str]:
    return WINDOW_OF_ONE if Terms().at(baud).window == 1 else set()


@pytest.mark.statistical
@pytest.mark.parametrize("baud", BAUDS)
@pytest.mark.parametrize(
    ("make", "not_tried"),
    [
        (simulated("shoe"), NO_MOTORS),
        (simulated("shuffler_dealer"), NO_CUT_CARD | NO_SHUFFLE | UNKNOWN_ORDER),
        (lambda seed, baud: second_device(seed, baud=baud), LOCKS_AT_ONCE | FORGETS_EVENTS | UNKNOWN_ORDER),
    ],
    ids=["shoe", "shuffler-dealer", "second device"],
)
def test_a_right_device_passes(make: Callable[[int, int], Far], not_tried: set[str], baud: int, seed: int) -> None:
    report = over(make(seed, baud), baud, seed)
    assert skipped(report) == not_tried | NO_TLS | NO_ATTESTATION | not_judged(baud)


@pytest.mark.statistical
@needs_compiler
@pytest.mark.parametrize("baud", BAUDS)
def test_the_reference_shoe_passes(baud: int, seed: int) -> None:
    with GivenTime(built("posix") / "shoe", "--given-time", "--seed", "1", "--baud", str(min(baud, 115200))) as shoe:
        report = over(FirmwareFar(shoe), baud, seed)
    assert skipped(report) == NO_TLS | NO_ATTESTATION | NO_MOTORS | LOCKS_AT_ONCE | not_judged(baud)


def test_an_adapter_that_waits_hides_ten_milliseconds(seed: int) -> None:
    timed = ("stream.acknowledges-within-10-ms", "stream.complains-at-once")
    judged = over(second_device(seed), 115200, seed, *timed)
    assert [result.verdict for result in judged.results] == [CheckStatus.PASSED] * 2
    hidden = over(second_device(seed), 115200, seed, *timed, adapter_s=ADAPTER_S)
    assert [(result.verdict, result.got) for result in hidden.results] == [
        (
            CheckStatus.SKIPPED,
            f"{SLOW}: a limit of 10 ms cannot be judged (an adapter waits 16 ms; set its latency timer to 1 ms)",
        )
    ] * 2

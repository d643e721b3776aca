"""The same suite, with the same result, over every transport, in real time."""

import random
from pathlib import Path

import pytest

from conformance.check_result import CheckStatus
from conformance.runner import ConformanceReport
from sim.angel_eye.settings import ShoeSettings
from sim.bee_tek.control import BeeTekControl
from sim.bee_tek.hands import bee_tek_at
from sim.clock import RealClock
from sim.control import AngelEyeControl
from sim.hands import hands_at
from sim.tdp.control import TdpControl
from sim.tdp.hands import tdp_at
from sim.wires.wire import Wire
from tests.conformance.suites import suite
from tests.conformance.transports import TRANSPORTS, over_all

# pyserial's RFC 2217 client starts its thread in a way that Python has deprecated.
pytestmark = pytest.mark.filterwarnings(r"ignore:set(Daemon|Name)\(\) is deprecated:DeprecationWarning")

ANGEL_EYE = (
    "commands.lock-and-unlock-acknowledged",
    "commands.wrong-check-refused",
    "commands.byte-by-byte",
    "commands.reply-not-inside-a-telegram",
    "telegrams.three-copies",
    "telegrams.cards-as-drawn",
)
BEE_TEK = ("lines.every-card-is-reported-once", "lines.after-unplugging")
TDP = (
    "session.opens",
    "session.unknown-session-reset",
    "frames.bcc-skipped",
    "frames.byte-by-byte",
    "frames.noise-before-a-frame",
    "frames.its-own-frames",
    "stream.acknowledges-at-once",
    "stream.out-of-order-dropped",
    "stream.payload-respected",
    "commands.same-id-same-answer",
    "events.kept-until-acknowledged",
    "lock.unlocks-for-so-many",
    "power.back-after-unplugging",
)


def assert_all_passed(reports: dict[str, ConformanceReport], count: int) -> None:
    assert set(reports) == set(TRANSPORTS)
    wrong = [
        f"{name}: {result.name} {result.verdict.value}: expected {result.expected}; got {result.got}"
        for name, report in reports.items()
        for result in report.results
        if result.verdict is not CheckStatus.PASSED
    ]
    assert wrong == []
    assert {len(report.results) for report in reports.values()} == {count}


def test_angel_eye_over_every_transport(seed: int, tmp_path: Path) -> None:
    def make(wire: Wire, clock: RealClock) -> AngelEyeControl:
        hands = hands_at(wire, clock, 8, ShoeSettings(initial_burn="none"))
        hands.make_ready()
        return AngelEyeControl(hands, wire, seed)

    assert_all_passed(over_all(suite("angel_eye"), make, ANGEL_EYE, seed, tmp_path), len(ANGEL_EYE))


def test_bee_tek_over_every_transport(seed: int, tmp_path: Path) -> None:
    def make(wire: Wire, clock: RealClock) -> BeeTekControl:
        hands = bee_tek_at(wire, clock, 8)
        hands.make_ready()
        return BeeTekControl(hands, wire, seed)

    assert_all_passed(over_all(suite("bee_tek"), make, BEE_TEK, seed, tmp_path), len(BEE_TEK))


def test_tdp_over_every_transport(seed: int, tmp_path: Path) -> None:
    def make(wire: Wire, clock: RealClock) -> TdpControl:
        hands = tdp_at("shoe", wire, clock, 8, random.Random(seed))
        hands.make_ready()
        return TdpControl(hands, wire, seed)

    assert_all_passed(over_all(suite("tdp"), make, TDP, seed, tmp_path), len(TDP))

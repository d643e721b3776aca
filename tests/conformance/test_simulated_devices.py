"""The simulator and the second device do what the pages say: every check that can be tried passes.

An operator who does not do what is asked fails no check of the device.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from cardshoe.cli.sim.virtual import Far, bench_of
from conformance.bench import Bench
from conformance.check_result import CheckStatus
from conformance.operator import LineOperator, NoOperator
from conformance.runner import run_suite
from protocols.bee_tek.messages import Mode
from sim.angel_eye.settings import InitialBurn, ShoeSettings
from sim.bee_tek.shoe import BeeTekSettings
from sim.tdp.certified import SECURED, certified
from sim.tdp.hands import TdpKind
from sim.tdp.settings import TdpMachineSettings
from tests.conformance.not_tried import (
    FORGETS_EVENTS,
    NO_ATTESTATION,
    NO_CUT_CARD,
    NO_DISPENSER,
    NO_EJECT,
    NO_LOCK,
    NO_SHUFFLE,
    NO_TLS,
    UNKNOWN_ORDER,
    skipped,
)
from tests.conformance.suites import FAMILIES, suite
from tests.conformance.virtual import angel_eye_shoe, bee_tek_shoe, checked, second_device, tdp_device
from tests.kit import certificates


@pytest.mark.parametrize(
    ("kind", "not_tried"),
    [
        ("shoe", NO_DISPENSER | NO_EJECT | NO_SHUFFLE | {"machine.accepts-returns"}),
        ("shuffler_dealer", NO_CUT_CARD | NO_SHUFFLE | UNKNOWN_ORDER),
        ("shuffler", NO_LOCK | NO_CUT_CARD | UNKNOWN_ORDER | {"machine.accepts-returns"}),
    ],
)
@pytest.mark.parametrize("decks", [1, 8])
def test_a_simulated_tdp_device(kind: TdpKind, not_tried: set[str], decks: int, seed: int) -> None:
    report = checked(tdp_device(kind, seed, decks=decks), suite("tdp"), seed)
    assert skipped(report) == not_tried | NO_TLS | NO_ATTESTATION
    assert report.good
    assert report.identity["serial"]
    assert report.link["rung"] == "events"


@pytest.mark.parametrize(("seed", "only"), [(11, ()), (22, ()), (27, ()), (11, ("lock",))])
def test_a_mouth_that_is_empty_for_a_moment_fails_nothing(seed: int, only: tuple[str, ...]) -> None:
    """At these seeds a shuffler-dealer is still filling its mouth when a card is pulled at."""
    assert "lock.fault-takes-back" not in skipped(
        checked(tdp_device("shuffler_dealer", seed, decks=1), suite("tdp"), seed, *only)
    )


def test_a_shoe_that_attests_does_not_read_and_forgets_events(seed: int) -> None:
    def signed(data: bytes) -> bytes:
        return bytes(reversed(data))

    far = tdp_device("shoe", seed, TdpMachineSettings(reads=False, keeps_events=False, signer=signed))
    not_tried = skipped(checked(far, suite("tdp"), seed))
    assert "commands.attestation" not in not_tried
    assert {"events.cards-are-read", "secrecy.nothing-tells-the-next-card"} <= not_tried


@pytest.mark.parametrize("keeps", [False, True], ids=["forgets", "keeps"])
@pytest.mark.parametrize("dies_with_power", [False, True], ids=["line stays", "line goes"])
def test_the_second_device(keeps: bool, dies_with_power: bool, seed: int, tmp_path: Path) -> None:
    far = second_device(seed, tmp_path / "memory" if keeps else None, dies_with_power=dies_with_power)
    # It keeps its memory in a file, event by event: five hundred of them are tried where there is none.
    only = ("power", "events.kept-until-acknowledged", "run") if keeps else ()
    not_tried = skipped(checked(far, suite("tdp"), seed, *only))
    # It locks as soon as it sees the line go.
    unplugged = {"power.cards-drawn-while-unplugged"}
    assert not_tried == unplugged if keeps else NO_TLS | NO_ATTESTATION | FORGETS_EVENTS | unplugged


@certificates.needs_openssl
def test_a_secured_shoe(seed: int, tmp_path: Path) -> None:
    site = certificates.make_site(tmp_path)
    context = certified(site / f"{certificates.DEVICE}.pem", site / f"{certificates.DEVICE}.key", site / "site.pem")
    far = tdp_device("shoe", seed, TdpMachineSettings(terms=SECURED, context=context))
    report = run_suite(
        suite("tdp"),
        bench_of(far, seed),
        {**certificates.host_settings(site), **certificates.other_settings(site)},
        port="virtual",
        seed=seed,
        started="2026-01-02T03:04:05",
        only=("session", "tls", "stream", "messages", "events.kept-until-acknowledged", "power"),
    )
    assert skipped(report) == {"power.nothing-moves-after-power"}


@pytest.mark.parametrize("burn", ["none", "per_deck", "first_card_value"])
def test_a_simulated_angel_eye_shoe(burn: InitialBurn, seed: int) -> None:
    settings = ShoeSettings(initial_burn=burn, error_before_card=burn == "none")
    assert skipped(checked(angel_eye_shoe(seed, settings), suite("angel_eye"), seed)) == set()


@pytest.mark.parametrize(
    "settings",
    [
        BeeTekSettings(),
        BeeTekSettings(mode=Mode.GAME),
        BeeTekSettings(mode=Mode.GAME, repeats_characters=True),
    ],
    ids=["diagnostic", "game", "game with repeated characters"],
)
def test_a_simulated_bee_tek_shoe(settings: BeeTekSettings, seed: int) -> None:
    assert skipped(checked(bee_tek_shoe(seed, settings), suite("bee_tek"), seed)) == set()


@pytest.mark.parametrize("family", FAMILIES)
def test_every_check_says_what_it_is_about(family: str) -> None:
    checks = suite(family).checks
    names = [check.name for check in checks]
    assert len(set(names)) == len(names)
    page = (Path(__file__).resolve().parents[2] / suite(family).page).read_text()
    headings = [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")]
    for check in checks:
        assert check.requirement.endswith("."), check.name
        assert check.look_at, check.name
        for section in check.section.split("; "):
            assert any(heading.startswith(section) for heading in headings), (check.name, section)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_suite_names_the_page_that_it_follows(family: str) -> None:
    page = Path(__file__).resolve().parents[2] / suite(family).page
    assert suite(family).digest == hashlib.sha256(page.read_bytes()).hexdigest(), (
        "the page has changed: see that the checks follow it, then change `digest` in the family's suite.py"
    )


@pytest.mark.parametrize("family", FAMILIES)
def test_without_a_hand_what_needs_one_is_skipped_and_nothing_fails(family: str, seed: int) -> None:
    make: dict[str, Callable[[int], Far]] = {"angel_eye": angel_eye_shoe, "bee_tek": bee_tek_shoe}
    far = make[family](seed) if family in make else tdp_device("shoe", seed)
    report = checked(far, suite(family), seed, helper=NoOperator())
    not_tried = skipped(report)
    assert 0 < len(not_tried) < len(report.results)
    needs_nobody = {
        "angel_eye": "commands.wrong-check-refused",
        "bee_tek": "lines.silent-while-nothing-happens",
        "tdp": "stream.out-of-order-dropped",
    }
    assert needs_nobody[family] not in not_tried


def test_the_same_seed_gives_the_same_run(seed: int) -> None:
    def run() -> tuple[list[str], list[float]]:
        report = checked(tdp_device("shoe", seed), suite("tdp"), seed, "session", "frames", "stream")
        return [result.name for result in report.results], [result.duration_s for result in report.results]

    assert run() == run()


def test_a_bench_is_a_bench_of_one_port(seed: int) -> None:
    far: Far = tdp_device("shoe", seed)
    bench: Bench = bench_of(far, seed)
    bench.open()
    bench.open()
    assert bench.health.connections == 1
    bench.close()
    assert not bench.is_open


def test_a_stack_that_is_not_taken_is_an_error_of_the_check(seed: int) -> None:
    far = tdp_device("shoe", seed)
    hands = LineOperator(
        "hands", lambda line: "error: not now" if line == "load" else far.execute(line), background=False
    )
    (result,) = checked(far, suite("tdp"), seed, "events.cards-are-read", helper=hands).results
    assert (result.verdict, result.got) == (CheckStatus.ERROR, "'load' could not be done: not now")


def test_a_check_that_fails_with_the_key_turned_fails_no_other(seed: int) -> None:
    far = tdp_device("shoe", seed)
    played = ["key 1", "key 0"]

    def exchange(line: str) -> str:
        while line == "cut-power" and played:  # events that the host does not see, once
            far.execute(played.pop())
        return far.execute(line)

    hands = LineOperator("hands", exchange, background=False)
    only = ("power.events-outlive-power", "power.locked-after-power")
    report = checked(far, suite("tdp"), seed, *only, helper=hands)
    assert [result.verdict for result in report.results] == [CheckStatus.FAILED, CheckStatus.PASSED]


@pytest.mark.parametrize("kind", ["shuffler", "shuffler_dealer"])
def test_a_stack_that_nobody_takes_blames_no_device(kind: TdpKind, seed: int) -> None:
    far = tdp_device(kind, seed)
    hands = LineOperator(
        "hands", lambda line: "error: not now" if line == "take" else far.execute(line), background=False
    )
    (result,) = checked(far, suite("tdp"), seed, "machine.ejects", helper=hands).results
    assert (result.verdict, result.got) == (CheckStatus.SKIPPED, "'take' could not be done: not now")


@pytest.mark.parametrize("answer", ["error: unknown command 'unload'", "error: not now"])
def test_a_device_that_cannot_be_emptied_is_not_filled_instead(answer: str, seed: int) -> None:
    far = tdp_device("shoe", seed)
    hands = LineOperator("hands", lambda line: answer if line == "unload" else far.execute(line), background=False)
    (result,) = checked(far, suite("tdp"), seed, "machine.emptying-is-reported", helper=hands).results
    assert result.verdict is CheckStatus.SKIPPED

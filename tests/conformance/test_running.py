"""The bench, who moves the device, and what becomes of a check whatever happens in it."""

import contextlib
import random
import socket
import socketserver
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardshoe.cli.sim.virtual import bench_of
from conformance import manual_steps
from conformance.bench import LineTransfer
from conformance.channels import ControlChannelOperator, ProcessOperator
from conformance.check import Checks
from conformance.check_result import CheckSkipped, CheckStatus, CheckUndone, require, unmet
from conformance.manual_steps import ManualStep, StepResult
from conformance.operator import LineOperator, NoOperator, TerminalOperator
from conformance.runner import chosen, run_suite, unknown_names
from conformance.tdp import shown
from conformance.tdp.damage import cobs, crc32c
from conformance.tdp.leak import DRAWS_MIN, Leak, codings, leaks
from drivers.errors import BadSetting, PortLost, PortMissing, UnknownFamily
from protocols.tdp.codec import encode_message
from protocols.tdp.framing import HALF, Frame, FrameKind, encode_frame
from protocols.tdp.handshake import Terms, encode_offer
from protocols.tdp.messages import Done
from regulations.events.cards import DECK
from tests.conformance.suites import PlainRig, suite, suite_of
from tests.conformance.virtual import checked, tdp_device
from tests.kit.waiting import PATIENCE_S
from tests.second_device import framing

PLAIN = {"security": "plain"}


CHECKS: Checks[PlainRig] = Checks("some")


@CHECKS.check("1. One", "the first part")
def that_passes(rig: PlainRig) -> None:
    """It passes, and its requirement is so long that it
    stands on two lines.
    """  # noqa: D205  a requirement is one sentence, however long
    rig.bench.observe("seen")
    rig.bench.observe("seen")


@CHECKS.check("2. Two", "the second part")
def that_fails(rig: PlainRig) -> None:
    rig.bench.write(b"\x01\x02")
    unmet("one thing", "another", b"\x03")


@CHECKS.check("3. Three", "the third part")
def that_is_skipped(rig: PlainRig) -> None:
    rig.bench.act(manual_steps.LOAD, lambda _seconds: None)


@CHECKS.check("4. Four", "the fourth part")
def that_loses_the_line(rig: PlainRig) -> None:
    rig.bench.act(manual_steps.UNPLUG, lambda _seconds: None)
    rig.bench.read(rig.bench.now_s() + 1.0)


@CHECKS.check("5. Five", "the fifth part")
def with_a_defect(_rig: PlainRig) -> None:
    raise ZeroDivisionError("by design")


def test_each_check_ends_with_its_verdict_and_the_next_is_tried(seed: int) -> None:
    far = tdp_device("shoe", seed)
    heard: list[str] = []
    helper = LineOperator("hands", lambda line: far.execute(line) if line == "unplug" else "error: unknown command")
    bench = bench_of(far, seed, LineOperator("hands", helper._exchange, background=False))  # noqa: SLF001  the same lines
    found = suite_of(*CHECKS)
    report = run_suite(
        found, bench, {}, port="here", seed=seed, started="now", each=lambda result: heard.append(result.name)
    )
    results = {result.name: result for result in report.results}
    assert {name: result.verdict for name, result in results.items()} == {
        "some.that-passes": CheckStatus.PASSED,
        "some.that-fails": CheckStatus.FAILED,
        "some.that-is-skipped": CheckStatus.SKIPPED,
        "some.that-loses-the-line": CheckStatus.ERROR,
        "some.with-a-defect": CheckStatus.ERROR,
    }
    assert heard == list(results)
    assert (
        results["some.that-passes"].requirement
        == "It passes, and its requirement is so long that it stands on two lines."
    )
    assert results["some.that-passes"].observed == ("seen",)
    failed = results["some.that-fails"]
    assert (failed.expected, failed.got, failed.raw) == ("one thing", "another", b"\x03")
    assert (failed.section, failed.look_at) == ("2. Two", "the second part")
    assert failed.tape[-1].endswith("> 01 02")
    assert "unknown command" in results["some.that-is-skipped"].got
    # The line stays out: what comes after it cannot be tried either, and is not taken for passed.
    assert isinstance(results["some.with-a-defect"].got, str)
    assert report.identity == {"ends": "5"}
    assert report.page == "page.md, SHA-256 00ff"
    assert not report.good


def test_a_defect_of_a_check_is_told_and_hides_nothing(seed: int) -> None:
    far = tdp_device("shoe", seed)
    report = run_suite(
        suite_of(*CHECKS), bench_of(far, seed), {}, port="here", seed=seed, started="now", only=("some.with-a-defect",)
    )
    (result,) = report.results
    assert result.verdict is CheckStatus.ERROR
    assert "ZeroDivisionError: by design (with_a_defect, line" in result.got


def test_a_port_that_cannot_be_opened_ends_the_run(seed: int) -> None:
    far = tdp_device("shoe", seed)
    far.execute("unplug")
    with pytest.raises(PortMissing):
        run_suite(suite("tdp"), bench_of(far, seed), PLAIN, port="here", seed=seed, started="now")


def test_a_line_that_is_gone_is_waited_for_once(seed: int) -> None:
    far = tdp_device("shoe", seed)
    bench = bench_of(far, seed)
    found = suite_of(*[check for check in CHECKS if check.name == "some.that-loses-the-line"] * 4)
    report = run_suite(found, bench, {}, port="here", seed=seed, started="now")
    assert {result.verdict for result in report.results} == {CheckStatus.ERROR}
    assert far.now_s() < 15.0


def test_checks_are_chosen_by_name_and_by_group() -> None:
    found = suite("bee_tek")
    assert [check.name for check in chosen(found, ["lines.alarm"])] == ["lines.alarm"]
    assert chosen(found, ["lines"]) == list(found.checks)
    assert unknown_names(found, ["lines", "lines.alarm", "line", "alarm"]) == ["line", "alarm"]
    with pytest.raises(UnknownFamily):
        suite("nothing")


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({}, "certificate"),
        ({"security": "none"}, "security"),
        ({**PLAIN, "first_id": 0}, "first_id"),
        ({**PLAIN, "first_id": True}, "first_id"),
        ({**PLAIN, "speed": 9600}, "speed"),
        ({**PLAIN, "authority_certificate": "/nowhere"}, "authority_key"),
        ({**PLAIN, "authority_certificate": "/nowhere", "authority_key": "/nowhere"}, "authority_certificate"),
    ],
)
def test_settings_that_mean_nothing_are_refused(settings: dict[str, object], key: str, seed: int) -> None:
    far = tdp_device("shoe", seed)
    with pytest.raises(BadSetting) as caught:
        run_suite(suite("tdp"), bench_of(far, seed), settings, port="here", seed=seed, started="now")
    assert caught.value.key == key


def test_the_first_id_is_found_however_high_the_device_has_counted(seed: int) -> None:
    far = tdp_device("shoe", seed)

    def names(first_id: int) -> list[str]:
        report = run_suite(
            suite("tdp"),
            bench_of(far, seed),
            {**PLAIN, "first_id": first_id},
            port="here",
            seed=seed,
            started="now",
            only=("commands.meters-then-done",),
        )
        return [result.verdict.value for result in report.results]

    assert names(1_000_000) == ["passed"]
    assert names(1) == ["passed"]


def test_no_command_id_left_is_an_error_of_the_check(seed: int) -> None:
    far, only = tdp_device("shoe", seed), "commands.meters-then-done"
    highest = {**PLAIN, "first_id": (1 << 32) - 300}
    assert run_suite(suite("tdp"), bench_of(far, seed), highest, port="", seed=seed, started="", only=(only,)).good
    (result,) = checked(far, suite("tdp"), seed, only).results
    assert (result.verdict, result.got.partition(":")[0]) == (CheckStatus.ERROR, "no command id is left")


def test_what_failed_comes_first_and_what_looks_back_last(seed: int) -> None:
    def names(*first: str) -> list[str]:
        report = run_suite(
            suite("tdp"),
            bench_of(tdp_device("shoe", seed), seed),
            PLAIN,
            port="here",
            seed=seed,
            started="now",
            only=("session.opens", "roots.root-is-recalled", "run.events-add-up"),
            first=first,
        )
        return [result.name for result in report.results]

    assert names() == ["session.opens", "roots.root-is-recalled", "run.events-add-up"]
    assert names("roots.root-is-recalled") == ["roots.root-is-recalled", "session.opens", "run.events-add-up"]
    assert names("run.events-add-up") == names()


def test_what_moved_is_shown_frame_by_frame() -> None:
    opened = encode_frame(Frame(FrameKind.OPEN, 7 * HALF, payload=encode_offer(Terms())))
    card = encode_frame(Frame(FrameKind.DATA, 7 * HALF + 1, 3, 2, encode_message(Done(9)) * 2))
    piece = encode_frame(Frame(FrameKind.DATA, 7 * HALF + 1, 4, 2, encode_message(Done(9))[:5]))
    reset = encode_frame(Frame(FrameKind.RESET, 7 * HALF + 1, payload=b"\x02"))
    moved = [
        LineTransfer(0.0, ">", opened),
        LineTransfer(0.1, "<", card[:5]),
        LineTransfer(0.2, "<", card[5:]),
        LineTransfer(0.3, "<", b"\x09\x09" + piece + reset),
    ]
    lines = shown.frames(moved)
    session = f"{7 * HALF + 1:X}"
    assert lines[0].startswith(f"   0.000 > OPEN of {7 * HALF:X}: LinkOffer(")
    assert lines[1] == f"   0.200 < DATA of {session}, number 3, expects 2: Done(id=9); Done(id=9)"
    assert lines[2] == "   0.300 < no frame (noise): 09 09"
    assert lines[3] == f"   0.300 < DATA of {session}, number 4, expects 2: 00 05 04 00 00"
    assert lines[4].startswith(f"   0.300 < RESET of {session}: 02 (")
    assert len(lines) == 5
    inside = LineTransfer(0.4, "<", encode_message(Done(9)), is_inside=True)
    assert shown.frames([inside]) == ["   0.400 < in TLS: Done(id=9)"]


def test_nobody_does_nothing() -> None:
    with pytest.raises(CheckSkipped, match="no operator: "):
        NoOperator().begin(manual_steps.LOAD)


def test_a_person_is_asked_in_plain_words() -> None:
    typed = iter(["", "n", "draw", "s", None])
    said: list[str] = []
    person = TerminalOperator(said.append, lambda: next(typed))
    assert person.begin(manual_steps.draw(2)).result(PATIENCE_S) == StepResult(done=True, text="done")
    assert person.begin(manual_steps.draw()).result(PATIENCE_S) == StepResult(done=False, text="it could not be done")
    for _ in range(2):
        with pytest.raises(CheckSkipped, match="skipped by the person"):
            person.begin(manual_steps.LOAD).result(PATIENCE_S)
    assert "Draw 2 cards" in said[0]
    assert "    'draw' is no answer here. Type it again." in said
    assert person.limit_s is None


def test_a_person_names_the_cards_drawn() -> None:
    typed = iter(["", "4s", "4S 1H", "4s, th", "n", "u"])
    said: list[str] = []
    person = TerminalOperator(said.append, lambda: next(typed))
    act = manual_steps.draw(2, named=True)
    assert person.begin(act).result(PATIENCE_S).cards == ["4S", "TH"]
    assert sum("is no answer here" in line for line in said) == 3
    assert not person.begin(act).result(PATIENCE_S).done
    with pytest.raises(CheckUndone):
        person.begin(act).result(PATIENCE_S)
    assert said[1].startswith("    the cards drawn, in order, such as 4S TH KD: done   n: ")


@pytest.mark.parametrize(
    ("answers", "act", "expected"),
    [
        ({"draw": "ok: drew 4S"}, manual_steps.draw(), StepResult(done=True, text="drew 4S")),
        ({"draw": "error: draw: locked"}, manual_steps.draw(), StepResult(done=False, text="draw: locked")),
        (
            {"jam exit": "error: jam takes nothing", "jam": "ok: jammed"},
            manual_steps.JAM,
            StepResult(done=True, text="jammed"),
        ),
        ({"jam": "ok: jammed"}, manual_steps.JAM, StepResult(done=True, text="jammed")),
        ({"jam exit": "error: no", "jam": "error: not now"}, manual_steps.JAM, StepResult(done=False, text="not now")),
    ],
)
def test_a_line_is_answered(answers: dict[str, str], act: ManualStep, expected: StepResult) -> None:
    helper = LineOperator("hands", lambda line: answers.get(line, "error: unknown command"))
    assert helper.begin(act).result(PATIENCE_S) == expected


@pytest.mark.parametrize("answer", ["error: unknown command 'load'", "error: no such command 'load'", "what?", ""])
def test_what_a_helper_cannot_do_is_not_tried(answer: str) -> None:
    helper = LineOperator("hands", lambda _line: answer)
    with pytest.raises(CheckSkipped):
        helper.begin(manual_steps.LOAD).result(PATIENCE_S)


def test_several_lines_are_one_act_and_end_with_the_first_that_fails() -> None:
    said: list[str] = []

    def exchange(line: str) -> str:
        said.append(line)
        return "error: stuck" if len(said) == 4 else "ok: done"

    assert not LineOperator("hands", exchange).begin(manual_steps.turns(3)).result(PATIENCE_S).done
    assert said == ["key 1", "key 0", "key 1", "key 0"]


def test_several_draws_end_with_the_first_that_fails() -> None:
    left = [1, 2]

    def exchange(_line: str) -> str:
        return f"ok: drew {left.pop()}" if left else "error: empty"

    assert not LineOperator("hands", exchange).begin(manual_steps.draw(5)).result(PATIENCE_S).done
    assert left == []


def test_a_helper_that_does_not_answer_is_not_waited_for_for_ever(seed: int) -> None:
    far = tdp_device("shoe", seed)
    release = threading.Event()
    helper = LineOperator("hands", lambda _line: "ok: late" if release.wait(PATIENCE_S) else "", limit_s=2.0)
    bench = bench_of(far, seed, helper)
    with pytest.raises(CheckSkipped, match="did not answer 'load' within 2 s"):
        bench.attempt(manual_steps.LOAD, bench.pause)
    release.set()


class Lines(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        for line in self.rfile:
            if line.strip() == b"hang up":
                return
            self.wfile.write(b"ok: " + line)


@contextlib.contextmanager
def serving(server: socketserver.BaseServer) -> Iterator[None]:
    with server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join(PATIENCE_S)


def test_a_control_channel_over_tcp() -> None:
    server = socketserver.TCPServer(("127.0.0.1", 0), Lines)
    with serving(server):
        channel = ControlChannelOperator(("127.0.0.1", server.server_address[1]))
        assert channel.begin(manual_steps.LOAD).result(PATIENCE_S) == StepResult(done=True, text="load")
        with pytest.raises(CheckSkipped, match="hung up"):
            channel.begin(ManualStep("hang up", "")).result(PATIENCE_S)
        channel.close()


def test_a_control_channel_over_a_unix_socket(tmp_path: Path) -> None:
    path = tmp_path / "control"
    with serving(socketserver.UnixStreamServer(str(path), Lines)):
        channel = ControlChannelOperator(str(path))
        assert channel.begin(manual_steps.LOAD).result(PATIENCE_S).done
        channel.close()


def test_a_control_channel_that_is_not_there(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
    for address in (("127.0.0.1", number), str(tmp_path / "nothing")):
        with pytest.raises(PortMissing, match="no control channel answers"):
            ControlChannelOperator(address)


ECHO = "import sys\nprint(sys.argv[1], flush=True)\nfor line in sys.stdin: print('ok: ' + line.strip(), flush=True)"


@pytest.mark.parametrize(
    ("greeting", "port", "settings"),
    [
        ('{"port": "./shoe", "settings": {"security": "plain"}}', "./shoe", {"security": "plain"}),
        ('{"line": "tcp", "address": "127.0.0.1:4001"}', "socket://127.0.0.1:4001", {}),
        ('{"line": "pty", "address": "./shoe"}', "./shoe", {}),
        ("Shoe at ./shoe", "", {}),
        ("[1]", "", {}),
    ],
)
def test_a_process_says_where_it_is(greeting: str, port: str, settings: dict[str, object], tmp_path: Path) -> None:
    program = tmp_path / "echo.py"
    program.write_text(ECHO)
    with ProcessOperator(f"{sys.executable} {program} '{greeting}'") as helper:
        assert (helper.port, helper.settings) == (port, settings)
        assert helper.begin(manual_steps.LOAD).result(PATIENCE_S) == StepResult(done=True, text="load")


@pytest.mark.parametrize("command", ["", "/nowhere/at/all", f"{sys.executable} -c pass"])
def test_a_process_that_does_not_run_is_told(command: str) -> None:
    with pytest.raises(PortMissing):
        ProcessOperator(command)


def test_a_port_comes_back(seed: int) -> None:
    far = tdp_device("shoe", seed)
    bench = bench_of(far, seed)
    with pytest.raises(PortLost, match="not open"):
        bench.write(b"x")
    bench.open()
    far.execute("unplug")
    with pytest.raises(PortLost):
        bench.read(1.0)
    with pytest.raises(PortMissing):
        bench.reopen(1.0)
    with pytest.raises(PortLost, match="not open"):
        bench.read(0.0)
    far.execute("replug")
    bench.reopen(0.0)
    assert bench.is_open
    assert (bench.health.connections, bench.health.losses) == (2, 1)


def test_require() -> None:
    require([1], "something", "")
    with pytest.raises(Exception, match="expected something; got nothing"):
        require([], "something", "nothing")


def test_cards_that_a_helper_tells() -> None:
    assert StepResult(done=True, text="drew 4S, TH and KD, the cut card").cards == ["4S", "TH", "KD"]
    assert StepResult(done=True, text="drew nothing, the shoe is empty").cards == []
    assert StepResult(done=True, text="loaded 416 cards").cards == []


def test_damage_is_made_right(seed: int) -> None:
    assert crc32c(b"123456789") == 0xE3069283
    rng = random.Random(seed)
    for length in (0, 1, 15, 239, 253, 254, 255, 600):
        data = bytes(rng.choice((0, 1, 255)) for _ in range(length))
        assert crc32c(data) == framing.crc32c(data)
        if length < 240:
            assert cobs(data) == framing.cobs(data)
    assert cobs(b"\x01" * 254) == b"\xff" + b"\x01" * 254 + b"\x01"


def codes(rng: random.Random, count: int) -> list[int]:
    suits = {"S": 1, "H": 2, "D": 3, "C": 4}
    ranks = {rank: at for at, rank in enumerate("A23456789TJQK", start=1)}
    return [suits[card[1]] << 4 | ranks[card[0]] for card in rng.choices(DECK, k=count)]


@pytest.mark.parametrize("ahead", [1, 2, 4])
@pytest.mark.parametrize("how", list(codings()))
def test_a_leak_is_found_however_it_is_written(how: str, ahead: int, seed: int) -> None:
    rng = random.Random(seed)
    cards = codes(rng, 2 * DRAWS_MIN + ahead)
    coding = codings()[how]
    for added, masked in ((0, 0), (77, 0), (0, 0xA5)):
        said = [
            {(2, 4): (coding(card) + added) % 256 ^ masked, (2, 5): at % 256}
            for at, card in enumerate(cards[ahead - 1 :])
        ]
        assert Leak(2, 4, ahead, how) in leaks(said, cards)


def test_counters_constants_and_the_card_before_are_no_leak(seed: int) -> None:
    rng = random.Random(seed)
    cards = codes(rng, 40)
    said = [
        {(3, 1): at % 256, (3, 2): 7, (3, 3): cards[at - 1] if at else 0, (3, 4): rng.randrange(256)}
        for at in range(len(cards))
    ]
    assert leaks(said, cards) == []
    assert leaks([], []) == []


def test_too_few_cards_show_nothing(seed: int) -> None:
    cards = codes(random.Random(seed), DRAWS_MIN - 1)
    assert leaks([{(2, 4): card} for card in cards], cards) == []

"""``cardshoe conformance``: the whole way, from the command line to a device in another process."""

import json
import re
import sys
from html.parser import HTMLParser
from importlib.metadata import version
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from conformance.channels import ProcessOperator
from firmware_bridge.trust.keys import COST_MIN, is_signed, load_public, make_key
from tests.cardshoe.cli.support import cardshoe, invoke
from tests.conformance.suites import FAMILIES, suite
from tests.kit.forked import CARDSHOE

SECOND = f"{sys.executable} -m tests.second_device --tcp 127.0.0.1:0 --plain --seed 1"
SHOE = f"{CARDSHOE} sim angel-eye --tcp 127.0.0.1:0 --ready-json --initial-burn none --seed 1"


def test_a_device_that_we_start_is_checked(tmp_path: Path) -> None:
    junit, page = tmp_path / "a.xml", tmp_path / "a.html"
    done = cardshoe(
        "conformance", "--family", "tdp", "--start", SECOND, "--setting", "security=plain", "--seed", "3",
        "--only", "session.opens", "--only", "commands.meters-then-done", "--only", "events.cards-are-read",
        "--junit", junit, "--html", page,
    )  # fmt: skip
    assert (done.returncode, done.stdout.decode().splitlines()[-1][:30]) == (0, "3 passed, 0 failed, 0 skipped,"), done
    assert done.stdout.decode().splitlines()[:3] == [
        "passed   session.opens",
        "passed   commands.meters-then-done",
        "passed   events.cards-are-read",
    ]
    (told,) = ET.parse(junit).getroot()  # noqa: S314  our own output
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", told.attrib["timestamp"])
    assert (told.attrib["tests"], told.attrib["failures"]) == ("3", "0")
    HTMLParser().feed(page.read_text(encoding="utf-8"))
    assert "Second Source" in page.read_text(encoding="utf-8")


def test_a_simulated_shoe_says_where_it_is() -> None:
    done = cardshoe(
        "conformance", "--family", "angel_eye", "--start", SHOE, "--only", "commands.byte-by-byte", "--only",
        "telegrams.forced-end", "--json",
    )  # fmt: skip
    assert done.returncode == 0, done
    found = json.loads(done.stdout)
    assert (found["good"], found["counts"]["passed"], found["counts"]["failed"]) == (True, 2, 0)
    assert [(one["name"], one["verdict"], one["raw"]) for one in found["results"]] == [
        ("commands.byte-by-byte", "passed", ""),
        ("telegrams.forced-end", "passed", ""),
    ]


@pytest.mark.parametrize(
    ("kind", "family", "tried"),
    [("shuffler-dealer --decks 6", "tdp", 120), ("angel-eye", "angel_eye", 20), ("bee-tek", "bee_tek", 10)],
)
def test_a_whole_suite_runs_in_virtual_time(kind: str, family: str, tried: int) -> None:
    done = invoke("conformance", "--simulate", f"{kind} --seed 3", "--seed", "3", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["family"], found["port"], found["good"]) == (family, "virtual", True)
    assert found["counts"]["passed"] >= tried
    assert found["duration_s"] > 20, "seconds of the device's own clock"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--simulate", "roulette"), "there is no such device"),
        (("--simulate", ""), "names no device"),
        (("--simulate", "bee-tek '"), "names no device"),
        (("--simulate", "bee-tek", "/dev/shoe"), "/dev/shoe: a device in virtual time has no port"),
        (("--simulate", "bee-tek", "--family", "tdp"), "is a device of the family bee_tek, not tdp"),
        (("--simulate", "bee-tek", "--ask"), "--simulate, --control, --start and --ask exclude each other"),
        (("--simulate", "bee-tek --tcp 127.0.0.1:0"), "--tcp: a device in virtual time has neither line nor pace"),
        (("--simulate", "bee-tek --speed 3"), "--speed: a device in virtual time has neither line nor pace"),
        (("--simulate", "bee-tek --decks 99"), "99 is not in the range"),
        (("--simulate", "tdp-shoe --certificate /etc/hostname"), "key"),
        ((), "which family has the device?"),
    ],
)
def test_a_device_that_cannot_be_simulated_so_is_named(arguments: tuple[str, ...], said: str) -> None:
    done = invoke("conformance", *arguments)
    assert done.exit_code == 2
    assert said in done.output


def test_a_device_that_does_not_conform_ends_with_1(tmp_path: Path) -> None:
    # A Bee-Tek shoe never answers a command, and its lines are no telegrams.
    shoe = f"{CARDSHOE} sim bee-tek --tcp 127.0.0.1:0 --ready-json --seed 1"
    page = tmp_path / "a.html"
    done = cardshoe(
        "conformance", "--family", "angel_eye", "--start", shoe, "--only", "commands.byte-by-byte", "--html", page
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-2] == b"cardshoe: the device does not conform"
    assert done.stdout.splitlines()[0] == b"failed   commands.byte-by-byte"
    for words in (b"expected: ACK", b"look at:"):
        assert words in done.stdout
    assert "commands.byte-by-byte" in page.read_text(encoding="utf-8")


def test_nothing_tried_is_not_passed() -> None:
    shoe = f"{CARDSHOE} sim bee-tek --tcp 127.0.0.1:0 --ready-json --seed 1"
    with ProcessOperator(shoe) as helper:
        done = cardshoe("conformance", helper.port, "--family", "bee_tek", "--only", "lines.alarm")
    assert done.returncode == 1
    assert b"no operator: " in done.stdout
    assert b"cardshoe: nothing was tried" in done.stderr


@pytest.mark.parametrize("family", FAMILIES)
def test_the_checks_are_listed(family: str) -> None:
    shown = invoke("conformance", "--family", family, "--list").stdout.splitlines()
    checks = suite(family).checks
    assert shown[0] == f"{family}, {suite(family).page}"
    assert [line.split()[0] for line in shown[1::2]] == [check.name for check in checks]
    assert [line.strip() for line in shown[2::2]] == [check.requirement for check in checks]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--family", "tdp", "--only", "nothing", "--list"], "no such check"),
        (["--family", "bee_tek"], "which port?"),
        (["./shoe", "--family", "bee_tek", "--ask", "--control", "127.0.0.1:1"], "exclude each other"),
        (["./shoe", "--family", "bee_tek", "--control", "nowhere"], "is not an address"),
        (["./shoe", "--family", "bee_tek", "--setting", "baud"], "--setting 'baud' is not of the form KEY=VALUE"),
        (["./shoe", "--family", "bee_tek", "--setting", "speed=1"], "setting 'speed': unknown"),
        (["./shoe", "--family", "tdp"], "setting 'certificate': missing"),
        (["./shoe", "--family", "bee_tek", "--junit", "/nowhere/at/all.xml"], "this folder does not exist"),
        (["./shoe", "--family", "toaster"], "toaster"),
        (["nonsense://", "--family", "bee_tek"], "nonsense"),
    ],
)
def test_usage_is_told_with_2(arguments: list[str], said: str) -> None:
    result = invoke("conformance", *arguments)
    assert (result.exit_code, said in result.stderr) == (2, True), result.stderr


def test_a_port_that_is_not_there_ends_with_5(tmp_path: Path) -> None:
    result = invoke("conformance", str(tmp_path / "shoe"), "--family", "bee_tek")
    assert result.exit_code == 5
    assert str(tmp_path / "shoe") in result.stderr


def test_a_helper_that_is_not_there_ends_with_5(tmp_path: Path) -> None:
    result = invoke("conformance", "./shoe", "--family", "bee_tek", "--control", f"unix:{tmp_path / 'nothing'}")
    assert result.exit_code == 5
    assert "no control channel answers" in result.stderr


def test_a_device_s_last_words_are_shown(tmp_path: Path) -> None:
    program = tmp_path / "device.py"
    program.write_text("import sys\nprint('panic: no flash', file=sys.stderr)\n")
    done = cardshoe("conformance", "--family", "bee_tek", "--start", f"{sys.executable} {program}")
    assert done.returncode == 5
    assert b"panic: no flash" in done.stderr


def test_what_failed_is_tried_first_shown_frame_by_frame_and_signed(tmp_path: Path) -> None:
    junit, again = tmp_path / "a.xml", tmp_path / "b.xml"
    secret, passphrase = tmp_path / "anna.key", tmp_path / "passphrase"
    passphrase.write_text("a long enough passphrase")
    passphrase.chmod(0o600)
    make_key(secret, "anna", "a long enough passphrase", cost=COST_MIN)
    shoe = f"{CARDSHOE} sim tdp-shoe --tcp 127.0.0.1:0 --ready-json --seed 1 --hostile permit-untold"
    only = ("--only", "session.opens", "--only", "events.permit-is-echoed", "--only", "run.identity-stays")
    done = cardshoe(
        "conformance", "--family", "tdp", "--start", shoe, *only, "--junit", junit,
        "--sign", secret, "--passphrase-file", passphrase,
    )  # fmt: skip
    assert done.returncode == 1, done
    shown = done.stdout.decode()
    assert re.search(r"^ +\d+\.\d{3} < DATA of [0-9A-F]+, number \d+, expects \d+: CardDrawn\(", shown, re.MULTILINE)
    assert is_signed(load_public(secret.with_suffix(".pub")), (tmp_path / "a.xml.sig").read_bytes(), junit.read_bytes())
    told = {one.attrib["name"]: one.attrib["value"] for one in ET.parse(junit).getroot().iter("property")}  # noqa: S314  ours
    assert (told["signer"], told["suite"]) == ("anna", f"cardshoe {version('cardshoe')}")
    assert (told["device.firmware"], len(told["device.image digest"])) == ("1.0.0", 64)
    done = cardshoe("conformance", "--family", "tdp", "--start", shoe, *only, "--failed-first", junit, "--junit", again)
    names = [case.attrib["name"] for case in ET.parse(again).getroot().iter("testcase")]  # noqa: S314  our own
    assert names == ["events.permit-is-echoed", "session.opens", "run.identity-stays"]


def test_a_report_that_is_none_names_no_failures(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text("<not")
    result = invoke("conformance", "./shoe", "--family", "tdp", "--failed-first", str(tmp_path / "a.xml"))
    assert (result.exit_code, "is no JUnit XML" in result.stderr) == (2, True)
    result = invoke("conformance", "./shoe", "--family", "tdp", "--sign", str(tmp_path / "a.xml"))
    assert (result.exit_code, "nothing to sign" in result.stderr) == (2, True)

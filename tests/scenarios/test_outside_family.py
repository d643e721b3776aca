"""A family of another maker, known by the entry point of its distribution alone, in every command as a process."""

import json
from pathlib import Path
from typing import Final

import pytest

from tests.cardshoe.cli.support import cardshoe
from tests.kit.command import Command
from tests.kit.forked import CARDSHOE
from tests.kit.running_table import RunningTable, write_config

OUTSIDE: Final = Path(__file__).parent.parent / "outside"
SIMULATED: Final = f"{CARDSHOE} sim acme --tcp 127.0.0.1:0 --ready-json --seed 1"
ACE_OF_SPADES: Final = bytes.fromhex("02 00 41 53 94 03")
UNREAD: Final = bytes.fromhex("02 01 3F 3F 7F 03")
BROKEN: Final = {
    "missing": "acme_shoe.family:NOTHING",
    "gone": "no_such_module:FAMILY",
    "codec": "acme_shoe.codec:decode",
    "partless": "partless:FAMILY",
    "copies": "partless:COPIES",
    "bridgeless": "partless:BRIDGELESS",
    "twice": "acme_shoe.family:FAMILY",
    "bee_tek": "acme_shoe.family:FAMILY",
}
"""Entry points of a distribution with mistakes; its `twice` is offered by another one as well."""
PARTLESS: Final = """
from dataclasses import replace
from acme_shoe.family import FAMILY
from acme_shoe.simulated import KINDS
COPIES = replace(FAMILY, name="copies", simulated="partless:KINDS")
BRIDGELESS = replace(FAMILY, name="bridgeless", make="acme_shoe.bridge:LINE", simulated="", frames="")
FAMILY = replace(FAMILY, name="partless", suite="", frames="no_such_module:frames", simulated="acme_shoe.suite:SUITE")
KINDS = (*KINDS, "a shoe")
"""


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The distribution is on the path of processes, and not on this one's."""
    monkeypatch.setenv("PYTHONPATH", str(OUTSIDE))


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two more distributions, with mistakes."""
    offered = {"broken": BROKEN, "rival": {"twice": "acme_shoe.codec:FAMILY"}}
    for name, points in offered.items():
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        lines = "".join(f"{family} = {target}\n" for family, target in points.items())
        (info / "entry_points.txt").write_text(f"[cardshoe.families]\n{lines}")
    (tmp_path / "partless.py").write_text(PARTLESS)
    monkeypatch.setenv("PYTHONPATH", f"{OUTSIDE}:{tmp_path}")


def config_of(folder: Path, port: str, family: str = "acme") -> Path:
    path = write_config(folder, port)
    path.write_text(path.read_text().replace('"angel_eye"', f'"{family}"'))
    return path


def test_ports_lists_it() -> None:
    found = json.loads(cardshoe("ports", "--json").stdout)["families"]
    assert found[-1] == {"name": "acme", "summary": "Acme shoe, RS-232 or raw TCP, read-only", "problem": None}


def test_a_table_deals_from_it(tmp_path: Path) -> None:
    port = tmp_path / "shoe"
    config = config_of(tmp_path, str(port))
    checked = cardshoe("config", "check", config)
    assert (checked.returncode, checked.stderr) == (0, b"")
    assert b"shoe (acme at " in checked.stdout
    with Command("sim", "acme", "--pty", port, "--seed", "1") as shoe:
        assert shoe.line() == f"Acme shoe at {port}, 8 decks, seed 1; type `help`"
        with RunningTable(config) as table:
            table.until_prompt("shuffle")
            table.tell("shuffled croupier")
            table.tell("cut player")
            table.tell("cut_card_placed 14")
            table.tell("loaded 416")
            shoe.say("load")
            shoe.line()
            shoe.say("draw")
            assert shoe.line() == "ok: drew TH"
            event, *_, prompt = table.answer()
            # It lies face down, so the log seals it; a card that was not read would have to be resolved.
            assert (event["event"], event["device"], event["card"], prompt["do"]) == ("card", "shoe", None, "burn")


def test_capture_show_takes_its_bytes_apart(tmp_path: Path) -> None:
    damaged = ACE_OF_SPADES[:4] + b"\x95" + ACE_OF_SPADES[5:]
    path = tmp_path / "acme.jsonl"
    path.write_text(json.dumps({"t_s": 0.5, "hex": (ACE_OF_SPADES + damaged + UNREAD).hex()}) + "\n")
    found = json.loads(cardshoe("capture", "show", path, "--json", "--all", "--open").stdout)
    assert (found["family"], found["frames"], found["bad_runs"]) == ("acme", 2, 1)
    assert [(part["offset"], part["what"], part["reason"], part["bad"]) for part in found["parts"]] == [
        (0, "CardOut number=0 card=AS", None, None),
        (6, "the check characters do not match the bytes they cover; check cable and grounding", "bcc", 10),
        (12, "CardOut number=1 card=None", None, None),
    ]


@pytest.mark.parametrize(("more", "code", "verdict"), [("", 0, "passed"), (" --blind", 1, "failed")])
def test_its_suite_asks_its_simulated_shoe(more: str, code: int, verdict: str) -> None:
    done = cardshoe("conformance", "--family", "acme", "--start", SIMULATED + more, "--json")
    assert done.returncode == code, done.stderr
    [result] = json.loads(done.stdout)["results"]
    assert (result["name"], result["verdict"]) == ("cards.are-told-as-drawn", verdict)


def test_a_demonstration_deals_from_it(tmp_path: Path) -> None:
    done = cardshoe(
        "demo", "blackjack", "--equipment", "acme", "--rounds", "2", "--speed", "1000", "--mistakes", "0",
        "--seed", "1", "--plain", "--json", "--journals", tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith(b"{")]
    cards = [line for line in lines if line["event"] == "card"]
    assert {line["device"] for line in cards} == {"shoe"}
    assert len([line for line in lines if line["event"] == "round_closed"]) == 2


@pytest.mark.usefixtures("broken")
def test_entry_points_with_mistakes_are_named_and_end_no_other_table(tmp_path: Path) -> None:
    assert cardshoe("config", "check", config_of(tmp_path, "/dev/serial/by-id/acme")).returncode == 0
    problems = {one["name"]: one["problem"] for one in json.loads(cardshoe("ports", "--json").stdout)["families"]}
    assert [name for name, problem in problems.items() if problem is None] == [
        "angel_eye", "tdp", "acme", "copies", "partless",
    ]  # fmt: skip
    for name, said in {
        "missing": "broken (acme_shoe.family:NOTHING) cannot be used: AttributeError",
        "gone": "broken (no_such_module:FAMILY) cannot be used: ModuleNotFoundError",
        "bridgeless": "its make (acme_shoe.bridge:LINE) cannot be used: it is a SerialSettings and no function",
        "codec": "broken (acme_shoe.codec:decode) cannot be used: it is a function and no Family",
        "bee_tek": "offered by cardshoe (firmware_bridge.bee_tek.family:FAMILY) and by broken (acme_shoe",
        "twice": "offered by ",
    }.items():
        assert problems[name].startswith(said)
        config = config_of(tmp_path, "/dev/serial/by-id/acme", name)
        line = config.read_text().splitlines().index(f'family = "{name}"') + 1
        done = cardshoe("config", "check", config)
        assert (done.returncode, f"line {line}" in done.stderr.decode()) == (2, True), done.stderr
        assert " ".join(said.split()) in " ".join(done.stderr.decode().split())


@pytest.mark.usefixtures("broken")
def test_commands_that_use_all_families_name_what_they_leave_out(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text(json.dumps({"t_s": 0.5, "hex": ACE_OF_SPADES.hex()}) + "\n")
    shown = cardshoe("capture", "show", tmp_path / "empty.jsonl")
    assert b"acme: 6 bytes, 1 frames" in shown.stdout
    assert b"partless: its frames (no_such_module:frames) cannot be used: ModuleNotFoundError" in shown.stderr
    listed = cardshoe("sim", "--help")
    assert b"  acme " in listed.stdout
    assert (
        b"partless: its simulated (acme_shoe.suite:SUITE) cannot be used: it is a Suite and no tuple" in listed.stderr
    )
    refused = cardshoe("conformance", "--family", "partless", "--list")
    assert (refused.returncode, refused.stderr.splitlines()[0]) == (2, b"cardshoe: partless: the family has no suite")
    unknown = cardshoe("conformance", "--family", "acne", "--list")
    assert unknown.returncode == 2
    assert b"'acne' is unknown. Known: angel_eye, " in unknown.stderr

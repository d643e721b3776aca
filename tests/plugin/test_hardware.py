"""The plugin with a shoe that it did not start: nobody at it, a person, a rig."""

import json
import os
import re
import select
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.command import PATIENCE_S, Command
from tests.plugin.foreign import LIMIT_S, Foreign

TESTS = """
import pytest

def test_a_burn(cardshoe_shoe, cardshoe_table):
    assert not cardshoe_shoe.is_simulated
    table = cardshoe_table(cardshoe_shoe)
    assert table.make_ready(cardshoe_shoe).do == "draw"

def test_a_fault(cardshoe_shoe, cardshoe_table, cardshoe_fault):
    table = cardshoe_table(cardshoe_shoe)
    cardshoe_fault.unplug()
    table.wait_for("device_lost")
    cardshoe_fault.replug()
    table.wait_for("device_back")

def test_a_button(cardshoe_shoe):
    cardshoe_shoe.press("tie")

@pytest.mark.cardshoe(device="bee-tek")
def test_another_shoe(cardshoe_shoe):
    pass

@pytest.mark.cardshoe(arguments=["--round-burn"])
def test_another_menu(cardshoe_shoe):
    pass

def test_two_shoes(cardshoe_shoe, cardshoe_device):
    cardshoe_device()
"""


class BenchShoe(Command):
    """A shoe on the bench, as far as the other project can tell; our tests move it."""

    def __init__(self) -> None:
        super().__init__(
            "sim", "angel-eye", "--tcp", "127.0.0.1:0", "--control", "127.0.0.1:0", "--ready-json", "--seed", "5"
        )
        self.about: dict[str, Any] = json.loads(self.line())

    def do(self, line: str) -> None:
        self.say(line)
        answer = self.line()
        assert answer.startswith("ok: "), answer


@pytest.fixture
def bench_shoe() -> Iterator[BenchShoe]:
    with BenchShoe() as shoe:
        yield shoe
        shoe.say("quit")
        assert shoe.end() == 0


def test_where_nobody_is_at_the_shoe_every_test_is_skipped_with_its_reason(
    tmp_path: Path, bench_shoe: BenchShoe
) -> None:
    ran = Foreign(tmp_path, TESTS).run(f"--cardshoe-hw={bench_shoe.about['port']}")
    ran.assert_outcomes("6 skipped")
    assert f"cardshoe: the angel_eye at {bench_shoe.about['port']}, seed " in ran.output
    for reason in (
        "needs a person at the device (shuffle 8 decks, put the cut card before the last 14 cards, load all 416 cards)",
        "run pytest at a terminal, or name a rig with --cardshoe-control",
        "a real device cannot be made to fail by 'unplug': use the simulator or --cardshoe-control",
        "wants a bee_tek, and on the bench is a angel_eye (--cardshoe-family)",
        "wants a simulated shoe with --round-burn; a real shoe has no such option",
        "wants 2 devices, and --cardshoe-hw names one",
    ):
        assert reason in ran.output, reason


def test_a_rig_moves_it_by_the_control_channel(tmp_path: Path, bench_shoe: BenchShoe) -> None:
    about = bench_shoe.about
    options = (f"--cardshoe-hw={about['port']}", f"--cardshoe-control={about['control']}")
    ran = Foreign(tmp_path, TESTS).run(*options, "-k", "fault")
    ran.assert_outcomes("1 passed, 5 deselected")


def test_a_shoe_that_is_not_there(tmp_path: Path) -> None:
    baud = ("--cardshoe-setting=baud=9600", "--cardshoe-setting=parity=E")
    foreign = Foreign(tmp_path, TESTS)
    ran = foreign.run("--cardshoe-hw=/dev/no-such-shoe", *baud, "-k", "fault")
    ran.assert_outcomes("1 failed, 5 deselected")
    assert "/dev/no-such-shoe" in ran.output
    assert "ended with code 5" in ran.output
    (config,) = foreign.folder.glob("tmp/*0/table-1/table.toml")
    (device,) = tomllib.loads(config.read_text())["device"]
    assert device["settings"] == {"baud": 9600, "parity": "E"}


def test_one_shoe_cannot_serve_two_workers(tmp_path: Path) -> None:
    ran = Foreign(tmp_path, TESTS).run("-p", "xdist", "-n", "2", "--cardshoe-hw=/dev/no-such-shoe")
    assert ran.code != 0
    assert "there is one shoe, so run in one process (-n 0)" in ran.output


AT_A_TERMINAL = """
import os, sys
os.open(sys.argv[1], os.O_RDWR)  # a session without a terminal that opens one has it from then on
os.execv(sys.argv[2], sys.argv[2:])
"""


def test_a_person_at_the_terminal_is_asked(tmp_path: Path, bench_shoe: BenchShoe) -> None:
    foreign = Foreign(tmp_path, TESTS)
    ours, theirs = os.openpty()
    command = foreign.command(f"--cardshoe-hw={bench_shoe.about['port']}", "-k", "burn or button")
    with subprocess.Popen(
        [sys.executable, "-c", AT_A_TERMINAL, os.ttyname(theirs), *command],
        cwd=foreign.folder,
        env=foreign.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as running:
        try:
            orders = [answer_order(ours, bench_shoe) for _ in range(10)]
            output = running.communicate(timeout=LIMIT_S)[0].decode()
        finally:
            running.kill()
            os.close(ours)
            os.close(theirs)
    assert orders == ["load", *["draw"] * 8, "skip"]
    assert "1 passed, 1 skipped, 4 deselected" in output, output
    assert "the person at the device skipped it: press the button tie" in output


def answer_order(terminal: int, shoe: BenchShoe) -> str:
    """Reads an order from the terminal, does it at the shoe, and presses Enter; a button it skips."""
    text = b""
    while not text.rstrip().endswith(b"s to skip:"):
        # Nothing ends this read: our own end of the terminal keeps it open.
        assert select.select([terminal], [], [], PATIENCE_S)[0], f"nobody is asked; so far {text!r}"
        text += os.read(terminal, 1000)
    order = re.search(rb"AT THE DEVICE: (.*)\. Enter when it is done", text)
    assert order is not None, text
    act = {b"draw 1 card": "draw", b"press the button tie": "skip"}.get(order[1], "load")
    if act == "skip":
        os.write(terminal, b"s\n")
    else:
        shoe.do(act)
        os.write(terminal, b"\n")
    return act

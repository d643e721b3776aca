"""The plugin in another project, with a simulated shoe: tests that pass, tests that fail, seeds, and what is left."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.kit.waiting import eventually
from tests.plugin.foreign import DISTRIBUTION, ROOT, Foreign, is_alive

PASSING = """
import pytest

BETS = {"seats": [1], "wagers": [{"seat": 1, "bet": "banker", "stake": 10_000}]}


def test_a_round_and_a_jam(cardshoe_shoe, cardshoe_table, cardshoe_fault):
    table = cardshoe_table(cardshoe_shoe)
    assert table.make_ready(cardshoe_shoe).do == "draw"
    answer = table.send("bets_closed", **BETS)
    drawn, dealt = [], []
    while answer.do == "draw":
        drawn += cardshoe_shoe.draw().cards
        answer = table.answer()
        dealt.append(answer.one("dealt")["card"])
    assert dealt == drawn
    cardshoe_shoe.press(answer.one("result")["outcome"])
    assert table.wait_for("device_result").refused is None
    assert table.send("round_closed").do == "draw"
    assert table.send("round_closed").refused["code"]
    cardshoe_shoe.control.watch("fault")
    cardshoe_fault.jam()
    cardshoe_shoe.control.wait_for("fault", code=7)
    assert table.wait_for("fault", code=7).irregularities
    table.close()
    assert table.verified["entries"] == len(table.answers)


@pytest.mark.cardshoe(device="bee-tek", decks=6, wire="tcp", arguments=["--mode", "game"])
def test_faults(cardshoe_shoe, cardshoe_table, cardshoe_fault):
    table = cardshoe_table(cardshoe_shoe)
    table.make_ready(cardshoe_shoe)
    assert cardshoe_shoe.state()["cards_left"] == 6 * 52 - 6
    cardshoe_fault.unplug()
    lost = table.wait_for("device_lost").one("irregularity")
    cardshoe_fault.replug()
    assert "continue" in table.wait_for("device_back").next["actions"]
    assert table.send("resolve", irregularity=lost["irregularity"], action="continue", by=[7]).do == "draw"
    cardshoe_fault.misread("TH")
    cardshoe_shoe.draw()
    assert table.answer().input["card"] == "TH"
    cardshoe_fault.jam()


@pytest.mark.cardshoe(shuffle="never")
def test_a_shoe_that_is_not_shuffled(cardshoe_shoe):
    cardshoe_shoe.load()
    first = cardshoe_shoe.draw(5).cards
    cardshoe_shoe.load()
    second = cardshoe_shoe.draw(416 - 14).cards
    assert "".join(first) in "".join(second + second)


def test_two_tables_of_other_games_by_hand(cardshoe_table):
    with cardshoe_table(game="casino_war", decks=1, table_id="W-9") as war:
        assert war.next["do"] == "shuffle"
    assert war.verified["table_id"] == "W-9"
    assert cardshoe_table().send("shuffled", by="croupier").do == "cut"
"""


EVERY_GAME = """
import pytest

from pytest_cardshoe import InputRefused

DECKS = {"baccarat": 8, "blackjack": 6, "casino_war": 1, "q_poker": 1, "three_card_baccarat": 8}


@pytest.mark.parametrize("game", DECKS)
def test_a_table_gets_ready(cardshoe_device, cardshoe_table, game):
    shoe = cardshoe_device("bee-tek", decks=DECKS[game], arguments=["--mode", "game"])
    table = cardshoe_table(shoe, game=game, decks=DECKS[game])
    assert table.make_ready(shoe).do in {"draw", "close_bets"}


@pytest.mark.cardshoe(device="bee-tek", decks=6, arguments=["--mode", "game"])
def test_a_cut_card_where_none_may_lie(cardshoe_shoe, cardshoe_table):
    table = cardshoe_table(cardshoe_shoe, game="blackjack", decks=6)
    with pytest.raises(InputRefused, match="cut_card_placed was refused .cut_card_depth, reading J19..*are 30 to 104"):
        table.make_ready(cardshoe_shoe, cut_card_behind=14)
    assert len(table.answers) < 10
"""


def test_a_table_of_any_game_gets_ready_or_says_why_not(tmp_path: Path) -> None:
    Foreign(tmp_path, EVERY_GAME).run().assert_outcomes("6 passed")


def test_the_tests_of_the_manual_pass(tmp_path: Path) -> None:
    tests = []
    for page in (ROOT / "docs" / "pytest-plugin.md", DISTRIBUTION / "README.md"):
        tests += re.findall(r"^```python\n(.*?)^```", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    assert len(tests) == 4
    # In CI, beside a clone of cardshoe whose own tests are not to be collected.
    jobs = (ROOT / "docs" / "pytest-plugin.md").read_text()
    github, gitlab = re.findall(r"^ +- (?:run: )?pytest (.*)$", jobs, flags=re.MULTILINE)
    assert github == gitlab
    project = Foreign(tmp_path, "\n\n".join(tests))
    (project.folder / "cardshoe" / "test_own.py").touch()
    project.run(*github.split()).assert_outcomes("5 passed")


def test_tests_that_pass(tmp_path: Path) -> None:
    ran = Foreign(tmp_path, PASSING, starts=True).run("--cardshoe-seed=5")
    ran.assert_outcomes("3 passed, 1 skipped")
    assert "this bee_tek has no command 'jam'" in ran.output
    assert "cardshoe: a simulated shoe, seed 5 (repeat with --cardshoe-seed=5)" in ran.output


FAILING = """
import os, signal
import pytest


def test_a_misspelt_event(cardshoe_table):
    cardshoe_table().send("shufled", by="croupier")


def test_an_assertion(cardshoe_shoe, cardshoe_table):
    cardshoe_shoe.do("load")
    assert cardshoe_table(cardshoe_shoe).send("cut", by="player").refused is None


def test_a_command_that_is_refused(cardshoe_shoe):
    cardshoe_shoe.do("draw", "many")


def test_a_table_that_dies(cardshoe_table):
    table = cardshoe_table()
    os.kill(table.process.pid, signal.SIGKILL)
    table.answer()


@pytest.mark.cardshoe(device="no-such-shoe")
def test_a_device_that_is_none(cardshoe_shoe):
    pass


def test_a_table_that_the_regulation_does_not_allow(cardshoe_table):
    cardshoe_table(decks=99)


def test_nothing_comes(cardshoe_table):
    cardshoe_table().answer(patience_s=0.2)
"""


def test_a_failure_says_what_the_processes_said_and_nothing_of_the_plugin(tmp_path: Path) -> None:
    ran = Foreign(tmp_path, FAILING).run("--cardshoe-seed=5")
    # The table that died could not be verified either.
    ran.assert_outcomes("6 failed, 2 errors")
    assert "did not understand" in ran.output
    assert "unknown event `shufled`" in ran.output
    failures = ran.output.partition("= FAILURES =")[2]
    assert "/pytest_cardshoe/" not in failures.partition("= short test summary")[0]
    # The process that failed, how it was started, and its end.
    assert re.search(r"-+ cardshoe: table T-1 -+\n\$ \S+cardshoe run --json \S+table\.toml\npid \d+, still", ran.output)
    assert "cardshoe: seed" in ran.output
    assert "draw: 'many' given, expected a number; usage: draw [N]" in ran.output
    assert "table T-1 ended with code -9" in ran.output
    assert "simulated no-such-shoe did not start: Usage: cardshoe sim" in ran.output
    assert "table T-1 ended with code 2: cardshoe: " in ran.output
    assert "table T-1: an answer did not come within 0.2 s" in ran.output


SEEDED = """
import pytest

@pytest.mark.parametrize("number", [1, 2])
def test_cards(cardshoe_shoe, cardshoe_device, cardshoe_seed, number):
    cardshoe_shoe.load()
    other = cardshoe_device()
    other.load()
    print("DRAWN", number, cardshoe_seed, *cardshoe_shoe.draw(5).cards, *other.draw(5).cards)
"""


def test_the_same_seed_draws_the_same_cards_whichever_tests_run(tmp_path: Path) -> None:
    foreign = Foreign(tmp_path, SEEDED)

    def drawn(*options: str) -> list[str]:
        ran = foreign.run(*options)
        assert ran.code == 0, ran.output
        return re.findall(r"^DRAWN .*$", ran.output, flags=re.MULTILINE)

    both = drawn("--cardshoe-seed=7")
    assert drawn("--cardshoe-seed=7", "-k", "2") == both[1:]
    # Two tests, two devices: four shuffles.
    cards = [line.split()[3:] for line in both]
    assert len({tuple(five) for line in cards for five in (line[:5], line[5:])}) == 4


def test_a_seed_that_was_not_given_is_another_one_each_time_and_said(tmp_path: Path) -> None:
    foreign = Foreign(tmp_path, SEEDED)
    said = [re.findall(r"seed (\d+) \(repeat with --cardshoe-seed=(\d+)\)", foreign.run("--co").output) for _ in "12"]
    assert all(len(one) == 1 and one[0][0] == one[0][1] for one in said)
    assert said[0] != said[1]


UNENDING = """
import json, os, pathlib, signal

def test_forever(cardshoe_shoe, cardshoe_table):
    # The second table has no device: nothing but the guard can end it.
    tables = [cardshoe_table(cardshoe_shoe), cardshoe_table()]
    pids = [os.getpid(), cardshoe_shoe.process.pid, *(table.process.pid for table in tables)]
    file = pathlib.Path("pids.json")
    file.with_suffix(".new").write_text(json.dumps(pids))
    file.with_suffix(".new").rename(file)
    signal.pause()
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_nothing_is_left_however_pytest_ends(tmp_path: Path, number: signal.Signals) -> None:
    foreign = Foreign(tmp_path, UNENDING, starts=True)
    pids_file = foreign.folder / "pids.json"
    with subprocess.Popen(
        foreign.command(),
        cwd=foreign.folder,
        env=foreign.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as running:
        try:
            eventually(pids_file.exists, "the table runs")
            pids = json.loads(pids_file.read_text())
            assert all(map(is_alive, pids))
            os.kill(running.pid, number)
            running.wait(30)
        finally:
            running.kill()
    eventually(lambda: not any(map(is_alive, pids)), f"all of {pids} have ended")


def test_a_command_that_is_not_there(tmp_path: Path) -> None:
    ran = Foreign(tmp_path, SEEDED).run("--cardshoe-command=/no/such/cardshoe")
    ran.assert_outcomes("2 errors")
    assert "no command '/no/such/cardshoe': install cardshoe" in ran.output
    assert "--cardshoe-command=PATH" in ran.output


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--cardshoe-control=127.0.0.1:1",), "name that with --cardshoe-hw=PORT"),
        (("--cardshoe-setting=9600",), "is not KEY=VALUE, such as baud=9600"),
        (("--cardshoe-replay=nothing.jsonl",), "there is no file"),
        (("--cardshoe-replay=test_foreign.py",), "test_foreign.py:1: no JSON"),
        (("--cardshoe-record=test_foreign.py",), "is there already"),
        (("--cardshoe-record=no/folder/x",), "No such file or directory"),
        (("--cardshoe-record=a", "--cardshoe-replay=test_foreign.py"), "not to be used together"),
    ],
)
def test_options_that_cannot_be(tmp_path: Path, options: tuple[str, ...], problem: str) -> None:
    ran = Foreign(tmp_path, "def test_nothing(): ...").run(*options)
    assert ran.code == pytest.ExitCode.USAGE_ERROR, ran.output
    assert problem in ran.output
    assert "Traceback" not in ran.output

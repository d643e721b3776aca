"""``cardshoe sim angel-eye``: a shoe as a process of its own, moved by typed lines."""

import re
import signal
import socket
from pathlib import Path

import pytest

from tests.cardshoe.cli.support import answered, cardshoe
from tests.kit.command import Command, Line, assert_message
from tests.kit.opening import BETS, OPENING
from tests.kit.running_table import RunningTable, journal_of, write_config
from tests.kit.sealed import cards_reported
from tests.kit.waiting import eventually


class SimulatedShoe(Command):
    """The process; ``do`` types a line and takes its answer."""

    def __init__(self, *options: str | Path) -> None:
        super().__init__("sim", "angel-eye", "--seed", "5", *options)
        self.greeting = self.line()

    def do(self, line: str) -> str:
        self.say(line)
        answer = self.line()
        assert answer.startswith("ok: "), answer
        return answer.removeprefix("ok: ")


def test_a_shoe_and_a_table_in_two_terminals(tmp_path: Path) -> None:
    with SimulatedShoe("--pty", tmp_path / "shoe", "--speed", "100") as shoe:
        assert shoe.greeting == f"Angel Eye shoe at {tmp_path / 'shoe'}, 8 decks, seed 5; type `help`"
        assert (tmp_path / "shoe").is_symlink()
        drawn = played(tmp_path, shoe, str(tmp_path / "shoe"))
        shoe.say("quit")
        assert shoe.end() == 0
    assert not (tmp_path / "shoe").exists()
    assert cards_reported(journal_of(tmp_path)) == drawn


def test_the_same_over_tcp(tmp_path: Path) -> None:
    with SimulatedShoe("--tcp", "127.0.0.1:0", "--speed", "100") as shoe:
        where = re.match(r"Angel Eye shoe at (127\.0\.0\.1:\d+), ", shoe.greeting)
        assert where is not None
        played(tmp_path, shoe, f"socket://{where[1]}")
        shoe.send(signal.SIGINT)
        assert (shoe.end(), shoe.errors()) == (0, "")


def played(folder: Path, shoe: SimulatedShoe, port: str) -> list[str]:
    """A round with the cable pulled in its middle; returns the cards as they were drawn."""
    drawn: list[str] = []
    with RunningTable(write_config(folder, port)) as table:
        assert table.prompt()["do"] == "shuffle"
        for event in OPENING:
            table.tell(event)
        assert shoe.do("load") == "loaded 416 cards, the cut card before the last 14"
        prompt: Line = table.tell("loaded 416")[-1]
        bets_are_closed = False
        while prompt["do"] in {"burn", "draw"}:
            if prompt["do"] == "draw" and not bets_are_closed:
                bets_are_closed = True
                prompt = table.tell(BETS)[-1]
                shoe.do("unplug")
                assert table.answer()[0]["event"] == "device_lost"
                shoe.do("replug")
                assert table.answer()[0]["event"] == "device_back"
                prompt = table.tell("resolve 1 continue by=7")[-1]
            drawn.append(shoe.do("draw").removeprefix("drew "))
            prompt = table.prompt()
        assert prompt["do"] == "close_round"
        table.say("quit")
        assert table.end() == 0
    return drawn


def test_typed_lines_are_answered_one_by_one(tmp_path: Path) -> None:
    with SimulatedShoe("--pty", tmp_path / "shoe", "--decks", "6", "--initial-burn", "none") as shoe:
        assert "draw [N]: pull a card, or N" in shoe.do("help")
        assert shoe.do("load 3") == "loaded 312 cards, the cut card before the last 14"
        assert shoe.do("draw 2").count(",") == 1
        assert "due player 2" in shoe.do("status")
        shoe.say("")
        shoe.say("drwa")
        assert shoe.line() == "error: unknown command 'drwa'; did you mean 'draw'? `help` lists the commands"


def test_the_end_of_standard_input_ends_it(tmp_path: Path) -> None:
    done = cardshoe("sim", "angel-eye", "--pty", tmp_path / "shoe", "--seed", "1", stdin=b"load\ndraw\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.splitlines()[1] == b"ok: loaded 416 cards, the cut card before the last 14"
    assert done.stdout.splitlines()[2].startswith(b"ok: drew ")


def test_the_same_seed_shuffles_the_same(tmp_path: Path) -> None:
    said = [
        cardshoe("sim", "angel-eye", "--pty", tmp_path / "shoe", "--seed", seed, stdin=b"load\ndraw 20\n").stdout
        for seed in ("1", "1", "2")
    ]
    assert said[0] == said[1] != said[2]


def test_a_control_port_takes_lines_too_and_outlives_standard_input(tmp_path: Path) -> None:
    with SimulatedShoe("--pty", tmp_path / "shoe", "--control", "127.0.0.1:0") as shoe:
        where = re.fullmatch(r"control lines at 127\.0\.0\.1:(\d+)", shoe.line())
        assert where is not None
        assert shoe.process.stdin is not None
        shoe.process.stdin.close()
        with socket.create_connection(("127.0.0.1", int(where[1])), timeout=30) as desk, desk.makefile("rw") as lines:
            for typed, answer in (("load", "ok: loaded 416"), ("draw", "ok: drew "), ("xyzzy", "error: unknown")):
                lines.write(f"{typed}\n")
                lines.flush()
                assert lines.readline().startswith(answer)
        shoe.send(signal.SIGTERM)
        assert (shoe.end(), shoe.errors()) == (0, "")


@pytest.mark.parametrize(
    ("options", "reason", "remedy"),
    [
        ((), "name one line for the device", "--pty PATH or --tcp HOST:PORT"),
        (("--pty", "x", "--tcp", "1"), "name one line for the device", "--pty PATH or --tcp HOST:PORT"),
        (("--tcp", "here"), "--tcp 'here' is not an address", "Give HOST:PORT"),
        (("--tcp", "127.0.0.1:99999"), "is not an address", "Give HOST:PORT"),
        (("--pty", "file"), "not a link of ours", "Choose another"),
        (("--pty", "no/such/folder/shoe"), "No such file or directory", "Choose another"),
        (("--pty", "shoe", "--control", "x"), "--control 'x' is not an address", "Give HOST:PORT"),
        (("--pty", "shoe", "--decks", "0"), "0 is not in the range", "--help"),
        (("--pty", "shoe", "--speed", "fast"), "'fast' is not a valid float", "--help"),
        (("--pty", "shoe", "--shuffle", "riffle:0"), "no way to shuffle that is called 'riffle:0'", "riffle:3"),
        (("--pty", "shoe", "--initial-burn", "two"), "'two' is not one of", "--help"),
    ],
)
def test_bad_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], reason: str, remedy: str
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    done = answered("sim", "angel-eye", *options)
    assert_message(done.returncode, done.stderr.decode(), 2, reason, remedy)


def test_a_name_that_another_simulator_has(tmp_path: Path) -> None:
    link = tmp_path / "shoe"
    with Command("sim", "angel-eye", "--pty", str(link)) as first:
        eventually(link.is_symlink, "the first one's name")
        terminal = link.readlink()
        second = answered("sim", "bee-tek", "--pty", str(link))
        told = second.stderr.decode()
        assert_message(second.returncode, told, 2, "another simulator has this name", "Choose another")
        assert link.readlink() == terminal
        first.send(signal.SIGTERM)
        assert first.end() == 0


def test_an_address_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        for options in (("--tcp", address), ("--pty", str(tmp_path / "shoe"), "--control", address)):
            done = answered("sim", "angel-eye", *options)
            told = done.stderr.decode()
            assert_message(done.returncode, told, 2, address, "Address already in use", "Choose another")

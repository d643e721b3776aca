"""``cardshoe demo --hands``: a person is the croupier; what the person says goes through the table's live socket."""

import json
import re
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardshoe.table.live import messages as says
from cardshoe.table.live.client import LiveClient, number_of
from cardshoe.table.live.place import TablePlace
from tests.cardshoe.cli.journals import log_of
from tests.cardshoe.cli.support import Line, answered
from tests.kit.command import Command
from tests.kit.waiting import eventually

ROUNDS = 2
WAGERS = {
    "baccarat": [{"seat": 2, "bet": "banker", "stake": 10_000}],
    "blackjack": [{"seat": 2, "bet": "main", "stake": 10_000}],
}


def answer_to(prompt: Line, game: str) -> Line | None:
    """A person's answer to a prompt; nothing where hands are at work."""
    actions = prompt.get("actions", [])
    if prompt["do"] == "close_bets" or "shoe_ended" in actions:
        return {"event": "bets_closed", "seats": [2], "wagers": WAGERS[game]}
    if prompt["do"] == "decide":
        return {"event": "decision", **named(prompt, "seat", "hand", "id"), "action": "stand"}
    if prompt["do"] == "reveal":
        return {"event": "revealed", "who": prompt["to"], **named(prompt, "seat", "hand")}
    return {"event": "round_closed"} if prompt["do"] == "close_round" else None


def named(prompt: Line, *names: str) -> Line:
    """The fields of a prompt with these names, as far as it has them."""
    return {name: prompt[name] for name in names if name in prompt}


def is_told(lines: list[Line]) -> bool:
    """True if the shoe has told the result of the open round: hands have pressed its button."""
    return any(line["event"] == "device_result" and line["round"] == lines[-1]["round"] for line in lines)


def pins_of(demo: Command) -> Mapping[str, str]:
    """The PINs that the demonstration prints, by person."""
    printed = demo.until(lambda line: line.startswith("PINs: "))[-1]
    return dict(re.findall(r"(\w+) (\d{6})", printed))


def signed_in(client: LiveClient, person: str, pins: Mapping[str, str]) -> str:
    """The session of a person who signs in at the table."""
    there = client.ask(says.SignIn(id="in", person=person, pin=pins[person]))
    assert isinstance(there, says.SessionBegun), there
    return there.session


def played(folder: Path, game: str, pins: Mapping[str, str]) -> list[Line]:
    """All lines of a table at which a croupier plays so many rounds and closes; an Angel Eye shoe tells its results."""
    tells_results = game == "baccarat"
    lines: list[Line] = []
    closed = answered = 0
    with LiveClient(TablePlace.of(folder, "demo")) as looking, LiveClient(TablePlace.of(folder, "demo")) as saying:
        looking.subscribe(0, looking.hello.log)
        there = signed_in(saying, "croupier", pins)
        for line in looking.lines():
            lines.append(json.loads(line))
            if lines[-1]["event"] != "next" or lines[-1]["seq"] < answered:
                continue
            if lines[-1]["do"] == "close_round" and tells_results and not is_told(lines):
                continue
            event = answer_to(lines[-1], game)
            if event is not None and event["event"] == "bets_closed" and closed == ROUNDS:
                event = {"event": "closed"}
                there = signed_in(saying, "supervisor", pins)
            if event is not None:
                said = msgspec.Raw(json.dumps(event).encode())
                done = saying.ask(says.SubmitInput(id=str(len(lines)), line=said, session=there))
                assert isinstance(done, says.InputResult), done
                assert done.refused is None, [bytes(line) for line in done.lines]
                answered = number_of(bytes(done.lines[-1]))
                closed += event["event"] == "round_closed"
    return lines


@pytest.mark.parametrize(("game", "options"), [("baccarat", ()), ("blackjack", ("--linked",))])
def test_a_person_is_the_croupier(tmp_path: Path, game: str, options: tuple[str, ...]) -> None:
    arguments: list[Any] = ["demo", game, *options, "--hands", "--journals", tmp_path, "--speed", "200", "--seed", "7"]
    with Command(*arguments) as demo:
        pins = pins_of(demo)
        demo.until(lambda line: "→ shuffle" in line)
        lines = played(tmp_path, game, pins)
        said = demo.rest()
        assert (demo.end(), demo.errors()) == (0, "")
    assert [line["event"] for line in lines].count("result") == ROUNDS
    assert lines == log_of(tmp_path)
    assert any(line.startswith("rounds closed        2") for line in said)
    assert {line["device"] for line in lines if line["event"] == "card"} == {"shoe"}


def test_a_technician_is_shown_the_simulated_link_and_the_checks_of_the_machine(tmp_path: Path) -> None:
    with Command("demo", "baccarat", "--hands", "--journals", tmp_path, "--seed", "7") as demo:
        demo.until(lambda line: "→ shuffle" in line)
        with LiveClient(TablePlace.of(tmp_path, "demo")) as client:
            found = client.equipment()
            assert [(link.device, link.family, link.faults) for link in found.links] == [("shoe", "angel_eye", [])]
            assert found.command == "cardshoe doctor"
            eventually(lambda: bool(client.equipment().checks), "the machine is checked")
        demo.send(signal.SIGINT)
        demo.rest()
        assert (demo.end(), demo.errors()) == (0, "")


@pytest.mark.parametrize("option", [("--plain",), ("--rounds", "3"), ("--mistakes", "0.1")])
def test_what_is_a_simulated_croupiers_alone(tmp_path: Path, option: tuple[str, ...]) -> None:
    done = answered("demo", "--hands", *option, "--journals", tmp_path / "none")
    assert done.returncode == 2
    assert b"with --hands you play on the page" in done.stderr
    assert not (tmp_path / "none").exists()

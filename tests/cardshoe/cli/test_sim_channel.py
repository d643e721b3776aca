"""`cardshoe sim` for programs: where it is as one JSON line, its control channel, its end, and every kind of line."""

import json
import os
import re
import socket
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sim.watch import KINDS
from tests.cardshoe.cli.support import answered, cardshoe
from tests.kit.command import PATIENCE_S, Command, assert_message
from tests.kit.forked import CARDSHOE
from tests.kit.opening import OPENING
from tests.kit.running_table import RunningTable, write_config
from tests.kit.sealed import opened

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "simulator.md").read_text()
CHANNEL = PAGE.partition("## The control channel")[2].partition("## Plain equipment")[0]


class ReadyShoe(Command):
    """A shoe that has said where it is."""

    def __init__(self, *options: str | Path, device: str = "angel-eye") -> None:
        super().__init__("sim", device, "--ready-json", "--seed", "5", "--speed", "100", *options)
        self.about: dict[str, Any] = json.loads(self.line())

    def do(self, name: str, *arguments: str) -> dict[str, Any]:
        self.say({"id": 1, "do": name, "arguments": list(arguments)})
        answer: dict[str, Any] = json.loads(self.line())
        assert answer["ok"], answer
        return answer


def ask(address: str, *lines: dict[str, Any]) -> list[dict[str, Any]]:
    """Asks on a control connection."""
    if address.startswith("unix:"):
        end = socket.socket(socket.AF_UNIX)
        end.connect(address.removeprefix("unix:"))
    else:
        host, _, port = address.rpartition(":")
        end = socket.create_connection((host, int(port)))
    end.settimeout(PATIENCE_S)
    with end, end.makefile("rw") as words:
        answers = []
        for line in lines:
            words.write(json.dumps(line) + "\n")
            words.flush()
            answers.append(json.loads(words.readline()))
    return answers


def test_where_it_is_as_one_json_line(tmp_path: Path) -> None:
    options = ("--pty", tmp_path / "shoe", "--control", "127.0.0.1:0", "--decks", "6")
    with ReadyShoe(*options, device="bee-tek") as shoe:
        control = shoe.about["control"]
        assert shoe.about == {
            "device": "bee-tek",
            "family": "bee_tek",
            "wire": "pty",
            "port": str(tmp_path / "shoe"),
            "settings": {},
            "control": control,
            "seed": 5,
            "decks": 6,
            "speed": 100.0,
            "pid": shoe.process.pid,
        }
        (answer,) = ask(control, {"id": "who", "do": "about"})
        assert (answer["id"], answer["data"]) == ("who", shoe.about)
        (answer,) = ask(control, {"do": "quit"})
        assert answer["ok"]
        assert shoe.end() == 0


def test_a_seed_that_was_not_given_is_said_and_repeats(tmp_path: Path) -> None:
    loaded = ["load", "draw 20"]
    first = cardshoe("sim", "angel-eye", "--pty", tmp_path / "a", "--ready-json", stdin="\n".join(loaded).encode())
    about, *said = first.stdout.splitlines()
    seed = json.loads(about)["seed"]
    again = cardshoe("sim", "angel-eye", "--pty", tmp_path / "b", "--seed", str(seed), stdin="\n".join(loaded).encode())
    assert again.stdout.splitlines()[1:] == said


def test_a_unix_socket(tmp_path: Path) -> None:
    with ReadyShoe("--pty", tmp_path / "shoe", "--control", f"unix:{tmp_path / 'control'}") as shoe:
        assert shoe.about["control"] == f"unix:{tmp_path / 'control'}"
        loaded, drawn = ask(shoe.about["control"], {"id": 1, "do": "load"}, {"id": 2, "do": "draw", "arguments": ["2"]})
        assert loaded["data"]["cards"] == 416
        assert len(drawn["data"]["cards"]) == 2
        shoe.say("quit")
        assert shoe.end() == 0
    assert not (tmp_path / "control").exists()


def test_json_on_standard_input_too(tmp_path: Path) -> None:
    with ReadyShoe("--pty", tmp_path / "shoe") as shoe:
        assert shoe.do("load", "3")["data"] == {"cards": 416, "cut_card_behind": 14}
        shoe.say("{nonsense")
        assert json.loads(shoe.line())["error"].startswith("no JSON")
        shoe.say({"do": "watch"})
        assert json.loads(shoe.line())["usage"] == "on a --control connection"
        shoe.do("quit")
        assert shoe.end() == 0


def test_the_end_of_standard_input_can_end_it_in_spite_of_a_control_port(tmp_path: Path) -> None:
    options = ("--pty", tmp_path / "shoe", "--control", "127.0.0.1:0", "--end-with-input")
    with ReadyShoe(*options) as shoe:
        assert shoe.process.stdin is not None
        shoe.process.stdin.close()
        assert shoe.end() == 0


@pytest.mark.parametrize("option", ["--tcp", "--control", "--rfc2217", "--usbip"])
@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "example.invalid"])  # noqa: S104  # seen to be refused
def test_other_machines_are_kept_out(tmp_path: Path, option: str, host: str) -> None:
    line = ("--pty", str(tmp_path / "shoe")) if option == "--control" else ()
    done = answered("sim", "angel-eye", *line, option, f"{host}:0")
    assert_message(done.returncode, done.stderr.decode(), 2, f"{option} '{host}:0'", "--allow-remote")


def test_unless_one_insists(tmp_path: Path) -> None:
    every_host = "0.0.0.0:0"  # that it listens there is what is tested
    with ReadyShoe("--pty", tmp_path / "shoe", "--control", every_host, "--allow-remote") as shoe:
        assert shoe.about["control"].startswith("0.0.0.0:")
        shoe.say("quit")
        assert shoe.end() == 0


def test_usb_ip_lets_in_nobody_from_outside_even_so() -> None:
    done = answered("sim", "angel-eye", "--usbip", "192.0.2.1:0", "--allow-remote")
    assert_message(done.returncode, done.stderr.decode(), 2, "192.0.2.1", "127.0.0.1")


def test_a_table_hears_it_over_rfc2217(tmp_path: Path) -> None:
    with ReadyShoe("--rfc2217", "127.0.0.1:0") as shoe:
        assert shoe.about["wire"] == "rfc2217"
        assert shoe.about["port"].startswith("rfc2217://127.0.0.1:")
        with RunningTable(write_config(tmp_path, shoe.about["port"])) as table:
            assert table.prompt()["do"] == "shuffle"
            for event in OPENING:
                table.tell(event)
            shoe.do("load")
            table.tell({"event": "loaded", "cards": 416})
            (card,) = shoe.do("draw")["data"]["cards"]
            burned = opened(table.answer()[0], tmp_path / "journals")
            assert (burned["event"], burned["card"]) == ("card", card)
            table.say("quit")
            assert table.end() == 0


@pytest.mark.parametrize(("function", "product", "prefix"), [("bulk", 1, "bulk"), ("cdc", 2, "usb")])
def test_a_usb_device_can_be_listed(function: str, product: int, prefix: str) -> None:
    with ReadyShoe("--usbip", "127.0.0.1:0", "--usb-function", function) as shoe:
        assert shoe.about["port"] == f"{prefix}:1209:{product:04x}:SIM-0001"
        host, _, port = shoe.about["usbip"].rpartition(":")
        with socket.create_connection((host, int(port)), PATIENCE_S) as line, line.makefile("rb") as answer:
            line.sendall(struct.pack(">HHI", 0x0111, 0x8005, 0))  # OP_REQ_DEVLIST
            version, code, status, count = struct.unpack(">HHII", answer.read(12))
            assert (version, code, status, count) == (0x0111, 0x0005, 0, 1)
            device = answer.read(312)
        assert device[256:259] == b"1-1"
        assert struct.unpack(">HH", device[300:304]) == (0x1209, product)
        shoe.do("unplug")
        shoe.do("replug")
        shoe.say("quit")
        assert shoe.end() == 0


def test_the_script_of_the_page_runs(tmp_path: Path) -> None:
    (script,) = re.findall(r"^```python\n(.*?)^```", CHANNEL, flags=re.MULTILINE | re.DOTALL)
    environment = {**os.environ, "PATH": f"{CARDSHOE.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    answers = done.stdout.splitlines()
    assert len(answers) == 4, done.stderr
    assert all("'ok': True" in answer for answer in answers), answers


def test_the_page_names_every_event_and_what_ready_json_says(tmp_path: Path) -> None:
    table = CHANNEL.partition("**Events**")[2].partition("A script in")[0]
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", table, flags=re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"\w+", row)} == set(KINDS)
    (ready,) = re.findall(r"^\{.*\}$", CHANNEL, flags=re.MULTILINE)
    with ReadyShoe("--pty", tmp_path / "shoe") as shoe:
        assert list(json.loads(ready)) == list(shoe.about)

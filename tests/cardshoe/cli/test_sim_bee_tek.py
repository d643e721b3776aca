"""``cardshoe sim bee-tek``: the shoe as a process of its own, heard over TCP and over a pty."""

import os
import re
import select
import socket
from pathlib import Path

import pytest

from tests.cardshoe.cli.support import answered
from tests.kit.command import PATIENCE_S, Command, assert_message


def do(shoe: Command, line: str) -> str:
    shoe.say(line)
    return shoe.line()


def test_over_tcp_in_game_mode() -> None:
    with Command(
        "sim", "bee-tek", "--tcp", "127.0.0.1:0", "--mode", "game", "--repeat-characters", "--seed", "5"
    ) as shoe:
        where = re.fullmatch(r"Bee-Tek shoe at 127\.0\.0\.1:(\d+), 8 decks, seed 5; type `help`", shoe.line())
        assert where is not None
        with socket.create_connection(("127.0.0.1", int(where[1])), PATIENCE_S) as line:
            assert do(shoe, "load") == "ok: loaded 416 cards, the cut card before the last 14"
            # The connection may not be taken up yet, and what is told to nobody is lost.
            line.settimeout(0.5)
            heard, card = b"", ""
            while not heard.endswith(b"\r\n"):
                card = do(shoe, "draw").removeprefix("ok: drew ")
                try:
                    heard += line.recv(100)
                except TimeoutError:
                    continue
        assert heard == f"[Game]<Card:{card}>{card}\r\n".encode()
        shoe.say("quit")
        assert shoe.end() == 0


def test_over_a_pty_in_the_diagnostic_mode(tmp_path: Path) -> None:
    with Command("sim", "bee-tek", "--pty", tmp_path / "shoe", "--decks", "1", "--seed", "5") as shoe:
        shoe.line()
        do(shoe, "load")
        descriptor = os.open(tmp_path / "shoe", os.O_RDWR | os.O_NOCTTY)
        try:
            card = do(shoe, "draw").removeprefix("ok: drew ")
            assert select.select([descriptor], [], [], PATIENCE_S)[0]
            assert os.read(descriptor, 100) == f"[Manual Burn Cards]<Card:{card}>\r\n".encode()
        finally:
            os.close(descriptor)
        shoe.say("quit")
        assert shoe.end() == 0


@pytest.mark.parametrize("options", [(), ("--tcp", "x"), ("--tcp", "127.0.0.1:1", "--pty", "shoe")])
def test_it_needs_one_line(options: tuple[str, ...]) -> None:
    done = answered("sim", "bee-tek", *options)
    assert_message(done.returncode, done.stderr.decode(), 2)

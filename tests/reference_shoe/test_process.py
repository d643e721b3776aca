"""The shoe in C as a process: real sockets, bad options, power cuts behind every byte, and ``kill -9``."""

import contextlib
import json
import os
import pty
import random
import re
import shlex
import signal
import subprocess
from pathlib import Path
from typing import BinaryIO, Final

import pytest

from tests.cardshoe.cli.support import invoke
from tests.kit import certificates
from tests.kit.length import at_length
from tests.reference_shoe.building import built, needs_compiler
from tests.reference_shoe.given_time import GivenTime
from tests.reference_shoe.hosts import Host, frame
from tests.reference_shoe.table import Table
from tests.second_device.messages import Type

pytestmark = needs_compiler

CUTS_MIN: Final = 4000
KILLS: Final = at_length(12, 400)
BATCH: Final = 12
CARD: Final = re.compile(r"ok: drew ([2-9TJQKA])([SHDC])")


def shoe() -> Path:
    return built("posix") / "shoe"


def checked(options: list[str], settings: dict[str, object], *only: str) -> dict[str, int]:
    """The verdicts' counts of a run of the command against the shoe on a port, in real time."""
    start = shlex.join([str(shoe()), *options])
    words = [word for key, value in settings.items() for word in ("--setting", f"{key}={value}")]
    words += [word for name in only for word in ("--only", name)]
    result = invoke("conformance", "--family", "tdp", "--start", start, "--json", *words)
    assert result.exit_code == 0, result.stdout
    counts: dict[str, int] = json.loads(result.stdout)["counts"]
    return counts


def test_over_tcp() -> None:
    only = ("frames.long-hiss", "stream.over-a-lossy-line", "power.back-after-unplugging", "lock.unlocks-for-so-many")
    assert checked(["--tcp", "127.0.0.1:0"], {}, *only)["passed"] == len(only)


def test_over_a_pseudo_terminal(tmp_path: Path) -> None:
    """A cable that is pulled and put in again; a link that a killed process has left is no obstacle."""
    link = tmp_path / "shoe"
    link.symlink_to("/nowhere")
    assert checked(["--pty", str(link)], {}, "power.back-after-unplugging")["passed"] == 1


def test_at_a_serial_port(tmp_path: Path) -> None:
    """The adapter is pulled, and another one of the same name is put in; without one it waits for the next."""
    name = tmp_path / "tty"
    with contextlib.ExitStack() as stack:
        lines = []
        for _ in range(2):
            host, device = pty.openpty()
            lines.append((stack.enter_context(os.fdopen(host, "r+b", buffering=0)), os.ttyname(device)))
            stack.enter_context(os.fdopen(device, "rb"))
        name.symlink_to(lines[0][1])
        pipe = subprocess.PIPE
        started = subprocess.Popen([shoe(), "--tty", name], bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe)
        process = stack.enter_context(started)
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["port"] == str(name)
        assert_accepts(lines[0][0])
        name.unlink()
        process.stdin.write(b"unplug\nreplug\n")
        assert b"the port cannot be opened again: No such file" in process.stderr.readline()
        name.symlink_to(lines[1][1])
        process.stdin.write(b"unplug\nreplug\n")
        assert [process.stdout.readline()[:3] for _ in range(4)] == [b"ok:"] * 4
        assert_accepts(lines[1][0])
        process.stdin.close()
        assert process.wait(30) == 0


def assert_accepts(line: BinaryIO) -> None:
    """Open a session, and read the begin of the answer."""
    line.write(frame(1, 0x0700, payload=bytes([1, 1, 4, 224, 0])))
    assert line.read(4) == bytes([0, 5, 1, 2]), "version 1, ACCEPT; its session has no zero"


@certificates.needs_openssl
def test_over_tcp_with_tls(tmp_path: Path) -> None:
    site = certificates.make_site(tmp_path)
    device = site / certificates.DEVICE
    files = ["--certificate", f"{device}.pem", "--key", f"{device}.key", "--authority", str(site / "site.pem")]
    settings = {**certificates.host_settings(site), **certificates.other_settings(site)}
    only = ("tls.handshake-first", "tls.no-host-refused", "commands.attestation")
    assert checked(["--tcp", "127.0.0.1:0", *files], settings, *only)["passed"] == len(only)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "give one of --tcp, --tty, --pty and --given-time"),
        (("--given-time", "--tcp", "127.0.0.1:0"), "give one of --tcp, --tty, --pty and --given-time"),
        (("--tcp", "nowhere"), "no HOST:PORT"),
        (("--tcp", "127.0.0.1:65536"), "no HOST:PORT"),
        (("--pty", "/nowhere/at/all"), "No such file"),
        (("--tty", "/nowhere/at/all"), "No such file"),
        (("--tty", "/dev/null"), "Inappropriate ioctl"),
        (("--pty", "/nowhere/at/all", "--baud", "12345"), "--baud: a serial line has 9600"),
        (("--given-time", "--baud", "300"), "--baud takes a number from 9600 on"),
        (("--given-time", "--seed", "0"), "--seed takes a number from 1 on"),
        (("--given-time", "--serial", "x" * 25), "--serial takes 1 to 24 printable characters"),
        (("--given-time", "--certificate", "a"), "TLS takes --certificate, --key and --authority"),
        (("--given-time", "--revoked", "a"), "--revoked is for TLS"),
        (("--given-time", "--key", "/nowhere"), "is no private key in PEM"),
        (("--given-time", "--keep", "/nowhere/at/all"), "No such file"),
        (("--given-time", "--fly"), "no such option"),
        (("--given-time", "fly"), "a word too many"),
    ],
)
def test_bad_options(options: tuple[str, ...], said: str) -> None:
    done = subprocess.run([shoe(), *options], check=False, capture_output=True, text=True, timeout=30)
    assert done.returncode in {1, 2}
    assert said in done.stderr
    assert done.stdout == ""


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "letter"
    file.write_text("Dear Anna", encoding="utf-8")
    done = subprocess.run(
        [shoe(), "--given-time", "--keep", file], check=False, capture_output=True, text=True, timeout=30
    )
    assert (done.returncode, "is no storage file of this shoe" in done.stderr) == (1, True)
    assert file.read_text(encoding="utf-8") == "Dear Anna"


def test_a_damaged_memory_does_not_start(tmp_path: Path) -> None:
    file = tmp_path / "memory"
    for _ in range(2):  # so that both copies were written
        with GivenTime(shoe(), "--given-time", "--keep", file) as process:
            process.ask("load")
    damaged = bytearray(file.read_bytes())
    damaged[20] ^= 1
    damaged[276] ^= 1
    file.write_bytes(damaged)
    done = subprocess.run(
        [shoe(), "--given-time", "--keep", file], check=False, capture_output=True, text=True, timeout=30
    )
    assert (done.returncode, "the memory is damaged" in done.stderr) == (1, True)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "error: unknown command; there are: draw load"),
        ("fly", "error: unknown command"),
        ("draw", "error: the shoe is empty"),
        ("load many", "error: load takes a seed"),
        ("load cards 8S 1D", "error: no card such as 8S, TD or CUT: 1D"),
        ("load cards" + " 8S" * 417, "error: more than 416 cards"),
        ("key", "error: key takes a position, 0 to 255"),
        ("key 256", "error: key takes a position, 0 to 255"),
        ("key 0", "error: it is there already"),
        ("cover ajar", "error: cover open, or cover close"),
        ("cover close", "error: it is so already"),
        ("replug", "error: it is so already"),
        ("restore-power", "error: it has power"),
        ("pull-out", "error: nothing sticks"),
        ("clear", "error: nothing sticks"),
        ("x" * 5000, "error: unknown command"),
        ("rx zz", "error: rx takes bytes in hexadecimal"),
    ],
)
def test_bad_lines(line: str, said: str) -> None:
    with GivenTime(shoe(), "--given-time") as process:
        assert process.ask(line).text.startswith(said)
        process.ask("cut-power")
        assert process.ask("draw").text == "error: no power; restore-power first"


def test_each_start_begins_with_another_session_number(tmp_path: Path) -> None:
    """The boot count suffices, without any chance: a frame of before the start is of an unknown session (section 4)."""
    numbers = []
    for _ in range(3):
        with GivenTime(shoe(), "--given-time", "--keep", tmp_path / "memory", "--seed", "255") as process:
            numbers.append(Host(process).session & 0xFF)
    assert len({0, *numbers}) == 4, numbers


def test_a_power_cut_behind_every_byte_that_is_written() -> None:
    done = subprocess.run([built("posix") / "power_bench"], check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[0]) >= CUTS_MIN


def cards_of(answers: list[str]) -> list[int]:
    """The cards that were drawn, as messages have them."""
    found = [card for card in map(CARD.match, answers) if card is not None]
    return [("SHDC".index(card[2]) + 1) << 4 | ("A23456789TJQK".index(card[1]) + 1) for card in found]


def test_killed_at_any_moment(tmp_path: Path, seed: int) -> None:
    """Whatever a line was answered with outlives the process, and its host sees no gap and nothing twice."""
    rng = random.Random(seed)
    table = Table()
    drawn: list[int] = []
    process = GivenTime(shoe(), "--given-time", "--keep", tmp_path / "memory", "--seed", "1")
    process.ask("load")
    for _ in range(KILLS):
        table.live(process, 600)
        table.command(process, Type.UNLOCK, cards=BATCH, permit=rng.randrange(1 << 32))
        lines = [rng.choice(["draw", "draw", "draw", "key 1", "key 0", "unread"]) for _ in range(BATCH)]
        drawn += cards_of(process.ask_and_kill(lines, rng.randrange(BATCH + 1)))
        process = GivenTime(shoe(), "--given-time", "--keep", tmp_path / "memory", "--seed", "1")
        process.ask(f"at {table.now_ms}")
        table.restart()
        if "stack 0" in process.ask("status").text or rng.random() < 0.1:
            process.ask("load")
    table.live(process, 600)
    process.kill()
    assert table.application.gaps == []
    told = iter(event.number("card") for event in table.application.of(Type.CARD_DRAWN))
    # An unread card is told as 0: the hand knows it.
    assert all(any(card in {drawn_card, 0} for card in told) for drawn_card in drawn)
    assert len(table.application.of(Type.POWER_RESTORED)) == KILLS + 1


def test_ends_with_its_input_and_by_a_signal() -> None:
    for end in ("quit", "input", "signal"):
        process = subprocess.Popen(
            [shoe(), "--tcp", "127.0.0.1:0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert process.stdin is not None
        assert process.stdout is not None
        json.loads(process.stdout.readline())
        if end == "quit":
            process.stdin.write("quit\n")
        elif end == "signal":
            process.send_signal(signal.SIGTERM)
        process.stdin.close()
        code = process.wait(30)
        process.stdout.close()
        assert code == (-signal.SIGTERM if end == "signal" else 0)

"""Attack: a device, or whoever looks at the table's output, keeps the table from hearing anybody.

What was possible: a shoe that says ten thousand cards a second (broken, or a laptop at its line) took 500 MB of the
table's memory in 16 seconds, and neither what was typed nor ``quit`` nor SIGTERM was heard behind it.

Output leaves by a thread of its own with an end to what waits; a reader that does not keep up is cut off and told so.
"""

import fcntl
import gc
import json
import os
import pty
import re
import signal
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests.attacks.flooding import Flood, Impostor, cards, most_memory_mib, telegrams
from tests.kit.command import Line
from tests.kit.forked import CARDSHOE
from tests.kit.running_table import RunningTable, journal_of, lines_of, write_config
from tests.kit.waiting import PATIENCE_S, eventually
from tests.sim.tdp.rig import Rig

MOST_MIB: Final = 160
"""Of a table under a flood: what it needs at rest, and twice as much again."""
BEATS_S: Final = 3_000.0
TOLD: Final = 40
"""Answers that fill a pipe of one page more than once."""


def until(table: RunningTable, wanted: Callable[[Line], bool]) -> Line:
    """Reads what the table says up to the first line that is wanted."""
    line: Line = json.loads(table.line())
    while not wanted(line):
        line = json.loads(table.line())
    return line


def is_over_budget(line: Line) -> bool:
    return bool(line["event"] == "fault" and line["code"] == "over_budget")


FLOODS: Final[dict[str, Callable[[], Flood]]] = {
    "cards": lambda: Flood(cards()),
    "garbage": lambda: Flood(b"\xff" * 4096),
    "telegrams": lambda: Flood(telegrams(), "angel_eye"),
    "hello": Impostor,
}


@pytest.mark.parametrize("what", FLOODS)
def test_a_device_that_never_pauses_is_shut_out_and_let_in_by_two_persons(tmp_path: Path, what: str) -> None:
    flood = FLOODS[what]()
    with flood, RunningTable(flood.config(tmp_path)) as table:
        until(table, is_over_budget)
        assert flood.closed.wait(PATIENCE_S), "its port is still open"
        # Said before the rest of what the device has said is taken.
        table.say("device_readmitted shoe by=7")
        assert until(table, lambda line: line["event"] == "refused")["code"] == "two_persons_needed"
        flood.is_quiet.set()
        table.say("device_readmitted shoe by=7,8")
        over = until(table, lambda line: line["event"] == "fault_cleared" and line["code"] == "over_budget")
        assert (over["device"], over["origin"]) == ("shoe", "table")
        assert most_memory_mib(table.process.pid) < MOST_MIB
        table.say("quit")
        assert table.end() == 0


def test_a_device_that_was_shut_out_stays_so_when_the_table_starts_again(tmp_path: Path) -> None:
    flood = Flood(cards())
    config = flood.config(tmp_path)
    with flood:
        with RunningTable(config) as table:
            until(table, is_over_budget)
            table.say("quit")
            assert table.end() == 0
        flood.is_quiet.set()
        with RunningTable(config) as table:
            table.prompt()  # where the log ended
            table.say("device_readmitted shoe by=7,8")
            # Nothing of the device comes before two persons let it in.
            assert json.loads(table.line())["event"] == "device_readmitted"
            until(table, lambda line: line["event"] == "fault_cleared")
            table.say("quit")
            assert table.end() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signals_are_heard_behind_a_flood(tmp_path: Path, number: signal.Signals) -> None:
    flood = Flood(cards())
    with flood, RunningTable(flood.config(tmp_path)) as table:
        until(table, lambda line: line["event"] == "card")
        table.send(number)
        assert table.end() == 0
    assert lines_of(journal_of(tmp_path))


def typed(count: int) -> bytes:
    return b"".join(b'misdeal "number %d"\n' % number for number in range(count))


def misdeals(folder: Path) -> int:
    return sum(json.loads(line)["event"] == "misdeal" for line in lines_of(journal_of(folder)))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_an_output_that_nobody_reads_holds_up_nothing(tmp_path: Path, number: signal.Signals) -> None:
    far, near = os.pipe()
    fcntl.fcntl(near, fcntl.F_SETPIPE_SZ, 4096)
    command = [str(CARDSHOE), "run", "--json", str(write_config(tmp_path, None))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=near, stderr=subprocess.DEVNULL) as table:
        os.close(near)
        try:
            assert table.stdin is not None
            table.stdin.write(typed(TOLD))
            table.stdin.flush()
            eventually(lambda: _taken(tmp_path) >= TOLD, "all that was typed is in the journal")
            table.send_signal(number)
            assert table.wait(PATIENCE_S) == 0
        finally:
            table.kill()
            os.close(far)
    assert misdeals(tmp_path) == TOLD


def _taken(folder: Path) -> int:
    wal = next((folder / "journals").glob("*.journal-wal"), None)
    return 0 if wal is None else len(set(re.findall(rb'"detail":"number (\d+)', wal.read_bytes())))


def test_a_terminal_that_is_stopped_holds_up_nothing(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    command = [str(CARDSHOE), "run", str(write_config(tmp_path, None))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=slave, stderr=slave) as table:
        try:
            assert table.stdin is not None
            assert os.read(master, 1)
            termios.tcflow(slave, termios.TCOOFF)  # what Ctrl-S does
            table.stdin.write(typed(TOLD))
            table.stdin.flush()
            eventually(lambda: _taken(tmp_path) >= TOLD, "all that was typed is in the journal")
            table.send_signal(signal.SIGTERM)
            assert table.wait(PATIENCE_S) == 0
        finally:
            table.kill()
            os.close(master)
            os.close(slave)
    assert misdeals(tmp_path) == TOLD


def test_a_heartbeat_leaves_nothing_behind() -> None:
    """By itself Python looks for such garbage now and then; at a table that would be in the middle of a card."""
    rig = Rig("shuffler_dealer")
    gc.collect()
    gc.disable()
    try:
        rig.clock.advance(BEATS_S)
        assert len(rig.host.said) >= BEATS_S
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_no_configuration_lifts_a_budget() -> None:
    """Only what runs faster than life may: tables in virtual time, and the demonstration."""
    product = ("regulations", "protocols", "drivers", "firmware_bridge", "cardshoe")
    root = Path(__file__).parents[2]
    users = {
        path.relative_to(root).as_posix()
        for package in product
        for path in (root / package).rglob("*.py")
        if "lift_budget" in path.read_text(encoding="utf-8")
    }
    assert users == {"firmware_bridge/bridge.py", "cardshoe/cli/demo/equipment.py", "cardshoe/cli/campaign/devices.py"}


@pytest.mark.timeout(60)
def test_a_log_that_nobody_reads_holds_up_no_service() -> None:
    """A floor, a witness, a display or an uplink whose standard error was not read waited for its reader."""
    program = (
        "import logging; from cardshoe.process.plain_log import log_plainly; log_plainly('%(message)s')\n"
        "for number in range(20_000): logging.warning('%d %s', number, 'x' * 100)\n"
        "print('goes on', flush=True)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as service:
        assert service.stdout is not None
        assert service.stdout.readline() == b"goes on\n"
        assert service.wait() == 0

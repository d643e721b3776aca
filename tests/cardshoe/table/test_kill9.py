"""kill -9 of a table at work: what was acknowledged is there, the open round goes on, every card is accounted for."""

import contextlib
import ctypes
import fcntl
import os
import random
import select
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import pytest

from sim.wires.pty import PtyWire
from tests.kit.command import PATIENCE_S, Line
from tests.kit.dealer import Dealer
from tests.kit.forked import started
from tests.kit.length import at_length
from tests.kit.running_table import RunningTable, journal_of, lines_of, write_config
from tests.kit.sealed import opened, verified
from tests.kit.shoe import Shoe

KILLS: Final = int(os.environ.get("CARDSHOE_KILLS", at_length(5, 20)))
"""How often: ``CARDSHOE_KILLS=100`` for a thorough run."""

TYPED: Final = 100
"""Inputs, far more than the pipe holds the answers of."""
QUIET_S: Final = 0.5
"""Seconds without a commit after which a table has come to a stand; a commit takes milliseconds."""
IN_MODIFY: Final = 0x2
Moment = Literal["any", "commit", "start", "frozen"]
MOMENTS: Final[tuple[Moment, ...]] = ("any", "commit", "start", "frozen", "any")


@contextlib.contextmanager
def watching(path: Path) -> Iterator[int]:
    """A descriptor that becomes readable when the file is written to."""
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    assert descriptor >= 0
    assert libc.inotify_add_watch(descriptor, bytes(path), IN_MODIFY) >= 0
    try:
        yield descriptor
    finally:
        os.close(descriptor)


class Cycle:
    """One life of the table, from its start to its kill."""

    def __init__(self, table: RunningTable, dealer: Dealer, shoe: Shoe, rng: random.Random, folder: Path) -> None:
        self.table = table
        self.dealer = dealer
        self.shoe = shoe
        self.rng = rng
        self.folder = folder

    def hear(self, *, is_repeated: bool = False) -> Line:
        """Hears one answer, or the one that a start repeats; returns the input that it is for."""
        heard = len(self.table.heard)
        first, *_ = self.table.answer(is_repeated=is_repeated)
        for text in self.table.heard[heard:]:
            self.dealer.hear(text)
        return first

    def act(self) -> Line | None:
        event = self.dealer.act()
        if event is not None:
            self.table.say(event)
        return event

    def act_and_hear(self) -> None:
        event = self.act()
        wanted = ("raw", self.dealer.awaits) if event is None else ("event", event["event"])
        while wanted[1] is not None and opened(self.hear(), self.folder / "journals").get(wanted[0]) != wanted[1]:
            pass
        if wanted[1] is None:
            self.hear()

    def live(self, acts: int) -> None:
        self.hear(is_repeated=True)
        for _ in range(acts):
            self.act_and_hear()

    def wait(self, at_most_s: float) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.table.process.wait(timeout=self.rng.uniform(0, at_most_s))

    def die(self, moment: Moment) -> None:
        match moment:
            case "start":
                self.wait(0.6)
            case "any":
                self.live(self.rng.randint(1, 25))
                self.act()
                self.wait(0.01)
            case "frozen":
                # What lies before a table that never gets to it.
                self.live(self.rng.randint(1, 25))
                self.table.send(signal.SIGSTOP)
                self.act()
            case "commit":
                self.live(self.rng.randint(1, 25))
                journal = journal_of(self.folder)
                with watching(journal.with_name(f"{journal.name}-wal")) as written:
                    self.act()
                    select.select([written], [], [], 1.0)
        self.table.kill()
        for text in self.table.rest():
            self.dealer.hear(text)


def play(folder: Path, moments: list[Moment], rng: random.Random) -> Dealer:
    """Plays on, killed at each of these moments; then closes the round in peace and says what was known."""
    with Shoe(PtyWire(folder / "shoe")) as shoe:
        config = write_config(folder, shoe.port)
        dealer = Dealer(shoe, rng, folder / "journals")
        for moment in [*moments, None]:
            before = dict(dealer.texts)
            with RunningTable(config) as table:
                cycle = Cycle(table, dealer, shoe, rng, folder)
                if moment is None:
                    cycle.hear(is_repeated=True)
                    assert_taken_up(dealer, before)
                    while not is_between_rounds(dealer) or dealer.untold_cards():
                        cycle.act_and_hear()
                    table.say("quit")
                    assert table.end() == 0, table.errors()
                    break
                cycle.die(moment)
            check(folder, dealer, before)
            dealer.note_restart()
            in_the_dark(shoe, dealer, rng)
        dealer.assert_accounts()
        assert shoe.do(lambda: shoe.hands.cards_are_complete)
    return dealer


def is_between_rounds(dealer: Dealer) -> bool:
    return dealer.prompt["do"] == "draw" and "actions" in dealer.prompt


def in_the_dark(shoe: Shoe, dealer: Dealer, rng: random.Random) -> None:
    """Now and then a card is drawn while nobody listens; at times nothing of it is left on the line either."""
    is_due = dealer.texts and dealer.prompt["do"] == "draw" and "actions" not in dealer.prompt
    if is_due and shoe.do(lambda: shoe.hands.shoe.panel.due) is not None and rng.random() < 2 / 3:
        dealer.draw_in_the_dark()
    if rng.random() < 1 / 2:
        shoe.unplug()
        shoe.replug()
        dealer.note_line_cut()


def check(folder: Path, dealer: Dealer, before: dict[int, str]) -> None:
    """After a kill: nothing acknowledged is missing, the numbers have no gap, the chain and the replay hold."""
    journals = list((folder / "journals").glob("*.journal"))
    if not journals:
        assert dealer.texts == {}
        return
    (journal,) = journals
    lines = lines_of(journal)
    for number, text in dealer.texts.items():
        assert lines[number - 1] == text
    assert len(lines) >= max(before, default=0)
    for text in lines:
        dealer.hear(text)
    assert sorted(dealer.texts) == list(range(1, len(lines) + 1))
    assert verified(journal).lines == len(lines)


def assert_taken_up(dealer: Dealer, before: dict[int, str]) -> None:
    """A restart repeats the last prompt and adds nothing but what devices have told since."""
    last = max(before)
    assert all(dealer.texts[number] == text for number, text in before.items())
    assert dealer.texts[last] == before[last]


@pytest.mark.statistical
@pytest.mark.timeout(60 + 5 * KILLS)  # as many processes, one after another
def test_a_table_that_is_killed_goes_on(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    moments = [MOMENTS[kill % len(MOMENTS)] for kill in range(KILLS)]
    dealer = play(tmp_path, moments, rng)
    journal = journal_of(tmp_path)
    verified(journal)
    assert dealer.codes()


def test_what_was_durable_and_not_told_yet_is_there(tmp_path: Path) -> None:
    """Killed in between: whoever reads has stopped reading, so what the table took is in its journal and not told."""
    config = write_config(tmp_path, None)
    typed = "".join(f"misdeal 'number {number}'\n" for number in range(TYPED))
    with started(["run", "--json", config]) as table:
        assert table.stdin is not None
        assert table.stdout is not None
        fcntl.fcntl(table.stdout, fcntl.F_SETPIPE_SZ, select.PIPE_BUF)
        # The first line is told: then its log is there.
        told = table.stdout.readline()
        journal = journal_of(tmp_path)
        with watching(journal.with_name(f"{journal.name}-wal")) as written:
            table.stdin.write(typed.encode())
            table.stdin.flush()
            # Nobody reads: the pipe fills, and the table goes on until it has taken all that was typed.
            while select.select([written], [], [], QUIET_S)[0]:
                os.read(written, 65536)
        table.kill()
        # It must be dead before there is room again: else it might tell its line after all.
        table.wait(PATIENCE_S)
        told += table.stdout.read()
    *lines, torn = told.decode().split("\n")
    stored = lines_of(journal)
    assert stored[: len(lines)] == lines
    assert len(stored) == 2 + 3 * TYPED > len(lines)
    assert stored[len(lines)].startswith(torn)
    with started(["run", "--json", config]) as again:
        said, _ = again.communicate(b"quit\n", PATIENCE_S)
    assert said.decode().splitlines() == stored[-3:]
    verified(journal)

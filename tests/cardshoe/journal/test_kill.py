"""kill -9 at random instants and at named points: what was acknowledged is there, and reading it changes nothing."""

import contextlib
import hashlib
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cardshoe.journal import Journal, read_only
from tests.cardshoe.journal.samples import entry, stored
from tests.kit.length import at_length

CYCLES = at_length(5, 20)
POINTS = at_length(8, 30)
"""Kills at named points, of which there are some hundred."""


def digests(path: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(path.parent.iterdir())}


@pytest.mark.statistical
@pytest.mark.timeout(300)  # twenty processes, on a machine that may be busy
def test_what_was_acknowledged_survives_a_kill(path: Path, seed: int) -> None:
    chance = random.Random(seed)
    acknowledged = 0
    for cycle in range(CYCLES):
        command = [sys.executable, "-m", "tests.cardshoe.journal.writer", str(path), str(seed + cycle)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            for _ in range(chance.randint(1, 120)):
                acknowledged = int(writer.stdout.readline())
            with contextlib.suppress(subprocess.TimeoutExpired):
                writer.wait(timeout=chance.uniform(0, 0.002))  # somewhere within the next few commits
            writer.kill()
            acknowledged = max([acknowledged, *map(int, writer.stdout.read().splitlines())])
        before = digests(path)
        with read_only(path) as evidence:
            last = evidence.verify().last
            entries = list(evidence.entries())
        assert digests(path) == before
        assert acknowledged <= last <= acknowledged + 1  # at most the one entry that was under way
        with Journal.open(path) as journal:
            assert journal.last == last
            assert list(journal.entries()) == entries
            journal.append([entry(journal.last_seq + 1)])
        assert len(stored(path)) == last + 1


def test_recovery_begins_at_the_open_shoe(killed: tuple[bytes, bytes, list[object]], path: Path) -> None:
    database, wal, entries = killed
    path.write_bytes(database)
    path.with_name(f"{path.name}-wal").write_bytes(wal)
    with Journal.open(path) as journal:
        assert list(journal.entries()) == entries
        journal.append([entry(journal.last_seq + 1)])
        journal.begin_shoe()
    assert len(stored(path)) == len(entries) + 1


@pytest.mark.statistical
def test_what_was_acknowledged_survives_a_kill_at_named_points(seed: int) -> None:
    # A process of its own, because it forks; `make powercut` kills more. The points: tests/powercut/kills.py.
    command = [sys.executable, "-m", "tests.powercut", "--states", "0", "--kills", str(POINTS), "--seed", str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    summary = rf" *\d+\.\d s  kills: cycles={POINTS} games=[1-9]\d* points={POINTS} of \d+ fewest=0 lost=0 broken=0"
    assert any(re.fullmatch(summary, line) for line in done.stdout.splitlines()), done.stdout

"""Retires from a journal in processes that are killed at each line of ours in turn.

After each kill the journal is looked at, the same command is given again, and the table goes on. One JSON object says
what was found.
"""

import json
import os
import shutil
import signal
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Final

from cardshoe.journal import Journal, JournalError, Keyring, read_only
from cardshoe.journal.writing.retire import keep_shoes, retire
from tests.cardshoe.journal.samples import group
from tests.cardshoe.journal.sealed import AT, BY, sealed_journal
from tests.powercut.explore import fast_folder

STEPS: Final = ("journal/writing/retire.py", "journal/file/atomic_files.py")
"""Files whose lines are the steps; each is counted when it is passed for the first time from one caller."""


STATES: Final = ("whole", "announced", "archive", "rest and archive")
"""What a kill may leave, in the order in which they come about."""


class Killer:
    """Kills its own process at a step.

    Args:
        at: which step; 0 for never.
    """

    def __init__(self, at: int) -> None:
        self.at = at
        self.seen: set[tuple[str, int, int]] = set()

    def __call__(self, frame: FrameType, event: str, _: object) -> "Killer | None":
        name = frame.f_code.co_filename
        if not name.endswith(STEPS):
            return None
        caller = frame.f_back.f_lineno if frame.f_back is not None else 0
        step = (name, frame.f_lineno, caller)
        if event == "line" and step not in self.seen:
            self.seen.add(step)
            if len(self.seen) == self.at:
                os.kill(os.getpid(), signal.SIGKILL)
        return self


def retired(path: Path, archive: Path, killer: Killer) -> None:
    """Do it, under the killer's eyes."""
    sys.settrace(killer)
    try:
        retire(path, archive, keep_shoes(2), by=BY, at=AT)
    finally:
        sys.settrace(None)


def lines_of(path: Path) -> list[bytes]:
    """The lines of a journal, verified; its own entry about what is retired comes first, if it is there."""
    with read_only(path) as evidence:
        evidence.verify()
        entries = sorted(evidence.entries(), key=lambda entry: entry.kind != "retirement")
        return [entry.line for entry in entries]


def left(path: Path, archive: Path, lines: list[bytes]) -> str:
    """Which state there is; what is wrong, if it is none."""
    try:
        here = lines_of(path)
        there = lines_of(archive) if archive.exists() else []
    except JournalError as error:
        return str(error)
    if here == lines:
        return "an archive that nobody announced" if there else "whole"
    announced, *here = here
    if b'"retired"' not in announced:
        return "lines are missing"
    if here == lines:
        return "announced" if not there else "archive" if there == lines[:9] else "an archive of something else"
    return "rest and archive" if there + here == lines else "lines are missing"


def main(folder: Path, every: int) -> None:
    """Kill and look, until a process lives.

    Args:
        folder: for the journals.
        every: at each so manieth step.
    """
    sound = folder / "sound"
    sound.mkdir()
    name = "b-101.journal"
    lines = [entry.line for entry in sealed_journal(sound / name, rounds=1)]
    counted: Counter[str] = Counter()
    wrong = []
    kills = 0
    for at in range(1, 1000, every):
        work = folder / f"work-{at}"
        shutil.copytree(sound, work)
        path, archive = work / name, work / "archive"
        child = os.fork()
        if not child:
            retired(path, archive, Killer(at))
            os._exit(0)
        lived = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        state = left(path, archive, lines)
        counted[state] += 1
        retire(path, archive, keep_shoes(2), by=BY, at=AT)
        after = left(path, archive, lines)
        with Journal.open(path, Keyring(path)) as journal:
            journal.append(group(journal.last_seq + 1), AT)
        if after != "rest and archive" or state not in STATES:
            wrong.append(f"step {at}: {state}, then {after}")
        shutil.rmtree(work)
        if lived:
            break
        kills += 1
    sys.stdout.write(json.dumps({"kills": kills, "left": counted, "wrong": wrong}))


if __name__ == "__main__":
    with TemporaryDirectory(prefix="retire-", dir=fast_folder()) as one:
        main(Path(one), int(sys.argv[1]) if len(sys.argv) > 1 else 1)

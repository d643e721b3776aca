"""The cost of looking into a long journal: ``python -m tests.bench.long_journal FOLDER [LINES]``.

A log is made as `tests.bench.opening` makes it. Its last entries, one round and the proof of a round are looked for
twice: among all entries of a copy that is verified, and as the commands do it. Then the whole is verified, with one
process and with one for each processor. The last line is for programs.
"""

import argparse
import collections
import io
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import redirect_stdout
from pathlib import Path
from typing import Final

from cardshoe.cli.journal import prove_command
from cardshoe.cli.log import log_command
from cardshoe.journal import Checked, read_only
from cardshoe.table.log.judging import Judge, processes
from cardshoe.table.log.query import LineGroup, Query, matching
from cardshoe.table.log.sealing_keys import find_keys, read_keys
from tests.bench.opening import make

LINES: Final = 500_000
LAST: Final = 20


def main() -> None:
    """Makes the log and looks into it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where it is made and deleted again")
    parser.add_argument("lines", type=int, nargs="?", default=LINES, help=f"lines of the log (default {LINES})")
    parser.add_argument("--journal", type=Path, help="one that was made before, with its sealing key beside it")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        if given.journal is None:
            lines, shoes = make(Path(name), given.lines)
            print(f"made: {lines} lines, {shoes} shoe games and an open one")
        path = given.journal or next(Path(name).glob("*.journal"))
        with read_only(path) as evidence:
            size = evidence.last
        print(f"{size} entries, {path.stat().st_size >> 20} MiB")
        figures = {name: seconds(what) for name, what in looks(path).items()}
    for name, (wall_s, cpu_s) in figures.items():
        print(f"{name:<24} {wall_s:7.2f} s, {cpu_s:7.2f} s of CPU")
    print("long-journal: " + " ".join(f"{name.replace(' ', '_')}={cpu:.2f}" for name, (_, cpu) in figures.items()))


def looks(path: Path) -> dict[str, Callable[[], object]]:
    """All that is timed, by its name."""
    middle = str(middle_round(path))
    query = Query(rounds=(int(middle), int(middle)))
    return {
        "last whole": lambda: collections.deque(of_all(path), maxlen=LAST),
        "last": lambda: log_command.main([str(path), "--last", str(LAST)], standalone_mode=False),
        "round whole": lambda: list(matching(of_all(path), query)),
        "round": lambda: log_command.main([str(path), "--round", middle], standalone_mode=False),
        "prove whole": lambda: [verified(path), *matching(of_all(path), query)],
        "prove": lambda: prove_command.main([str(path), "--round", middle], standalone_mode=False),
        "tree and signatures": lambda: verified(path),
        "verify one process": lambda: judged(path, None),
        "verify": lambda: judged(path, processes),
    }


def middle_round(path: Path) -> int:
    """A round in the middle of a journal."""
    with read_only(path) as evidence:
        told = (LineGroup.of(entry.lines).round for entry in evidence.entries(evidence.last // 2))
        return next(one for one in told if one)


def of_all(path: Path) -> collections.abc.Iterator[LineGroup]:
    """Every entry of a copy, each checked against the tree before it."""
    with read_only(path) as evidence:
        for entry in evidence.entries():
            yield LineGroup.of(entry.lines)


def verified(path: Path) -> Checked:
    """Tree and signatures of a copy."""
    with read_only(path) as evidence:
        return evidence.verify()


def judged(path: Path, pool: Callable[[], Executor] | None) -> None:
    """All that ``cardshoe verify`` does."""
    with read_only(path) as evidence:
        judge = Judge(evidence, read_keys(find_keys(None, path.parent)), pool=pool)
        evidence.verify(follow=judge.follow)
        judge.verdict(without_keys=False)


def seconds(what: Callable[[], object]) -> tuple[float, float]:
    """Seconds that something takes, and seconds of CPU of this process."""
    wall_ns, cpu_ns = time.perf_counter_ns(), time.process_time_ns()
    with redirect_stdout(io.TextIOWrapper(io.BytesIO())):
        what()
    return (time.perf_counter_ns() - wall_ns) / 1e9, (time.process_time_ns() - cpu_ns) / 1e9


if __name__ == "__main__":
    main()

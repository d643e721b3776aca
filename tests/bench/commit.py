"""The cost of a durable commit, against the least that it could cost: a plain append of the same bytes and a sync.

    python -m tests.bench.commit FOLDER [COMMITS [JOURNAL]]

FOLDER must lie on the disk in question, not on a tmpfs. A copy of JOURNAL is written on; without it a new one. Both
ways take turns in the same run, so that whatever else the disk has to do falls on both.
"""

import argparse
import contextlib
import json
import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from cardshoe.journal import Header, Journal, Keyring
from cardshoe.journal.file.chain import data_of

SHOE = 900
"""Commits between two checkpoints: about one shoe of eight decks."""

ROUND = 6
"""Commits from one signature to the next: about the cards of a round."""

WARM_UP = 20
"""First commits, not counted: the statements are prepared, the caches filled."""


def one_card(seq: int) -> bytes:
    """An input with three outputs, about 600 bytes, numbered from ``seq``."""
    head = f'"at":"2026-01-05T10:00:00.{seq % 1_000_000:06d}Z","round":{seq // 40 + 1}'
    article = '"article":"55/2004 art. 9.º-3(3)"'
    told = f'"device":"shoe-1","raw":"02{"5A" * 24}03","card":"TH","face":"down","count":{seq}'
    lines = (
        f'{{"event":"card","seq":{seq},{head},{told},"claimed":{{"to":"player","position":2}}}}',
        f'{{"event":"dealt","seq":{seq + 1},{head},{article},"card":null,"to":"player","position":2}}',
        f'{{"event":"last_round","seq":{seq + 2},{head},{article}}}',
        f'{{"event":"next","seq":{seq + 3},{head},{article},"do":"draw","to":"banker"}}',
    )
    return data_of(line.encode() for line in lines)


def measure_commit_ratio(directory: Path, n: int, grown: Path | None = None) -> dict[str, float]:
    """Measure durable commits of the journal against plain appends with `os.fdatasync`, taking turns.

    Args:
        directory: where both files are made, in a folder of their own that is deleted.
        n: commits of each kind.
        grown: a journal whose copy, with its key, is written on; a new one without it.

    Returns:
        ``commit_us`` and ``append_us``: medians, signed commits among them; ``signed_us``: median of the signed ones;
        ``commit_p99_us``; ``ratio``: of the medians; ``cpu_us``: median CPU time per commit, user and kernel, less that
        of a bare `os.fdatasync`; ``bytes``: per commit; ``log_bytes``: of the write-ahead log, per commit;
        ``checkpoint_ms``: median, once a shoe, with the change of keys.
    """
    commits, signed, appends, checkpoints = Timer(), Timer(), Timer(), Timer()
    sync_cpu: list[int] = []
    written = log_bytes = 0
    with tempfile.TemporaryDirectory(prefix="bench-commit-", dir=directory) as folder:
        plain = os.open(Path(folder) / "plain", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        header = Header(table_id="bench", game="baccarat", edition="bench", program="bench", created_at="", rules=1)
        path = Path(folder) / "bench.journal"
        with Journal.create(path, header, Keyring(path)) if grown is None else _copy(grown, path) as journal:
            for turn in range(n + WARM_UP):
                same = one_card(journal.last_seq + 1)
                written = len(same)
                ends_round = turn % ROUND == ROUND - 1
                with commits, signed if ends_round else contextlib.nullcontext():
                    journal.append([same], header.created_at if ends_round else None)
                with appends:
                    os.write(plain, same)
                    before = time.thread_time_ns()
                    os.fdatasync(plain)
                    sync_cpu.append(time.thread_time_ns() - before)
                if turn == min(SHOE, n) - 1:  # the first shoe: what follows in the file are still zeros
                    log = (Path(folder) / "bench.journal-wal").read_bytes().rstrip(b"\0")
                    log_bytes = len(log) // (turn + 1)
                if turn % SHOE == SHOE - 1:
                    with checkpoints:
                        journal.begin_shoe()
            with checkpoints:
                journal.begin_shoe()
        os.close(plain)
    commit_ns, append_ns = statistics.median(commits.wall_ns[WARM_UP:]), statistics.median(appends.wall_ns[WARM_UP:])
    cpu_ns = statistics.median(commits.cpu_ns[WARM_UP:]) - statistics.median(sync_cpu[WARM_UP:])
    return {
        "commit_us": commit_ns / 1e3,
        "commit_p99_us": sorted(commits.wall_ns[WARM_UP:])[n * 99 // 100] / 1e3,
        "signed_us": statistics.median(signed.wall_ns[WARM_UP // ROUND :]) / 1e3,
        "append_us": append_ns / 1e3,
        "ratio": commit_ns / append_ns,
        "cpu_us": cpu_ns / 1e3,
        "bytes": float(written),
        "log_bytes": float(log_bytes),
        "checkpoint_ms": statistics.median(checkpoints.wall_ns) / 1e6,
    }


def _copy(grown: Path, path: Path) -> Journal:
    for file in grown.parent.glob(f"{grown.name}*"):
        shutil.copy(file, path.with_name(path.name + file.name.removeprefix(grown.name)))
    return Journal.open(path, Keyring(path))


class Timer:
    """Collects how long ``with`` blocks took: wall time, and CPU time of this thread."""

    def __init__(self) -> None:
        self.wall_ns: list[int] = []
        self.cpu_ns: list[int] = []
        self._started = (0, 0)

    def __enter__(self) -> None:
        self._started = (time.perf_counter_ns(), time.thread_time_ns())

    def __exit__(self, *_: object) -> None:
        wall, cpu = time.perf_counter_ns(), time.thread_time_ns()
        self.wall_ns.append(wall - self._started[0])
        self.cpu_ns.append(cpu - self._started[1])


def main() -> None:
    """Measures, and prints the figures as one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="on the disk in question")
    parser.add_argument("commits", type=int, nargs="?", default=2000, help="of each kind (default 2000)")
    parser.add_argument("journal", type=Path, nargs="?", help="a copy of it is written on; a new one without it")
    given = parser.parse_args()
    figures = measure_commit_ratio(given.folder, given.commits, given.journal)
    print(json.dumps({name: round(value, 2) for name, value in figures.items()}))


if __name__ == "__main__":
    main()

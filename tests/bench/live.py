"""The cost of a viewer to the table's thread: ``python -m tests.bench.live FOLDER [SHOES]``.

Three tables take the same inputs, each in turn: one without a live socket, one with it, one with a subscriber in
another process. The last line is for programs.
"""

import argparse
import queue
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from cardshoe.table.controller import Controller
from cardshoe.table.live.place import TablePlace
from cardshoe.table.live.server import LiveServer
from cardshoe.table.log.table_journal import open_log
from regulations.events.inputs import CardDrawn
from tests.bench.opening import AT, SEED, TABLE, shoe_game

WAYS: Final = ("without", "alone", "subscribed")
READER: Final = (
    "import sys; from pathlib import Path; from cardshoe.table.live.client import LiveClient; "
    "from cardshoe.table.live.place import TablePlace\n"
    "with LiveClient(TablePlace.of(Path(sys.argv[1]), 'bench')) as client:\n"
    "    client.subscribe(); print('ready', flush=True); print(sum(1 for _ in client.lines()), flush=True)\n"
)
NS_PER_US: Final = 1000


def main() -> None:
    """Plays and prints."""
    parser = argparse.ArgumentParser(prog="tests.bench.live", description=__doc__)
    parser.add_argument("folder", type=Path, help="best in memory, such as /dev/shm")
    parser.add_argument("shoes", type=int, nargs="?", default=4, help="shoe games (default 4)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        costs = measure(Path(folder), given.shoes)
    medians = {way: statistics.median(costs[way]) / NS_PER_US for way in WAYS}
    print(f"seed {SEED}, {len(costs['without'])} cards, CPU of the table's thread for each, listeners included")
    for way in WAYS:
        p99 = sorted(costs[way])[len(costs[way]) * 99 // 100] / NS_PER_US
        print(f"  {way:<12} p50 {medians[way]:7.1f} us   p99 {p99:7.1f} us")
    ratios = " ".join(f"ratio_{way}={medians[way] / medians['without']:.3f}" for way in WAYS[1:])
    print(f"live: {ratios} card_us={medians['without']:.1f}")


def measure(folder: Path, shoes: int) -> dict[str, list[int]]:
    """CPU of the table's thread for each card, ns, by how it is looked at."""
    costs: dict[str, list[int]] = {way: [] for way in WAYS}
    shoe = shoe_game()
    with ExitStack() as held:
        tables = {way: _table(folder / way, way, held) for way in WAYS}
        for number, event in enumerate(shoe * shoes):
            # Each comes first as often as the others: the first finds nothing in the processor's memory.
            for turn in range(len(WAYS)):
                way = WAYS[(number + turn) % len(WAYS)]
                began = time.thread_time_ns()
                tables[way].take(event)
                if isinstance(event, CardDrawn):
                    costs[way].append(time.thread_time_ns() - began)
    return costs


def _table(folder: Path, way: str, held: ExitStack) -> Controller:
    log = open_log(folder, TABLE, AT, lambda _: None)
    held.enter_context(log.journal)
    controller = Controller(log, queue.SimpleQueue(), lambda: AT, boot_s=lambda: 0.0)
    if way == "without":
        return controller
    server = LiveServer(TablePlace.of(folder, TABLE.table_id), log, controller)
    controller.show(server)
    if way == "subscribed":
        command = [sys.executable, "-c", READER, str(folder)]
        held.enter_context(server)
        reader = held.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        assert reader.stdout is not None
        assert reader.stdout.readline() == "ready\n"
        # The reader ends with the server, and is waited for behind it.
        held.callback(server.__exit__)
    else:
        held.enter_context(server)
    return controller


if __name__ == "__main__":
    main()

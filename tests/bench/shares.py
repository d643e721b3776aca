"""``python -m tests.bench.shares FOLDER``: whose CPU an exchange takes, ours and pymodbus', and what a hand-over costs.

Linux alone counts nanoseconds by thread (``/proc/PID/task/TID/schedstat``).
"""

import asyncio
import os
import queue
import select
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Final

from pymodbus.client import AsyncModbusSerialClient
from pymodbus.framer import FramerType

from drivers.wakeup_pipe import WakeupPipe
from tests.bench.link import ANSWER_S, RETRIES, WARM_UP, OurTable, crossed, process
from tests.bench.settings import ASKED, BAUD, DEVICE_ID

EXCHANGES: Final = 300
TURNS: Final = 3
HAND_OVERS: Final = 3000
PAUSE_S: Final = 0.0002
"""Before each hand-over: as in an exchange, a processor may have gone to sleep."""
_NS_PER_US: Final = 1000


def main() -> None:
    """Measures both in turns, then the hand-over; the last line is for programs."""
    ours: list[dict[str, float]] = []
    theirs: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory(prefix="bench-shares-", dir=sys.argv[1]) as folder:
        for _ in range(TURNS):
            ours.append(of_ours(Path(folder)))
            theirs.append(asyncio.run(of_theirs()))
    totals = {}
    for name, blocks in (("ours", ours), ("pymodbus", theirs)):
        shares = {part: statistics.median(block[part] for block in blocks) for part in blocks[0]}
        totals[name] = sum(shares.values())
        print(f"{name:<9} {totals[name]:5.0f} us: " + ", ".join(f"{part} {us:.0f}" for part, us in shares.items()))
    there_and_back_us = hand_over_us()
    print(f"to another thread and back, which has nothing to do: {there_and_back_us:.0f} us")
    print(f"bench-shares: ratio={totals['pymodbus'] / totals['ours']:.2f} there_and_back_us={there_and_back_us:.0f}")


def of_ours(folder: Path) -> dict[str, float]:
    """Microseconds of CPU of an exchange with ``NORMAL``, its part of a round included, by whose they are."""
    with crossed() as (near, far), process("tests.bench.tdp_end", far):
        table = OurTable(folder, near, "normal")
        table.start()
        try:
            table.block(WARM_UP)
            before = _spent()
            table.block(EXCHANGES)
            return _shares(before)
        finally:
            table.close()


async def of_theirs() -> dict[str, float]:
    """The same of pymodbus' client for asyncio."""
    with crossed() as (near, far), process("tests.bench.modbus_end", far) as server:
        assert server.stdout is not None
        server.stdout.readline()
        client = AsyncModbusSerialClient(near, framer=FramerType.RTU, baudrate=BAUD, timeout=ANSWER_S, retries=RETRIES)
        assert await client.connect()
        before: dict[str, int] = {}
        for exchanges in (WARM_UP, EXCHANGES):
            before = _spent()
            for _ in range(exchanges):
                await client.read_holding_registers(0, count=ASKED, device_id=DEVICE_ID)
        shares = _shares(before)
        client.close()
        return shares


def hand_over_us() -> float:
    """The median of what it takes to wake a thread as the table does with a port's, and to get its word."""
    waker, inbox, is_over = WakeupPipe(), queue.SimpleQueue[None](), threading.Event()

    def answer() -> None:
        while not is_over.is_set():
            select.select([waker.descriptor], [], [])
            waker.clear()
            inbox.put(None)

    thread = threading.Thread(target=answer)
    thread.start()

    def there_and_back() -> float:
        select.select([], [], [], PAUSE_S)
        began = time.perf_counter_ns()
        waker.wake()
        inbox.get()
        return (time.perf_counter_ns() - began) / _NS_PER_US

    spent = [there_and_back() for _ in range(HAND_OVERS)]
    is_over.set()
    waker.wake()
    thread.join()
    waker.close()
    return statistics.median(spent)


def _shares(before: dict[str, int]) -> dict[str, float]:
    return {whose: (ns - before.get(whose, 0)) / EXCHANGES / _NS_PER_US for whose, ns in _spent().items()}


def _spent() -> dict[str, int]:
    ours, main = Path("/proc/self/task"), str(os.getpid())
    spent = {"table or client": _of(ours / main)}
    spent["other threads"] = sum(_of(task) for task in ours.iterdir() if task.name != main)
    for child in (ours / main / "children").read_text().split():
        module = (Path("/proc") / child / "cmdline").read_bytes().split(b"\0")[2:3]
        spent[b"".join(module).decode()] = _of(Path("/proc") / child)
    return spent


def _of(task: Path) -> int:
    return int((task / "schedstat").read_text().split()[0])


if __name__ == "__main__":
    main()

"""The cost of viewers to a table, and how late they see: ``python -m tests.bench.display FOLDER``.

Two tables take the same inputs, each in turn: one with nobody at its live socket, one with a display to which streams
of `/api/v1/events` are open from browsers at which people have signed in (others have less room), and pages in a real
browser where Chromium is. A stream is late by the time from the
commit of an input, that included, until its last line is received; a page, until what it shows is painted. The last
line is for programs.
"""

import argparse
import asyncio
import gc
import json
import os
import queue
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Final
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import Page, sync_playwright

from cardshoe.process.http.browser_sessions import BROWSER
from cardshoe.screens.words.display_section import DisplaySection
from cardshoe.table.controller import Controller
from cardshoe.table.display.child import DisplayChild
from cardshoe.table.display.settings import DisplaySettings
from cardshoe.table.live.client import number_of
from cardshoe.table.live.place import TablePlace
from cardshoe.table.live.server import LiveServer
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.staff_service import Persons
from regulations.events.inputs import CardDrawn
from tests.bench.opening import AT, SEED, TABLE, shoe_game
from tests.cardshoe.persons.support import CHEAP, PINS, Clock, registry_in
from tests.cardshoe.table.display.support import display_pid
from tests.kit.waiting import eventually

STREAMS: Final = 120
SIGNED_IN: Final = ("sara", "vera", "rosa", "theo")
"""Each of them has an equal part of the streams."""
PAGES: Final = 3
PACE_S: Final = 0.2
"""Seconds from one input to the next: five times a quick croupier."""
SETTLE_S: Final = 3.0
SIGN_IN_S: Final = 30.0
CHROMIUM: Final = Path("/usr/bin/chromium")
PAINTED: Final = """() => {
  window.painted = [];
  const main = document.getElementById("shown");
  new MutationObserver(() => {
    const seq = Number(main.dataset.id.split(":")[1]);
    requestAnimationFrame(() => setTimeout(() => window.painted.push([seq, Date.now() / 1000])));
  }).observe(main, { attributes: true, attributeFilter: ["data-id"] });
}"""


def main() -> None:
    """Plays and prints."""
    if sys.argv[1:2] == ["--receive"]:
        asyncio.run(receive(sys.argv[2], sys.argv[3:]))
        return
    parser = argparse.ArgumentParser(prog="tests.bench.display", description=__doc__)
    parser.add_argument("folder", type=Path, help="best in memory, such as /dev/shm")
    parser.add_argument("inputs", type=int, nargs="?", default=200, help="inputs to take (default 200)")
    given = parser.parse_args()
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        costs, heard_s, painted_s, display_s = measure(Path(folder), given.inputs)
    alone, shown = (statistics.median(costs[way]) / 1000 for way in ("alone", "shown"))
    print(f"seed {SEED}, {len(costs['alone'])} cards, {STREAMS} streams, load {before:.1f} before it")
    print(f"  table's thread, CPU of a card: {alone:.1f} us with nobody there, {shown:.1f} us with the display")
    display_ms = 1000 * display_s / given.inputs
    print(f"  display, CPU of an input: {display_ms:.1f} ms")
    for name, found_s in (("streams, commit to received", heard_s), ("pages, commit to painted", painted_s)):
        if found_s:
            print(f"  {name}: {_quantiles(found_s)} ms, {len(found_s)} times")
    late_ms, paint_ms = (1000 * _quantile(found_s, 99) for found_s in (heard_s, painted_s))
    late = f"received_p99_ms={late_ms:.1f} painted_p99_ms={paint_ms:.1f}"
    print(f"display: ratio={shown / alone:.3f} display_cpu_ms={display_ms:.2f} {late}")


def measure(folder: Path, inputs: int) -> tuple[dict[str, list[int]], list[float], list[float], float]:
    """Measure the cost and the delay.

    Returns:
        CPU of the table's thread for each card, ns, by who looks on; seconds by which events and pictures were late;
        the display's CPU for all inputs, seconds.
    """
    costs: dict[str, list[int]] = {"alone": [], "shown": []}
    committed: dict[int, float] = {}
    with ExitStack() as held:
        alone = held.enter_context(_table(folder / "alone"))
        shown = held.enter_context(_table(folder / "shown"))
        section = DisplaySection(listen="127.0.0.1:0")
        settings = DisplaySettings(folder=str(folder / "shown"), table_id="bench", section=section, currency="MOP")
        child = held.enter_context(DisplayChild(settings))
        receiver = held.enter_context(_receiver(child.home, _cookies(shown, child.home)))
        pages = held.enter_context(_pages(child.home))
        waiting = queue.SimpleQueue[None]()
        display = display_pid()
        _freeze()
        before_s = _cpu_s(display)
        for number, event in enumerate(shoe_game()[:inputs]):
            for way in ("alone", "shown") if number % 2 else ("shown", "alone"):
                given_s, began = time.time(), time.thread_time_ns()
                taken: LoggedInput = {"alone": alone, "shown": shown}[way].take(event)
                if way == "shown":
                    # From before the commit: what is late is told too large by the commit, never too small.
                    committed[number_of(taken.lines[-1])] = given_s
                if isinstance(event, CardDrawn):
                    costs[way].append(time.thread_time_ns() - began)
            _pause(waiting, PACE_S)
        _pause(waiting, SETTLE_S)
        display_s = _cpu_s(display) - before_s
        painted = [one for page in pages for one in page.evaluate("() => window.painted")]
        heard = _stopped(receiver)
    late = [[at_s - committed[seq] for seq, at_s in found if seq in committed] for found in (heard, painted)]
    return costs, late[0], late[1], display_s


@contextmanager
def _table(folder: Path) -> Iterator[Controller]:
    log = open_log(folder, TABLE, AT, lambda _: None)
    controller = Controller(log, queue.SimpleQueue(), lambda: AT, boot_s=lambda: 0.0)
    persons = Persons(registry_in(folder), controller.note, CHEAP, Clock())
    server = LiveServer(TablePlace.of(folder, TABLE.table_id), log, controller, persons=persons)
    controller.listen(persons)
    controller.show(server)
    with log.journal, persons, server:
        yield controller


def _cookies(table: Controller, home: str) -> list[str]:
    """What names each browser at which somebody has signed in; the table hears of it in its own loop."""
    loop = threading.Thread(target=table.run, daemon=True)
    loop.start()
    eventually(lambda: httpx.get(f"{home}readyz").is_success, "the display has the table")
    cookies = []
    for person in SIGNED_IN:
        body = {"id": person, "pin": PINS[person], "screen": "own"}
        answer = httpx.post(f"{home}api/v1/session", json=body, timeout=SIGN_IN_S)
        assert answer.is_success, answer.text
        cookies.append(f"{BROWSER}={answer.cookies[BROWSER]}")
    table.stop()
    loop.join()
    return cookies


@contextmanager
def _receiver(home: str, cookies: Sequence[str]) -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, "-m", "tests.bench.display", "--receive", home, *cookies]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert _pipe(process.stdout).readline() == "ready\n"
        yield process


def _stopped(receiver: "subprocess.Popen[str]") -> list[tuple[int, float]]:
    _pipe(receiver.stdin).close()
    found: list[tuple[int, float]] = [(seq, at_s) for seq, at_s in json.loads(_pipe(receiver.stdout).read())]
    return found


def _pipe(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None
    return pipe


@contextmanager
def _pages(home: str) -> Iterator[list[Page]]:
    """Pages of a browser, each with an ear for what it paints; none where there is no browser."""
    if not CHROMIUM.exists():
        yield []
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        # A page in a window of its own: one that lies behind another paints nothing.
        pages = [browser.new_context().new_page() for _ in range(PAGES)]
        for number, page in enumerate(pages):
            page.goto(f"{home}{'board' if number % 2 else 'croupier'}")
            page.wait_for_selector("#cover", state="hidden")
            page.evaluate(PAINTED)
        yield pages
        browser.close()


async def receive(home: str, cookies: Sequence[str]) -> None:
    """Takes what the streams say until standard input ends, then prints number and time of each line."""
    heard: list[tuple[int, float]] = []
    streams = [
        await _opened(home, cookie, f"127.0.0.{machine}")
        for machine, cookie in enumerate(cookies, start=2)
        for _ in range(STREAMS // len(cookies))
    ]
    tasks = [asyncio.create_task(_hear(reader, heard)) for reader, _ in streams]
    _freeze()
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    print(json.dumps(heard))


async def _opened(home: str, cookie: str, machine: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A stream that has its snapshot; without its writer it would be closed."""
    parts = urlsplit(home)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port, limit=1 << 24, local_addr=(machine, 0))
    writer.write(f"GET /api/v1/events HTTP/1.1\r\nHost: {parts.netloc}\r\nCookie: {cookie}\r\n\r\n".encode())
    status = await reader.readline()
    assert status.startswith(b"HTTP/1.1 200 "), status
    while not (await reader.readline()).startswith(b"event: snapshot"):
        assert not reader.at_eof()
    return reader, writer


async def _hear(reader: asyncio.StreamReader, heard: list[tuple[int, float]]) -> None:
    async for line in reader:
        if line.startswith(b"id: "):
            heard.append((int(line.rpartition(b":")[2]), time.time()))  # noqa: PERF401  kept when it is cancelled


def _freeze() -> None:
    """Spare the collector what was imported: a look through it takes 60 ms, told as late. A table does so too."""
    gc.collect()
    gc.freeze()


def _cpu_s(pid: int) -> float:
    """The CPU that a process has used, seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _pause(waiting: "queue.SimpleQueue[None]", seconds: float) -> None:
    try:
        waiting.get(timeout=seconds)
    except queue.Empty:
        return


def _quantile(found_s: list[float], percent: int) -> float:
    return sorted(found_s)[len(found_s) * percent // 100] if found_s else float("nan")


def _quantiles(found_s: list[float]) -> str:
    return ", ".join(f"p{percent} {1000 * _quantile(found_s, percent):.1f}" for percent in (50, 99))


if __name__ == "__main__":
    main()

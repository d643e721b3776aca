"""Runs the second device: prints its address, then takes lines on standard input until ``quit`` or their end."""

import argparse
import json
import os
import random
import secrets
import select
import sys
import time
from pathlib import Path

from tests.second_device.control import Bench
from tests.second_device.lines import Line, PtyLine, TcpLine
from tests.second_device.outbox import Outbox
from tests.second_device.station import Station
from tests.second_device.tls import server_context

STDIN = 0


def main() -> int:
    """Run; returns 0, or 2 where the arguments do not fit together."""
    options = _parser().parse_args()
    if not options.plain and None in {options.certificate, options.key, options.authority}:
        sys.stderr.write("TLS wants --certificate, --key and --authority; for bring-up there is --plain\n")
        return 2
    line = _line(options)
    context = None if options.plain else server_context(options.certificate, options.key, options.authority)
    outbox = Outbox(options.keep, keeps_events=options.keep is not None)
    seed = secrets.randbits(64) if options.seed is None else options.seed
    bench = Bench(Station(outbox, random.Random(seed), context), line, options.cards)
    bench.start(time.monotonic())
    try:
        _say(json.dumps({"line": line.name, "address": line.address}))
        _serve(bench)
    finally:
        bench.stop()
    return 0


def _serve(bench: Bench) -> None:
    station, line = bench.station, bench.line
    typed = b""
    while not bench.is_over:
        due_s = station.due_s
        wait_s = None if due_s is None else max(0.0, due_s - time.monotonic())
        readable, _, _ = select.select([STDIN, *line.sources()], line.sinks(), [], wait_s)
        now_s = time.monotonic()
        for source in readable:
            if source == STDIN:
                data = os.read(STDIN, 4096)
                *texts, typed = (typed + data).split(b"\n")
                for text in texts:
                    _say(bench.obey(text.decode(errors="replace"), now_s))
                    station.tick(now_s)
                    line.write(station.take_line())
                if not data:
                    return
            elif source in line.sources():
                batch = line.read(source)
                if batch is None:
                    station.line_lost(now_s)
                else:
                    station.receive(batch, now_s)
        station.tick(now_s)
        line.write(station.take_line())


def _line(options: argparse.Namespace) -> Line:
    if options.tcp is None:
        return PtyLine(options.pty)
    host, _, port = options.tcp.rpartition(":")
    return TcpLine(host, int(port))


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="second_device", description=__doc__)
    line = parser.add_mutually_exclusive_group(required=True)
    line.add_argument("--tcp", metavar="HOST:PORT", help="listen there; port 0: any")
    line.add_argument("--pty", metavar="PATH", type=Path, help="offer a pseudo terminal under this name")
    parser.add_argument("--cards", type=int, default=416, help="in a stack, where load names no number")
    parser.add_argument("--seed", type=int, help="of the shuffles")
    parser.add_argument("--keep", metavar="FILE", type=Path, help="keep memory and events there (capability 9)")
    parser.add_argument("--plain", action="store_true", help="no TLS")
    for name in ("certificate", "key", "authority"):
        parser.add_argument(f"--{name}", metavar="PEM", type=Path, help="for TLS")
    return parser


if __name__ == "__main__":
    sys.exit(main())

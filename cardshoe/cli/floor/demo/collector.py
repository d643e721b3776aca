"""The collector process of a demonstration, with its configuration."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

import msgspec
from msgspec import Struct

from cardshoe.cli.floor.demo.certificates import Authority
from cardshoe.cli.running.equipment import CARDSHOE
from cardshoe.process.exits import Exit, Stop

HOST: Final = "127.0.0.1"
END_S: Final = 15.0
CONFIG: Final = "floor.toml"
LOOK_S: Final = 0.5


class DemoCollector(Struct, frozen=True):
    tables: str
    home: str
    key: str
    process: "subprocess.Popen[bytes]"


@contextmanager
def collecting(
    folder: Path, state: Path, authority: Authority, database: str, listen: str, tables: str
) -> Iterator[DemoCollector]:
    tls = authority.certify("floor", HOST, HOST)
    config = folder / CONFIG
    config.write_text(f"""# The floor of a demonstration.
[floor]
listen = "{HOST}:0"
database = {json.dumps(database)}
state = {json.dumps(str(state))}
tables = {json.dumps(tables)}
[floor.tls]
certificate = {json.dumps(tls.certificate)}
key = {json.dumps(tls.key)}
authority = {json.dumps(tls.authority)}
revoked = {json.dumps(str(authority.revoke()))}
[read]
listen = {json.dumps(listen)}
[watch]
look_s = {LOOK_S}
""")
    log = folder / "collector.log"
    with log.open("wb") as said:
        process = _started("run", config, said, "--json")
    try:
        line = b"" if process.stdout is None else process.stdout.readline()
        if not line:
            lines = log.read_text("utf-8", "replace").strip().splitlines()
            raise Stop(f"the collector: {lines[-1] if lines else 'it said nothing'}", "See above.", Exit.FAILURE)
        where = msgspec.json.decode(line, type=dict[str, str])
        yield DemoCollector(where["tables"], f"http://{where['read']}/", where["marks"], process)
    finally:
        _end(process)


@contextmanager
def watching(folder: Path) -> Iterator[None]:
    with (folder / "watch.log").open("wb") as said:
        process = _started("watch", folder / CONFIG, said)
    try:
        yield
    finally:
        _end(process)


def _started(command: str, config: Path, said: IO[bytes], *options: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603  our own interpreter with our own program
        [*CARDSHOE, "floor", command, str(config), *options],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=said,
        start_new_session=True,  # Ctrl-C is for this process, which ends its children itself
    )


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()

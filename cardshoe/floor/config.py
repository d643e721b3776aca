"""FLOOR.toml."""

import ipaddress
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from cardshoe.floor.jetstream.section import NatsSection, faults_of_nats
from cardshoe.floor.pages.settings import Camera
from cardshoe.floor.siem.section import Name, SiemSection, faults_of_siem
from cardshoe.floor.watch.section import WatchSection
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.http.tls import TlsFiles
from cardshoe.process.plain_file import read_plain
from cardshoe.screens.words.currency import CODES, MOP
from cardshoe.screens.words.display_section import Language, host_port

Words = Annotated[str, Meta(min_length=1)]
LISTEN: Final = "127.0.0.1:8471"


class FloorSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[floor]``: the collector.

    Attributes:
        keep_months: until lines are dropped; 0: never.
        state: folder of keys and witness notes, on another disk than the database.
    """

    listen: Words = LISTEN
    tls: TlsFiles
    database: Words
    state: Words
    tables: Words
    keep_months: Annotated[int, Meta(ge=0, le=1200)] = 0


class ReadSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[read]``: the interface for readers.

    Attributes:
        day_begins: hour of Macau at which a gaming day begins, 0 to 23.
        programs: names with access to `/api/v1`; ``None``: all of the authority.
        tls: required unless on loopback; not the tables' authority.
    """

    listen: Words
    tls: TlsFiles | None = None
    language: Language = "zh-Hant"
    currency: Words = MOP
    day_begins: Annotated[int, Meta(ge=0, le=23)] = 0
    camera: Camera = Camera()
    cameras: dict[Words, Camera] = {}
    programs: list[Words] | None = None


class PersonsSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[persons]``: the casino's list of staff, in the folder `state`.

    Attributes:
        valid_days: at a table without contact to the floor.
    """

    valid_days: Annotated[int, Meta(ge=1, le=366)] = 14


class FloorConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A checked configuration; files are below its folder."""

    floor: FloorSection
    read: ReadSection | None = None
    nats: NatsSection | None = None
    siem: dict[Name, SiemSection] = {}
    watch: WatchSection | None = None
    persons: PersonsSection = PersonsSection()


def load(path: Path) -> FloorConfig:
    """Read and check a configuration.

    Raises:
        Stop: it cannot be used.
    """
    try:
        config = msgspec.convert(_raw(path), FloorConfig)
    except msgspec.ValidationError as error:
        raise _bad(path, str(error)) from error
    faults = list(_faults(config))
    if faults:
        raise _bad(path, "; ".join(faults))
    folder = path.parent
    floor, read = config.floor, config.read
    below = msgspec.structs.replace(
        floor, tls=floor.tls.below(folder), state=str(folder / floor.state), tables=str(folder / floor.tables)
    )
    if read is not None and read.tls is not None:
        read = msgspec.structs.replace(read, tls=read.tls.below(folder))
    nats = config.nats
    if nats is not None:
        nats = msgspec.structs.replace(nats, tls=nats.tls.below(folder))
    siem = {name: section.below(folder) for name, section in config.siem.items()}
    return msgspec.structs.replace(config, floor=below, read=read, nats=nats, siem=siem)


def _raw(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_plain(path).decode())
    except OSError as error:
        raise _bad(path, error.strerror or str(error)) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise _bad(path, f"is not TOML: {error}") from error


def _faults(config: FloorConfig) -> Iterator[str]:
    for key, listen in (("floor", config.floor.listen), *([("read", config.read.listen)] if config.read else [])):
        try:
            host_port(listen)
        except ValueError as error:
            yield f"{key}.listen: {error}"
    if config.read is not None and config.read.tls is None and not _is_loopback(config.read.listen):
        yield f"read.listen: {config.read.listen!r} can be reached from other machines: name the certificates in `tls`"
    if config.read is not None and config.read.currency not in CODES:
        yield f"read.currency: {config.read.currency!r} is not an ISO 4217 currency code, such as MOP or HKD"
    if config.nats is not None:
        yield from faults_of_nats(config.nats)
    yield from faults_of_siem(config.siem)
    read_tls = None if config.read is None else config.read.tls
    if read_tls is not None and read_tls.authority == config.floor.tls.authority:
        yield "read.tls: the tables have the same authority, so any table could read all others; use another"


def _is_loopback(listen: str) -> bool:
    try:
        return ipaddress.ip_address(host_port(listen)[0]).is_loopback
    except ValueError:
        return True  # which is told elsewhere


def _bad(path: Path, reason: str) -> Stop:
    return Stop(f"{path}: {reason}", "docs/back-office.md has an example with every key.", Exit.USAGE)

"""The configuration of a table: one TOML file (``cardshoe config example``)."""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct

from cardshoe.journal.proof.note import BadNote, VerifyKey
from cardshoe.journal.witness.places import fault_of, fault_of_keys
from cardshoe.process.config_mistakes import ConfigMistake, KeyLines, faults_of_form, near_to
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.http.tls import TlsFiles
from cardshoe.process.plain_file import read_plain
from cardshoe.screens.words.currency import MOP, Currency, currency
from cardshoe.screens.words.display_section import DisplaySection, faults_of_display
from cardshoe.table.log.journal_names import stem_of
from cardshoe.table.log.log_builder import Scribe
from cardshoe.table.setup.live_section import LiveSection, faults_of_live
from cardshoe.table.setup.sample import sample
from cardshoe.table.setup.uplink_section import UplinkSection, faults_of_uplink
from cardshoe.table.setup.usb_section import UsbSection, allowed_of
from drivers.errors import BadSetting, DriverError, UnknownFamily
from drivers.port_names import check_name
from firmware_bridge.families import Family, family_named
from firmware_bridge.interlock import DeviceActionKind
from regulations.events.inputs import Authorisation, Table
from regulations.events.outputs import Refused
from regulations.events.vocabulary import EquipmentKind, Game, PickUp
from regulations.games.registry import GAMES

Words = Annotated[str, Meta(min_length=1)]
PartT = TypeVar("PartT")
_REFUSALS_MAX: Final = 32


class TableSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: Words
    game: Game
    decks: int
    seats: int
    equipment: EquipmentKind
    currency: Words = MOP
    pick_up: PickUp | None = None


class JournalSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[journal]``: journals and witnesses; relative to the configuration's folder."""

    folder: Words
    day_begins: Annotated[int, Meta(ge=0, le=23)] = 0
    witness: Words | list[Words] | None = None
    witness_tls: TlsFiles | None = None
    witness_key: dict[str, str] = {}
    metrics: Words | None = None
    sealing_key: Words | None = None


class TerminalSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    four_colours: bool = False


class StaffSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    file: Words
    floor: str | None = None


class TrustSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    folder: Words


class DeviceSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[[device]]``: a device at the table."""

    name: Annotated[str, Meta(min_length=1, max_length=64)]
    family: Words
    port: Words
    commands: list[str] = []
    settings: dict[str, Any] = {}
    usb: UsbSection | None = None


class Document(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    table: TableSection
    journal: JournalSection
    options: dict[str, Any] = {}
    authorisation: list[Authorisation] = []
    trust: TrustSection | None = None
    persons: StaffSection | None = None
    terminal: TerminalSection = TerminalSection()
    live: LiveSection | None = None
    display: DisplaySection | None = None
    uplink: UplinkSection | None = None
    device: list[DeviceSection] = []


class TableConfig(Struct, frozen=True, kw_only=True):
    """A checked configuration.

    Attributes:
        day_begins: hour of Macau at which the gaming day begins, 0 to 23.
        trust: ``None``: devices are not verified.
        persons: ``None``: no sign-in.
        live: accounts of display and uplink; ``None``: the table's children.
    """

    path: Path
    table: Table
    journal_dir: Path
    day_begins: int = 0
    witnesses: Sequence[str] = ()
    witness_tls: TlsFiles | None = None
    witness_keys: Mapping[str, str] = {}
    metrics: Path | None = None
    sealing_key: Path | None = None
    trust: Path | None = None
    persons: Path | None = None
    persons_key: VerifyKey | None = None
    devices: Sequence[DeviceSection]
    currency: Currency = Currency()
    four_colours: bool = False
    live: LiveSection | None = None
    display: DisplaySection | None = None
    uplink: UplinkSection | None = None

    @property
    def persons_list(self) -> Path:
        """The uplink's file of the floor's staff list."""
        own = None if self.uplink is None else self.uplink.folder
        return (self.journal_dir if own is None else Path(own)) / f"{stem_of(self.table.table_id)}.persons"


class BadConfig(Stop):
    def __init__(self, path: Path, faults: Sequence[ConfigMistake], game: str | None = None) -> None:
        first, *others = faults
        more = f" There are {len(others)} faults more: `cardshoe config check {path}` lists them." if others else ""
        super().__init__(told(path, first), f"{example_hint(game)}{more}", Exit.USAGE)
        self.path = path
        self.faults = tuple(faults)
        self.game = game


def told(path: Path, fault: ConfigMistake) -> str:
    where = f"{path}, line {fault.line}" if fault.line is not None else str(path)
    return f"{where}: {fault.key}: {fault.reason}" if fault.key else f"{where}: {fault.reason}"


def example_hint(game: str | None) -> str:
    command = "cardshoe config example" if game is None else f"cardshoe config example {game}"
    return f"`{command}` shows every key with its meaning."


def load(path: Path, at: str) -> TableConfig:
    """Read and check a configuration for the time ``at``, when authorisations apply.

    Raises:
        BadConfig: names file, key and reason of all faults, and the article of a refusal.
    """
    text = _text(path)
    raw, lines = _raw(path, text), KeyLines(text)
    game = table["game"] if isinstance(table := raw.get("table"), dict) and table.get("game") in GAMES else None
    faults = [
        fault if fault.line is not None else msgspec.structs.replace(fault, line=lines.of(fault.key))
        for fault in _faults(path, raw, text, at)
    ]
    if faults:
        raise BadConfig(path, faults, game)
    document = msgspec.convert(raw, Document)
    return TableConfig(
        path=path,
        table=_profile(document.table, document.options, document.authorisation),
        journal_dir=path.parent / document.journal.folder,
        day_begins=document.journal.day_begins,
        witnesses=_witnesses(document.journal),
        witness_tls=tls.below(path.parent) if (tls := document.journal.witness_tls) is not None else None,
        witness_keys=document.journal.witness_key,
        metrics=path.parent / name if (name := document.journal.metrics) is not None else None,
        sealing_key=None if document.journal.sealing_key is None else path.parent / document.journal.sealing_key,
        trust=None if document.trust is None else path.parent / document.trust.folder,
        persons=None if document.persons is None else path.parent / document.persons.file,
        persons_key=_floor_key(document.persons),
        devices=document.device,
        currency=currency(document.table.currency),
        four_colours=document.terminal.four_colours,
        live=None if document.live is None else document.live.below(path.parent),
        display=_display(document.display, path.parent),
        uplink=_uplink(document.uplink, path.parent),
    )


def warnings(config: TableConfig) -> list[str]:
    """Warnings about allowed but probably mistaken settings."""
    found = []
    law = GAMES[config.table.game].law
    for device in config.devices:
        family = family_named(device.family)
        for name, wanted in family.wants.items():
            option = law.option(name)
            if option is not None and (value := config.table.options.get(name, option.default)) != wanted:
                found.append(
                    f"{config.path}: options.{name} is {json.dumps(value)}, but devices of the family "
                    f"{device.family!r} do otherwise and will disagree with the table; {json.dumps(wanted)} agrees."
                )
        found.extend(
            f"{config.path}: device {device.name!r} {doubt}."
            for key, value, doubt in family.doubts
            if device.settings.get(key) == value
        )
        if family.equipment not in (None, config.table.equipment):
            found.append(
                f"{config.path}: device {device.name!r} is a {family.equipment}, and the table deals from a "
                f"{config.table.equipment}: until the equipment is changed every card of it is one that is not due."
            )
    if config.devices and config.trust is None:
        found.append(
            f"{config.path}: no [trust]: the table accepts devices without checking enrolment and firmware; the log "
            "records `not_judged` for each."
        )
    if not config.devices:
        found.append(f"{config.path}: no [[device]]: every card must be entered by hand.")
    return found


def _text(path: Path) -> str:
    try:
        return read_plain(path).decode()
    except OSError as error:
        raise BadConfig(path, [ConfigMistake(key="", reason=error.strerror or str(error))]) from error
    except UnicodeDecodeError as error:
        reason = f"is not UTF-8 ({error.reason} at byte {error.start})"
        raise BadConfig(path, [ConfigMistake(key="", reason=reason)]) from error


def _raw(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadConfig(path, [ConfigMistake(key="", reason=f"is not TOML: {error}")]) from error
    except RecursionError as error:
        reason = "is nested too deeply for a configuration"
        raise BadConfig(path, [ConfigMistake(key="", reason=reason)]) from error


def _faults(path: Path, raw: Mapping[str, Any], text: str, at: str) -> Iterator[ConfigMistake]:
    try:
        yield from faults_of_form(raw, Document)
    except RecursionError as error:
        reason = "is nested too deeply for a configuration"
        raise BadConfig(path, [ConfigMistake(key="", reason=reason)]) from error
    for name, kind, faults_of in _SECTIONS:
        section = _part(raw.get(name), kind)
        if section is not None:
            yield from faults_of(section)
    if isinstance(named := raw.get("persons"), dict) and "floor" in named and "uplink" not in raw:
        yield ConfigMistake(key="persons.floor", reason="nothing fetches the floor's list: name the floor in [uplink]")
    yield from faults_of_live(_part(raw.get("live"), LiveSection), _part(raw.get("uplink"), UplinkSection))
    table = _part(raw.get("table"), TableSection)
    yield from _of_seat_labels(table, _part(raw.get("display"), DisplaySection))
    options = _part(raw.get("options", {}), dict[str, Any])
    authorisation = _part(raw.get("authorisation", []), list[Authorisation])
    if table is not None and table.game not in GAMES:
        yield ConfigMistake(key="table.game", reason=f"unknown game {table.game!r}; known are {', '.join(GAMES)}")
    elif table is not None and options is not None and authorisation is not None:
        profile = msgspec.structs.replace(_profile(table, options, authorisation), at=at)
        yield from _of_profile(profile, text)
    there = raw.get("device", [])
    names = set()
    for number, one in enumerate(there if isinstance(there, list) else []):
        key = "device" if len(there) == 1 else f"device[{number}]"
        device = _part(one, DeviceSection)
        if device is None:
            continue
        yield from _of_device(device, key, None if table is None else table.game)
        if device.name in names:
            yield ConfigMistake(key="device.name", reason=f"two devices have the same name, {device.name!r}")
        names.add(device.name)


def _part(raw: object, kind: type[PartT]) -> PartT | None:
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError:
        return None


def _profile(table: TableSection, options: dict[str, Any], authorisation: list[Authorisation]) -> Table:
    return Table(
        table_id=table.id,
        game=table.game,
        decks=table.decks,
        seats=table.seats,
        equipment=table.equipment,
        options=options,
        authorisations=authorisation,
        pick_up=table.pick_up or UNSET,
    )


def _display(section: DisplaySection | None, folder: Path) -> DisplaySection | None:
    if section is None or section.tls is None:
        return section
    return msgspec.structs.replace(section, tls=section.tls.below(folder))


def _uplink(section: UplinkSection | None, folder: Path) -> UplinkSection | None:
    if section is None:
        return None
    own = None if section.folder is None else str(folder / section.folder)
    return msgspec.structs.replace(section, tls=section.tls.below(folder), folder=own)


def _witnesses(journal: JournalSection) -> list[str]:
    return [journal.witness] if isinstance(journal.witness, str) else journal.witness or []


def _of_currency(table: TableSection) -> Iterator[ConfigMistake]:
    try:
        currency(table.currency)
    except ValueError as error:
        yield ConfigMistake(key="table.currency", reason=str(error))


def _of_persons(persons: StaffSection) -> Iterator[ConfigMistake]:
    try:
        _floor_key(persons)
    except BadNote as error:
        reason = f"{error.reason}; it is the key that `cardshoe floor persons key` prints"
        yield ConfigMistake(key="persons.floor", reason=reason)


def _floor_key(persons: StaffSection | None) -> VerifyKey | None:
    return None if persons is None or persons.floor is None else VerifyKey.parse(persons.floor)


def _of_witnesses(journal: JournalSection) -> Iterator[ConfigMistake]:
    named = _witnesses(journal)
    for place in named:
        if (reason := fault_of(place, journal.witness_tls)) is not None:
            yield ConfigMistake(key="journal.witness", reason=reason)
    if len(set(named)) < len(named):
        yield ConfigMistake(key="journal.witness", reason="the same witness twice")
    if (reason := fault_of_keys(journal.witness_key, named)) is not None:
        yield ConfigMistake(key="journal.witness_key", reason=reason)


def _of_device(device: DeviceSection, key: str, game: str | None) -> Iterator[ConfigMistake]:
    try:
        check_name(device.port)
    except DriverError as error:
        yield ConfigMistake(key=f"{key}.port", reason=f"{error.problem}. {error.remedy}")
    try:
        family = family_named(device.family)
        # A table uses all three.
        line, _, _ = family.part("line"), family.part("make"), family.part("faults", dict)
    except UnknownFamily as error:
        near = near_to(device.family, error.known)
        reason = f"{device.family!r} is unknown; there are {', '.join(error.known)}"
        yield ConfigMistake(key=f"{key}.family", reason=reason + (f"; did you mean {near!r}?" if near else ""))
        return
    except DriverError as error:
        yield ConfigMistake(key=f"{key}.family", reason=f"{error.problem}. {error.remedy}")
        return
    if game is not None and family.games and game not in family.games:
        reason = f"{device.family!r} plays {', '.join(sorted(family.games))} along by itself and deals no {game}"
        yield ConfigMistake(key=f"{key}.family", reason=reason)
    try:
        line(device.settings)
    except BadSetting as error:
        yield ConfigMistake(key=f"{key}.settings", reason=f"{error.problem}. {error.remedy}")
    try:
        allowed_of(device)
    except ValueError as error:
        yield ConfigMistake(key=f"{key}.usb", reason=str(error))
    for reason in _of_commands(device, family):
        yield ConfigMistake(key=f"{key}.commands", reason=reason)


def _of_commands(device: DeviceSection, family: Family) -> Iterator[str]:
    if device.commands and not family.commands:
        yield f"{device.family!r} takes no commands; leave `commands` out"
        return
    acts = [kind.value for kind in family.commands]
    for command in device.commands:
        if command not in acts:
            near = near_to(command, acts)
            meant = f"; did you mean {near!r}?" if near else ""
            yield f"{command!r} is no command; there are {', '.join(acts)}{meant}"
    if {DeviceActionKind.LET_DRAW.value, DeviceActionKind.DISPENSE.value} <= set(device.commands):
        yield "a card is either drawn by hand or dispensed: name one of 'let_draw' and 'dispense'"


def _of_profile(table: Table, text: str) -> Iterator[ConfigMistake]:
    for _ in range(_REFUSALS_MAX):
        opening = Scribe(table).opening.outputs[0]
        if not isinstance(opening, Refused):
            return
        key, line = _key_of(text, opening.detail)
        yield ConfigMistake(key=key, reason=f"{opening.code} ({opening.article}): {opening.detail}", line=line)
        mended = _mended(table, key)
        if mended is None:
            return
        table = mended


def _mended(table: Table, key: str) -> Table | None:
    if key in table.options:
        rest = {name: value for name, value in table.options.items() if name != key}
        return msgspec.structs.replace(table, options=rest)
    usual = tomllib.loads(sample(GAMES[table.game]))["table"]
    if key in {"decks", "seats", "equipment"} and getattr(table, key) != usual[key]:
        return msgspec.structs.replace(table, **{key: usual[key]})
    return None


def _key_of(text: str, detail: str) -> tuple[str, int | None]:
    words = re.findall(r"[a-z_]{4,}", detail)
    for word in words:
        if word in Document.__struct_fields__:
            continue  # "the table has too few seats" is about the seats
        if (line := _line_of(text, word)) is not None:
            return word, line
    return "table", None


def _line_of(text: str, key: str) -> int | None:
    pattern = re.compile(rf"^\s*[\"']?{re.escape(key)}[\"']?\s*=")
    return next((n for n, line in enumerate(text.splitlines(), start=1) if pattern.match(line)), None)


def _of_seat_labels(table: TableSection | None, display: DisplaySection | None) -> Iterator[ConfigMistake]:
    if table is not None and display is not None and len(display.seat_labels) not in (0, table.seats):
        reason = f"names {len(display.seat_labels)} seats, and [table] seats is {table.seats}: give each seat a label"
        yield ConfigMistake(key="display.seat_labels", reason=reason)


_SECTIONS: Final[tuple[tuple[str, type[Any], Callable[[Any], Iterator[ConfigMistake]]], ...]] = (
    ("journal", JournalSection, _of_witnesses),
    ("table", TableSection, _of_currency),
    ("display", DisplaySection, faults_of_display),
    ("uplink", UplinkSection, faults_of_uplink),
    ("persons", StaffSection, _of_persons),
)

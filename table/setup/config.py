"""The configuration of a table: one TOML file, every key explained by ``cardshoe config example``."""

import difflib
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from drivers.errors import BadSetting, DriverError, UnknownFamily
from drivers.port_names import check_name
from firmware_bridge.families import Family, family_named
from firmware_bridge.interlock import ActKind
from regulations.events.inputs import Authorisation, Table
from regulations.events.outputs import Refused
from regulations.events.vocabulary import EquipmentKind, Game
from table.exits import Exit, Stop
from table.log.scribe import Scribe
from table.setup.currency import MOP, Currency, currency
from table.setup.usb_section import UsbSection, allowed_of
from table.witnessing.places import fault_of, fault_of_keys
from table.witnessing.tls import TlsFiles

EXAMPLE_HINT: Final = "`cardshoe config example` shows every key with its meaning."
Words = Annotated[str, Meta(min_length=1)]
_WHERE: Final = re.compile(r"^(?P<reason>.*?)(?: - at `(?P<path>[^`]*)`)?$", re.DOTALL)
_UNKNOWN: Final = re.compile(r"unknown field `(?P<name>[^`]*)`")


class TableSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[table]``: what the table is."""

    id: Words
    game: Game
    decks: int
    seats: int
    equipment: EquipmentKind
    currency: Words = MOP


class JournalSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[journal]``: where journals lie, and their witnesses; relative names start at the configuration's folder."""

    folder: Words
    witness: Words | list[Words] | None = None
    witness_tls: TlsFiles | None = None
    witness_key: dict[str, str] = {}
    metrics: Words | None = None
    sealing_key: Words | None = None


class TerminalSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[terminal]``: how the table is shown where it is typed at."""

    four_colours: bool = False


class TrustSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[trust]``: the site's folder (``cardshoe trust``), by which the devices are judged."""

    folder: Words


class DeviceSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[[device]]``: a device at the table."""

    name: Words
    family: Words
    port: Words
    commands: list[str] = []
    settings: dict[str, Any] = {}
    usb: UsbSection | None = None


class Document(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file."""

    table: TableSection
    journal: JournalSection
    options: dict[str, Any] = {}
    authorisation: list[Authorisation] = []
    trust: TrustSection | None = None
    terminal: TerminalSection = TerminalSection()
    device: list[DeviceSection] = []


class TableConfig(Struct, frozen=True, kw_only=True):
    """A configuration that was read and checked.

    Attributes:
        path: the file.
        table: the profile, without its ``at``.
        journal_dir: the folder of the journals.
        witnesses: where signed notes go: files, relative ones below the configuration's folder, and addresses.
        witness_tls: the certificates for addresses.
        witness_keys: the pinned keys of services, by their addresses.
        metrics: the text file for Prometheus; ``None`` if none is wanted.
        sealing_key: the file of the sealing keys, if it is not where it is looked for without a word.
        trust: the site's folder, by which the devices are judged; ``None``: nobody judges them.
        devices: the devices at the table.
        currency: what lies on the felt, as amounts are typed and shown; journals hold minor units alone.
        four_colours: whether the terminal shows each suit in a colour of its own.
    """

    path: Path
    table: Table
    journal_dir: Path
    witnesses: Sequence[str] = ()
    witness_tls: TlsFiles | None = None
    witness_keys: Mapping[str, str] = {}
    metrics: Path | None = None
    sealing_key: Path | None = None
    trust: Path | None = None
    devices: Sequence[DeviceSection]
    currency: Currency = Currency()
    four_colours: bool = False


class BadConfig(Stop):
    """A configuration that cannot be used.

    Attributes:
        path: the file.
        key: the key in it, ``table.decks``.
        reason: what is wrong there and what was expected.
    """

    def __init__(self, path: Path, key: str, reason: str, line: int | None = None) -> None:
        where = f"{path}, line {line}" if line is not None else str(path)
        subject = f"{where}: {key}" if key else where
        super().__init__(
            f"{subject}: {reason}", "`cardshoe config example` shows every key with its meaning.", Exit.USAGE
        )
        self.path = path
        self.key = key
        self.reason = reason


def load(path: Path, at: str) -> TableConfig:
    """Reads and checks a configuration.

    Args:
        path: the TOML file.
        at: the time at which the profile is to be judged, RFC 3339, UTC: authorisations take effect on a day.

    Raises:
        BadConfig: it names file, key and reason; a refusal of the regulation comes with its article.
    """
    text = _text(path)
    document = _document(path, text)
    for device in document.device:
        _check_device(path, text, device)
    names = [device.name for device in document.device]
    if len(set(names)) < len(names):
        raise BadConfig(path, "device.name", "two devices have the same name", _line_of(text, "name"))
    table = Table(
        table_id=document.table.id,
        game=document.table.game,
        decks=document.table.decks,
        seats=document.table.seats,
        equipment=document.table.equipment,
        options=document.options,
        authorisations=document.authorisation,
    )
    _check_profile(path, text, msgspec.structs.replace(table, at=at))
    for device in document.device:
        game = family_named(device.family).game
        if game not in (None, table.game):
            reason = f"{device.family!r} plays {game} along by itself and deals no {table.game}"
            raise BadConfig(path, "device.family", reason, _line_of(text, "family"))
    return TableConfig(
        path=path,
        table=table,
        journal_dir=path.parent / document.journal.folder,
        witnesses=_witnesses(path, text, document.journal),
        witness_tls=tls.below(path.parent) if (tls := document.journal.witness_tls) is not None else None,
        witness_keys=document.journal.witness_key,
        metrics=path.parent / name if (name := document.journal.metrics) is not None else None,
        sealing_key=None if document.journal.sealing_key is None else path.parent / document.journal.sealing_key,
        trust=None if document.trust is None else path.parent / document.trust.folder,
        devices=document.device,
        currency=_currency(path, text, document.table.currency),
        four_colours=document.terminal.four_colours,
    )


def warnings(config: TableConfig) -> list[str]:
    """What is allowed and yet hardly meant."""
    found = []
    overdrawn = config.table.options.get("overdrawn_card", "burn")
    for device in config.devices:
        family = family_named(device.family)
        if family.game == "baccarat" and overdrawn == "burn":
            found.append(
                f'{config.path}: options.overdrawn_card is "burn", but a shoe of the family {device.family!r} makes '
                'an overdrawn card the first of its next round and will disagree from then on; "next_round" agrees.'
            )
        doubt = family.warning(device.settings)
        if doubt is not None:
            found.append(f"{config.path}: device {device.name!r} {doubt}.")
        if family.equipment not in (None, config.table.equipment):
            found.append(
                f"{config.path}: device {device.name!r} is a {family.equipment}, and the table deals from a "
                f"{config.table.equipment}: until the equipment is changed every card of it is one that is not due."
            )
    if config.devices and config.trust is None:
        found.append(
            f"{config.path}: no [trust]: nobody judges whether the devices are those that the site has enrolled, and "
            "with approved firmware; the log says `not_judged` of each."
        )
    if not config.devices:
        found.append(f"{config.path}: no [[device]]: every card must be entered by hand.")
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise BadConfig(path, "", error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise BadConfig(path, "", f"is not UTF-8 ({error.reason} at byte {error.start})") from error


def _document(path: Path, text: str) -> Document:
    try:
        return msgspec.convert(tomllib.loads(text), Document)
    except tomllib.TOMLDecodeError as error:
        raise BadConfig(path, "", f"is not TOML: {error}") from error
    except RecursionError as error:
        raise BadConfig(path, "", "is nested too deep to be a configuration") from error
    except msgspec.ValidationError as error:
        match = _WHERE.match(str(error))
        reason, place = (match["reason"], match["path"]) if match else (str(error), None)
        key = (place or "$").removeprefix("$").removeprefix(".")
        unknown = _UNKNOWN.search(reason)
        if unknown is not None:
            key = f"{key}.{unknown['name']}".removeprefix(".")
            reason = "no such key" + _nearest(unknown["name"], key)
        line = _line_of(text, key.rsplit(".", 1)[-1])
        raise BadConfig(path, key, reason[:1].lower() + reason[1:], line) from error


def _nearest(name: str, key: str) -> str:
    sections: Mapping[str, type[Struct]] = {
        "table": TableSection,
        "journal": JournalSection,
        "trust": TrustSection,
        "terminal": TerminalSection,
        "device": DeviceSection,
        "authorisation": Authorisation,
    }
    outer = re.sub(r"\[.*?\]", "", key).split(".")[:-1]
    section = UsbSection if outer[1:] == ["usb"] else sections.get(outer[0], Document) if outer else Document
    known = [field.encode_name for field in msgspec.structs.fields(section)]
    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(known)}"


def _currency(path: Path, text: str, code: str) -> Currency:
    try:
        return currency(code)
    except ValueError as error:
        raise BadConfig(path, "table.currency", str(error), _line_of(text, "currency")) from error


def _witnesses(path: Path, text: str, journal: JournalSection) -> list[str]:
    named = [journal.witness] if isinstance(journal.witness, str) else journal.witness or []
    line = _line_of(text, "witness")
    for place in named:
        if (reason := fault_of(place, journal.witness_tls)) is not None:
            raise BadConfig(path, "journal.witness", reason, line)
    if len(set(named)) < len(named):
        raise BadConfig(path, "journal.witness", "the same witness twice", line)
    if (reason := fault_of_keys(journal.witness_key, named)) is not None:
        raise BadConfig(path, "journal.witness_key", reason, _line_of(text, "witness_key"))
    return named


def _check_device(path: Path, text: str, device: DeviceSection) -> None:
    try:
        family = family_named(device.family)
    except UnknownFamily as error:
        line = _line_of(text, "family")
        reason = f"{device.family!r} is unknown; there are {', '.join(error.known)}"
        raise BadConfig(path, "device.family", reason, line) from error
    try:
        check_name(device.port)
    except DriverError as error:
        raise BadConfig(path, "device.port", f"{error.problem}. {error.remedy}", _line_of(text, "port")) from error
    try:
        family.line(device.settings)
    except BadSetting as error:
        line = _line_of(text, "settings")
        raise BadConfig(path, "device.settings", f"{error.problem}. {error.remedy}", line) from error
    try:
        allowed_of(device)
    except ValueError as error:
        raise BadConfig(path, "device.usb", str(error), _line_of(text, "usb")) from error
    _check_commands(path, text, device, family)


def _check_commands(path: Path, text: str, device: DeviceSection, family: Family) -> None:
    line = _line_of(text, "commands")
    if device.commands and not family.commands:
        reason = f"{device.family!r} takes no commands; leave `commands` out"
        raise BadConfig(path, "device.commands", reason, line)
    acts = [kind.value for kind in family.commands]
    for command in device.commands:
        if command not in acts:
            reason = f"{command!r} is no command; there are {', '.join(acts)}"
            raise BadConfig(path, "device.commands", reason, line)
    if {ActKind.LET_DRAW.value, ActKind.DISPENSE.value} <= set(device.commands):
        reason = "a card is either drawn by hand or dispensed: name one of 'let_draw' and 'dispense'"
        raise BadConfig(path, "device.commands", reason, line)


def _check_profile(path: Path, text: str, table: Table) -> None:
    opening = Scribe(table).opening.outputs[0]
    if isinstance(opening, Refused):
        key, line = _key_of(text, opening.detail)
        raise BadConfig(path, key, f"{opening.code} ({opening.article}): {opening.detail}", line)


def _key_of(text: str, detail: str) -> tuple[str, int | None]:
    """The key that a refusal is about, if its words name one."""
    words = re.findall(r"[a-z_]{4,}", detail)
    for word in words:
        if word in Document.__struct_fields__:
            continue  # "the table has too few seats" is about the seats
        if (line := _line_of(text, word)) is not None:
            return word, line
    return "table", None


def _line_of(text: str, key: str) -> int | None:
    name = re.sub(r"\[.*?\]", "", key)
    pattern = re.compile(rf"^\s*(\[+\s*)?[\"']?{re.escape(name)}[\"']?\s*(=|\])")
    return next((n for n, line in enumerate(text.splitlines(), start=1) if pattern.match(line)), None)

"""Common options and answers of ``cardshoe update``."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, wraps
from pathlib import Path
from typing import Any, Final, Self

import click

from cardshoe.cli.answer import JSON, answer
from cardshoe.cli.trust.common import FOLDER, dry_run_option, now
from cardshoe.journal.witness.configured import holder_at
from cardshoe.journal.witness.tasks import Tasks
from cardshoe.process.clock import wall_time
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.log.update_log import UpdateLog, path_of, read_log
from cardshoe.table.setup.admission import memory_of
from cardshoe.table.setup.config import DeviceSection, TableConfig, load
from cardshoe.table.setup.secrets_at_start import check_secrets
from cardshoe.table.setup.table_lock import DeviceFile, UnderWay
from firmware_bridge.admission.trust_memory import TrustMemory
from firmware_bridge.trust.approved.store import Approvals, FirmwareStore
from firmware_bridge.trust.registry import Registry
from firmware_bridge.trust.site import FIRMWARE, Site
from firmware_bridge.update.codes import UpdateCode, resolution_of
from firmware_bridge.update.errors import UpdateRefused
from firmware_bridge.update.machine import UpdateMachine
from firmware_bridge.update.record import UpdateEntry
from firmware_bridge.update.states import UpdateState
from firmware_bridge.update.unsettled import unsettled

FAMILY: Final = "tdp"

_NEXT: Final[dict[UpdateState, tuple[str, str]]] = {
    UpdateState.STAGED: ("you", "stage it again: its file was not verified"),
    UpdateState.VERIFIED: ("two enrolled persons", "cardshoe update authorise, one after the other"),
    UpdateState.AUTHORISED: ("technician", "close the table, turn the device's key to service, cardshoe update run"),
    UpdateState.CLOSED: ("technician", "cardshoe update run"),
    UpdateState.TRANSFERRED: ("technician", "cardshoe update run"),
    UpdateState.TESTING: ("technician", "cardshoe update run"),
    UpdateState.ATTESTED: ("technician", "cardshoe update run: whether the device keeps it, only it can say"),
    UpdateState.REVERTING: ("technician", "cardshoe update run: the device still has to go back"),
    UpdateState.CONFIRMED: ("technician", "turn the key back, start the table"),
    UpdateState.REVERTED: ("technician", "turn the key back: the device runs as before"),
}


@dataclass(frozen=True)
class Place:
    config: TableConfig
    section: DeviceSection
    site: Site
    dry_run: bool
    as_json: bool

    @property
    def device(self) -> str:
        """The device's name."""
        return self.section.name

    @property
    def log_path(self) -> Path:
        return path_of(self.config.journal_dir, self.device)

    def log(self, *, begin: bool = False) -> "Log":
        """The log, open for writing; a dry run discards entries."""
        if not begin and not self.log_path.exists():
            raise UpdateRefused(UpdateCode.NOT_STAGED, f"no update of {self.device} was ever staged")
        if self.dry_run:
            return DryLog(self.log_path)
        tasks = Tasks(lambda _: None)
        tasks.hand_over()  # one thread has the log and asks
        tls = None if self.config.witness_tls is None else self.config.witness_tls.client()
        folder, keys = self.config.path.parent, self.config.witness_keys
        witnesses = [holder_at(place, folder, tls, tasks, keys) for place in self.config.witnesses]
        return UpdateLog(self.log_path, self.config.table.table_id, self.device, wall_time(), witnesses)

    @cached_property
    def seen(self) -> TrustMemory:
        """The table's memory of its site; updates add no entry."""
        return memory_of(self.config, keeps=False)

    @property
    def file(self) -> DeviceFile:
        """The device's file in the site's folder."""
        return DeviceFile(self.site.folder, self.device)

    def must_be_alone(self) -> None:
        said = self.file.read()
        if said is None or self._is_own(said) or not Path(said.log).exists():
            return
        if unsettled(read_log(Path(said.log))) is not None:
            what = f"the update of {self.device} that was begun with {said.config} is not over ({said.log})"
            raise UpdateRefused(UpdateCode.UPDATE_OPEN, what)

    def begin(self) -> None:
        """Record the update in the site's folder, for other tables."""
        if not self.dry_run:
            config, log = self.config.path.resolve(), self.log_path.resolve()
            self.file.write(UnderWay(log=str(log), config=str(config)))

    def settle(self, log: "Log") -> None:
        """Withdraw that record once no update keeps the device off the tables."""
        if self.dry_run or unsettled(log.entries) is not None:
            return
        said = self.file.read()
        if said is not None and self._is_own(said):
            self.file.write(None)

    def _is_own(self, said: UnderWay) -> bool:
        return Path(said.log) == self.log_path.resolve()

    def registry(self) -> Registry:
        """The registry, read again; never older than the table has seen."""
        self.seen.check_clock(now())
        return self.site.registry(self.seen.head)

    def approvals(self) -> Approvals:
        """The approved firmware, verified again; never older than the table has seen."""
        anchor = self.registry().book.anchor
        found = FirmwareStore(self.site.folder / FIRMWARE, anchor).load(now(), remember=not self.dry_run)
        self.seen.check_list(anchor, found.version)
        return found

    def tell(self, machine: UpdateMachine, more: Sequence[str] = (), **data: object) -> None:
        """Print progress, next step and role."""
        found = facts(machine)
        answer([*lines(machine), *more], {**found, **data}, as_json=self.as_json, dry_run=self.dry_run)


class DryLog:
    first_key: Final = None

    def __init__(self, path: Path) -> None:
        self.entries: Final = list(read_log(path))

    def record(self, entry: UpdateEntry) -> None:
        """Keep an entry until the command ends."""
        self.entries.append(entry)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """No file is open."""


Log = UpdateLog | DryLog


def at_device(command: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(command)
    def wrapped(  # the options that all have, and the command's own
        *, config: Path, device: str, site_folder: Path | None, dry_run: bool, as_json: bool, **given: object
    ) -> Any:  # noqa: ANN401  # click's own signature
        table = load(config, wall_time())
        section = next((one for one in table.devices if one.name == device), None)
        if section is None:
            names = ", ".join(one.name for one in table.devices) or "none"
            raise Stop(f"{config} has no device {device!r}", f"There are: {names}.", Exit.USAGE)
        if section.family != FAMILY:
            what = f"{device} is a device of the family {section.family}, which cannot attest what it runs"
            raise Stop(what, "Have it updated as its maker says, and admitted again by two persons.", Exit.USAGE)
        check_secrets(table)
        site = Site(_site_of(table, site_folder), dry_run=dry_run)
        return command(place=Place(table, section, site, dry_run, as_json), **given)

    for decorate in (
        JSON,
        dry_run_option,
        click.option(
            "--site",
            "site_folder",
            type=FOLDER,
            envvar="CARDSHOE_SITE",
            help="The site's folder (CARDSHOE_SITE); without it that of [trust] in CONFIG.",
        ),
        click.argument("device"),
        click.argument("config", type=click.Path(dir_okay=False, path_type=Path)),
    ):
        wrapped = decorate(wrapped)
    return wrapped


def _site_of(table: TableConfig, given: Path | None) -> Path:
    folder = given or table.trust
    if folder is None:
        raise Stop(
            f"{table.path} has no [trust], and no --site is given: nothing tells which site enrolled the devices",
            "Give --site, or name the site's folder in [trust].",
            Exit.USAGE,
        )
    return folder


def clock() -> datetime:
    return datetime.now(UTC)


def open_machine(log: Log, say: Callable[[UpdateEntry], object] | None = None) -> UpdateMachine:
    def record(entry: UpdateEntry) -> None:
        log.record(entry)
        if say is not None:
            say(entry)

    return UpdateMachine(log.entries, record, clock)


def facts(machine: UpdateMachine) -> dict[str, object]:
    who, what = following(machine)
    return {
        "device": machine.update.name,
        "state": machine.state,
        "code": machine.code,
        "detail": machine.detail if machine.code else "",
        "who": who,
        "next": what,
        "update": machine.update,
        "approval": machine.approval,
    }


def lines(machine: UpdateMachine) -> list[str]:
    update = machine.update
    said = [
        f"{update.name} ({update.unit}): firmware {update.version}, security counter {update.security_counter}",
        f"    image {update.image_digest}",
        f"    {machine.state}",
    ]
    if machine.code:
        said[-1] += f": {machine.detail} [{machine.code}]"
    if machine.approval is not None:
        said.append(f"    approved by {' and '.join(machine.approval.by)}, {machine.approval.at}")
    who, what = following(machine)
    return [*said, f"    next: {who}: {what}"]


def following(machine: UpdateMachine) -> tuple[str, str]:
    found = resolution_of(machine.code) if machine.code else None
    if found is not None and (machine.is_over or machine.state not in _NEXT):
        return found.who, found.remedy
    return _NEXT.get(machine.state, ("you", "there is nothing to do"))

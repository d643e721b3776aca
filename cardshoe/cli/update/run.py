"""``cardshoe update run``: the update on a closed table."""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from cardshoe.cli.completing import ports
from cardshoe.cli.echo import echo
from cardshoe.cli.trust.common import now
from cardshoe.cli.update.common import Place, at_device, open_machine
from cardshoe.cli.update.prepare import image_of
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.log.table_journal import why_open
from cardshoe.table.setup.table_lock import at_work
from drivers.discovery import port_maker
from drivers.tdp_settings import TdpSettings
from firmware_bridge.trust.errors import FirmwareRefused
from firmware_bridge.trust.site import read_revoked
from firmware_bridge.update import staging
from firmware_bridge.update.attester import PATIENCE_S, TdpAttester
from firmware_bridge.update.errors import UpdateRefused
from firmware_bridge.update.machine import UpdateMachine
from firmware_bridge.update.observations import ObservationEvaluator
from firmware_bridge.update.record import UpdateEntry
from firmware_bridge.update.states import UpdateState

if TYPE_CHECKING:
    from firmware_bridge.trust.approved.store import Approvals

_BEFORE = (UpdateState.STAGED, UpdateState.VERIFIED, UpdateState.AUTHORISED)


@click.command("run")
@at_device
@click.option(
    "--service", required=True, metavar="PORT", shell_complete=ports, help="The device's service port: a stable name."
)
@click.option(
    "--patience",
    "patience_s",
    type=click.FloatRange(min=1),
    default=PATIENCE_S,
    show_default=True,
    metavar="SECONDS",
    help="How long a device may be away before it counts as gone.",
)
def run_command(service: str, patience_s: float, place: Place) -> None:
    """Do the update, or continue one that was stopped.

    With --dry-run all is checked that can be, the device included.
    """
    try:
        _run(service, patience_s, place)
    except KeyboardInterrupt as stopped:
        raise Stop(
            f"stopped from the keyboard: the update of {place.device} is not over",
            "Leave the device as it is, and give the same command again: it checks the device, and continues. "
            "To give the update up: `cardshoe update cancel`, then the same command.",
            Exit.FAILURE,
        ) from stopped


def _run(service: str, patience_s: float, place: Place) -> None:
    # What speaks SMP takes long to load, and no other command needs it.
    from firmware_bridge.update.service import PATIENCE_S as SERVICE_PATIENCE_S
    from firmware_bridge.update.service import SmpService

    settings = TdpSettings.from_mapping(place.section.settings)
    port = SmpService(port_maker(service, settings.line), patience_s=min(patience_s, SERVICE_PATIENCE_S))
    with place.log() as log, contextlib.ExitStack() as held:
        machine = open_machine(log, None if place.as_json else _say)
        if machine.is_over:
            place.settle(log)
            _end(machine, place)
            return
        registry = place.registry()
        approvals, image = _firmware(place, machine)
        opened = held.enter_context(_apart(place))
        place.must_be_alone()
        if machine.state in _BEFORE and approvals is not None and image is not None:
            staging.verify(machine, approvals, image)
            if machine.state is UpdateState.VERIFIED:
                staging.authorise(machine, registry, now())
            staging.close_table(machine, registry, opened, now())
        else:
            staging.go_on(machine, registry, opened, now())
        place.begin()
        least = place.seen.counter(machine.update.unit)
        judge = ObservationEvaluator(machine.update, registry, approvals, read_revoked(place.site.folder), least)
        with TdpAttester(place.section.port, place.section.settings, patience_s) as attester:
            if place.dry_run:
                seen = machine.observe(judge, port, attester)
                place.tell(machine, [f"    seen: {seen.trigger}: {seen.detail}"], seen=seen.trigger, found=seen.detail)
                return
            machine.run(judge, port, attester, image)
        place.settle(log)
        _end(machine, place)


@contextlib.contextmanager
def _apart(place: Place) -> Iterator[str | None]:
    journals, table_id = place.config.journal_dir, place.config.table.table_id
    opened = why_open(journals, table_id)
    if opened is not None or place.dry_run:
        yield opened
        return
    with at_work(journals, table_id, updates=True), place.file.locked():
        yield why_open(journals, table_id)


def _firmware(place: Place, machine: UpdateMachine) -> "tuple[Approvals | None, bytes | None]":
    try:
        approvals = place.approvals()
        listed = approvals.of_version(machine.update.version, machine.update.model)
        # A version that means another file by now is not the one that was approved here.
        is_same = machine.state in _BEFORE or listed.sha256 == machine.update.file
        return approvals, image_of(place, listed.image) if is_same else None
    except FirmwareRefused as refused:
        if machine.state in _BEFORE:
            raise
        echo(f"cardshoe: {refused.what} [{refused.code}]: nothing is sent, and nothing kept", err=True)
        return None, None


def _say(entry: UpdateEntry) -> None:
    act = f", now {entry.act}" if entry.act else ""
    echo(f"{entry.at}  {entry.state}: {entry.trigger}{act}{f' [{entry.code}]' if entry.code else ''}", err=True)


def _end(machine: UpdateMachine, place: Place) -> None:
    place.tell(machine)
    if machine.state is not UpdateState.CONFIRMED:
        raise UpdateRefused(machine.code, f"the update of {place.device} is {machine.state}: {machine.detail}")

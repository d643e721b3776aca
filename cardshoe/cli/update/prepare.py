"""Preparation of an update: stage, authorise, cancel, show."""

from pathlib import Path
from typing import Final

import click

from cardshoe.cli.echo import echo
from cardshoe.cli.trust.common import confirm, key_option, now, passphrase_option, person
from cardshoe.cli.trust.enrolment import described
from cardshoe.cli.update.common import DryLog, Place, at_device, clock, open_machine
from cardshoe.table.log.update_log import read_log
from firmware_bridge.trust.acts import EnrolDevice
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import ActRefused
from firmware_bridge.trust.files import read
from firmware_bridge.trust.site import find_proposal
from firmware_bridge.update import staging
from firmware_bridge.update.codes import UpdateCode
from firmware_bridge.update.errors import UpdateRefused
from firmware_bridge.update.states import UpdateState, UpdateTrigger

_IMAGE_BYTES_MAX: Final = 16 << 20


@click.command("stage", short_help="Name the firmware for a device and verify its file")
@at_device
@click.argument("version")
def stage_command(version: str, place: Place) -> None:
    """Name the firmware VERSION for DEVICE of CONFIG (a table.toml); its file is verified."""
    registry, approvals = place.registry(), place.approvals()
    enrolled = next((one.matter for one in registry.book.current() if one.matter.name == place.device), None)
    listed = approvals.of_version(version, enrolled.model if isinstance(enrolled, EnrolDevice) else None)
    update = staging.plan(read_log(place.log_path), registry, place.device, listed)
    image = image_of(place, listed.image)
    # A file that does not fit is no beginning of an update.
    staging.check_file(update, approvals, image)
    with place.log(begin=True) as log:
        noted = [] if log.entries or log.first_key is None else [f"first key of its log, to be noted: {log.first_key}"]
        machine = staging.stage(update, log.entries, log.record, clock)
        staging.verify(machine, approvals, image)
        place.tell(machine, noted)


@click.command("authorise", short_help="Approve the staged update, as one of two persons")
@at_device
@click.argument("proposal_id", metavar="[ID]", required=False)
@key_option
@passphrase_option
@click.option("--yes", is_flag=True, help="Do not ask for confirmation; for programs.")
def authorise_command(
    proposal_id: str | None, key_file: Path, passphrase_file: Path | None, *, yes: bool, place: Place
) -> None:
    """Approve the staged update: the first person without ID, another one with the ID shown to the first."""
    with place.log() as log:
        machine = open_machine(log)
        if machine.state is not UpdateState.VERIFIED:
            raise UpdateRefused(UpdateCode.NOT_NOW, f"the update of {place.device} is {machine.state}")
        if not place.as_json:
            for line in described(machine.update):
                echo(line, err=True)
        confirm(f"Approve this update of {place.device}?", yes=yes)
        by = person(key_file, passphrase_file)
        if proposal_id is None:
            found = place.site.propose(machine.update, by, now())
            said = f"proposed by {by.name}, for another person until {found.proposed.until}:"
            how = f"    cardshoe update authorise {place.config.path} {place.device} {found.id} --key THEIR.key"
            place.tell(machine, [said, how], proposal=found.id, by=by.name)
            return
        shown = find_proposal(place.registry(), proposal_id)
        if shown.proposed.matter != machine.update:
            raise ActRefused(TrustCode.CHANGED_PROPOSAL, f"{proposal_id} is not the staged update")
        place.site.approve(shown, by, now())
        if not place.dry_run:
            staging.authorise(machine, place.registry(), now())
        place.tell(machine, by=by.name)


@click.command("cancel", short_help="Cancel the update")
@at_device
@click.option("--by", required=True, help="The person who cancels it.")
@click.option("--reason", required=True, help="The reason, for later readers.")
def cancel_command(by: str, reason: str, place: Place) -> None:
    """Cancel the update; one that the device has, it gives up at the next `run`."""
    with place.log() as log:
        machine = open_machine(log)
        machine.fire(UpdateTrigger.CANCEL, by=by, detail=f"cancelled by {by}: {reason}")
        place.settle(log)
        place.tell(machine)


@click.command("status", short_help="Show the newest update's state and next step")
@at_device
def status_command(place: Place) -> None:
    """Say how far the newest update is, how it came there, what is next, and who does it."""
    machine = open_machine(DryLog(place.log_path))
    history = [
        f"    {one.at}  {one.state:<12} {one.trigger}{f', then {one.act}' if one.act else ''}"
        f"{f' [{one.code}]' if one.code else ''}{f': {one.detail}' if one.detail else ''}"
        for one in machine.entries
    ]
    place.tell(machine, history, entries=machine.entries, over=machine.is_over)


def image_of(place: Place, image: Path | None) -> bytes:
    if image is None:
        raise UpdateRefused(TrustCode.FIRMWARE_UNAPPROVED, f"the firmware for {place.device} is not approved")
    return read(image, _IMAGE_BYTES_MAX)

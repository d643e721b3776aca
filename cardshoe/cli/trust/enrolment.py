"""``cardshoe trust enrol``: two-person enrolment."""

import hashlib
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from cardshoe.cli.echo import echo
from cardshoe.cli.group import Subgroup
from cardshoe.cli.trust.common import FILE, Acting, acting, authority, authority_option, confirm, now
from cardshoe.process.exits import Exit, Stop

if TYPE_CHECKING:
    from firmware_bridge.trust.acts import Matter

minutes_option = click.option(
    "--valid-for",
    "minutes",
    type=click.IntRange(1, 24 * 60),
    default=15,
    metavar="MINUTES",
    help="Minutes that it waits (15).",
)


@click.group("enrol", cls=Subgroup, short_help="Enrol devices and persons by two persons' decision")
def enrol_group() -> None:
    """Acts of two persons: one proposes, the other approves the very same content in time."""


@enrol_group.command("propose")
@click.option(
    "--csr", type=FILE, required=True, help="The device's certificate request, PEM, from its service interface."
)
@click.option("--name", required=True, help="The device's name in a table's file: small letters, digits, hyphens.")
@click.option("--maker", required=True, help="As the device says it.")
@click.option("--model", required=True, help="As the device says it.")
@click.option("--serial", required=True, help="As the device reports it, and as printed on its housing.")
@click.option("--usb", metavar="VVVV:PPPP", help="Its USB vendor and product, if it has them.")
@click.option("--port-path", default="", metavar="1-2.3", help="The USB socket that it must be in, with --usb.")
@minutes_option
@acting
def propose_command(*, csr: Path, usb: str | None, port_path: str, minutes: int, acting: Acting, **device: str) -> None:
    """Propose a device that has a key of its own."""
    from firmware_bridge.trust import certificates, files, keys

    key = certificates.key_in_request(files.read(csr))
    given: dict[str, object] = {"kind": "enrol", **device}
    if usb is not None:
        vendor, _, product = usb.lower().partition(":")
        given["usb"] = {"vendor": vendor, "product": product, "port_path": port_path}
    _propose({**given, "key": keys.to_text(keys.public_bytes(key))}, minutes, acting)


@enrol_group.command("admit", short_help="Propose a device without cryptography")
@click.option("--name", required=True, help="The device's name in a table's file.")
@click.option("--family", required=True, help="Its device family, as in the configuration.")
@click.option("--port", required=True, help="The stable name of its port, as in the table's file.")
@click.option("--maker", required=True, help="As on its plate.")
@click.option("--model", required=True, help="As on its plate.")
@click.option("--serial", required=True, help="As on its plate.")
@click.option("--reason", required=True, help="The reason why this house takes the risk.")
@minutes_option
@acting
def admit_command(*, minutes: int, acting: Acting, **device: str) -> None:
    """Propose a device without cryptography: it is trusted by its name, and nothing shows that it is still that one."""
    _propose({"kind": "admit", **device}, minutes, acting)


@enrol_group.command("person")
@click.argument("name")
@click.argument("public", metavar="FILE.pub", type=FILE)
@minutes_option
@acting
def person_command(name: str, public: Path, minutes: int, acting: Acting) -> None:
    """Propose one more person who may act."""
    from firmware_bridge.trust import keys

    key = keys.to_text(keys.public_bytes(keys.load_public(public)))
    _propose({"kind": "person", "name": name, "key": key}, minutes, acting)


@enrol_group.command("anchor", short_help="Propose the first root of approved firmware")
@click.argument("root", type=FILE)
@minutes_option
@acting
def anchor_command(root: Path, minutes: int, acting: Acting) -> None:
    """Propose ROOT (a 1.root.json) as that from which approved firmware is verified.

    Compare the digest that is printed with the one that the regulator publishes; on paper, not on the stick.
    """
    from firmware_bridge.trust import files

    digest = hashlib.sha256(files.read(root)).hexdigest()
    _propose({"kind": "anchor", "root": digest}, minutes, acting)


@enrol_group.command("renewal", short_help="Propose to renew the registry")
@click.option(
    "--registry-days",
    type=click.IntRange(1, 400),
    help="How long the registry counts after an approval of two persons (as before; at first 90).",
)
@click.option(
    "--grace-days",
    type=click.IntRange(0, 60),
    help="How long the list of the revoked counts after a newer one is due (as before; at first 7).",
)
@minutes_option
@acting
def renewal_command(*, registry_days: int | None, grace_days: int | None, minutes: int, acting: Acting) -> None:
    """Propose to renew the registry: this one is the newest, and no revocation is missing."""
    terms = acting.site().registry().book.terms
    days = {
        "registry_days": terms.registry_days if registry_days is None else registry_days,
        "grace_days": terms.grace_days if grace_days is None else grace_days,
    }
    _propose({"kind": "renewal", **days}, minutes, acting)


@enrol_group.command("approve", short_help="Approve what another person proposed")
@click.argument("proposal_id", metavar="ID")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation; for programs.")
@authority_option
@acting
def approve_command(proposal_id: str, *, yes: bool, authority_passphrase_file: Path | None, acting: Acting) -> None:
    """Approve what another person proposed; ID is the one shown to that person: number and content."""
    from firmware_bridge.trust.acts import EnrolDevice
    from firmware_bridge.trust.site import find_proposal

    site = acting.site()
    found = find_proposal(site.registry(), proposal_id)
    matter = found.proposed.matter
    for one in described(matter):
        echo(one, err=True)
    confirm(f"Approve this proposal of {found.line.by}?", yes=yes)
    by = acting.person()
    issuer = authority(site, authority_passphrase_file) if isinstance(matter, EnrolDevice) else None
    line = site.approve(found, by, now(), issuer)
    lines = [f"approved by {by.name}, proposed by {found.line.by}: {described(matter)[0]}"]
    if isinstance(matter, EnrolDevice) and not acting.dry_run:
        lines.append(f"`cardshoe trust show {matter.name} --pem` prints its certificate, for its service interface.")
    acting.answer(lines, {"approved": proposal_id, "line": line.seq, "by": by.name, "matter": matter})


@enrol_group.command("withdraw")
@click.argument("proposal_id", metavar="ID")
@acting
def withdraw_command(proposal_id: str, *, acting: Acting) -> None:
    """Take a proposal off the table; any person may."""
    line = acting.site().withdraw(proposal_id, acting.person(), now())
    data = {"withdrawn": proposal_id, "line": line.seq, "by": line.by}
    acting.answer([f"{proposal_id} is withdrawn by {line.by}"], data)


def described(matter: "Matter") -> list[str]:
    from firmware_bridge.trust import keys
    from firmware_bridge.trust.acts import AdmitDevice, Anchor, EnrolDevice, Renewal, Update

    if isinstance(matter, Update):
        first = f"the update of {matter.name} to {matter.version}, security counter {matter.security_counter}"
        return [first, f"    device  {matter.unit}", f"    image   sha256 {matter.image_digest}"]
    if isinstance(matter, Renewal):
        first = f"the registry counts for {matter.registry_days} days after this and each later approval"
        return [first, f"    grace   {matter.grace_days} days for the list of the revoked"]
    if isinstance(matter, Anchor):
        return ["the root of the approved firmware", f"    sha256  {matter.root}"]
    if isinstance(matter, AdmitDevice):
        lines = [f"the device {matter.name}, without cryptography: {matter.unit}"]
        return [*lines, f"    family  {matter.family} at {matter.port}", f"    reason  {matter.reason}"]
    key = keys.fingerprint(keys.from_text(matter.key))
    if not isinstance(matter, EnrolDevice):
        return [f"the person {matter.name}", f"    key     sha256 {key}"]
    lines = [f"the device {matter.name}: {matter.unit}", f"    key     sha256 {key}"]
    if matter.usb is not None:
        socket = f" in socket {matter.usb.port_path}" if matter.usb.port_path else ""
        lines.append(f"    usb     {matter.usb.vendor}:{matter.usb.product}{socket}")
    return lines


def _propose(given: dict[str, object], minutes: int, acting: Acting) -> None:
    from firmware_bridge.trust.acts import Matter

    try:
        matter = msgspec.convert(given, Matter)
    except msgspec.ValidationError as error:
        raise Stop(
            f"the proposal is not possible: {error}", "`--help` says what each option takes.", Exit.USAGE
        ) from error
    by = acting.person()
    found = acting.site().propose(matter, by, now(), timedelta(minutes=minutes))
    lines = [
        *described(matter),
        f"proposed by {by.name}, for another person to approve until {found.proposed.until}:",
        f"    cardshoe trust enrol approve {found.id} --key THEIR.key",
    ]
    acting.answer(lines, {"proposal": found.id, "by": by.name, "until": found.proposed.until, "matter": matter})

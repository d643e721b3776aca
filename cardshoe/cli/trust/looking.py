"""``cardshoe trust list``, ``show``, ``verify``."""

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardshoe.cli.answer import JSON, answer
from cardshoe.cli.echo import echo
from cardshoe.cli.trust.common import now, site_option
from cardshoe.process.exits import Exit, Stop

if TYPE_CHECKING:
    from firmware_bridge.trust.registry_rules import EnrolledDevice


@click.command("list")
@site_option
@JSON
def list_command(site_folder: Path, *, as_json: bool) -> None:
    """List devices, persons and what waits to be approved."""
    from cardshoe.cli.trust.enrolment import described
    from firmware_bridge.trust import keys
    from firmware_bridge.trust.site import Site
    from firmware_bridge.trust.times import format_time

    registry = Site(site_folder).registry()
    book = registry.book
    people = {name: keys.fingerprint(keys.public_bytes(key)) for name, key in book.persons.items()}
    lines = [
        f"site {book.site}, head {registry.head}",
        f"counts until {book.expires:%Y-%m-%d}: {book.terms.registry_days} days after the last approval",
    ]
    lines += [f"  {name:<20} may act, key sha256 {digest}" for name, digest in people.items()]
    if book.former:
        lines.append("no longer: " + ", ".join(book.former))
    lines += [f"  {one.matter.name:<20} {one.matter.unit}  {_state(one)}" for one in book.devices] or ["no devices"]
    for waiting in book.proposals.values():
        until = waiting.proposed.until
        lines.append(f"waits until {until}: {waiting.id} by {waiting.line.by}: {described(waiting.proposed.matter)[0]}")
    lines.append(f"approved firmware is anchored at {book.anchor}" if book.anchor else "no root of approved firmware")
    data = {
        "site": book.site,
        "head": str(registry.head),
        "persons": [{"name": name, "key_sha256": digest} for name, digest in people.items()],
        "former_persons": list(book.former),
        "devices": [_data(one) for one in book.devices],
        "proposals": [
            {"id": one.id, "by": one.line.by, "until": one.proposed.until, "matter": one.proposed.matter}
            for one in book.proposals.values()
        ],
        "anchor": book.anchor,
        "until": format_time(book.expires),
        "terms": book.terms,
    }
    answer(lines, data, as_json=as_json)


@click.command("show", short_help="Show one device: who enrolled it, its certificate")
@click.argument("name")
@click.option("--pem", "as_pem", is_flag=True, help="Print the device's certificate alone.")
@site_option
@JSON
def show_command(name: str, site_folder: Path, *, as_pem: bool, as_json: bool) -> None:
    """Show one device: who enrolled it, its certificate, whether it was revoked."""
    from cryptography.hazmat.primitives.serialization import Encoding

    from firmware_bridge.trust import certificates, keys
    from firmware_bridge.trust.site import Site

    found = Site(site_folder).registry().book.by_name(name)
    if found is None:
        raise Stop(
            f"no device {name} in {site_folder}", "`cardshoe trust list` names those that there are.", Exit.USAGE
        )
    lines = [
        f"{name}: {found.matter.unit}",
        f"    {_state(found)}",
        f"    line {found.seq} of the registry, {found.at}",
    ]
    if not found.certificate:
        if as_pem:
            raise Stop(f"{name} has no certificate", "It was admitted without cryptography.", Exit.USAGE)
        lines.append("    it cannot attest: on its line nothing shows that it is this device")
    else:
        certificate = certificates.parse(found.certificate, name)
        if as_pem:
            echo(*certificate.public_bytes(Encoding.PEM).split(b"\n"), nl=False)
            return
        lines += [
            f"    certificate {certificate.serial_number:x}, valid until {certificate.not_valid_after_utc:%Y-%m-%d}",
            f"    key sha256 {keys.fingerprint(keys.public_bytes(certificates.key_of(certificate)))}",
        ]
    answer(lines, _data(found), as_json=as_json)


@click.command("verify", short_help="Verify the registry and the list of the revoked")
@click.option("--head", "head_text", metavar="SEQ:DIGEST", help="A former head: the registry must hold this line.")
@site_option
@JSON
def verify_command(head_text: str | None, site_folder: Path, *, as_json: bool) -> None:
    """Verify the registry from its first line on, and the list of the revoked against it.

    Without --head it is not seen whether its end was cut off.
    """
    from firmware_bridge.trust import certificates, files
    from firmware_bridge.trust.codes import RESOLUTIONS, TrustCode
    from firmware_bridge.trust.facts import RegistryHead
    from firmware_bridge.trust.site import CRL, Site, revoked_serials
    from firmware_bridge.trust.times import format_time

    try:
        seen = None if head_text is None else RegistryHead.parse(head_text)
    except ValueError as error:
        raise Stop(f"--head: {error}", "Give it as `cardshoe trust list` printed it.", Exit.USAGE) from error
    site = Site(site_folder)
    registry = site.registry(seen)
    found = certificates.revoked_list(files.read(site_folder / CRL), site.authority)
    listed, expires = found.serials, registry.book.expires
    ends = found.until + timedelta(days=registry.book.terms.grace_days)
    missing = revoked_serials(registry).keys() - listed
    lines = [
        f"{site_folder}: {registry.head.seq} lines, whole, each by who may",
        f"head {registry.head}",
        "the head that was given is in it" if seen else "no head was asked for: a cut-off end is not seen",
        f"revoked.pem holds {len(listed)} and lacks {len(missing)}",
        f"the registry counts until {expires:%Y-%m-%d}, revoked.pem until {ends:%Y-%m-%d}",
    ]
    data = {
        "lines": registry.head.seq,
        "head": str(registry.head),
        "listed": len(listed),
        "not_listed": len(missing),
        "registry_until": format_time(expires),
        "list_until": format_time(ends),
    }
    answer(lines, data, as_json=as_json)
    if missing:
        what = f"revoked.pem lacks {len(missing)} of the revoked"
        raise Stop(what, "Write it again: `cardshoe trust crl`, and bring it to the tables.", Exit.FAILURE)
    for name, until, code in (
        ("the registry", expires, TrustCode.REGISTRY_EXPIRED),
        ("revoked.pem", ends, TrustCode.REVOKED_LIST_EXPIRED),
    ):
        if now() > until:
            who, remedy = RESOLUTIONS[code]
            raise Stop(f"{name} counted until {until:%Y-%m-%d} [{code}]", f"{who}: {remedy}", Exit.FAILURE)
    until = site.authority.not_valid_after_utc
    if now() > until:
        what = f"the authority's certificate ended on {until:%Y-%m-%d}"
        raise Stop(what, "Make a new site, and enrol its devices there.", Exit.FAILURE)


def _state(device: "EnrolledDevice") -> str:
    if device.revoked is not None:
        return f"revoked by {device.revoked.by} on {device.revoked.at}: {device.reason}"
    kind = "enrolled" if device.certificate else "admitted without cryptography"
    return f"{kind} by {device.proposed_by} and {device.approved_by}"


def _data(device: "EnrolledDevice") -> dict[str, object]:
    return {
        "matter": device.matter,
        "line": device.seq,
        "at": device.at,
        "proposed_by": device.proposed_by,
        "approved_by": device.approved_by,
        "attests": bool(device.certificate),
        "revoked": None
        if device.revoked is None
        else {"by": device.revoked.by, "at": device.revoked.at, "reason": device.reason},
    }

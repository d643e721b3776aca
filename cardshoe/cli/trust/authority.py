"""``cardshoe trust key``, ``init``, ``host``, ``server``, ``revoke``, ``crl``."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardshoe.cli.answer import JSON, answer
from cardshoe.cli.trust.common import (
    FILE,
    FOLDER,
    Acting,
    acting,
    authority,
    authority_option,
    dry_run_option,
    now,
    passphrase,
    site_option,
)
from cardshoe.process.exits import Exit, Stop

if TYPE_CHECKING:
    from firmware_bridge.trust.keys import PublicKey
    from firmware_bridge.trust.site import Site


@click.command("key", short_help="Make a key for a person or a signer of firmware")
@click.argument("file", type=FILE)
@click.option("--name", required=True, help="The owner of the key: small letters, digits, hyphens.")
@click.option("--passphrase-file", type=FILE, help="The new passphrase, in a file of mode 0600; asked for without it.")
@JSON
def key_command(file: Path, name: str, passphrase_file: Path | None, *, as_json: bool) -> None:
    """Make a key for a person or a signer of firmware: FILE, and beside it the public half, .pub."""
    from firmware_bridge.trust.keys import fingerprint, make_key, public_bytes

    made = make_key(file, name, passphrase(passphrase_file, f"New passphrase of {name}", is_new=True))
    digest, public = fingerprint(public_bytes(made.private.public_key())), file.with_suffix(".pub")
    lines = [
        f"{file}: the private key of {name}, under a passphrase. Keep it where {name} alone has it.",
        f"{public}: the public half, for the site; sha256 {digest}",
    ]
    answer(lines, {"name": name, "file": str(file), "public": str(public), "sha256": digest}, as_json=as_json)


@click.command("init", short_help="Make a site: authority, registry, first persons")
@click.argument("folder", type=FOLDER)
@click.option("--name", required=True, help="The name of the site, for display.")
@click.option("--person", "people", multiple=True, metavar="NAME=FILE.pub", help="A person who may act; two or more.")
@authority_option
@dry_run_option
@JSON
def init_command(
    folder: Path,
    name: str,
    people: Sequence[str],
    *,
    authority_passphrase_file: Path | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Make a site: its authority, its registry with the first persons, an empty list of the revoked."""
    from firmware_bridge.trust.site import found_site

    text = passphrase(authority_passphrase_file, "New passphrase of the site authority", is_new=True)
    registry = found_site(folder, name, named_keys(people), text, now(), dry_run=dry_run)
    lines = [
        f"{folder}: the site {name}, with {', '.join(registry.book.persons)}",
        f"head {registry.head}",
        "Note the head elsewhere, and give each table authority.pem. Keep authority.key off the tables.",
    ]
    data = {"site": name, "persons": list(registry.book.persons), "head": str(registry.head)}
    answer(lines, data, as_json=as_json, dry_run=dry_run)


@click.command("host", short_help="Make key and certificate of a table's computer")
@click.argument("name")
@click.option("--out", type=FOLDER, default=Path(), help="The folder for NAME.key and NAME.pem (default: here).")
@site_option
@authority_option
@dry_run_option
@JSON
def host_command(
    name: str, out: Path, site_folder: Path, *, authority_passphrase_file: Path | None, dry_run: bool, as_json: bool
) -> None:
    """Make the key and the certificate of a table's computer, by which devices know it."""
    from firmware_bridge.trust.site import Site

    site = Site(site_folder, dry_run=dry_run)
    certificate = site.make_host(name, authority(site, authority_passphrase_file), out, now())
    until = f"{certificate.not_valid_after_utc:%Y-%m-%d}"
    lines = [
        f"{out / name}.pem, valid until {until}; {out / name}.key, mode 0600, no passphrase: a table starts by itself.",
        f'In the table\'s file: certificate = "{name}.pem", key = "{name}.key", authority = "authority.pem"',
    ]
    data = {"certificate": str(out / f"{name}.pem"), "key": str(out / f"{name}.key"), "until": until}
    answer(lines, data, as_json=as_json, dry_run=dry_run)


@click.command("server", short_help="Make key and certificate of a service elsewhere")
@click.argument("name")
@click.option(
    "--address", "addresses", multiple=True, required=True, help="The address for tables: a DNS name, an IP address."
)
@click.option("--out", type=FOLDER, default=Path(), help="The folder for NAME.key and NAME.pem (default: here).")
@site_option
@authority_option
@dry_run_option
@JSON
def server_command(
    name: str,
    addresses: Sequence[str],
    out: Path,
    site_folder: Path,
    *,
    authority_passphrase_file: Path | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Make the key and the certificate of a service on another machine, such as a witness."""
    from firmware_bridge.trust.site import Site

    site = Site(site_folder, dry_run=dry_run)
    certificate = site.make_server(name, addresses, authority(site, authority_passphrase_file), out, now())
    until = f"{certificate.not_valid_after_utc:%Y-%m-%d}"
    lines = [
        f"{out / name}.pem, valid until {until}; {out / name}.key, mode 0600, no passphrase: it starts by itself.",
        f"For a witness: --tls-cert {name}.pem --tls-key {name}.key --client-ca authority.pem --client-crl revoked.pem",
    ]
    data = {"certificate": str(out / f"{name}.pem"), "key": str(out / f"{name}.key"), "until": until}
    answer(lines, data, as_json=as_json, dry_run=dry_run)


@click.command("revoke", short_help="Revoke a device, a person or a certificate")
@click.argument("name")
@click.option("--reason", required=True, help="The reason, for later readers.")
@click.option("--person", "is_person", is_flag=True, help="NAME is a person, not a device.")
@click.option("--certificate", "is_file", is_flag=True, help="NAME is a file: a certificate of `host` or `server`.")
@authority_option
@acting
def revoke_command(
    name: str,
    reason: str,
    *,
    is_person: bool,
    is_file: bool,
    authority_passphrase_file: Path | None,
    acting: Acting,
) -> None:
    """Revoke a device, a person, or a certificate of `host` or `server`. One person is enough: it opens nothing.

    With the authority's passphrase in a file, the list of the revoked is written as well.
    """
    if is_person and is_file:
        raise Stop("--person and --certificate exclude each other", "Give one of them.", Exit.USAGE)
    site = acting.site()
    what = "person" if is_person else "certificate" if is_file else "device"
    line = site.revoke(what, _serial(name, site) if is_file else name, reason, acting.person(), now())
    lines = [f"{name} is revoked by {line.by}: {reason}", f"line {line.seq} of {acting.site_folder}/registry.jsonl"]
    is_listed = authority_passphrase_file is not None and not is_person
    if is_listed:
        site.write_crl(authority(site, authority_passphrase_file), now())
        lines.append("revoked.pem is written: bring it and the registry to the tables.")
    elif not is_person:
        lines.append("Bring the registry to the tables now. `cardshoe trust crl` writes revoked.pem.")
    acting.answer(lines, {"revoked": name, "kind": what, "line": line.seq, "by": line.by, "listed": is_listed})


@click.command("crl", short_help="Write the list of revoked certificates")
@site_option
@authority_option
@dry_run_option
@JSON
def crl_command(site_folder: Path, *, authority_passphrase_file: Path | None, dry_run: bool, as_json: bool) -> None:
    """Write the list of revoked certificates (revoked.pem), as the registry has them. Repeat it every month."""
    from firmware_bridge.trust.certificates import CRL_DAYS
    from firmware_bridge.trust.site import Site

    site = Site(site_folder, dry_run=dry_run)
    count = site.write_crl(authority(site, authority_passphrase_file), now())
    lines = [
        f"{site_folder / 'revoked.pem'}: {count} revoked",
        f"It counts for {CRL_DAYS} days, and the site's days of grace: bring it to the tables.",
    ]
    answer(lines, {"revoked": count}, as_json=as_json, dry_run=dry_run)


def _serial(file: str, site: "Site") -> str:
    from firmware_bridge.trust.certificates import is_issued_by
    from firmware_bridge.trust.site import read_certificate

    certificate = read_certificate(Path(file))
    if not is_issued_by(certificate, site.authority):
        raise Stop(f"{file}: not of this site's authority", "Name a certificate that this site has made.", Exit.USAGE)
    return f"{certificate.serial_number:x}"


def named_keys(given: Sequence[str]) -> "dict[str, PublicKey]":
    found: dict[str, PublicKey] = {}
    for name, key in keys_with_names(given):
        if name in found:
            raise Stop(f"{name} is named twice", "Give each person a name of their own.", Exit.USAGE)
        found[name] = key
    return found


def keys_with_names(given: Sequence[str]) -> "Iterator[tuple[str, PublicKey]]":
    from firmware_bridge.trust.keys import load_public

    for one in given:
        name, sign, file = one.partition("=")
        if not (sign and name and file):
            raise Stop(f"{one!r} has no name or no file", "Give NAME=FILE.pub.", Exit.USAGE)
        yield name, load_public(Path(file))

"""``cardshoe trust firmware``: import and request, by casino, makers and regulator."""

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardshoe.cli.answer import JSON, answer
from cardshoe.cli.group import Subgroup
from cardshoe.cli.trust.authority import keys_with_names, named_keys
from cardshoe.cli.trust.common import (
    FILE,
    FOLDER,
    dry_run_option,
    key_option,
    now,
    passphrase_option,
    person,
    site_option,
)
from cardshoe.process.exits import Exit, Stop

if TYPE_CHECKING:
    from firmware_bridge.trust.approved.publishing import Publication
    from firmware_bridge.trust.approved.store import Approvals, FirmwareStore, SignedFirmware
    from firmware_bridge.trust.keys import NamedKey, PublicKey


@click.group("firmware", cls=Subgroup, short_help="Take, look at and publish approved firmware")
def firmware_group() -> None:
    """Approved firmware: signed by its maker's threshold and by the regulator.

    A house uses import, list and check. Makers, the regulator and their publishers use begin, add, approve,
    withdraw, sign and publish.
    """


# --- a house ----------------------------------------------------------------------------------------------------------


@firmware_group.command("import", short_help="Take approved firmware from a stick")
@click.argument("stick", type=FOLDER)
@site_option
@dry_run_option
@JSON
def import_command(stick: Path, site_folder: Path, *, dry_run: bool, as_json: bool) -> None:
    """Take what the folder STICK brings, if all of it holds; else nothing of it."""
    _answer(_store(site_folder).import_from(stick, now(), dry_run=dry_run), as_json=as_json, dry_run=dry_run)


@firmware_group.command("list", short_help="List what is approved, and what waits for whom")
@site_option
@JSON
def list_command(site_folder: Path, *, as_json: bool) -> None:
    """List the firmware that is approved, and what waits for whom; all of it is verified again."""
    _answer(_store(site_folder).load(now(), remember=False), as_json=as_json)


@firmware_group.command("check")
@click.argument("what", metavar="VERSION|FILE")
@click.option("--model", help="The device's model, where two have firmware of that version.")
@site_option
@JSON
def check_command(what: str, model: str | None, site_folder: Path, *, as_json: bool) -> None:
    """Say whether a version, or a file, is approved."""
    found = _store(site_folder).load(now(), remember=False)
    entry = found.of_file(Path(what)) if Path(what).is_file() else found.of_version(what, model)
    one = entry.firmware
    lines = [
        f"{one}: approved by its maker and the regulator",
        f"    image digest {one.image_digest}, security counter {one.security_counter}",
        f"    file {entry.length} bytes, sha256 {entry.sha256}",
    ]
    answer(lines, _data(entry), as_json=as_json)


# --- makers, the regulator, the publisher -----------------------------------------------------------------------------


def publishing(command: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(command)
    def wrapped(*, repository: Path, **given: object) -> None:
        from firmware_bridge.trust.approved.publishing import Publication

        command(Publication(repository), **given)

    return click.argument("repository", type=FOLDER)(JSON(wrapped))


@firmware_group.command("begin")
@publishing
@click.option(
    "--root",
    "roots",
    multiple=True,
    metavar="NAME=FILE.pub",
    help="A root key (.pub); the root keys name the others. Two or more.",
)
@click.option("--publisher", type=FILE, required=True, help="The publisher's key (.pub), which signs the newest list.")
@click.option("--maker", "makers", multiple=True, metavar="MAKER=FILE.pub", help="A maker's key; two or more for each.")
@click.option("--regulator", "regulators", multiple=True, type=FILE, required=True, help="The regulator's key (.pub).")
def begin_command(
    publication: "Publication",
    roots: Sequence[str],
    publisher: Path,
    makers: Sequence[str],
    regulators: Sequence[Path],
    *,
    as_json: bool,
) -> None:
    """Draft root and lists: who signs what. Run again to change that."""
    from firmware_bridge.trust.approved.publishing import KeyHolders
    from firmware_bridge.trust.keys import load_public

    held: dict[str, list[PublicKey]] = {}
    for name, key in keys_with_names(makers):
        held.setdefault(name, []).append(key)
    people = list(named_keys(roots).values())
    holders = KeyHolders(people, load_public(publisher), held, [load_public(one) for one in regulators])
    publication.begin(holders, now())
    _say_drafts(publication, as_json=as_json)


@firmware_group.command("add", short_help="Draft a maker's list with one more firmware")
@publishing
@click.argument("image", type=FILE)
@click.option("--maker", required=True, help="As the device says it; so are model and version.")
@click.option("--model", required=True)
@click.option("--version", required=True)
def add_command(publication: "Publication", image: Path, *, as_json: bool, **said: str) -> None:
    """Draft a maker's list with one more firmware; its digest and security counter are those in IMAGE."""
    import msgspec

    from firmware_bridge.trust import files
    from firmware_bridge.trust.approved.firmware import IMAGE_BYTES_MAX, Firmware
    from firmware_bridge.trust.approved.images import facts

    digest, counter = facts(files.read(image, IMAGE_BYTES_MAX), str(image))
    try:
        firmware = msgspec.convert({**said, "security_counter": counter, "image_digest": digest}, Firmware)
    except msgspec.ValidationError as error:
        raise Stop(
            f"this firmware is not possible: {error}", "`--help` says what each option takes.", Exit.USAGE
        ) from error
    added = publication.add(image, firmware, now())
    drafts = publication.drafts()
    answer([added, f"drafts to sign: {', '.join(drafts)}"], {"added": added, "drafts": list(drafts)}, as_json=as_json)


@firmware_group.command("approve", short_help="Draft the regulator's list with one firmware more")
@publishing
@click.argument("path")
def approve_command(publication: "Publication", path: str, *, as_json: bool) -> None:
    """Draft the regulator's list with what a maker lists under PATH."""
    publication.approve(path, now())
    _say_drafts(publication, as_json=as_json)


@firmware_group.command("withdraw", short_help="Draft the regulator's list with one firmware less")
@publishing
@click.argument("path")
def withdraw_command(publication: "Publication", path: str, *, as_json: bool) -> None:
    """Draft the regulator's list without PATH: it is approved no more."""
    publication.withdraw(path, now())
    _say_drafts(publication, as_json=as_json)


@firmware_group.command("sign", short_help="Put a signature under a draft")
@publishing
@click.argument("role")
@key_option
@passphrase_option
def sign_command(
    publication: "Publication", role: str, key_file: Path, passphrase_file: Path | None, *, as_json: bool
) -> None:
    """Put your signature under the draft of ROLE: root, targets, maker-NAME or regulator."""
    if role not in publication.drafts():
        drafts = ", ".join(publication.drafts()) or "none"
        raise Stop(f"{publication.folder} has no draft of {role}", f"There are: {drafts}.", Exit.USAGE)
    publication.sign(role, _who_counts(publication, role, key_file, passphrase_file))
    answer([f"{role}: signed with {key_file}"], {"signed": role, "key": str(key_file)}, as_json=as_json)


@firmware_group.command("publish", short_help="Publish all drafts that are signed")
@publishing
@key_option
@passphrase_option
def publish_command(publication: "Publication", key_file: Path, passphrase_file: Path | None, *, as_json: bool) -> None:
    """Publish all drafts, if each has its signatures, with the publisher's key; then copy REPOSITORY to a stick."""
    key = _who_counts(publication, "timestamp", key_file, passphrase_file)
    published = publication.publish(key, now())
    root = publication.root_digest()
    lines = [
        f"published: {', '.join(published) or 'nothing new'}; copy metadata and targets to the stick",
        f"root to anchor: sha256 {root}",
    ]
    answer(lines, {"published": list(published), "root_sha256": root}, as_json=as_json)


def _who_counts(publication: "Publication", role: str, key_file: Path, passphrase_file: Path | None) -> "NamedKey":
    key = person(key_file, passphrase_file)
    if not publication.counts(role, key):
        remedy = "Sign with a key that `cardshoe trust firmware begin` named for it. Nothing was signed."
        raise Stop(f"{key_file}: its signature does not count for {role}", remedy, Exit.USAGE)
    return key


def _say_drafts(publication: "Publication", *, as_json: bool) -> None:
    drafts = publication.drafts()
    answer([f"drafts to sign: {', '.join(drafts)}"], {"drafts": list(drafts)}, as_json=as_json)


def _store(site_folder: Path) -> "FirmwareStore":
    from firmware_bridge.trust.approved.store import FirmwareStore
    from firmware_bridge.trust.site import FIRMWARE, Site

    return FirmwareStore(site_folder / FIRMWARE, Site(site_folder).registry().book.anchor)


def _answer(found: "Approvals", *, as_json: bool, dry_run: bool = False) -> None:
    from firmware_bridge.trust.codes import RESOLUTIONS, TrustCode

    lines = []
    for one in found.entries:
        firmware = one.firmware
        state = "approved" if one.code is TrustCode.OK else f"{one.code}; {RESOLUTIONS[one.code].who}"
        lines.append(f"  {firmware!s:<36} counter {firmware.security_counter:<4} {state}")
    lines = lines or ["no firmware is listed"]
    lines.append(f"version {found.version} of the list, good until {found.expires:%Y-%m-%d %H:%M} UTC")
    data = {
        "firmware": [_data(one) for one in found.entries],
        "version": found.version,
        "expires": found.expires,
    }
    answer(lines, data, as_json=as_json, dry_run=dry_run)


def _data(entry: "SignedFirmware") -> dict[str, object]:
    return {
        "firmware": entry.firmware,
        "code": entry.code.value,
        "sha256": entry.sha256,
        "length": entry.length,
        "image": None if entry.image is None else str(entry.image),
    }

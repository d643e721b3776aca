"""Common options and answers of ``cardshoe trust``."""

import dataclasses
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cardshoe.cli.answer import JSON, answer
from cardshoe.process.exits import Exit, Stop

if TYPE_CHECKING:
    from firmware_bridge.trust.certificates import Issuer
    from firmware_bridge.trust.keys import NamedKey
    from firmware_bridge.trust.site import Site

FILE: Final = click.Path(dir_okay=False, path_type=Path)
FOLDER: Final = click.Path(file_okay=False, path_type=Path)

site_option = click.option(
    "--site",
    "site_folder",
    type=FOLDER,
    required=True,
    envvar="CARDSHOE_SITE",
    help="The site's folder (CARDSHOE_SITE).",
)
dry_run_option = click.option("--dry-run", is_flag=True, help="Show what would be done, and write nothing.")
key_option = click.option("--key", "key_file", type=FILE, required=True, help="Your own key file.")
passphrase_option = click.option(
    "--passphrase-file", type=FILE, help="The passphrase of that key, in a file of mode 0600; asked for without it."
)
authority_option = click.option(
    "--authority-passphrase-file",
    type=FILE,
    help="The authority's passphrase, in a file of mode 0600; asked for without it.",
)


@dataclass(frozen=True, slots=True)
class Acting:
    site_folder: Path
    key_file: Path
    passphrase_file: Path | None
    dry_run: bool
    as_json: bool

    def site(self) -> "Site":
        """The site."""
        from firmware_bridge.trust.site import Site

        return Site(self.site_folder, dry_run=self.dry_run)

    def person(self) -> "NamedKey":
        """The person's key; asks for its passphrase."""
        return person(self.key_file, self.passphrase_file)

    def answer(self, lines: list[str], data: object) -> None:
        """Print the result."""
        answer(lines, data, as_json=self.as_json, dry_run=self.dry_run)


def acting(command: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(command)
    def wrapped(**given: Any) -> Any:  # noqa: ANN401  click's own signature
        taken = {field.name: given.pop(field.name) for field in dataclasses.fields(Acting)}
        return command(acting=Acting(**taken), **given)

    for option in (JSON, dry_run_option, passphrase_option, key_option, site_option):
        wrapped = option(wrapped)
    return wrapped


def now() -> datetime:
    return datetime.now(UTC)


def person(key_file: Path, passphrase_file: Path | None) -> "NamedKey":
    from firmware_bridge.trust.keys import load_key

    return load_key(key_file, passphrase(passphrase_file, f"Passphrase of {key_file}"))


def authority(site: "Site", passphrase_file: Path | None) -> "Issuer":
    return site.issuer(passphrase(passphrase_file, "Passphrase of the site authority"))


def passphrase(file: Path | None, prompt: str, *, is_new: bool = False) -> str:
    from firmware_bridge.trust.keys import check_passphrase, passphrase_in

    if file is not None:
        text = passphrase_in(file)
    elif sys.stdin.isatty():
        text = str(click.prompt(prompt, hide_input=True, confirmation_prompt=is_new, err=True))
    else:
        option = "--authority-passphrase-file" if "authority" in prompt else "--passphrase-file"
        remedy = f"Name a file of mode 0600 with {option}, or run this at a terminal."
        raise Stop(f"{prompt}: there is no terminal to ask at", remedy, Exit.USAGE)
    if is_new:
        check_passphrase(text)
    return text


def confirm(question: str, *, yes: bool) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise Stop(f"{question}: there is no terminal to ask at", "Run this at a terminal, or say --yes.", Exit.USAGE)
    if not click.confirm(question, err=True):
        raise Stop("not approved", "Nothing was written.", Exit.FAILURE)

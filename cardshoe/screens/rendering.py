"""Pages as HTML: the environment of their templates, and what a rendered part of one carries."""

import hashlib
from datetime import UTC, datetime, timedelta
from importlib import resources
from importlib.metadata import version
from typing import Final

import jinja2
from msgspec import Struct

from cardshoe.process.free_text import page_text

MACAU: Final = timedelta(hours=8)
"""Macau is eight hours before UTC the whole year, and has no summer time."""
_HASH_DIGITS: Final = 12


class Part(Struct, frozen=True):
    """The content of a page after a line.

    Attributes:
        id: LOG:SEQ.
        event: for the page's script, as it goes to all who look.
        html: the inside of its ``<main>``.
    """

    id: str
    event: bytes
    html: str


def macau_time(at: str) -> str:
    """The time of Macau of a moment of the log, to the second."""
    if not at:
        return ""
    return (datetime.fromisoformat(at).astimezone(UTC) + MACAU).strftime("%H:%M:%S")


def macau_moment(at: str) -> str:
    """Date and time of Macau of a moment of the log, to the second."""
    return (datetime.fromisoformat(at).astimezone(UTC) + MACAU).strftime("%Y-%m-%d %H:%M:%S") if at else ""


def environment_of(*packages: str) -> jinja2.Environment:
    """Make the environment for templates of packages: it escapes each value; a missing one is an error.

    Args:
        packages: in which a template is looked for, one after the other.
    """
    return jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.PackageLoader(package) for package in packages]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=harmless,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def harmless(value: object) -> object:
    """A value as a template prints it: text that is not markup of ours by `page_text`."""
    return page_text(value) if type(value) is str else value


def build_of(settings: bytes, *packages: str) -> str:
    """Another one if anything is another that a page is made of.

    Args:
        settings: of the pages.
        packages: with their templates, scripts, styles and translations.
    """
    digest = hashlib.sha256(version("cardshoe").encode() + settings)
    for package in packages:
        for below in ("templates", "static", "locale/pt/LC_MESSAGES", "locale/zh_Hant/LC_MESSAGES"):
            if (folder := resources.files(package) / below).is_dir():
                for file in sorted(folder.iterdir(), key=lambda one: one.name):
                    digest.update(file.read_bytes())
    return digest.hexdigest()[:_HASH_DIGITS]

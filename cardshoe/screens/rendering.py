"""Pages as HTML: template environment and rendered parts."""

import hashlib
from datetime import UTC, datetime, timedelta
from importlib import resources
from importlib.metadata import version
from types import CodeType
from typing import Final

import jinja2
from jinja2.bccache import Bucket
from msgspec import Struct

from cardshoe.process.free_text import page_text

MACAU: Final = timedelta(hours=8)
"""No summer time."""
_HASH_DIGITS: Final = 12


class Part(Struct, frozen=True):
    """A page after a line.

    Attributes:
        id: LOG:SEQ.
        event: for the page's script.
        html: inside of ``<main>``.
    """

    id: str
    event: bytes
    html: str


class _CompiledTemplates(jinja2.BytecodeCache):
    def __init__(self) -> None:
        self._known: Final[dict[tuple[str, str], CodeType]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._known.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._known[bucket.key, bucket.checksum] = bucket.code


_COMPILED: Final = _CompiledTemplates()
"""A display has an environment for each language: to compile their templates again for each took 0.3 s of CPU."""


def macau_time(at: str) -> str:
    if not at:
        return ""
    return (datetime.fromisoformat(at).astimezone(UTC) + MACAU).strftime("%H:%M:%S")


def macau_moment(at: str) -> str:
    return (datetime.fromisoformat(at).astimezone(UTC) + MACAU).strftime("%Y-%m-%d %H:%M:%S") if at else ""


def environment_of(*packages: str) -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.PackageLoader(package) for package in packages]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=harmless,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=_COMPILED,
    )


def harmless(value: object) -> object:
    return page_text(value) if type(value) is str else value


def build_of(settings: bytes, *packages: str) -> str:
    digest = hashlib.sha256(version("cardshoe").encode() + settings)
    for package in packages:
        for below in ("templates", "static", "locale/pt/LC_MESSAGES", "locale/zh_Hant/LC_MESSAGES"):
            if (folder := resources.files(package) / below).is_dir():
                for file in sorted(folder.iterdir(), key=lambda one: one.name):
                    digest.update(file.read_bytes())
    return digest.hexdigest()[:_HASH_DIGITS]

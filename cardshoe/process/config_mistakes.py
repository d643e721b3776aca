"""Faults in the form of a configuration."""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, get_args, get_origin

import msgspec
from msgspec import Struct

_HEADER: Final = re.compile(r"^\s*(\[\[?)\s*([^\[\]]+?)\s*\]")
_KEY: Final = re.compile(r"^\s*([\w\"'.-]+?)\s*=")
_WHERE: Final = re.compile(r"^(?P<reason>.*?)(?: - at `\$(?P<path>[^`]*)`)?$", re.DOTALL)
_ENUM: Final = "Invalid enum value"


class ConfigMistake(Struct, frozen=True, kw_only=True):
    """A mistake in a configuration.

    Attributes:
        key: ``table.decks`` or ``device[1].port``; empty: the whole file.
        line: from 1; ``None``: missing key.
    """

    key: str
    reason: str
    line: int | None = None


class KeyLines:
    def __init__(self, text: str) -> None:
        self._found: dict[str, int] = {}
        section, counts = "", dict[str, int]()
        for number, line in enumerate(text.splitlines(), start=1):
            if header := _HEADER.match(line):
                section = _bare(header[2])
                if header[1] == "[[":
                    counts[section] = counts.get(section, -1) + 1
                    section = f"{section}[{counts[section]}]"
                else:
                    outer, _, rest = section.partition(".")
                    section = f"{outer}[{counts[outer]}].{rest}" if rest and outer in counts else section
                self._found.setdefault(section, number)
            elif key := _KEY.match(line):
                self._found.setdefault(f"{section}.{_bare(key[1])}".removeprefix("."), number)

    def of(self, key: str) -> int | None:
        """The line of a key, or of the nearest one around it."""
        while key:
            if (line := self._found.get(key) or self._found.get(re.sub(r"^(\w+)(?=\.|$)", r"\1[0]", key))) is not None:
                return line
            key = key.rpartition(".")[0]
        return None


def faults_of_form(raw: object, kind: type[Struct], key: str = "") -> Iterator[ConfigMistake]:
    """Unknown, missing and mistyped keys; without lines."""
    if not isinstance(raw, Mapping):
        yield ConfigMistake(key=key, reason=f"expected a table, got {_named(raw)}")
        return
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    meant = {name: near_to(name, list(fields)) for name in raw if name not in fields}
    for name in raw:
        below = f"{key}.{name}".removeprefix(".")
        if name in meant:
            yield ConfigMistake(key=below, reason="no such key" + hint_near(meant[name], list(fields)))
        else:
            yield from _of_value(raw[name], fields[name].type, below)
    for name, field in fields.items():
        if field.required and name not in raw and name not in meant.values():
            yield ConfigMistake(key=key, reason=f"object missing required field `{name}`")


def near_to(name: str, known: Sequence[str]) -> str | None:
    """The most similar known name; ``None``: none."""
    return next(iter(difflib.get_close_matches(name, known, n=1)), None)


def hint_near(near: str | None, known: Sequence[str]) -> str:
    return f"; did you mean {near!r}?" if near is not None else f"; there are {', '.join(known)}"


def _of_value(raw: object, kind: Any, key: str) -> Iterator[ConfigMistake]:  # noqa: ANN401  any annotation of a field
    kinds = [kind, *get_args(kind)]
    table = next((one for one in kinds if isinstance(one, type) and issubclass(one, Struct)), None)
    if table is not None and get_origin(kind) is list and isinstance(raw, list):
        for number, one in enumerate(raw):
            yield from faults_of_form(one, table, f"{key}[{number}]")
    elif table is not None and get_origin(kind) is not list:
        yield from faults_of_form(raw, table, key)
    else:
        try:
            msgspec.convert(raw, kind)
        except msgspec.ValidationError as error:
            found = _WHERE.match(str(error))
            reason, path = (found["reason"], found["path"] or "") if found else (str(error), "")
            if reason.startswith(_ENUM) and isinstance(raw, str):
                known = [str(one) for one in get_args(kind)]
                near = near_to(raw, known)
                reason += f"; there are {', '.join(known)}" + (f"; did you mean {near!r}?" if near else "")
            yield ConfigMistake(key=f"{key}{path}", reason=reason[:1].lower() + reason[1:])


def _named(raw: object) -> str:
    return {str: "a text", bool: "true or false", int: "a number", float: "a number", list: "a list"}.get(
        type(raw), "a date or a time"
    )


def _bare(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))

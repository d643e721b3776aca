"""The reference of the table log as Markdown: `python -m tools.fields`.

Meanings come from the structs' docstrings.
"""

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, get_args

import msgspec

from regulations.events import vocabulary
from regulations.events.cards import DECK
from regulations.events.codec import INPUTS
from regulations.events.line import DeviceReport, Input, Line
from regulations.events.origins import ALLOWED_ORIGINS
from regulations.events.outputs import AnyOutput
from regulations.events.results import Result
from regulations.games.registry import SHEETS

_SHARED: Final = (Line, Input, DeviceReport)
COMMON: Final[Mapping[str, str]] = {
    "action": "one of the `actions` of the irregularity, or a decision of the game",
    "bet": "a bet of the game",
    "by": "ids of the people who authorise it, or did; two for dual approval",
    "card": "the card; `null`: not read, or face down",
    "cards": "the cards, in dealing order",
    "cut_card": "whether it reports the cut card",
    "detail": "text for people, which may change",
    "device": "name of the device",
    "firmware": "version of its firmware",
    "game": "name of the game",
    "hand": "number of the hand on the seat, from 1",
    "id": "number of the bettor on the seat, from 1",
    "irregularity": "number of the irregularity in its log, from 1",
    "maker": "its maker",
    "model": "its model",
    "outcome": "how it ended",
    "person": "id of the person",
    "position": "number of the card in the hand, from 1",
    "reason": "reason in words",
    "seat": "number of the seat, from 1",
    "seats": "the seats that are dealt cards",
    "security_counter": "security counter of its firmware",
    "serial": "its serial number",
    "table_id": "name of the table",
    "to": "whose hand the card goes to",
    "wagers": "one entry for each wager",
    "who": "whose hand; with `seat`: which",
    "witness": "name of the witness",
}
"""Default meaning of a field, for structs whose docstring gives none."""
_ENTRY: Final = re.compile(r"^ {4}(\w+): +(.*(?:\n {8,}.*)*)", re.MULTILINE)


def field_reference() -> str:
    return "\n".join(_lines()) + "\n"


def without_meaning() -> Iterator[str]:
    for kind in _kinds():
        yield from (f"{kind.__name__}.{path}" for path, _, meaning in _rows(kind) if not meaning)
    for name, (_, values) in word_lists().items():
        yield from (f"{name}.{word}" for word in get_args(getattr(vocabulary, name)) if not values.get(word))


@cache
def word_lists() -> Mapping[str, tuple[str, Mapping[str, str]]]:
    body = ast.parse(Path(vocabulary.__file__).read_text(encoding="utf-8")).body
    found = {}
    for before, node in pairwise(body):
        match before, node:
            case ast.Assign(targets=[ast.Name(id=name)]), ast.Expr(value=ast.Constant(value=str(text))):
                summary, _, values = text.partition("\nValues:\n")
                if values:
                    found[name] = (_one_line(summary), _entries(values))
    return found


def _kinds() -> Iterator[Any]:
    yield from _SHARED
    yield from INPUTS.values()
    yield from (kind for kind in get_args(AnyOutput) if kind is not Result)
    yield from (sheet.result for sheet in SHEETS.values())


def _lines() -> Iterator[str]:
    yield from ("", "## Reference of events", "", "A field in brackets may be left out.", "")
    yield from ("### Fields of every line", "", *_table([row for kind in _SHARED for row in _rows(kind)]))
    for tag, kind in INPUTS.items():
        origins = ", ".join(f"`{origin}`" for origin in ALLOWED_ORIGINS[tag])
        yield from (f"### Input `{tag}`", "", f"{_prose(kind)} Origin: {origins}.", "", *_table(list(_rows(kind))))
    for output in get_args(AnyOutput):
        if output is not Result:
            tag = output.__struct_config__.tag
            yield from (f"### Output `{tag}`", "", _prose(output), "", *_table(list(_rows(output))))
    for name, sheet in SHEETS.items():
        yield from (f"### Output `result` of {name}", "", _prose(sheet.result), "", *_table(list(_rows(sheet.result))))
        bets = ", ".join(f"`{bet}`" for bet in sorted(sheet.bets.all))
        choices = ", ".join(f"`{choice.name}`" for choice in sheet.choices) or "none"
        yield from (f"Bets: {bets}. Decisions: {choices}.", "")
    for name, (summary, values) in word_lists().items():
        yield from (f"### Values of {name}", "", summary, "")
        yield from _table([(word, "", values[word]) for word in get_args(getattr(vocabulary, name))])


def _prose(kind: type) -> str:
    return _marked(_one_line((inspect.getdoc(kind) or "").partition("Attributes:")[0]))


def _rows(kind: Any, prefix: str = "") -> Iterator[tuple[str, str, str]]:  # noqa: ANN401  a struct type, whichever
    bases = [base for base in _SHARED if base is not kind and issubclass(kind, base)]
    hidden = {name for base in bases for name in base.__struct_fields__}
    meanings = dict(COMMON)
    for base in reversed(kind.__mro__):
        summary, _, attributes = inspect.cleandoc(base.__doc__ or "").partition("Attributes:")
        mention = _marked(_one_line(summary)).removesuffix(".") if prefix else "see above"
        meanings |= dict.fromkeys(re.findall(r"``(\w+)``", summary), mention) | _entries(attributes)
    info: Any = msgspec.inspect.type_info(kind)
    for field in info.fields:
        name = field.encode_name
        if name in hidden and name not in kind.__annotations__:
            continue
        path = f"{prefix}{name}"
        said = _type(field.type)
        if isinstance(field.default, bool | int | str):
            said += f"; if absent `{msgspec.json.encode(field.default).decode()}`"
        yield (path if field.required else f"[{path}]", said, meanings.get(name, ""))
        for below, many in _structs(field.type, ""):
            yield from _rows(below, f"{path}{many}.")


def _structs(one: Any, many: str) -> Iterator[tuple[Any, str]]:  # noqa: ANN401  a type of msgspec, whichever
    match one:
        case msgspec.inspect.StructType(cls=below):
            yield below, many
        case msgspec.inspect.ListType(item_type=item):
            yield from _structs(item, "[]")
        case msgspec.inspect.UnionType(types=types):
            for each in types:
                yield from _structs(each, many)


def _type(one: Any) -> str:  # noqa: ANN401  a type of msgspec, whichever
    match one:
        case msgspec.inspect.Metadata(type=inner):
            return _type(inner)
        case msgspec.inspect.LiteralType(values=values):
            return _words(values)
        case msgspec.inspect.IntType(ge=least, le=most) | msgspec.inspect.FloatType(ge=least, le=most):
            return "number" if least is None else f"{least:,.0f} to {most:,.0f}"
        case msgspec.inspect.StrType(max_length=most, pattern=pattern):
            return "name" if pattern else "text" if most is None else f"text, {most} characters"
        case msgspec.inspect.ListType(item_type=item, max_length=most):
            return f"list of {_type(item)}" if most is None else f"list of {_type(item)} ({most} at most)"
        case msgspec.inspect.UnionType(types=types):
            return " or ".join(_type(each) for each in types)
    return _PLAIN[type(one)]


_PLAIN: Final[Mapping[type, str]] = {
    msgspec.inspect.BoolType: "`true` or `false`",
    msgspec.inspect.NoneType: "`null`",
    msgspec.inspect.AnyType: "any",
    msgspec.inspect.DictType: "object",
    msgspec.inspect.StructType: "object",
}


def _words(values: tuple[Any, ...]) -> str:
    if set(values) == set(DECK):
        return "card"
    listed = [name for name in word_lists() if set(get_args(getattr(vocabulary, name))) == set(values)]
    return f"[{listed[0]}](#values-of-{listed[0].lower()})" if listed else ", ".join(f"`{one}`" for one in values)


def _entries(section: str) -> dict[str, str]:
    return {name: _marked(_one_line(text)).removesuffix(".") for name, text in _ENTRY.findall(section)}


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _marked(text: str) -> str:
    return re.sub(r":\w+:`~?([^`]*)`", r"`\1`", text).replace("``", "`").replace("`None`", "`null`")


def _table(rows: list[tuple[str, str, str]]) -> Iterator[str]:
    if not rows:
        return
    typed = any(kind for _, kind, _ in rows)
    yield from ("| field | type | meaning |", "|---|---|---|") if typed else ("| value | meaning |", "|---|---|")
    for name, kind, meaning in rows:
        cells = [f"`{name}`", *([kind] if typed else []), meaning]
        yield f"| {' | '.join(cells)} |"
    yield ""


if __name__ == "__main__":
    sys.stdout.write(field_reference())

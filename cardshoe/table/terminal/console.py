"""Typed input: a table log event as JSON, fields, or a short form.

Fields: event name, then ``key=value`` or values in order; lists with commas, persons also after ``by``.
"""

import re
from typing import Any, Final, Literal, get_args, get_origin

import msgspec
from msgspec import UNSET

from cardshoe.process.free_text import terminal_text
from cardshoe.table.terminal.examples import example_of
from cardshoe.table.terminal.input_context import Situation
from cardshoe.table.terminal.short_forms import expand, take_persons
from cardshoe.table.terminal.typed_cards import typed_card
from firmware_bridge.interlock import DeviceAction, DeviceActionKind
from regulations.events.codec import INPUTS, decode_input
from regulations.events.errors import MalformedLine, WrongOrigin
from regulations.events.inputs import AnyInput
from regulations.events.line import DeviceReport, Input
from regulations.events.origins import ALLOWED_ORIGINS, check_name, check_origin

_WORD: Final = re.compile(r"""(?:[^\s"'\[{]|"(?:\\.|[^"\\])*+(?:"|\\?\Z)|'[^']*'|\[[^\[\]]*\]|\{[^{}]*\}|['\[{])+""")
"""A word; quotes, brackets and braces enclose spaces. An unclosed quote is one word, against quadratic time."""
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
"""``str.isdigit`` accepts ², which ``int`` rejects."""
ACTS: Final = {
    kind.value: kind for kind in (DeviceActionKind.CLEAR_ERROR, DeviceActionKind.SHUFFLE, DeviceActionKind.EJECT)
}
UNSAID: Final[dict[str, dict[str, Any]]] = {"bets_closed": {"wagers": []}}
CARD: Final = "a card is its rank, A 2 to 10 J Q K, and its suit, S H D C or ♠ ♥ ♦ ♣: 10H is the ten of hearts"
OF_CARDS: Final = frozenset({"card", "cards"})
_NO_VALUE: Final = re.compile(r"invalid enum value '(?P<value>.*)'", re.DOTALL)
_MISSING: Final = re.compile(r"object missing required field `(?P<name>.*)`")
HEAD: Final = frozenset(field.name for field in msgspec.structs.fields(DeviceReport))
_OTHERS: Final = {
    "device": "Only the device reports this. Check the device and its line; the last prompt has the options.",
    "table": "The table writes it itself.",
}


class NotForPersons(MalformedLine):
    def __init__(self, field: str, reason: str, remedy: str) -> None:
        super().__init__(field, reason)
        self.remedy = remedy


def parse(line: str, now: Situation | None = None) -> AnyInput | DeviceAction:
    """Parse a typed line into an input, or an act: ``clear_error N``, ``shuffle``, ``eject``.

    Raises:
        NotForPersons: only a device or the table may send it.
        MalformedLine: names the expected form.
    """
    text = line.strip()
    if text.startswith("{"):
        return _persons(decode_input(text))
    words = _WORD.findall(text)
    if not words:
        raise MalformedLine("$", "type an event, or `help`")
    if words[0] in ACTS:
        return _act(ACTS[words[0]], words[1:])
    name, known, rest = expand(words, now or Situation())
    kind = INPUTS.get(name)
    if kind is None:
        raise MalformedLine("$.event", f"no event `{name}`; type `help` for what there is")
    try:
        check_name(name, "person")
    except WrongOrigin as error:
        raise _not_for_persons(error) from error
    return _persons(decode_input(msgspec.json.encode(_fields(name, kind, known, rest))))


def _fields(name: str, kind: type[Input], known: dict[str, Any], rest: list[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {"event": name, **UNSAID.get(name, {}), **known}
    positional = [field for field in own_fields(kind) if field not in known]
    if "by" in positional:
        persons, rest = take_persons(rest)
        if persons is not None:
            fields["by"] = persons
            positional.remove("by")
    for word in rest:
        key, equals, value = word.partition("=")
        if not (equals and key in _all_fields(kind)):
            if not positional:
                raise MalformedLine("$", f"one word too many: {word!r}")
            key, value = positional[0], word
        if key in positional:
            positional.remove(key)
        fields[key] = _value(kind, key, value)
    return fields


def not_understood(line: str, error: MalformedLine, now: Situation | None = None) -> str:
    if isinstance(error, NotForPersons):
        return f"not taken: {error.reason}\n  {error.remedy}"
    name = line.strip().partition(" ")[0]
    kind = INPUTS.get(name)
    if kind is None:
        # A program that writes JSON is told the place in it.
        return f"not understood: {terminal_text(str(error) if line.lstrip().startswith('{') else error.reason)}"
    said = terminal_text(_in_words(kind, error))
    example = example_of(name, now or Situation())
    return f"not understood: {said}\n  {usage(name)}{example and f', such as: {example}'}"


def usage(name: str) -> str:
    """An event's short form: fields in CAPITALS, optional ones in brackets."""
    kind = INPUTS[name]
    optional = _optional(kind) | UNSAID.get(name, {}).keys()
    words = [f"[{field.upper()}]" if field in optional else field.upper() for field in own_fields(kind)]
    return " ".join([name, *words])


def _in_words(kind: type[Input], error: MalformedLine) -> str:
    where = error.field.removeprefix("$").removeprefix(".") or "the line"
    if (missing := _MISSING.fullmatch(error.reason)) is not None:
        return f"{missing['name']} is missing"
    wrong = _NO_VALUE.fullmatch(error.reason)
    if wrong is None:
        said = "a whole number is expected" if error.reason.startswith("expected `int`") else error.reason
        return said if where == "the line" else f"{where}: {said}"
    if where.startswith("card"):
        return f"{where}: {wrong['value']} is no card; {CARD}"
    words = choices(kind, where)
    return f"{where}: {wrong['value']} is not one of: {', '.join(words)}" if words else f"{where}: {error.reason}"


def choices(kind: type[Input], field: str) -> list[str]:
    types = [one.type for one in msgspec.structs.fields(kind) if one.name == field]
    return [word for one in types for word in _literals(one)]


def _literals(one: object) -> list[str]:
    if get_origin(one) is Literal:
        return [word for word in get_args(one) if isinstance(word, str)]
    return [word for inner in get_args(one) for word in _literals(inner)]


def own_fields(kind: type[Input]) -> list[str]:
    fields = msgspec.structs.fields(kind)
    required_device = [field.name for field in fields if field.name == "device" and field.required]
    return required_device + [field.name for field in fields if field.name not in HEAD]


def _all_fields(kind: type[Input]) -> set[str]:
    return {field.name for field in msgspec.structs.fields(kind)}


def _optional(kind: type[Input]) -> set[str]:
    return {field.name for field in msgspec.structs.fields(kind) if not field.required}


def _value(kind: type[Input], key: str, text: str) -> object:
    bare = text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
    word = _card if key in OF_CARDS else _word
    if key in _lists(kind) and not bare.startswith("["):
        return [word(part) for part in bare.split(",") if part]
    return word(bare)


def _card(text: str) -> object:
    return typed_card(text) or _word(text)


def _word(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):  # no JSON, or nested deeper than any field
        return text


def _lists(kind: type[Input]) -> set[str]:
    return {field.name for field in msgspec.structs.fields(kind) if _holds_list(field.type)}


def _holds_list(one: object) -> bool:
    return get_origin(one) is list or any(map(_holds_list, get_args(one)))


def _persons(event: AnyInput) -> AnyInput:
    if event.origin is not UNSET:
        raise NotForPersons("$.origin", "`origin` is written by the table, by the way a line came in", "Leave it out.")
    if event.sealed is not UNSET:
        raise NotForPersons("$.sealed", "`sealed` is written by the table", "Leave it out, and say what was seen.")
    if event.key is not UNSET:
        raise NotForPersons("$.key", "`key` is sent beside an input at the live socket, not in it", "Leave it out.")
    try:
        check_origin(msgspec.structs.replace(event, origin="person"))
    except WrongOrigin as error:
        raise _not_for_persons(error) from error
    return event


def _not_for_persons(error: WrongOrigin) -> NotForPersons:
    if error.event == "table":
        remedy = "The profile comes from the configuration: change it there, once the table is closed."
    elif error.field == "$.event":
        remedy = f"{_OTHERS[ALLOWED_ORIGINS[error.event][0]]} `help` lists what is typed."
    else:
        remedy = f"Leave it out: what a person saw is typed as `{error.event}` without it."
    return NotForPersons(error.field, error.reason, remedy)


def _act(kind: DeviceActionKind, words: list[str]) -> DeviceAction:
    if kind is DeviceActionKind.CLEAR_ERROR:
        if len(words) != 1 or _NUMBER.fullmatch(words[0]) is None:
            raise MalformedLine("$", f"{kind.value} takes the error's number, such as `{kind.value} 2`")
        return DeviceAction(kind, int(words[0]))
    if words:
        raise MalformedLine("$", f"{kind.value} takes nothing after it")
    return DeviceAction(kind)

"""What a person types at ``cardshoe run``: an event of the table log, as JSON or in short.

In short: the event's name, then its fields as ``key=value`` or in their order; lists with commas, cards in two
characters::

    cut_card_placed 14
    resolve 1 identify by=101,102 card=9H
    bets_closed seats=1,3 wagers=[{"seat":1,"bet":"banker","stake":10000}]
"""

import re
from typing import Any, Final, get_args, get_origin

import msgspec

from firmware_bridge.interlock import Act, ActKind
from regulations.errors import MalformedLine
from regulations.events.codec import INPUTS, decode_input
from regulations.events.inputs import AnyInput, Table
from regulations.events.line import DeviceReport, Input

_WORD: Final = re.compile(r"""(?:[^\s"'\[{]|"(?:\\.|[^"\\])*"|'[^']*'|\[[^\[\]]*\]|\{[^{}]*\}|["'\[{])+""")
"""A word; white space within quotes, brackets or braces belongs to it. No field holds a list within a list."""
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
"""What ``str.isdigit`` takes for digits, such as ², is no number for ``int``; nor are thousands of digits."""
ACTS: Final = {kind.value: kind for kind in (ActKind.CLEAR_ERROR, ActKind.SHUFFLE, ActKind.EJECT)}
"""What a person may ask of the devices by name; the rest the regulation calls for."""
HEAD: Final = frozenset(field.name for field in msgspec.structs.fields(DeviceReport))
"""Fields that no person types: numbering, time, and what devices say of themselves."""


def parse(line: str) -> AnyInput | Act:
    """What a line asks for.

    Returns:
        An input, or an act for the devices: ``clear_error N``, ``shuffle``, ``eject``.

    Raises:
        MalformedLine: with what was expected.
    """
    text = line.strip()
    if text.startswith("{"):
        return _no_profile(decode_input(text))
    words = _WORD.findall(text)
    if not words:
        raise MalformedLine("$", "type an event, or `help`")
    name, rest = words[0], words[1:]
    if name in ACTS:
        return _act(ACTS[name], rest)
    kind = INPUTS.get(name)
    if kind is None:
        raise MalformedLine("$.event", f"no event `{name}`; type `help` for what there is")
    fields: dict[str, Any] = {"event": name}
    positional = _own_fields(kind)
    for word in rest:
        key, equals, value = word.partition("=")
        if not (equals and key in _all_fields(kind)):
            if not positional:
                raise MalformedLine("$", f"one word too many: {word!r}; {usage(name)}")
            key, value = positional[0], word
        if key in positional:
            positional.remove(key)
        fields[key] = _value(kind, key, value)
    return _no_profile(decode_input(msgspec.json.encode(fields)))


def usage(name: str) -> str:
    """How an event is typed in short."""
    kind = INPUTS[name]
    words = [f"[{field}]" if field in _optional(kind) else field for field in _own_fields(kind)]
    return " ".join([name, *words])


def help_text() -> str:
    """Everything that can be typed."""
    lines = [usage(name) for name in sorted(INPUTS) if INPUTS[name] is not Table]
    return "\n".join(["Type an event of the table log, as JSON or in short:", *(f"  {line}" for line in lines)]) + (
        "\n  clear_error N     ask the devices to clear error N"
        "\n  shuffle, eject    ask the devices to shuffle, or to give out all cards"
        "\n  qr                show the newest signature as a QR code, for a photo"
        "\n  quit              stop; the log stays open"
    )


def _own_fields(kind: type[Input]) -> list[str]:
    fields = msgspec.structs.fields(kind)
    required_device = [field.name for field in fields if field.name == "device" and field.required]
    return required_device + [field.name for field in fields if field.name not in HEAD]


def _all_fields(kind: type[Input]) -> set[str]:
    return {field.name for field in msgspec.structs.fields(kind)}


def _optional(kind: type[Input]) -> set[str]:
    return {field.name for field in msgspec.structs.fields(kind) if not field.required}


def _value(kind: type[Input], key: str, text: str) -> object:
    bare = text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
    if key in _lists(kind) and not bare.startswith("["):
        return [_word(part) for part in bare.split(",") if part]
    return _word(bare)


def _word(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):  # no JSON, or nested deeper than any field
        return text


def _lists(kind: type[Input]) -> set[str]:
    fields = msgspec.structs.fields(kind)
    return {
        field.name for field in fields if any(get_origin(one) is list for one in (field.type, *get_args(field.type)))
    }


def _no_profile(event: AnyInput) -> AnyInput:
    if isinstance(event, Table):
        raise MalformedLine("$.event", "the profile is the configuration's, it is not typed")
    return event


def _act(kind: ActKind, words: list[str]) -> Act:
    if kind is ActKind.CLEAR_ERROR:
        if len(words) != 1 or _NUMBER.fullmatch(words[0]) is None:
            raise MalformedLine("$", f"{kind.value} takes the error's number, such as `{kind.value} 2`")
        return Act(kind, int(words[0]))
    if words:
        raise MalformedLine("$", f"{kind.value} takes nothing after it")
    return Act(kind)

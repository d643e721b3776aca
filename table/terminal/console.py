"""What a person types at ``cardshoe run``: an event of the table log, as JSON or in short.

In short: the event's name, then its fields as ``key=value`` or in their order; lists with commas, cards as the screen
shows them (``10♥``, ``10h`` or ``TH``)::

    cut_card_placed 14
    resolve 1 identify by=101,102 card=9H
    resolve 2 reassign by=101,102 ground=foreign cards=[{"index":3,"to":"burn"}]
    bets_closed seats=1,3 wagers=[{"seat":1,"bet":"banker","stake":10000}]
"""

import difflib
import re
from typing import Any, Final, Literal, get_args, get_origin

import msgspec
from msgspec import UNSET

from firmware_bridge.interlock import Act, ActKind
from regulations.errors import MalformedLine, WrongOrigin
from regulations.events.codec import INPUTS, decode_input
from regulations.events.inputs import AnyInput, Table
from regulations.events.line import DeviceReport, Input
from regulations.events.origins import WHO_SAYS, check_name, check_origin, may_say
from regulations.events.vocabulary import WayOut

_WORD: Final = re.compile(r"""(?:[^\s"'\[{]|"(?:\\.|[^"\\])*"|'[^']*'|\[[^\[\]]*\]|\{[^{}]*\}|["'\[{])+""")
"""A word; white space within quotes, brackets or braces belongs to it. No field holds a list within a list."""
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
"""What ``str.isdigit`` takes for digits, such as ², is no number for ``int``; nor are thousands of digits."""
ACTS: Final = {kind.value: kind for kind in (ActKind.CLEAR_ERROR, ActKind.SHUFFLE, ActKind.EJECT)}
"""What a person may ask of the devices by name; the rest the regulation calls for."""
EXAMPLES: Final = {
    "bets_closed": 'bets_closed 1,3 [{"seat":1,"bet":"banker","stake":10000}]',
    "bets_corrected": 'bets_corrected 1 [{"seat":1,"bet":"banker","stake":1000}] "a zero too many" by=7,8',
    "bettor_left": "bettor_left 2 by=7,8",
    "card": "card 9H",
    "cards_returned": "cards_returned 6",
    "closed": "closed",
    "cut": "cut player",
    "cut_card": "cut_card",
    "cut_card_placed": "cut_card_placed 14",
    "decision": "decision 2 hit",
    "demonstration": "demonstration",
    "device_readmitted": "device_readmitted shoe by=7,8",
    "equipment": "equipment shoe",
    "exposed": "exposed seat 2 cards=9H",
    "loaded": "loaded 416",
    "misdeal": 'misdeal "two cards for the banker"',
    "resolve": "resolve 1 continue by=7",
    "revealed": "revealed seat 2 cards=9H,2C,KD",
    "round_closed": "round_closed",
    "shoe_ended": 'shoe_ended "end of play"',
    "shuffled": "shuffled croupier",
    "stack_counted": "stack_counted 402",
    "void": 'void "power cut" by=7,8 ground=malfunction',
}
"""What persons say at a table, each as it can be typed. The other events are the devices' and the table's own, and are
refused here (``regulations.events.origins``)."""
FURTHER: Final = {
    "resolve": (
        "resolve 1 identify by=7,8 card=9H",
        'resolve 1 reassign by=7,8 ground=foreign cards=[{"index":3,"to":"burn"}]',
        'resolve 1 identify by=7,8 cards=[{"index":2,"card":"9H"},{"after":3,"card":"KD"},{"index":5,"to":"none"}]',
    ),
}
"""Further ways in which an event is typed."""
WAYS_OUT: Final = frozenset(get_args(WayOut))
UNSAID: Final[dict[str, dict[str, Any]]] = {"bets_closed": {"wagers": []}}
"""What need not be typed: where the table is not told the stakes, the seats say enough."""
CARD: Final = "a card is its rank, A 2 to 10 J Q K, and its suit, S H D C or ♠ ♥ ♦ ♣: 10H is the ten of hearts"
_OF_CARDS: Final = frozenset({"card", "cards"})
"""Fields that hold cards."""
_SUITS: Final = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
_CARD: Final = re.compile(r"(?P<rank>10|[2-9TJQKA])(?P<suit>[SHDC♠♥♦♣])", re.IGNORECASE)
_NO_VALUE: Final = re.compile(r"invalid enum value '(?P<value>.*)'", re.DOTALL)
_MISSING: Final = re.compile(r"object missing required field `(?P<name>.*)`")
HEAD: Final = frozenset(field.name for field in msgspec.structs.fields(DeviceReport))
"""Fields that no person types: numbering, time, and what devices say of themselves."""
_OTHERS: Final = {
    "device": "A device says it by itself once it is so, and nobody in its place: look at the device and its line; the "
    "last prompt has the ways out.",
    "table": "The table puts it in by itself.",
}
"""By origin: what to do instead of saying what only it says."""


class NotForPersons(MalformedLine):
    """A person typed what persons do not say.

    Attributes:
        remedy: what to do instead.
    """

    def __init__(self, field: str, reason: str, remedy: str) -> None:
        super().__init__(field, reason)
        self.remedy = remedy


def parse(line: str) -> AnyInput | Act:
    """What a line asks for.

    Returns:
        An input, or an act for the devices: ``clear_error N``, ``shuffle``, ``eject``.

    Raises:
        NotForPersons: it is another's to say.
        MalformedLine: with what was expected.
    """
    text = line.strip()
    if text.startswith("{"):
        return _persons(decode_input(text))
    words = _WORD.findall(text)
    if not words:
        raise MalformedLine("$", "type an event, or `help`")
    name, rest = words[0], words[1:]
    if name in ACTS:
        return _act(ACTS[name], rest)
    kind = INPUTS.get(name)
    if kind is None:
        raise MalformedLine("$.event", _no_event(name))
    try:
        check_name(name, "person")
    except WrongOrigin as error:
        raise _not_for_persons(error) from error
    fields: dict[str, Any] = {"event": name, **UNSAID.get(name, {})}
    positional = _own_fields(kind)
    for word in rest:
        key, equals, value = word.partition("=")
        if not (equals and key in _all_fields(kind)):
            if not positional:
                raise MalformedLine("$", f"one word too many: {word!r}")
            key, value = positional[0], word
        if key in positional:
            positional.remove(key)
        fields[key] = _value(kind, key, value)
    return _persons(decode_input(msgspec.json.encode(fields)))


def not_understood(line: str, error: MalformedLine) -> str:
    """What to tell the person whose line :func:`parse` refused.

    Args:
        line: as it was typed.
        error: what ``parse`` raised.

    Returns:
        What is wrong, where, and how the event is typed; one line or two.
    """
    if isinstance(error, NotForPersons):
        return f"not taken: {error.reason}\n  {error.remedy}"
    name = line.strip().partition(" ")[0]
    kind = INPUTS.get(name)
    if kind is None:
        # A program that writes JSON is told the place in it.
        return f"not understood: {error if line.lstrip().startswith('{') else error.reason}"
    said = _in_words(kind, error)
    example = f", such as: {EXAMPLES[name]}" if name in EXAMPLES else ""
    return f"not understood: {said}\n  {usage(name)}{example}"


def usage(name: str) -> str:
    """How an event is typed in short."""
    kind = INPUTS[name]
    optional = _optional(kind) | UNSAID.get(name, {}).keys()
    words = [f"[{field}]" if field in optional else field for field in _own_fields(kind)]
    return " ".join([name, *words])


def help_text() -> str:
    """Everything that can be typed."""
    others = sorted(name for name in INPUTS if not may_say(name, "person") and INPUTS[name] is not Table)
    lines = ["Type what happened, one event a line: fields in this order, or as field=value; [those] may be left out."]
    for name in sorted(EXAMPLES):
        lines.append(f"  {usage(name)}")
        if usage(name) != name:
            lines.append(f"      such as  {EXAMPLES[name]}")
            lines += [f"          or   {example}" for example in FURTHER.get(name, ())]
    lines += [
        f"  {CARD}",
        "  a stake of 10000 is 100.00; where the table is not told the stakes, `bets_closed 1,3` is enough",
        "  `by` takes the numbers of those who decide",
        "What is asked of the devices and of this program:",
        "  clear_error N     ask the devices to clear error N",
        "  shuffle, eject    ask the devices to shuffle, or to give out all cards",
        "  qr                show the newest signature as a QR code, for a photo",
        "  quit              stop; the log stays open",
        "What devices and the table say by themselves, and nobody types (docs/table-log.md):",
        *(f"  {usage(name)}" for name in others),
    ]
    return "\n".join(lines)


def help_on(name: str) -> str:
    """How one thing is typed.

    Args:
        name: of an event, or whatever was typed after ``help``.
    """
    if name not in EXAMPLES:
        near = difflib.get_close_matches(name, EXAMPLES, 1)
        hint = f"; did you mean `{near[0]}`?" if near else "; type `help` for what there is"
        return f"no event `{name}` that persons say{hint}"
    lines = [usage(name), f"  such as  {EXAMPLES[name]}", *(f"      or   {one}" for one in FURTHER.get(name, ()))]
    kind = INPUTS[name]
    fields = _own_fields(kind)
    choices = {field: _choices(kind, field) for field in fields if field not in _OF_CARDS}
    lines += [f"  {field} is one of: {', '.join(words)}" for field, words in choices.items() if words]
    if not _OF_CARDS.isdisjoint(fields):
        lines.append(f"  {CARD}")
    return "\n".join(lines)


def _no_event(name: str) -> str:
    if name in WAYS_OUT:
        return f"`{name}` is a way out of an irregularity; type `resolve 1 {name} by=7`, with its number and your own"
    return f"no event `{name}`; type `help` for what there is"


def _in_words(kind: type[Input], error: MalformedLine) -> str:
    """What a field's error means to who typed it; JSON and its paths say nothing to a croupier."""
    where = error.field.removeprefix("$").removeprefix(".") or "the line"
    if (missing := _MISSING.fullmatch(error.reason)) is not None:
        return f"{missing['name']} is missing"
    wrong = _NO_VALUE.fullmatch(error.reason)
    if wrong is None:
        said = "a whole number is expected" if error.reason.startswith("expected `int`") else error.reason
        return said if where == "the line" else f"{where}: {said}"
    if where.startswith("card"):
        return f"{where}: {wrong['value']} is no card; {CARD}"
    words = _choices(kind, where)
    return f"{where}: {wrong['value']} is not one of: {', '.join(words)}" if words else f"{where}: {error.reason}"


def _choices(kind: type[Input], field: str) -> list[str]:
    """The words that a field takes; none where it takes others."""
    types = [one.type for one in msgspec.structs.fields(kind) if one.name == field]
    return [word for one in types for word in _literals(one)]


def _literals(one: object) -> list[str]:
    if get_origin(one) is Literal:
        return [word for word in get_args(one) if isinstance(word, str)]
    return [word for inner in get_args(one) for word in _literals(inner)]


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
    word = _card if key in _OF_CARDS else _word
    if key in _lists(kind) and not bare.startswith("["):
        return [word(part) for part in bare.split(",") if part]
    return word(bare)


def _card(text: str) -> object:
    """A card as the screen shows it or as people write it; only typed, never in JSON."""
    shown = _CARD.fullmatch(text)
    if shown is None:
        return _word(text)
    rank, suit = shown["rank"].upper(), shown["suit"].upper()
    return f"{'T' if rank == '10' else rank}{_SUITS.get(suit, suit)}"


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


def _persons(event: AnyInput) -> AnyInput:
    """An event that a person may say; whose it is the table writes down, and no line."""
    if event.origin is not UNSET:
        raise NotForPersons("$.origin", "`origin` is written by the table, by the way a line came in", "Leave it out.")
    if event.sealed is not UNSET:
        raise NotForPersons("$.sealed", "`sealed` is written by the table", "Leave it out, and say what was seen.")
    try:
        check_origin(msgspec.structs.replace(event, origin="person"))
    except WrongOrigin as error:
        raise _not_for_persons(error) from error
    return event


def _not_for_persons(error: WrongOrigin) -> NotForPersons:
    if error.event == "table":
        remedy = "The profile is the configuration's: change it there, once the table is closed."
    elif error.field == "$.event":
        remedy = f"{_OTHERS[WHO_SAYS[error.event][0]]} `help` lists what is typed."
    else:
        remedy = f"Leave it out: what a person saw is typed as `{error.event}` without it."
    return NotForPersons(error.field, error.reason, remedy)


def _act(kind: ActKind, words: list[str]) -> Act:
    if kind is ActKind.CLEAR_ERROR:
        if len(words) != 1 or _NUMBER.fullmatch(words[0]) is None:
            raise MalformedLine("$", f"{kind.value} takes the error's number, such as `{kind.value} 2`")
        return Act(kind, int(words[0]))
    if words:
        raise MalformedLine("$", f"{kind.value} takes nothing after it")
    return Act(kind)

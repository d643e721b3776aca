"""Lines of the table log to events and back.

The journal hashes these bytes: the tag, ``seq``, ``at``, ``round``, ``article``, then own fields as
declared.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, TypeVar, Union, get_args

import msgspec
from msgspec import UNSET, UnsetType

from regulations.events.errors import MalformedLine
from regulations.events.inputs import AnyInput
from regulations.events.line import Input, Line
from regulations.events.nesting import MAX_DEPTH, nests_too_deep
from regulations.events.outputs import AnyOutput
from regulations.events.ranges import YEARS, range_of
from regulations.events.results import Result

EPOCH: Final = "1970-01-01T00:00:00.000000Z"
"""The time of a script that names none."""

INPUTS: Final[dict[str, type[Input]]] = {str(t.__struct_config__.tag): t for t in get_args(AnyInput)}

OUTPUT_NAMES: Final[frozenset[str]] = frozenset(str(t.__struct_config__.tag) for t in get_args(AnyOutput))

_RFC3339: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)")
_WHERE: Final = re.compile(r"^(?P<reason>.*?)(?: - at `(?P<path>[^`]*)`)?$", re.DOTALL)
_BOUND: Final = re.compile(r"Expected `\w+` (?:of length )?[<>]=")
_NAMED_FIELD: Final = re.compile(r"(?:unknown|missing required) field `(?P<name>[^`]*)`")

_input_decoder: Final[msgspec.json.Decoder[AnyInput]] = msgspec.json.Decoder(AnyInput)
AnyLine = TypeVar("AnyLine", bound=Line)
ResultT = TypeVar("ResultT", bound=Result)

encode: Final[Callable[[Line], bytes]] = msgspec.json.Encoder().encode


def decode_input(line: bytes | str) -> AnyInput:
    """The input in a line, its ``at`` in UTC with microseconds.

    Raises:
        MalformedLine: no JSON, nested too deep, an unknown event or a wrong field.
    """
    if isinstance(line, str):
        line = line.encode(errors="surrogatepass")
    if nests_too_deep(line):
        raise MalformedLine("$", f"nested deeper than {MAX_DEPTH}")
    try:
        event = _input_decoder.decode(line)
    except msgspec.ValidationError as error:
        raise _explained(error, line) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise MalformedLine("$", f"not a JSON object: {error}") from error
    if isinstance(event.at, str):
        return msgspec.structs.replace(event, at=utc(event.at))
    return event


@cache
def output_decoder(result: type[Result]) -> "msgspec.json.Decoder[AnyOutput]":
    union: Any = Union[tuple(result if one is Result else one for one in get_args(AnyOutput))]  # noqa: UP007  # made of a list: there is no other spelling
    return msgspec.json.Decoder(union)


def result_of(result: type[ResultT], members: Mapping[str, Any]) -> ResultT:
    return msgspec.convert(members, result)


def written(line: AnyLine, *, seq: int, at: str, round_no: int | UnsetType = UNSET) -> AnyLine:
    if round_no is UNSET:
        return msgspec.structs.replace(line, seq=seq, at=at)
    return msgspec.structs.replace(line, seq=seq, at=at, round=round_no)


def utc(text: str) -> str:
    """An RFC 3339 time in UTC with microseconds.

    Raises:
        MalformedLine: no RFC 3339 time.
    """
    try:
        moment = datetime.fromisoformat(text).astimezone(UTC) if _RFC3339.fullmatch(text) else None
    except (ValueError, OverflowError):  # a month 13; or a time that is before the first year once it is in UTC
        moment = None
    if moment is None:
        raise MalformedLine("$.at", f"{text!r} is no RFC 3339 time; write 2026-01-05T10:00:00.000000Z")
    if moment.year not in YEARS:
        raise MalformedLine("$.at", f"{text!r} is out of range: its year must be {YEARS[0]} to {YEARS[-1]}")
    return moment.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def _explained(error: msgspec.ValidationError, line: bytes) -> MalformedLine:
    match = _WHERE.match(str(error))
    reason, path = (match["reason"], match["path"]) if match else (str(error), None)
    field = path or "$"
    if named := _NAMED_FIELD.search(reason):
        field = f"{field}.{named['name']}"
    if field == "$.event":
        reason = _wrong_name(line)
    elif "matching regex" in reason:
        reason = "a name is expected: small letters, digits and `_`"
    elif _BOUND.match(reason) and (kind := _kind_of(line)) is not None:
        reason = f"out of range: must be {range_of(kind, field, reason.split('`')[1])}"
    return MalformedLine(field, reason[:1].lower() + reason[1:])


def _kind_of(line: bytes) -> type[Input] | None:
    try:
        return INPUTS.get(str(msgspec.json.decode(line, type=dict).get("event")))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _wrong_name(line: bytes) -> str:
    try:
        name = msgspec.json.decode(line, type=dict).get("event")
    except (msgspec.DecodeError, UnicodeDecodeError):
        # The name is looked at before the rest of the line, which may be no JSON at all.
        return "unknown event, and the rest of the line is not JSON"
    if name is None:
        return "the line names no event"
    if not isinstance(name, str):
        return f"an event is named by a word, not by {name!r}"
    if name in OUTPUT_NAMES:
        return f"`{name}` is an output; only inputs are read here"
    return f"unknown event `{name}`; known are {', '.join(sorted(INPUTS))}"

"""The canonical form of a line, for the writer and both verifiers."""

import re
from collections.abc import Iterable
from typing import Any, Final, get_args

import msgspec

from cardshoe.journal.file.passed_over import PassedOver
from regulations.events.inputs import AnyInput
from regulations.events.nesting import MAX_DEPTH, nests_too_deep
from regulations.events.outputs import AnyOutput
from regulations.events.results import Result

RESULT: Final = Result.__struct_config__.tag
_OF_UPDATES: Final = frozenset({"entry", "state"})

FIELDS: Final = (
    {"event"}
    | _OF_UPDATES
    | {
        field.encode_name
        for one in (*get_args(AnyInput), *get_args(AnyOutput), PassedOver)
        for field in msgspec.structs.fields(one)
    }
)

_LEAST, _END = -(1 << 63), 1 << 64
_SMALL: Final = 1e-4
_SHAPE: Final = bytes.maketrans(b"123456789", b"000000000")
_LONG: Final = b"0" * 19
_LONG_NUMBER: Final = re.compile(rb"[:,\[]\s*-?[0-9]{19}")


class NonCanonicalLine(ValueError):
    """Not canonical; the text is a clause."""


def read_object(line: bytes) -> dict[str, Any]:
    """The JSON object of canonical bytes."""
    if nests_too_deep(line):
        raise NonCanonicalLine(f"nested deeper than {MAX_DEPTH}")
    try:
        said = _decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise NonCanonicalLine(f"not JSON: {error}") from error
    if not isinstance(said, dict):
        raise NonCanonicalLine("not a JSON object")
    if _has_long_number(line) and not _fits(said.values()):
        raise NonCanonicalLine("a number of more than 64 bits")
    if _encode(said) != line:
        raise NonCanonicalLine(
            "not in its one permitted form: perhaps a space, an escape, or a member that stands twice"
        )
    return said


def read_lines(data: bytes) -> list[tuple[str, int]]:
    """Event and number of each line of an entry."""
    lines = data[:-1].split(b"\n")
    if not nests_too_deep(data) or not any(map(nests_too_deep, lines)):
        try:
            said = _decode_lines(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            said = None
        if said is not None and _encode_lines(said) == data and not _has_long_number(data):
            return [_event_of(one) for one in said]
    return [read_line(line) for line in lines]


def read_line(line: bytes) -> tuple[str, int]:
    return _event_of(read_object(line))


def _event_of(said: object) -> tuple[str, int]:
    if not isinstance(said, dict):
        raise NonCanonicalLine("not a JSON object")
    event, seq = said.get("event"), said.get("seq")
    if list(said)[:2] != ["event", "seq"] or type(event) is not str or type(seq) is not int:
        raise NonCanonicalLine('it does not begin with "event", a string, and "seq", a whole number')
    if event != RESULT and not FIELDS.issuperset(said):
        raise NonCanonicalLine(f"the table log has no field {min(said.keys() - FIELDS)!r}")
    return event, seq


def _decimal(text: str) -> float:
    if "e" in text or "E" in text:
        raise ValueError(f"{text[:40]} has an exponent")
    value = float(text)
    if 0 < abs(value) < _SMALL:
        raise ValueError(f"{text[:40]} is too small")
    return value


def _has_long_number(data: bytes) -> bool:
    return _LONG in data.translate(_SHAPE) and _LONG_NUMBER.search(data) is not None


def _fits(values: Iterable[object]) -> bool:
    for value in values:
        if type(value) is int:
            if not _LEAST <= value < _END:
                return False
        elif isinstance(value, dict | list) and not _fits(value.values() if isinstance(value, dict) else value):
            return False
    return True


_decoder: Final = msgspec.json.Decoder(float_hook=_decimal)
_encoder: Final = msgspec.json.Encoder()
_decode, _decode_lines = _decoder.decode, _decoder.decode_lines
_encode, _encode_lines = _encoder.encode, _encoder.encode_lines

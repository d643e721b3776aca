"""Control lines and answers as bytes: words, or JSON after ``{``. Pure."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from sim.control_lines import CommandReply
from sim.watch import Event

LINE_MAX_BYTES: Final = 8192
"""Far more than any command needs."""
ARGUMENTS_MAX: Final = 64
_KEYS: Final = ("id", "do", "arguments")
Id = str | int | float | bool | None


class ControlRequest(NamedTuple):
    name: str
    arguments: Sequence[str]
    in_json: bool = False
    id: Id = None


class BadRequest(ValueError):
    def __init__(self, problem: str, *, in_json: bool, request_id: Id = None) -> None:
        super().__init__(problem)
        self.in_json = in_json
        self.id = request_id


class Overlong(NamedTuple):
    in_json: bool


class LineSplitter:
    def __init__(self) -> None:
        self._rest = bytearray()
        self._passed_over: Overlong | None = None

    def feed(self, data: bytes) -> Iterator[bytes | Overlong]:
        """Take ``data``; give the lines that it ends, without their ends."""
        *ended, rest = data.split(b"\n")
        for end in ended:
            line = bytes(self._rest) + end
            self._rest.clear()
            passed_over, self._passed_over = self._passed_over, None
            if passed_over is not None:
                yield passed_over
            elif len(line) > LINE_MAX_BYTES:
                yield Overlong(_is_json(line))
            else:
                yield line
        self._rest += rest
        if len(self._rest) > LINE_MAX_BYTES:
            self._passed_over = self._passed_over or Overlong(_is_json(self._rest))
            self._rest.clear()


def parse(line: bytes) -> ControlRequest | None:
    in_json = _is_json(line)
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise BadRequest(f"byte {error.start + 1} of the line is no UTF-8", in_json=in_json) from error
    if in_json:
        return _parse_json(text)
    name, *arguments = text.split() or [""]
    if len(arguments) > ARGUMENTS_MAX:
        raise BadRequest(f"{len(arguments)} arguments, at most {ARGUMENTS_MAX} are read", in_json=False)
    return ControlRequest(name, arguments) if name else None


def refused(bad: BadRequest) -> bytes:
    return encode(ControlRequest("", (), bad.in_json, bad.id), CommandReply(ok=False, text=str(bad), usage=USAGE))


def refused_overlong(line: Overlong) -> bytes:
    return refused(BadRequest(f"the line is longer than {LINE_MAX_BYTES} bytes", in_json=line.in_json))


USAGE: Final = 'a command and its arguments, as in `draw 3`, or {"id":1,"do":"draw","arguments":["3"]}'


def encode(request: ControlRequest, answer: CommandReply) -> bytes:
    if not request.in_json:
        return answer.line().replace("\n", " ").encode("utf-8", "backslashreplace") + b"\n"
    fields: dict[str, object] = {"id": request.id, "ok": answer.ok}
    if answer.ok:
        fields |= {"said": answer.text, "data": dict(answer.data)}
    else:
        fields |= {"error": answer.text, "usage": answer.usage}
    return json_line(fields)


def encode_event(event: Event) -> bytes:
    return json_line(event)


def json_line(fields: Mapping[str, object]) -> bytes:
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"


def _is_json(line: bytes | bytearray) -> bool:
    return line.lstrip()[:1] == b"{"


def _parse_json(text: str) -> ControlRequest:
    try:
        # What begins with a brace can only be an object.
        fields: dict[str, object] = json.loads(text, parse_constant=_no_constant, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise BadRequest(f"no JSON: {error}", in_json=True) from error
    request_id = fields.get("id")
    if not isinstance(request_id, str | int | float | None):
        raise BadRequest("`id` is neither text nor a number", in_json=True)
    unknown = sorted(fields.keys() - set(_KEYS))
    if unknown:
        problem = f"unknown key {unknown[0]!r}; there are {', '.join(_KEYS)}"
        raise BadRequest(problem, in_json=True, request_id=request_id)
    name = fields.get("do")
    if not isinstance(name, str) or not name:
        raise BadRequest("`do` must be the name of a command", in_json=True, request_id=request_id)
    return ControlRequest(name, _arguments(fields.get("arguments", []), request_id), in_json=True, id=request_id)


def _arguments(given: object, request_id: Id) -> list[str]:
    if not isinstance(given, list) or len(given) > ARGUMENTS_MAX:
        problem = f"`arguments` must be a list of at most {ARGUMENTS_MAX} texts or whole numbers"
        raise BadRequest(problem, in_json=True, request_id=request_id)
    for one in given:
        if isinstance(one, bool) or not isinstance(one, str | int):
            problem = f"`arguments` holds {json.dumps(one)}, which is neither text nor a whole number"
            raise BadRequest(problem, in_json=True, request_id=request_id)
    return [str(one) for one in given]


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is too large a number")
    return number


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no number of JSON")

"""What goes over a table's live socket: JSON, one object a line, in both directions (`docs/live.md`)."""

from typing import Annotated, Final, Literal, get_args

import msgspec
from msgspec import Meta, Raw, Struct

from regulations.events.nesting import nests_too_deep
from regulations.events.vocabulary import RefusalCode

VERSION: Final = 1
"""Of the protocol. Further messages and fields may come with the same number; a reader passes over what it does not
know."""
LINE_MAX: Final = 65_536
"""Bytes of a line that a client sends, its end included: as much as may be typed in one."""
Id = Annotated[str, Meta(min_length=1, max_length=128)]
Because = Literal["asked", "not_kept", "other_log", "ahead"]
"""Why a client gets a snapshot and not the lines after one that it named."""
ErrorCode = Literal["malformed", "too_long", "version", "slow", "idle", "full", "not_yours", "subscribed"]
NotTakenCode = Literal["malformed", "not_for_persons", "which_device"]


class _Request(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """What a client says.

    Attributes:
        live: the version that it speaks.
    """

    live: int = VERSION


class AskSnapshot(_Request, frozen=True, kw_only=True, tag="snapshot"):
    """Asks for the table as it stands, once."""


class Subscribe(_Request, frozen=True, kw_only=True, tag="subscribe"):
    """Asks for each durable line from here on.

    Attributes:
        after: the last line that the client has; left out: it has none, and gets a snapshot first.
        log: the fingerprint of the log that line is of.
    """

    after: Annotated[int, Meta(ge=0)] | None = None
    log: str | None = None


class SayInput(_Request, frozen=True, kw_only=True, tag="input"):
    """A person's input.

    Attributes:
        id: chosen by the client; the answer has it.
        line: the input as in the table log.
    """

    id: Id
    line: Raw


class SayAct(_Request, frozen=True, kw_only=True, tag="act"):
    """A person asks the devices for something; nothing of it stands in the log.

    Attributes:
        id: as of an input.
        act: what.
        number: of the error that is to be cleared.
    """

    id: Id
    act: Literal["clear_error", "shuffle", "eject"]
    number: int | None = None


Request = AskSnapshot | Subscribe | SayInput | SayAct


class _Said(Struct, frozen=True, kw_only=True, tag_field="type"):
    """What the table says."""


class Hello(_Said, frozen=True, kw_only=True, tag="hello"):
    """The first message.

    Attributes:
        live: the version of the protocol.
        build: the program.
        table: the table's id.
        log: the fingerprint of its log.
        seq: number of the last durable line.
    """

    live: int
    build: str
    table: str
    log: str
    seq: int


class Snapshot(_Said, frozen=True, kw_only=True, tag="snapshot"):
    """The table as it stands after a line.

    Attributes:
        log: the log.
        seq: the line.
        because: why it is sent.
        view: a `TableView`.
    """

    log: str
    seq: int
    because: Because
    view: Raw


class Resumed(_Said, frozen=True, kw_only=True, tag="resumed"):
    """The lines after `seq` follow, as the client asked."""

    log: str
    seq: int


class SaidLine(_Said, frozen=True, kw_only=True, tag="line"):
    """A durable line, byte for byte as the journal has it."""

    line: Raw


class Answer(_Said, frozen=True, kw_only=True, tag="answer"):
    """What came of an input; it is durable.

    Attributes:
        id: of the input.
        seq: number of its last line.
        refused: why the regulation refused it; ``None``: it was taken.
        lines: the input as it stands in the log, then its outputs.
    """

    id: str
    seq: int
    refused: RefusalCode | None
    lines: list[Raw]


class NotTaken(_Said, frozen=True, kw_only=True, tag="not_taken"):
    """An input that no person may say, or nobody understands: it is written nowhere.

    Attributes:
        id: of the input.
        code: why, for programs.
        field: where in it.
        reason: why, for persons.
        remedy: what to do instead.
    """

    id: str
    code: NotTakenCode
    field: str
    reason: str
    remedy: str = ""


class Acted(_Said, frozen=True, kw_only=True, tag="acted"):
    """What came of an act: by device, ``None`` where it was sent, else why not."""

    id: str
    devices: dict[str, str | None]


class Error(_Said, frozen=True, kw_only=True, tag="error"):
    """Something is wrong; after all codes but ``malformed`` and ``subscribed`` the connection ends.

    Attributes:
        code: what, for programs.
        reason: what, and what to do, for persons.
        left_out: with ``slow``: messages that the client did not get.
    """

    code: ErrorCode
    reason: str
    left_out: int = 0


class Bye(_Said, frozen=True, kw_only=True, tag="bye"):
    """The program of the table ends; every line up to `seq` was sent to whoever subscribed.

    Attributes:
        seq: number of the last line.
        reason: ``closed``: the table is closed, and the log with it; ``stopped``: the log stays open.
    """

    seq: int
    reason: Literal["closed", "stopped"]


Said = Hello | Snapshot | Resumed | SaidLine | Answer | NotTaken | Acted | Error | Bye

_requests: Final[msgspec.json.Decoder[Request]] = msgspec.json.Decoder(Request)
_said: Final[msgspec.json.Decoder[Said]] = msgspec.json.Decoder(Said)
_KINDS: Final = {str(one.__struct_config__.tag) for one in get_args(Said)}
_encode: Final = msgspec.json.Encoder().encode


def read_request(line: bytes) -> Request:
    """What a client said.

    Raises:
        ValueError: it is none of the messages; the text says why.
    """
    if nests_too_deep(line):
        raise ValueError("nested too deep")
    try:
        return _requests.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(str(error)) from error


def read_said(line: bytes) -> Said | None:
    """What a table said; ``None``: a kind of message of a later program.

    Raises:
        ValueError: it is no message of a table.
    """
    try:
        return _said.decode(line)
    except msgspec.ValidationError as error:
        kind = msgspec.json.decode(line)
        if isinstance(kind, dict) and kind.get("type") not in _KINDS:
            return None
        raise ValueError(str(error)) from error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(str(error)) from error


def written(message: Request | Said) -> bytes:
    """A message as it is sent, with the line's end."""
    return _encode(message) + b"\n"


def written_line(line: bytes) -> bytes:
    """A durable line as it is sent: no byte of it is touched."""
    return b'{"type":"line","line":' + line + b"}\n"

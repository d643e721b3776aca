"""Messages on the live socket: a JSON object per line (`docs/live.md`)."""

from typing import Annotated, Final, Literal, get_args

import msgspec
from msgspec import Meta, Raw, Struct

from cardshoe.persons.lockout import Source
from cardshoe.persons.refusal import RefusalOfPersons
from cardshoe.screens.view.parts import RoundView
from cardshoe.table.live.equipment import EquipmentStatus
from regulations.events.nesting import nests_too_deep
from regulations.events.outputs import Refused
from regulations.events.vocabulary import RefusalCode, Role

VERSION: Final = 1
"""Readers ignore unknown messages and fields."""
LINE_MAX: Final = 65_536
Id = Annotated[str, Meta(min_length=1, max_length=128)]
Because = Literal["asked", "not_kept", "other_log", "ahead"]
"""Why a client gets a snapshot instead of the requested lines."""
ErrorCode = Literal["malformed", "too_long", "version", "slow", "idle", "full", "not_yours", "subscribed", "no_view"]
NotTakenCode = Literal["malformed", "not_for_persons", "which_device"] | RefusalOfPersons
Secret = Annotated[str, Meta(max_length=128)]
LogName = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]
Screen = Literal["table", "own"]


class _Request(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    live: int = VERSION


class AskSnapshot(_Request, frozen=True, kw_only=True, tag="snapshot"):
    """Request the table as it is now, once."""


class Subscribe(_Request, frozen=True, kw_only=True, tag="subscribe"):
    """Request durable lines; ``after`` absent: with a snapshot first."""

    after: Annotated[int, Meta(ge=0)] | None = None
    log: str | None = None
    notes: bool = False
    view: bool = False


class SubmitInput(_Request, frozen=True, kw_only=True, tag="input"):
    """A person's input; ``key``: idempotency key, answered once and the same."""

    id: Id
    line: Raw
    session: Secret | None = None
    key: Id | None = None


class SayAct(_Request, frozen=True, kw_only=True, tag="act"):
    """A person's request to the devices."""

    id: Id
    act: Literal["clear_error", "shuffle", "eject"]
    number: int | None = None
    session: Secret | None = None


class _WithPin(_Request, frozen=True, kw_only=True):
    id: Id
    source: Source | None = None


class SignIn(_WithPin, frozen=True, kw_only=True, tag="sign_in"):
    person: Id
    pin: Secret
    screen: Screen = "table"


class SignOut(_Request, frozen=True, kw_only=True, tag="sign_out"):
    id: Id
    session: Secret


class AskSession(_Request, frozen=True, kw_only=True, tag="session"):
    """Query a session without prolonging it."""

    id: Id
    session: Secret


class Enrol(_WithPin, frozen=True, kw_only=True, tag="enrol"):
    """Add the first supervisor of a table without staff; ``code``: the printed one-time code."""

    person: Id
    pin: Secret
    code: Secret


class Propose(_Request, frozen=True, kw_only=True, tag="propose"):
    id: Id
    line: Raw
    session: Secret | None = None
    key: Id | None = None


class Approve(_WithPin, frozen=True, kw_only=True, tag="approve"):
    """A second person's approval, without sign-in; ``session``: the proposer's, on whose screen alone it counts."""

    proposal: Secret
    person: Id
    pin: Secret
    session: Secret | None = None


class OpenTable(_WithPin, frozen=True, kw_only=True, tag="open"):
    """Two people open a closed table: session, and a second with ID and PIN."""

    session: Secret
    person: Id
    pin: Secret


class AskHistory(_Request, frozen=True, kw_only=True, tag="history"):
    """Request stored entries.

    Attributes:
        log: absent: the running log.
        first: from 0, the header.
    """

    id: Id
    log: LogName | None = None
    first: Annotated[int, Meta(ge=0)] = 0


class AskProof(_Request, frozen=True, kw_only=True, tag="proof"):
    id: Id
    log: LogName
    first: Annotated[int, Meta(ge=1)]
    last: Annotated[int, Meta(ge=1)]
    round: Annotated[int, Meta(ge=1)]


class AskEquipment(_Request, frozen=True, kw_only=True, tag="equipment"):
    """Asks for the state of the equipment."""

    id: Id


Reading = AskHistory | AskProof
Personal = SubmitInput | SayAct | SignIn | SignOut | AskSession | Enrol | Propose | Approve | OpenTable
Request = AskSnapshot | Subscribe | Reading | AskEquipment | Personal


class _ServerMessage(Struct, frozen=True, kw_only=True, tag_field="type"):
    """A message of the table."""


class Hello(_ServerMessage, frozen=True, kw_only=True, tag="hello"):
    live: int
    build: str
    table: str
    log: str
    seq: int
    entry: int
    persons: bool = False


class SnapshotMessage(_ServerMessage, frozen=True, kw_only=True, tag="snapshot"):
    log: str
    seq: int
    because: Because
    view: Raw


class Resumed(_ServerMessage, frozen=True, kw_only=True, tag="resumed"):
    log: str
    seq: int


class LineMessage(_ServerMessage, frozen=True, kw_only=True, tag="line"):
    """A durable line, byte for byte as the journal has it."""

    line: Raw


class ViewMessage(_ServerMessage, frozen=True, kw_only=True, tag="view"):
    """The table after missed lines; `seq` is the last of them."""

    seq: int
    view: Raw


class ChangeMessage(_ServerMessage, frozen=True, kw_only=True, tag="change"):
    """The view's change by the lines sent since."""

    change: Raw


class NoteMessage(_ServerMessage, frozen=True, kw_only=True, tag="note"):
    """A durable signed note (`docs/journal.md`); may precede the last covered lines."""

    note: str


class InputResult(_ServerMessage, frozen=True, kw_only=True, tag="answer"):
    """The durable result of an input; ``refused`` ``None``: accepted."""

    id: str
    seq: int
    refused: RefusalCode | None
    lines: list[Raw]


class RequestDeclined(_ServerMessage, frozen=True, kw_only=True, tag="not_taken"):
    """A rejected, unrecorded input; ``again_s``: seconds until a retry, ``None``: waiting does not help."""

    id: str
    code: NotTakenCode
    field: str
    reason: str
    remedy: str = ""
    again_s: float | None = None


class ActOutcome(_ServerMessage, frozen=True, kw_only=True, tag="acted"):
    """By device: ``None``: done, else why not."""

    id: str
    devices: dict[str, str | None]


class SessionBegun(_ServerMessage, frozen=True, kw_only=True, tag="signed_in"):
    """A session of this connection; ``idle_s`` ``None``: no limit of silence."""

    id: str
    session: str
    person: str
    role: Role
    idle_s: float | None


class Done(_ServerMessage, frozen=True, kw_only=True, tag="done"):
    id: str


class ProposalWaits(_ServerMessage, frozen=True, kw_only=True, tag="proposed"):
    """A waiting proposal.

    Attributes:
        refused: ``None``: accepted, as far as open cards show.
        after: from the open cards alone.
        partial: more follows once a face-down card is opened.
    """

    id: str
    proposal: str
    seconds: float
    refused: Refused | None = None
    before: RoundView | None = None
    after: RoundView | None = None
    partial: bool = False


class StoredEntry(Struct, frozen=True, kw_only=True):
    entry: int
    lines: list[Raw]


class SaidHistory(_ServerMessage, frozen=True, kw_only=True, tag="history"):
    """Stored entries that fit into one message.

    Attributes:
        before: fingerprint of the log before; empty: none.
        fault: why they cannot be read; empty: valid.
    """

    id: str
    log: str
    last: int = 0
    before: str = ""
    entries: list[StoredEntry] = []
    fault: str = ""


class SaidProof(_ServerMessage, frozen=True, kw_only=True, tag="proof"):
    """A verified proof of a round; empty with a ``fault``."""

    id: str
    proof: str = ""
    fault: str = ""


class SaidEquipment(_ServerMessage, frozen=True, kw_only=True, tag="equipment"):
    """The state of the equipment; empty of a program without devices."""

    id: str
    equipment: EquipmentStatus = EquipmentStatus()


class Error(_ServerMessage, frozen=True, kw_only=True, tag="error"):
    """An error; ends the connection, except ``malformed`` and ``subscribed``."""

    code: ErrorCode
    reason: str
    left_out: int = 0


class Bye(_ServerMessage, frozen=True, kw_only=True, tag="bye"):
    """The table's program ends; lines up to `seq` were sent.

    Attributes:
        reason: ``closed``: table and log; ``stopped``: the log stays open.
    """

    seq: int
    reason: Literal["closed", "stopped"]


Said = (
    Hello
    | SnapshotMessage
    | Resumed
    | LineMessage
    | ViewMessage
    | ChangeMessage
    | NoteMessage
    | InputResult
    | RequestDeclined
    | ActOutcome
    | SessionBegun
    | Done
    | ProposalWaits
    | SaidHistory
    | SaidProof
    | SaidEquipment
    | Error
    | Bye
)

_requests: Final[msgspec.json.Decoder[Request]] = msgspec.json.Decoder(Request)
_said: Final[msgspec.json.Decoder[Said]] = msgspec.json.Decoder(Said)
_KINDS: Final = {str(one.__struct_config__.tag) for one in get_args(Said)}
_encode: Final = msgspec.json.Encoder().encode


def read_request(line: bytes) -> Request:
    """Parse a client's message.

    Raises:
        ValueError: not a message.
    """
    if nests_too_deep(line):
        raise ValueError("nested too deep")
    try:
        return _requests.decode(line.decode())  # of parts that are kept as they came, the library looks at no sign
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(str(error)) from error


def read_said(line: bytes) -> Said | None:
    """Parse a table's message; ``None``: an unknown kind of a later version.

    Raises:
        ValueError: not a message.
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


def part_of(line: bytes) -> Raw:
    """A log line as part of a message.

    Raises:
        ValueError: not JSON.
    """
    try:
        return Raw(_encode(msgspec.json.decode(line)))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(str(error)) from error


def written(message: Request | Said) -> bytes:
    """A message with line end.

    Raises:
        ValueError: a part not made by `part_of` has a line feed.
    """
    line = _encode(message)
    if b"\n" in line:
        raise ValueError("a part of the message has a line feed")
    return line + b"\n"


def written_line(line: bytes) -> bytes:
    """A durable line, unchanged."""
    return b'{"type":"line","line":' + line + b"}\n"

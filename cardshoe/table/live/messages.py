"""The messages on a table's live socket: JSON, one object a line, in both directions (`docs/live.md`)."""

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
"""Version of the protocol. Readers ignore unknown messages and fields."""
LINE_MAX: Final = 65_536
"""Bytes of a client's line, its end included."""
Id = Annotated[str, Meta(min_length=1, max_length=128)]
Because = Literal["asked", "not_kept", "other_log", "ahead"]
"""Why a client gets a snapshot and not the lines after one that it named."""
ErrorCode = Literal["malformed", "too_long", "version", "slow", "idle", "full", "not_yours", "subscribed", "no_view"]
NotTakenCode = Literal["malformed", "not_for_persons", "which_device"] | RefusalOfPersons
Secret = Annotated[str, Meta(max_length=128)]
"""A session's token, a proposal's id, a PIN, a code."""
LogName = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]
Screen = Literal["table", "own"]
"""Whose screen a client shows: the one that all at the table share, or a person's own."""


class _Request(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """A message of a client."""

    live: int = VERSION


class AskSnapshot(_Request, frozen=True, kw_only=True, tag="snapshot"):
    """Asks for the table as it is now, once."""


class Subscribe(_Request, frozen=True, kw_only=True, tag="subscribe"):
    """Asks for each durable line from here on.

    Attributes:
        after: the last line that the client has; left out: it has none, and gets a snapshot first.
    """

    after: Annotated[int, Meta(ge=0)] | None = None
    log: str | None = None
    notes: bool = False
    view: bool = False


class SubmitInput(_Request, frozen=True, kw_only=True, tag="input"):
    """A person's input.

    Attributes:
        key: idempotency key: the input is applied once and always gets the first answer.
    """

    id: Id
    line: Raw
    session: Secret | None = None
    key: Id | None = None


class SayAct(_Request, frozen=True, kw_only=True, tag="act"):
    """A person asks the devices for something."""

    id: Id
    act: Literal["clear_error", "shuffle", "eject"]
    number: int | None = None
    session: Secret | None = None


class _WithPin(_Request, frozen=True, kw_only=True):
    """A message with a secret that may be wrong."""

    id: Id
    source: Source | None = None


class SignIn(_WithPin, frozen=True, kw_only=True, tag="sign_in"):
    """A person shows who is there."""

    person: Id
    pin: Secret
    screen: Screen = "table"


class SignOut(_Request, frozen=True, kw_only=True, tag="sign_out"):
    """Ends a session."""

    id: Id
    session: Secret


class AskSession(_Request, frozen=True, kw_only=True, tag="session"):
    """Asks whose session this is, and whether it has ended; it keeps none alive."""

    id: Id
    session: Secret


class Enrol(_WithPin, frozen=True, kw_only=True, tag="enrol"):
    """Add the first supervisor of a table without staff.

    Attributes:
        code: one-time code that the table printed at its start.
    """

    person: Id
    pin: Secret
    code: Secret


class Propose(_Request, frozen=True, kw_only=True, tag="propose"):
    """A person proposes an act of two."""

    id: Id
    line: Raw
    session: Secret | None = None
    key: Id | None = None


class Approve(_WithPin, frozen=True, kw_only=True, tag="approve"):
    """A second person approves, without being signed in.

    Attributes:
        session: the proposer's, if several screens share the connection: approval counts on that screen alone.
    """

    proposal: Secret
    person: Id
    pin: Secret
    session: Secret | None = None


class OpenTable(_WithPin, frozen=True, kw_only=True, tag="open"):
    """Two people open a closed table: the one of the session, and a second with ID and PIN."""

    session: Secret
    person: Id
    pin: Secret


class AskHistory(_Request, frozen=True, kw_only=True, tag="history"):
    """Asks for stored entries.

    Attributes:
        log: the fingerprint; left out: the running log.
        first: number of the first entry wanted, from 0, the header.
    """

    id: Id
    log: LogName | None = None
    first: Annotated[int, Meta(ge=0)] = 0


class AskProof(_Request, frozen=True, kw_only=True, tag="proof"):
    """Asks for the proof of a round, by the numbers of its first and last entry."""

    id: Id
    log: LogName
    first: Annotated[int, Meta(ge=1)]
    last: Annotated[int, Meta(ge=1)]
    round: Annotated[int, Meta(ge=1)]


class AskEquipment(_Request, frozen=True, kw_only=True, tag="equipment"):
    """Asks for the state of the equipment."""

    id: Id


Reading = AskHistory | AskProof
"""Messages about stored entries, each of which gets one answer."""
Personal = SubmitInput | SayAct | SignIn | SignOut | AskSession | Enrol | Propose | Approve | OpenTable
"""Messages with an id, each of which gets one answer."""
Request = AskSnapshot | Subscribe | Reading | AskEquipment | Personal


class _ServerMessage(Struct, frozen=True, kw_only=True, tag_field="type"):
    """A message of the table."""


class Hello(_ServerMessage, frozen=True, kw_only=True, tag="hello"):
    """The first message."""

    live: int
    build: str
    table: str
    log: str
    seq: int
    entry: int
    persons: bool = False


class SnapshotMessage(_ServerMessage, frozen=True, kw_only=True, tag="snapshot"):
    """The table after a line."""

    log: str
    seq: int
    because: Because
    view: Raw


class Resumed(_ServerMessage, frozen=True, kw_only=True, tag="resumed"):
    """The lines after `seq` follow, as the client asked."""

    log: str
    seq: int


class LineMessage(_ServerMessage, frozen=True, kw_only=True, tag="line"):
    """A durable line, byte for byte as the journal has it."""

    line: Raw


class ViewMessage(_ServerMessage, frozen=True, kw_only=True, tag="view"):
    """The table after the missed lines; `seq` is the last of them."""

    seq: int
    view: Raw


class ChangeMessage(_ServerMessage, frozen=True, kw_only=True, tag="change"):
    """The change in the view by the lines that were sent since."""

    change: Raw


class NoteMessage(_ServerMessage, frozen=True, kw_only=True, tag="note"):
    """A note that the journal has just signed: a checkpoint, or the statement of a key (`docs/journal.md`).

    Durable; it may come before the last of the lines that it covers.
    """

    note: str


class InputResult(_ServerMessage, frozen=True, kw_only=True, tag="answer"):
    """The result of an input; it is durable.

    Attributes:
        refused: why the regulation refused it; ``None``: it was taken.
    """

    id: str
    seq: int
    refused: RefusalCode | None
    lines: list[Raw]


class RequestDeclined(_ServerMessage, frozen=True, kw_only=True, tag="not_taken"):
    """An input that no person may say, or nobody understands: it is written nowhere.

    Attributes:
        again_s: seconds after which it may be tried again; ``None``: time alone does not help.
    """

    id: str
    code: NotTakenCode
    field: str
    reason: str
    remedy: str = ""
    again_s: float | None = None


class ActOutcome(_ServerMessage, frozen=True, kw_only=True, tag="acted"):
    """Outcome of an act by device: ``None``: done, else why not."""

    id: str
    devices: dict[str, str | None]


class SessionBegun(_ServerMessage, frozen=True, kw_only=True, tag="signed_in"):
    """A session has begun, of this connection alone.

    Attributes:
        idle_s: seconds of silence that end it; ``None``: none do.
    """

    id: str
    session: str
    person: str
    role: Role
    idle_s: float | None


class Done(_ServerMessage, frozen=True, kw_only=True, tag="done"):
    """A session was ended, or a person added."""

    id: str


class ProposalWaits(_ServerMessage, frozen=True, kw_only=True, tag="proposed"):
    """A proposal waits for its second person.

    Attributes:
        seconds: for which it waits.
        refused: the `refused` that it would get; ``None``: it would be accepted, as far as open cards show.
        before: the round as it is; ``None``: no round is concerned.
        after: the round as it would be, from the open cards alone.
        partial: whether more follows once a card that lies face down is opened.
    """

    id: str
    proposal: str
    seconds: float
    refused: Refused | None = None
    before: RoundView | None = None
    after: RoundView | None = None
    partial: bool = False


class StoredEntry(Struct, frozen=True, kw_only=True):
    """A stored entry, byte for byte as in the journal."""

    entry: int
    lines: list[Raw]


class SaidHistory(_ServerMessage, frozen=True, kw_only=True, tag="history"):
    """Stored entries, as many as fit into one message.

    Attributes:
        last: number of the log's last entry.
        before: the fingerprint of the log before; empty: none.
        fault: the reason if the entries cannot be read; empty: these are the first of those wanted, or all.
    """

    id: str
    log: str
    last: int = 0
    before: str = ""
    entries: list[StoredEntry] = []
    fault: str = ""


class SaidProof(_ServerMessage, frozen=True, kw_only=True, tag="proof"):
    """The proof of a round, verified just now.

    Attributes:
        proof: the file as docs/journal.md defines it; empty if `fault` has the reason.
        fault: the reason if the round is not proved.
    """

    id: str
    proof: str = ""
    fault: str = ""


class SaidEquipment(_ServerMessage, frozen=True, kw_only=True, tag="equipment"):
    """The state of the equipment; empty of a program without devices."""

    id: str
    equipment: EquipmentStatus = EquipmentStatus()


class Error(_ServerMessage, frozen=True, kw_only=True, tag="error"):
    """Something is wrong; after all codes but ``malformed`` and ``subscribed`` the connection ends."""

    code: ErrorCode
    reason: str
    left_out: int = 0


class Bye(_ServerMessage, frozen=True, kw_only=True, tag="bye"):
    """The program of the table ends; every line up to `seq` was sent to whoever subscribed.

    Attributes:
        reason: ``closed``: table and log are closed; ``stopped``: the log stays open.
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
    """Read a message of a client.

    Raises:
        ValueError: it is none of the messages.
    """
    if nests_too_deep(line):
        raise ValueError("nested too deep")
    try:
        return _requests.decode(line.decode())  # of parts that are kept as they came, the library looks at no sign
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(str(error)) from error


def read_said(line: bytes) -> Said | None:
    """Read a message of a table; ``None``: a kind of message of a later program.

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


def part_of(line: bytes) -> Raw:
    """A line of the table log as part of a message, written again.

    Raises:
        ValueError: it is not JSON.
    """
    try:
        return Raw(_encode(msgspec.json.decode(line)))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(str(error)) from error


def written(message: Request | Said) -> bytes:
    """A message as it is sent, with the line's end.

    Raises:
        ValueError: a part of it was not written by `part_of` and has a line feed, which would begin another message.
    """
    line = _encode(message)
    if b"\n" in line:
        raise ValueError("a part of the message has a line feed")
    return line + b"\n"


def written_line(line: bytes) -> bytes:
    """A durable line as it is sent: no byte of it is touched."""
    return b'{"type":"line","line":' + line + b"}\n"

"""Bodies of the requests and answers by which persons say something."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, Raw, Struct

from cardshoe.screens.view.parts import RoundView
from cardshoe.table.live.messages import Id, Screen, Secret
from regulations.events.vocabulary import Role


class SessionRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person's sign-in, at the shared or the own screen."""

    id: Id
    pin: Secret
    screen: Screen = "table"


class EnrolmentRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first supervisor: an id, the one-time code that the table made, and a PIN."""

    id: Id
    code: Secret
    pin: Secret


class ActRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to the devices; ``number``: of the error to clear."""

    act: Literal["clear_error", "shuffle", "eject"]
    number: Annotated[int, Meta(ge=0, le=999_999_999)] | None = None


class ProposalRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An input of two persons, without ``by``."""

    input: dict[str, Any]


class ApprovalRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who approves, with the PIN."""

    id: Id
    pin: Secret


class SessionInfo(Struct, frozen=True, kw_only=True):
    """A session.

    Attributes:
        idle_s: seconds of silence that end it; ``None``: none do.
    """

    id: str
    role: Role
    may: Sequence[str]
    csrf: str
    idle_s: float | None


class InputAccepted(Struct, frozen=True, kw_only=True):
    """The result of an input."""

    seq: int
    input: Raw
    lines: Sequence[Raw]


class ActionResult(Struct, frozen=True, kw_only=True):
    """By device: ``None`` where it was sent, else why not."""

    devices: dict[str, str | None]


class EnrolmentResult(Struct, frozen=True, kw_only=True):
    """Who was added."""

    id: str


class SecondPerson(Struct, frozen=True, kw_only=True):
    """The roles that can approve: one of these roles, of which ``role`` is the one to ask for."""

    role: Role
    roles: Sequence[Role]


class ProposalWaiting(Struct, frozen=True, kw_only=True):
    """A proposal: its id, for how many seconds it waits, what was proposed, and whom it needs.

    Attributes:
        before: the round as it is; ``None``: no round is concerned.
        after: the round as it would be, from the open cards alone.
        partial: whether more follows once a card that lies face down is opened.
        changes: the difference as HTML list items, for a page of this display.
    """

    id: str
    expires_s: float
    input: dict[str, Any]
    needs: SecondPerson
    before: RoundView | None = None
    after: RoundView | None = None
    partial: bool = False
    changes: str = ""


class ApprovalAwaited(Struct, frozen=True, kw_only=True):
    """A proposal that waits for its second person, for the supervisor's page.

    Attributes:
        at: since when, RFC 3339, UTC.
        ends_s: when it expires, on the monotonic clock.
    """

    proposal: str
    event: str
    person: str
    at: str
    ends_s: float

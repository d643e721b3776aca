"""Bodies of people's requests, and of the answers."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, Raw, Struct

from cardshoe.screens.view.parts import RoundView
from cardshoe.table.live.messages import Id, Screen, Secret
from regulations.events.vocabulary import Role


class SessionRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sign-in, at the shared or the person's own screen.

    Attributes:
        relieves: the next croupier's, at the supervisor's page: the supervisor's session continues over it.
    """

    id: Id
    pin: Secret
    screen: Screen = "table"
    relieves: bool = False


class EnrolmentRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first supervisor: id, one-time code, and PIN."""

    id: Id
    code: Secret
    pin: Secret


class ActRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to the devices; ``number``: of the error to clear."""

    act: Literal["clear_error", "shuffle", "eject"]
    number: Annotated[int, Meta(ge=0, le=999_999_999)] | None = None


class ProposalRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An input of two people, without ``by``."""

    input: dict[str, Any]


class ApprovalRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The second person, with PIN."""

    id: Id
    pin: Secret


class SessionInfo(Struct, frozen=True, kw_only=True):
    """A session; ``idle_s`` ``None``: no limit of silence."""

    id: str
    role: Role
    may: Sequence[str]
    csrf: str
    idle_s: float | None


class InputAccepted(Struct, frozen=True, kw_only=True):
    seq: int
    input: Raw
    lines: Sequence[Raw]


class ActionResult(Struct, frozen=True, kw_only=True):
    """By device: ``None``: sent, else why not."""

    devices: dict[str, str | None]


class EnrolmentResult(Struct, frozen=True, kw_only=True):
    id: str


class SecondPerson(Struct, frozen=True, kw_only=True):
    role: Role
    roles: Sequence[Role]


class ProposalWaiting(Struct, frozen=True, kw_only=True):
    """A waiting proposal.

    Attributes:
        after: from the open cards alone.
        partial: more follows once a face-down card is opened.
        changes: HTML list items.
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
    """A waiting proposal for the supervisor's page.

    Attributes:
        at: since, RFC 3339, UTC.
        ends_s: expiry, monotonic.
    """

    proposal: str
    event: str
    person: str
    at: str
    ends_s: float

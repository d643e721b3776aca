"""Inputs that are recorded and change nothing at the table."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType, field

from regulations.events.line import DeviceReport, Input
from regulations.events.ranges import By, DeviceNumber, LineNumber, Name, Number, Seconds, Text
from regulations.events.vocabulary import DeviceVerdict, Place, Role, SignedOutBecause


class DeviceIdentified(DeviceReport, frozen=True, kw_only=True):
    """Identity and abilities of a device; again when one changes.

    Attributes:
        digest: SHA-256 of its firmware, hexadecimal, as it reports it.
        reads: whether it reads the cards that it deals (reading G19).
    """

    device: str
    maker: str
    model: str
    serial: str | UnsetType = UNSET
    firmware: str | UnsetType = UNSET
    digest: str | UnsetType = UNSET
    security_counter: DeviceNumber | UnsetType = UNSET
    reads: bool = False
    cut_card: bool = False


class DeviceCheck(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One comparison that was made of a device.

    Attributes:
        check: ``certificate``, ``enrolment``, ``identity``, ``attestation``, ``firmware``, ``admission``,
            ``registry``.
        ok: whether it passed.
        code: ``ok``, or the reason (``docs/trust.md``).
        detail: the cause, if it did not.
    """

    check: str
    ok: bool
    code: str
    detail: str | UnsetType = UNSET


class DeviceJudged(DeviceReport, frozen=True, kw_only=True):
    """The decision whether a device may be at the table; a refusal comes with a ``fault``.

    Attributes:
        verdict: whether it may be used; at each session, and at each stack where the site verifies devices.
        digest: SHA-256 of its firmware, hexadecimal; attested if ``attestation`` passed.
        checks: every comparison.
        by: ids of those who admitted it, the proposer first.
        registry: number and hash of the last line of the site's registry.
    """

    device: str
    verdict: DeviceVerdict
    maker: str | UnsetType = UNSET
    model: str | UnsetType = UNSET
    serial: str | UnsetType = UNSET
    firmware: str | UnsetType = UNSET
    digest: str | UnsetType = UNSET
    security_counter: DeviceNumber | UnsetType = UNSET
    checks: list[DeviceCheck] = field(default_factory=list)
    by: list[str] = field(default_factory=list)
    registry: str | UnsetType = UNSET


class DeviceNoted(DeviceReport, frozen=True, kw_only=True):
    """A report, ``note`` (``shuffle_started``) with its ``value``, that changes nothing."""

    device: str
    note: str
    value: DeviceNumber | UnsetType = UNSET


class ClockStepped(Input, frozen=True, kw_only=True):
    """The computer's clock was set: times before and after this line do not compare.

    Attributes:
        seconds: the step, to the millisecond; below 0 if the clock went back.
    """

    seconds: Seconds


class WitnessBehind(Input, frozen=True, kw_only=True):
    """A witness of the journal lacks signatures; once for each outage.

    Attributes:
        notes: number of signatures that it lacks.
        seconds: age of the oldest of them, more than 60.
    """

    witness: str
    notes: Number
    seconds: Number


class WitnessCurrent(Input, frozen=True, kw_only=True):
    """A witness that was behind holds every signature again.

    Attributes:
        seconds: since ``witness_behind``.
    """

    witness: str
    seconds: Number


class SignedIn(Input, frozen=True, kw_only=True):
    """A person signed in with a PIN, in this ``role``, at this ``place``; also a change of croupier."""

    person: str
    role: Role
    place: Place


class SignedOut(Input, frozen=True, kw_only=True):
    """A person is no longer signed in at this ``place``, ``because`` of this."""

    person: str
    place: Place
    because: SignedOutBecause


class RefusedId(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Refusals of one id.

    Attributes:
        person: the id, of a known person.
        count: number of refusals.
    """

    person: Annotated[str, Meta(max_length=64)]
    count: Number


class SignInsRefused(Input, frozen=True, kw_only=True):
    """PINs were refused, for sign-ins or approvals.

    Attributes:
        count: number of refusals, from 1.
        since: time of the first, RFC 3339, UTC.
        ids: known ids that were entered, the most frequent first; absent: none.
    """

    count: Number
    since: str
    ids: Annotated[list[RefusedId], Meta(max_length=16)] | UnsetType = UNSET


class PersonsListed(Input, frozen=True, kw_only=True):
    """The staff list of the floor that is in force; when it changes, and at each start.

    Attributes:
        version: version of the list, from 1.
        issued: when the floor signed it, RFC 3339, UTC.
        until: end of its validity, RFC 3339, UTC.
        persons: number of people on it.
        lapsed: whether ``until`` has passed: then only croupiers may sign in.
    """

    version: Number
    issued: str
    until: str
    persons: Number
    lapsed: bool = False


class TableOpened(Input, frozen=True, kw_only=True):
    """Two people opened the table at its screen, after a log that was closed (``docs/persons.md``).

    Attributes:
        closed: fingerprint of the closed log.
        root: root of its tree after its last entry, hexadecimal.
        entries: in that log, from 1.
    """

    by: By
    closed: Name
    root: Name
    entries: LineNumber


class SupervisorCalled(Input, frozen=True, kw_only=True):
    """The croupier has called a supervisor."""

    reason: Text = ""


Notice = (
    DeviceIdentified
    | DeviceJudged
    | DeviceNoted
    | ClockStepped
    | WitnessBehind
    | WitnessCurrent
    | SignedIn
    | SignedOut
    | SignInsRefused
    | PersonsListed
    | SupervisorCalled
    | TableOpened
)

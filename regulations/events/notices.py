"""Inputs that are recorded and change nothing at the table."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType, field

from regulations.events.line import DeviceReport, Input
from regulations.events.ranges import By, DeviceNumber, LineNumber, Name, Number, Seconds, Text
from regulations.events.vocabulary import DeviceVerdict, Place, Role, SignedOutBecause


class DeviceIdentified(DeviceReport, frozen=True, kw_only=True):
    """The identity and the abilities of a device; unset where its family does not report them.

    Attributes:
        digest: SHA-256 of that firmware, hexadecimal, as the device says it.
        reads: whether it reads the cards that it deals: then people enter them only by two (reading G19).
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
        check: ``certificate``, ``enrolment``, ``identity``, ``attestation``, ``firmware``, ``admission``, ``registry``.
        code: ``ok``, or the reason (``docs/trust.md``).
    """

    check: str
    ok: bool
    code: str
    detail: str | UnsetType = UNSET


class DeviceJudged(DeviceReport, frozen=True, kw_only=True):
    """The decision whether a device may be at the table; a refusal comes with a ``fault``.

    Attributes:
        digest: SHA-256 of that firmware, hexadecimal; attested if the check ``attestation`` holds.
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
    """A report of a device that is recorded and changes nothing."""

    device: str
    note: str
    value: DeviceNumber | UnsetType = UNSET


class ClockStepped(Input, frozen=True, kw_only=True):
    """The wall clock was set, by hand or by a time server: times before and after do not compare.

    Attributes:
        seconds: how far it stepped, to the millisecond; below 0 if it went back.
    """

    seconds: Seconds


class WitnessBehind(Input, frozen=True, kw_only=True):
    """A witness of the journal lacks signatures for too long.

    Attributes:
        seconds: for how long the oldest of them has.
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
    """A person signed in with a PIN; also a change of croupier."""

    person: str
    role: Role
    place: Place


class SignedOut(Input, frozen=True, kw_only=True):
    """A person is no longer signed in."""

    person: str
    place: Place
    because: SignedOutBecause


class RefusedId(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An id of a person with which PINs were refused.

    Attributes:
        count: how often, from 1.
    """

    person: Annotated[str, Meta(max_length=64)]
    count: Number


class SignInsRefused(Input, frozen=True, kw_only=True):
    """PINs were refused, of sign-ins or approvals.

    Attributes:
        count: how often, from 1.
        since: when the first of these was, RFC 3339, UTC.
        ids: with which ids of known persons, those with the most refusals; left out if with none.
    """

    count: Number
    since: str
    ids: Annotated[list[RefusedId], Meta(max_length=16)] | UnsetType = UNSET


class PersonsListed(Input, frozen=True, kw_only=True):
    """Another staff list of the floor is in force, or the list has lapsed.

    Attributes:
        version: of the list, from 1; the floor gives another to each change.
        issued: when the floor signed it, RFC 3339, UTC.
        until: to when it counts, RFC 3339, UTC.
        lapsed: whether ``until`` has passed: then only croupiers may still sign in.
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

"""Inputs that change nothing at the table and stand in its log all the same: who a device is, what a clock did."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType, field

from regulations.events.line import DeviceReport, Input
from regulations.events.ranges import DeviceNumber, Number, Seconds, Text
from regulations.events.vocabulary import DeviceVerdict, Place, Role, SignedOutBecause


class DeviceIdentified(DeviceReport, frozen=True, kw_only=True):
    """A device has said who it is and what it can do. A family whose devices cannot say leaves the rest unset.

    Attributes:
        maker: who made it.
        model: the maker's name for the kind of device.
        serial: the number of this device.
        firmware: the version of the firmware that runs.
        digest: SHA-256 of that firmware, hexadecimal, as the device says it.
        security_counter: of that firmware.
        reads: whether it reads the cards that it deals: then people enter them only by two (reading G19).
        cut_card: whether it reports the cut card.
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
        check: what was looked at: ``certificate``, ``enrolment``, ``identity``, ``attestation``, ``firmware``,
            ``admission``, ``registry``.
        ok: whether it holds.
        code: ``ok``, or why it does not hold (``docs/trust.md`` has them all).
        detail: what was found, for a person; where it does not hold, or rests on persons alone.
    """

    check: str
    ok: bool
    code: str
    detail: str | UnsetType = UNSET


class DeviceJudged(DeviceReport, frozen=True, kw_only=True):
    """A judgement on whether a device may be at the table. It changes nothing there: a refusal comes with a ``fault``.

    Attributes:
        verdict: what came of it.
        maker: who made it; this and what follows is there as far as it is known.
        model: the maker's name for the kind of device.
        serial: the number of this device.
        firmware: the version of the firmware that runs.
        digest: SHA-256 of that firmware, hexadecimal; attested if the check ``attestation`` holds.
        security_counter: of that firmware.
        checks: all that were made, in their order.
        by: the persons who let it in: who proposed it, who approved it.
        registry: head of the site's registry by which it was judged.
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
    """A device reports what changes nothing at the table and yet belongs into the log.

    Attributes:
        note: what happened, ``cover_closed``.
        value: a number that belongs to it.
    """

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
    """A witness of the journal has lacked signatures for too long; at the table nothing changes.

    Attributes:
        witness: which one.
        notes: signatures that wait for it.
        seconds: for how long the oldest of them has.
    """

    witness: str
    notes: Number
    seconds: Number


class WitnessCurrent(Input, frozen=True, kw_only=True):
    """A witness that was behind holds every signature again; at the table nothing changes.

    Attributes:
        witness: which one.
        seconds: since it was told to be behind.
    """

    witness: str
    seconds: Number


class SignedIn(Input, frozen=True, kw_only=True):
    """A person has shown by a PIN who is there; at the table nothing changes. A change of croupier is such a line.

    Attributes:
        person: the id, as it stands in ``by``.
        role: what the person may do.
        place: where.
    """

    person: str
    role: Role
    place: Place


class SignedOut(Input, frozen=True, kw_only=True):
    """A person is no longer signed in; at the table nothing changes.

    Attributes:
        person: the id.
        place: where.
        because: why.
    """

    person: str
    place: Place
    because: SignedOutBecause


class RefusedId(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An id of a person with which PINs were refused.

    Attributes:
        person: the id.
        count: how often, from 1.
    """

    person: Annotated[str, Meta(max_length=64)]
    count: Number


class SignInsRefused(Input, frozen=True, kw_only=True):
    """Persons were refused who wanted to sign in, or to approve; at the table nothing changes.

    Attributes:
        count: how often, from 1.
        since: when the first of these was, RFC 3339, UTC.
        ids: with which ids of known persons, those with the most refusals; left out if with none.
    """

    count: Number
    since: str
    ids: Annotated[list[RefusedId], Meta(max_length=16)] | UnsetType = UNSET


class PersonsListed(Input, frozen=True, kw_only=True):
    """Another list of the floor says who may say what, or its time is over; at the table nothing changes.

    Attributes:
        version: of the list, from 1; the floor gives another to each change.
        issued: when the floor signed it, RFC 3339, UTC.
        until: to when it counts, RFC 3339, UTC.
        persons: how many it names, those who are disabled included.
        lapsed: whether its time is over: of its persons croupiers alone may still sign in.
    """

    version: Number
    issued: str
    until: str
    persons: Number
    lapsed: bool = False


class SupervisorCalled(Input, frozen=True, kw_only=True):
    """The croupier has called a supervisor; at the table nothing changes.

    Attributes:
        reason: what for, for a person.
    """

    reason: Text = ""

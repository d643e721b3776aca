"""Who may say what: a person enters what persons see, do and decide, never what a device, a judge or a clock says.

Where an input came from is known by the way it came in (``docs/table-log.md``, "Who says what"); this page of data says
which way may bring which event.
"""

from typing import Final

import msgspec
from msgspec import UNSET

from regulations.events.errors import WrongOrigin
from regulations.events.inputs import AnyInput
from regulations.events.line import DeviceReport
from regulations.events.vocabulary import Origin

_SEEN: Final[tuple[Origin, ...]] = ("device", "person")
_ASKED: Final[tuple[Origin, ...]] = ("person",)
_REPORTED: Final[tuple[Origin, ...]] = ("device",)
_JUDGED: Final[tuple[Origin, ...]] = ("table",)

ALLOWED_ORIGINS: Final[dict[str, tuple[Origin, ...]]] = {
    # What happens at the table: devices see it, and so do persons.
    "shuffled": _SEEN,
    "loaded": _SEEN,
    "cards_returned": _SEEN,
    "stack_counted": _SEEN,
    "card": _SEEN,
    "cut_card": _SEEN,
    "revealed": _SEEN,
    "exposed": _SEEN,
    # What persons do, ask for and decide.
    "cut": _ASKED,
    "cut_card_placed": _ASKED,
    "equipment": _ASKED,
    "bets_closed": _ASKED,
    "bets_corrected": _ASKED,
    "bettor_left": _ASKED,
    "demonstration": _ASKED,
    "decision": _ASKED,
    "round_closed": _ASKED,
    "shoe_ended": _ASKED,
    "misdeal": _ASKED,
    "dispute": _ASKED,
    "supervisor_called": _ASKED,
    "resolve": _ASKED,
    "void": _ASKED,
    "device_readmitted": _ASKED,
    "closed": ("person", "table"),  # the table's own, where its disk has no room
    # What devices say, or their bridges of the line to them. Judge and USB guard raise and end faults of their own.
    "fault": ("device", "table"),
    "fault_cleared": ("device", "table"),
    "device_lost": _REPORTED,
    "device_back": _REPORTED,
    "device_result": _REPORTED,
    "round_partial": _REPORTED,
    "device_identified": _REPORTED,
    "device_noted": _REPORTED,
    # What the table itself says: its configuration, judge, clock, witnesses, who is signed in, and by which list.
    "table": _JUDGED,
    "device_judged": _JUDGED,
    "clock_stepped": _JUDGED,
    "witness_behind": _JUDGED,
    "witness_current": _JUDGED,
    "signed_in": _JUDGED,
    "signed_out": _JUDGED,
    "sign_ins_refused": _JUDGED,
    "persons_listed": _JUDGED,
}
"""By event: whose it may be. What does not stand here nobody may say."""

NAMES_EQUIPMENT: Final = frozenset({"loaded", "shuffled"})
"""Where a person may write ``device``: it is not who says it, but which equipment is dealt from, or has shuffled."""

_DEVICES_OWN: Final = ("raw", "boot", "number", "permit")
"""Fields that only a device's line has: they prove to the device what was taken, or it was given them."""

_WHOSE: Final[dict[Origin, str]] = {"device": "devices", "person": "persons", "table": "the table itself"}


def may_say(event: str, origin: Origin) -> bool:
    """True if an event, by its name in the table log, may be of this origin."""
    return origin in ALLOWED_ORIGINS.get(event, ())


def origin_of(event: AnyInput) -> Origin:
    """Whose an input is.

    One that does not say, as in a script, is a device's if it names one, else a person's; what these cannot say is the
    table's.
    """
    if event.origin is not UNSET:
        return event.origin
    name = name_of(event)
    if isinstance(event, DeviceReport) and event.device is not UNSET and may_say(name, "device"):
        return "device"
    return "person" if may_say(name, "person") else "table"


def stated(event: AnyInput) -> AnyInput:
    """An input that says whose it is."""
    return event if event.origin is not UNSET else msgspec.structs.replace(event, origin=origin_of(event))


def check_name(event: str, origin: Origin) -> None:
    """Look whether an event, by its name, may be of an origin.

    Raises:
        WrongOrigin: another says such a thing.
    """
    if not may_say(event, origin):
        whose = " and ".join(_WHOSE[one] for one in ALLOWED_ORIGINS.get(event, ())) or "nobody"
        raise WrongOrigin(event, origin, "$.event", f"`{event}` is said by {whose}, not by {_WHOSE[origin]}")


def check_origin(event: AnyInput) -> None:
    """Look whether an input may be of the origin that it has.

    Raises:
        WrongOrigin: another than this origin says such a thing, or a field of it.
    """
    origin, name = origin_of(event), name_of(event)
    check_name(name, origin)
    if not isinstance(event, DeviceReport):
        return
    if origin == "device" and event.device is UNSET:
        raise WrongOrigin(name, origin, "$.device", f"`{name}` is a device's and does not say which one's")
    if origin == "person":
        if event.device is not UNSET and name not in NAMES_EQUIPMENT:
            raise WrongOrigin(name, origin, "$.device", f"`device` says that a device reports `{name}`, not a person")
        for field in _DEVICES_OWN:
            if getattr(event, field, UNSET) is not UNSET:
                raise WrongOrigin(name, origin, f"$.{field}", f"`{field}` is written by a device alone")


def name_of(event: AnyInput) -> str:
    """An input's name in the table log."""
    return str(event.__struct_config__.tag)

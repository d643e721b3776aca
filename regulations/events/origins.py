"""The origins that each input may have (``docs/table-log.md``, "Who says what")."""

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
    "proposed": _JUDGED,
    "table_opened": _JUDGED,
}
"""An event that is missing here is never accepted."""

NAMES_EQUIPMENT: Final = frozenset({"loaded", "shuffled"})
"""Events in which a person writes ``device``: the equipment that deals or has shuffled."""

_DEVICES_OWN: Final = ("raw", "boot", "number", "permit")

_WHOSE: Final[dict[Origin, str]] = {"device": "devices", "person": "persons", "table": "the table itself"}


def may_originate(event: str, origin: Origin) -> bool:
    return origin in ALLOWED_ORIGINS.get(event, ())


def origin_of(event: AnyInput) -> Origin:
    if event.origin is not UNSET:
        return event.origin
    name = name_of(event)
    if isinstance(event, DeviceReport) and event.device is not UNSET and may_originate(name, "device"):
        return "device"
    return "person" if may_originate(name, "person") else "table"


def fill_origin(event: AnyInput) -> AnyInput:
    return event if event.origin is not UNSET else msgspec.structs.replace(event, origin=origin_of(event))


def check_name(event: str, origin: Origin) -> None:
    if not may_originate(event, origin):
        whose = " and ".join(_WHOSE[one] for one in ALLOWED_ORIGINS.get(event, ())) or "nobody"
        raise WrongOrigin(event, origin, "$.event", f"`{event}` is said by {whose}, not by {_WHOSE[origin]}")


def check_origin(event: AnyInput) -> None:
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
    return str(event.__struct_config__.tag)

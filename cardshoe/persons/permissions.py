"""Permissions for table log events and device acts.

The law (`regulations`) decides how many people an act needs; this table who they may be.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from regulations.events.inputs import (
    AnyInput,
    BetsCorrected,
    BettorLeft,
    DeviceReadmitted,
    Resolve,
    ShoeEnded,
    Void,
)
from regulations.events.vocabulary import Place, Role
from regulations.play.context.irregularities import TWO_PERSONS, TWO_PERSONS_FOR

Roles = frozenset[Role]
_DEALS: Final[Roles] = frozenset({"croupier", "supervisor"})
_SUPERVISES: Final[Roles] = frozenset({"supervisor"})
_EQUIPS: Final[Roles] = frozenset({"supervisor", "technician"})
_TENDS: Final[Roles] = frozenset({"croupier", "supervisor", "technician"})

Named = Resolve | Void | BetsCorrected | BettorLeft | DeviceReadmitted | ShoeEnded


@dataclass(frozen=True, slots=True)
class InputPermission:
    """Roles for an event.

    Attributes:
        says: each person in ``by`` must have one.
        confirms: of two people, one must have one.
    """

    says: Roles
    confirms: Roles = frozenset()


PERMISSIONS: Final[Mapping[str, InputPermission]] = {
    **dict.fromkeys(
        (
            *("shuffled", "cut", "cut_card_placed", "loaded", "cards_returned", "stack_counted"),
            *("card", "cut_card", "revealed", "exposed", "bets_closed", "decision", "round_closed", "misdeal"),
            *("demonstration", "shuffle", "dispute", "supervisor_called"),
        ),
        InputPermission(_DEALS),
    ),
    "closed": InputPermission(_SUPERVISES),
    "equipment": InputPermission(_EQUIPS),
    "clear_error": InputPermission(_TENDS),
    "eject": InputPermission(_TENDS),
    "resolve": InputPermission(_DEALS, confirms=_SUPERVISES),
    "void": InputPermission(_DEALS, confirms=_SUPERVISES),
    "bets_corrected": InputPermission(_DEALS, confirms=_SUPERVISES),
    "bettor_left": InputPermission(_DEALS, confirms=_SUPERVISES),
    "shoe_ended": InputPermission(_DEALS, confirms=_SUPERVISES),
    "device_readmitted": InputPermission(_EQUIPS, confirms=_SUPERVISES),
}
"""Unlisted events are for no person. Surveillance and the regulator only read."""

PAGES: Final[Mapping[str, Roles]] = {
    "rounds": frozenset({"supervisor", "surveillance", "regulator"}),
    "pit": _SUPERVISES,
    "technician": frozenset({"technician"}),
}

PASS_OVER: Final = InputPermission(_TENDS, confirms=_SUPERVISES)

OPEN_TABLE: Final = InputPermission(_TENDS, confirms=_SUPERVISES)

IDLE_S: Final[Mapping[Place, Mapping[Role, float | None]]] = {
    "terminal": {
        "croupier": None,
        "supervisor": 30.0,
        "surveillance": 30.0,
        "technician": 300.0,
        "regulator": 30.0,
    },
    "table_screen": {
        "croupier": None,
        "supervisor": 30.0,
        "surveillance": 30.0,
        "technician": 300.0,
        "regulator": 30.0,
    },
    "own_screen": {
        "croupier": 900.0,
        "supervisor": 900.0,
        "surveillance": 28_800.0,
        "technician": 900.0,
        "regulator": 28_800.0,
    },
}
"""Seconds of silence until sign-out, by place and role; ``None``: no limit."""


_MAY_TAKE_TWO: Final = TWO_PERSONS | {way for _, way in TWO_PERSONS_FOR}


def may_need_two_persons(event: Named) -> bool:
    return not isinstance(event, Resolve) or event.action in _MAY_TAKE_TWO


def persons_of(event: AnyInput) -> list[str] | None:
    """The ids in ``by``; ``None``: not named."""
    return [str(one) for one in event.by] if isinstance(event, Named) else None

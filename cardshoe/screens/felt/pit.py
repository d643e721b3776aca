"""The supervisor's view of a table: stakes of the open round, its devices rung by rung, buttons."""

from collections.abc import Sequence
from typing import Literal

from msgspec import UNSET, Struct

from cardshoe.screens.felt.action_buttons import Offer
from cardshoe.screens.felt.felt import short
from cardshoe.screens.view import TableView
from cardshoe.screens.view.parts import DeviceView
from cardshoe.screens.words.currency import Currency

Rung = Literal["disconnected", "connected", "identified", "faulty", "working"]
"""The highest rung of the ladder that a device has reached."""


class StakesOn(Struct, frozen=True, kw_only=True):
    """The stakes on one kind of wager in the open round.

    Attributes:
        bet: the kind of wager.
        wagers: how many there are.
        staked: their sum as an amount; empty where the table is not told the stakes.
    """

    bet: str
    wagers: int
    staked: str


class DeviceRung(Struct, frozen=True, kw_only=True):
    """A device on the ladder.

    Attributes:
        name: in the configuration.
        rung: the highest that it has reached.
        model: maker, model, serial number and firmware, as far as it said.
    """

    name: str
    rung: Rung
    model: str


def stakes_of(view: TableView, currency: Currency) -> tuple[Sequence[StakesOn], str]:
    """The stakes of the open round by kind of wager, and their sum; from the wagers alone, never from cards."""
    wagers = [] if view.round is None or view.round.result is not UNSET else view.round.wagers
    found = []
    for bet in dict.fromkeys(one.bet for one in wagers):
        stakes = [one.stake for one in wagers if one.bet == bet]
        known = sum(one for one in stakes if one is not UNSET)
        staked = short(currency.text(known)) if known else ""
        found.append(StakesOn(bet=bet, wagers=len(stakes), staked=staked))
    total = sum(one.stake for one in wagers if one.stake is not UNSET)
    return found, short(currency.text(total)) if total else ""


def ladder_of(view: TableView) -> list[DeviceRung]:
    """The devices of the table, each with its rung."""
    return [DeviceRung(name=name, rung=_rung(one), model=_model(one)) for name, one in view.devices.items()]


def _rung(device: DeviceView) -> Rung:
    if device.lost:
        return "disconnected"
    if device.faults:
        return "faulty"
    if device.serial is UNSET and device.model is UNSET:
        return "connected"
    return "working" if device.reads else "identified"


def _model(device: DeviceView) -> str:
    said = (device.maker, device.model, device.serial, device.firmware)
    return " ".join(one for one in said if one is not UNSET)


SUPERVISES = frozenset(
    {"void", "dispute", "misdeal", "shoe_ended", "closed", "equipment", "device_readmitted", "bettor_left"}
)
"""Inputs that a supervisor's page offers besides the options of an irregularity."""


def acts_of(offers: Sequence[Offer]) -> list[Offer]:
    """The buttons of the supervisor's page."""
    return [one for one in offers if one.event in SUPERVISES]

"""The supervisor's view: stakes, devices, buttons."""

from collections import Counter
from collections.abc import Sequence
from math import ceil
from typing import Final, Literal

from msgspec import UNSET, Struct, UnsetType

from cardshoe.screens.felt.action_buttons import Offer
from cardshoe.screens.felt.felt import short
from cardshoe.screens.view import TableView
from cardshoe.screens.view.law import sheet_of
from cardshoe.screens.view.parts import DeviceView, Profile, WagerView
from cardshoe.screens.words.currency import Currency
from regulations.events.vocabulary import Bet

LAST_ROUNDS: Final = 12
SUPERVISES: Final = frozenset(
    {
        *("void", "dispute", "misdeal", "shoe_ended", "closed", "table_opened"),
        *("equipment", "device_readmitted", "bettor_left"),
    }
)
Rung = Literal["disconnected", "connected", "identified", "faulty", "working"]


class EndedRound(Struct, frozen=True, kw_only=True):
    """A round of the shoe game that has ended; of a game where each hand ends by itself `outcome` is empty."""

    number: int
    seq: int
    outcome: str
    voided: bool


class StakesOn(Struct, frozen=True, kw_only=True):
    bet: str
    wagers: int
    staked: str


class Stakes(Struct, frozen=True, kw_only=True):
    """The stakes of the open round, from its wagers alone, never from cards; amounts are empty if none is known.

    Attributes:
        difference: of baccarat: how far the sums on player and banker differ (55/2004 art. 14.º).
        payout: the most that the casino may pay on these wagers beside their stakes; what a bettor may add later does
            not count.
    """

    bets: Sequence[StakesOn] = ()
    total: str = ""
    largest: str = ""
    difference: str = ""
    payout: str = ""


class DeviceRung(Struct, frozen=True, kw_only=True):
    name: str
    rung: Rung
    model: str


def stakes_of(view: TableView, currency: Currency) -> Stakes:
    """The stakes of the open round."""
    wagers = [] if view.round is None or view.round.result is not UNSET else view.round.wagers
    stakes = [(one.bet, 0 if one.stake is UNSET else one.stake) for one in wagers]

    def amount(units: int) -> str:
        return short(currency.text(units)) if units else ""

    def on(bet: str) -> list[int]:
        return [stake for other, stake in stakes if other == bet]

    sides = [sum(on("player")), sum(on("banker"))]
    return Stakes(
        bets=[StakesOn(bet=bet, wagers=len(on(bet)), staked=amount(sum(on(bet)))) for bet in dict(stakes)],
        total=amount(sum(stake for _, stake in stakes)),
        largest=amount(max((stake for _, stake in stakes), default=0)),
        difference=short(currency.text(abs(sides[0] - sides[1]))) if any(sides) else "",
        payout=amount(0 if view.profile is None else largest_payout(view.profile, wagers)),
    )


def largest_payout(profile: Profile, wagers: Sequence[WagerView]) -> int:
    """The best end of these wagers for their bettors, in minor units: no end of the round pays more."""
    bets = sheet_of(profile).bets
    odds, ends = bets.odds(profile.options), bets.ends(profile.options)
    won: dict[tuple[int, int], Counter[Bet]] = {}
    for one in wagers:
        if one.stake is not UNSET:
            won.setdefault((one.seat, one.id), Counter())[one.bet] += ceil(one.stake * odds[one.bet])
    own = {bet for end in bets.own_ends for bet in end}
    table = Counter[Bet]()
    total = 0
    for of_bettor in won.values():
        total += max((sum(of_bettor[bet] for bet in end) for end in bets.own_ends), default=0)
        table.update({bet: paid for bet, paid in of_bettor.items() if bet not in own})
    total += max((sum(table[bet] for bet in end) for end in ends), default=0)
    return total + sum(paid for bet, paid in table.items() if not any(bet in end for end in ends))


def ended_of(view: TableView) -> list[EndedRound]:
    """The last rounds of the shoe game, the newest first."""
    return [
        EndedRound(
            number=one.round - view.shoe.before,
            seq=one.seq,
            outcome="" if isinstance(one.result, UnsetType) else str(one.result.get("outcome", "")),
            voided=one.voided is not UNSET,
        )
        for one in view.results[: -LAST_ROUNDS - 1 : -1]
    ]


def ladder_of(view: TableView) -> list[DeviceRung]:
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


def acts_of(offers: Sequence[Offer]) -> list[Offer]:
    return [one for one in offers if one.event in SUPERVISES]

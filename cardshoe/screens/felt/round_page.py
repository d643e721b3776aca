"""A round on a page: hands, cards, wagers, totals, corrections."""

from collections.abc import Sequence

from msgspec import UNSET, Struct

from cardshoe.screens.felt.felt import Key, Payment, key_of, payment_of, short
from cardshoe.screens.rounds.parts import RoundCorrection, RoundFacts
from cardshoe.screens.rounds.sums import Sums, sums_of
from cardshoe.screens.rounds.whole import WholeRound
from cardshoe.screens.view.card_layout import of_owner, owner_of
from cardshoe.screens.view.law import result_of
from cardshoe.screens.view.parts import LyingCard, Profile, RoundView, WagerView
from cardshoe.screens.words.currency import Currency
from regulations.events.outputs import ReturnedWager, SettledWager
from regulations.events.vocabulary import Holder


class HandOnPage(Struct, frozen=True, kw_only=True):
    owner: Holder
    seat: int
    hand: int
    cards: Sequence[LyingCard]
    points: int | None = None
    endings: Sequence[tuple[int, str]] = ()


class WagerShown(Struct, frozen=True, kw_only=True):
    """A wager with its payment.

    Attributes:
        seat: 0: any, wagers are not recorded.
        residue: rounded off, fraction of a minor unit.
    """

    seat: int
    bet: str
    bettor: int
    hand: int
    stake: str
    payment: Payment
    articles: Sequence[str] = ()
    residue: str = ""
    is_returned: bool = False


class Side(Struct, frozen=True, kw_only=True):
    hands: Sequence[HandOnPage]
    outcome: str
    wagers: Sequence[WagerShown]
    is_void: bool


class RoundPage(Struct, frozen=True, kw_only=True):
    facts: RoundFacts
    found: RoundView
    profile: Profile
    now: Side
    sums: Sums
    amounts: dict[str, str]
    corrections: Sequence[tuple[RoundCorrection, Side, Side]]


def page_of(whole: WholeRound, currency: Currency) -> RoundPage:
    profile, facts, found = whole
    sums = sums_of(found)
    told = {"staked": sums.staked, "won": sums.won, "lost": sums.lost, "returned": sums.returned}
    told |= {"carried": sums.carried, "house": sums.house}
    has_stakes = any(one.stake is not UNSET for one in _all_wagers(found))
    amounts = {name: short(currency.text(units, signed=name == "house")) for name, units in told.items()}
    return RoundPage(
        facts=facts,
        found=found,
        profile=profile,
        now=_side(profile, found, currency),
        sums=sums,
        amounts=amounts if has_stakes else {},
        corrections=[
            (one, _side(profile, one.before, currency), _side(profile, one.after, currency))
            for one in facts.corrections
        ],
    )


def _side(profile: Profile, found: RoundView, currency: Currency) -> Side:
    outcome = "" if found.result is UNSET else str(found.result.get("outcome", ""))
    return Side(
        hands=_hands(profile, found),
        outcome=outcome,
        wagers=_wagers(found, currency),
        is_void=found.voided is not UNSET,
    )


def _hands(profile: Profile, found: RoundView) -> list[HandOnPage]:
    result = result_of(profile, found.result)
    told = {} if result is None else {(one.owner, one.seat, one.hand): one for one in result.shown()}
    owners = dict.fromkeys([*told, *(owner_of(one.to, one.seat, one.hand) for one in found.cards)])
    return [
        HandOnPage(
            owner=owner[0],
            seat=owner[1],
            hand=owner[2],
            cards=of_owner(found.cards, owner),
            points=None if owner not in told else told[owner].points,
            endings=() if owner not in told else told[owner].endings,
        )
        for owner in owners
    ]


def _wagers(found: RoundView, currency: Currency) -> list[WagerShown]:
    settled = {key_of(one): one for one in found.settled}
    returned = {key_of(one): one for one in found.returned}
    keys: dict[Key, None] = dict.fromkeys(key_of(one) for one in _all_wagers(found))
    stakes = {key_of(one): one.stake for one in _all_wagers(found)}
    shown = []
    for key in sorted(keys):
        one, stake = settled.get(key), stakes[key]
        articles = [] if one is None else [one.article, *(one.also or ())]
        shown.append(
            WagerShown(
                seat=key[0],
                bet=key[1],
                bettor=key[2],
                hand=key[3],
                stake="" if stake is UNSET else short(currency.text(stake)),
                payment=payment_of(one, currency),
                articles=articles,
                residue="" if one is None or one.residue is UNSET else one.residue,
                is_returned=key in returned,
            )
        )
    return shown


def _all_wagers(found: RoundView) -> list[WagerView | ReturnedWager | SettledWager]:
    """The settlement of a wager comes last, with the stake then at risk."""
    wagers: list[WagerView | ReturnedWager | SettledWager] = [*found.wagers, *found.returned]
    return [*wagers, *found.settled]

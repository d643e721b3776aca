"""Wagers on the table: closed bets and decisions."""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import UNSET

from cardshoe.screens.view.parts import DecisionView, WagerView
from regulations.events.inputs import Decision, Wager
from regulations.events.outputs import SettledWager
from regulations.events.vocabulary import Bet
from regulations.law.sheet import BetLaw, Sheet


def put_down(standing: Sequence[WagerView], wagers: Iterable[Wager], bets: BetLaw) -> list[WagerView]:
    found = [] if bets.stand_in_tie else [msgspec.structs.replace(one) for one in standing]
    for wager in wagers:
        key = (wager.seat, wager.bet, wager.id)
        same = next((one for one in found if (one.seat, one.bet, one.id) == key), None)
        if same is None:
            found.append(WagerView(seat=wager.seat, bet=wager.bet, id=wager.id, stake=wager.stake))
        elif same.stake is not UNSET and wager.stake is not UNSET:
            same.stake += wager.stake
    return found


def decide(wagers: list[WagerView], event: Decision, sheet: Sheet) -> None:
    choice, main = sheet.choice(event.action), sheet.bets.main
    mains = [one for one in wagers if (one.seat, one.hand, one.bet) == (event.seat, event.hand, main)]
    if choice.raises:
        for one in mains:
            if one.stake is not UNSET and (choice.raises == "all" or one.id == event.id):
                one.stake *= 2
    if choice.splits:
        number = 1 + max((one.hand for one in wagers if one.seat == event.seat), default=1)
        wagers += [msgspec.structs.replace(one, hand=number) for one in mains]
    if choice.beside and event.any_pair is not UNSET:
        _again(wagers, event, choice.beside)
    if choice.adds:
        wagers.append(WagerView(seat=event.seat, bet=choice.adds, id=event.id, stake=event.amount))


def raised(sheet: Sheet, wager: WagerView, decisions: Iterable[DecisionView]) -> int:
    if wager.bet != sheet.bets.main:
        return 0
    here = [one for one in decisions if (one.seat, one.hand) == (wager.seat, wager.hand)]
    return sum({"all": True, "own": one.id == wager.id}.get(sheet.choice(one.action).raises, False) for one in here)


def _again(wagers: list[WagerView], event: Decision, bet: Bet) -> None:
    pairs = [one.pair for one in wagers if (one.seat, one.hand) == (event.seat, event.hand) and one.pair is not UNSET]
    stake = UNSET if isinstance(event.any_pair, bool) else event.any_pair
    pair = 1 + len(pairs)
    wagers.append(WagerView(seat=event.seat, bet=bet, id=event.id, hand=event.hand, stake=stake, pair=pair))


def left_standing(
    wagers: Sequence[WagerView], settled: Sequence[SettledWager], bets: BetLaw, outcome: object
) -> list[WagerView]:
    if bets.stand_in_tie:
        return [one for one in wagers if outcome == "tie" and one.bet in bets.stand_in_tie]
    carried = {(one.seat, one.bet, one.id, one.hand) for one in settled if one.is_carried}
    return [one for one in wagers if (one.seat, one.bet, one.id, one.hand) in carried]

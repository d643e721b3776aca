"""The wagers on the table: as the bets closed, with what decisions added; and what stays for the next round."""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
from msgspec import UNSET

from cardshoe.screens.view.parts import WagerView
from regulations.events.inputs import Decision, Wager
from regulations.events.outputs import SettledWager
from regulations.events.vocabulary import DecisionAction, Game

RAISES: Final[frozenset[DecisionAction]] = frozenset({"double", "challenge"})
"""Decisions that put down once more what lies there (56/2004 art. 17.º, 57/2004 art. 7.º-5)."""
HELD: Final = frozenset({"player", "banker"})
"""Wagers of baccarat whose stakes stand in a tie (55/2004 art. 12.º)."""


def put_down(standing: Sequence[WagerView], wagers: Iterable[Wager], game: Game) -> list[WagerView]:
    """Return the wagers on the table once the bets are closed.

    Args:
        standing: what earlier rounds left.
        wagers: as they were told: in baccarat all of them, elsewhere new money only.
        game: the table's.
    """
    found = [] if game == "baccarat" else [msgspec.structs.replace(one) for one in standing]
    for wager in wagers:
        key = (wager.seat, wager.bet, wager.id)
        same = next((one for one in found if (one.seat, one.bet, one.id) == key), None)
        if same is None:
            found.append(WagerView(seat=wager.seat, bet=wager.bet, id=wager.id, stake=wager.stake))
        elif same.stake is not UNSET and wager.stake is not UNSET:
            same.stake += wager.stake
    return found


def decide(wagers: list[WagerView], event: Decision) -> None:
    """Add a decision to the wagers."""
    mains = [one for one in wagers if one.seat == event.seat and one.hand == event.hand and one.bet in ("main", "ante")]
    if event.action in RAISES:
        for one in mains:
            if one.stake is not UNSET and (one.bet == "main" or one.id == event.id):
                one.stake *= 2
    elif event.action == "split":
        number = 1 + max((one.hand for one in wagers if one.seat == event.seat), default=1)
        wagers += [msgspec.structs.replace(one, hand=number) for one in mains]
        if event.any_pair is not UNSET:
            _pair_again(wagers, event)
    elif event.action == "insurance":
        wagers.append(WagerView(seat=event.seat, bet="insurance", id=event.id, stake=event.amount))


def _pair_again(wagers: list[WagerView], event: Decision) -> None:
    pairs = [one.pair for one in wagers if (one.seat, one.hand) == (event.seat, event.hand) and one.pair is not UNSET]
    stake = UNSET if isinstance(event.any_pair, bool) else event.any_pair
    pair = 1 + len(pairs)
    wagers.append(WagerView(seat=event.seat, bet="any_pair", id=event.id, hand=event.hand, stake=stake, pair=pair))


def left_standing(
    wagers: Sequence[WagerView], settled: Sequence[SettledWager], game: Game, outcome: object
) -> list[WagerView]:
    """Return the wagers that stay on the table for the next round.

    Args:
        wagers: of the round that is closed.
        settled: what holds of its settlements.
        game: the table's.
        outcome: of a round of baccarat.
    """
    if game == "baccarat":
        return [one for one in wagers if outcome == "tie" and one.bet in HELD]
    carried = {(one.seat, one.bet, one.id, one.hand) for one in settled if one.is_carried}
    return [one for one in wagers if (one.seat, one.bet, one.id, one.hand) in carried]

"""How a sensible player plays blackjack, also with face-down cards."""

import random
from collections.abc import Collection, Sequence
from typing import Final

from regulations.events.vocabulary import DecisionAction
from sim.players.cards import ACE, TWENTY_ONE, is_special, ranks_of, total_of, value_of
from sim.players.view import PlayerView

SHOW: Final = "show"
"""The player's cards are to be turned first."""

_ASKED_OPEN: Final[frozenset[str]] = frozenset({"split", "surrender", "even_money", "half_pay"})
_P_SHOWS: Final = 0.3
_PAIR: Final = 2
_FIVE: Final = 5
_HARD_STAND: Final = 17
_STIFF: Final = range(12, _HARD_STAND)
_WEAK: Final = range(2, 7)
_TWELVE_STANDS: Final = range(4, 7)
_HALF_PAY_MAX: Final = 18
# By own points: the croupier's cards against which one doubles.
_DOUBLE_HARD: Final = {9: range(3, 7), 10: range(2, 10), 11: range(2, 11)}
_DOUBLE_SOFT: Final = {
    13: range(5, 7),
    14: range(5, 7),
    15: range(4, 7),
    16: range(4, 7),
    17: range(3, 7),
    18: range(3, 7),
}
# By the value of one of the pair: the croupier's cards against which one splits.
_SPLIT: Final = {
    2: range(2, 8),
    3: range(2, 8),
    4: range(5, 7),
    6: range(2, 7),
    7: range(2, 8),
    8: range(2, ACE + 1),
    9: (2, 3, 4, 5, 6, 8, 9),
    ACE: range(2, ACE + 1),
}
_SURRENDER: Final = {15: range(10, 11), 16: range(9, 11)}
_SOFT_EIGHTEEN: Final = 18
_SOFT_EIGHTEEN_HITS: Final = range(9, ACE + 1)


def possible(actions: Sequence[str], view: PlayerView) -> list[str]:
    """The player sees the hand, even if the table does not."""
    if not view.is_hidden:
        return list(actions)
    points = total_of(view.own).points
    if points > TWENTY_ONE or is_special(view.own):
        return [SHOW]
    if points == TWENTY_ONE:
        return [action for action in actions if action not in ("hit", "double")]
    return list(actions)


def chosen_at_random(actions: Sequence[str], view: PlayerView, rng: random.Random) -> str:
    action = rng.choice(possible(actions, view))
    if view.is_hidden and (_must_be_open(action, view) or rng.random() < _P_SHOWS):
        return SHOW
    return action


def chosen_by_the_book(actions: Sequence[str], view: PlayerView) -> str:
    offered = possible(actions, view)
    if SHOW in offered:
        return SHOW
    if not view.is_hidden:
        return _wanted(offered, view)
    action = _wanted([*offered, *_worth_showing(view)], view)
    return SHOW if action not in offered or _must_be_open(action, view) else action


def _worth_showing(view: PlayerView) -> list[str]:
    if len(view.own) == _PAIR:
        return ["split", "surrender", "double"]
    return ["half_pay"] if len(view.own) == _FIVE else []


def _must_be_open(action: str, view: PlayerView) -> bool:
    return action in _ASKED_OPEN or (action == "double" and view.options.get("double") == "eleven_only")


def _wanted(offered: Collection[str], view: PlayerView) -> str:
    against = value_of(view.croupier[0]) if view.croupier else ACE
    points, is_soft = total_of(view.own)
    wishes: list[DecisionAction] = []
    if points <= _HALF_PAY_MAX:
        wishes.append("half_pay")
    if _is_pair(view) and against in _SPLIT.get(value_of(view.own[0]), ()):
        wishes.append("split")
    if not is_soft and against in _SURRENDER.get(points, ()):
        wishes.append("surrender")
    if against in (_DOUBLE_SOFT if is_soft else _DOUBLE_HARD).get(points, ()) and _may_double(points, view):
        wishes.append("double")
    wishes.append("hit" if _hits(points, against, is_soft=is_soft) else "stand")
    for wish in (*wishes, "stand"):
        if wish in offered:
            return wish
    return next(iter(offered))


def _is_pair(view: PlayerView) -> bool:
    return len(view.own) == _PAIR and len(set(ranks_of(view.own))) == 1


def _may_double(points: int, view: PlayerView) -> bool:
    return len(view.own) == _PAIR and (view.options.get("double") != "eleven_only" or points == ACE)


def _hits(points: int, against: int, *, is_soft: bool) -> bool:
    if is_soft:
        return points < _SOFT_EIGHTEEN or (points == _SOFT_EIGHTEEN and against in _SOFT_EIGHTEEN_HITS)
    if points in _STIFF:
        return against not in (_TWELVE_STANDS if points == _STIFF.start else _WEAK)
    return points < _HARD_STAND

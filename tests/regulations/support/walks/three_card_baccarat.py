"""The exhaustive walk of three-card baccarat."""

from enum import StrEnum
from typing import Final

from regulations.games.three_card_baccarat.states import PHASES
from regulations.games.three_card_baccarat.states import RoundState as R
from regulations.law.rows import others
from regulations.play.shoe.states import ALL
from regulations.play.shoe.states import ShoeState as S
from tests.regulations.support.games.kit import bets, cards
from tests.regulations.support.games.three_card_baccarat import THREE_CARD_BACCARAT, WAGER
from tests.regulations.support.inputs import BY
from tests.regulations.support.profiles import Json, profile
from tests.regulations.support.walks.plan import GameWalk, Path, Plan, leap

_SEVERAL: Final = bets(
    WAGER,
    {**WAGER, "id": 2},
    {"seat": 1, "bet": "tie", "stake": 10},
    {"seat": 3, "bet": "odd", "stake": 25},
    {"seat": 3, "bet": "points_0", "stake": 5},
)
_PROFILES: Final[dict[str, tuple[Json, tuple[StrEnum, ...]]]] = {
    "shoe": (
        profile(game="three_card_baccarat", decks=2),
        others(ALL, S.FILL, S.MIX, S.RETURN, S.ONE_MORE, S.NEXT_LAST, S.LAST),
    ),
    "three_at_a_time": (
        profile(game="three_card_baccarat", decks=2, deal="three_at_a_time", three_figures_win_zero_points=True),
        (S.ROUNDS,),
    ),
    "box": (
        profile(game="three_card_baccarat", decks=1, equipment="box"),
        others(ALL, S.PLACE_CUT_CARD, S.FILL, S.MIX, S.RETURN, S.ONE_MORE, S.NEXT_LAST, S.LAST),
    ),
    "cut_card": (profile(game="three_card_baccarat", decks=2), (S.ROUNDS, S.NEXT_LAST, S.LAST)),
}
_CLOSINGS: Final[tuple[Json, ...]] = (
    bets(WAGER),
    _SEVERAL,
    bets({"seat": 8, "bet": "main", "stake": 10}),
    bets({"seat": 1, "bet": "tie", "stake": 10}),
    bets({"seat": 1, "bet": "player", "stake": 10}),
    bets(WAGER, WAGER),
    {"seats": [], "wagers": []},
    {"seats": [1], "wagers": []},
)
_DEPTH: Final = 64
"""Cards before the cut card, 40 of 104 behind it."""
_DEALT: Final = cards("8S", "KS", "QH", "4H", "3H")
_SEAT_SHOWN: Final = ({"event": "revealed", "who": "seat", "seat": 1},)


def _starts(name: str) -> list[Path]:
    table, _ = _PROFILES[name]
    ready, cut_card = tuple(THREE_CARD_BACCARAT.preludes["ready"](table)), {"event": "cut_card"}
    if name != "cut_card":
        stack = tuple(THREE_CARD_BACCARAT.preludes["stack"](table))
        return [(), stack, ready, *((*ready, *deep) for deep in _deep())]
    last = (*leap(ready, _DEPTH, "KC", BY, bets(WAGER)), cut_card)
    # The first round was void: in the second a card is burned.
    deep = [(path[0], *cards("2C"), *path[1:]) for path in _deep()[:4]]
    return [
        ready,
        *((*ready, *path) for path in _deep()),
        last,
        *((*last, *path) for path in deep),
        (*leap(ready, _DEPTH - 7, "KC", BY, bets(WAGER)), *deep[-1], cut_card),
        (
            *leap(ready, _DEPTH - 1, "KC", BY, bets(WAGER)),
            *deep[0][:2],
            {"event": "void", "ground": "misdeal", "reason": "asked", "by": BY},
            cut_card,
        ),
    ]


def _deep() -> list[Path]:
    dealt = (bets(WAGER), *cards("9H"), *_DEALT)
    shown = (*dealt, *_SEAT_SHOWN)
    decided = (*shown, {"event": "revealed", "who": "banker"})
    return [dealt[:-1], dealt, shown, decided, (*decided, {"event": "round_closed"}, bets(WAGER)), (_SEVERAL,)]


def _reachable(name: str) -> frozenset[tuple[str, str]]:
    within: dict[StrEnum, set[R]] = {
        S.ROUNDS: set(PHASES.resting),
        # The cut card came between the round's result and its end.
        S.NEXT_LAST: {R.DECIDED, R.VOID},
        S.LAST: set(PHASES.resting),
    }
    return frozenset((shoe.value, state.value) for shoe in _PROFILES[name][1] for state in within.get(shoe, {R.IDLE}))


WALK: Final = GameWalk(
    plans={
        name: Plan(table=table, asks_in=asks_in, starts=_starts(name), reachable=_reachable(name))
        for name, (table, asks_in) in _PROFILES.items()
    },
    resting=PHASES.resting,
    inputs={
        "loaded": ({"cards": 104}, {"cards": 52}, {"cards": 51}),
        "cut_card_placed": ({"behind": 40}, {"behind": 29}, {"behind": 41}),
        "stack_counted": ({"cards": 102}, {"cards": 51}, {"cards": 1}),
        "card": (
            {"card": "2S"},
            {"card": "KH"},
            {"card": "9D", "face": "up"},
            {"card": None},
            {"card": None, "face": "up", "unseen": True},
            {"card": None, "unseen": True},
            {"card": "KD", "count": 400},
            {"card": "JC", "claimed": {"to": "banker", "position": 3}},
        ),
        "bets_closed": [{"seats": made["seats"], "wagers": made["wagers"]} for made in _CLOSINGS],
        "decision": ({"seat": 1, "action": "stand"},),
        "revealed": (
            {"who": "banker"},
            {"who": "seat", "seat": 1},
            {"who": "seat", "seat": 1, "cards": ["9H", "KS", "4H"]},
            {"who": "seat", "seat": 3},
            {"who": "croupier"},
        ),
        "exposed": ({"who": "banker"}, {"who": "seat", "seat": 1}),
    },
    ways=({"action": "reassign", "by": BY, "ground": "foreign", "cards": [{"index": 3, "to": "burn"}]},),
    handed_on=frozenset(
        {
            "card",
            "bets_closed",
            "bets_corrected",
            "decision",
            "exposed",
            "revealed",
            "round_closed",
            "misdeal",
            "void",
            "device_result",
        }
    ),
)

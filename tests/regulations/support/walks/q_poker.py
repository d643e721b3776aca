"""The exhaustive walk of q poker."""

from enum import StrEnum
from typing import Final

from regulations.games.q_poker.states import PHASES
from regulations.games.q_poker.states import RoundState as R
from regulations.law.rows import others
from regulations.play.shoe.states import ALL
from regulations.play.shoe.states import ShoeState as S
from tests.regulations.support.games.kit import bets, cards
from tests.regulations.support.games.q_poker import Q_POKER, WAGER
from tests.regulations.support.inputs import BY
from tests.regulations.support.profiles import Json, profile
from tests.regulations.support.walks.plan import GameWalk, Path, Plan

_SEVERAL: Final = bets(
    WAGER, {**WAGER, "id": 2}, {"seat": 1, "bet": "pair_plus", "stake": 10}, {"seat": 3, "bet": "ante", "stake": 25}
)
_BETS: Final[tuple[Json, ...]] = (
    _SEVERAL,
    bets(WAGER),
    bets({"seat": 1, "bet": "pair_plus", "stake": 10}),
    bets({"seat": 8, "bet": "ante", "stake": 10}),
    bets({"seat": 1, "bet": "player", "stake": 10}),
    bets(WAGER, WAGER),
    {"seats": [], "wagers": []},
    {"seats": [1], "wagers": []},
)
_NO_WAY: Final = others(ALL, S.BURN, S.RETURN, S.ONE_MORE, S.NEXT_LAST, S.LAST)
_PROFILES: Final[dict[str, tuple[Json, tuple[StrEnum, ...]]]] = {
    "shoe": (profile(game="q_poker"), others(_NO_WAY, S.FILL, S.MIX)),
    "shuffler": (
        profile(game="q_poker", equipment="shuffler"),
        others(_NO_WAY, S.SHUFFLE, S.CUT, S.PLACE_CUT_CARD),
    ),
    "cut_card": (profile(game="q_poker"), (S.LAST,)),
}
_DEALT: Final = cards("9H", "8S", "KS", "QH", "4H", "3H")
_SHOWN: Final[Json] = {"event": "revealed", "who": "seat", "seat": 1}
_PLAYED: Final[Json] = {"event": "decision", "seat": 1, "action": "play"}
_CROUPIER: Final[Json] = {"event": "revealed", "who": "croupier"}


def _starts(name: str) -> list[Path]:
    table, _ = _PROFILES[name]
    ready = tuple(Q_POKER.preludes["ready"](table))
    deep = (bets(WAGER), *_DEALT, _SHOWN, _PLAYED, _CROUPIER)
    lengths = range(len(deep) + 1)
    if name == "cut_card":
        # The cut card lies last: a gap in the device's count says that all cards are out.
        gap: Path = ({"event": "card", "card": "KC", "count": 52}, {"event": "cut_card"})
        opened = (*ready, *gap, {"event": "round_partial", "device": "shoe"})
        return [opened, *((*ready, *deep[:length], *gap) for length in lengths)]
    return [
        (),
        tuple(Q_POKER.preludes["prepared"](table)),
        *((*ready, *deep[:length]) for length in lengths),
        (*ready, _SEVERAL, *cards("2S", "2H", "4C")),
    ]


def _reachable(name: str) -> frozenset[tuple[str, str]]:
    within: dict[StrEnum, set[R]] = {
        S.ROUNDS: set(PHASES.resting),
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
        "loaded": ({"cards": 52}, {"cards": 51}),
        "cut": ({"by": "croupier"}, {"by": "player"}),
        "cut_card_placed": ({"behind": 0}, {"behind": 1}),
        "stack_counted": ({"cards": 52}, {"cards": 46}, {"cards": 1}),
        "equipment": ({"equipment": "shoe"}, {"equipment": "shuffler"}, {"equipment": "shuffler_dealer"}),
        "card": (
            {"card": "2S"},
            {"card": "5H"},
            {"card": "9D", "face": "up"},
            {"card": None},
            {"card": None, "unseen": True},
            {"card": "KD", "count": 400},
            {"card": "JC", "claimed": {"to": "croupier", "position": 3}},
        ),
        "bets_closed": _BETS,
        "decision": (
            {"seat": 1, "action": "play"},
            {"seat": 1, "action": "fold", "id": 2},
            {"seat": 2, "action": "play"},
            {"seat": 1, "action": "stand"},
            {"seat": 1, "hand": 2, "action": "fold"},
            {"seat": 1, "action": "play", "amount": 50},
            {"seat": 3, "action": "fold"},
        ),
        "revealed": (
            {"who": "croupier"},
            {"who": "seat", "seat": 1},
            {"who": "seat", "seat": 1, "cards": ["9H", "KS", "4H"]},
            {"who": "seat", "seat": 2},
            {"who": "seat", "seat": 3},
            {"who": "banker"},
        ),
        "exposed": ({"who": "croupier"}, {"who": "seat", "seat": 1}, {"who": "seat", "seat": 6}),
    },
    ways=({"action": "reassign", "by": BY, "ground": "undue", "cards": [{"index": 1, "to": "seat", "seat": 5}]},),
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

"""The exhaustive walk of casino war."""

from enum import StrEnum
from typing import Final

from regulations.games.casino_war.states import PHASES
from regulations.games.casino_war.states import RoundState as R
from regulations.law.rows import others
from regulations.play.shoe.states import ALL
from regulations.play.shoe.states import ShoeState as S
from tests.regulations.support.games.casino_war import CASINO_WAR, WAGER
from tests.regulations.support.games.kit import bets, cards
from tests.regulations.support.inputs import BY
from tests.regulations.support.profiles import Json, profile
from tests.regulations.support.walks.plan import GameWalk, Path, Plan, leap

_SEVERAL: Final = bets(
    WAGER, {**WAGER, "id": 2}, {"seat": 1, "bet": "tie", "stake": 10}, {"seat": 2, "bet": "ante", "stake": 25}
)
_PROFILES: Final[dict[str, tuple[Json, tuple[StrEnum, ...]]]] = {
    "shoe": (
        profile(game="casino_war"),
        others(ALL, S.FILL, S.MIX, S.BURN, S.RETURN, S.ONE_MORE, S.NEXT_LAST, S.LAST),
    ),
    "per_player": (profile(game="casino_war", croupier_war_card="per_player"), (S.ROUNDS,)),
    "shuffler_dealer": (
        profile(game="casino_war", equipment="shuffler_dealer"),
        (S.LOAD, S.ROUNDS, S.RETURN, S.OVER, S.CLOSED),
    ),
    "cut_card": (profile(game="casino_war", cut_card_behind=14), (S.ROUNDS, S.NEXT_LAST, S.LAST)),
}


def _starts(name: str) -> list[Path]:
    table, _ = _PROFILES[name]
    ready, cut_card = tuple(CASINO_WAR.preludes["ready"](table)), {"event": "cut_card"}
    if name != "cut_card":
        stack = tuple(CASINO_WAR.preludes["stack"](table))
        return [(), stack, ready, *((*ready, *deep) for deep in _deep())]
    void: Json = {"event": "void", "ground": "misdeal", "reason": "asked", "by": BY}
    before, at = (leap(ready, out, "KC", BY, bets(WAGER)) for out in (37, 38))
    burn_all: Path = (
        {"event": "misdeal", "detail": "wrong side"},
        {
            "event": "resolve",
            "irregularity": 2,
            "action": "reassign",
            "by": BY,
            "ground": "undue",
            "cards": [{"index": 1, "to": "burn"}],
        },
    )
    return [
        ready,
        *((*ready, *deep) for deep in _deep()),
        *((*before, *deep[:2], cut_card, *deep[2:]) for deep in _deep()),
        (*before, bets(WAGER), *cards("2S"), cut_card, *burn_all),
        (*at, bets(WAGER), cut_card),
        (*at, cut_card),
        (*leap(ready, 36, "KC", BY, bets(WAGER)), bets(WAGER), *cards("9S", "8S"), cut_card),
        (*before, bets(WAGER), *cards("9S"), void, cut_card),
    ]


def _deep() -> list[Path]:
    tied = (bets(WAGER), *cards("2S", "2H"))
    burned = ({"event": "card", "card": None, "unseen": True},) * 2
    seat_burn = (*tied, {"event": "decision", "seat": 1, "action": "challenge"}, *burned)
    croupier_burn = (*seat_burn, *burned[:1], *cards("3C"), *burned)
    return [tied, seat_burn, croupier_burn, (_SEVERAL, *cards("2S"))]


def _reachable(name: str) -> frozenset[tuple[str, str]]:
    within: dict[StrEnum, set[R]] = {
        S.ROUNDS: set(PHASES.resting),
        # The cut card came between a round's result and its end: the next one is the last (reading W5).
        S.NEXT_LAST: {R.DECIDED, R.VOID},
        S.LAST: set(PHASES.resting),
    }
    return frozenset((shoe.value, state.value) for shoe in _PROFILES[name][1] for state in within.get(shoe, {R.IDLE}))


def _fields(event: Json) -> Json:
    return {name: value for name, value in event.items() if name != "event"}


WALK: Final = GameWalk(
    plans={
        name: Plan(table=table, asks_in=asks_in, starts=_starts(name), reachable=_reachable(name))
        for name, (table, asks_in) in _PROFILES.items()
    },
    resting=PHASES.resting,
    inputs={
        "loaded": ({"cards": 52}, {"cards": 51}),
        "cut_card_placed": ({"behind": 12}, {"behind": 11}, {"behind": 15}),
        "cards_returned": (*({"cards": n} for n in range(12)), {"cards": 40, "device": "shuffler"}),
        "card": (
            {"card": "2S"},
            {"card": "2H"},
            {"card": "4H"},
            {"card": "9D", "face": "up"},
            {"card": "AC"},
            {"card": None},
            {"card": None, "unseen": True},
            {"card": "KD", "count": 400},
            {"card": "JC", "claimed": {"to": "croupier", "position": 3}},
        ),
        "bets_closed": (
            _fields(bets(WAGER)),
            _fields(_SEVERAL),
            _fields(bets(*({"seat": seat, "bet": "ante", "stake": 10} for seat in range(1, 8)))),
            _fields(bets({"seat": 8, "bet": "ante", "stake": 10})),
            _fields(bets({"seat": 1, "bet": "tie", "stake": 10})),
            _fields(bets({"seat": 1, "bet": "player", "stake": 10})),
            {"seats": [], "wagers": []},
            {"seats": [1], "wagers": []},
        ),
        "decision": (
            {"seat": 1, "action": "challenge"},
            {"seat": 1, "action": "surrender", "id": 2},
            {"seat": 2, "action": "challenge"},
            {"seat": 1, "action": "stand"},
            {"seat": 1, "hand": 2, "action": "surrender"},
            {"seat": 1, "action": "challenge", "amount": 50},
            {"seat": 3, "action": "surrender"},
        ),
        "revealed": ({"who": "croupier"}, {"who": "seat", "seat": 1}),
        "exposed": ({"who": "croupier"}, {"who": "seat", "seat": 1}),
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

"""The exhaustive walk of baccarat."""

from enum import StrEnum
from typing import Any, Final

from regulations.games.baccarat.states import PHASES
from regulations.games.baccarat.states import RoundState as R
from regulations.law.rows import others
from regulations.play.shoe.states import ALL
from regulations.play.shoe.states import ShoeState as S
from tests.regulations.support.games.baccarat import dull_round, ready, stack
from tests.regulations.support.games.kit import bets, cards
from tests.regulations.support.inputs import BY
from tests.regulations.support.profiles import Json, profile
from tests.regulations.support.walks.plan import GameWalk, Path, Plan, leap

_NEAR_THE_END: Final[dict[str, Any]] = {"decks": 6, "cut_card_behind": 26}
_PROFILES: Final[dict[str, tuple[Json, tuple[StrEnum, ...]]]] = {
    "face_up": (
        profile(decks=6, demonstration_rounds=1),
        others(ALL, S.FILL, S.MIX, S.RETURN, S.ONE_MORE, S.NEXT_LAST, S.LAST),
    ),
    "face_down": (profile(decks=6, deal="face_down", banker_win="half_on_six"), (S.ROUNDS,)),
    "round_burn": (profile(decks=6, round_burn=True), (S.ROUNDS,)),
    "first_card_value": (profile(decks=6, initial_burn="first_card_value"), (S.BURN,)),
    "shuffler_dealer": (profile(decks=6, equipment="shuffler_dealer"), (S.LOAD, S.ROUNDS, S.RETURN, S.OVER, S.CLOSED)),
    "next_round": (profile(decks=6, overdrawn_card="next_round", deal="face_down"), (S.ROUNDS,)),
    "end": (profile(**_NEAR_THE_END, deal="face_down"), (S.NEXT_LAST, S.LAST)),
    "one_more": (profile(**_NEAR_THE_END, after_cut_card="one_more"), (S.ONE_MORE, S.NEXT_LAST, S.LAST)),
}
"""Each profile, and in which states of the shoe game the walk asks; the others it answers as another profile does."""


def _starts(name: str) -> list[Path]:
    table, _ = _PROFILES[name]
    cut_card: Json = {"event": "cut_card"}
    if name in {"end", "one_more"}:
        standing = cards("KS", "QS", "9S", "8S")
        before_the_round = (*_leap(table, 286), cut_card)
        in_mid_round = (*_leap(table, 285), *standing[:1], cut_card)
        after_the_cards = (*_leap(table, 282), *standing)
        void: Json = {"event": "void", "ground": "misdeal", "reason": "asked", "by": BY}
        after_a_void = (*_leap(table, 285), *standing[:1], void, cut_card)
        shown_all = [{"event": "revealed", "who": who} for who in ("player", "banker")] if name == "end" else []
        return [before_the_round, in_mid_round, after_a_void, (*after_the_cards, *shown_all, cut_card)]
    if name == "round_burn":
        return [(*ready(table), *dull_round(table))]
    return [(), tuple(stack(table)), tuple(ready(table))]


def _leap(table: Json, out: int) -> Path:
    return leap(ready(table), out, "9H", BY, bets())


def _reachable(name: str) -> frozenset[tuple[str, str]]:
    showing = {R.SHOW_PLAYER, R.SHOW_BANKER, R.SHOW_PLAYER_3, R.SHOW_BANKER_3}
    face_down = _PROFILES[name][0]["options"].get("deal") == "face_down"
    rounds = set(PHASES.resting) if face_down else set(PHASES.resting) - showing
    within: dict[StrEnum, set[R]] = {
        # Without a burn the first card of a round is awaited where a device was joined in it.
        S.ROUNDS: rounds,
        # The cut card came in mid-round, or in a round that ended before it was closed, or before a round's first card.
        S.ONE_MORE: rounds - {R.IDLE, R.OPENED, R.PLAYER_1},
        S.NEXT_LAST: {R.DECIDED, R.VOID},
        S.LAST: rounds,
    }
    return frozenset((shoe.value, state.value) for shoe in _PROFILES[name][1] for state in within.get(shoe, {R.IDLE}))


WALK: Final = GameWalk(
    plans={
        name: Plan(table=table, asks_in=asks_in, starts=_starts(name), reachable=_reachable(name))
        for name, (table, asks_in) in _PROFILES.items()
    },
    resting=PHASES.resting,
    handed_on=frozenset(
        {"card", "bets_closed", "bets_corrected", "revealed", "round_closed", "misdeal", "void", "device_result"}
    ),
)

"""The exhaustive walk of blackjack."""

from enum import StrEnum
from typing import Any, Final

from regulations.games.blackjack.states import PHASES
from regulations.games.blackjack.states import RoundState as R
from regulations.law.rows import others
from regulations.play.shoe.states import ALL
from regulations.play.shoe.states import ShoeState as S
from tests.regulations.support.games.blackjack import BLACKJACK, WAGER
from tests.regulations.support.games.kit import bets, card, cards
from tests.regulations.support.inputs import BY
from tests.regulations.support.profiles import Json, profile
from tests.regulations.support.walks.plan import GameWalk, Path, Plan, leap


def _profile(**given: object) -> Json:
    wanted: dict[str, Any] = {"decks": 2, **given}
    return profile(game="blackjack", **wanted)


_PROFILES: Final[dict[str, tuple[Json, tuple[StrEnum, ...]]]] = {
    "shoe": (
        _profile(first_face_up_card_valid=True, unshown_extra_croupier_card_valid=True),
        others(ALL, S.FILL, S.MIX, S.RETURN, S.ONE_MORE, S.NEXT_LAST, S.LAST),
    ),
    "second": (
        _profile(
            procedure="second",
            round_burn="start_and_before_second_croupier_card",
            surrender_before="any_card",
            double="eleven_only",
            insurance_asked="together",
            resplit=False,
            resplit_aces=False,
            decider="highest",
        ),
        (S.ROUNDS,),
    ),
    "one_deck": (_profile(decks=1, initial_burn="one"), (S.SHUFFLE, S.CUT, S.LOAD, S.OVER)),
    "box": (
        _profile(
            decks=1,
            equipment="box",
            decider="nearest_or_seated",
            unshown_extra_croupier_card_valid=True,
            drawn_card_is_hit=False,
        ),
        (S.LOAD, S.ROUNDS, S.OVER),
    ),
    "shuffler_dealer": (
        _profile(equipment="shuffler_dealer"),
        (S.LOAD, S.BURN, S.RETURN, S.OVER, S.CLOSED),
    ),
    "cut_card": (_profile(round_burn="start"), (S.NEXT_LAST, S.LAST)),
}
_SEVERAL: Final = bets(
    WAGER,
    {**WAGER, "id": 2, "stake": 7},
    {"seat": 1, "bet": "any_pair", "stake": 10},
    {"seat": 1, "bet": "sevens", "stake": 10},
    {"seat": 2, "bet": "main", "stake": 25},
)


def _decides(seat: int, action: str, **more: object) -> Json:
    return {"event": "decision", "seat": seat, "action": action, **more}


def _shows(seat: int) -> Json:
    return {"event": "revealed", "who": "seat", "seat": seat}


def _starts(name: str) -> list[Path]:
    table, _ = _PROFILES[name]
    ready, cut_card = tuple(BLACKJACK.preludes["ready"](table)), {"event": "cut_card"}
    if name == "cut_card":
        before, at = (leap(ready, out, "KC", BY, bets(WAGER)) for out in (73, 74))
        burned = (bets(WAGER), *cards("2S"))
        return [
            (*at, cut_card),
            (*at, bets(WAGER), cut_card),
            *((*before, deep[0], *cards("2S"), cut_card, *deep[1:]) for deep in _deep(name)),
            (*before, *burned, {"event": "void", "ground": "misdeal", "reason": "asked", "by": BY}, cut_card),
            (*leap(ready, 69, "KC", BY, bets(WAGER)), *burned, *_decided(), cut_card),
        ]
    if name == "shuffler_dealer":
        over = {"event": "shoe_ended", "reason": "cards_worn"}
        played = (bets(WAGER), *_decided(), {"event": "round_closed"})
        return [
            (),
            tuple(BLACKJACK.preludes["stack"](table)),
            (*ready, *played),
            (*ready, over),
            (*ready, {"event": "closed"}),
        ]
    starts: list[Path] = [ready, *((*ready, *deep) for deep in _deep(name))]
    if name == "second":
        # From the second round of a shoe on a card is burned at its start.
        starts.append(
            (*ready, bets(WAGER), card("2S"), {"event": "void", "ground": "misdeal", "reason": "asked", "by": BY})
        )
        return starts
    if name == "one_deck":
        starts.append((*ready, {"event": "shoe_ended", "reason": "cards_worn"}))
    return [(), tuple(BLACKJACK.preludes["stack"](table)), *starts]


def _decided() -> Path:
    return (*cards("9H", "TS", "KS"), _decides(1, "stand"), _shows(1), card("8S"))


def _deep(name: str) -> list[Path]:
    second = [card("2D")] if name == "box" else []
    one, ace = cards("8S", "6S", "9D", "8H", "5H"), cards("AS", "6S", "AD", "KH", "5H")
    found: list[Path] = [
        (_SEVERAL, *cards("7S", "6S", "9D", "7H")),
        (_SEVERAL, *one, *second),
        (_SEVERAL, *one, *second, _shows(1), _decides(1, "split"), card("8D")),
        (_SEVERAL, *one, *second, _decides(1, "hit"), card("KS")),
        (_SEVERAL, *one, *second, _decides(1, "double"), card("2S"), _decides(2, "stand")),
        (_SEVERAL, *ace, *second, _decides(1, "insurance", amount=50), _shows(1)),
        (bets(WAGER), *cards("TS", "9D", "8S"), *second, _decides(1, "stand"), _shows(1)),
    ]
    return found


def _reachable(name: str) -> frozenset[tuple[str, str]]:
    never = {
        *(() if name == "box" else (R.CROUPIER_SHOWS,)),
        *(() if name == "second" else (R.BURNING,)),
        *((R.SHOWING,) if name == "second" else ()),
    }
    within: dict[StrEnum, set[R]] = {
        S.ROUNDS: set(PHASES.resting) - never,
        # The cut card came out between a round's result and its end.
        S.NEXT_LAST: {R.DECIDED, R.VOID},
        S.LAST: set(PHASES.resting) - never,
    }
    return frozenset((shoe.value, state.value) for shoe in _PROFILES[name][1] for state in within.get(shoe, {R.IDLE}))


_INPUTS: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "cut_card_placed": ({"behind": 30}, {"behind": 5}, {"behind": 300}),
    "loaded": ({"cards": 104}, {"cards": 52}, {"cards": 103}),
    "equipment": ({"equipment": "shoe"}, {"equipment": "shuffler_dealer"}, {"equipment": "box"}),
    "cards_returned": (*({"cards": n} for n in range(6, 20)), {"cards": 40, "device": "shuffler"}),
    "bets_closed": (
        {"seats": [1], "wagers": [WAGER]},
        {"seats": [], "wagers": []},
        {"seats": [8], "wagers": [{**WAGER, "seat": 8}]},
        {"seats": [1], "wagers": [{**WAGER, "bet": "ante"}]},
        {"seats": [1], "wagers": [{**WAGER, "bet": "sevens"}]},
        {"seats": [1], "wagers": [WAGER, WAGER]},
        {"seats": [1], "wagers": [{**WAGER, "id": n} for n in range(1, 5)]},
        {"seats": [1], "wagers": []},
    ),
    "decision": (
        *({"seat": 1, "action": action} for action in ("hit", "stand", "double", "split", "surrender")),
        *({"seat": 1, "action": action} for action in ("insurance", "even_money", "half_pay", "fold")),
        *({"seat": 2, "action": action} for action in ("hit", "stand", "double", "split", "surrender")),
        *({"seat": 1, "hand": 2, "action": action} for action in ("hit", "stand", "surrender")),
        {"seat": 1, "action": "insurance", "amount": 50},
        {"seat": 1, "action": "insurance", "amount": 1000},
        {"seat": 1, "action": "split", "any_pair": 5},
        {"seat": 1, "action": "split", "any_pair": 0},
        {"seat": 1, "action": "hit", "any_pair": 5},
        {"seat": 1, "action": "hit", "amount": 5},
        {"seat": 1, "id": 2, "action": "stand"},
        {"seat": 1, "id": 9, "action": "stand"},
        {"seat": 9, "action": "stand"},
        {"seat": 3, "action": "stand"},
    ),
    "revealed": (
        {"who": "croupier"},
        {"who": "player"},
        {"who": "seat", "seat": 1},
        {"who": "seat", "seat": 2},
        {"who": "seat", "seat": 1, "hand": 2},
        {"who": "seat"},
        {"who": "seat", "seat": 1, "cards": ["2S", "9D"]},
        {"who": "seat", "seat": 1, "cards": ["5C"]},
    ),
    "exposed": ({"who": "croupier"}, {"who": "seat", "seat": 1}),
}
_WAYS: Final[tuple[Json, ...]] = (
    {"action": "reassign", "by": BY, "ground": "foreign", "cards": [{"index": 3, "to": "burn"}]},
    *({"action": "decision", "by": BY, "decision": action} for action in ("stand", "double", "split", "hit")),
    {"action": "decision", "by": BY},
    {"action": "accept", "by": BY},
)

WALK: Final = GameWalk(
    plans={
        name: Plan(table=table, asks_in=asks_in, starts=_starts(name), reachable=_reachable(name))
        for name, (table, asks_in) in _PROFILES.items()
    },
    resting=PHASES.resting,
    inputs=_INPUTS,
    ways=_WAYS,
    handed_on=frozenset(
        {
            "card",
            "bets_closed",
            "bets_corrected",
            "decision",
            "revealed",
            "exposed",
            "round_closed",
            "misdeal",
            "void",
            "demonstration",
        }
    ),
)

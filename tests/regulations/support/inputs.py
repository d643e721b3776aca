"""Every kind of input with payloads that are allowed somewhere and payloads that are allowed nowhere."""

from collections.abc import Mapping, Sequence
from typing import Final

from regulations.events.codec import INPUTS
from tests.regulations.support.profiles import Json

BY: Final = ["croupier", "pit"]
FROM_DEVICES: Final = frozenset(
    {
        "card",
        "cut_card",
        "fault",
        "fault_cleared",
        "device_lost",
        "device_back",
        "device_result",
        "round_partial",
        "device_identified",
        "device_judged",
        "device_noted",
        "clock_stepped",
        "witness_behind",
        "witness_current",
        "signed_in",
        "signed_out",
        "sign_ins_refused",
        "persons_listed",
        "supervisor_called",
        "proposed",
        "table_opened",
    }
)
"""Reports of devices: they have happened (reading G7), so they are never refused."""

_KINDS: Final[dict[str, tuple[Json, ...]]] = {
    "table": ({"table_id": "B-102", "game": "baccarat", "decks": 8, "seats": 7, "equipment": "shoe"},),
    "shuffled": ({"by": "croupier"}, {"by": "shuffler"}),
    "cut": ({"by": "player"},),
    "cut_card_placed": ({"behind": 14}, {"behind": 5}, {"behind": 300}),
    "loaded": ({"cards": 312}, {"cards": 311}),
    "cards_returned": (*({"cards": n} for n in (0, 1, 2, 3, 4)), {"cards": 40, "device": "shuffler"}),
    "stack_counted": ({"cards": 306}, {"cards": 1}),
    "equipment": ({"equipment": "shoe"}, {"equipment": "shuffler_dealer"}, {"equipment": "box"}),
    "card": (
        {"card": "2S"},
        {"card": "4H"},
        {"card": "9D", "face": "up"},
        {"card": None},
        {"card": None, "unseen": True},
        {"card": "KD", "count": 400},
        {"card": "KC", "claimed": {"to": "banker", "position": 3}},
    ),
    "cut_card": ({},),
    "bets_closed": (
        {"seats": [1], "wagers": [{"seat": 1, "bet": "banker", "stake": 10}]},
        {"seats": [], "wagers": []},
        {"seats": [8], "wagers": [{"seat": 8, "bet": "player", "stake": 10}]},
        {"seats": [1], "wagers": [{"seat": 1, "bet": "ante", "stake": 10}]},
        {"seats": [1], "wagers": []},
    ),
    "bets_corrected": (),  # the payloads of `bets_closed`, with two persons and with one
    "bettor_left": ({"seat": 1, "by": BY}, {"seat": 1, "id": 2, "by": BY}, {"seat": 1, "by": BY[:1]}),
    "demonstration": ({},),
    "decision": ({"seat": 1, "action": "hit"},),
    "revealed": (
        {"who": "player"},
        {"who": "banker"},
        {"who": "croupier"},
        {"who": "player", "cards": ["2S", "9D"]},
        {"who": "banker", "cards": ["5C"]},
    ),
    "exposed": ({"who": "banker"},),
    "round_closed": ({},),
    "shoe_ended": (
        {"reason": "cards_worn"},
        {"reason": "other"},
        {"reason": "other", "detail": "a card is bent", "by": [1, 2]},
    ),
    "closed": ({},),
    "misdeal": ({"detail": "wrong side"},),
    "dispute": ({"detail": "seat 3 had stood"},),
    "proposed": (
        {"person": "7", "act": "void"},
        {"person": "7", "act": "void", "what": {"event": "void", "reason": "asked", "by": BY}, "refused": "not_now"},
    ),
    "table_opened": ({"by": ["sara", "tom"], "closed": "0a" * 16, "root": "AAAA", "entries": 9},),
    "supervisor_called": ({}, {"reason": "a bet came late"}),
    "void": (
        *({"ground": ground, "reason": "asked", "by": BY} for ground in ("misdeal", "malfunction", "stack")),
        *({"ground": ground, "reason": "asked", "by": BY} for ground in ("exposed", "not_begun", "rain")),
        {"ground": "misdeal", "reason": "asked", "by": BY[:1]},
        {"reason": "asked", "by": BY},
    ),
    "device_readmitted": ({"device": "shoe", "by": BY}, {"device": "shoe", "by": BY[:1]}),
    "fault": (
        {"device": "shoe", "code": 3},
        {"device": "shoe", "code": "not_understood", "origin": "table", "frame_type": "64", "frame_length": 9},
    ),
    "fault_cleared": ({"device": "shoe", "code": 3},),
    "device_lost": ({"device": "shoe"},),
    "device_back": ({"device": "shoe"},),
    "device_result": ({"device": "shoe", "outcome": "banker"}, {"device": "shoe", "outcome": "forced_end"}),
    "round_partial": ({"device": "shoe"},),
    "device_identified": (
        {
            "device": "shoe",
            "maker": "Acme",
            "model": "Shuffler 9",
            "serial": "SN-001",
            "firmware": "1.4.0",
            "digest": "d1" * 32,
            "security_counter": 7,
        },
    ),
    "device_judged": (
        {"device": "shoe", "verdict": "refused", "checks": [{"check": "enrolment", "ok": False, "code": "revoked"}]},
        {"device": "shoe", "verdict": "admitted", "serial": "SN-001", "by": ["anna", "bruno"]},
    ),
    "device_noted": ({"device": "shoe", "note": "cover_closed", "value": 1},),
    "clock_stepped": ({"seconds": -3600.5},),
    "witness_behind": ({"witness": "stick", "notes": 2, "seconds": 61},),
    "witness_current": ({"witness": "stick", "seconds": 300},),
    "signed_in": ({"person": "7", "role": "croupier", "place": "terminal"},),
    "signed_out": ({"person": "7", "place": "terminal", "because": "asked"},),
    "sign_ins_refused": (
        {"count": 3, "since": "2026-01-05T10:00:00.000000Z"},
        {"count": 3, "since": "2026-01-05T10:00:00.000000Z", "ids": [{"person": "sara", "count": 2}]},
    ),
    "persons_listed": (
        {"version": 41, "issued": "2026-01-05T10:00:00.000000Z", "until": "2026-01-19T10:00:00.000000Z", "persons": 12},
    ),
}
_WAYS: Final[tuple[Json, ...]] = (
    {"action": "burn", "by": BY[:1]},
    {"action": "burn", "by": []},
    {"action": "next_round", "by": BY[:1]},
    {"action": "continue", "by": BY[:1]},
    {"action": "void", "by": BY},
    {"action": "void", "by": BY[:1]},
    {"action": "end_shoe", "by": BY},
    {"action": "settle", "by": BY},
    {"action": "settle", "by": BY[:1]},
    {"action": "identify", "by": BY, "card": "3C"},
    {"action": "identify", "by": BY},
    {"action": "identify", "by": BY, "cards": ["3C"]},
    {"action": "accept", "by": BY[:1]},
    {"action": "reassign", "by": BY},
    {"action": "reassign", "by": BY, "cards": []},
    {"action": "reassign", "by": BY, "cards": [{"index": 1, "to": "banker", "position": 1}]},
    {"action": "reassign", "by": BY, "cards": [{"index": 1, "to": "burn"}]},
    {"action": "reassign", "by": BY, "ground": "foreign", "cards": [{"index": 1, "to": "burn"}]},
    {"action": "reassign", "by": BY, "ground": "undue", "cards": [{"index": 2, "to": "burn"}]},
    {"action": "identify", "by": BY, "cards": [{"index": 1, "card": "4C"}]},
    {"action": "identify", "by": BY, "cards": [{"after": 1, "card": "5C"}]},
    {"action": "identify", "by": BY, "cards": [{"index": 1, "to": "none"}]},
)


def all_inputs(
    first_open: int | None, instead: Mapping[str, Sequence[Json]] | None = None, more_ways: Sequence[Json] = ()
) -> list[Json]:
    kinds: dict[str, Sequence[Json]] = {**_KINDS, **(instead or {})}
    closings = kinds["bets_closed"]
    correcting: list[Json] = [
        {**bets, "event": "bets_corrected", "reason": "entered wrongly", "by": BY} for bets in closings
    ]
    kinds["bets_corrected"] = [*correcting, {**correcting[0], "by": BY[:1]}]
    plain = [{"event": name, **fields} for name, payloads in kinds.items() for fields in payloads]
    number = first_open or 1
    resolves = [{"event": "resolve", "irregularity": number, **way} for way in (*_WAYS, *more_ways)]
    return [*plain, *resolves, {"event": "resolve", "irregularity": number + 50, **_WAYS[0]}]


assert {*_KINDS, "resolve"} == set(INPUTS), "every kind of input is given to every state"

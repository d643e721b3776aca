"""The words of the notation's lines (:mod:`tests.regulations.support.notation`) as the table log has them."""

import json
import re
from typing import Final

from regulations.games.registry import SHEETS
from regulations.play.context.irregularities import TWO_PERSONS
from tests.regulations.support.games.kit import GameKit
from tests.regulations.support.ledger import Ledger
from tests.regulations.support.profiles import Json

BY: Final = ["croupier", "pit"]
"""The two persons who answer where a case does not say who."""
CARD: Final = re.compile(r"[A2-9TJQK][SHDC]")
_NAMED: Final = re.compile(r"(\+?)(\d+)=([A2-9TJQK][SHDC])")
_HAND: Final = re.compile(r"(\d+)(?:\.(\d+))?")
_LAW: Final = re.compile(r"(\d+/\d+(?:/M)?):(.+)")
_BET: Final = "|".join(sorted({bet for one in SHEETS.values() for bet in one.words.bets}, key=len, reverse=True))
_WAGER: Final = re.compile(
    rf"(?:(?P<seat>\d+)(?:\.(?P<hand>\d+))?:)?(?P<bet>{_BET})(?::(?P<stake>\d+))?(?:#(?P<id>\d+))?(?:\^(?P<pair>\d+))?"
    r"(?:=(?P<net>-?\d+(?:/\d+)?|carried)(?:~(?P<residue>-?\d+/\d+))?)?(?P<carried>\+carried)?(?:@(?P<article>.+))?"
)

# What the words of a line mean, in order.
_INPUT_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "shuffled": ("by",),
    "cut": ("by",),
    "cut_card_placed": ("behind",),
    "loaded": ("cards",),
    "card": ("card",),
    "revealed": ("who", "cards"),
    "exposed": ("who", "cards"),
    "cards_returned": ("cards",),
    "stack_counted": ("cards",),
    "misdeal": ("detail",),
    "resolve": ("irregularity", "action"),
    "void": ("reason",),
    "bettor_left": ("seat", "id"),
    "fault": ("device", "code"),
    "fault_cleared": ("device", "code"),
    "device_lost": ("device",),
    "device_back": ("device",),
    "device_readmitted": ("device",),
    "device_result": ("device", "outcome", "pairs"),
    "round_partial": ("device",),
    "device_judged": ("device", "verdict"),
    "device_noted": ("device", "note"),
    "clock_stepped": ("seconds",),
    "witness_behind": ("witness", "notes", "seconds"),
    "witness_current": ("witness", "seconds"),
    "signed_in": ("person", "role", "place"),
    "signed_out": ("person", "place", "because"),
    "sign_ins_refused": ("count", "since"),
    "persons_listed": ("version", "issued", "until", "persons"),
    "proposed": ("person", "act"),
    "table_opened": ("closed", "root", "entries"),
    "supervisor_called": ("reason",),
    "dispute": ("detail",),
    "equipment": ("equipment",),
    "shoe_ended": ("reason",),
    "decision": ("seat", "action"),
}
_OUTPUT_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "dealt": ("card", "place"),
    "emptied": ("place",),
    "burned": ("card", "why"),
    "refused": ("code",),
    "irregularity": ("irregularity", "code", "actions"),
    "resolved": ("irregularity", "action"),
    "reveal": ("who", "cards"),
    "result": ("outcome", "points"),
    "shoe_over": ("cards_seen", "cards_left"),
}
_DEFAULTS: Final[dict[str, Json]] = {
    "shuffled": {"by": "croupier"},
    "cut": {"by": "player"},
    "dispute": {"detail": "seat 3 says that he had stood"},
    "misdeal": {"detail": "the second card was pushed to the wrong side"},
    "bets_corrected": {"reason": "seat 1 was entered twice", "by": BY},
    "void": {"ground": "misdeal", "reason": "asked for", "by": BY},
    "bettor_left": {"by": BY},
    "device_readmitted": {"by": BY},
    "shoe_ended": {"reason": "cards_worn"},
    "device_result": {"pairs": []},
}
_SHOWS: Final = frozenset({"revealed", "exposed", "reveal"})
_LISTS_WAGERS: Final = frozenset({"settled", "reversed", "voided"})

Value = str | int | bool | list[object] | Json | None
"""The possible meanings of a word."""


def pair_of(word: str) -> tuple[str, Value]:
    """``name=value``."""
    name, _, value = word.partition("=")
    return name, value_of(value)


def value_of(text: str) -> Value:
    """A word as JSON has it: number, list, object, true, false, null; in single quotes always text."""
    if text.startswith("{"):
        return dict(json.loads(text))
    if text.startswith("[") and text.endswith("]"):
        return [value_of(word) for word in text[1:-1].split(",") if word]
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    return {"true": True, "false": False, "null": None}.get(text, text.strip("'"))


def input_of(text: str, ledger: Ledger) -> Json:
    text, whole = _whole(text)
    name, *words = text.split()
    words = [ledger.read(word) for word in words]
    given: Json = {"event": name, **_DEFAULTS.get(name, {}), **whole}
    if name in {"bets_closed", "bets_corrected"}:
        return {**given, **_bets(words)}
    if name == "resolve":
        given, words = _resolving(given, words)
    plain = []
    for word in words:
        if name == "card" and word in {"up", "unseen"}:
            given.update({"face": "up"} if word == "up" else {"card": None, "unseen": True})
        elif name == "resolve" and (amendment := _amendment(word)) is not None:
            given.setdefault("cards", []).append(amendment)
        elif word.startswith("claimed="):
            given["claimed"] = place_of(word.removeprefix("claimed="))
        elif "=" in word:
            key, _, value = word.partition("=")
            given[key] = value_of(ledger.read(value))
        elif not _reads_hand(name, word, given, "who"):
            plain.append(word)
    if name in _SHOWS and "seat" in given:
        given.setdefault("who", "seat")
    keys = _INPUT_WORDS.get(name, ())[1 if name == "decision" and "seat" in given else 0 :]
    given.update((key, value_of(word)) for key, word in zip(keys, plain, strict=False))
    return {key: value for key, value in given.items() if key not in {"ground", "pairs"} or value is not None}


def _resolving(given: Json, words: list[str]) -> tuple[Json, list[str]]:
    given["by"] = BY if words[1] in TWO_PERSONS else BY[:1]
    return ({**given, **_bets(words[2:])}, words[:2]) if words[1] == "enter_bets" else (given, words)


def output_of(text: str, kit: GameKit, ledger: Ledger) -> Json:
    text, whole = _whole(text)
    name, *words = text.split()
    output: Json = {"event": name, **whole}
    plain = []
    for word in (ledger.read(word) for word in words):
        if word.startswith("@"):
            output["article"] = _articles(word[1:], kit)
        elif name in _LISTS_WAGERS and _WAGER.fullmatch(word):
            output.setdefault("wagers", []).append(_wager(word, kit, is_returned=name == "voided"))
        elif "=" in word:
            output.update([pair_of(word)])
        elif not _reads_hand(name, word, output, "who"):
            plain.append(word)
    if name == "voided" and "..." not in plain:
        output.setdefault("wagers", [])
    if name == "next":
        return {**output, **_next(plain)}
    for key, word in zip(_OUTPUT_WORDS.get(name, ()), plain, strict=False):
        if word != "_":
            output.update(_field(key, word))
    return output


def place_of(text: str) -> Json:
    """``player/1``, ``croupier/2``, ``seat/3/1`` (seat 3, its first card), ``seat/3.2/1`` (its second hand)."""
    to, *rest = text.split("/")
    place: Json = {"to": to}
    if to == "seat" and rest:
        place.update(_seat_and_hand(rest.pop(0)))
    if rest:
        place["position"] = int(rest[0])
    return place


def _seat_and_hand(text: str) -> Json:
    match = _HAND.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no hand: write 3 for a seat, 3.2 for its second hand")
    return {"seat": int(match[1])} | ({"hand": int(match[2])} if match[2] else {})


def _whole(text: str) -> tuple[str, Json]:
    head, brace, rest = text.partition("{")
    return head, json.loads(brace + rest) if brace else {}


def _reads_hand(name: str, word: str, fields: Json, holder: str) -> bool:
    if name in _SHOWS and word.startswith("seat/"):
        fields.update({holder: "seat"}, **_seat_and_hand(word.removeprefix("seat/")))
    elif name in _SHOWS and CARD.fullmatch(word):
        fields.setdefault("cards", []).append(word)
    elif name in _SHOWS and word.startswith("["):
        fields["cards"] = value_of(word)
    elif name == "decision" and "seat" not in fields and _HAND.fullmatch(word):
        fields.update(_seat_and_hand(word))
    else:
        return False
    return True


def _field(key: str, word: str) -> Json:
    if key == "place":
        return place_of(word)
    if key == "points":
        player, _, banker = word.partition("-")
        return {"points": {"player": int(player), "banker": int(banker)}}
    return {key: value_of(word)}


def _bets(words: list[str]) -> Json:
    wagers = [_wager(word, None) for word in words if "=" not in word]
    given: Json = {"seats": sorted({wager["seat"] for wager in wagers}), "wagers": wagers}
    given.update(pair_of(word) for word in words if "=" in word)
    return given


def _amendment(word: str) -> Json | None:
    index, _, place = word.partition("->")
    if place:
        return {"index": int(index), **place_of(place)}
    match = _NAMED.fullmatch(word)
    return None if match is None else {"after" if match[1] else "index": int(match[2]), "card": match[3]}


def _wager(word: str, kit: GameKit | None, *, is_returned: bool = True) -> Json:
    match = _WAGER.fullmatch(word)
    if match is None or not (match["stake"] or match["net"] or is_returned):
        raise ValueError(f"{word!r} is no wager: write 1:banker:10000, and =NET@ARTICLE where it is settled")
    wager: Json = {"bet": match["bet"]} | {key: int(match[key]) for key in ("seat", "hand", "id", "pair") if match[key]}
    if match["stake"]:
        wager["stake"] = int(match["stake"])
    elif kit is not None:
        wager |= {"seat": wager.get("seat"), "stake": None, "net": None, "carried": None, "pays": match["net"]}
    if match["net"] and match["stake"]:
        wager["net"] = int(match["net"])
        wager["residue"] = match["residue"]
    if match["stake"] and (match["net"] or match["carried"]):
        wager["carried"] = True if match["carried"] else None
    if kit is not None:
        wager.setdefault("pair", None)
    if match["article"] and kit is not None:
        decides, *also = match["article"].split("+")
        wager["article"] = _articles(decides, kit)
        if also:
            wager["also"] = [article for one in also for article in _articles(one, kit)]
    return wager


def _next(words: list[str]) -> Json:
    if not words:
        return {}
    do, *rest = words
    output: Json = {"do": do}
    for word in rest:
        if word.startswith("["):
            output["actions"] = value_of(word)
        elif do == "resolve":
            output["irregularity"] = int(word)
        elif _HAND.fullmatch(word):
            output.update(_seat_and_hand(word))
        else:
            output.update(place_of(word))
    return output


def _articles(text: str, kit: GameKit) -> list[str]:
    found = []
    for one in text.split("|"):
        other = _LAW.fullmatch(one)
        if one.startswith("="):
            if one[1:] not in kit.articles:
                raise ValueError(f"the kit of {kit.game} does not say which article {one[1:]!r} is")
            found += _articles(kit.articles[one[1:]], kit)
        elif other:
            found.append(f"{other[1]} art. {other[2]}")
        else:
            found.append(f"reading {one}" if one[0].isalpha() else f"{kit.law} art. {one}")
    return found

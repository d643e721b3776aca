"""Short forms of inputs: wagers, resolutions, decisions, people after ``by``."""

import difflib
import re
from collections.abc import Sequence
from typing import Any, Final, get_args

from msgspec import UNSET

from cardshoe.screens.words.currency import BadAmount
from cardshoe.table.terminal.input_context import Situation
from cardshoe.table.terminal.typed_cards import typed_card
from regulations.events.errors import MalformedLine
from regulations.events.vocabulary import Ground, ResolutionAction
from regulations.games.registry import SHEETS
from regulations.law.sheet import Choice

BETS: Final = "bets"
WAYS_OUT: Final = frozenset(get_args(ResolutionAction)) - {"decision"}
"""Without ``decision``, which is also an event."""
GROUNDS: Final = frozenset(get_args(Ground))
MISREAD: Final = "misread"
STRUCK: Final = frozenset({"foreign", "damaged", "undue"})
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_SEAT: Final = r"(?P<seat>[0-9]{1,3})(?:\.(?P<id>[0-9]{1,3}))?"
_PLACE: Final = re.compile(_SEAT)
_WAGER: Final = re.compile(_SEAT + r":(?P<bet>[^:]*)(?::(?P<stake>.*))?")
_AMENDMENT: Final = re.compile(r"(?P<after>after)?(?P<index>[0-9]{1,3})=(?P<card>[^,]+)", re.IGNORECASE)
_BLANK: Final = re.compile(r"<[^<>]*>")
Fields = dict[str, Any]


def expand(words: Sequence[str], now: Situation) -> tuple[str, Fields, list[str]]:
    """Expand a short form into event name, known fields and remaining words.

    Raises:
        MalformedLine: names the possible forms.
    """
    for word in words:
        if _BLANK.fullmatch(word.strip("\"'")):
            raise MalformedLine("$", f"fill in {word}")
    name, rest = words[0], list(words[1:])
    if name == BETS:
        fields, rest = _wagers(rest, now)
        return "bets_closed", fields, rest
    if name in {"bets_closed", "bets_corrected"} and rest and _WAGER.fullmatch(rest[0]):
        fields, rest = _wagers(rest, now)
        return name, fields, rest
    if name == "void" and rest and rest[0] in GROUNDS:
        return name, {"ground": rest[0]}, rest[1:]
    if name in WAYS_OUT and (name != "void" or (rest and (_NUMBER.fullmatch(rest[0]) or rest[0] == "by"))):
        return "resolve", *_way_out(name, rest, now)
    if name == "decision" and "by" in rest:
        return "resolve", *_way_out(name, rest, now)
    if name in decision_words():
        return "decision", *_decision(name, rest, now)
    return name, {}, rest


def decision_words() -> dict[str, Choice]:
    return {one.name: one for sheet in SHEETS.values() for one in sheet.choices}


def take_persons(words: Sequence[str]) -> tuple[list[int | str] | None, list[str]]:
    if "by" not in words:
        return None, list(words)
    at = list(words).index("by")
    end = at + 1
    while end < len(words) and not (words[end][:1] in "\"'" or "=" in words[end]):
        end += 1
    named = [part for word in words[at + 1 : end] for part in word.split(",") if part]
    if not named:
        raise MalformedLine("$", "who decides? `by` takes persons' numbers: by 7, or by 7 8")
    persons: list[int | str] = [int(one) if _NUMBER.fullmatch(one) else one for one in named]
    return persons, [*words[:at], *words[end:]]


def _wagers(words: Sequence[str], now: Situation) -> tuple[Fields, list[str]]:
    seats: list[int] = []
    wagers: list[Fields] = []
    rest = list(words)
    while rest and (found := _WAGER.fullmatch(rest[0]) or _PLACE.fullmatch(rest[0])):
        word = rest.pop(0)
        seat = int(found["seat"])
        if not 1 <= seat <= now.table.seats:
            raise MalformedLine("$", f"{word}: no seat {seat}; there are seats 1 to {now.table.seats}")
        if seat not in seats:
            seats.append(seat)
        if ":" in word:
            wagers.append(_wager(word, found, now))
    return {"seats": seats, "wagers": wagers}, rest


def _wager(word: str, found: re.Match[str], now: Situation) -> Fields:
    bet = found["bet"].lower()
    if bet not in now.bets:
        near = difflib.get_close_matches(bet, now.bets, 1)
        hint = f"did you mean `{near[0]}`? " if near else ""
        raise MalformedLine("$", f"{word}: no bet `{bet}`; {hint}there are {', '.join(now.bets)}")
    wager: Fields = {"seat": int(found["seat"]), "bet": bet}
    if found["id"] is not None:
        wager["id"] = int(found["id"])
    if found["stake"] is None:
        return wager
    if not now.stakes_known:
        raise MalformedLine("$", f"{word}: this table is not told the stakes; type {found['seat']}:{bet}")
    wager["stake"] = _amount(word, found["stake"], now)
    return wager


def _amount(word: str, text: str, now: Situation) -> int:
    try:
        return now.currency.units(text)
    except BadAmount as error:
        raise MalformedLine("$", f"{word}: {error}") from error


def _way_out(action: str, words: Sequence[str], now: Situation) -> tuple[Fields, list[str]]:
    rest = list(words)
    if rest and _NUMBER.fullmatch(rest[0]):
        number = int(rest.pop(0))
    elif now.due_irregularity is not None:
        number = now.due_irregularity
    else:
        raise MalformedLine("$", f"no irregularity is open that `{action}` could resolve")
    fields: Fields = {"irregularity": number, "action": action}
    if action == "identify":
        rest = _identified(fields, rest, now)
    elif action == "enter_bets":
        bets, rest = _wagers(rest, now)
        fields |= bets
    elif action == "reassign" and not any(word.startswith("cards=") for word in rest):
        rest = _struck(fields, rest)
    elif action == "decision" and rest and rest[0] in decision_words():
        fields["decision"] = rest.pop(0)
    return fields, rest


def _identified(fields: Fields, words: Sequence[str], now: Situation) -> list[str]:
    before, behind = _until_by(words)
    if MISREAD in before:
        before.remove(MISREAD)
        fields["ground"] = MISREAD
    cards = [card for word in before for card in map(typed_card, word.split(",")) if card is not None]
    amended = [_AMENDMENT.fullmatch(part) for word in before for part in word.split(",")]
    amendments = [_amendment(found) for found in amended if found is not None]
    rest = [word for word in before if typed_card(word.split(",")[0]) is None and not _AMENDMENT.match(word)]
    if amendments:
        fields["cards"] = amendments
    elif cards and (len(cards) > 1 or now.open_codes.get(fields["irregularity"]) == "count_gap"):
        fields["cards"] = cards
    elif cards:
        fields["card"] = cards[0]
    return [*rest, *behind]


def _amendment(found: re.Match[str]) -> Fields:
    index = {"after" if found["after"] else "index": int(found["index"])}
    if found["card"].lower() == "none":
        return {**index, "to": "none"}
    return {**index, "card": typed_card(found["card"]) or found["card"]}


def _struck(fields: Fields, words: Sequence[str]) -> list[str]:
    before, behind = _until_by(words)
    numbers = [part for word in before for part in word.split(",") if _NUMBER.fullmatch(part)]
    fields["cards"] = [{"index": int(number), "to": "burn"} for number in numbers]
    ground = next((word for word in before if word in STRUCK), None)
    if ground is not None:
        fields["ground"] = ground
    rest = [word for word in before if word != ground and not _NUMBER.fullmatch(word.split(",")[0])]
    return [*rest, *behind]


def _until_by(words: Sequence[str]) -> tuple[list[str], list[str]]:
    at = next((n for n, word in enumerate(words) if word == "by" or word.startswith("by=")), len(words))
    return list(words[:at]), list(words[at:])


def _decision(action: str, words: Sequence[str], now: Situation) -> tuple[Fields, list[str]]:
    rest, prompt = list(words), now.prompt
    fields: Fields = {"action": action}
    asked = {"seat": prompt.seat, "hand": prompt.hand, "id": prompt.id} if prompt.do == "decide" else {}
    if rest and (found := _PLACE.fullmatch(rest[0])) is not None:
        rest.pop(0)
        fields["seat"] = int(found["seat"])
        if found["id"] is not None:
            fields["id"] = int(found["id"])
        asked = asked if asked.get("seat") == fields["seat"] else {}
    for key, value in asked.items():
        if value is not UNSET:
            fields.setdefault(key, value)
    if decision_words()[action].adds and rest and re.match(r"[0-9.]", rest[0]):
        word = rest.pop(0)
        fields["amount"] = _amount(word, word, now)
    return fields, rest

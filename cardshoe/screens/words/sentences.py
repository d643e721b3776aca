"""The law's sentences in the pages' languages."""

import re
from collections.abc import Callable, Iterator
from typing import Final, cast

from cardshoe.screens.words import labels
from regulations.events.vocabulary import Bet, Holder

Say = Callable[..., str]

FOUND: Final = (
    "%(n)s before this one",
    "%(n)s are left",
    "%(n)s cards are behind it, expected are %(m)s to %(k)s",
    "%(n)s cards found, %(m)s must be left",
    "%(n)s cards, %(m)s came out",
    "from %(n)s to %(m)s",
    "it lies open already",
    "it read another card than was entered",
    "it read another card than was entered for %(place)s",
    "its result is not the regulation's",
    "the device took the card for %(place)s, it is %(other)s",
    "the regulation's result is %(result)s",
    "%(n)s bytes without a frame",
    "type %(type)s, %(n)s bytes",
)
DUTIES: Final = (
    "a challenge adds as much as the ante",
    "a doubled wager is twice the first",
    "a stake that is carried is not withdrawn, in part or whole",
    "a stake that stood in the tie is %(ways)s, and nothing else",
    "an insurance is half of the wager",
    "an insurance is half to the whole of the wager",
    "an insurance is the whole of the wager",
    "each wager of a split equals the first",
    "the house covers the difference between the wagers of both sides, up to the limits that it has set",
    "of several bettors the highest wager decides; of equal ones the bettor who sits there",
    "on each side the seated bettor with the highest wager may look; the cards stay on the table",
)
_WAYS: Final = ("kept", "withdrawn", "altered", "moved to the other side")
_OR, _BURNED, _A_SEAT = "%(one)s or %(other)s", "the burned cards", "a seat"
ALL: Final = (*FOUND, *DUTIES, *_WAYS, _OR, _BURNED, _A_SEAT)

LONGEST: Final = 500
"""Limit of translated sentences: a hostile one could take hours."""
_PLACE: Final = r"(player|banker|croupier|seat|burn)(?: (\d+))?(?:, hand (\d+))?(?:, card (\d+))?"
_HOLES: Final = {
    "n": r"\d+",
    "m": r"\d+",
    "k": r"\d+",
    "place": r"[a-z][a-z0-9, ]*",
    "other": r"[a-z][a-z0-9, ]*",
    "result": r"(?:player|banker|tie), [a-z, ]*pair",
    "type": r"[0-9A-F]+",
    "ways": r"[a-z ]+",
}


def spoken(text: str, say: Say) -> str:
    """Translate a sentence of the law; unknown or too long ones stay."""
    if len(text) > LONGEST:
        return text
    for head, found in _divided(text):
        said = _filled(head, say)
        if said != head:
            behind = _filled(found, say)
            return said if behind == found else f"{said} · {behind}"
    return text


def place_in(text: str) -> tuple[Holder, int, int, int] | None:
    """The place at a sentence's end: owner, seat and hand (0: none), card from 1; ``None``: none."""
    found = re.search(f"(?:^|[ ,]){_PLACE}$", text) if len(text) <= LONGEST else None
    if found is None or found[4] is None:
        return None
    seat = int(found[2] or 0)
    return cast("Holder", found[1]), seat, int(found[3] or 1) if seat else 0, int(found[4])


def _divided(text: str) -> Iterator[tuple[str, str]]:
    yield text, ""
    for colon in re.finditer(": ", text):
        yield text[: colon.start()], text[colon.end() :]


def _filled(text: str, say: Say) -> str:
    for message, pattern in _PATTERNS:
        if found := pattern.fullmatch(text):
            return say(message, **{name: _part(name, value, say) for name, value in found.groupdict().items()})
    return say(text) if text else ""


def _pattern(message: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"%\\\((\w+)\\\)s", lambda hole: f"(?P<{hole[1]}>{_HOLES[hole[1]]})", re.escape(message)))


_PATTERNS: Final = [(message, _pattern(message)) for message in (*FOUND, *DUTIES) if "%(" in message]


def _part(name: str, value: str, say: Say) -> str:
    match name:
        case "place" | "other":
            return _place(value, say)
        case "result":
            outcome, *pairs = re.findall(r"player|banker|tie", value)
            bets = [outcome, *(f"{one}_pair" for one in pairs)]
            return " · ".join(say(labels.BETS[cast("Bet", one)]) for one in bets)
        case "ways":
            said = ""
            for one in value.split(" or "):
                said = say(_OR, one=said, other=say(one)) if said else say(one)
            return said
        case _:
            return value


def _place(value: str, say: Say) -> str:
    found = re.fullmatch(_PLACE, value)
    if found is None:
        return value
    who, seat, hand, card = found.groups()
    if who == "burn":
        return say(_BURNED)
    said = [say(_A_SEAT if who == "seat" and not seat else labels.HOLDERS[cast("Holder", who)], seat=seat)]
    if hand:
        said.append(say("hand %(n)s", n=hand))
    if card:
        said.append(say("card %(n)s", n=card))
    return " · ".join(said)

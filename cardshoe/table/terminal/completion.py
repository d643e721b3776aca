"""Completion: next words by prompt, irregularities and profile."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import UNSET

from cardshoe.screens.view.allowed import allowed
from cardshoe.table.terminal.help import COMMANDS
from cardshoe.table.terminal.input_context import Situation
from cardshoe.table.terminal.short_forms import BETS, GROUNDS, MISREAD, STRUCK

WAGERED: Final = frozenset({BETS, "bets_corrected"})
BY_PERSONS: Final = frozenset({"void", "bets_corrected", "bettor_left", "device_readmitted"})
WORDS: Final = {
    "shuffled": ("croupier", "shuffler"),
    "cut": ("player", "croupier"),
    "revealed": ("player", "banker", "croupier", "seat"),
    "exposed": ("player", "banker", "croupier", "seat"),
    "qr": ("key",),
}


@dataclass(frozen=True, slots=True)
class Completions:
    words: Sequence[str] = ()
    common: str = ""


def complete(line: str, now: Situation) -> Completions:
    *before, last = line.lstrip().split(" ")
    before = [word for word in before if word]
    words = [word for word in dict.fromkeys(_candidates(before, last, now)) if word.startswith(last)]
    if not words:
        return Completions()
    common = _common(words)[len(last) :]
    if len(words) == 1 and not words[0].endswith(":"):
        common += " "
    return Completions(words, common)


def typed(now: Situation) -> list[str]:
    events = (one.event if one.action is UNSET else one.action for one in allowed(now.view))
    return [BETS if event == "bets_closed" else event for event in events]


def _common(words: Sequence[str]) -> str:
    first, last = min(words), max(words)
    return first[: next((n for n, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first))]


def _candidates(before: Sequence[str], last: str, now: Situation) -> Iterable[str]:
    if not before:
        return [*typed(now), *COMMANDS]
    name, arguments = before[0], before[1:]
    ways = now.prompt.actions if now.prompt.do == "resolve" and now.prompt.actions is not UNSET else []
    found: list[str] = []
    if name in WAGERED:
        found += _wagers(last, now)
    elif name == "help":
        found += [*typed(now), *COMMANDS, "all"]
    elif name in ways and name != "void":
        found += [] if arguments else [str(number) for number in now.open_codes]
        found += sorted(STRUCK) if name == "reassign" else [MISREAD] if name == "identify" else ()
    elif not arguments:
        found += _first_words(name, now)
    if "by" not in before and (name in ways or name in BY_PERSONS):
        found.append("by")
    return found


def _first_words(name: str, now: Situation) -> Iterable[str]:
    if name == "void":
        return [*map(str, now.open_codes), *sorted(GROUNDS)]
    if name == "equipment":
        return now.game.law.equipment
    if name == "device_readmitted":
        return now.devices
    return WORDS.get(name, ())


def _wagers(last: str, now: Situation) -> Iterable[str]:
    seat, colon, _ = last.partition(":")
    if not colon:
        yield from (f"{number}:" for number in range(1, now.table.seats + 1))
    elif seat.partition(".")[0].isdecimal():
        end = ":" if now.stakes_known else ""
        yield from (f"{seat}:{bet}{end}" for bet in now.bets)

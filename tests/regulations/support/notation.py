"""The notation of law cases: what a table is told, and what the regulation must answer.

A file ``cases/TOPIC.case`` holds cases; a blank line and lines beginning with ``#`` mean nothing::

    == player shows first
    profile deal=face_down
    .ready
    .card 9H 3D KS
    card 4C
      > dealt null banker/2 @7.º-1
      > next reveal player
    revealed banker
      > refused not_now @7.º-1
      > next reveal player

``profile`` is the table event: ``decks=``, ``seats=``, ``equipment=``, ``at=``, everything else an option. The
authorisations that the options need are added, unless ``noauth`` is written; ``auth OPTION VALUE REQUESTED EFFECTIVE
[REFERENCE]`` in lines of their own adds others.

A line beginning with ``.`` leads to where the case begins: a prelude (:mod:`tests.regulations.support.preludes`) or
inputs, several cards in one line if wanted. Its outputs are not compared, but nothing in it may be refused or
irregular; ``~`` instead of ``.``: irregularities belong to the way.

Any other line is an input; the lines ``>`` below it are all its outputs, in order. Of each output only the fields that
are written are compared. ``@9.º-1`` demands that article of 55/2004, ``@B11`` that reading, ``@9.º-1|B11`` one of them.
A line ``!reason`` marks a case that the machine does not satisfy yet.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.regulations.support.preludes import PRELUDES
from tests.regulations.support.profiles import Json, authorisation, profile

CASES: Final = Path(__file__).parent.parent / "cases"
BY: Final = ["croupier", "pit"]
"""The two persons who answer where a case does not say who."""
_SETTLED: Final = re.compile(
    r"(?P<seat>\d+):(?P<bet>\w+):(?P<stake>\d+)(?:#(?P<id>\d+))?"
    r"(?:=(?P<net>-?\d+)(?:~(?P<residue>-?\d+/\d+))?)?(?:@(?P<article>.+))?"
)

_CARD: Final = re.compile(r"[A2-9TJQK][SHDC]")

# What the words of a line mean, in order. "place" is player/1, "cards" a list of cards.
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
    "fault": ("device", "code"),
    "fault_cleared": ("device", "code"),
    "device_lost": ("device",),
    "device_back": ("device",),
    "device_result": ("device", "outcome", "pairs"),
    "round_partial": ("device",),
    "equipment": ("equipment",),
    "shoe_ended": ("reason",),
    "decision": ("seat", "action"),
}
_OUTPUT_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "dealt": ("card", "place"),
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
    "misdeal": {"detail": "the second card was pushed to the wrong side"},
    "void": {"reason": "asked for", "by": BY},
    "shoe_ended": {"reason": "the cards are worn"},
    "device_result": {"pairs": []},
}
NO_REASON: Final = ""

Value = str | int | bool | list[object] | None
"""What a word may mean."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """An input and the outputs that it must have.

    Attributes:
        line: where it stands in its file.
        text: how it is written there.
        given: the input.
        expected: its outputs; ``None``: whatever is not refused.
        may_be_irregular: with ``None``: whether irregularities belong to the way.
    """

    line: int
    text: str
    given: Json
    expected: list[Json] | None = None
    may_be_irregular: bool = False


@dataclass(frozen=True, kw_only=True)
class Case:
    """One case of the law."""

    name: str
    table: Json
    steps: list[Step] = field(default_factory=list)
    opening: list[Json] = field(default_factory=list)
    broken: str = NO_REASON
    """Why the machine does not satisfy it yet."""


def read_cases() -> list[Case]:
    """Every case of every file, in a fixed order."""
    return [case for path in sorted(CASES.glob("*.case")) for case in read_file(path)]


def read_file(path: Path) -> list[Case]:
    """The cases of one file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("== ")]
    ends = [*starts[1:], len(lines)]
    return [_case(path.stem, lines, start, end) for start, end in zip(starts, ends, strict=True)]


def _case(topic: str, lines: list[str], start: int, end: int) -> Case:
    name = f"{topic}: {lines[start].removeprefix('== ').strip()}"
    table: Json = profile()
    steps: list[Step] = []
    opening: list[Json] = []
    broken = NO_REASON
    expected = opening
    for number in range(start + 1, end):
        text = lines[number].strip()
        if not text or text.startswith("#"):
            continue
        if text.startswith("!"):
            broken = text.removeprefix("!").strip()
        elif text.startswith(">"):
            expected.append(_output(text.removeprefix(">").strip()))
        elif text.startswith("profile"):
            table = _profile(text.split()[1:])
        elif text.startswith("auth "):
            table["authorisations"].append(_authorisation(text.split()[1:]))
        elif text[0] in ".~":
            steps += [
                Step(line=number + 1, text=text, given=given, may_be_irregular=text[0] == "~")
                for given in _leading(text[1:], table)
            ]
        else:
            expected = []
            steps.append(Step(line=number + 1, text=text, given=_input(text), expected=expected))
    return Case(name=name, table=table, steps=steps, opening=opening, broken=broken)


def _profile(words: list[str]) -> Json:
    given = dict(_pair(word) for word in words if "=" in word)
    return profile(authorised="noauth" not in words, **given)


def _authorisation(words: list[str]) -> Json:
    option, value, requested, effective, *reference = words
    made = authorisation(option, _value(value), requested, effective)
    return {**made, "reference": " ".join(reference).replace("-", "")} if reference else made


def _leading(text: str, table: Json) -> list[Json]:
    name, *words = text.split()
    if name in PRELUDES:
        return PRELUDES[name](table)
    if name == "card" and all(_CARD.fullmatch(word) for word in words):
        return [_input(f"card {word}") for word in words]
    return [_input(text)]


def _pair(word: str) -> tuple[str, Value]:
    name, _, value = word.partition("=")
    return name, _value(value)


def _value(text: str) -> Value:
    """A word as JSON has it: number, list, true, false, null; in single quotes always text."""
    if text.startswith("[") and text.endswith("]"):
        return [_value(word) for word in text[1:-1].split(",") if word]
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    return {"true": True, "false": False, "null": None}.get(text, text.strip("'"))


def _input(text: str) -> Json:
    name, *words = text.split()
    given: Json = {"event": name, **_DEFAULTS.get(name, {})}
    if name == "bets_closed":
        return {**given, **_bets(words)}
    if name == "resolve":
        given["by"] = BY if words[1] in {"void", "identify", "reassign", "end_shoe"} else BY[:1]
    plain = []
    for word in words:
        if name == "card" and word in {"up", "unseen"}:
            given.update({"face": "up"} if word == "up" else {"card": None, "unseen": True})
        elif "->" in word:
            given.setdefault("cards", []).append(_reassignment(word))
        elif word.startswith("claimed="):
            given["claimed"] = _place(word.removeprefix("claimed="))
        elif "=" in word:
            given.update([_pair(word)])
        else:
            plain.append(word)
    given.update((key, _value(word)) for key, word in zip(_INPUT_WORDS.get(name, ()), plain, strict=False))
    return given


def _bets(words: list[str]) -> Json:
    wagers = [_wager(word) for word in words if "=" not in word]
    given: Json = {"seats": sorted({wager["seat"] for wager in wagers}), "wagers": wagers}
    given.update(_pair(word) for word in words if "=" in word)
    return given


def _reassignment(word: str) -> Json:
    index, _, place = word.partition("->")
    return {"index": int(index), **_place(place)}


def _place(text: str) -> Json:
    to, _, position = text.partition("/")
    return {"to": to, "position": int(position)} if position else {"to": to}


def _wager(word: str) -> Json:
    match = _SETTLED.fullmatch(word)
    if match is None:
        raise ValueError(f"{word!r} is no wager: write 1:banker:10000, and =NET@ARTICLE where it is settled")
    wager: Json = {"seat": int(match["seat"]), "bet": match["bet"], "stake": int(match["stake"])}
    if match["id"]:
        wager["id"] = int(match["id"])
    if match["net"]:
        wager["net"] = int(match["net"])
        wager["residue"] = match["residue"]
    if match["article"]:
        wager["article"] = _articles(match["article"])
    return wager


def _output(text: str) -> Json:
    name, *words = text.split()
    output: Json = {"event": name}
    plain = []
    for word in words:
        if word.startswith("@"):
            output["article"] = _articles(word[1:])
        elif name in {"settled", "reversed", "voided"}:
            output.update([_pair(word)] if "=" in word and ":" not in word else [])
            if ":" in word:
                output.setdefault("wagers", []).append(_wager(word))
        elif "=" in word:
            output.update([_pair(word)])
        else:
            plain.append(word)
    if name == "voided":
        output.setdefault("wagers", [])
    if name == "next":
        return {**output, **_next(plain)}
    for key, word in zip(_OUTPUT_WORDS.get(name, ()), plain, strict=False):
        output.update(_place(word) if key == "place" else _points(word) if key == "points" else {key: _value(word)})
    return output


def _next(words: list[str]) -> Json:
    do, *rest = words
    output: Json = {"do": do}
    for word in rest:
        if do == "resolve" and not word.startswith("["):
            output["irregularity"] = int(word)
        elif word.startswith("["):
            output["actions"] = _value(word)
        else:
            output.update(_place(word))
    return output


def _points(text: str) -> Json:
    player, _, banker = text.partition("-")
    return {"points": {"player": int(player), "banker": int(banker)}}


def _articles(text: str) -> list[str]:
    return [f"reading {one}" if one[0].isalpha() else f"55/2004 art. {one}" for one in text.split("|")]

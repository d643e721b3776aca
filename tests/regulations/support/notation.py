"""The notation of law cases: what a table is told, and what the regulation must answer.

A file ``cases/GAME/TOPIC.case`` holds the cases of a game, ``cases/shared/TOPIC.case`` those that run once for each
game; a blank line and lines beginning with ``#`` mean nothing::

    == player shows first
    profile deal=face_down
    .ready
    .card 9H 3D KS
    card 4C
      > dealt null banker/2 @7.º-1
      > next reveal player @7.º-1
    revealed banker
      > refused not_now @7.º-1
      > next reveal player @7.º-1

``profile`` is the table event: ``decks=``, ``seats=``, ``equipment=``, ``at=``, everything else an option; what is not
written is the game's default. The authorisations that the options need are added, unless ``noauth`` is written;
``auth OPTION VALUE REQUESTED EFFECTIVE [REFERENCE]`` in lines of their own adds others.

A line beginning with ``.`` leads to where the case begins: a prelude (:mod:`tests.regulations.support.games`) or
inputs, several cards in one line if wanted. Its outputs are not compared, but nothing in it may be refused or
irregular; ``~`` instead of ``.``: irregularities belong to the way.

Any other line is an input; the lines ``>`` below it are all its outputs, in order. Of each output only what is written
is compared, ``_`` skips a word; ``> _`` is any output, ``> ...`` at the end
whatever follows. ``> sealed`` and ``> open`` say whether the log seals the input's own line (reading G8); a
case that writes neither does not ask. ``!reason`` marks a case that the machine does
not satisfy yet. Inputs and outputs in short::

    bets_closed 1:main:100 1:main:50#2 2:tie:10          #2: another bettor; seats=[..] if they are not the wagers'
    bets_closed 1:main 1:tie#2                           where no stakes are told
    bets_corrected 1:main:150 by=[7,8]                   as `bets_closed`; two persons if nobody is named
    void ground=not_begun | void ground=null             `misdeal` if nothing is written; null: no ground
    device_result shoe player | … pairs=null            `pairs` is [] if nothing is written; null: left out
    card 9H device=shoe permit=next     by the last `next`; `next-3`: by the line three before it
    decision 1 hit | decision 1.2 double id=2            1.2: seat 1, its second hand; also hand=2 amount=50 any_pair=10
    revealed seat/1.1 9H KS | revealed croupier          the cards only where one of them is unseen; `exposed` as well
    resolve 1 reassign ground=undue 3->burn | resolve 1 reassign cards=[]           3: the third card of the round
    resolve 1 identify 2=9H | resolve 1 identify +2=9H | resolve 1 identify 2->none   +2: behind it; none: never
    resolve 1 enter_bets 1:player:100                    the rest as in `bets_closed`
    > dealt 9H seat/1.1/2 | > dealt null croupier/1      seat 1, hand 1, position 2; without `.1` any hand
    > emptied seat/1.1/3
    > next draw seat/2/1 | > next decide 2.1 [hit,stand] id=1 | > next reveal seat/1 | > next resolve 1 [burn,void]
    > reveal seat/1.1 9H KS
    > settled 1.1:main:100=150~1/2@10.º-1 2:main:10=0+carried     net, ~residue, @article; a net alone is not carried
    > settled 1:main=3/2@10.º-2 banker=19/20       what a unit pays, where no stakes are told; without a seat: of all
    > settled 1:any_pair:10^1=110                        ^1: on the hand's first later pair
    > settled 1:main:100=95@9.º-1+10.º                   `+`: an article that decides with it
    > voided 1.2:main:100 | > voided ...                 without anything: no wagers; ...: whatever wagers
    > result player 9-7                                  baccarat; every game, and every line, may end with JSON:
    > result {"croupier": "9H", "seats": [{"seat": 1, "outcome": "win"}]}    objects: only the fields that are given

Every `refused`, `irregularity`, `settled` (each of its wagers too) and `next` names its article, or the case cannot be
read; only ``next nothing`` has none.

``@9.º-1`` demands that article of the game's own regulation, ``@B11`` that reading, ``@9.º-1|B11`` one of them,
``@219/96/M:1.º`` an article of another text, ``@=undue_card`` what the game's kit calls so. Words that a case counts
for itself: ``any`` (a card that is not out yet), ``wager`` (the game's main wager on seat 1), ``all`` (the stack's
cards), ``out``, ``left``, ``least`` and ``most`` (cards behind the cut card), ``due`` (one more than the irregularity
that was resolved last), each with ``+1`` or ``-1``. They know nothing of cards of which only a gap in a device's count
tells.

A shared case runs for every game; ``needs WORD ...`` demands traits of the game (:data:`TRAITS` in ``games/kit.py``),
``needs !WORD`` that it lacks one, ``games NAME ...`` names the games.
"""

import json
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Final

from tests.regulations.support.games.kit import TRAITS, GameKit
from tests.regulations.support.kits import ENFORCED, KITS
from tests.regulations.support.ledger import Ledger
from tests.regulations.support.profiles import Json, authorisation, profile
from tests.regulations.support.words import CARD, input_of, output_of, pair_of, value_of

CASES: Final = Path(__file__).parent.parent / "cases"
SHARED: Final = "shared"
NO_REASON: Final = ""
SEALED: Final = {"> sealed": True, "> open": False}
"""True for a word that says that the input's own line is sealed."""
CITING: Final = frozenset({"refused", "irregularity", "settled", "next"})
"""The outputs that no case may demand without an article."""


def written(given: Json) -> str:
    """An input as the table log has it."""
    return json.dumps(given, ensure_ascii=False)


@dataclass(frozen=True, kw_only=True)
class Step:
    """An input and the outputs that it must have.

    Attributes:
        line: where it stands in its file.
        text: how it is written there.
        given: the input.
        written: the input as the table log has it.
        expected: its outputs; ``None``: whatever is not refused.
        may_be_irregular: with ``None``: whether irregularities belong to the way.
        is_sealed: whether its own line must be sealed in the log; ``None``: not asked.
    """

    line: int
    text: str
    given: Json
    expected: list[Json] | None = None
    may_be_irregular: bool = False
    is_sealed: bool | None = None
    written: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "written", written(self.given))


@dataclass(frozen=True, kw_only=True)
class Case:
    """One case of the law.

    Attributes:
        name: its file's topic and its own, unique within the game.
        game: whose machine runs it.
        table: the profile.
        steps: the inputs.
        opening: what the profile must be answered.
        broken: why the machine does not satisfy it yet.
    """

    name: str
    game: str
    table: Json
    steps: list[Step] = field(default_factory=list)
    opening: list[Json] = field(default_factory=list)
    broken: str = NO_REASON


def all_cases() -> list[Case]:
    """Every case of every game that is enforced, in a fixed order."""
    return [case for game in ENFORCED for case in read_cases(game)]


@cache
def read_cases(game: str) -> tuple[Case, ...]:
    """The cases of a game, its own and then those that it shares, in a fixed order."""
    return tuple(case for path in files_of(game) for case in read_file(path, KITS[game]))


def files_of(game: str) -> list[Path]:
    """The files with the cases of a game, its own and then those that it shares, in a fixed order."""
    return [path for folder in (game, SHARED) for path in sorted((CASES / folder).glob("*.case"))]


def read_file(path: Path, kit: GameKit) -> list[Case]:
    """The cases of one file that speak of this game.

    Raises:
        ValueError: a line cannot be meant, or demands an output without its article.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("== ")]
    ends = [*starts[1:], len(lines)]
    topic = f"{SHARED}/{path.stem}" if path.parent.name == SHARED else path.stem
    return [
        _case(topic, lines, start, end, kit)
        for start, end in zip(starts, ends, strict=True)
        if _applies(lines[start + 1 : end], kit)
    ]


def _applies(lines: list[str], kit: GameKit) -> bool:
    for line in lines:
        kind, *words = line.split() or [""]
        if kind == "games" and kit.game not in words:
            return False
        if kind == "needs":
            unknown = {word.removeprefix("!") for word in words} - TRAITS
            if unknown:
                raise ValueError(f"no game can have {sorted(unknown)}")
            if any((word.removeprefix("!") in kit.traits) == word.startswith("!") for word in words):
                return False
    return True


def _case(topic: str, lines: list[str], start: int, end: int, kit: GameKit) -> Case:
    name = f"{topic}: {lines[start].removeprefix('== ').strip()}"
    table: Json = profile(game=kit.game)
    steps: list[Step] = []
    opening: list[Json] = []
    broken = NO_REASON
    expected = opening
    ledger = Ledger(kit, table["decks"])
    for number in range(start + 1, end):
        text = lines[number].strip()
        if not text or text.startswith(("#", "needs ", "games ")):
            continue
        if text.startswith("!"):
            broken = text.removeprefix("!").strip()
        elif text in SEALED:
            steps[-1] = replace(steps[-1], is_sealed=SEALED[text])
        elif text.startswith(">"):
            expected.append(output_of(text.removeprefix(">"), kit, ledger))
            if _lacks_article(expected[-1]):
                raise ValueError(f"{kit.game}, {name}, line {number + 1}: no article in {text!r}: write it after an @")
        elif text.startswith("profile"):
            table = _profile(text.split()[1:], kit)
            ledger = Ledger(kit, table["decks"])
        elif text.startswith("auth "):
            table["authorisations"].append(_authorisation(text.split()[1:]))
        else:
            expected = []
            steps += _steps(number + 1, text, table, kit, ledger, expected)
    return Case(name=name, game=kit.game, table=table, steps=steps, opening=opening, broken=broken)


def _lacks_article(output: Json) -> bool:
    """True if something is demanded of a table without the article that it stands on."""
    if output["event"] == "settled" and any("article" not in wager for wager in output.get("wagers", [])):
        return True
    return output["event"] in CITING and "article" not in output and output.get("do") != "nothing"


def _steps(line: int, text: str, table: Json, kit: GameKit, ledger: Ledger, expected: list[Json]) -> list[Step]:
    if text[0] not in ".~":
        given = input_of(text, ledger)
        ledger.apply(given)
        return [Step(line=line, text=text, given=given, expected=expected)]
    leading = _leading(text[1:], table, kit, ledger)
    return [Step(line=line, text=text, given=given, may_be_irregular=text[0] == "~") for given in leading]


def _leading(text: str, table: Json, kit: GameKit, ledger: Ledger) -> list[Json]:
    name, *words = text.split()
    if name in kit.preludes:
        inputs = kit.preludes[name](table)
        for given in inputs:
            ledger.apply(given)
        return inputs
    several = name == "card" and all(CARD.fullmatch(word) or word == "any" for word in words)
    inputs = []
    for line in [f"card {word}" for word in words] if several else [text]:
        inputs.append(input_of(line, ledger))
        ledger.apply(inputs[-1])
    return inputs


def _profile(words: list[str], kit: GameKit) -> Json:
    given = dict(pair_of(word) for word in words if "=" in word)
    return profile(authorised="noauth" not in words, **{"game": kit.game, **given})


def _authorisation(words: list[str]) -> Json:
    option, value, requested, effective, *reference = words
    made = authorisation(option, value_of(value), requested, effective)
    return {**made, "reference": " ".join(reference).replace("-", "")} if reference else made

"""Tables of the paragraphs that outputs may cite, and the citations of a table's answers.

The first line that fits an output decides: the output must cite one of its paragraphs.

``next.resolve`` has no lines: it must cite what its irregularity cites.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final

from regulations.procedure.procedure import Procedure
from tests.regulations.support.kits import KITS
from tests.regulations.support.profiles import Json

TABLES: Final = Path(__file__).parent.parent / "cited"
SHARED: Final = "shared"
SPECIAL: Final = ("exposed", "up")
"""Last words that a line need not have: without a line of its own the output is an ordinary one."""


@dataclass(frozen=True)
class Citation:
    """One article that a table cites.

    Attributes:
        article: as the table log has it; empty: none.
    """

    what: str
    where: str
    article: str


@dataclass(frozen=True)
class Line:
    """A line of a table.

    Attributes:
        articles: the paragraphs that these may cite.
    """

    file: str
    number: int
    what: str
    where: tuple[str, ...]
    articles: tuple[str, ...]

    def fits(self, one: Citation) -> bool:
        """True if it decides of this output, unless an earlier line does."""
        return fnmatchcase(one.what, self.what) and any(
            fnmatchcase(one.where if "/" in where else one.where.partition("/")[2], where) for where in self.where
        )


@cache
def table_of(name: str) -> tuple[Line, ...]:
    """A game's own table, or ``shared``.

    Raises:
        ValueError: a line is none.
    """
    path, law, found = TABLES / f"{name}.cited", KITS[name].law if name in KITS else "", []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        line = text.partition("#")[0].strip()
        if not line:
            continue
        head, colon, articles = line.partition(" : ")
        what, within, where = head.partition(" in ")
        if not (colon and within):
            raise ValueError(f"{path.name}, line {number}: write WHAT in WHERE : PARAGRAPH")
        cited = tuple(_article(one, law) for one in articles.split())
        found.append(Line(path.name, number, what.strip(), tuple(where.split()), cited))
    return tuple(found)


@cache
def line_for(game: str, one: Citation) -> Line | None:
    """The first line that fits an output, in the game's own table or in the shared one."""
    found = next((line for name in (game, SHARED) for line in table_of(name) if line.fits(one)), None)
    what, _, last = one.what.rpartition(".")
    return line_for(game, replace(one, what=what)) if found is None and last in SPECIAL else found


def refuted(game: str, heard: Iterable[Citation]) -> list[str]:
    """Describe the citations that no line allows."""
    found = []
    for one in heard:
        line = line_for(game, one)
        if line is None or one.article not in line.articles:
            allowed = "no line fits" if line is None else f"{line.file}:{line.number} has {', '.join(line.articles)}"
            found.append(f"{one.what} in {one.where} cites {one.article or 'nothing'}: {allowed}")
    return found


def _article(word: str, law: str) -> str:
    if word == "none":
        return ""
    if word[0].isalpha():
        return f"reading {word}"
    text, colon, number = word.rpartition(":")
    if number == "annex":
        return f"{law} annex"
    return f"{text if colon else law} art. {number}"


class CitationCollector:
    """Lists the citations of the answer to one input."""

    def __init__(self, procedure: Procedure) -> None:
        self._procedure: Final = procedure
        register = procedure._context.scope.irregularities  # noqa: SLF001  else each input before must be heard as well
        self._opened: Final = {one.number: (one.code, one.article) for one in (*register.open, *register.awaited)}
        """The code and the article of each irregularity."""
        self._before: Final = self._where

    @property
    def _where(self) -> str:
        gate, shoe, game_round = self._procedure.states
        state = shoe if game_round == "idle" else game_round
        equipment = self._procedure._context.deal.equipment  # noqa: SLF001  no output tells it
        return f"{equipment}/{'!' if gate == 'blocked' else ''}{state}"

    def collect(self, given: Json, outputs: list[Json]) -> Iterator[Citation]:
        """Yield all citations but those of ``next.resolve``, which must be those of the irregularity.

        Raises:
            AssertionError: a ``next.resolve`` cites something else.
        """
        for output in outputs:
            kind, article = output["event"], output.get("article", "")
            if kind == "irregularity":
                self._opened[output["irregularity"]] = output["code"], article
            if kind == "next" and output["do"] == "resolve":
                own = self._opened[output["irregularity"]][1]
                assert article in (own, "reading G13"), f"{output} cites otherwise than its irregularity, {own}"
                continue
            where = self._where if kind == "next" else self._before
            yield Citation(self._what(given, output), where, article)
            for what, inner in _inside(kind, output):
                yield Citation(what, where, inner)

    def _what(self, given: Json, output: Json) -> str:
        kind = output["event"]
        match kind:
            case "next":
                words = [output["do"], output.get("to"), given["event"] == "exposed" and "exposed"]
            case "refused":
                words = [given["event"], output["code"]]
            case "irregularity":
                words = [output["code"]]
            case "resolved":
                words = [self._opened[output["irregularity"]][0], output["action"]]
            case "dealt":
                words = [output["to"], given.get("face") == "up" and "up"]
            case "burned":
                words = [output["why"]]
            case "last_round":
                words = ["one_more" in output and "one_more"]
            case "reveal":
                words = [output["who"]]
            case "voided":
                words = [given["ground"] if given["event"] == "void" else self._ground_of(given, output)]
            case _:
                words = []
        return ".".join(str(word) for word in (kind, *words) if word)

    def _ground_of(self, given: Json, output: Json) -> str:
        return str(self._opened.get(given.get("irregularity", 0), (output["reason"],))[0])


def _inside(kind: str, output: Json) -> Iterator[tuple[str, str]]:
    for wager in output.get("wagers", ()) if kind in ("settled", "reversed") else ():
        yield f"wager.{wager['bet']}.{_ended(wager)}", wager["article"]
    for duty in output.get("duties", ()):
        yield f"duty.{output['do']}", duty["article"]
    if kind == "result":
        for name, value in output.items():
            for article in _articles_in(value):
                yield f"{kind}.{name}", article


def _ended(wager: Json) -> str:
    if wager.get("carried") or wager.get("pays") == "carried":
        return "carried"
    net = Fraction(str(wager.get("pays", wager.get("net", 0))))
    return "won" if net > 0 else "lost" if net < 0 else "even"


def _articles_in(value: Any) -> Iterator[str]:  # noqa: ANN401  whatever JSON has
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == "article":
                yield inner
            elif name == "articles":
                yield from inner
            else:
                yield from _articles_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _articles_in(inner)

"""A game on one screen, in page and terminal form."""

from collections.abc import Iterator, Sequence
from typing import Final

from cardshoe.table.rules.columns import paragraph
from cardshoe.table.rules.text import decks_text, short, words
from cardshoe.table.rules.view import GameView
from regulations.law.guide import GuideStep

LINES: Final = 24
WIDTH: Final = 120

TITLES: Final = ("How it runs", "Decisions and roles", "When something goes wrong")
NEXT: Final = (
    "Next: [options](#options), [articles](#articles), [readings](#readings), "
    "[resolutions](../table-log.md#what-goes-wrong)."
)


def markdown(view: GameView) -> Iterator[str]:
    runs, decides, wrong = TITLES
    yield f"**{runs}.** {_table(view)}"
    yield ""
    yield from (f"{number}. {_said(step, view)}" for number, step in enumerate(view.order, start=1))
    for title, steps in ((decides, view.choices), (wrong, view.trouble)):
        yield ""
        yield f"**{title}**"
        yield from (f"- {_said(step, view)}" for step in steps)
    yield ""
    yield NEXT


def plain(view: GameView) -> Iterator[str]:
    yield from paragraph(_table(view))
    parts: Sequence[tuple[str, Sequence[GuideStep]]] = tuple(
        zip(TITLES, (view.order, view.choices, view.trouble), strict=True)
    )
    for title, steps in parts:
        yield ""
        yield title
        for number, step in enumerate(steps, start=1):
            lead = f"{number}. " if steps is view.order else "- "
            first, *more = paragraph(_said(step, view), indent=" " * (2 + len(lead)))
            yield f"  {lead}{first.lstrip()}"
            yield from more


def _table(view: GameView) -> str:
    dealt = ", ".join(f"{words(one.name)} ({decks_text(one)})" for one in view.equipment)
    return f"{view.seats} seat{'s' * (view.seats > 1)} or more; {dealt}."


def _said(step: GuideStep, view: GameView) -> str:
    colon = ":" if step.says[0].isupper() or step.says[0].isdigit() else ""
    return f"{step.what}{colon} {step.says} ({_cited(step.articles, view.edition)})"


def _cited(articles: Sequence[str], edition: str) -> str:
    told: list[str] = []
    kind = ""
    for one in articles:
        word, _, number = short(one, edition).partition(" ")
        told.append(number if word == kind else f"{word} {number}")
        kind = word
    return ", ".join(told)

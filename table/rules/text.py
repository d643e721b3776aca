"""The regulation in words, for a terminal."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from regulations.game import Game
from table.rules.columns import columns, paragraph
from table.rules.matrix import TracedArticle
from table.rules.view import GameView, PayoutView, RuleView, odds_text, states_of

DATED: Final = (
    "A dated edition: the gazette amended it later. Nothing here is the law in force; the text of the regulation is the "
    "authority."
)
TESTS_SHOWN: Final = 3
"""So many tests are named for each rule; some rules fire in hundreds. The JSON has all."""
_ARTICLE: Final = 22


def overview(view: GameView) -> Iterator[str]:
    """Material, options, payouts, articles, readings and what no machine can enforce."""
    yield f"{view.title}: {view.edition}"
    yield from paragraph(DATED)
    yield "\nMaterial"
    yield from (f"  {line}" for line in material(view))
    yield "\nOptions"
    yield from paragraph("The default is the regulation's first alternative. A: any other value needs an authorisation.")
    yield from paragraph("S: speaks of a stack in a shoe, so without effect on a shuffler-dealer.")
    for option in view.options:
        marks = ("A" if option.authorisation else " ") + ("S" if option.stack_only else " ")
        yield from columns((option.name, value_text(option.default), option.article, marks, option.allowed), OPTIONS)
    for one in view.exclusions:
        yield f"  {assignment(one.first)} and {assignment(one.second)} exclude each other  ({one.article})"
    yield "\nPayouts (net; of a bet's lines the first that holds decides)"
    for payout in view.payouts:
        yield from columns((payout.bet, words(payout.when), odds_text(payout.odds), cited(payout)), (14, 28, 10))
    for title, texts in (
        ("Articles, in our words", view.articles),
        ("Readings: where the text is silent or contradicts itself", view.readings),
        ("Not enforced: no machine can", view.not_enforced),
    ):
        yield f"\n{title}"
        for article, text in texts.items():
            yield from columns((article, text), (_ARTICLE,))


OPTIONS: Final = (20, 14, 18, 2)


def material(view: GameView) -> Iterator[str]:
    """What must lie on the table."""
    equipment = [one.name + (" (needs an authorisation)" if one.authorisation else "") for one in view.equipment]
    yield f"decks of 52 cards   {view.decks[0]} to {view.decks[1]}"
    yield f"players' places     {view.seats} or more"
    yield f"dealt from          {' or '.join(equipment)}"
    yield f"behind the cut card {view.cut_card_behind[0]} to {view.cut_card_behind[1]} cards"
    yield f"cards in a round    {view.cards_per_round} at most"


def traced(lines: Sequence[TracedArticle]) -> Iterator[str]:
    """The traceability matrix: article, rules, tests."""
    for line in lines:
        yield from columns((line.article, line.text or ""), (_ARTICLE,), indent="")
        if line.not_enforced is not None:
            yield from columns(("", f"not enforced: {line.not_enforced}"), (_ARTICLE,), indent="")
        elif not line.rules:
            yield from columns(("", "no rule of its own"), (_ARTICLE,), indent="")
        for rule in line.rules:
            yield f"    {rule.rule}"
            if rule.tests:
                yield from paragraph(tests_text(rule.tests), indent="        ")


def tests_text(tests: Sequence[str]) -> str:
    """The first few tests of a rule, and how many more there are."""
    more = len(tests) - TESTS_SHOWN
    named = "; ".join(tests[:TESTS_SHOWN])
    return f"{named}; and {more} more" if more > 0 else named


def rows(game: Game, views: Sequence[RuleView]) -> Iterator[str]:
    """Every row of every machine: input, states, guards, answer, article."""
    for machine, table in game.rulebook.machines.items():
        states = [state.value for state in states_of(table)]
        yield f"{machine}: {len(table)} rows"
        yield from columns(("input", "in the state", "if", "answer", "article"), ROWS)
        for view in views:
            if view.machine == machine:
                guards = " and ".join(view.guards)
                cells = (view.input, states_text(view.states, states), guards, view.answer, view.article)
                yield from columns(cells, ROWS)
        yield ""


ROWS: Final = (18, 16, 20, 20)


def states_text(some: Sequence[str], every: Sequence[str]) -> str:
    """States in words; where a rule holds in most of them, those in which it does not."""
    rest = [state for state in every if state not in some]
    if not rest:
        return "any"
    return f"any but {', '.join(rest)}" if len(rest) <= len(every) // 3 else ", ".join(some)


def value_text(value: object) -> str:
    """A value as the profile writes it."""
    return msgspec.json.encode(value).decode()


def assignment(pair: tuple[str, object]) -> str:
    """``round_burn = true``."""
    return f"{pair[0]} = {value_text(pair[1])}"


def words(name: str) -> str:
    """``banker_wins_with_six`` as words."""
    return name.replace("_", " ")


def cited(one: PayoutView) -> str:
    """The article that decides, and those behind it."""
    return one.article + (f" (with {', '.join(one.also)})" if one.also else "")

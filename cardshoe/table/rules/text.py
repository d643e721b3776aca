"""The regulation in words, for a terminal."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from cardshoe.table.rules.columns import columns, paragraph
from cardshoe.table.rules.matrix import TracedArticle
from cardshoe.table.rules.view import EquipmentView, GameView, PayoutView, RuleView, odds_text, states_of
from regulations.play.context.game import Game

DATED: Final = (
    "A dated edition: the gazette amended it later. Nothing here is the law in force; the regulation's own text is "
    "the authority."
)
_ARTICLE: Final = 22


def default_says(view: GameView) -> str:
    first = "The default is the regulation's first alternative."
    has_cut_card = any(option.name == "cut_card_behind" for option in view.options)
    return f"{first} Of `cut_card_behind` it is one of the depths that its article allows." if has_cut_card else first


def overview(view: GameView) -> Iterator[str]:
    yield f"{view.title}: {view.edition}"
    yield from paragraph(DATED)
    yield ""
    yield "Material"
    yield from (f"  {name:<28} {text}" for name, text in material(view).items())
    yield ""
    yield "Options"
    yield from paragraph(f"{default_says(view)} A: any other value needs an authorisation.")
    for option in view.options:
        mark = "A" if option.authorisation else ""
        only = "" if len(option.on) == len(view.equipment) else f"; {' and '.join(option.on)} only"
        cells = (option.name, value_text(option.default), short(option.article, view.edition), mark)
        yield from columns((*cells, option.allowed + only), OPTIONS)
    for one in view.exclusions:
        yield f"  {assignment(one.first)} and {assignment(one.second)} exclude each other  ({one.article})"
    yield ""
    yield "Payouts (net; of a bet's lines the first that holds decides)"
    for payout in view.payouts:
        yield from columns((payout.bet, words(payout.when), odds_text(payout), cited(payout, view.edition)), PAYOUTS)
    for title, texts in (
        ("Articles, in our words", view.articles),
        ("Readings: where the text is silent or contradicts itself", view.readings),
        ("Not enforced: no machine can", view.not_enforced),
        ("A person's duty where the table is not told the stakes", view.untold),
    ):
        if not texts:
            continue
        yield ""
        yield title
        if title.startswith("Articles") and view.numbering:
            yield from paragraph(view.numbering)
        for article, text in texts.items():
            yield from columns((article, text), (_ARTICLE,))


OPTIONS: Final = (34, 14, 12, 1)
PAYOUTS: Final = (14, 28, 12)


def material(view: GameView) -> dict[str, str]:
    found = {f"dealt from a {one.name}": _equipment(one) for one in view.equipment}
    found["players' places"] = f"{view.seats} or more"
    if any(one.cut_card_from is not None for one in view.equipment):
        fewest, most = view.cut_card_behind
        found["behind the cut card"] = f"{fewest} to {most} cards" if most else "no card: it lies last"
    burn = "without its burn"
    if view.cards_per_seat:
        burn = f"its burn included; {view.cards_per_seat} more for each place above {view.seats}"
    found["cards in a round"] = f"{view.cards_per_round} at most, {burn}"
    return found


def decks_text(one: EquipmentView) -> str:
    """``6 to 12 decks``."""
    fewest, most = one.decks
    return f"{fewest} decks or more" if most is None else f"{fewest} to {most} decks" if most > fewest else "one deck"


def _equipment(one: EquipmentView) -> str:
    most = one.decks[1]
    parts = [decks_text(one)]
    if one.one_round_to:
        only = "" if most is not None and one.one_round_to >= most else f" with {one.one_round_to} deck"
        parts.append(f"one round for each stack{only}")
    if one.authorisation:
        parts.append("needs an authorisation")
    return "; ".join(parts)


def traced(lines: Sequence[TracedArticle]) -> Iterator[str]:
    for line in lines:
        yield from columns((line.article, line.text or ""), (_ARTICLE,), indent="")
        if line.not_enforced is not None:
            yield from columns(("", f"not enforced: {line.not_enforced}"), (_ARTICLE,), indent="")
        elif not line.rules:
            yield from columns(("", "no rule of its own"), (_ARTICLE,), indent="")
        yield from (f"    {rule}" for rule in line.rules)


def rows(game: Game, views: Sequence[RuleView]) -> Iterator[str]:
    yield f"{game.law.title}: {game.law.edition}"
    for machine, table in game.rulebook.machines.items():
        states = [state.value for state in states_of(table)]
        yield ""
        yield f"{machine}: {len(table)} rows; of an input's rows the first whose conditions hold answers"
        yield from columns(("in the state", "if", "answer", "article"), ROWS, indent="    ")
        for trigger, group in itertools.groupby((v for v in views if v.machine == machine), lambda v: v.input):
            yield f"  {trigger}"
            for view in group:
                cells = (states_text(view.states, states), " and ".join(view.guards), view.answer)
                yield from columns((*cells, short(view.article, game.law.edition)), ROWS, indent="    ")


ROWS: Final = (22, 26, 27)


def states_text(some: Sequence[str], every: Sequence[str]) -> str:
    rest = [state for state in every if state not in some]
    if not rest:
        return "any"
    return f"any but {', '.join(rest)}" if len(rest) <= len(every) // 3 else ", ".join(some)


def value_text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def assignment(pair: tuple[str, object]) -> str:
    return f"{pair[0]} = {value_text(pair[1])}"


def words(name: str) -> str:
    return name.replace("_", " ")


def cited(one: PayoutView, edition: str) -> str:
    also = ", ".join(short(article, edition) for article in one.also)
    return short(one.article, edition) + (f" (with {also})" if also else "")


def short(article: str, edition: str) -> str:
    return article.removeprefix(f"{edition.partition('+')[0]} ")

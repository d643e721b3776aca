"""The rules in force at one table."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from cardshoe.table.rules.columns import columns, paragraph
from cardshoe.table.rules.text import DATED, short, value_text
from regulations.events.inputs import Table
from regulations.law.guide import Meanings
from regulations.law.profile import options_in_force
from regulations.play.context.game import Game


class OptionInForce(Struct, frozen=True, kw_only=True):
    name: str
    value: Any
    default: Any
    means: str
    article: str
    article_says: str
    authorised_by: str | None


class TableInForce(Struct, frozen=True, kw_only=True):
    table_id: str
    game: str
    title: str
    edition: str
    decks: int
    seats: int
    equipment: str
    equipment_authorised_by: str | None
    options: Sequence[OptionInForce]
    without_effect: Sequence[str]


def table_in_force(table: Table, game: Game) -> TableInForce:
    law = game.law
    values = options_in_force(table, law, table.equipment)
    texts = {**game.articles, **{name: one.says for name, one in game.readings.items()}}
    references = {one.option: one.reference for one in table.authorisations}
    return TableInForce(
        table_id=table.table_id,
        game=law.game,
        title=law.title,
        edition=law.edition,
        decks=table.decks,
        seats=table.seats,
        equipment=table.equipment,
        equipment_authorised_by=references.get("equipment") if table.equipment in law.authorised_equipment else None,
        options=[
            OptionInForce(
                name=option.name,
                value=values[option.name],
                default=option.default,
                means=meaning(game.guide.options[option.name], values[option.name]),
                article=option.article,
                article_says=texts.get(option.article, ""),
                authorised_by=references.get(option.name)
                if option.authorised and values[option.name] != option.default
                else None,
            )
            for option in law.options
            if option.name in values
        ],
        without_effect=[option.name for option in law.options if option.name not in values],
    )


def meaning(words: Meanings, value: object) -> str:
    if isinstance(words, str):
        return words.format(_limits(value) if isinstance(value, Mapping) else value)
    if isinstance(value, list):
        named = [words[one] for one in value]
        return words[""].format(" or ".join([", ".join(named[:-1]), named[-1]] if named[1:] else named))
    named_value = value if isinstance(value, str) else value_text(value)
    return words.get(named_value) or words[""].format(value)


def _limits(limits: Mapping[str, Mapping[str, int]]) -> str:
    told = []
    for bet, bounds in limits.items():
        least, most = bounds.get("least"), bounds.get("most")
        one_sided = f"at least {least}" if most is None else f"at most {most}"
        told.append(f"{bet} {one_sided if None in (least, most) else f'{least} to {most}'}")
    return ", ".join(told) + ", in minor units" if told else "there are no limits"


def in_words(view: TableInForce) -> Iterator[str]:
    yield f"Table {view.table_id}: {view.title}, {view.edition}"
    yield from paragraph(DATED)
    by = "" if view.equipment_authorised_by is None else f", authorised by {view.equipment_authorised_by}"
    yield f"  {view.decks} decks, {view.seats} seats, dealt from a {view.equipment}{by}"
    yield ""
    yield "Options in force (* differs from the regulation's first alternative)"
    for option in view.options:
        mark = " " if option.value == option.default else "*"
        by = "" if option.authorised_by is None else f"  authorised by {option.authorised_by}"
        article = short(option.article, view.edition)
        yield f"{mark} {option.name} = {value_text(option.value)}  ({article}){by}".rstrip()
        yield from columns((option.means,), (), indent="      ")
    if view.without_effect:
        yield from paragraph(f"No effect with this equipment: {', '.join(view.without_effect)}.")

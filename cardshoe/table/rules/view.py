"""A game for ``cardshoe rules``, as data."""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final

from msgspec import Struct

from regulations.events.vocabulary import EquipmentKind
from regulations.law.guide import GuideStep, Meanings
from regulations.law.rows import RegulationRow
from regulations.play.context.game import Game


class OptionView(Struct, frozen=True, kw_only=True):
    name: str
    default: Any
    allowed: str
    article: str
    authorisation: bool
    on: tuple[EquipmentKind, ...]
    means: Meanings


class EquipmentView(Struct, frozen=True, kw_only=True):
    """Admitted dealing equipment.

    Attributes:
        decks: fewest and most; ``None``: no upper limit.
        one_round_to: decks up to which a stack serves one round; 0: always several.
        cut_card_from: decks from which a cut card is used; ``None``: never.
    """

    name: EquipmentKind
    authorisation: bool
    decks: tuple[int, int | None]
    one_round_to: int
    cut_card_from: int | None
    shuffled_by: Sequence[str]
    cut_by: Sequence[str]


class ExclusionView(Struct, frozen=True, kw_only=True):
    first: tuple[str, Any]
    second: tuple[str, Any]
    article: str


class PayoutView(Struct, frozen=True, kw_only=True):
    """A settlement rule; the first matching one decides.

    Attributes:
        odds: net, ``"19/20"``; ``"-1"`` lost, ``"0"`` stands; ``None``: carried.
    """

    bet: str
    when: str
    odds: str | None
    of: str
    article: str
    also: tuple[str, ...]


class RuleView(Struct, frozen=True, kw_only=True):
    """A row of a machine; the first whose guards hold answers."""

    rule: str
    machine: str
    input: str
    states: tuple[str, ...]
    guards: tuple[str, ...]
    answer: str
    article: str
    also: tuple[str, ...]
    says: str


class GameView(Struct, frozen=True, kw_only=True):
    game: str
    title: str
    edition: str
    order: Sequence[GuideStep]
    choices: Sequence[GuideStep]
    trouble: Sequence[GuideStep]
    seats: int
    equipment: Sequence[EquipmentView]
    cut_card_behind: tuple[int, int]
    cards_per_round: int
    cards_per_seat: int
    options: Sequence[OptionView]
    exclusions: Sequence[ExclusionView]
    payouts: Sequence[PayoutView]
    articles: dict[str, str]
    not_enforced: dict[str, str]
    untold: dict[str, str]
    readings: dict[str, str]
    numbering: str = ""


def game_view(game: Game) -> GameView:
    law = game.law
    return GameView(
        game=law.game,
        title=law.title,
        edition=law.edition,
        order=game.guide.order,
        choices=game.guide.choices,
        trouble=game.guide.trouble,
        seats=law.seats,
        equipment=[
            EquipmentView(
                name=name,
                authorisation=one.authorised,
                decks=one.decks,
                one_round_to=one.one_round_to,
                cut_card_from=one.cut_card_from,
                shuffled_by=one.shuffled_by,
                cut_by=one.cut_by,
            )
            for name, one in law.equipment.items()
        ],
        cut_card_behind=law.cut_card_behind,
        cards_per_round=law.cards_per_round,
        cards_per_seat=law.cards_per_seat,
        options=[
            OptionView(
                name=option.name,
                default=option.default,
                allowed=option.allowed,
                article=option.article,
                authorisation=option.authorised,
                on=option.on or tuple(law.equipment),
                means=game.guide.options[option.name],
            )
            for option in law.options
        ],
        exclusions=[ExclusionView(first=one.first, second=one.second, article=one.article) for one in law.exclusions],
        payouts=[
            PayoutView(
                bet=rule.bet,
                when=rule.name,
                odds=str(rule.odds) if rule.odds is not None else None,
                of=rule.of,
                article=rule.article,
                also=rule.also,
            )
            for rule in game.rulebook.payouts
        ],
        articles=dict(game.articles),
        not_enforced=dict(game.not_enforced),
        untold=dict(game.untold),
        numbering=law.numbering,
        readings={name: one.says for name, one in game.readings.items()},
    )


def rule_views(game: Game) -> list[RuleView]:
    return [
        RuleView(
            rule=game.rulebook.name_of(row),
            machine=machine,
            input=row.trigger,
            states=tuple(state.value for state in row.source),
            guards=row.guards,
            answer=row.answer,
            article=row.article,
            also=row.also,
            says=row.says,
        )
        for machine, rows in game.rulebook.machines.items()
        for row in rows
    ]


def states_of(rows: Sequence[RegulationRow]) -> list[StrEnum]:
    return list(type(rows[0].source[0]))


def odds_text(payout: PayoutView) -> str:
    """``8 to 1``, ``1 to 2``, ``lost``, ``half lost``, ``stands``, ``carried``."""
    if payout.odds is None:
        return "carried"
    won = Fraction(payout.odds)
    if not won:
        return "stands"
    of = " of the first stake" if payout.of == "original" else ""
    if won > 0:
        return f"{won.numerator} to {won.denominator}{of}"
    return LOSSES.get(won, f"{-won} lost") + of


LOSSES: Final = {Fraction(-1): "lost", Fraction(-1, 2): "half lost", Fraction(-2): "twice lost"}

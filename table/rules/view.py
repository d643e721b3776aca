"""What ``cardshoe rules`` shows of a game, as data: its JSON is these structs."""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from regulations.events.vocabulary import EquipmentKind
from regulations.game import Game
from regulations.rows import Row


class OptionView(Struct, frozen=True, kw_only=True):
    """One option that the regulation leaves to the house.

    Attributes:
        name: its key under ``options``.
        default: the regulation's first alternative, in force where the profile says nothing.
        allowed: what may stand there, in words.
        article: the article that gives the option.
        authorisation: whether any other value than the default needs an authorisation of the DICJ.
        stack_only: whether it has no effect on a shuffler-dealer.
    """

    name: str
    default: Any
    allowed: str
    article: str
    authorisation: bool
    stack_only: bool


class EquipmentView(Struct, frozen=True, kw_only=True):
    """Dealing equipment that the regulation admits.

    Attributes:
        name: its name in the profile.
        authorisation: whether it needs an authorisation of the DICJ.
    """

    name: EquipmentKind
    authorisation: bool


class ExclusionView(Struct, frozen=True, kw_only=True):
    """Two option values that cannot stand together."""

    first: tuple[str, Any]
    second: tuple[str, Any]
    article: str


class PayoutView(Struct, frozen=True, kw_only=True):
    """One rule of settlement; of a bet's rules the first that holds decides.

    Attributes:
        bet: the wager.
        when: what must have happened.
        odds: net odds as a fraction, ``"19/20"``; ``"-1"`` is lost, ``"0"`` stands.
        article: the article that decides.
        also: further articles behind it.
    """

    bet: str
    when: str
    odds: str
    article: str
    also: tuple[str, ...]


class RuleView(Struct, frozen=True, kw_only=True):
    """One row of a machine.

    Attributes:
        rule: its name in the matrix.
        machine: ``gate``, ``shoe`` or ``round``.
        input: the input of the table log, or an inner trigger, that it answers.
        states: the states in which it holds.
        guards: what must be true besides; the first row of an input and state whose guards hold answers.
        answer: the state that follows, ``stays``, ``refusal CODE`` or ``irregularity CODE``.
        article: the article or reading that decides.
        also: further articles behind it.
        says: what a person is told.
    """

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
    """A regulation: material, options, payouts, articles.

    Attributes:
        decks: fewest and most decks in play.
        seats: fewest players' places.
        cut_card_behind: fewest and most cards behind the cut card.
        cards_per_round: the most cards that a round can take.
        articles: the articles that the machine enforces, in our words.
        not_enforced: the articles that no machine can enforce, and why.
        readings: how the text is read where it is silent or contradicts itself.
    """

    game: str
    title: str
    edition: str
    decks: tuple[int, int]
    seats: int
    equipment: Sequence[EquipmentView]
    cut_card_behind: tuple[int, int]
    cards_per_round: int
    options: Sequence[OptionView]
    exclusions: Sequence[ExclusionView]
    payouts: Sequence[PayoutView]
    articles: dict[str, str]
    not_enforced: dict[str, str]
    readings: dict[str, str]


@runtime_checkable
class Paying(Protocol):
    """A rule of settlement, whichever game's."""

    bet: str
    name: str
    odds: Fraction
    article: str
    also: tuple[str, ...]


def game_view(game: Game) -> GameView:
    """A game's regulation as data."""
    law = game.law
    return GameView(
        game=law.game,
        title=law.title,
        edition=law.edition,
        decks=law.decks,
        seats=law.seats,
        equipment=[EquipmentView(name=one, authorisation=one in law.authorised_equipment) for one in law.equipment],
        cut_card_behind=law.cut_card_behind,
        cards_per_round=law.cards_per_round,
        options=[
            OptionView(
                name=option.name,
                default=option.default,
                allowed=option.allowed,
                article=option.article,
                authorisation=option.authorised,
                stack_only=option.stack_only,
            )
            for option in law.options
        ],
        exclusions=[ExclusionView(first=one.first, second=one.second, article=one.article) for one in law.exclusions],
        payouts=[
            PayoutView(bet=rule.bet, when=rule.name, odds=str(rule.odds), article=rule.article, also=rule.also)
            for rule in game.rulebook.payouts
            if isinstance(rule, Paying)
        ],
        articles=dict(game.articles),
        not_enforced=dict(game.not_enforced),
        readings={name: one.says for name, one in game.readings.items()},
    )


def rule_views(game: Game) -> list[RuleView]:
    """Every row of a game's machines, in the order in which they are tried."""
    return [
        RuleView(
            rule=game.rulebook.name_of(row),
            machine=machine,
            input=row.trigger,
            states=tuple(state.value for state in row.source),
            guards=row.guard,
            answer=row.answer,
            article=row.article,
            also=row.also,
            says=row.says,
        )
        for machine, rows in game.rulebook.machines.items()
        for row in rows
    ]


def states_of(rows: Sequence[Row]) -> list[StrEnum]:
    """All states of a machine; the first is the one in which it begins."""
    return list(type(rows[0].source[0]))


def odds_text(odds: str) -> str:
    """Net odds for a person: ``8 to 1``, ``1 to 2``, ``lost``, ``stands``."""
    won = Fraction(odds)
    if won < 0:
        return "lost" if won == -1 else f"{-won.numerator} to {won.denominator} lost"
    return f"{won.numerator} to {won.denominator}" if won else "stands"

"""What a game's regulation fixes for its table: material, options, and the articles behind the shoe game's rules."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from regulations.events.vocabulary import EquipmentKind, Game


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option that the regulation leaves to the house.

    Attributes:
        name: its name in the profile.
        default: the regulation's first alternative.
        allowed: the values that may stand there, for a person.
        accepts: whether a value may stand there.
        article: the article that gives the option.
        authorised: whether any other value than the default needs an authorisation of the DICJ (reading G4).
        stack_only: whether it speaks of a stack in a shoe and so has no effect on a shuffler-dealer.
    """

    name: str
    default: Any
    allowed: str
    accepts: Callable[[Any], bool]
    article: str
    authorised: bool = False
    stack_only: bool = False


def choice(*values: str) -> tuple[str, Callable[[Any], bool]]:
    """An option with one of several words: what may stand there, for a person and as a predicate."""
    return " or ".join(f'"{value}"' for value in values), lambda value: isinstance(value, str) and value in values


def flag() -> tuple[str, Callable[[Any], bool]]:
    """An option that is true or false."""
    return "true or false", lambda value: isinstance(value, bool)


def whole(lowest: int, highest: int) -> tuple[str, Callable[[Any], bool]]:
    """An option with a whole number in a range, ends included."""
    return (
        f"a whole number from {lowest} to {highest}",
        lambda value: type(value) is int and lowest <= value <= highest,
    )


def some_of(*values: str) -> tuple[str, Callable[[Any], bool]]:
    """An option with a list of one or more different words."""

    def accepts(value: object) -> bool:
        return (
            isinstance(value, list)
            and len(value) > 0
            and all(isinstance(word, str) and word in values for word in value)
            and len(set(value)) == len(value)
        )

    return "a list of " + ", ".join(f'"{value}"' for value in values), accepts


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusion:
    """Two option values that cannot stand together."""

    first: tuple[str, Any]
    second: tuple[str, Any]
    article: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeArticles:
    """The articles of a game's regulation behind the rules of the shoe game."""

    decks: str
    equipment: str
    seats: str
    authorisation: str
    prepare: str
    direct: str
    cut_card_depth: str
    initial_burn: str
    burn_count_shown: str
    burn_count: str
    demonstration: str
    deal: str
    cut_card: str
    cut_card_end: str
    cut_card_one_more: str
    house_end: str
    cards_returned: str
    undue_card: str
    misdeal: str
    face_up: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLaw:
    """What a game's regulation fixes for its table.

    Attributes:
        game: the game's name in the table log.
        title: its name for a person.
        edition: the dated edition that is enforced, never called the law in force.
        decks: how many decks may be in play, fewest and most.
        seats: the fewest players' places.
        equipment: the dealing equipment that the regulation admits, the first alternative first.
        authorised_equipment: equipment that needs an authorisation, with the article that names it.
        options: the options in the order of the specification.
        exclusions: option values that exclude each other.
        articles: the articles behind the shoe game's rules.
        cut_card_behind: fewest and most cards behind the cut card.
        cards_per_round: the most cards that a round can take.
    """

    game: Game
    title: str
    edition: str
    decks: tuple[int, int]
    seats: int
    equipment: Sequence[EquipmentKind]
    authorised_equipment: Sequence[EquipmentKind]
    options: Sequence[Option]
    exclusions: Sequence[Exclusion]
    articles: ShoeArticles
    cut_card_behind: tuple[int, int]
    cards_per_round: int

    def option(self, name: str) -> Option | None:
        """The option of this name, or ``None``."""
        return next((option for option in self.options if option.name == name), None)

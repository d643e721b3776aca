"""The form of a game's regulation: equipment, options and articles."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

from regulations.events.cards import Card
from regulations.events.errors import RegulationBug
from regulations.events.vocabulary import Cutter, EquipmentKind, Game, Shuffler


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option that the regulation leaves to the house.

    Attributes:
        default: the regulation's first alternative.
        bound: the reading that bounds its values; empty: the article does.
        authorised: other values need an authorisation (reading G4).
    """

    name: str
    default: Any
    allowed: str
    accepts: Callable[[Any], bool]
    article: str
    bound: str = ""
    least: bool = False
    authorised: bool = False
    always: tuple[str, ...] = ()
    on: tuple[EquipmentKind, ...] = ()


def choice(*values: str) -> tuple[str, Callable[[Any], bool]]:
    return " or ".join(f'"{value}"' for value in values), lambda value: value in values


def flag() -> tuple[str, Callable[[Any], bool]]:
    return "true or false", lambda value: isinstance(value, bool)


def whole(lowest: int, highest: int) -> tuple[str, Callable[[Any], bool]]:
    return (
        f"a whole number from {lowest} to {highest}",
        lambda value: type(value) is int and lowest <= value <= highest,
    )


def some_of(*values: str) -> tuple[str, Callable[[Any], bool]]:
    def accepts(value: object) -> bool:
        return (
            isinstance(value, list)
            and len(value) > 0
            and all(word in values for word in value)
            and len(set(value)) == len(value)
        )

    return "a list of " + ", ".join(f'"{value}"' for value in values), accepts


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusion:
    """``equipment`` and ``decks`` of the profile count as options."""

    first: tuple[str, Any]
    second: tuple[str, Any]
    article: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeArticles:
    """Articles behind the shoe game's rules; empty: no such rule."""

    decks: str
    equipment: str
    seats: str
    prepare: str
    deal: str
    house_end: str
    reshuffle: str
    undue_card: str
    misdeal: str
    reassign: str
    face_up: str
    put_right: str = ""
    cut_card: str = ""
    cut_card_end: str = ""
    cut_card_one_more: str = ""
    cut_card_depth: str = ""
    authorisation: str = ""
    mixed: str = ""
    direct: str = ""
    direct_cut_card: str = ""
    shuffled_by: str = ""
    cut_by: str = ""
    cut_spared: str = ""
    no_cut_card: str = ""
    one_round: str = ""
    one_round_shoe: str = ""
    decks_in: str = ""
    most_decks: str = ""
    equipment_change: str = "reading G15"
    material: tuple[str, ...] = ()
    initial_burn: str = ""
    burn_count_shown: str = ""
    burn_count: str = ""
    cards_returned: str = ""
    bettor_left: str = "reading G15"
    late_bets: str = ""
    exposed: str = ""
    too_few_cards: str = ""


ONE_DECK: Final = 1
USUALLY_BEHIND: Final = 14
"""55/2004 art. 2.º-1: about twelve."""
SHUFFLERS: Final[tuple[Shuffler, ...]] = get_args(Shuffler)
CUTTERS: Final[tuple[Cutter, ...]] = get_args(Cutter)


@dataclass(frozen=True, slots=True, kw_only=True)
class EquipmentRules:
    """The rules for one kind of dealing equipment.

    Attributes:
        decks: fewest and most; ``None``: no limit.
        cut_card_from: fewest decks with a cut card; ``None``: never one.
        one_round_to: most decks that serve one round only.
    """

    decks: tuple[int, int | None]
    shuffled_by: tuple[Shuffler, ...] = SHUFFLERS
    cut_by: tuple[Cutter, ...] = CUTTERS
    cut_spared_after: tuple[Shuffler, ...] = ()
    cut_card_from: int | None = ONE_DECK
    one_round_to: int = 0
    authorised: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InitialBurnLaw:
    cards: Callable[[Mapping[str, Any], int, EquipmentKind], int | None]
    by_card: Callable[[Card], int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundArticles:
    bets: str
    wagered: str
    show: str
    settle: str
    deal: str = ""
    round_burn: str = ""
    carried: str = ""
    carried_back: str = ""
    no_demonstrations: str = ""
    bets_end: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLaw:
    """A game's regulation for its table.

    Attributes:
        cut_card_behind: fewest and most, as placed.
        cut_card_widened: tolerance as found, cards (reading G16).
        cards_decide: a drawn card can be a hit (reading J30).
        named_again: not by 89/2004 art. 11.º-1.
        always_corrected: by reading G11.
    """

    game: Game
    title: str
    edition: str
    seats: int
    equipment: Mapping[EquipmentKind, EquipmentRules]
    options: Sequence[Option]
    articles: ShoeArticles
    cards_per_round: int
    cut_card_behind: tuple[int, int]
    cut_card_widened: int = 4
    cards_per_seat: int = 0
    exclusions: Sequence[Exclusion] = ()
    initial_burn: InitialBurnLaw | None = None
    cards_decide: bool = False
    cards_vary: bool = False
    named_again: bool = True
    always_corrected: bool = False
    numbering: str = ""

    def option(self, name: str) -> Option | None:
        """The option of this name, or ``None``."""
        return next((option for option in self.options if option.name == name), None)

    def excluded_by(self, option: str = "") -> Sequence[str]:
        pairs = [one for one in self.exclusions if option in ("", one.first[0], one.second[0])]
        return tuple(dict.fromkeys(one.article for one in pairs))

    def cut_card_found(self, size: int) -> tuple[int, int]:
        """The range for a stack of ``size`` cards; at most half (reading G16)."""
        fewest, most = self.cut_card_behind
        return max(0, fewest - self.cut_card_widened), min(most + self.cut_card_widened, size // 2)

    def cards_behind(self, options: Mapping[str, Any]) -> int:
        least, most = self.cut_card_behind
        return int(options.get("cut_card_behind", min(most, max(least, USUALLY_BEHIND))))

    def most_cards(self, seats: int) -> int:
        return self.cards_per_round + self.cards_per_seat * (seats - self.seats)

    def cards_burned_after(self, card: Card | None) -> int:
        if card is None or self.initial_burn is None or self.initial_burn.by_card is None:
            raise RegulationBug("burn", "the first card's value")
        return self.initial_burn.by_card(card)

    def has_cut_card(self, equipment: EquipmentKind, decks: int) -> bool:
        fewest = self.equipment[equipment].cut_card_from
        return fewest is not None and decks >= fewest

    def serves_one_round(self, equipment: EquipmentKind, decks: int) -> bool:
        return decks <= self.equipment[equipment].one_round_to

    @property
    def authorised_equipment(self) -> tuple[EquipmentKind, ...]:
        return tuple(kind for kind, material in self.equipment.items() if material.authorised)

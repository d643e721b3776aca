"""The form of a game's regulation: equipment, options, and the articles of the shoe game's rules."""

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
        article: the article that gives the option.
        bound: the reading that bounds its values, where the text does not; empty: the article does.
        least: with ``bound``: whether the article itself forbids numbers below the default.
        authorised: whether any other value than the default needs an authorisation of the DICJ (reading G4).
        on: the equipment on which it has an effect; empty: on all.
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
    """An option with one of several words: for a person, and as a predicate."""
    return " or ".join(f'"{value}"' for value in values), lambda value: value in values


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
            and all(word in values for word in value)
            and len(set(value)) == len(value)
        )

    return "a list of " + ", ".join(f'"{value}"' for value in values), accepts


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusion:
    """Two option values that cannot stand together; ``equipment`` and ``decks`` of the profile count as options."""

    first: tuple[str, Any]
    second: tuple[str, Any]
    article: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeArticles:
    """The articles of a game's regulation behind the rules of the shoe game; empty where it has no such rule.

    Attributes:
        direct_cut_card: it has no cut card, if by another article than ``direct``.
        material: further articles on what there must be at a table.
        most_decks: our upper bound of the decks (reading G15).
        put_right: a corrected misdeal, if another article than ``misdeal``.
        late_bets: wagers entered after the first card; empty: that card is burned.
        exposed: a card seen too early is valid; empty: it is not.
    """

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
"""Cards behind the cut card, if no option says how many (55/2004 art. 2.º-1: about twelve)."""
SHUFFLERS: Final[tuple[Shuffler, ...]] = get_args(Shuffler)
CUTTERS: Final[tuple[Cutter, ...]] = get_args(Cutter)


@dataclass(frozen=True, slots=True, kw_only=True)
class EquipmentRules:
    """The rules of a game's regulation for one kind of dealing equipment.

    Attributes:
        decks: fewest and most decks; ``None``: no upper limit.
        shuffled_by: who may shuffle; empty: cards are loaded directly.
        cut_by: who may cut; empty: no cut.
        cut_spared_after: shufflers after which the stack is not cut.
        cut_card_from: fewest decks with a cut card; ``None``: never one.
        one_round_to: most decks that serve one round only; 0: none.
        authorised: whether it needs one (reading G4b).
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
    """The cards burned before the first round of a shoe game.

    Attributes:
        cards: how many, by options, decks and equipment; ``None``: the first card, shown, says how many follow it.
        by_card: with ``None``: how many follow a card.
    """

    cards: Callable[[Mapping[str, Any], int, EquipmentKind], int | None]
    by_card: Callable[[Card], int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundArticles:
    """The articles behind what the shared part of a round says.

    Attributes:
        deal: the order of dealing; empty where the game says it of each card.
        round_burn: a card is burned at the start of a round; empty where none is.
        carried: carried wagers; empty where none are.
        no_demonstrations: no round is a demonstration, where another article or reading says so than ``wagered``.
        bets_end: until when wagers may be put down; empty: the article of the wagers.
    """

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
    """The rules of a game's regulation for its table.

    Attributes:
        articles: the articles behind the shoe game's rules.
        cut_card_behind: fewest and most cards behind the cut card as it is placed.
        cut_card_widened: tolerance of the depth as found, cards (reading G16).
        cards_per_round: most cards of a round with the fewest seats.
        cards_per_seat: most further cards for each further seat.
        initial_burn: the cards burned before the first round; ``None``: none are.
        numbering: how articles are numbered, where the text does not say.
        cards_decide: whether a drawn card can be a hit (reading J30).
        cards_vary: whether a round's cards decide their number.
        named_anew: whether cards of a round may be renamed (not by 89/2004 art. 11.º-1).
        always_corrected: whether every deal can be corrected, without decisions (reading G11).
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
    named_anew: bool = True
    always_corrected: bool = False
    numbering: str = ""

    def option(self, name: str) -> Option | None:
        """The option of this name, or ``None``."""
        return next((option for option in self.options if option.name == name), None)

    def excluded_by(self, option: str = "") -> Sequence[str]:
        """The articles by which options exclude each other, each once; with an option, those that exclude it."""
        pairs = [one for one in self.exclusions if option in ("", one.first[0], one.second[0])]
        return tuple(dict.fromkeys(one.article for one in pairs))

    def cut_card_found(self, size: int) -> tuple[int, int]:
        """Fewest and most cards behind the cut card as it is found (reading G16).

        Args:
            size: cards of the whole stack; at most half of them lie behind it.
        """
        fewest, most = self.cut_card_behind
        return max(0, fewest - self.cut_card_widened), min(most + self.cut_card_widened, size // 2)

    def cards_behind(self, options: Mapping[str, Any]) -> int:
        """The usual number of cards behind the cut card: the table's option, else the law's."""
        least, most = self.cut_card_behind
        return int(options.get("cut_card_behind", min(most, max(least, USUALLY_BEHIND))))

    def most_cards(self, seats: int) -> int:
        """The most cards that a round of a table with so many seats can take."""
        return self.cards_per_round + self.cards_per_seat * (seats - self.seats)

    def cards_burned_after(self, card: Card | None) -> int:
        """The number of cards that the shown first card of a stack burns besides itself.

        Raises:
            RegulationBug: another rule fixes the number, or the card is unknown.
        """
        if card is None or self.initial_burn is None or self.initial_burn.by_card is None:
            raise RegulationBug("burn", "the first card's value")
        return self.initial_burn.by_card(card)

    def has_cut_card(self, equipment: EquipmentKind, decks: int) -> bool:
        fewest = self.equipment[equipment].cut_card_from
        return fewest is not None and decks >= fewest

    def serves_one_round(self, equipment: EquipmentKind, decks: int) -> bool:
        """True if the stack serves one round only."""
        return decks <= self.equipment[equipment].one_round_to

    @property
    def authorised_equipment(self) -> tuple[EquipmentKind, ...]:
        return tuple(kind for kind, material in self.equipment.items() if material.authorised)

"""The sheet of a game: its declaration for other packages; of the rules it has the payouts alone."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from regulations.events.cards import Card
from regulations.events.errors import IncompleteSheet
from regulations.events.results import Result
from regulations.events.vocabulary import Bet, DecisionAction, EquipmentKind, Holder
from regulations.law.game_law import GameLaw
from regulations.law.payouts import Payout, best_odds

Options: TypeAlias = Mapping[str, Any]
Sign: TypeAlias = Literal["+", "−", "="]


def _none(_options: Options) -> tuple[()]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A decision of a bettor.

    Attributes:
        aside: label for another bettor; empty: only the bettor who is asked decides it.
        decided: in place of an inferred hit (reading J30).
    """

    name: DecisionAction
    says: str
    aside: str = ""
    decided: str = ""
    raises: Literal["", "own", "all"] = ""
    splits: bool = False
    adds: Bet = ""
    amounts: Callable[[int, Options], tuple[int, int]] | None = None
    amount_says: str = ""
    beside: Bet = ""
    beside_says: str = ""

    @property
    def aside_amount_says(self) -> str:
        return f"Seat %(seat)s: {self.amount_says}" if self.amount_says else ""

    @property
    def messages(self) -> Iterator[str]:
        said = (self.says, self.aside, self.decided, self.amount_says, self.aside_amount_says, self.beside_says)
        return (one for one in said if one)


@dataclass(frozen=True, slots=True, kw_only=True)
class BetLaw:
    """Bets as the bets close.

    Attributes:
        first: of these a bettor makes one.
        usual: without recorded stakes; empty: any.
        ends: bets paid together; of these sets one is paid, at the whole table.
        own_ends: the same for each bettor.
        payouts: the rules of settlement.
        unpaid: ids of those that the house's options exclude.
    """

    main: Bet
    first: tuple[Bet, ...]
    payouts: Sequence[Payout[Any]]
    side: tuple[Bet, ...] = ()
    needs: Mapping[Bet, Bet] = field(default_factory=dict)
    needs_own: bool = False
    usual: Bet = ""
    stand_in_tie: frozenset[Bet] = frozenset()
    needed: bool = True
    ends: Callable[[Options], tuple[frozenset[Bet], ...]] = _none
    own_ends: tuple[frozenset[Bet], ...] = ()
    unpaid: Callable[[Options], Collection[str]] = _none

    def odds(self, options: Options) -> Mapping[Bet, Fraction]:
        """The best of each bet, those added by decisions too."""
        return best_odds(self.payouts, self.unpaid(options))

    @property
    def all(self) -> frozenset[Bet]:
        """Every bet."""
        return frozenset((*self.first, *self.side))


def no_points(_cards: Sequence[Card]) -> None:
    """The game counts no points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Places on the table, and which cards are face up.

    Attributes:
        bands: of bets, the players' edge last.
    """

    tops: tuple[Holder, ...]
    cards: int
    bands: tuple[tuple[Bet, ...], ...]
    lies_open: Callable[[Holder, int, Options, EquipmentKind, bool], bool]
    points: Callable[[Sequence[Card]], int | None] = no_points
    seats_have_cards: bool = True
    board: Literal["roads", "results"] = "results"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameWords:
    title: str
    short: str
    bets: Mapping[Bet, str]
    outcomes: Mapping[str, tuple[str, Sign]]
    always: tuple[str, ...] = ()


def none_needed(_options: Options, _seats: int) -> int:
    return 0


def one_card(_options: Options) -> int:
    return 1


def nothing_open(*_: object) -> bool:
    return False


def all_open(*_: object) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The declaration of a game.

    Attributes:
        cards_needed: before a round, by options and seats that play.
    """

    law: GameLaw
    result: type[Result]
    bets: BetLaw
    layout: Layout
    words: GameWords
    choices: tuple[Choice, ...] = ()
    cards_needed: Callable[[Options, int], int] = none_needed
    packet: Callable[[Options], int] = one_card
    hidden_house: Holder | None = None
    void_if_seen: bool = False

    def __post_init__(self) -> None:
        if missing := list(self._missing()):
            raise IncompleteSheet(self.law.game, missing)

    @property
    def has_free_rounds(self) -> bool:
        return self.law.option("demonstration_rounds") is not None

    def choice(self, name: DecisionAction) -> Choice:
        """The decision of this name."""
        for one in self.choices:
            if one.name == name:
                return one
        raise KeyError(name)

    @property
    def messages(self) -> Iterator[str]:
        words = self.words
        yield from (words.title, *words.bets.values(), *(says for says, _ in words.outcomes.values()))
        for one in self.choices:
            yield from one.messages

    def _missing(self) -> Iterator[str]:
        bets, worded, banded = self.bets, self.words.bets, [bet for band in self.layout.bands for bet in band]
        later = [bet for one in self.choices for bet in (one.adds, one.beside) if bet]
        yield from (f"no word for the bet {bet!r}" for bet in sorted({*bets.all, *later}) if not worded.get(bet))
        yield from (f"the bet {bet!r} is in no band" for bet in sorted(bets.all.difference(banded)))
        named = [bets.main, bets.usual or bets.main, *bets.needs, *bets.needs.values(), *bets.stand_in_tie, *banded]
        named += [bet for end in (*bets.ends({}), *bets.own_ends) for bet in sorted(end)]
        yield from (f"{bet!r} is no bet" for bet in dict.fromkeys(named) if bet not in bets.all)
        yield from (f"no word for the decision {one.name!r}" for one in self.choices if not one.says)
        adding = [one for one in self.choices if one.adds]
        yield from (f"no amounts of {one.adds!r}" for one in adding if not (one.amounts and one.amount_says))
        said = self.words.outcomes
        yield from (
            f"no word for the outcome {name!r}" for name in self.result.OUTCOMES if not said.get(name, ("",))[0]
        )
        if not self.words.title or not self.words.short:
            yield "no title"
        if not self.layout.tops:
            yield "no owner of the cards at the top"
        if self.void_if_seen and self.hidden_house is None:
            yield "a round is void if a card is seen, and no owner of it"

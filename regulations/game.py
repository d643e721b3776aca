"""What a game gives to the table: its law, its rules and its round; the shared parts know games only by this."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from regulations.desk import Desk
from regulations.drawn import Drawn, Place
from regulations.events.vocabulary import WayOut
from regulations.hands import Hands
from regulations.irregularities import OpenIrregularity
from regulations.law import GameLaw
from regulations.payouts import Payout
from regulations.readings import COMMON, Reading
from regulations.record import Stage
from regulations.rows import Row
from regulations.rulebook import Rulebook
from regulations.standing import RoundStanding


class Round(Protocol):
    """The rounds of one table, one after the other."""

    @property
    def laid(self) -> Hands:
        """The hands on the table."""

    @property
    def opens_with_card(self) -> bool:
        """Whether the first card of a round closes its bets (baccarat); else they must be closed before it."""

    @property
    def state_name(self) -> str:
        """Where the round stands."""

    @property
    def is_idle(self) -> bool:
        """Whether no round is open."""

    @property
    def is_dealing(self) -> bool:
        """Whether the round's first card is out and its result is not."""

    @property
    def is_over(self) -> bool:
        """Whether the open round is decided or void, and not closed yet."""

    def fire(self, trigger: str) -> None:
        """Gives the round's machine a trigger."""

    def new_shoe(self) -> None:
        """A new shoe game begins."""

    def standing(self) -> RoundStanding:
        """What outlives the rounds so far; between rounds."""

    def take_up(self, standing: RoundStanding) -> None:
        """Takes up, in a new table, what :meth:`standing` gave.

        Raises:
            StandingUnfit: it is another game's, or names a rule that is not there.
        """

    def due(self) -> Place | None:
        """The place that gets the next card, or ``None`` if no card is due."""

    def due_in_a_row(self) -> int:
        """How many of the next cards the same place's owner gets, one after the other; 0 if none is due."""

    def shows(self, place: Place) -> bool:
        """Whether a card at this place lies face up at once."""

    def say_next(self) -> None:
        """Says what the croupier must do now."""

    def cannot_correct(self, struck: Sequence[int]) -> str | None:
        """Why this game's regulation leaves no correction.

        Args:
            struck: the numbers of the cards that are to be burned.
        """

    def tell_desk(self) -> None:
        """Shows on the desk where this round stands, once it takes another's place."""

    def hear_device(self) -> None:
        """A device's result was told before: no other is waited for."""

    def void(self, reason: str) -> None:
        """Voids the round, which can still be voided, for this reason: an irregularity's code, or ``cut_card``."""

    def close_table(self) -> None:
        """The table closes: what is carried on it is returned."""

    def ways_out(self, irregularity: OpenIrregularity, ways: list[WayOut]) -> list[WayOut]:
        """The ways out of an irregularity by this game's regulation.

        Args:
            irregularity: which one.
            ways: those that are common to all games, as things stand.
        """

    def accept(self, drawn: Drawn) -> None:
        """Takes an irregular card as valid, where :meth:`ways_out` offered that."""

    def kept_result_disagrees(self) -> bool:
        """Whether a device's result that was kept turns out not to be the regulation's; asked once."""


def stage_of(game_round: Round) -> Stage:
    """How far the open round has come."""
    if game_round.is_over:
        return "result"
    return "deal" if game_round.is_dealing else "bets"


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One official game.

    Attributes:
        law: what its regulation fixes for the table.
        rulebook: its rules.
        round: builds the round of a table: from the desk, its rows, the payouts and what to call when a round is over.
        articles: every article of the regulation that the machine enforces, in our words.
        not_enforced: the articles that no machine can enforce, and why.
        untold: the articles about amounts that persons keep where the table is not told the stakes, and how.
        own_readings: how the regulation is read where it is silent or contradicts itself.
    """

    law: GameLaw
    rulebook: Rulebook
    round: Callable[[Desk, Sequence[Row], Sequence[Payout[Any]], Callable[[], None]], Round]
    articles: Mapping[str, str]
    not_enforced: Mapping[str, str]
    own_readings: Sequence[Reading]
    untold: Mapping[str, str] = field(default_factory=dict)

    @property
    def readings(self) -> Mapping[str, Reading]:
        """The readings that hold in the game as the rules cite them, ``reading B11``; its own first."""
        return {reading.cited: reading for reading in (*self.own_readings, *COMMON)}

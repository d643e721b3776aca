"""The counts of a campaign: whole numbers, so that any partition of its shoes gives the same totals."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from regulations.events.outputs import SettledWager
from regulations.games.baccarat.result import BaccaratResult

STAKE: Final = 10_000
"""One unit, in minor units of money."""
ROUNDS: Final = 60
"""The first rounds of a shoe, which every shoe has: later ones are there only if the cards allow it."""
TENS: Final = "TJQK"


class ShoeTotals:
    """The counts of one shoe.

    Attributes:
        rounds: played.
        cells: of the first `ROUNDS`.
        money: net minor units by bet and by what decides it, with the number of wagers.
        tableau: by the banker's two cards, the player's third card and whether the banker drew.
    """

    def __init__(self) -> None:
        self.rounds = 0
        self.cells: Final[Counter[str]] = Counter()
        self.money: Final[Counter[str]] = Counter()
        self.tableau: Final[Counter[str]] = Counter()
        self._last: BaccaratResult | None = None

    def note_result(self, result: BaccaratResult) -> None:
        """Count the verdict on a round."""
        self.rounds += 1
        self._last = result
        player, banker = result.cards.player, result.cards.banker
        two = sum(map(value, banker[:2])) % 10
        if not result.natural:
            third = str(value(player[2])) if len(player) > 2 else "-"  # noqa: PLR2004  # two cards, and one more
            self.tableau[f"{two} {third} {len(banker) - 2}"] += 1
        if self.rounds <= ROUNDS:
            self.cells.update([result.outcome, f"{len(player) + len(banker)} cards"])
            self.cells.update(f"{side} pair" for side in result.pairs)
            self.cells.update(f"rank {card[:-1]}" for card in (player[0], banker[0]))

    def note_money(self, wagers: Sequence[SettledWager]) -> None:
        """Count the settlement of the round that was noted last."""
        result = self._last
        if result is None:
            raise RuntimeError("wagers were settled before a round had a result")
        for one in wagers:
            side, _, is_pair = one.bet.partition("_")
            cell = ("pair" if side in result.pairs else "no pair") if is_pair else result.outcome
            self.money[f"{one.bet}|{cell}|net"] += int(one.net or 0)
            self.money[f"{one.bet}|{cell}|wagers"] += 1


class Totals(Struct, kw_only=True):
    """The sums over many shoes.

    Attributes:
        squares: of each cell's count in a shoe, for the error by shoe.
    """

    shoes: int = 0
    rounds: int = 0
    fewest: int = 1 << 30
    cells: dict[str, int] = field(default_factory=dict)
    squares: dict[str, int] = field(default_factory=dict)
    money: dict[str, int] = field(default_factory=dict)
    tableau: dict[str, int] = field(default_factory=dict)

    def add_shoe(self, shoe: ShoeTotals) -> None:
        """Add the counts of a shoe."""
        self.shoes += 1
        self.rounds += shoe.rounds
        self.fewest = min(self.fewest, shoe.rounds)
        _add(self.cells, shoe.cells)
        _add(self.squares, {cell: count * count for cell, count in shoe.cells.items()})
        _add(self.money, shoe.money)
        _add(self.tableau, shoe.tableau)

    def add(self, other: "Totals") -> None:
        """Add the sums over other shoes."""
        self.shoes += other.shoes
        self.rounds += other.rounds
        self.fewest = min(self.fewest, other.fewest)
        for mine, theirs in (
            (self.cells, other.cells),
            (self.squares, other.squares),
            (self.money, other.money),
            (self.tableau, other.tableau),
        ):
            _add(mine, theirs)


def value(card: str) -> int:
    """The value of a card in baccarat, 0 to 9."""
    rank = card[:-1]
    return 0 if rank in TENS else 1 if rank == "A" else int(rank)


def _add(mine: dict[str, int], theirs: Mapping[str, int]) -> None:
    for name, count in theirs.items():
        mine[name] = mine.get(name, 0) + count

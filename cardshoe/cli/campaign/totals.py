"""Whole-number counts of a campaign: equal totals for any partition."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from cardshoe.cli.campaign.games.played_game import NET, RoundRead

STAKE: Final = 10_000


class ShoeTotals:
    """The counts of one shoe.

    Attributes:
        money: net minor units and number of wagers, by bet and result.
        wrong: deviations from the texts, by message.
    """

    def __init__(self, counted: int) -> None:
        self._counted: Final = counted
        self.rounds = 0
        self.cells: Final[Counter[str]] = Counter()
        self.money: Final[Counter[str]] = Counter()
        self.wrong: Final[Counter[str]] = Counter()

    def count_round(self, read: RoundRead, paid: Mapping[tuple[int, str], int]) -> None:
        self.rounds += 1
        if self.rounds <= self._counted:
            self.cells.update(read.cells)
        for seat, bet, cell, units in read.wagers:
            net = paid.get((seat, bet))
            if net is None:
                self.count_wrong(f"money: {bet} on {cell} was not settled")
                continue
            self.money[f"{bet}|{cell}|net"] += net
            self.money[f"{bet}|{cell}|wagers"] += 1
            if self.rounds <= self._counted:
                self.cells[f"{NET}{bet}"] += net
            if net != units * STAKE:
                self.count_wrong(f"money: {bet} on {cell} paid {net} on {STAKE}; due {units * STAKE}")

    def count_wrong(self, what: str) -> None:
        self.wrong[what] += 1


class Totals(Struct, kw_only=True):
    shoes: int = 0
    rounds: int = 0
    fewest: int = 1 << 30
    cells: dict[str, int] = field(default_factory=dict)
    squares: dict[str, int] = field(default_factory=dict)
    money: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, int] = field(default_factory=dict)

    def add_shoe(self, shoe: ShoeTotals) -> None:
        self.shoes += 1
        self.rounds += shoe.rounds
        self.fewest = min(self.fewest, shoe.rounds)
        _add(self.cells, shoe.cells)
        _add(self.squares, {cell: count * count for cell, count in shoe.cells.items()})
        _add(self.money, shoe.money)
        _add(self.wrong, shoe.wrong)

    def add(self, other: "Totals") -> None:
        """Add the sums over other shoes."""
        self.shoes += other.shoes
        self.rounds += other.rounds
        self.fewest = min(self.fewest, other.fewest)
        for mine, theirs in (
            (self.cells, other.cells),
            (self.squares, other.squares),
            (self.money, other.money),
            (self.wrong, other.wrong),
        ):
            _add(mine, theirs)


def _add(mine: dict[str, int], theirs: Mapping[str, int]) -> None:
    for name, count in theirs.items():
        mine[name] = mine.get(name, 0) + count

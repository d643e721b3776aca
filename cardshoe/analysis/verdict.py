"""The verdict on a group of shoes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Literal

from cardshoe.analysis.account import Account, ShoeWealth, party
from cardshoe.analysis.classical import CardSample, StatisticResult, classical
from cardshoe.analysis.order import Order, UnseenCards
from cardshoe.analysis.pairs import BESIDE, NEAR, PairCount, beside, near
from cardshoe.analysis.permutations import ShufflePair, equal_permutations
from cardshoe.analysis.picking_up import new_decks, orders_of
from cardshoe.analysis.runs import DensestBand, Run, band, common_run, equal_shoes
from cardshoe.analysis.shoe import Shoe
from cardshoe.analysis.tails import below_by_holm, count_tail

ERROR: Final = 0.001
"""Chance of a false doubt over a whole report."""
NEIGHBOURS_MIN: Final = 120
"""Known neighbours below which a group gets no verdict."""
REFERENCES: Final = 3

Outcome = Literal["passes", "doubt", "too_little"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeComparison:
    """A shoe compared with earlier ones.

    Attributes:
        before: compared shoes, the likeliest first; empty: new decks alone.
        order: the likeliest earlier order; ``None`` for the first shoe.
    """

    shoe: Shoe
    before: Sequence[Shoe]
    order: Order | None
    played: ShoeWealth
    near: Sequence[PairCount]
    beside: Sequence[PairCount]
    run: Run
    band: DensestBand

    @property
    def neighbours(self) -> int:
        """Pairs of known neighbours."""
        return sum(one >= 0 and other >= 0 for one, other in pairwise(self.shoe.faces()))


@dataclass(slots=True, kw_only=True)
class ShoeGroup:
    name: str
    shoes: list[ShoeComparison]
    wealth: float = 1.0
    limit: float = 2 / ERROR
    error: float = ERROR
    tests: list[StatisticResult] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    equal: list[tuple[int, int]] = field(default_factory=list)
    alike: list[tuple[int, int]] = field(default_factory=list)

    @property
    def compared(self) -> list[ShoeComparison]:
        """The shoes that have an earlier one."""
        return [one for one in self.shoes if one.before]

    @property
    def surplus(self) -> int:
        """Surplus cards: one copy more than the decks have."""
        return sum(one.played.surplus for one in self.shoes)

    @property
    def neighbours(self) -> int:
        """Pairs of known neighbours in compared shoes."""
        return sum(one.neighbours for one in self.compared)

    @property
    def right(self) -> tuple[int, int, float]:
        """Right guesses, guesses, and the mean by chance, of a person who knew the last shoe."""
        played = [one.played for one in self.compared]
        return (
            sum(one.right for one in played),
            sum(one.guesses for one in played),
            sum((one.by_chance for one in played), 0.0),
        )

    @property
    def outcome(self) -> Outcome:
        """The verdict; a doubt counts."""
        if self.wealth >= self.limit or self.failed or self.equal or self.alike or self.surplus:
            return "doubt"
        return "passes" if self.neighbours >= NEIGHBOURS_MIN else "too_little"


def references(shoe: Shoe, earlier: Sequence[Shoe]) -> list[Shoe]:
    if shoe.is_endless:
        return list(earlier[-1:]) if earlier and earlier[-1].is_endless else []
    fitting = [one for one in reversed(earlier) if one.decks == shoe.decks and one.known > 1 and not one.is_endless]
    if shoe.card_set:
        return [one for one in fitting if one.card_set == shoe.card_set][:1]
    return [one for one in fitting if not one.card_set][:REFERENCES]


def examine(shoe: Shoe, before: Sequence[Shoe], account: Account) -> ShoeComparison:
    faces, decks = shoe.faces(), shoe.decks
    unseen = UnseenCards.of_decks(decks)
    orders = [orders_of(one) for one in before]
    everything = [order for ways in orders for order in ways]
    makers = () if shoe.is_endless else new_decks(decks)
    played = account.play(faces, unseen, party(orders, unseen, makers))
    last = orders[0][0] if orders and orders[0] else None
    compares = last is not None and not shoe.is_endless
    return ShoeComparison(
        shoe=shoe,
        before=before,
        order=last,
        played=played,
        near=[near(last, faces, decks, within) for within in NEAR] if last is not None and compares else [],
        beside=[beside(last, faces, decks, within) for within in BESIDE] if last is not None and compares else [],
        run=common_run(everything, faces, decks),
        band=band(last, faces) if last is not None and compares else DensestBand(0, 1.0),
    )


def analyse(groups: Iterable[tuple[str, Sequence[tuple[Shoe, Sequence[Shoe]]]]]) -> list[ShoeGroup]:
    given = list(groups)
    error = ERROR / max(1, len(given))
    found: list[ShoeGroup] = []
    for name, shoes in given:
        account = Account()
        group = ShoeGroup(name=name, shoes=[examine(shoe, before, account) for shoe, before in shoes])
        group.wealth, group.error, group.limit = account.most, error, 2 / error
        _test(group)
        found.append(group)
    return found


def _test(group: ShoeGroup) -> None:
    compared = group.compared
    group.tests = [
        *(_pooled(f"near {within}", [one.near[at] for one in compared if one.near]) for at, within in enumerate(NEAR)),
        *(
            _pooled(f"beside {within}", [one.beside[at] for one in compared if one.beside])
            for at, within in enumerate(BESIDE)
        ),
        _guesses(compared),
        _worst("common run", [(float(one.run.length), one.run.chance) for one in group.shoes]),
        _worst("band", [(float(one.band.cards), one.band.chance) for one in compared]),
        *classical([CardSample(one.shoe.faces(), one.shoe.decks) for one in group.shoes if not one.shoe.is_endless]),
    ]
    failed = below_by_holm([one.chance for one in group.tests], group.error / 2)
    group.failed = [test.name for test, fails in zip(group.tests, failed, strict=True) if fails]
    group.equal = equal_shoes([one.shoe.faces() for one in group.shoes if not one.shoe.is_endless])
    moved = [
        (index, ShufflePair(one.order, one.shoe.faces()))
        for index, one in enumerate(group.shoes)
        if one.order is not None and not one.shoe.is_endless
    ]
    alike = equal_permutations([one for _, one in moved])
    group.alike = [(moved[one.first][0], moved[one.second][0]) for one in alike]


def _pooled(name: str, counts: Sequence[PairCount]) -> StatisticResult:
    if not counts:
        return StatisticResult(name, None, 1.0)
    together = PairCount(
        sum(one.found for one in counts), sum(one.mean for one in counts), sum(one.variance for one in counts)
    )
    return StatisticResult(name, together.z, count_tail(*together))


def _guesses(compared: Sequence[ShoeComparison]) -> StatisticResult:
    played = [one.played for one in compared]
    right, by_chance = sum(one.right for one in played), sum(one.by_chance for one in played)
    spread = sum(one.spread for one in played)
    if spread <= 0:
        return StatisticResult("right guesses", None, 1.0)
    return StatisticResult("right guesses", (right - by_chance) / spread**0.5, count_tail(right, by_chance, spread))


def _worst(name: str, found: Sequence[tuple[float, float]]) -> StatisticResult:
    if not found:
        return StatisticResult(name, None, 1.0)
    value, chance = min(found, key=lambda one: (one[1], -one[0]))
    return StatisticResult(name, value, min(1.0, chance * len(found)))

"""``python -m tests.cardshoe.analysis.powers``: how soon each flaw of a shuffle is found, and how often none is.

Each trial is a pair of shoes of eight decks of which 8 cards at both ends stay unseen: the second was made from the
first by a flawed shuffle and cut. Seeds are fixed.
"""

import itertools
import math
import random
import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cardshoe.analysis.account import Account
from cardshoe.analysis.shoe import CardSpot, Shoe
from cardshoe.analysis.verdict import ShoeComparison, ShoeGroup, analyse, examine
from cardshoe.process.progress import watched
from regulations.events.cards import DECK
from sim.shuffling import Shuffling, uniform
from tests.kit.campaign import CampaignCommand

DECKS = 8
UNSEEN = 8
WAYS = (
    "never", "riffle:3", "riffle:4", "riffle:5", "riffle:6", "riffle:7", "shelf:10", "shelf:20", "shelf:38",
    "stacks:38", "fifo:38", "slug:8", "slug:15", "slug:30", "two-shelf:10", "random-stacks:38", "uniform",
)  # fmt: skip
DOUBTED_MAX = 3 / 334
"""Of groups of shuffled shoes."""
RICH_MAX = 20 / 10_000
"""Of shuffled shoes, those whose wealth may reach 1,000."""
ONE_IN_A_THOUSAND = 3.0902
NINETY_NINE = 2.3263


def shoe_of(cards: Sequence[str], number: int = 1, *, decks: int = DECKS, unseen: int = UNSEEN) -> Shoe:
    """A shoe whose first and last cards stay unseen; the order in which they were dealt is how they are picked up."""
    faces = [DECK.index(card) for card in cards]
    spots = [CardSpot("burn", 0, 1, -1)] * unseen
    spots += [CardSpot("player", 0, 1, face) for face in faces[unseen : len(faces) - unseen]]
    return Shoe("T", decks, number, rounds=[spots], pick_up="dealt", is_over=True)


def shuffles(way: str, count: int, seed: int, decks: int = DECKS) -> Iterable[tuple[Shoe, Shoe]]:
    """Pairs of shoes: before a shuffle, and after it and a cut."""
    for number in range(count):
        rng = random.Random(f"{way} {seed} {number}")
        shuffling = Shuffling(way)
        old = shuffling(list(DECK) * decks, rng)
        new = shuffling(old, rng)
        at = rng.randrange(1, len(new))
        yield shoe_of(old), shoe_of([*new[at:], *new[:at]], 2)


class Power(NamedTuple):
    """What was found of a flaw in some shoes, in per cent but for the last three.

    Attributes:
        way: the flaw.
        wealth_3: shoes in which the wealth reached 1,000.
        wealth_8: the same of 10^8.
        run_8: shoes with a common run of 8.
        either: shoes with a wealth of 1,000 or such a run.
        called_at: the card, burned ones counted, at which half of all shoes have reached 10^8; 0: not half of them.
        shoes: until 99 % power.
        best: by which way to tell.
    """

    way: str
    wealth_3: float
    wealth_8: float
    run_8: float
    either: float
    called_at: int
    shoes: float
    best: str


def power_of(way: str, count: int, seed: int) -> Power:
    """Measure the power against a flaw."""
    found = [examine(new, [old], Account()) for old, new in watched(way, shuffles(way, count, seed), count)]
    wealth = [one.played.most for one in found]
    run = [one.run.length >= 8 for one in found]
    shoes, best = _shoes_needed(found)
    return Power(
        way,
        100 * statistics.fmean(one >= 1e3 for one in wealth),
        100 * statistics.fmean(one >= 1e8 for one in wealth),
        100 * statistics.fmean(run),
        100 * statistics.fmean(one >= 1e3 or long for one, long in zip(wealth, run, strict=True)),
        _called_at(found),
        shoes,
        best,
    )


def _called_at(found: Sequence[ShoeComparison]) -> int:
    cards = [next((at for at, one in enumerate(each.played.wealth, UNSEEN + 1) if one >= 1e8), 0) for each in found]
    called = sorted(at for at in cards if at)
    half = (len(cards) - 1) // 2
    return called[half] if len(called) > half else 0


def _shoes_needed(found: Sequence[ShoeComparison]) -> tuple[float, str]:
    """Shoes until 99 % power at 0.1 % false alarms, by the best way to tell; and which that is."""
    return min(_by_pairs(found), _by_wealth(found))


def _by_pairs(found: Sequence[ShoeComparison]) -> tuple[float, str]:
    best: tuple[float, str] = (float("inf"), "")
    names = ["near 5", "near 20", "near 60", "beside 1", "beside 8", "beside 32", "beside 128"]
    for name, counts in zip(names, zip(*[[*one.near, *one.beside] for one in found], strict=True), strict=True):
        z = [count.z for count in counts]
        mean, spread = statistics.fmean(z), statistics.stdev(z)
        if mean > 3 * spread / len(z) ** 0.5:
            best = min(best, (max(1.0, ((ONE_IN_A_THOUSAND + NINETY_NINE * spread) / mean) ** 2), name))
    return best


def _by_wealth(found: Sequence[ShoeComparison]) -> tuple[float, str]:
    """The wealth of a kind that is carried on: 1,000 times its share of what all began with."""
    best: tuple[float, str] = (float("inf"), "")
    for kind in found[0].played.kinds:
        gains = [math.log10(max(one.played.kinds[kind], 1e-9)) for one in found]
        mean, spread = statistics.fmean(gains), statistics.stdev(gains)
        if mean <= 3 * spread / len(gains) ** 0.5:
            continue
        wanted = 3 + math.log10(1 + len(found[0].played.kinds))
        # n shoes bring n means, less 2.33 times the square root of n spreads, in 99 of 100 groups.
        root = (NINETY_NINE * spread + math.sqrt((NINETY_NINE * spread) ** 2 + 4 * mean * wanted)) / (2 * mean)
        best = min(best, (max(1.0, root * root), f"wealth {kind}"))
    return best


def honest(groups: int, shoes: int, seed: int) -> tuple[int, int, int]:
    """How many groups of shuffled shoes are doubted, and how many shoes reach a wealth of 1,000, of how many."""
    doubted = rich = 0
    for number in watched("honest", range(groups), groups):
        rng = random.Random(f"honest {seed} {number}")
        made = [shoe_of(uniform(list(DECK) * DECKS, rng), at) for at in range(shoes + 1)]
        group: ShoeGroup = analyse([("T", [(new, [old]) for old, new in itertools.pairwise(made)])])[0]
        doubted += group.outcome != "passes"
        rich += sum(one.played.most >= 1e3 for one in group.shoes)
    return doubted, rich, groups * shoes


def main() -> int:
    """Print the table."""
    command = CampaignCommand("powers", __doc__, seed=1)
    command.option("--shoes", type=int, default=200, help="of each flaw")
    command.option("--only", action="append", choices=WAYS, help="this flaw")
    command.option("--honest", type=int, default=0, metavar="GROUPS", help="groups of 30 shuffled shoes besides")
    given = command.begin()
    ways = given.only or WAYS
    for way in ways:
        began = time.process_time()
        one = power_of(way, given.shoes, given.seed)
        cpu_s, best = time.process_time() - began, one.best.replace(" ", "_")
        command.say(
            f"way={one.way} shoes={given.shoes} wealth_1e3={one.wealth_3:.1f} wealth_1e8={one.wealth_8:.1f} "
            f"run_8={one.run_8:.1f} either={one.either:.1f} called_at={one.called_at} needed={one.shoes:.1f} "
            f"by={best} cpu_s={cpu_s:.1f}"
        )
    doubted, rich, shoes = honest(given.honest, 30, given.seed)
    figures = f"ways={len(ways)} honest={given.honest} doubted={doubted} shoes={shoes} wealth_1e3={rich}"
    return command.end(figures, is_good=doubted <= DOUBTED_MAX * given.honest and rich <= RICH_MAX * shoes)


if __name__ == "__main__":
    sys.exit(main())

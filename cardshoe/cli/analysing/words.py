"""The report for a person at a terminal."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

from cardshoe.analysis.verdict import ERROR, NEIGHBOURS_MIN, ShoeComparison, ShoeGroup
from cardshoe.cli.analysing.found import measured, reach_of

OUTCOMES: Final = {
    "passes": "no sign of a flawed shuffle",
    "doubt": "DOUBT: shuffled cards do not look like this",
    "too_little": "too little data for a verdict",
}
_POWERFUL: Final = 1e6
_RICH: Final = 1000


def words(groups: Sequence[ShoeGroup]) -> Iterator[str]:
    for group in groups:
        yield f"{group.name}: {OUTCOMES[group.outcome]}"
        for line in (*plain(group), *reach(group)):
            yield f"  {line}"
        yield f"  {'test':22} {'value':>10} {'by chance':>10}"
        for name, value, chance in numbers(group):
            yield f"  {name:22} {value:>10} {chance:>10}"
        yield ""
    yield f"If all cards are shuffled well, a report like this doubts in 1 of {1 / ERROR:,.0f}."


def plain(group: ShoeGroup) -> Iterator[str]:
    right, guesses, by_chance = group.right
    if guesses:
        chance = f"by chance {by_chance:.0f}"
        yield f"A person who knew the last shoe would have guessed {right} of {guesses} cards; {chance}."
    shoes, compared = len(group.shoes), len(group.compared)
    yield f"{shoes} shoe{'s' * (shoes != 1)}, {compared} of them compared with the shoe before."
    if group.outcome == "too_little":
        yield f"A verdict needs {NEIGHBOURS_MIN} pairs of known neighbours; there are {group.neighbours}."
    if group.wealth >= group.limit:
        worst = max(group.shoes, key=lambda one: one.played.most)
        yield f"Bets on the old order won: 1 became {amount(group.wealth)}; shuffled cards do that once in as many."
        yield f"The clearest shoe: {named(worst)}."
    for one in group.shoes:
        if one.run.chance < group.error / len(group.shoes):
            yield f"{named(one)}: {one.run.length} cards in a row came in the old order."
    for first, second in group.equal[:3]:
        yield f"{named(group.shoes[first])} and {named(group.shoes[second])} lay in the same order."
    for first, second in group.alike[:3]:
        yield f"{named(group.shoes[first])} and {named(group.shoes[second])} were shuffled by the same permutation."
    if group.surplus:
        yield f"{group.surplus} cards are copies that the decks do not have: check the set of cards and the reader."
    failed = [name for name in group.failed if name != "common run"]
    if failed:
        yield f"Failed tests: {', '.join(failed)}."


def reach(group: ShoeGroup) -> Iterator[str]:
    found = reach_of(group)
    for title, several in (
        ("Would have been found", found.found),
        ("Found in some shoes only", found.perhaps),
        ("Could not be found", found.missed),
    ):
        if several:
            yield f"{title}: {'; '.join(several)}."
    yield measured(group)


def numbers(group: ShoeGroup) -> Iterator[tuple[str, str, str]]:
    yield "wealth", amount(group.wealth), f"1/{amount(group.wealth)}"
    for test in group.tests:
        if test.value is None:
            yield test.name, "–", "not computed"
        else:
            yield test.name, f"{test.value:.1f}", f"{test.chance:.2g}" + " !" * (test.name in group.failed)


def named(one: ShoeComparison) -> str:
    return f"table {one.shoe.table} shoe {one.shoe.number} ({one.shoe.at[:16].replace('T', ' ')})"


def amount(wealth: float) -> str:
    if wealth < _RICH:
        return f"{wealth:.3g}"
    return f"{wealth:,.0f}" if wealth < _POWERFUL else f"10^{math.log10(wealth):.0f}"

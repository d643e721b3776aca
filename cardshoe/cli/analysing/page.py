"""The report as one page of HTML with plots."""

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from cardshoe.analysis.verdict import ERROR, ShoeComparison, ShoeGroup
from cardshoe.cli.analysing.words import OUTCOMES, named, numbers, plain, reach

_WIDTH: Final = 640
_HEIGHT: Final = 260
_STYLE: Final = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}
h2.doubt{color:#a30000}table{border-collapse:collapse}td,th{padding:.1rem .8rem;text-align:right}
td:first-child,th:first-child{text-align:left}svg{width:100%;height:auto;background:#f6f6f6}
figcaption{font-weight:600}.rule{stroke:#999;fill:none}.line{stroke:#0a4a8f;fill:none}.dot{fill:#0a4a8f}
.bar{fill:#0a4a8f}.chance{fill:#999}.limit{stroke:#a30000;stroke-dasharray:6 4}.scale{font-size:12px;fill:#333}
"""


def page(groups: Sequence[ShoeGroup]) -> str:
    return "\n".join(_lines(groups))


def _lines(groups: Sequence[ShoeGroup]) -> Iterator[str]:
    yield "<!DOCTYPE html>"
    yield '<html lang="en"><head><meta charset="utf-8"><title>Shuffle analysis</title>'
    yield f"<style>{_STYLE}</style></head><body><h1>Shuffle analysis</h1>"
    for group in groups:
        yield f'<section><h2 class="{group.outcome}">{escape(group.name)}: {OUTCOMES[group.outcome]}</h2>'
        for line in plain(group):
            yield f"<p>{escape(line)}</p>"
        yield "<h3>What this analysis can find</h3>"
        for line in reach(group):
            yield f"<p>{escape(line)}</p>"
        compared = group.compared
        if compared:
            yield from _places(max(compared, key=lambda one: one.played.most))
            yield from _guesses(compared)
        yield from _wealth(group)
        yield "<h3>Tests</h3><table><tr><th>Test</th><th>Value</th><th>By chance</th></tr>"
        for cells in numbers(group):
            yield "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
        yield "</table></section>"
    yield f"<p>If all cards are shuffled well, a report like this doubts in 1 of {1 / ERROR:,.0f}.</p></body></html>"


def _figure(title: str, what: str, parts: Iterator[str]) -> Iterator[str]:
    yield f"<figure><figcaption>{escape(title)}</figcaption>"
    yield f'<svg viewBox="-50 -15 {_WIDTH + 70} {_HEIGHT + 45}" role="img" aria-label="{escape(what)}">'
    yield f'<path class="rule" d="M0 0V{_HEIGHT}H{_WIDTH}"/>'
    yield from parts
    yield "</svg></figure>"


def _places(one: ShoeComparison) -> Iterator[str]:
    order = one.order
    if order is None:
        return
    faces = one.shoe.faces()
    dots = [
        (new * _WIDTH / len(faces), _HEIGHT - old * _HEIGHT / order.size)
        for new, face in enumerate(faces)
        if face >= 0
        for old in order.places[face]
    ]

    def parts() -> Iterator[str]:
        yield "".join(f'<rect class="dot" x="{x:.1f}" y="{y:.1f}" width="1.6" height="1.6"/>' for x, y in dots)
        yield f'<text class="scale" x="0" y="{_HEIGHT + 20}">place in {escape(named(one))}</text>'
        yield f'<text class="scale" x="-45" y="-4">place before the shuffle, {order.size} cards</text>'

    yield from _figure("Old place against new: kept cards form a line", "Old place against new place", parts())


def _wealth(group: ShoeGroup) -> Iterator[str]:
    most = max(4.0, *(math.log10(one.played.most) for one in group.shoes))
    cards = max((len(one.played.wealth) for one in group.shoes), default=0)
    if not cards:
        return
    least = -2.0

    def height(power: float) -> float:
        return _HEIGHT - (max(least, power) - least) * _HEIGHT / (most - least)

    def parts() -> Iterator[str]:
        for one in group.shoes:
            points = " ".join(
                f"{number * _WIDTH / cards:.1f},{height(math.log10(max(wealth, 1e-9))):.1f}"
                for number, wealth in enumerate(one.played.wealth)
            )
            yield f'<polyline class="line" points="{points}"/>'
        limit = height(math.log10(group.limit))
        yield f'<path class="limit" d="M0 {limit:.1f}H{_WIDTH}"/>'
        yield f'<text class="scale" x="-45" y="{limit:.1f}">{group.limit:,.0f}</text>'
        yield f'<text class="scale" x="-45" y="10">10^{most:.0f}</text>'
        yield f'<text class="scale" x="-45" y="{height(0):.1f}">1</text>'
        yield f'<text class="scale" x="0" y="{_HEIGHT + 20}">cards seen, to {cards}; one line for each shoe</text>'

    yield from _figure("Wealth of the bets on the old order", "Wealth by card", parts())


def _guesses(compared: Sequence[ShoeComparison]) -> Iterator[str]:
    shown = compared[-60:]
    most = max(max(one.played.right, one.played.by_chance) for one in shown) or 1
    step = _WIDTH / len(shown)

    def parts() -> Iterator[str]:
        for number, one in enumerate(shown):
            for part, (name, count) in enumerate((("bar", one.played.right), ("chance", one.played.by_chance))):
                tall = count * _HEIGHT / most
                x = (number + part * 0.4) * step
                yield (
                    f'<rect class="{name}" x="{x:.1f}" y="{_HEIGHT - tall:.1f}" width="{step * 0.36:.1f}" '
                    f'height="{tall:.1f}"><title>{escape(named(one))}: {count:.0f}</title></rect>'
                )
        yield f'<text class="scale" x="-45" y="10">{most:.0f}</text>'
        yield f'<text class="scale" x="0" y="{_HEIGHT + 20}">shoes, the oldest first; grey: right by chance</text>'

    yield from _figure("Right guesses of a person who knew the last shoe", "Right guesses by shoe", parts())

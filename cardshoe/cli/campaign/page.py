"""The HTML page of a campaign, without scripts or links."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from cardshoe.cli.campaign.blocks import Campaign, program_digest
from cardshoe.cli.campaign.games import PLAYED
from cardshoe.cli.campaign.totals import STAKE, Totals
from cardshoe.cli.campaign.verdict import CALL, ERROR, TestedFigure

STYLE: Final = """<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse}td,th{padding:.1rem .8rem;text-align:right}td:first-child{text-align:left}
.fails{color:#a30000;font-weight:bold}.band{fill:#dfe8f3}.at{fill:#1d4f91}.fails .at{fill:#a30000}</style>"""
WIDTH: Final = 240
HEIGHT: Final = 16
SHOWN: Final = 1.5


def page_of(campaign: Campaign, totals: Totals, cells: Sequence[TestedFigure], wrong: Sequence[str]) -> Iterator[str]:
    game, rounds = escape(campaign.table.game), PLAYED[campaign.table.game].rounds
    yield '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Campaign</title>'
    yield f"{STYLE}</head><body><h1>{game}: {totals.shoes:,} shoes, {totals.rounds:,} rounds</h1>"
    doubted = bool(wrong) or any(one.fails for one in cells)
    yield '<p class="fails">Doubt: the totals differ.</p>' if doubted else "<p>The totals agree with the odds.</p>"
    strategy = f" Strategy {escape(campaign.strategy)}." if campaign.strategy else ""
    yield f"<p>Seed {campaign.seed}.{strategy} Profile {campaign.digest[:16]}; program {program_digest()[:16]}.</p>"
    yield f"<h2>Means of the first {rounds} rounds of each shoe</h2>"
    yield f"<p>Band: ±{CALL:g} standard errors between shoes around the exact odds. All cells together doubt fair shoes"
    yield f"in {ERROR * 1000:g} of 1,000 campaigns. Cells that are too rare for so many shoes are left out.</p>"
    yield "<table><tr><th></th><th>Found</th><th>Exact</th><th>Errors</th><th>Would show</th><th>In the band</th></tr>"
    for one in cells:
        row = f"<td>{escape(one.name)}</td><td>{one.found:.6f}</td><td>{float(one.exact):.6f}</td>"
        row += f"<td>{one.z:.2f}</td><td>{one.least:.6f}</td><td>{_drawn(one)}</td>"
        yield f'<tr class="{"fails" if one.fails else ""}">{row}</tr>'
    yield "</table><h2>Money by bet</h2><table><tr><th></th><th>Wagers</th><th>Net units</th><th>A unit</th></tr>"
    for name in sorted(name.removesuffix("|wagers") for name in totals.money if name.endswith("|wagers")):
        wagers, net = totals.money[f"{name}|wagers"], totals.money[f"{name}|net"] / STAKE
        label = escape(name.replace("|", ", on "))
        yield f"<tr><td>{label}</td><td>{wagers:,}</td><td>{net:,.2f}</td><td>{net / wagers:.4f}</td></tr>"
    yield "</table><h2>Irregularities</h2>"
    yield from (f'<p class="fails">{escape(one)}</p>' for one in wrong)
    yield "" if wrong else "<p>None: money, cards and decisions agree in every round.</p>"
    yield "</body></html>"


def _drawn(one: TestedFigure) -> str:
    middle, scale = WIDTH / 2, WIDTH / 2 / SHOWN
    at = middle + max(-SHOWN, min(SHOWN, one.z / CALL)) * scale
    band = f'<rect class="band" x="{middle - scale:g}" width="{2 * scale:g}" height="{HEIGHT}"/>'
    mark = f'<circle class="at" cx="{at:.1f}" cy="{HEIGHT // 2}" r="4"/>'
    exact = f'<line x1="{middle:g}" x2="{middle:g}" y2="{HEIGHT}" stroke="#888"/>'
    label = f'<svg width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="{one.z:.1f} standard errors">'
    return f"{label}{band}{exact}{mark}</svg>"

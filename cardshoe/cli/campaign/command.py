"""``cardshoe campaign``."""

import tempfile
import time
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

import click

from cardshoe.cli.answer import JSON, answer
from cardshoe.cli.campaign.blocks import Campaign, Folder, play, program_digest
from cardshoe.cli.campaign.totals import ROUNDS, STAKE, Totals
from cardshoe.cli.campaign.verdict import ERROR, Cell, cells_of, wrong_of
from cardshoe.process.progress import Progress
from regulations.events.inputs import Table

DOUBT: Final = 3
DECKS: Final = 8
SEATS: Final = 7


def table_of(game: str) -> Table:
    """The profile of a campaign: a shoe of eight decks, and what the law has where the house chooses nothing."""
    return Table(table_id="campaign", game=game, decks=DECKS, seats=SEATS, equipment="shoe", options={})


@click.command("campaign")
@click.argument("game", type=click.Choice(["baccarat"]))
@click.option("--shoes", type=click.IntRange(2, 100_000_000), required=True, help="How many shoes are played.")
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes that play.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Another one: other cards.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Keep blocks of 64 shoes here, and a page; the same command again plays the missing ones.",
)
@JSON
def campaign_command(game: str, *, shoes: int, workers: int, seed: int, out: Path | None, as_json: bool) -> None:
    """Play shoes of GAME through the law, and test the totals against exact odds.

    A dealer answers each `next` of the law, with one unit on each bet. Seeds depend on a shoe's index alone: the same
    totals come from any number of workers. Money and the drawing rules must agree exactly, frequencies within an error
    of 1 in 1,000 over all of them.

    Exit codes: 0 agrees, 1 error, 3 doubt.
    """
    campaign = Campaign(table=table_of(game), shoes=shoes, seed=seed)
    began_s = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="cardshoe-") as passing:
        folder = Folder(Path(passing) if out is None else out, campaign)
        with Progress("campaign", len(campaign.sizes()), unit="blocks") as bar:
            totals = play(campaign, folder, workers, bar.step)
    cells, wrong = cells_of(totals, DECKS), list(wrong_of(totals))
    took_s = time.monotonic() - began_s
    if out is not None:
        (out / "campaign.html").write_text("\n".join(_page(campaign, totals, cells, wrong)), encoding="utf-8")
    answer(_words(totals, cells, wrong, took_s), _report(campaign, totals, cells, wrong), as_json=as_json)
    if wrong or any(cell.fails for cell in cells):
        raise SystemExit(DOUBT)


def _words(totals: Totals, cells: Sequence[Cell], wrong: Sequence[str], took_s: float) -> Iterator[str]:
    yield f"{totals.shoes} shoes, {totals.rounds} rounds, {totals.rounds / max(took_s, 1e-9):,.0f} rounds/s"
    yield f"{'cell':12} {'found':>9} {'exact':>9} {'errors':>7} {'would show':>10}"
    for one in cells:
        mark = " !" if one.fails else ""
        yield f"{one.name:12} {one.found:9.6f} {float(one.exact):9.6f} {one.z:7.2f} {one.least:10.6f}{mark}"
    yield from wrong
    doubted = bool(wrong) or any(cell.fails for cell in cells)
    yield "DOUBT: the totals differ from the odds" if doubted else "the totals agree with the odds"


def _report(campaign: Campaign, totals: Totals, cells: Sequence[Cell], wrong: Sequence[str]) -> dict[str, Any]:
    return {
        "game": campaign.table.game,
        "seed": campaign.seed,
        "profile": campaign.digest,
        "program": program_digest(),
        "totals": totals,
        "cells": [
            {"name": one.name, "found": one.found, "exact": str(one.exact), "errors": one.z, "fails": one.fails}
            for one in cells
        ],
        "wrong": list(wrong),
        "error": ERROR,
    }


def _page(campaign: Campaign, totals: Totals, cells: Sequence[Cell], wrong: Sequence[str]) -> Iterator[str]:
    yield '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Campaign</title>'
    yield "<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    yield "td,th{padding:.1rem .8rem;text-align:right}td:first-child{text-align:left}.fails{color:#a30000}</style>"
    yield f"</head><body><h1>{escape(campaign.table.game)}: {totals.shoes:,} shoes, {totals.rounds:,} rounds</h1>"
    yield f"<p>Seed {campaign.seed}; program {program_digest()[:16]}; profile {campaign.digest[:16]}.</p>"
    yield f"<h2>Frequencies in the first {ROUNDS} rounds of each shoe</h2>"
    yield "<table><tr><th></th><th>Found</th><th>Exact</th><th>Standard errors</th><th>Would show</th></tr>"
    for one in cells:
        row = f"<td>{escape(one.name)}</td><td>{one.found:.6f}</td><td>{float(one.exact):.6f}</td>"
        yield f'<tr class="{"fails" if one.fails else ""}">{row}<td>{one.z:.2f}</td><td>{one.least:.6f}</td></tr>'
    yield "</table><h2>Money by bet</h2><table><tr><th></th><th>Wagers</th><th>Net units</th></tr>"
    for name in sorted(name.removesuffix("|wagers") for name in totals.money if name.endswith("|wagers")):
        net = totals.money[f"{name}|net"] / STAKE
        label = escape(name.replace("|", ", on "))
        yield f"<tr><td>{label}</td><td>{totals.money[f'{name}|wagers']:,}</td><td>{net:,.2f}</td></tr>"
    yield "</table><h2>Irregularities</h2>"
    yield from (f'<p class="fails">{escape(one)}</p>' for one in wrong or ())
    yield "" if wrong else "<p>None: money and drawing rules agree in every round.</p>"
    yield "</body></html>"

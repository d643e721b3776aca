"""``cardshoe campaign``."""

import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, get_args

import click

from cardshoe.cli.answer import JSON, answer
from cardshoe.cli.campaign.blocks import Campaign, Folder, Players, by_workers, here, play, program_digest
from cardshoe.cli.campaign.games import PLAYED
from cardshoe.cli.campaign.on_dask import by_dask
from cardshoe.cli.campaign.page import page_of
from cardshoe.cli.campaign.through import Way
from cardshoe.cli.campaign.totals import Totals
from cardshoe.cli.campaign.verdict import ERROR, TestedFigure, cells_of, wrong_of
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.progress import Progress
from regulations.events.inputs import Table

DOUBT: Final = 3
SEATS: Final = 7


def table_of(game: str) -> Table:
    played = PLAYED[game]
    options = dict(played.options)
    return Table(table_id="campaign", game=game, decks=played.decks, seats=SEATS, equipment="shoe", options=options)


@click.command("campaign")
@click.argument("game", type=click.Choice(list(PLAYED)))
@click.option("--shoes", type=click.IntRange(2, 100_000_000), required=True, help="How many shoes are played.")
@click.option("--strategy", metavar="NAME", help="How the seats decide; the page of the command lists them.")
@click.option(
    "--through",
    type=click.Choice(get_args(Way)),
    default="law",
    show_default=True,
    help="Play through the law alone, a table with its signed journal, or also a simulated device and its bridge.",
)
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes that play.")
@click.option(
    "--dask", metavar="ADDRESS", help="Play on the workers of this Dask scheduler (extra `dask`), not on --workers."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Another one: other cards.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Keep blocks of 64 shoes here, and a page; the same command again plays the missing ones.",
)
@JSON
def campaign_command(  # noqa: PLR0913  # one argument per option, as click has it
    game: str,
    *,
    shoes: int,
    strategy: str | None,
    through: Way,
    workers: int,
    dask: str | None,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Play shoes of GAME through the law, and test the totals against exact odds.

    A dealer answers each `next` of the law, with one unit on each bet. Seeds depend on a shoe's index alone: the same
    totals come from any number of workers. Money, cards and decisions must agree exactly, frequencies and mean nets
    within an error of 1 in 1,000 over all of them.

    Exit codes: 0 agrees, 1 error, 3 doubt.
    """
    campaign = Campaign(
        table=table_of(game), shoes=shoes, seed=seed, strategy=_strategy(game, strategy), through=through
    )
    players = _players(workers, dask)
    began_s = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="cardshoe-") as passing:
        folder = Folder(Path(passing) if out is None else out, campaign)
        with Progress("campaign", len(campaign.sizes()), unit="blocks") as bar:
            totals = play(campaign, folder, players, bar.step)
    took_s = time.monotonic() - began_s
    played = PLAYED[game]
    cells, wrong = cells_of(totals, played, campaign.strategy), list(wrong_of(totals, played))
    if out is not None:
        (out / "campaign.html").write_text("\n".join(page_of(campaign, totals, cells, wrong)), encoding="utf-8")
    answer(_words(totals, cells, wrong, took_s), _report(campaign, totals, cells, wrong), as_json=as_json)
    if wrong or any(cell.fails for cell in cells):
        raise SystemExit(DOUBT)


def _strategy(game: str, asked: str | None) -> str:
    names = PLAYED[game].strategies
    if asked is None:
        return next(iter(names), "")
    if asked not in names:
        remedy = f"Choose one of: {', '.join(names)}." if names else "Leave it out: the players decide nothing."
        raise Stop(f"--strategy {asked!r}: {game} has no such strategy", remedy, Exit.USAGE)
    return asked


def _players(workers: int, dask: str | None) -> Players:
    if dask is not None:
        if workers > 1:
            raise Stop("--workers and --dask exclude each other", "Leave out one of them.", Exit.USAGE)
        return partial(by_dask, address=dask)
    return here if workers == 1 else partial(by_workers, workers=workers)


def _words(totals: Totals, cells: Sequence[TestedFigure], wrong: Sequence[str], took_s: float) -> Iterator[str]:
    yield f"{totals.shoes} shoes, {totals.rounds} rounds, {totals.rounds / max(took_s, 1e-9):,.0f} rounds/s"
    yield f"{'cell':16} {'found':>9} {'exact':>9} {'errors':>7} {'would show':>10}"
    for one in cells:
        mark = " !" if one.fails else ""
        yield f"{one.name:16} {one.found:9.6f} {float(one.exact):9.6f} {one.z:7.2f} {one.least:10.6f}{mark}"
    yield from wrong
    doubted = bool(wrong) or any(cell.fails for cell in cells)
    yield "DOUBT: the totals differ from the odds" if doubted else "the totals agree with the odds"


def _report(campaign: Campaign, totals: Totals, cells: Sequence[TestedFigure], wrong: Sequence[str]) -> dict[str, Any]:
    return {
        "game": campaign.table.game,
        "strategy": campaign.strategy,
        "through": campaign.through,
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

"""``python -m tests.cardshoe.cli.same_totals``: a campaign by each kind of worker, some killed, has the same totals."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import get_args

from distributed import LocalCluster

from cardshoe.cli.campaign.blocks import Campaign, Folder, Players, by_workers, here, play
from cardshoe.cli.campaign.command import table_of
from cardshoe.cli.campaign.games import PLAYED
from cardshoe.cli.campaign.on_dask import by_dask
from cardshoe.cli.campaign.through import Way
from cardshoe.cli.campaign.totals import Totals
from tests.kit.campaign import CampaignCommand

BLOCKS = 8
KILLED_AFTER = 2
"""Blocks after which a worker, or a campaign, is killed."""
TIMEOUT_S = 600
_PART = "import sys; from tests.cardshoe.cli.same_totals import part; part(*sys.argv[1:])"


def campaign_of(game: str, way: Way, shoes: int) -> Campaign:
    """Equal shoes, in blocks so small that something is left when one is killed."""
    return Campaign(table=table_of(game), shoes=shoes, seed=1, through=way, each=max(1, shoes // BLOCKS))


def part(game: str, way: Way, shoes: str, folder: str) -> None:
    """Play on until killed: the process that is ended in between."""
    played(campaign_of(game, way, int(shoes)), Path(folder))


def played(
    campaign: Campaign, folder: Path, players: Players = here, done: Callable[[], None] = lambda: None
) -> Totals:
    """Play what is missing in a folder."""
    return play(campaign, Folder(folder, campaign), players, done)


def resumed(campaign: Campaign, folder: Path) -> Totals:
    """Play in a process that is killed with SIGKILL, then play the blocks that are missing."""
    game, way, shoes = campaign.table.game, campaign.through, str(campaign.shoes)
    process = subprocess.Popen([sys.executable, "-c", _PART, game, way, shoes, str(folder)])
    end_s = time.monotonic() + TIMEOUT_S
    while len(list(folder.glob("block-*.json"))) < KILLED_AFTER and time.monotonic() < end_s:
        try:
            process.wait(timeout=0.01)
        except subprocess.TimeoutExpired:
            continue
        break
    process.kill()
    if process.wait() != -signal.SIGKILL:
        raise RuntimeError("the campaign ended before it was killed: play more shoes")
    return played(campaign, folder)


def on_dask(campaign: Campaign, folder: Path) -> Totals:
    """Play on a local cluster of two, one worker of which is killed."""
    options = {"threads_per_worker": 1, "dashboard_address": None, "silence_logs": "CRITICAL"}
    with LocalCluster(n_workers=2, **options) as cluster:
        killed = [one.pid for one in cluster.workers.values()][:1]

        def done() -> None:
            while killed:
                os.kill(killed.pop(), signal.SIGKILL)

        return played(campaign, folder, partial(by_dask, address=cluster.scheduler_address), done)


def compared(game: str, way: Way, shoes: int, folder: Path) -> Iterator[tuple[str, Totals]]:
    """Yield the totals of each kind of worker; those through the law first."""
    campaign = campaign_of(game, way, shoes)
    yield "law", played(campaign_of(game, "law", shoes), folder / "law")
    yield "1 worker", played(campaign, folder / "one")
    yield "2 workers", played(campaign, folder / "two", partial(by_workers, workers=2))
    yield "killed and resumed", resumed(campaign, folder / "resumed")
    yield "Dask, a worker killed", on_dask(campaign, folder / "dask")


def main() -> int:
    """Print a line for each kind of worker; return 1 if totals differ."""
    command = CampaignCommand("same_totals", __doc__, seed=None)
    command.option("game", choices=list(PLAYED))
    command.option("--through", choices=get_args(Way), default="devices")
    command.option("--shoes", type=int, default=64)
    given = command.begin()
    first: Totals | None = None
    differs = False
    with tempfile.TemporaryDirectory() as folder:
        for name, totals in compared(given.game, given.through, given.shoes, Path(folder)):
            first = first or totals
            differs |= totals != first
            by = name.replace(" ", "_")
            command.say(f"by={by} shoes={totals.shoes} rounds={totals.rounds} equal={totals == first}")
    return command.end(f"game={given.game} through={given.through} equal={not differs}", is_good=not differs)


if __name__ == "__main__":
    sys.exit(main())

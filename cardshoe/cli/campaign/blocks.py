"""Blocks of shoes: files written once, so that a campaign resumes."""

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from importlib import resources
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from cardshoe.cli.campaign.seeds import shuffled, stream_of
from cardshoe.cli.campaign.through import Way, shoes_through
from cardshoe.cli.campaign.totals import Totals
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.plain_file import read_plain
from regulations.events.inputs import Table

SHOES: Final = 64
PROGRAM: Final = (
    "regulations", "protocols", "drivers", "firmware_bridge", "sim",
    "cardshoe.cli.campaign", "cardshoe.table", "cardshoe.journal",
)  # fmt: skip
"""The packages that decide what a campaign finds."""
DEATHS_MAX: Final = 4


class Campaign(Struct, frozen=True, kw_only=True):
    """Shoes to play; equal campaigns have equal totals, whatever the block size ``each``."""

    table: Table
    shoes: int
    seed: int
    strategy: str = ""
    through: Way = "law"
    each: int = SHOES

    @property
    def digest(self) -> str:
        """The digest of the profile."""
        return hashlib.sha256(msgspec.json.encode(self.table)).hexdigest()

    @property
    def origin(self) -> str:
        """The origin that each block must have."""
        what = f"seed {self.seed}; strategy {self.strategy or '-'}; through {self.through}"
        return f"{what}; profile {self.digest}; program {program_digest()}"

    def sizes(self) -> dict[int, int]:
        """Shoes of each block."""
        each = self.each
        return {first // each: min(each, self.shoes - first) for first in range(0, self.shoes, each)}


class Block(Struct, frozen=True, kw_only=True):
    block: int
    shoes: int
    origin: str
    totals: Totals


@cache
def program_digest() -> str:
    """The digest of the installed law and of this command."""
    found = hashlib.sha256()
    for package in PROGRAM:
        root = Path(str(resources.files(package)))
        for file in sorted(root.rglob("*.py")):
            found.update(f"{package}/{file.relative_to(root)}\n".encode() + file.read_bytes())
    return found.hexdigest()


def play_block(campaign: Campaign, block: int) -> Block:
    totals, table, profile = Totals(), campaign.table, campaign.digest
    shoes, first = campaign.sizes()[block], block * campaign.each
    keys = (stream_of(campaign.seed, table.game, profile, index, "cards") for index in range(first, first + shoes))
    stacks = (shuffled(key, table.decks) for key in keys)
    for shoe in shoes_through(campaign.through, table, campaign.strategy, stacks):
        totals.add_shoe(shoe)
    return Block(block=block, shoes=shoes, origin=campaign.origin, totals=totals)


class Folder:
    def __init__(self, path: Path, campaign: Campaign) -> None:
        self._path: Final = path
        self._campaign: Final = campaign
        path.mkdir(parents=True, exist_ok=True)

    def read(self, block: int) -> Block | None:
        """A finished block; ``None``: missing.

        Raises:
            Stop: the file is damaged, or of another campaign or program.
        """
        path = self._file(block)
        try:
            found = msgspec.json.decode(read_plain(path), type=Block)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.MsgspecError) as error:
            raise Stop(f"{path}: {error}", "Delete this file: the block is played again.", Exit.FAILURE) from error
        self._check(path, found)
        return found

    def keep(self, played: Block) -> None:
        """Write a block, once.

        Raises:
            Stop: an earlier result differs, or is of another program.
        """
        path = self._file(played.block)
        self._check(path, played)
        before = self.read(played.block)
        if before is not None:
            if before != played:
                raise Stop(
                    f"{path}: played again, this block has other totals", "Keep both, and report it.", Exit.FAILURE
                )
            return
        passing = path.with_suffix(f".{os.getpid()}.new")
        passing.write_bytes(msgspec.json.encode(played, order="sorted"))
        passing.replace(path)

    def _check(self, path: Path, found: Block) -> None:
        campaign = self._campaign
        if found.origin != campaign.origin:
            raise Stop(
                f"{path}: of another campaign or program: {found.origin}",
                "Name another folder with --out; install the same wheel at each worker.",
                Exit.FAILURE,
            )
        if found.shoes != campaign.sizes().get(found.block):
            raise Stop(f"{path}: {found.shoes} shoes", "Use the --shoes of the folder, or another one.", Exit.FAILURE)

    def _file(self, block: int) -> Path:
        return self._path / f"block-{block:07}.json"


Players = Callable[[Campaign, Sequence[int]], Iterator[Block]]


def play(campaign: Campaign, folder: Folder, players: Players, done: Callable[[], None]) -> Totals:
    """Play all missing blocks; return the totals of all; ``done`` is called after each."""
    missing = [block for block in campaign.sizes() if folder.read(block) is None]
    for one in players(campaign, missing):
        folder.keep(one)
        done()
    totals = Totals()
    for block in campaign.sizes():
        found = folder.read(block)
        if found is not None:
            totals.add(found.totals)
    return totals


def here(campaign: Campaign, blocks: Sequence[int]) -> Iterator[Block]:
    return (play_block(campaign, block) for block in blocks)


def by_workers(campaign: Campaign, blocks: Sequence[int], *, workers: int) -> Iterator[Block]:
    left, deaths = set(blocks), 0
    while left:
        with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
            waiting: dict[Future[Block], int] = {pool.submit(play_block, campaign, one): one for one in sorted(left)}
            try:
                for future in as_completed(waiting):
                    played = future.result()
                    left.discard(waiting[future])
                    deaths = 0
                    yield played
            except BrokenProcessPool as error:
                deaths += 1
                if deaths > DEATHS_MAX:
                    raise Stop(
                        f"workers ended {deaths} times; the first block that is left is {min(left)}",
                        "Run with --workers 1: the block's own error is reported.",
                        Exit.FAILURE,
                    ) from error

"""Blocks on the workers of a Dask scheduler (extra ``dask``)."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final
from urllib.parse import urlsplit

from cardshoe.cli.address import is_loopback
from cardshoe.cli.campaign.blocks import Block, Campaign, play_block
from cardshoe.process.exits import Exit, Stop

TIMEOUT_S: Final = 30
WAITING: Final = 4
"""Blocks queued per worker: a dead worker loses its ungathered ones."""
ENCRYPTED: Final = "tls"


def by_dask(campaign: Campaign, blocks: Sequence[int], *, address: str) -> Iterator[Block]:
    """Play blocks on a scheduler's workers; gather each at once.

    Args:
        address: ``tcp://127.0.0.1:PORT``, or ``tls://HOST:PORT`` with Dask's client certificate.

    Raises:
        Stop: Dask is missing, the address is open to others, the scheduler does not answer, or workers die
            repeatedly.
    """
    _check(address)
    try:
        from distributed import Client, KilledWorker, as_completed  # an extra
    except ImportError as error:
        raise Stop(
            "--dask: Dask is not installed", "Install this program with its extra `dask`.", Exit.USAGE
        ) from error
    try:
        client = Client(address, timeout=TIMEOUT_S, set_as_default=False)
    except OSError as error:
        raise Stop(f"{address}: no Dask scheduler answers", "Start it, or use --workers.", Exit.FAILURE) from error
    with client:
        left = iter(blocks)
        places: dict[Any, int] = {}

        def submit(count: int) -> list[Any]:
            # The same block submitted again must be played again: a key of Dask's own choice would be cached.
            sent = {client.submit(play_block, campaign, one, pure=False): one for one in islice(left, count)}
            places.update({future.key: one for future, one in sent.items()})
            return list(sent)

        workers = len(client.scheduler_info(n_workers=-1)["workers"])
        coming = as_completed(submit(WAITING * max(1, workers)), loop=client.loop)
        for future in coming:
            try:
                played: Block = future.result()
            except KilledWorker as error:
                raise Stop(
                    f"block {places[future.key]}: it ended {error.allowed_failures + 1} workers",
                    "Run with --workers 1: the block's own error is reported.",
                    Exit.FAILURE,
                ) from error
            coming.update(submit(1))
            yield played


def _check(address: str) -> None:
    """Dask executes any client's code: others must not reach it."""
    parts = urlsplit(address)
    if parts.scheme not in ("tcp", ENCRYPTED) or not parts.hostname:
        raise Stop(f"--dask {address!r} is no address", "Give tcp://127.0.0.1:PORT or tls://HOST:PORT.", Exit.USAGE)
    if parts.scheme != ENCRYPTED and not is_loopback(parts.hostname):
        raise Stop(
            f"--dask {address}: other machines can reach it, and it executes what any client sends",
            "Use tls:// with client certificates, or 127.0.0.1.",
            Exit.USAGE,
        )

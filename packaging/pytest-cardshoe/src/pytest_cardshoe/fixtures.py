"""The fixtures."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pytest_cardshoe.bench import BENCHES, StartedParts
from pytest_cardshoe.faults import Faults
from pytest_cardshoe.shoes import Shoe
from pytest_cardshoe.tables import Table


@contextmanager
def _bench(request: pytest.FixtureRequest, folder: Path) -> Iterator[StartedParts]:
    benches, name = request.config.stash[BENCHES], str(request.fixturename)
    # It stays after its end, for the report of a failure of ending it.
    benches.pop(name, None)
    bench = benches[name] = StartedParts(request.node, folder)
    yield bench
    bench.close()


@pytest.fixture
def _cardshoe_bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StartedParts]:
    with _bench(request, tmp_path) as bench:
        yield bench


@pytest.fixture(scope="module")
def cardshoe_module(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartedParts]:
    """Shoes and tables shared by a module: `cardshoe_module.shoe()`, `.device(…)`, `.table(…)`."""
    with _bench(request, tmp_path_factory.mktemp("cardshoe")) as bench:
        yield bench


@pytest.fixture(scope="session")
def cardshoe_session(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[StartedParts]:
    """Like `cardshoe_module`, for the whole run."""
    with _bench(request, tmp_path_factory.mktemp("cardshoe")) as bench:
        yield bench


@pytest.fixture
def cardshoe_seed(_cardshoe_bench: StartedParts) -> int:
    """The test's seed, from the run's seed and its name."""
    return _cardshoe_bench.seed


@pytest.fixture
def cardshoe_shoe(_cardshoe_bench: StartedParts) -> Shoe:
    """A simulated shoe (`cardshoe sim`), or the real one of --cardshoe-hw; see `@pytest.mark.cardshoe(…)`."""
    return _cardshoe_bench.shoe()


@pytest.fixture
def cardshoe_device(_cardshoe_bench: StartedParts) -> Callable[..., Shoe]:
    """Make further devices: `cardshoe_device("bee-tek", decks=6)`."""
    return _cardshoe_bench.device


@pytest.fixture
def cardshoe_table(_cardshoe_bench: StartedParts) -> Callable[..., Table]:
    """Make tables: `cardshoe_table(cardshoe_shoe)`; each journal is verified at the end."""
    return _cardshoe_bench.table


@pytest.fixture
def cardshoe_fault(cardshoe_shoe: Shoe) -> Faults:
    """Mishaps of the shoe: jam, unplug, misread, power cut; skips on a real shoe without a rig."""
    return Faults(cardshoe_shoe)

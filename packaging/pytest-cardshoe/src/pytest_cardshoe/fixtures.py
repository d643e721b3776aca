"""The fixtures."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pytest_cardshoe.bench import StartedParts
from pytest_cardshoe.faults import Faults
from pytest_cardshoe.shoes import Shoe
from pytest_cardshoe.tables import Table


@pytest.fixture
def _cardshoe_bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StartedParts]:
    bench = StartedParts(request.node, tmp_path)
    yield bench
    bench.close()


@pytest.fixture
def cardshoe_seed(_cardshoe_bench: StartedParts) -> int:
    """The seed of this test, from the run's seed and the test's name: for whatever else it draws at random."""
    return _cardshoe_bench.seed


@pytest.fixture
def cardshoe_shoe(_cardshoe_bench: StartedParts) -> Shoe:
    """A shoe: simulated (`cardshoe sim`), or the real one of --cardshoe-hw. `@pytest.mark.cardshoe(…)` says which."""
    return _cardshoe_bench.shoe()


@pytest.fixture
def cardshoe_device(_cardshoe_bench: StartedParts) -> Callable[..., Shoe]:
    """Makes devices, where one shoe is not enough: `cardshoe_device("bee-tek", decks=6)`."""
    return _cardshoe_bench.device


@pytest.fixture
def cardshoe_table(_cardshoe_bench: StartedParts) -> Callable[..., Table]:
    """Makes tables: `cardshoe_table(cardshoe_shoe)` runs one (`cardshoe run`); its journal is verified at the end."""
    return _cardshoe_bench.table


@pytest.fixture
def cardshoe_fault(cardshoe_shoe: Shoe) -> Faults:
    """Mishaps of the shoe: jam, unplug, misread, power cut. At a real shoe without a rig they skip the test."""
    return Faults(cardshoe_shoe)

"""Shoes of each simulated equipment pass: the short form of ``python -m tests.cardshoe.analysis.equipment``."""

import pytest

from tests.cardshoe.analysis.equipment import EQUIPMENT, judged


@pytest.mark.parametrize("name", EQUIPMENT)
def test_simulated_equipment_passes(name: str, seed: int) -> None:
    group = judged(name, 2, seed)
    assert group.outcome == "passes", group.failed
    assert group.surplus == 0

"""That the link's benchmark measures what it says: every exchange is a card in a journal that verifies."""

import os
from collections import Counter
from pathlib import Path

import pytest

from cardshoe.journal import Journal
from cardshoe.table.log.journal_names import newest_journal
from regulations.events.codec import decode_input
from tests.bench.link import SYNCHRONOUS, WARM_UP, measure_link
from tests.kit.sealed import verified

EXCHANGES = 15


@pytest.mark.bench
def test_each_exchange_is_a_card_in_the_journal(tmp_path: Path) -> None:
    figures = measure_link(tmp_path, EXCHANGES, turns=1)
    assert set(figures) >= {"ratio_normal", "ratio_full", "async_ratio_normal"}
    assert all(value > 0 for value in figures.values())
    for level in SYNCHRONOUS:
        path = newest_journal(tmp_path, f"link-{level}")
        assert path is not None
        verified(path)
        with Journal.open(path) as journal:
            events = [decode_input(entry.lines[0]) for entry in journal.entries()]
        told = Counter(type(event).__name__ for event in events)
        burned = told["CardDrawn"] - WARM_UP - EXCHANGES
        assert burned in range(9), "the initial burn and the exchanges, nothing else"
        assert told["DeviceLost"] == told["Fault"] == 0
    assert os.cpu_count()

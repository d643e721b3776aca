"""A log names the one before it, and whoever verifies holds that one to its end."""

from pathlib import Path

import pytest

from cardshoe.journal import JournalBroken, Keyring
from cardshoe.journal.writing.journal import Journal
from regulations.events.inputs import Closed
from tests.cardshoe.journal.sealed import by_the_verifier
from tests.kit.sealed import verified
from tests.kit.table_log import AT, INPUTS, two_logs

LATER = "2026-01-06T10:00:00.000000Z"


@pytest.fixture
def logs(tmp_path: Path) -> list[Path]:
    """Two logs of a table."""
    return two_logs(tmp_path, [*INPUTS[:1], Closed(at=AT)], LATER)


def test_the_first_names_none_and_the_next_names_it(logs: list[Path]) -> None:
    first, second = map(verified, logs)
    assert first.previous is None
    assert second.previous is not None
    assert (second.previous.size, second.previous.root) == (first.entries + 1, first.root)
    assert second.previous_is_here
    code, said = by_the_verifier(*logs)
    assert code == 0
    assert f"the log before it, {second.previous.log}, holds" in said


def test_one_that_is_not_here_is_named(logs: list[Path]) -> None:
    logs[0].unlink()
    assert not verified(logs[1]).previous_is_here
    code, said = by_the_verifier(logs[1])
    assert (code, "is not here" in said) == (0, True)


def test_another_end_than_the_next_one_names_is_found(logs: list[Path]) -> None:
    with Journal.open(logs[0], Keyring(logs[0])) as journal:
        line = b'{"event":"next","seq":%d,"at":"%b","do":"nothing"}\n' % (journal.last_seq + 1, AT.encode())
        journal.append([line], AT)
    with pytest.raises(JournalBroken, match="has another end than the header of the log behind it names"):
        verified(logs[1])
    code, said = by_the_verifier(*logs)
    assert (code, "has another end than its header names" in said) == (4, True)

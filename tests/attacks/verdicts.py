"""The words of both verifiers about a file that somebody altered."""

from pathlib import Path

import pytest

from cardshoe.journal import JournalBroken, WitnessFile, read_only
from tests.cardshoe.journal.sealed import by_the_verifier


def refused(path: Path, witness: Path) -> tuple[str, str]:
    """The words of our verifier and the separate one about a file that neither may hold for whole."""
    with pytest.raises(JournalBroken) as caught, read_only(path) as evidence:
        evidence.verify(WitnessFile(witness))
    status, said = by_the_verifier(path, "--witness", witness)
    assert status == 4, said
    return caught.value.problem, said

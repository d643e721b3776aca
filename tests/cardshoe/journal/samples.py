"""Journals and lines for the tests of the journal. The journal knows no rules, so neither do these lines."""

import json
import random
from pathlib import Path

from cardshoe.journal import Entry, Header, Journal, Keyring, read_only
from cardshoe.journal.file.chain import data_of

HEADER = Header(
    table_id="B-101",
    game="baccarat",
    edition="55/2004 + 73/2005",
    options={"initial_burn": "first_card_value"},
    program="cardshoe 0.1.0",
    created_at="2026-01-05T10:00:00.000000Z",
    rules=1,
)


def line(seq: int, event: str, padding: int = 0) -> bytes:
    """One line of the log, with ``padding`` bytes of ballast in it."""
    return written({"event": event, "seq": seq, "detail": "é" * (padding // 2)})


def written(line: object) -> bytes:
    """JSON as lines are written: docs/journal.md."""
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode()


def entry(seq: int, outputs: int = 3, padding: int = 60) -> bytes:
    """An input with its outputs, numbered from ``seq``."""
    middle = [line(seq + i, "dealt", padding) for i in range(1, outputs)]
    return data_of([line(seq, "card", padding), *middle, line(seq + outputs, "next")])


def fill(journal: Journal, entries: int, seed: int = 1) -> None:
    """Append entries of various sizes."""
    chance = random.Random(seed + journal.last_seq)
    for _ in range(entries):
        journal.append([entry(journal.last_seq + 1, chance.randint(1, 4), chance.choice([0, 40, 200, 3000]))])


def closed_journal(path: Path, *, shoes: int = 2, entries: int = 8) -> list[Entry]:
    """Make a journal of a few shoes, the last one open, and close it; returns its entries."""
    with Journal.create(path, HEADER, Keyring(path)) as journal:
        for _ in range(shoes):
            journal.begin_shoe(HEADER.created_at)
            fill(journal, entries)
        return list(journal.entries())


def stored(path: Path) -> list[Entry]:
    """The entries of a journal that nobody has open, verified."""
    with read_only(path) as evidence:
        evidence.verify()
        return list(evidence.entries())

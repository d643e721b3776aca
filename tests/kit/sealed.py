"""The cards that lie face down in a journal, for tests that must know them."""

import contextlib
import json
import sqlite3
from functools import lru_cache
from pathlib import Path

from cardshoe.journal import read_only
from cardshoe.journal.proof.statements import origin_of
from cardshoe.table.log.replaying import opened_input
from cardshoe.table.log.sealing import Sealer
from cardshoe.table.log.sealing_keys import SealingKeys, find_keys, read_keys
from cardshoe.table.log.verify import Verified, verify
from regulations.events.codec import decode_input, encode
from regulations.events.inputs import AnyInput, CardDrawn
from tests.kit.command import Line


def keys_beside(journal: Path) -> SealingKeys:
    """The keys of a table whose configuration names none."""
    return read_keys(find_keys(None, journal.parent))


def sealer_of(journal: Path) -> Sealer:
    """The sealer of a journal whose key lies beside it."""
    with read_only(journal) as evidence:
        return Sealer(keys_beside(journal), evidence.header.origin)


def opened_inputs(journal: Path) -> list[AnyInput]:
    """The inputs of a journal with nothing sealed in them, in order."""
    sealer = sealer_of(journal)
    with read_only(journal) as evidence:
        inputs = [entry for entry in evidence.entries() if not entry.passes_over]
        return [opened_input(journal, entry, sealer)[1] for entry in inputs]


@lru_cache
def _running_sealer(journals: Path) -> Sealer:
    (journal,) = journals.glob("*.journal")
    with contextlib.closing(sqlite3.connect(f"{journal.as_uri()}?immutable=1", uri=True)) as database:
        ((line,),) = database.execute("SELECT lines FROM entries WHERE number = 0")
    return Sealer(keys_beside(journal), origin_of(json.loads(line)["journal_id"]))


def opened(said: str | Line, journals: Path) -> Line:
    """A line that a running table told, with nothing sealed in it."""
    line: Line = json.loads(said) if isinstance(said, str) else said
    if "sealed" not in line:
        return line
    whole: Line = json.loads(encode(_running_sealer(journals).open(decode_input(json.dumps(line)))))
    return whole


def cards_reported(journal: Path) -> list[str | None]:
    """The cards that came out, as a journal has them."""
    return [one.card for one in opened_inputs(journal) if isinstance(one, CardDrawn)]


def verified(journal: Path) -> Verified:
    """Verify a journal whose key lies beside it."""
    return verify(journal, keys=keys_beside(journal))

"""Proofs of rounds from stored lines, equal to `cardshoe journal prove`."""

from collections.abc import Callable
from datetime import date
from functools import cache
from typing import Any, Final

import msgspec
from psycopg import sql

from cardshoe.floor.database import Db
from cardshoe.journal.file.chain import Entry
from cardshoe.journal.proof.entry_proof import Unproved
from cardshoe.journal.proof.note import BadNote, Note
from cardshoe.journal.proof.signatures import Numbered
from cardshoe.journal.proof.statements import Checkpoint
from cardshoe.journal.proof.tree import StoredTree, leaf_hash
from cardshoe.journal.reading.proving import assembled, check_proof

_NOTES: Final = "SELECT what, note FROM notes WHERE table_id = %s AND log = %s ORDER BY size"
_FIRST_KEY: Final = "SELECT first_key FROM streams WHERE table_id = %s AND log = %s"
_KEY: Final = "key "


def prove_round(db: Db, log: tuple[str, str, date], first: int, last: int, round_no: int) -> bytes:
    """Make a round's proof and verify it as `cardshoe-verify --proof` does; ``first``, ``last``: entries.

    Raises:
        Unproved: no signature covers it, or it is invalid.
    """
    row = cache(_reader(db, log))
    notes: dict[str, bytes] = dict(db.execute(_NOTES, log[:2]).fetchall())
    keys = sorted((int(what.removeprefix(_KEY)), note) for what, note in notes.items() if what.startswith(_KEY))
    if not keys:
        raise Unproved("the floor has no signature of the table yet")

    def checkpoints(_epoch: int, _last: int) -> list[Numbered]:
        newest = notes.get("checkpoint")
        return [] if newest is None else [(Checkpoint.read(Note(newest)).number, newest)]

    tree = StoredTree(lambda at: row("node", at), lambda at: leaf_hash(row("lines", at)))
    try:
        proof = assembled(
            first,
            last,
            round_no,
            header=row("lines", 0)[:-1],
            keys=[note for _, note in keys],
            checkpoints=checkpoints,
            entry=lambda at: Entry(at, row("lines", at), row("node", at)),
            inclusion=tree.inclusion,
        )
    except (BadNote, LookupError) as error:
        raise Unproved(str(error)) from error
    data = msgspec.json.encode(proof)
    (first_key,) = db.execute(_FIRST_KEY, log[:2]).fetchone() or ("",)
    check_proof(data, first_key)
    return data


def _reader(db: Db, log: tuple[str, str, date]) -> Callable[[str, int], bytes]:
    def row(column: str, number: int) -> bytes:
        query = sql.SQL("SELECT {} FROM entries WHERE table_id = %s AND log = %s AND month = %s AND number = %s")
        found: Any = db.execute(query.format(sql.Identifier(column)), (*log, number)).fetchone()
        if found is None:
            raise LookupError(f"entry {number} of {log[1]} is not stored")
        value: bytes = found[0]
        return value

    return row

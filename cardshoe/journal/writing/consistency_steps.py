"""Data for a follower that checks the journal's growth.

Every statement of a key, but only the newest checkpoint.
"""

from typing import Final

import msgspec

from cardshoe.journal.file.store import Store, stored_tree
from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.statements import Takeover, read_statement

STEPS: Final = 32


class ConsistencyStep(msgspec.Struct, frozen=True):
    """From one note to a later one.

    Attributes:
        old: size in the note before; 0: the first.
        path: consistency proof from that size (RFC 6962 section 2.1.2).
    """

    old: int
    path: list[bytes]
    note: bytes


def newest_note(store: Store) -> bytes:
    """The last signed note; empty: unsigned."""
    keys = store.key_notes()
    if not keys:
        return b""
    epoch, statement = keys[-1]
    last = store.last_checkpoint()
    return last[1] if last is not None and read_statement(Note(last[1])).epoch == epoch else statement


def holds(store: Store, note: bytes) -> bool:
    """True if a note with this text is stored; a copy may have other signature lines."""
    held = Note(note)
    said = read_statement(held)
    if isinstance(said, Takeover):
        stored = next((own for epoch, own in store.key_notes() if epoch == said.epoch), None)
    else:
        stored = store.checkpoint_note(said.number)
    return stored is not None and Note(stored).text == held.text


def steps_after(store: Store, held: bytes | None) -> list[ConsistencyStep]:
    """Steps from a note to the newest, at most `STEPS`; ``held`` ``None``: from the beginning."""
    before = None if held is None else read_statement(Note(held))
    notes = [note for epoch, note in store.key_notes() if before is None or epoch > before.epoch]
    newest = newest_note(store)
    if newest not in notes[-1:] and (held is None or Note(newest).text != Note(held).text):
        notes.append(newest)
    tree = stored_tree(store)
    steps, old = [], 0 if before is None else before.size
    for note in notes[:STEPS]:
        size = read_statement(Note(note)).size
        steps.append(ConsistencyStep(old, tree.consistency(old, size) if old else [], note))
        old = size
    return steps

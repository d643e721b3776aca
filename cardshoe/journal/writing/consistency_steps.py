"""The data for a follower that checks the journal's growth.

Every statement of a key, but only the newest checkpoint: it covers those before it.
"""

from typing import Final

import msgspec

from cardshoe.journal.file.store import Store, stored_tree
from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.statements import Takeover, read_statement

STEPS: Final = 32
"""Steps that are made at once: about 10 ms of the table's thread."""


class ConsistencyStep(msgspec.Struct, frozen=True):
    """From one note of a journal to a later one.

    Attributes:
        old: the size in the note before, 0 for the first.
        path: the proof that the tree of that size is the beginning of the later one (RFC 6962 section 2.1.2).
    """

    old: int
    path: list[bytes]
    note: bytes


def newest_note(store: Store) -> bytes:
    """The note that was signed last; empty for an unsigned journal."""
    keys = store.key_notes()
    if not keys:
        return b""
    epoch, statement = keys[-1]
    last = store.last_checkpoint()
    return last[1] if last is not None and read_statement(Note(last[1])).epoch == epoch else statement


def holds(store: Store, note: bytes) -> bool:
    """True if a note is stored, by its text.

    By text, because a follower's copy may have other signature lines.

    Raises:
        BadNote: it is malformed.
    """
    held = Note(note)
    said = read_statement(held)
    if isinstance(said, Takeover):
        stored = next((own for epoch, own in store.key_notes() if epoch == said.epoch), None)
    else:
        stored = store.checkpoint_note(said.number)
    return stored is not None and Note(stored).text == held.text


def steps_after(store: Store, held: bytes | None) -> list[ConsistencyStep]:
    """The way from a note to the newest, `STEPS` of it at most.

    Args:
        held: a note that it holds; ``None``: from the beginning.

    Raises:
        JournalBroken: a row is missing.
        BadNote: a stored note is malformed.
    """
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

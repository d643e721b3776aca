"""Verifying the proof of an entry or of a round, without the journal (docs/journal.md, "Proving one entry")."""

import itertools
import json
from collections.abc import Sequence
from typing import Any, NoReturn

import msgspec

from cardshoe.journal.file.chain import OF_EVENT
from cardshoe.journal.file.header import Header, decode_header
from cardshoe.journal.file.line import BadLine, read_object
from cardshoe.journal.file.witness_file import NoteSource
from cardshoe.journal.proof.entry_proof import FORM, EntryProof, ProvedEntry, Unproved
from cardshoe.journal.proof.note import BadNote, Note, VerifyKey
from cardshoe.journal.proof.signatures import SignatureBroken, Signatures
from cardshoe.journal.proof.statements import Checkpoint, Takeover
from cardshoe.journal.proof.tree import includes, leaf_hash


def check_proof(data: bytes, first_key: str | None = None, witness: NoteSource | None = None) -> EntryProof:
    """Verify a proof: its keys, the signature over its tree, its entries, and that a round is whole.

    Args:
        data: the file.
        first_key: the journal's first key as text, if it is known from elsewhere.
        witness: what must hold the note that proves the entries.

    Returns:
        What is proved.

    Raises:
        Unproved: it does not hold.
        WitnessFailed: the witness cannot be read.
    """
    proof = _read(data)
    try:
        header = decode_header(proof.header.encode())
        if first_key is not None and header.key != first_key:
            _fail(f"the first key is {header.key or 'missing'!r}, not {first_key}")
        note, said, begins = _signed(header, proof)
    except (BadNote, SignatureBroken, ValueError, RecursionError, msgspec.DecodeError) as error:
        raise Unproved(f"its header or signatures do not hold: {error}") from error
    for one in (*proof.before, *proof.entries):
        path = _hashes(one)
        inside = begins <= one.seq < said.size
        if not inside or not includes(one.seq, said.size, leaf_hash(one.line.encode()), path, said.root):
            _fail(f"entry {one.seq} is not among those from {begins} on that its key has signed")
    _check_span(proof, begins)
    if witness is not None and note.text not in {Note(held).text for held in witness.read(header.origin)}:
        _fail("the witness does not hold the note that proves the entries")
    return proof


def _fail(reason: str) -> NoReturn:
    raise Unproved(reason)


def _once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(said := dict(members)) < len(members):
        raise ValueError("a member stands twice")
    return said


def _read(data: bytes) -> EntryProof:
    try:
        json.loads(data, object_pairs_hook=_once)  # of a member that stands twice, each reader takes another one
        proof = msgspec.json.decode(data, type=EntryProof)
    except (ValueError, RecursionError, msgspec.DecodeError) as error:
        raise Unproved(f"not a proof of entries of a journal: {error}") from error
    if proof.proof != FORM or not proof.entries:
        _fail(f"not a proof of entries of a journal in the form {FORM}, or of none")
    return proof


def _signed(header: Header, proof: EntryProof) -> tuple[Note, Checkpoint | Takeover, int]:
    """The note that signs the tree, what it says, and the first entry that its key may prove."""
    keys = [(number, note.encode()) for number, note in enumerate(proof.keys)]
    signatures = Signatures(header.origin, VerifyKey.parse(header.key), keys, [])
    takeovers = signatures.takeovers
    if (takeovers[0].size, takeovers[0].root) != (1, leaf_hash(proof.header.encode())):
        _fail("the statement of key 0 was signed for another header")
    if proof.checkpoint:
        note = Note(proof.checkpoint.encode())
        checkpoint = signatures.read_one(proof.checkpoint.encode())
        return note, checkpoint, takeovers[checkpoint.epoch].size
    # The last statement takes the place of a checkpoint: it proves the shoe game of the key before.
    return Note(keys[-1][1]), takeovers[-1], takeovers[max(0, len(takeovers) - 2)].size


def _hashes(one: ProvedEntry) -> Sequence[bytes]:
    try:
        path = [bytes.fromhex(node) for node in one.path]
    except ValueError as error:
        raise Unproved(f"entry {one.seq}: its path is not hexadecimal") from error
    if [node.hex() for node in path] != one.path:
        _fail(f"entry {one.seq}: its path is not in small hexadecimal digits")
    return path


def _check_span(proof: EntryProof, begins: int) -> None:
    """See that the entries are all lines of the round that is named, in order, or one entry alone."""
    first, last = proof.entries[0], proof.entries[-1]
    seqs = [one.seq for one in (*proof.before, *proof.entries)]
    if any(after != before + 1 for before, after in itertools.pairwise(seqs)):
        _fail("its entries do not follow each other")
    if proof.round is None:
        if len(seqs) > 1:
            _fail("more than one entry, and it names no round")
        return
    start, *own = [_said(one) for one in proof.before] or [{}]
    if proof.before:
        shows = start.get("event") == "next" and all(one.get("event") in OF_EVENT for one in own)
    else:
        shows = first.seq == begins
    if not shows:
        _fail(f"it does not show what came before round {proof.round}")
    if _said(first).get("round") != proof.round or start.get("round") == proof.round:
        _fail(f"entry {first.seq} is not the first line of round {proof.round}")
    end = _said(last)
    if end.get("event") != "next" or end.get("round") == proof.round:
        _fail(f"entry {last.seq} is not the last line of round {proof.round}")


def _said(one: ProvedEntry) -> dict[str, Any]:
    try:
        return read_object(one.line.encode())
    except BadLine as error:
        raise Unproved(f"entry {one.seq}: {error}") from error

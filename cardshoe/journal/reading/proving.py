"""Make and verify proofs of entries and rounds (docs/journal.md)."""

import json
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import msgspec

from cardshoe.journal.file.chain import Chain, Entry, OutOfOrder, data_of
from cardshoe.journal.file.header import Header, decode_header
from cardshoe.journal.file.line import NonCanonicalLine, read_object
from cardshoe.journal.file.passed_over import EVENT as PASSED_OVER
from cardshoe.journal.file.witness_file import NoteSource
from cardshoe.journal.proof.entry_proof import FORM, EntryProof, ProvedEntry, Unproved, covering
from cardshoe.journal.proof.note import BadNote, Note, VerifyKey
from cardshoe.journal.proof.signatures import Numbered, SignatureBroken, Signatures
from cardshoe.journal.proof.statements import Checkpoint, Takeover
from cardshoe.journal.proof.tree import Frontier, includes, leaf_hash


def assembled(
    first: int,
    last: int,
    round_no: int | None,
    *,
    header: bytes,
    keys: Sequence[bytes],
    checkpoints: Callable[[int, int], Sequence[Numbered]],
    entry: Callable[[int], Entry],
    inclusion: Callable[[int, int], Sequence[bytes]],
) -> EntryProof:
    """Make the proof of an entry, or of all entries of a round with the entry before.

    Raises:
        Unproved: no single signature of their own key covers them.
    """
    takeovers = [Takeover.read(Note(note)) for note in keys]
    own = max((one for one in takeovers if one.size <= first), key=lambda one: one.epoch)
    notes = dict(checkpoints(own.epoch, last))
    said = covering(first, last, takeovers, notes.items())
    if round_no is not None and first > own.size:
        first -= 1 + (first - 1 > own.size and entry(first - 1).passes_over)
    return EntryProof(
        proof=FORM,
        header=header.decode(),
        keys=[note.decode() for note in keys[: said.epoch + 1]],
        checkpoint=notes[said.number].decode() if isinstance(said, Checkpoint) else "",
        round=round_no,
        entries=[
            ProvedEntry(
                entry=number,
                lines=[line.decode() for line in entry(number).lines],
                path=[node.hex() for node in inclusion(number, said.size)],
            )
            for number in range(first, last + 1)
        ],
    )


def check_proof(data: bytes, first_key: str | None = None, witness: NoteSource | None = None) -> EntryProof:
    """Verify a proof: keys, signature, entries, and completeness of a round.

    Args:
        witness: must hold the proving note.
        first_key: of the journal; default: trust the proof's.

    Raises:
        Unproved: the proof is invalid.
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
    for one in proof.entries:
        leaf, path = leaf_hash(data_of(line.encode() for line in one.lines)), _hashes(one)
        if not begins <= one.entry < said.size or not includes(one.entry, said.size, leaf, path, said.root):
            _fail(f"entry {one.entry} is not among those from {begins} on that its key has signed")
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
    keys = [(number, note.encode()) for number, note in enumerate(proof.keys)]
    signatures = Signatures(header.origin, VerifyKey.parse(header.key), keys, [], before=header.key_before)
    takeovers = signatures.takeovers
    if (takeovers[0].size, takeovers[0].root) != (1, leaf_hash(data_of([proof.header.encode()]))):
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
        raise Unproved(f"entry {one.entry}: its path is not hexadecimal") from error
    if [node.hex() for node in path] != one.path:
        _fail(f"entry {one.entry}: its path is not in small hexadecimal digits")
    return path


def _check_span(proof: EntryProof, begins: int) -> None:
    entries, number = proof.entries, proof.round
    first = entries[0].entry
    if [one.entry for one in entries] != list(range(first, first + len(entries))):
        _fail("its entries do not follow each other")
    _check_lines(entries)
    if number is None:
        if len(entries) > 1:
            _fail("more than one entry, and it names no round")
        return
    asked = [_said(one, 0) for one in entries]
    start = next((at for at, said in enumerate(asked) if _is_of(said, number)), None)
    if start is None:
        _fail(f"it holds no entry of round {number}")
    before, own = asked[:1] if start else [], asked[1:start]
    if first != begins if not before else before[0]["event"] == PASSED_OVER or _is_of(_said(entries[0], -1), number):
        _fail(f"it does not show what came before round {number}")
    if any(one["event"] != PASSED_OVER for one in own):
        _fail(f"it shows more than what came before round {number}")
    if not _is_of(asked[-1], number) or _is_of(_said(entries[-1], -1), number):
        _fail(f"entry {entries[-1].entry} is not the last one of round {number}")


def _check_lines(entries: Sequence[ProvedEntry]) -> None:
    """Check that lines are canonical: readers could differ on another form."""
    first = entries[0].entry
    seq = _said(entries[0], 0).get("seq")
    # Their places in the tree are proved already: of its edge the number of entries is wanted alone.
    edge = Frontier(first, [b""] * first.bit_count())
    chain = Chain(edge, seq - 1 if type(seq) is int else 0, None)
    try:
        for one in entries:
            chain.add(data_of(line.encode() for line in one.lines))
    except OutOfOrder as error:
        raise Unproved(f"entry {error.number}: {error.reason}") from error


def _is_of(said: dict[str, Any], number: int) -> bool:
    """Excludes ``true`` and ``1.0``, which equal 1 in Python."""
    found = said.get("round")
    return type(found) is int and found == number


def _said(one: ProvedEntry, line: int) -> dict[str, Any]:
    try:
        return read_object(one.lines[line].encode())
    except (NonCanonicalLine, IndexError) as error:
        raise Unproved(f"entry {one.entry}: {error}") from error

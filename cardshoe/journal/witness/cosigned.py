"""Cosignatures of witnesses, kept beside the journal.

``NAME.journal-cosigned-ID``, JSON. Evidence if the witness is lost; absence proves nothing.
"""

import glob
import hashlib
import logging
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from cardshoe.journal import Evidence, JournalBroken, WitnessFailed
from cardshoe.journal.proof.cosignature import CosignatureKey
from cardshoe.journal.proof.note import BadNote, Note
from cardshoe.journal.proof.statements import read_statement
from cardshoe.process.plain_file import read_plain

logger: Final = logging.getLogger(__name__)

REMEDY: Final = (
    "Somebody has altered it, or the disk is failing. Keep a copy as evidence, and move it out of the folder."
)


class Cosigned(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    witness: str
    key: str
    note: str


class CosignatureProof(msgspec.Struct, frozen=True, kw_only=True):
    """A verified cosignature.

    Attributes:
        at_s: POSIX seconds.
        pinned: by a given key; ``None``: no keys given.
    """

    witness: str
    key: str
    entry: int
    at_s: int
    pinned: bool | None


def store_cosigned(journal: Path, cosigned: Cosigned) -> None:
    """Replace the stored cosignature; a failure is only a warning."""
    target = _file(journal, cosigned.witness)
    try:
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        passing = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                os.fchmod(descriptor, 0o640)
                file.write(msgspec.json.encode(cosigned) + b"\n")
                file.flush()
                os.fsync(descriptor)  # after a power cut the old one or the new one, and no empty one
            passing.replace(target)
        except BaseException:
            passing.unlink(missing_ok=True)
            raise
    except OSError as error:
        logger.warning("%s: what the witness cosigned cannot be kept: %s", target, error.strerror or error)


def is_cosigned(journal: Path, witness: str, note: bytes, pinned: CosignatureKey | None) -> bool:
    try:
        cosigned = _read(_file(journal, witness))
        return (
            cosigned is not None
            and Note(cosigned.note.encode()).text == Note(note).text
            and pinned in {None, CosignatureKey.parse(cosigned.key)}
        )
    except (WitnessFailed, BadNote):
        return False


def cosigned_of(journal: Path, evidence: Evidence, known: Sequence[CosignatureKey]) -> list[CosignatureProof]:
    """The cosignatures of a verified journal.

    Raises:
        WitnessFailed: a file is unreadable, or not signed by a witness.
        JournalBroken: a witness cosigned entries that the journal lacks.
    """
    files = sorted(journal.parent.glob(f"{glob.escape(journal.name)}-cosigned-*"))
    stored = {Note(note).text for note in evidence.notes()} if files else set()
    found = []
    for file in files:
        cosigned = _read(file)
        if cosigned is None:
            continue
        try:
            key = CosignatureKey.parse(cosigned.key)
            note = Note(cosigned.note.encode())
            at_s, said = key.signed_at(note), read_statement(note)
        except BadNote as error:
            raise WitnessFailed(
                file, f"is kept with a cosignature that does not hold: {error.reason}", REMEDY
            ) from error
        if said.origin != evidence.header.origin:
            raise WitnessFailed(file, "signed another journal than this", REMEDY)
        if note.text not in stored:
            raise JournalBroken(
                journal,
                None,
                f"the witness {cosigned.witness} has cosigned a signature over entries up to {said.size - 1} that the "
                f"journal lacks ({file.name}): the journal was cut off, or is an old copy",
            )
        is_known = key in known if known else None
        found.append(
            CosignatureProof(witness=cosigned.witness, key=str(key), entry=said.size - 1, at_s=at_s, pinned=is_known)
        )
    return found


def _file(journal: Path, witness: str) -> Path:
    return journal.with_name(f"{journal.name}-cosigned-{hashlib.sha256(witness.encode()).hexdigest()[:8]}")


def _read(file: Path) -> Cosigned | None:
    try:
        return msgspec.json.decode(read_plain(file), type=Cosigned)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise WitnessFailed(
            file, f"is here with a file that cannot be read: {error.strerror or error}", REMEDY
        ) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise WitnessFailed(file, f"is kept with a cosignature that does not hold: {error}", REMEDY) from error

"""Cosignatures of witnesses (c2sp.org/tlog-cosignature, with Ed25519)."""

from typing import ClassVar, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cardshoe.journal.proof.note import Note, VerifyKey, signature_line

COSIGNATURE: Final = b"\x04"

TIME_BYTES: Final = 8


class CosignatureKey(VerifyKey):
    kind: ClassVar[bytes] = COSIGNATURE

    def accepts(self, text: bytes, signature: bytes) -> bool:
        at_s = int.from_bytes(signature[:TIME_BYTES])
        return super().accepts(_message(text, at_s), signature[TIME_BYTES:])

    def signed_at(self, note: Note) -> int:
        """POSIX seconds of the witness's signature."""
        return int.from_bytes(note.signature_of(self)[:TIME_BYTES])


class Cosigner:
    def __init__(self, name: str, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = CosignatureKey(name, private.public_key().public_bytes_raw())

    def line(self, text: str, at_s: int) -> str:
        """The signature line under a text; ``at_s``: POSIX seconds, from 0."""
        signature = at_s.to_bytes(TIME_BYTES) + self._private.sign(_message(text.encode(), at_s))
        return signature_line(self.public, signature)


def _message(text: bytes, at_s: int) -> bytes:
    return f"cosignature/v1\ntime {at_s}\n".encode() + text

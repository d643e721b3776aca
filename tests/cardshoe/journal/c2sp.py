"""Notes, checkpoints and cosignatures as signed-note, tlog-checkpoint and tlog-cosignature of c2sp.org define them."""

import base64
import hashlib
import struct

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def key_id(name: str, public: bytes) -> int:
    """``SHA-256(key name || 0x0A || 0x01 || 32-byte Ed25519 public key)[:4]``, big-endian."""
    number: int = struct.unpack(">I", hashlib.sha256(name.encode() + b"\x0a\x01" + public).digest()[:4])[0]
    return number


def verified_text(note: bytes, known: dict[str, list[bytes]]) -> tuple[str, set[bytes]]:
    """The text of a note and the known keys that signed it; signatures of unknown keys are ignored.

    Args:
        note: the bytes.

    Raises:
        ValueError: it is no note, a signature of a known key does not verify, or no known key signed it.
    """
    text, signatures = parts(note)
    signers: set[bytes] = set()
    for name, signature in signatures:
        for public in known.get(name, []):
            if struct.unpack(">I", signature[:4])[0] != key_id(name, public):
                continue
            try:
                Ed25519PublicKey.from_public_bytes(public).verify(signature[4:], text.encode())
            except InvalidSignature as error:
                raise ValueError("a signature that does not verify") from error
            signers.add(public)
    if not signers:
        raise ValueError("no known key signed it")
    return text, signers


def parts(note: bytes) -> tuple[str, list[tuple[str, bytes]]]:
    """The text, and the names and bytes of the signatures.

    Raises:
        ValueError: it is no note.
    """
    whole = note.decode("utf-8")
    if any(ord(c) < 0x20 and c != "\n" for c in whole):
        raise ValueError("a control character")
    # "the text is separated from the signatures by the last empty line in the note"
    at = whole.rfind("\n\n")
    if at < 0 or not whole.endswith("\n"):
        raise ValueError("no note")
    signatures = []
    for line in whole[at + 2 :].split("\n")[:-1]:
        dash, name, encoded = line.split(" ")
        if dash != "\u2014" or not name or "+" in name:
            raise ValueError("no signature line")
        signatures.append((name, base64.b64decode(encoded, validate=True)))
    return whole[: at + 1], signatures


def checkpoint(text: str) -> tuple[str, int, bytes, list[str]]:
    """Origin, size, root and extension lines of a checkpoint's text.

    Raises:
        ValueError: it is none.
    """
    if not text.endswith("\n"):
        raise ValueError("no line's end")
    origin, size, root, *extensions = text[:-1].split("\n")
    if not origin or "" in extensions or (size != "0" and size.startswith("0")) or not size.isascii():
        raise ValueError("no checkpoint")
    return origin, int(size), base64.b64decode(root, validate=True), extensions


def cosigned_at(note: bytes, line: bytes, key: str, public: str) -> int:
    """When a witness cosigned a note, by the signature line that it answered.

    Args:
        public: the rest of its key: base64 of the type and 32 bytes.

    Raises:
        ValueError: it did not.
    """
    raw = base64.b64decode(public, validate=True)
    name, _, number = key.rpartition("+")
    if raw[:1] != b"\x04" or hashlib.sha256(name.encode() + b"\n" + raw).digest()[:4].hex() != number:
        raise ValueError("no key of a cosigner")
    text, _ = parts(note)
    dash, who, encoded = line.decode().removesuffix("\n").split(" ")
    signature = base64.b64decode(encoded, validate=True)
    if (dash, who, signature[:4].hex(), len(signature)) != ("\u2014", name, number, 4 + 8 + 64):
        raise ValueError("no cosignature of this witness")
    (at,) = struct.unpack(">Q", signature[4:12])
    try:
        message = f"cosignature/v1\ntime {at}\n{text}".encode()
        Ed25519PublicKey.from_public_bytes(raw[1:]).verify(signature[12:], message)
    except InvalidSignature as error:
        raise ValueError("a cosignature that does not verify") from error
    return int(at)

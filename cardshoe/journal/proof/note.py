"""Signed notes (c2sp.org/signed-note) with Ed25519 keys."""

import base64
import binascii
import hashlib
import re
from typing import ClassVar, Final, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ED25519: Final = b"\x01"

DASH: Final = "\u2014"
KEY_ID_BYTES: Final = 4
SIGNATURE_BYTES: Final = 64
MAX_SIGNATURES: Final = 16
_CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f]")  # all of them but the line's end


class BadNote(Exception):
    """A note that is malformed, or not signed by a key."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class VerifyKey:
    """A name and a public key.

    Attributes:
        name: without spaces and plus signs.
        raw: 32 bytes.

    Raises:
        BadNote: invalid name or key.
    """

    kind: ClassVar[bytes] = ED25519

    def __init__(self, name: str, raw: bytes) -> None:
        if not name or "+" in name or any(c.isspace() for c in name):
            raise BadNote(f"{name!r} cannot be the name of a key")
        try:
            self._key = Ed25519PublicKey.from_public_bytes(raw)
        except ValueError as error:
            raise BadNote(f"not an Ed25519 key: {error}") from error
        self.name = name
        self.raw = raw
        self.key_id = hashlib.sha256(name.encode() + b"\n" + self.kind + raw).digest()[:KEY_ID_BYTES]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse ``NAME+ID+KEY``."""
        name, _, rest = text.partition("+")
        key_id, _, encoded = rest.partition("+")
        raw = unbase64(encoded)
        if raw[:1] != cls.kind:
            raise BadNote(f"not an Ed25519 key of this kind: {text!r}")
        key = cls(name, raw[1:])
        if key.key_id.hex() != key_id:
            raise BadNote(f"the key id does not belong to the key: {text!r}")
        return key

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{base64.b64encode(self.kind + self.raw).decode()}"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash((self.name, self.raw))

    def accepts(self, text: bytes, signature: bytes) -> bool:
        """True if the key signed these bytes."""
        try:
            self._key.verify(signature, text)
        except InvalidSignature:
            return False
        return True


def is_key(text: str) -> bool:
    try:
        return bool(VerifyKey.parse(text))
    except BadNote:
        return False


class SigningKey:
    def __init__(self, name: str, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = VerifyKey(name, private.public_key().public_bytes_raw())

    def line(self, text: bytes) -> str:
        """The signature line for a text."""
        return signature_line(self.public, self._private.sign(text))


def signature_line(key: VerifyKey, signature: bytes) -> str:
    return f"{DASH} {key.name} {base64.b64encode(key.key_id + signature).decode()}\n"


def sign(text: str, *keys: SigningKey) -> bytes:
    return (text + "\n" + "".join(key.line(text.encode()) for key in keys)).encode()


class Note:
    """A parsed note; trust its text only after `check`.

    Raises:
        BadNote: not a signed note.
    """

    def __init__(self, data: bytes) -> None:
        try:
            whole = data.decode()
        except UnicodeDecodeError as error:
            raise BadNote("not UTF-8") from error
        text, found, signatures = whole.rpartition("\n\n")
        if not found or not signatures.endswith("\n") or _CONTROL.search(whole):
            raise BadNote("not a signed note")
        lines = signatures[:-1].split("\n")
        if len(lines) > MAX_SIGNATURES:
            raise BadNote(f"more than {MAX_SIGNATURES} signatures")
        self.text = text + "\n"
        self._signatures = [_signature(line) for line in lines]

    @property
    def is_whole(self) -> bool:
        """False if a signature is too short, as after a torn write."""
        return all(len(signature) >= SIGNATURE_BYTES for _, _, signature in self._signatures)

    def check_only(self, *keys: VerifyKey) -> None:
        """Check that exactly these keys signed it, in this order."""
        for key in keys:
            self.check(key)
        if [(name, key_id) for name, key_id, _ in self._signatures] != [(key.name, key.key_id) for key in keys]:
            raise BadNote("signed by other keys than its own")

    @property
    def signers(self) -> list[str]:
        """Names in its signature lines."""
        return [name for name, _, _ in self._signatures]

    def with_only(self, *keys: VerifyKey) -> bytes:
        """The note with one verified signature per key, in order, and no other line."""
        lines = [signature_line(key, self.signature_of(key)) for key in keys]
        return (self.text + "\n" + "".join(lines)).encode()

    def signature_of(self, key: VerifyKey) -> bytes:
        """A key's first signature, verified."""
        self.check(key)
        return next(one for name, key_id, one in self._signatures if (name, key_id) == (key.name, key.key_id))

    def carries(self, key: VerifyKey) -> bool:
        """True if a signature of the key is among the lines."""
        wanted = (key.name, key.key_id)
        return any(one[:2] == wanted and key.accepts(self.text.encode(), one[2]) for one in self._signatures)

    def check(self, key: VerifyKey) -> None:
        """Check that a key signed it."""
        found = [one for name, key_id, one in self._signatures if (name, key_id) == (key.name, key.key_id)]
        if not found:
            raise BadNote(f"not signed by the key {key.key_id.hex()}")
        if not all(key.accepts(self.text.encode(), one) for one in found):
            raise BadNote(f"the signature of the key {key.key_id.hex()} does not hold")


def unbase64(text: str) -> bytes:
    """Decode canonical base64."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadNote(f"not base64: {text!r}") from error
    if base64.b64encode(data).decode() != text:
        raise BadNote(f"not base64 in its canonical form: {text!r}")
    return data


def _signature(line: str) -> tuple[str, bytes, bytes]:
    parts = line.split(" ")
    if len(parts) != 3 or parts[0] != DASH or not parts[1]:  # noqa: PLR2004  # dash, name, signature
        raise BadNote("a malformed signature line")
    data = unbase64(parts[2])
    if len(data) <= KEY_ID_BYTES:
        raise BadNote("a signature that is too short")
    return parts[1], data[:KEY_ID_BYTES], data[KEY_ID_BYTES:]

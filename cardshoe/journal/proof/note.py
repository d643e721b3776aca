"""Signed notes (c2sp.org/signed-note) with Ed25519 keys."""

import base64
import binascii
import hashlib
import re
from typing import ClassVar, Final, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ED25519: Final = b"\x01"
"""The signature type that the specification gives to Ed25519."""

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

    Args:
        name: not empty, without spaces and plus signs.
        raw: the 32 bytes of the public key.

    Attributes:
        key_id: four bytes that stand for name and key in a signature line.

    Raises:
        BadNote: invalid name or key.
    """

    kind: ClassVar[bytes] = ED25519
    """The specification's byte for this type of signature."""

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
        """The key that ``NAME+ID+KEY`` says.

        Raises:
            BadNote: it is malformed.
        """
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
    """True if a text is a key, ``NAME+ID+KEY``."""
    try:
        return bool(VerifyKey.parse(text))
    except BadNote:
        return False


class SigningKey:
    """A name and a private key."""

    def __init__(self, name: str, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = VerifyKey(name, private.public_key().public_bytes_raw())

    def line(self, text: bytes) -> str:
        """The signature line for a text."""
        return signature_line(self.public, self._private.sign(text))


def signature_line(key: VerifyKey, signature: bytes) -> str:
    """The line of a note that carries a key's signature."""
    return f"{DASH} {key.name} {base64.b64encode(key.key_id + signature).decode()}\n"


def sign(text: str, *keys: SigningKey) -> bytes:
    """The note that the keys sign.

    Args:
        keys: at least one.
    """
    return (text + "\n" + "".join(key.line(text.encode()) for key in keys)).encode()


class Note:
    """A note taken apart. Its text says nothing until `check` has found a signature of a key that is trusted.

    Raises:
        BadNote: the bytes are no signed note.
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
        """True if no signature is shorter than its full length, as after a torn write."""
        return all(len(signature) >= SIGNATURE_BYTES for _, _, signature in self._signatures)

    def check_only(self, *keys: VerifyKey) -> None:
        """Check that exactly these keys signed it, in this order.

        Raises:
            BadNote: a signature is missing, invalid, or by another key.
        """
        for key in keys:
            self.check(key)
        if [(name, key_id) for name, key_id, _ in self._signatures] != [(key.name, key.key_id) for key in keys]:
            raise BadNote("signed by other keys than its own")

    @property
    def signers(self) -> list[str]:
        """The names in its signature lines."""
        return [name for name, _, _ in self._signatures]

    def with_only(self, *keys: VerifyKey) -> bytes:
        """The note with one verified signature of each of these keys, in this order, and no other line.

        Who passes a note on may add lines to it, or double one; what is kept must not depend on that.

        Raises:
            BadNote: a key did not sign, or its signature is invalid.
        """
        lines = [signature_line(key, self.signature_of(key)) for key in keys]
        return (self.text + "\n" + "".join(lines)).encode()

    def signature_of(self, key: VerifyKey) -> bytes:
        """Verify and return a key's signature; the first, if there are more.

        Raises:
            BadNote: the key did not sign, or its signature is invalid.
        """
        self.check(key)
        return next(one for name, key_id, one in self._signatures if (name, key_id) == (key.name, key.key_id))

    def carries(self, key: VerifyKey) -> bool:
        """True if a signature of the key is among the lines, whatever else is there."""
        wanted = (key.name, key.key_id)
        return any(one[:2] == wanted and key.accepts(self.text.encode(), one[2]) for one in self._signatures)

    def check(self, key: VerifyKey) -> None:
        """Check that a key signed it.

        Raises:
            BadNote: the key did not sign, or its signature is invalid.
        """
        found = [one for name, key_id, one in self._signatures if (name, key_id) == (key.name, key.key_id)]
        if not found:
            raise BadNote(f"not signed by the key {key.key_id.hex()}")
        if not all(key.accepts(self.text.encode(), one) for one in found):
            raise BadNote(f"the signature of the key {key.key_id.hex()} does not hold")


def unbase64(text: str) -> bytes:
    """Decode standard base64 strictly: one text for each value.

    Raises:
        BadNote: it is no canonical base64.
    """
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

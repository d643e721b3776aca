"""What is pure and takes long, asked once for the same bytes in a process: every answer is the library's own.

Scrypt takes 60 ms and 32 MiB even at the least cost that a key file may have; an Ed25519 signature takes 0.1 ms, and a
journal that is opened after each of a thousand power cuts has the same signatures again.
"""

from functools import cache, lru_cache
from typing import Final, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt


class RememberedScrypt:
    """The library's scrypt, asked once for the same words, salt and cost.

    Args:
        salt: of the key file.
        length: of the key, bytes.
        n: cost.
        r: size of a block.
        p: blocks.
    """

    def __init__(self, *, salt: bytes, length: int, n: int, r: int, p: int) -> None:
        self._cost: Final = (salt, length, n, r, p)

    def derive(self, words: bytes) -> bytes:
        """The key that the words become."""
        return _derived(words, *self._cost)


@cache
def _derived(words: bytes, salt: bytes, length: int, n: int, r: int, p: int) -> bytes:
    return Scrypt(salt=salt, length=length, n=n, r=r, p=p).derive(words)


class RememberedEd25519:
    """The library's public key, asked once whether it accepts a signature.

    Args:
        raw: the 32 bytes of the key.

    Raises:
        ValueError: it is no key.
    """

    def __init__(self, raw: bytes) -> None:
        self._raw: Final = raw
        Ed25519PublicKey.from_public_bytes(raw)

    @classmethod
    def from_public_bytes(cls, raw: bytes) -> Self:
        """The key of these bytes."""
        return cls(raw)

    def verify(self, signature: bytes, text: bytes) -> None:
        """As the library's.

        Raises:
            InvalidSignature: it does not accept it.
        """
        if not _accepted(self._raw, signature, text):
            raise InvalidSignature


@lru_cache(maxsize=4096)
def _accepted(raw: bytes, signature: bytes, text: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(raw).verify(signature, text)
    except InvalidSignature:
        return False
    return True

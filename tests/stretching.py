"""The same words stretched once: scrypt takes 60 ms and 32 MiB even at the least cost that a key file may have."""

from functools import cache
from typing import Final

from cryptography.hazmat.primitives.kdf.scrypt import Scrypt


class RememberedScrypt:
    """The library's scrypt, asked once in a process for the same words, salt and cost: every answer is its own.

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

"""Rules for PINs, and their hashes."""

import base64
import re
import secrets
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from argon2.low_level import ARGON2_VERSION

DIGITS: Final = re.compile(r"[0-9]{6,12}")
_RUN: Final = "01234567890123456789"


def fault_of_pin(pin: str) -> str | None:
    """Why a PIN is rejected; ``None``: accepted."""
    if DIGITS.fullmatch(pin) is None:
        return "a PIN must have 6 to 12 digits"
    period = next(length for length in range(1, len(pin) + 1) if pin == (pin[:length] * len(pin))[: len(pin)])
    if period <= len(pin) // 2 or pin in _RUN or pin[::-1] in _RUN:
        return "this PIN is easy to guess: it repeats itself, or counts up or down"
    return None


class Pins:
    """Hashes by argon2id: slow (0.1 s) and memory-hard on purpose."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher: Final = hasher or PasswordHasher()
        self._decoy: Final = _decoy_hash(self._hasher)

    def hashed(self, pin: str) -> str:
        """The stored hash of a PIN."""
        return self._hasher.hash(pin)

    def fits(self, kept: str | None, pin: str) -> bool:
        """True if the PIN matches; takes as long for an unknown person (``None``).

        Raises:
            VerificationError: not compared, such as for lack of memory.
        """
        try:
            self._hasher.verify(kept or self._decoy, pin)
        except (VerifyMismatchError, InvalidHashError):
            return False
        return kept is not None


def _decoy_hash(hasher: PasswordHasher) -> str:
    # As slow to compare with as a real one, and nothing to wait for at the start of each table.
    salt, value = (
        base64.b64encode(secrets.token_bytes(length)).rstrip(b"=").decode()
        for length in (hasher.salt_len, hasher.hash_len)
    )
    parameters = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2{hasher.type.name.lower()}$v={ARGON2_VERSION}${parameters}${salt}${value}"

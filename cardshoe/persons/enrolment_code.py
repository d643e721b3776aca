"""The one-time code that adds the first supervisor."""

import contextlib
import hashlib
import hmac
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Final

LIVES_S: Final = 600.0
_SIGNS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_LENGTH: Final = 10
"""Fifty bits: with lock-out, guessing them is not feasible."""


class EnrolmentCode:
    """A code, valid once and briefly; ``now_s``: a monotonic clock, in seconds."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s: Final = now_s
        self._hash = b""
        self._ends_s = 0.0
        self._file: Path | None = None

    def make(self) -> str:
        """A fresh code; invalidates the one before."""
        code = "".join(secrets.choice(_SIGNS) for _ in range(_LENGTH))
        self._hash, self._ends_s = _hashed(code), self._now_s() + LIVES_S
        return code

    def write(self, path: Path) -> None:
        """Write a fresh code to a file of mode 0600."""
        path.unlink(missing_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        self._file = path
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"{self.make()}\n")

    def fits(self, code: str) -> bool:
        """True if the code is right and valid."""
        is_same = hmac.compare_digest(self._hash, _hashed(code.strip().upper()))
        return is_same and self._now_s() < self._ends_s

    def spend(self) -> None:
        """Invalidate it and delete its file."""
        self._ends_s = 0.0
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.unlink(missing_ok=True)


def _hashed(code: str) -> bytes:
    return hashlib.sha256(code.encode("utf-8", "surrogatepass")).digest()

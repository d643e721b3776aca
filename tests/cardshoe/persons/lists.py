"""Lists of persons as a floor signs them, made by hand, so that a test may sign what no floor does."""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cardshoe.journal.proof.note import SigningKey
from cardshoe.persons.signed_list import KEY_NAME, ListEntry, SignedList
from regulations.events.vocabulary import Role
from tests.cardshoe.persons.support import CHEAP, PINS, ROLES

AT: Final = "2026-11-24T06:00:00.000000Z"
UNTIL: Final = "2026-12-08T06:00:00.000000Z"
TABLE: Final = "T-1"
_HASHES: Final[dict[str, str]] = {}


class Wall:
    """A wall clock that a test sets, in seconds after `AT`."""

    def __init__(self) -> None:
        self.s = 0.0

    def __call__(self) -> str:
        return f"{datetime.fromisoformat(AT).astimezone(UTC) + timedelta(seconds=self.s):%Y-%m-%dT%H:%M:%S.%fZ}"


class Signer:
    """Whoever has a key that signs lists.

    Args:
        seed: of the key, one byte.
    """

    def __init__(self, seed: int = 1) -> None:
        private = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
        name = f"{KEY_NAME}/{private.public_key().public_bytes_raw().hex()[:16]}"
        self.key: Final = SigningKey(name, private)

    def issue(
        self,
        version: int = 1,
        *,
        issued: str = AT,
        until: str = UNTIL,
        table: str | None = TABLE,
        persons: Mapping[str, Role] = ROLES,
        disabled: Collection[str] = (),
    ) -> bytes:
        """A signed list of persons with their PINs."""
        entries = [
            ListEntry(id=one, role=role, disabled=True)
            if one in disabled
            else ListEntry(id=one, role=role, pin=hashed(one))
            for one, role in sorted(persons.items())
        ]
        said = SignedList(table=table, version=version, issued=issued, until=until, entries=entries)
        return said.signed(self.key)


def hashed(person: str) -> str:
    return _HASHES.setdefault(person, CHEAP.hashed(PINS[person]))


def put(path: Path, data: bytes) -> None:
    """Puts a list where an uplink does."""
    passing = path.with_name("passing")
    passing.touch(0o600)
    passing.write_bytes(data)
    passing.replace(path)

"""A site's registry: signed lines, each bound to the one before.

A cut end is not visible in the file: readers store its head and pass it to the next reading.
"""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec
from cryptography import x509

from firmware_bridge.trust import files
from firmware_bridge.trust.acts import RegistryAct, RegistryRecord, decode, encode, to_be_signed
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import RegistryDamaged, TrustError
from firmware_bridge.trust.facts import RegistryHead
from firmware_bridge.trust.keys import NamedKey, sign, to_text
from firmware_bridge.trust.registry_rules import RegistryState
from firmware_bridge.trust.times import format_time

FILE: Final = "registry.jsonl"
_BYTES_MAX: Final = 64 << 20
"""Some 60 000 lines, more devices than a city of casinos has."""


class Registry:
    def __init__(self, authority: x509.Certificate, lines: Sequence[bytes] = ()) -> None:
        """``lines`` without their ends.

        Raises:
            RegistryDamaged: an invalid line, which the error names.
        """
        self.book: Final = RegistryState(authority)
        self.lines: Final[list[bytes]] = []
        for number, data in enumerate(lines, start=1):
            try:
                self._append(data)
            except TrustError as error:
                text = f"line {number}: {error.what}"
                raise RegistryDamaged(TrustCode.REGISTRY_ALTERED, text, number) from error
            except (ValueError, msgspec.MsgspecError) as error:
                text = f"line {number} is no line of a registry: {error}"
                raise RegistryDamaged(TrustCode.REGISTRY_ALTERED, text, number) from error

    @classmethod
    def read(cls, folder: Path, authority: x509.Certificate, seen: RegistryHead | None = None) -> "Registry":
        """``seen``: its head at the last reading; ``None``: its end is taken as it is.

        Raises:
            KeyRefused: the file cannot be read.
            RegistryDamaged: an invalid line, or one up to ``seen`` is missing.
        """
        data = files.read(folder / FILE, _BYTES_MAX)
        lines = data.split(b"\n")
        if lines.pop() or not lines:
            raise RegistryDamaged(TrustCode.REGISTRY_ALTERED, "its last line has no end", len(lines) + 1)
        registry = cls(authority, lines)
        if seen is not None:
            registry.must_contain(seen)
        return registry

    @property
    def head(self) -> RegistryHead:
        """Its last line."""
        return RegistryHead(len(self.lines), self.book.head)

    def must_contain(self, seen: RegistryHead) -> None:
        held = self.lines[seen.seq - 1] if 0 < seen.seq <= len(self.lines) else b""
        if hashlib.sha256(held).hexdigest() != seen.digest:
            raise RegistryDamaged(
                TrustCode.REGISTRY_WENT_BACK,
                f"line {seen.seq} is missing, or not the one that was seen before",
                seen.seq,
            )

    def signed(self, act: RegistryAct, by: NamedKey, now: datetime) -> bytes:
        """The next line, signed; nothing is changed."""
        seq, previous = len(self.lines) + 1, self.book.head
        line = RegistryRecord(seq=seq, at=format_time(now), by=by.name, act=act, previous=previous)
        return encode(msgspec.structs.replace(line, signature=to_text(sign(by.private, to_be_signed(line)))))

    def add(self, act: RegistryAct, by: NamedKey, now: datetime) -> RegistryRecord:
        """Append in memory.

        Raises:
            ActRefused: a rule forbids it; nothing is changed.
            KeyRefused: an invalid key or certificate in it.
        """
        return self._append(self.signed(act, by, now))

    def write(self, folder: Path) -> None:
        files.replace(folder / FILE, b"".join(line + b"\n" for line in self.lines), files.PUBLIC)

    def _append(self, data: bytes) -> RegistryRecord:
        line = decode(data)
        self.book.apply(line, hashlib.sha256(data).hexdigest())
        self.lines.append(data)
        return line

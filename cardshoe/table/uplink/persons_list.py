"""Fetch the floor's staff list."""

import hashlib
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

from cardshoe.journal.proof.note import BadNote, VerifyKey
from cardshoe.persons.files import write_whole
from cardshoe.persons.signed_list import LIST_BYTES, SignedList
from cardshoe.process.plain_file import read_plain

logger: Final = logging.getLogger(__name__)


class ListKeeper:
    """Keeps the newest list in a file; ``mode`` 0640 if the table has another account."""

    def __init__(self, key: str, path: str, table: str, mode: int = 0o600) -> None:
        self._mode: Final = mode
        self._key: Final = VerifyKey.parse(key)
        self._path: Final = Path(path)
        self._table: Final = table
        self._stamp: tuple[int, ...] | None = None
        self._digest = ""
        self._told = ""
        self._not_taken = ""

    def hear(self, digest: str, fetch: Callable[[bytes], bytes]) -> None:
        """Fetch and store a newer valid list."""
        try:
            self._take(digest, fetch)
        except OSError as error:
            # Lines are delivered all the same; the table says by itself that its list ends.
            why = error.strerror or str(error)
            if why != self._told:
                logger.warning("%s: the floor's list of persons cannot be kept: %s", self._path, why)
            self._told = why
        else:
            self._told = ""

    def _take(self, digest: str, fetch: Callable[[bytes], bytes]) -> None:
        if digest in {"", self._not_taken, self._kept_digest()}:
            return
        before = self._before()
        data = fetch(b"" if before is None else self._kept())
        try:
            issued = SignedList.read(data, self._key, self._table)
        except BadNote as error:
            self._refuse(digest, error.reason)
            return
        if before is not None and not issued.follows(before):
            what = f"list {issued.version} of {issued.issued} is older than the table's, or differs from it"
            self._refuse(digest, what)
            return
        write_whole(self._path, data, self._mode)

    def _kept_digest(self) -> str:
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return ""
        stamp = (found.st_ino, found.st_mtime_ns, found.st_size)
        if stamp != self._stamp:
            self._digest, self._stamp = hashlib.sha256(self._kept()).hexdigest(), stamp
        return self._digest

    def _kept(self) -> bytes:
        return read_plain(self._path, LIST_BYTES)

    def _before(self) -> SignedList | None:
        try:
            return SignedList.read(self._kept(), self._key, self._table)
        except (BadNote, FileNotFoundError):
            return None

    def _refuse(self, digest: str, why: str) -> None:
        self._not_taken = digest
        logger.error("the floor's list of persons was rejected: %s. Tell the supervisor", why)

"""The stick as tuf's client sees it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tuf.api.exceptions import DownloadError, DownloadHTTPError
from tuf.ngclient import FetcherInterface

from drivers.plain_file import open_plain

METADATA: Final = "metadata"
TARGETS: Final = "targets"
_CHUNK_BYTES: Final = 64 << 10
_NOT_FOUND: Final = 404
_VERSION: Final = re.compile(r"^[0-9]+\.")


class FolderFetcher(FetcherInterface):
    def __init__(self, metadata: Path, targets: Path, *, has_plain_names: bool = False) -> None:
        self._folders: Final = {METADATA: metadata, TARGETS: targets}
        self._has_plain_names: Final = has_plain_names
        self.last = ""

    def _fetch(self, url: str) -> Iterator[bytes]:
        self.last = url
        base, _, name = url.partition("/")
        folder = self._folders[base]
        if self._has_plain_names and not name.endswith(".root.json"):  # the client has all roots that there are
            name = _VERSION.sub("", name)
        path = folder / name
        if not path.resolve().is_relative_to(folder.resolve()):
            raise DownloadError(f"{url} leads out of the folder")
        return _chunks(path, url)


def _chunks(path: Path, url: str) -> Iterator[bytes]:
    # It is opened by the first chunk that is asked for: a generator that never began closes nothing.
    try:
        with open_plain(path) as file:
            while chunk := file.read(_CHUNK_BYTES):
                yield chunk
    except FileNotFoundError as error:
        raise DownloadHTTPError(f"{url} is missing", _NOT_FOUND) from error
    except OSError as error:
        raise DownloadError(f"{url}: {error.strerror or error}") from error

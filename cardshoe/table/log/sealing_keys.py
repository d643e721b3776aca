"""The file of a table's sealing keys.

A key per line, ``cardshoe-seal-1 ID BASE64``: the first seals, each opens. Readable by the table's account
alone, or a systemd credential.
"""

import base64
import hashlib
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cardshoe.process.exits import Exit, Stop
from cardshoe.process.plain_file import read_plain
from firmware_bridge.trust.exposure import exposure

KEY_BYTES: Final = 32
MARK: Final = "cardshoe-seal-1"
FILE_NAME: Final = "sealing.key"
"""Default place: beside the journals."""
CREDENTIAL: Final = "cardshoe-sealing-key"
"""The systemd credential (``LoadCredential=``, ``LoadCredentialEncrypted=``)."""
FIRST_LINE: Final = "# Sealing keys of a card table: the first one seals, all of them open. Secret: docs/journal.md.\n"


class SealingKeys:
    """Keys of 32 bytes by id; the first seals."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys: Final = {key_id(key): key for key in keys}
        self.first: Final = next(iter(self._keys), "")

    @property
    def ids(self) -> list[str]:
        """The ids; the first seals."""
        return list(self._keys)

    def get(self, wanted: str) -> bytes | None:
        """A key by its id."""
        return self._keys.get(wanted)


def key_id(key: bytes) -> str:
    return hashlib.sha256(MARK.encode() + b"\n" + key).hexdigest()[:8]


def find_keys(configured: Path | None, folder: Path) -> Path:
    if configured is not None:
        return configured
    credentials = os.environ.get("CREDENTIALS_DIRECTORY")
    if credentials and (given := Path(credentials) / CREDENTIAL).exists():
        return given
    return folder / FILE_NAME


def read_keys(path: Path) -> SealingKeys:
    """The keys of a file; empty without a file.

    Raises:
        Stop: others may read it, or it holds no keys.
    """
    try:
        text = read_plain(path).decode("ascii", "replace")
    except FileNotFoundError:
        return SealingKeys([])
    except OSError as error:
        raise _stop(path, f"cannot be read: {error.strerror}", "Let the user who runs the table read it.") from error
    found = exposure(path)
    if found is not None:
        remedy = f"Run {found.command}. Its readers can open the cards: change the key with `cardshoe key change`."
        raise Stop(found.what, remedy, Exit.USAGE)
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return SealingKeys([_parsed(path, number, line) for number, line in enumerate(lines, start=1)])


class KeysExist(Stop):
    def __init__(self, path: Path) -> None:
        remedy = "Keys are never overwritten: `cardshoe key change`."
        super().__init__(f"{path}: there is a file of that name", remedy, Exit.USAGE)
        self.path = path


def make_keys(path: Path) -> SealingKeys:
    """Create a file with one key, durably.

    Raises:
        Stop: it cannot be written.
        KeysExist: it exists; unchanged.
    """
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}.new")
    try:
        keys = _write(beside, [secrets.token_bytes(KEY_BYTES)])
        # Unlike a renaming, a link never takes the place of another file.
        os.link(beside, path)
        _sync_folder(path.parent)
    except FileExistsError as error:
        raise KeysExist(path) from error
    except OSError as error:
        raise _stop(path, f"cannot be written: {error.strerror}", "Name a file that can be made.") from error
    finally:
        beside.unlink(missing_ok=True)
    return keys


def change_key(path: Path) -> SealingKeys:
    """Add a new key before the others, atomically."""
    held = read_keys(path)
    if not held.ids:
        raise _stop(path, "there is no key to change", "Make one: cardshoe key new FILE")
    keys = [secrets.token_bytes(KEY_BYTES), *(key for one in held.ids if (key := held.get(one)) is not None)]
    beside = path.with_name(f".{path.name}.new")
    beside.unlink(missing_ok=True)
    try:
        changed = _write(beside, keys)
        beside.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise _stop(path, f"cannot be replaced: {error.strerror}", "Nothing was changed.") from error
    finally:
        beside.unlink(missing_ok=True)
    return changed


def _parsed(path: Path, number: int, line: str) -> bytes:
    words = line.split()
    try:
        mark, wanted, coded = words
        key = base64.b64decode(coded, validate=True)
    except ValueError:  # too few words, too many, or no base64
        mark, wanted, key = "", "", b""
    if mark != MARK or len(key) != KEY_BYTES or key_id(key) != wanted:
        raise _stop(
            path, f"key {number} is not valid: expected `{MARK} ID BASE64`", "Put back the file as it was made."
        )
    return key


def _write(path: Path, keys: Sequence[bytes]) -> SealingKeys:
    lines = [f"{MARK} {key_id(key)} {base64.b64encode(key).decode()}\n" for key in keys]
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write("".join([FIRST_LINE, *lines]).encode())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise _stop(path, f"cannot be written: {error.strerror}", "Name a file that can be made.") from error
    return SealingKeys(keys)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _stop(path: Path, what: str, remedy: str) -> Stop:
    return Stop(f"{path}: {what}", remedy, Exit.USAGE)

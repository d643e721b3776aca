"""The form of the entries that a journal makes for itself; no line of the table log has it."""

import re
from collections.abc import Callable
from typing import Final, TypeVar

NUMBER: Final = "([1-9][0-9]{0,17})"
TEXT: Final = r'([^"\\\x00-\x1f\x7f]+)'
HASH: Final = '"([0-9a-f]{64})"'

EntryT = TypeVar("EntryT")


def written(text: str, read: Callable[[bytes], EntryT]) -> bytes:
    """The bytes of an entry, of which there is one form.

    Args:
        text: the entry.
        read: reads it again.

    Raises:
        ValueError: a field cannot be written.
    """
    line = text.encode()
    read(line)
    return line


def fields_of(line: bytes, form: re.Pattern[str]) -> tuple[str, ...]:
    """The fields of a line, in the order of its form.

    Raises:
        ValueError: it has another form.
    """
    found = form.fullmatch(line.decode())
    if found is None:
        raise ValueError("not an entry of this form")
    return found.groups()

"""The survivors that `docs/mutants.md` explains: mutants that no answer of a table can tell from the law."""

import re
from pathlib import Path
from typing import Final

from tests.mutants.finding import REPOSITORY

PAGE: Final = REPOSITORY / "docs" / "mutants.md"
_FILE: Final = re.compile(r"#+ `?(regulations/\S+?\.py)`?")
_ITEM: Final = re.compile(
    r"- `(?P<operator>\w+)` in `(?P<where>[^`]+)`: `(?P<before>.+?)` → `(?P<after>.+?)`: (?P<reason>.+)"
)

Content = tuple[str, str, str, str, str]


def read(page: Path = PAGE) -> dict[Content, str]:
    """The reason of each, by its content.

    Raises:
        ValueError: an item cannot be read.
    """
    found: dict[Content, str] = {}
    file = ""
    for line in page.read_text(encoding="utf-8").splitlines():
        if heading := _FILE.fullmatch(line):
            file = heading[1]
        elif line.startswith("- `") and file:
            item = _ITEM.fullmatch(line)
            if item is None:
                raise ValueError(f"{page.name}: no operator, place, before, after and reason in: {line}")
            found[file, item["operator"], item["where"], item["before"], item["after"]] = item["reason"]
    return found

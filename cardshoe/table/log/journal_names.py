"""Names of a table's journal files."""

import re
from pathlib import Path
from typing import Final

SUFFIX: Final = ".journal"


def journals_of(folder: Path, table_id: str) -> list[Path]:
    """The journals of a table, oldest first."""
    # Not those of a table whose name goes on where this one's ends.
    name = re.compile(rf"{re.escape(stem_of(table_id))}-\d{{8}}T\d{{6}}-\d{{6}}Z{re.escape(SUFFIX)}")
    return sorted(path for path in folder.glob(f"*{SUFFIX}") if name.fullmatch(path.name))


def newest_journal(folder: Path, table_id: str) -> Path | None:
    return next(reversed(journals_of(folder, table_id)), None)


def stem_of(table_id: str) -> str:
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in table_id)

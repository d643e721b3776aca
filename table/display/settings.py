"""What a display is told when it starts: plain data, which goes to a child process as JSON."""

from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from table.live.place import TablePlace
from table.setup.config import TableConfig
from table.setup.display_section import DisplaySection

NOTHING_LISTENS: Final = "no [display]: nothing listens for this table"


class DisplaySettings(Struct, frozen=True, kw_only=True):
    """Settings of a display.

    Attributes:
        folder: of the table's journals, where its live socket is.
        table_id: the table.
        section: of the configuration.
        currency: in which amounts are shown.
        metrics: the text file for Prometheus that the table writes; ``None``: none.
    """

    folder: str
    table_id: str
    section: DisplaySection
    currency: str
    metrics: str | None = None

    @property
    def place(self) -> TablePlace:
        """Where the table is."""
        return TablePlace.of(Path(self.folder), self.table_id)

    def written(self) -> bytes:
        """As JSON."""
        return msgspec.json.encode(self)

    @classmethod
    def read(cls, text: bytes) -> "DisplaySettings":
        """What `written` has made."""
        return msgspec.json.decode(text, type=cls)


def settings_of(config: TableConfig) -> DisplaySettings | None:
    """What a configuration says of the table's display; ``None``: nothing."""
    if config.display is None:
        return None
    return DisplaySettings(
        folder=str(config.journal_dir.absolute()),
        table_id=config.table.table_id,
        section=config.display,
        currency=config.currency.code,
        metrics=None if config.metrics is None else str(config.metrics.absolute()),
    )

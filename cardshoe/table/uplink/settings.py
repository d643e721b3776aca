"""Settings of an uplink, passed to a child process as JSON."""

from pathlib import Path
from typing import TYPE_CHECKING

from cardshoe.table.live.child import ChildSettings
from cardshoe.table.setup.uplink_section import UplinkSection

if TYPE_CHECKING:
    from cardshoe.table.setup.config import TableConfig  # the process that is given its settings reads no configuration


class UplinkSettings(ChildSettings, frozen=True, kw_only=True):
    section: UplinkSection
    metrics: str | None = None
    persons: tuple[str, str] | None = None


def settings_of(config: "TableConfig") -> UplinkSettings | None:
    if config.uplink is None:
        return None
    return UplinkSettings(
        folder=str(config.journal_dir.absolute()),
        table_id=config.table.table_id,
        section=config.uplink,
        persons=None if config.persons_key is None else (str(config.persons_key), str(config.persons_list.absolute())),
        metrics=None if config.metrics is None else str(_beside(config.metrics.absolute(), config.uplink.folder)),
    )


def _beside(metrics: Path, folder: str | None) -> Path:
    return (metrics.parent if folder is None else Path(folder)) / f"{metrics.stem}-uplink{metrics.suffix}"

"""Settings of a display, passed to a child process as JSON."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from cardshoe.screens.felt.faults import FaultTexts
from cardshoe.screens.words.display_section import DisplaySection
from cardshoe.table.live.child import ChildSettings
from regulations.events.vocabulary import Game, Role

if TYPE_CHECKING:
    from cardshoe.table.setup.config import TableConfig  # the process that is given its settings reads no configuration

NOTHING_LISTENS: Final = "no [display]: this table has no pages"


class StartPage(Struct, frozen=True, kw_only=True):
    game: Game
    pins: dict[Role, str]


class DisplaySettings(ChildSettings, frozen=True, kw_only=True):
    section: DisplaySection
    currency: str
    metrics: str | None = None
    faults: FaultTexts = field(default_factory=dict)
    start: StartPage | None = None


def settings_of(config: "TableConfig", faults: FaultTexts) -> DisplaySettings | None:
    if config.display is None:
        return None
    return DisplaySettings(
        # All that it needs of the table is the socket, and an account of its own cannot enter the journals' folder.
        folder=str((config.journal_dir if config.live is None else Path(config.live.folder)).absolute()),
        table_id=config.table.table_id,
        section=config.display,
        currency=config.currency.code,
        metrics=None if config.metrics is None else str(config.metrics.absolute()),
        faults=faults,
    )

"""Display and uplink processes, and their accounts."""

import contextlib
import pwd
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cardshoe.journal.file.wal import wal_of
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.live.child import Child
from cardshoe.table.live.server import Shared
from cardshoe.table.log.table_journal import OpenLog
from cardshoe.table.setup.config import TableConfig
from cardshoe.table.setup.fault_texts import fault_texts

if TYPE_CHECKING:
    from cardshoe.table.display.child import DisplayChild

LINES: Final = 0o640
"""Mode of a journal whose uplink has another account; keys and PINs stay 0600."""


def check_accounts(config: TableConfig, *, service: bool) -> None:
    """Check that a service's pages and floor code run under other accounts.

    Raises:
        Stop: display or uplink would be children of the table.
    """
    if service and config.live is None and (config.display is not None or config.uplink is not None):
        what = f"{config.path}: no [live]: as a service, display and uplink are not run as the table's account"
        remedy = "Add [live], and start cardshoe-display@ and cardshoe-uplink@ beside the table (docs/installing.md)."
        raise Stop(what, remedy, Exit.USAGE)


def shared_of(config: TableConfig) -> Shared | None:
    live = config.live
    if live is None:
        return None
    looks_on, says = account_number(config, live.uplink), account_number(config, live.display)
    return Shared(Path(live.folder), {looks_on: False, says: True})


def share_lines(config: TableConfig, log: OpenLog) -> None:
    if config.live is not None:
        log.journal.path.chmod(LINES)
        with contextlib.suppress(FileNotFoundError):  # the database library makes it, of the journal's mode
            wal_of(log.journal.path).chmod(LINES)


def account_number(config: TableConfig, account: str) -> int:
    try:
        return pwd.getpwnam(account).pw_uid
    except KeyError as error:
        what = f"{config.path}: [live] names the account {account!r}, which this computer does not have"
        raise Stop(what, "`builds service` beside the builds makes it; or name another.", Exit.USAGE) from error


def display_process(config: TableConfig) -> "DisplayChild | None":
    """The display process; ``None``: none, or another account's."""
    from cardshoe.table.display.settings import settings_of

    faults = fault_texts({device.name: device.family for device in config.devices})
    if config.live is not None or (settings := settings_of(config, faults)) is None:
        return None
    from cardshoe.table.display.child import DisplayChild

    return DisplayChild(settings)


def uplink_process(config: TableConfig) -> Child | None:
    """The uplink process; ``None``: none, or another account's."""
    from cardshoe.table.uplink.settings import settings_of

    if config.live is not None or (settings := settings_of(config)) is None:
        return None
    settings.section.tls.client()  # what is wrong with the certificates is said now
    return Child("uplink", "cardshoe.table.uplink", settings.written())

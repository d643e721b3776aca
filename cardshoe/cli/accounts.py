"""The accounts of a table: its own, and those of its display and its uplink where they have their own."""

import contextlib
import pwd
from pathlib import Path
from typing import Final

from cardshoe.journal.file.wal import wal_of
from cardshoe.persons.listed import FloorList
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.live.server import Shared
from cardshoe.table.log.table_journal import OpenLog
from cardshoe.table.setup.config import TableConfig

LINES: Final = 0o640
"""The mode of a journal whose uplink is another account: that reads it by the group; keys and PINs stay 0600."""


def check_accounts(config: TableConfig, *, service: bool) -> None:
    """See that code which serves pages, or speaks with the floor, is not the table's account where a service runs it.

    Args:
        config: the table.
        service: whether a service manager runs it.

    Raises:
        Stop: display or uplink would be children of the table.
    """
    if service and config.live is None and (config.display is not None or config.uplink is not None):
        what = f"{config.path}: no [live]: as a service, display and uplink are not run as the table's account"
        remedy = "Add [live], and start cardshoe-display@ and cardshoe-uplink@ beside the table (docs/installing.md)."
        raise Stop(what, remedy, Exit.USAGE)


def shared_of(config: TableConfig) -> Shared | None:
    """Who else may connect to the table's socket; ``None``: nobody.

    Args:
        config: the table.

    Raises:
        Stop: there is no such account.
    """
    live = config.live
    if live is None:
        return None
    looks_on, says = _number(config, live.uplink), _number(config, live.display)
    return Shared(Path(live.folder), {looks_on: False, says: True})


def share_lines(config: TableConfig, log: OpenLog) -> None:
    """Let the uplink's account read the lines of an open journal, by its group; nothing where it has none of its own.

    Args:
        config: the table.
        log: its log.
    """
    if config.live is not None:
        log.journal.path.chmod(LINES)
        with contextlib.suppress(FileNotFoundError):  # the database library makes it, of the journal's mode
            wal_of(log.journal.path).chmod(LINES)


def floor_list(config: TableConfig) -> FloorList | None:
    """The floor's list of persons, as the uplink brings it; ``None``: no floor says who is known.

    Args:
        config: the table.

    Raises:
        Stop: there is no account of the uplink's name.
    """
    if config.persons_key is None:
        return None
    writer = None if config.live is None else _number(config, config.live.uplink)
    return FloorList(
        config.persons_list, config.persons_key, config.table.table_id, memory=config.journal_dir, writer=writer
    )


def _number(config: TableConfig, account: str) -> int:
    try:
        return pwd.getpwnam(account).pw_uid
    except KeyError as error:
        what = f"{config.path}: [live] names the account {account!r}, which this computer does not have"
        raise Stop(what, "`builds service` beside the builds makes it; or name another.", Exit.USAGE) from error

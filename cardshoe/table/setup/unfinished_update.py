"""Keep devices with an unfinished update off the table.

Attestation does not cover the other slot, so update logs are read before each decision.
"""

from pathlib import Path

from cardshoe.journal import JournalError
from cardshoe.process.exits import Stop
from cardshoe.table.log.update_log import path_of, read_log
from cardshoe.table.setup.config import DeviceSection, TableConfig
from cardshoe.table.setup.table_lock import DeviceFile
from firmware_bridge.trust.errors import KeyRefused
from firmware_bridge.trust.keys import check_name
from firmware_bridge.update.errors import UpdateRefused
from firmware_bridge.update.states import UpdateState
from firmware_bridge.update.unsettled import unsettled


def device_file(config: TableConfig, device: DeviceSection) -> DeviceFile | None:
    name = device.settings.get("device_name", device.name)
    if config.trust is None or not isinstance(name, str):
        return None
    try:
        check_name(name)
    except KeyRefused:
        return None
    return DeviceFile(config.trust, name)


def unfinished(config: TableConfig, device: DeviceSection) -> str | None:
    own = path_of(config.journal_dir, device.name)
    found = _in_log(own, config.path, device.name)
    file = device_file(config, device)
    if found is not None or file is None:
        return found
    try:
        under_way = file.read()
    except Stop as stop:
        return f"{stop.what}. {stop.remedy}"
    if under_way is None or Path(under_way.log) == own.resolve():
        return None
    return _in_log(Path(under_way.log), Path(under_way.config), file.path.name, is_begun=True)


def _in_log(log: Path, config: Path, device: str, *, is_begun: bool = False) -> str | None:
    command = f"cardshoe update {{}} {config} {device}"
    try:
        if is_begun and not log.exists():
            return f"an update of {device} was begun with {config}, and its log {log} is not here"
        entry = unsettled(read_log(log))
    except JournalError as error:
        return _unreadable(log, error.problem)
    except UpdateRefused as error:
        return _unreadable(log, error.what)
    except OSError as error:
        return _unreadable(log, str(error))
    if entry is None:
        return None
    if entry.state is UpdateState.REFUSED:
        why = f"its update was refused in the middle [{entry.code}]"
        return f"{why}: `{command.format('status')}`; only another update that comes to its end settles it"
    return (
        f"its update is not over ({entry.state} since {entry.at}; {log}): `{command.format('run')} --service PORT`; "
        f"to give it up, `{command.format('cancel')} --by NAME --reason WHY` before that"
    )


def _unreadable(log: Path, what: str) -> str:
    return f"its update log {log} cannot be read: {what}; `cardshoe verify {log}` says more"

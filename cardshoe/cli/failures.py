"""Errors of the packages below, in terms of the command that met them."""

from cardshoe.journal import JournalError, JournalExists, JournalMissing
from cardshoe.process.exits import Exit, Stop
from drivers.errors import BadPortName, BadSetting, DriverError, NoPart
from firmware_bridge.trust.errors import KeyRefused, TrustError
from firmware_bridge.update.errors import DeviceFailure, UpdateError


def explained(error: Exception) -> Stop | None:
    """The message, remedy and exit code of an error; ``None`` where it is a defect, or the system's."""
    match error:
        case JournalError():
            bad_name = isinstance(error, JournalMissing | JournalExists)
            return Stop(f"{error.path}: {error.problem}", error.remedy, Exit.USAGE if bad_name else Exit.JOURNAL)
        case DriverError():
            code = Exit.USAGE if isinstance(error, BadPortName | BadSetting | NoPart) else Exit.DEVICE
            return Stop(f"{error.port}: {error.problem}", error.remedy, code)
        case TrustError():
            code = Exit.USAGE if isinstance(error, KeyRefused) else Exit.FAILURE
            return Stop(f"{error.what} [{error.code}]", f"{error.who}: {error.remedy}", code)
        case UpdateError():
            code = Exit.DEVICE if isinstance(error, DeviceFailure) else Exit.FAILURE
            return Stop(f"{error.what} [{error.code}]", f"{error.who}: {error.remedy}", code)
        case _:
            return None

"""Errors of the packages below, in terms of the command that met them."""

from typing import Final

from cardshoe.journal import JournalError, JournalExists, JournalMissing
from cardshoe.process.exits import Exit, Stop
from drivers.errors import BadPortName, BadSetting, DriverError, NoPart
from firmware_bridge.trust.errors import KeyRefused, TrustError
from firmware_bridge.update.errors import DeviceFailure, UpdateError

EXTRA_OF: Final = {
    **dict.fromkeys(("crcmod", "smp", "smpclient"), "update"),
    **dict.fromkeys(("psycopg", "psycopg_pool"), "floor"),
    **dict.fromkeys(
        (
            "holidays",
            "httpx",
            "jinja2",
            "nats",
            "prompt_toolkit",
            "securesystemslib",
            "sse_starlette",
            "starlette",
            "tuf",
            "uvicorn",
        ),
        "table",
    ),
}
"""Modules, and the extra of ``pyproject.toml`` that brings each."""


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
        case ModuleNotFoundError(name=str(name)) if (extra := EXTRA_OF.get(name.partition(".")[0])) is not None:
            what = f"this needs the library {name.partition('.')[0]}, which is not installed"
            return Stop(what, f"Install the extra: pip install 'cardshoe[{extra}]'.", Exit.FAILURE)
        case _:
            return None

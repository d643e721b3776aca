"""Open a closed table at its own screen, with the running configuration."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.setup.config import TableConfig
from cardshoe.table.terminal.output_queue import Screen
from regulations.events.inputs import Closed

HOW: Final = "closed. A supervisor and a second person open the table at its screen; `quit` ends the program."


def opening_of(config: TableConfig) -> Callable[[], str | None] | None:
    """The check for two people; ``None``: no pages or no staff."""
    if config.display is None or config.persons is None:
        return None
    path, before = config.path, _content(config.path)
    return lambda: None if _content(path) == before else f"{path} has changed since the table was started"


def print_how_to_open(taken: LoggedInput, printer: Screen) -> None:
    if isinstance(taken.event, Closed) and not taken.is_refused:
        printer.say(HOW)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""

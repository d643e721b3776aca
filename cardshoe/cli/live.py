"""How commands name tables that run, and what they say where a table cannot be asked."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from cardshoe.process.exits import Exit, Stop
from cardshoe.table.live.place import TablePlace
from cardshoe.table.live.session import LiveError
from cardshoe.table.live.tables import tables_at

WHAT_TO_NAME: Final = "Name a table's configuration, or the folder of its journals."


def named_tables(source: Path) -> Sequence[TablePlace]:
    """The tables that a configuration or a folder of journals names, one at least.

    Raises:
        Stop: there is none.
    """
    places = tables_at(source)
    if not places:
        raise Stop(f"{source}: there is neither a table nor a journal here", WHAT_TO_NAME, Exit.USAGE)
    return places


@contextlib.contextmanager
def told_plainly(place: TablePlace) -> Iterator[None]:
    """Tells what keeps a table from being asked; that none runs there is the caller's to tell.

    Raises:
        Stop: it lets nobody in, or speaks otherwise.
    """
    try:
        yield
    except LiveError as error:
        raise Stop(f"{place}: {error.reason} [{error.code}]", "Try again.", Exit.FAILURE) from error
    except TimeoutError as error:
        raise Stop(
            f"{place}: {error}", "See whether its process was stopped, or the machine is busy.", Exit.FAILURE
        ) from error
    except OSError as error:
        raise Stop(
            f"{place}: {error.strerror or error}", "Run the command from the table's account, or as root.", Exit.USAGE
        ) from error

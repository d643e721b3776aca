"""Name running tables, and explain why one does not answer."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from cardshoe.process.clock import wall_time
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.live.place import ENDING, TablePlace
from cardshoe.table.live.session import LiveError
from cardshoe.table.log.journal_names import SUFFIX
from cardshoe.table.setup.config import load

WHAT_TO_NAME: Final = "Name a table's configuration, or the folder of its journals."


def tables_at(source: Path) -> Sequence[TablePlace]:
    if not source.is_dir():
        config = load(source, wall_time())
        return [TablePlace.of(config.journal_dir, config.table.table_id)]
    try:
        names = [path.name for path in source.iterdir()]
    except OSError as error:
        raise Stop(f"{source}: {error.strerror}", "Look as the account whose table it is.", Exit.USAGE) from error
    stems = {name[1 : -len(ENDING)] for name in names if name.startswith(".") and name.endswith(ENDING)}
    stems |= {TablePlace.of_journal(source / name).stem for name in names if name.endswith(SUFFIX)}
    places = [TablePlace(source, stem) for stem in sorted(stems)]
    return [place for place in places if place.stem and (place.newest_journal or place.socket.exists())]


def named_tables(source: Path) -> Sequence[TablePlace]:
    places = tables_at(source)
    if not places:
        raise Stop(f"{source}: there is neither a table nor a journal here", WHAT_TO_NAME, Exit.USAGE)
    return places


@contextlib.contextmanager
def as_plain_text(place: TablePlace) -> Iterator[None]:
    """Turn a table's refusal into a message.

    Raises:
        Stop: it refuses access, or speaks another protocol version.
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

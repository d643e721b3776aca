"""Which tables a person means who names a configuration or a folder of journals."""

from collections.abc import Sequence
from pathlib import Path

from cardshoe.process.clock import wall_time
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.live.place import ENDING, TablePlace
from cardshoe.table.log.journal_names import SUFFIX
from cardshoe.table.setup.config import load


def tables_at(source: Path) -> Sequence[TablePlace]:
    """The tables that a configuration or a folder of journals names.

    Args:
        source: a file is taken for a configuration.

    Returns:
        By name; none if a folder has neither a socket nor a journal in it.

    Raises:
        Stop: the configuration cannot be used, or there is no such file.
    """
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

"""``cardshoe log --follow``: lines of a running table, live."""

import contextlib
import sys
from collections import deque
from collections.abc import Iterator
from datetime import tzinfo
from pathlib import Path

from cardshoe.cli.echo import echo, write_log_line
from cardshoe.cli.live import as_plain_text, named_tables
from cardshoe.process.clock import wall_time
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.live.place import NotLive, TablePlace
from cardshoe.table.live.tail import LogFollower
from cardshoe.table.log.journal_names import SUFFIX
from cardshoe.table.log.query import LineGroup, Matcher, Query, as_written, together
from cardshoe.table.setup.config import load
from cardshoe.table.terminal.formatting import PLAIN, Voice
from cardshoe.table.terminal.journal_words import in_words
from cardshoe.table.terminal.terminal_session import voice_of


def follow_log(source: Path, query: Query, *, last: int | None, only_inputs: bool, zone: tzinfo | None) -> None:
    """Print the selected lines of a running table's log.

    Args:
        last: existing answers printed first, from 1; ``None``: all.
        zone: of the times, in words; ``None``: lines as written.
    """
    with contextlib.suppress(KeyboardInterrupt):
        place, voice = _table_at(source)
        with as_plain_text(place):
            try:
                follower = LogFollower(place, lambda text: echo(f"cardshoe: {text}", err=True))
            except NotLive as error:
                raise _not_running(source, place) from error
        while True:
            answers = _asked_for(follower, place, query, last)
            last = None  # whatever the next log has is new
            if zone is None:
                lines = as_written(answers, only_inputs=only_inputs)
            else:
                told = in_words(answers, follower.now.game, zone, voice=voice)
                lines = (line.encode("utf-8", "replace") for line in told)
            for line in lines:
                write_log_line(line)
                sys.stdout.buffer.flush()


def _asked_for(follower: LogFollower, place: TablePlace, query: Query, last: int | None) -> Iterator[LineGroup]:
    matcher, there = Matcher(query), follower.now.seq
    kept: deque[LineGroup] | None = None if last is None else deque(maxlen=last)
    with as_plain_text(place):
        for answer in together(follower.lines()):
            if matcher.asks_for(answer):
                if kept is None:
                    yield answer
                else:
                    kept.append(answer)
            if kept is not None and answer.said[-1].get("seq", 0) >= there:
                yield from kept
                kept = None


def _table_at(source: Path) -> tuple[TablePlace, Voice]:
    if source.suffix == SUFFIX:
        if not source.is_file():
            raise Stop(f"{source}: no such file", "Check the name of the journal.", Exit.USAGE)
        place = TablePlace.of_journal(source)
        newest = place.newest_journal
        if newest is not None and newest.name != source.name:
            raise Stop(
                f"{source}: its table has gone on to {newest.name}",
                "Without --follow it is printed; to follow the table, name that one.",
                Exit.JOURNAL,
            )
        return place, PLAIN
    places = named_tables(source)
    if len(places) > 1:
        names = ", ".join(str(place.newest_journal or place) for place in places)
        raise Stop(f"{source}: there are several tables here", f"Name one of {names}.", Exit.USAGE)
    return places[0], PLAIN if source.is_dir() else voice_of(load(source, wall_time()))


def _not_running(source: Path, place: TablePlace) -> Stop:
    left = place.newest_journal
    read = "" if left is None else f"`cardshoe log {left}` prints what is there; "
    return Stop(f"{source}: no table runs there", f"{read}`cardshoe run TABLE.toml` starts a table.", Exit.JOURNAL)

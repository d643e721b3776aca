"""The logs of a table, line by line."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from cardshoe.table.live.client import LiveClient, follow, number_of, view_of
from cardshoe.table.live.place import NotLive, TablePlace
from cardshoe.table.live.session import LiveError
from regulations.events.vocabulary import Game

LOOK_S: Final = 0.25
_ENDING: Final = frozenset({"lost", "bye"})


class LogPosition(NamedTuple):
    log: str
    seq: int
    game: Game


class LogFollower:
    """Follows a table.

    Raises:
        NotLive: no table runs there.
        LiveError: access refused, or another version.
        OSError: it cannot be reached.
    """

    def __init__(self, place: TablePlace, tell: Callable[[str], None]) -> None:
        self._place: Final = place
        self._tell: Final = tell
        self._nothing: Final = threading.Event()
        self.now = log_position(place)

    def lines(self) -> Iterator[bytes]:
        """The durable lines of one log; call again for the next log."""
        after, log = 0, self.now.log
        while self.now.log == log:
            try:
                for line in follow(self._place, after, log):
                    after = number_of(line)
                    yield line
            except NotLive:
                pass  # its journal was moved away: what comes next is another one
            except LiveError as error:
                if error.code != "other_log":
                    raise
            self.now = self._again()

    def _again(self) -> LogPosition:
        with contextlib.suppress(NotLive):
            return log_position(self._place)
        self._tell("the table has stopped; waiting until it runs again (Ctrl-C ends this)")
        while True:
            self._nothing.wait(LOOK_S)
            with contextlib.suppress(NotLive):
                return log_position(self._place)


def log_position(place: TablePlace) -> LogPosition:
    try:
        with LiveClient(place) as client:
            shown = client.snapshot()
    except LiveError as error:
        if error.code in _ENDING:
            raise NotLive(f"{place}: the table is ending") from error
        raise
    profile = view_of(shown).profile
    if profile is None:
        raise NotLive(f"{place}: the table is still starting")
    return LogPosition(shown.log, shown.seq, profile.game)

"""A display in this process: a start takes half a second of CPU."""

import threading
from typing import Final, Self

from cardshoe.process.http.connection_limits import LimitedListener
from cardshoe.table.display.listening import listener
from cardshoe.table.display.server import ROOM, server_of
from cardshoe.table.display.settings import DisplaySettings
from tests.kit.command import PATIENCE_S


class DisplayHere:
    """The server of a `DisplayChild`, on a thread; for tests of what it answers."""

    def __init__(self, settings: DisplaySettings) -> None:
        self._door: Final = LimitedListener(listener(settings.section), ROOM)
        self._server: Final = server_of(settings, self._door)
        host, port = self._door.getsockname()
        self.home: Final = f"http://{host}:{port}/"
        self._thread: Final = threading.Thread(target=self._server.run, args=([self._door],))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive(), "the display has not ended"

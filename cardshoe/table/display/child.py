"""The display as a child of the table's process."""

from typing import Final

from cardshoe.table.display.listening import listener
from cardshoe.table.display.settings import DisplaySettings
from cardshoe.table.live.child import Child


class DisplayChild(Child):
    """A display beside a table, while a ``with`` block runs.

    The parent owns the listening socket: clients wait during a restart.

    Raises:
        Stop: the port is taken, or the certificates cannot be used.
    """

    def __init__(self, settings: DisplaySettings) -> None:
        self._settings: Final = settings
        self._listening: Final = listener(settings.section)
        super().__init__("display", "cardshoe.table.display", settings.written(), [self._listening.fileno()])

    @property
    def addresses(self) -> list[str]:
        """Addresses of the pages, for a person."""
        return [f"{self.home}{page}" for page in self._settings.section.pages]

    @property
    def home(self) -> str:
        """The address of the first page, without its name."""
        host, port = self._listening.getsockname()[:2]
        scheme = "http" if self._settings.section.tls is None else "https"
        return f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"

    def close(self) -> None:
        self._listening.close()

"""The floor's pages in this process, before a real PostgreSQL that the real collector has filled."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx
from starlette.types import ASGIApp

from floor.database import Database
from floor.pages.board import Board
from floor.pages.routes import FloorPages
from floor.pages.settings import PagesSettings
from floor.reading import make_app
from tests.floor.filling import Filling, filling

HOME: Final = "http://127.0.0.1:8472"


class Client:
    """Asks an application in this process."""

    def __init__(self, app: ASGIApp) -> None:
        self._transport: Final = httpx.ASGITransport(app)

    def get(
        self, path: str, params: Mapping[str, str] | None = None, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        """What is answered."""

        async def asked() -> httpx.Response:
            async with httpx.AsyncClient(transport=self._transport, base_url=HOME) as client:
                return await client.get(path, params=params, headers=headers)

        return asyncio.run(asked())


class Looked:
    """Pages, and who asks for them.

    Args:
        database: prepared.
        filler: fills it.
        settings: of the pages.
    """

    def __init__(self, database: Database, filler: Filling, settings: PagesSettings) -> None:
        self.filler: Final = filler
        self.database: Final = database
        self.board: Final = Board(database)
        pages = FloorPages(self.board, database, settings)
        app = make_app(database, ["127.0.0.1:8472"], pages.routes())
        self.client: Final = Client(app)

    def look(self) -> None:
        """The board looks, to the end of what there is."""
        board = self.board
        while True:
            lines = board.projector.look()
            if not lines and not board.projector.is_behind:
                break
        board.take(board.look())

    def get(self, path: str, within: Mapping[str, str] | None = None, status: int = 200, **query: str) -> str:
        """A page in English, once the board has looked.

        Args:
            path: of the page.
            within: from which day, to which; and what else has no name here.
            status: of the answer.
            query: what is asked for.
        """
        self.look()
        answer = self.client.get(path, params={"lang": "en", **(within or {}), **query})
        assert answer.status_code == status, answer.text
        return answer.text


@contextmanager
def looked_at(address: str, folder: Path, settings: PagesSettings | None = None) -> Iterator[Looked]:
    """Pages before a database."""
    with filling(address, folder / "filler") as (database, filler):
        yield Looked(database, filler, settings or PagesSettings(language="en"))

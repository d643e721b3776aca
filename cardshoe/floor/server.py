"""The floor as a process: sockets, servers, periodic tasks."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import uvicorn
from starlette.applications import Starlette

from cardshoe.floor.app import LIMITS, Limits, TablesApp
from cardshoe.floor.certificates import Revoked
from cardshoe.floor.config import FloorConfig, ReadSection
from cardshoe.floor.database import Database, Unavailable, month_of, months_back
from cardshoe.floor.enrolled import Enrolled
from cardshoe.floor.ingest import Collector
from cardshoe.floor.interface import make_app
from cardshoe.floor.pages.poller import TablePoller
from cardshoe.floor.pages.routes import page_routes
from cardshoe.floor.pages.settings import PagesSettings
from cardshoe.floor.persons.list_distribution import Handing
from cardshoe.floor.persons.newest import begin
from cardshoe.floor.persons.recorder import Recorder
from cardshoe.floor.persons.sign_in import FloorEntrance, Visiting
from cardshoe.floor.persons.staff_list import Roll
from cardshoe.floor.senders import LEASE_S
from cardshoe.floor.siem.forwarder import telling
from cardshoe.floor.witness import FloorWitness
from cardshoe.journal.proof.note import SigningKey
from cardshoe.journal.witness.store import private_key
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.http.connection_limits import ConnectionLimits, LimitedListener
from cardshoe.process.http.guard import hosts_of
from cardshoe.process.http.http_server import bounded_server
from cardshoe.process.signals import signals_stop
from cardshoe.screens.words.display_section import host_port

if TYPE_CHECKING:
    from cardshoe.floor.jetstream.consumer import Taking

logger: Final = logging.getLogger(__name__)

BACKLOG: Final = 512
"""Waiting connections: all tables return at once after a network failure."""
ROOM: Final = ConnectionLimits(each=1024, all=2048)
"""One per table, and replacements; all may share one address."""
LOOKERS: Final = ConnectionLimits(each=256, all=1024)
LOOKERS_CONNECTIONS: Final = 5
RETAIN_S: Final = 3600.0
RENEW_S: Final = 600.0
GIVE_UP_S: Final = 5.0
CANCEL_S: Final = 3.0
AGAIN_S: Final = 1.0


class Floor:
    """A floor from its sockets on."""

    def __init__(self, config: FloorConfig, *, lease_s: float = LEASE_S, limits: Limits = LIMITS) -> None:
        self._config: Final = config
        section = config.floor
        # Who is revoked is looked at for each request; a context would keep the list that it was made with.
        self._tls: Final = msgspec.structs.replace(section.tls, revoked=None).server()
        self._limits: Final = limits
        self._held: Final = contextlib.ExitStack()
        with contextlib.ExitStack() as made:
            self._witness: Final = FloorWitness(Path(section.state) / "witness")
            made.callback(self._witness.close)
            key = _mark_key(Path(section.state))
            self._tables: Final = made.enter_context(closing(LimitedListener(_listener(section.listen), ROOM)))
            self._read: Final = None if config.read is None else LimitedListener(_listener(config.read.listen), LOOKERS)
            if self._read is not None:
                made.callback(self._read.close)
            self._database: Final = Database(section.database)
            # Connections of their own: what whoever looks asks for never keeps a table waiting.
            self._looked_at: Final = Database(section.database, LOOKERS_CONNECTIONS)
            self._projected: Final = Database(section.database, 1)
            self._board: Final = None if config.read is None else TablePoller(self._projected)
            self._roll: Final = Roll(Path(section.state), config.persons.valid_days)
            handing = Handing(self._database, self._roll)
            self._collector: Final = Collector(
                self._database, key, self._witness, handing, Enrolled(section.tables), lease_s=lease_s
            )
            self._revoked: Final = Revoked(section.tls.revoked, section.tls.authority)
            self._taking: Final = self._by_nats(config)
            self._recorder: Final = Recorder(self._looked_at)
            self._entrance: Final = FloorEntrance(self._roll, self._recorder)
            self.interface: Final = self._interface(config.read)
            self._held.push(made.pop_all())
        self.tables: Final = _address(self._tables)
        self.read: Final = None if self._read is None else _address(self._read)
        self.marks: Final = self._collector.key
        self.witness: Final = self._witness.key
        self.persons: Final = self._roll.key

    def _by_nats(self, config: FloorConfig) -> "Taking | None":
        if config.nats is None:
            return None
        from cardshoe.floor.jetstream.consumer import Taking  # noqa: PLC0415  # a floor whose tables come by HTTPS needs no NATS

        return Taking(config.nats, self._collector, config.floor.tls.authority, self._revoked)

    @property
    def has_no_staff(self) -> bool:
        return not self._roll.persons()

    def close(self) -> None:
        """Release addresses and folder; `run` does so itself."""
        self._held.close()

    def run(self) -> None:
        """Serve until Ctrl-C or SIGTERM; wait for a missing database.

        Raises:
            Stop: the database is unfit.
        """
        with self._held, self._database, self._looked_at, self._projected, self._entrance:
            asyncio.run(self._serve())

    async def _serve(self) -> None:
        over = asyncio.Event()
        loop = asyncio.get_running_loop()
        with signals_stop(lambda: loop.call_soon_threadsafe(over.set)):
            giving_up = asyncio.create_task(self._give_up(over))
            try:
                if await self._prepared(over):
                    with telling(self._config.siem, self._database):
                        await self._until(over)
            finally:
                giving_up.cancel()
                self._give_up_now()

    async def _give_up(self, over: asyncio.Event) -> None:
        await over.wait()
        await asyncio.sleep(GIVE_UP_S)
        self._give_up_now()

    def _give_up_now(self) -> None:
        # The end waits for each thread, and a thread for the database.
        for database in (self._database, self._looked_at, self._projected):
            database.give_up()

    async def _until(self, over: asyncio.Event) -> None:
        servers = list(self._servers())
        serving = [asyncio.create_task(server.serve(sockets=[door])) for server, door in servers]
        beside = [] if self._taking is None else [asyncio.create_task(self._taking.run())]
        looking = None if self._board is None else asyncio.create_task(self._board.run())
        retaining = asyncio.create_task(each(RETAIN_S, self._retain))
        renewing = asyncio.create_task(each(RENEW_S, self._renew))
        waiting = asyncio.create_task(over.wait())
        await asyncio.wait([waiting, *serving, *beside], return_when=asyncio.FIRST_COMPLETED)
        over.set()
        if self._board is not None:
            self._board.end()
        for server, _ in servers:
            server.should_exit = True
        for task in (retaining, renewing, waiting, *beside):
            task.cancel()
        await asyncio.gather(*serving)
        if self._board is not None and looking is not None:
            await looking
            await self._board.keep()
        for task in beside:
            await end(task)
        for found in await asyncio.gather(*beside, return_exceptions=True):
            if isinstance(found, Exception):
                raise found

    async def _prepared(self, over: asyncio.Event) -> bool:
        told = ""
        while not over.is_set():
            try:
                await asyncio.to_thread(self._database.prepare)
                await asyncio.to_thread(begin, self._database, self._roll)
            except Unavailable as error:
                if str(error) != told:
                    logger.warning("%s; it is tried again", error)
                told = str(error)
            else:
                return True
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(over.wait(), AGAIN_S)
        return False

    def _servers(self) -> Iterator[tuple[uvicorn.Server, LimitedListener]]:
        read = self._config.read
        tables = TablesApp(self._collector, self._revoked, self._limits)
        yield _Quiet(bounded_server(tables.app, self._tables, self._tls, self._limits.exchange_s).config), self._tables
        if read is not None and self._read is not None and self.interface is not None:
            tls = None if read.tls is None else msgspec.structs.replace(read.tls, revoked=None).server()
            yield _Quiet(bounded_server(self.interface, self._read, tls, self._limits.exchange_s).config), self._read

    def _interface(self, read: ReadSection | None) -> Starlette | None:
        if read is None or self._read is None or self._board is None:
            return None
        visiting = Visiting(self._entrance, is_secure=read.tls is not None, language=read.language)
        pages = page_routes(self._board, self._looked_at, _pages_of(read), self._recorder.record, visiting.who)
        revoked = None if read.tls is None else Revoked(read.tls.revoked, read.tls.authority)
        return make_app(
            self._looked_at,
            _hosts(read, self._read),
            visiting,
            programs=read.programs,
            revoked=revoked,
            pages=pages,
        )

    def _retain(self) -> None:
        if not (months := self._config.floor.keep_months):
            return
        cutoff = months_back(month_of(datetime.now(UTC).date()), months)
        try:
            for name in self._database.drop_before(cutoff):
                logger.warning("%s: dropped, all of it is older than %d months", name, months)
        except Unavailable as error:
            logger.warning("%s", error)

    def _renew(self) -> None:
        try:
            self._roll.renew()
        except Stop as stop:
            logger.warning("the list of persons is not signed again: %s. %s", stop.what, stop.remedy)


async def each(rest_s: float, act: Callable[[], object]) -> None:
    while True:
        try:
            await asyncio.to_thread(act)
        except Exception:
            logger.exception("what the floor does by itself has failed; it is tried again in %.0f s", rest_s)
        await asyncio.sleep(rest_s)


async def end(task: asyncio.Task[None], again_s: float = CANCEL_S) -> None:
    """Cancel a task repeatedly, because a library may swallow a cancellation."""
    while not task.done():
        await asyncio.wait([task], timeout=again_s)
        task.cancel()


class _Quiet(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _mark_key(state: Path) -> SigningKey:
    path = state / "mark-key"
    try:
        private = private_key(path)
    except OSError as error:
        raise Stop(f"{path}: {error.strerror or error}", "Name a folder that can be written.", Exit.USAGE) from error
    return SigningKey(f"cardshoe/floor/{private.public_key().public_bytes_raw().hex()[:16]}", private)


def _listener(listen: str) -> socket.socket:
    host, port = host_port(listen)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise Stop(f"{listen}: {error.strerror or error}", "Choose another address.", Exit.USAGE) from error


def _address(door: LimitedListener) -> str:
    host, port = door.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _pages_of(read: ReadSection) -> PagesSettings:
    return PagesSettings(
        language=read.language,
        currency=read.currency,
        day_begins=read.day_begins,
        camera=read.camera,
        cameras=dict(read.cameras),
    )


def _hosts(read: ReadSection, door: LimitedListener) -> list[str]:
    host, port = door.getsockname()[:2]
    return [] if read.tls is not None else hosts_of(host, port)

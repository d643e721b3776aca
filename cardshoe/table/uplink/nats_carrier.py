"""Carries batches to a floor over NATS JetStream.

The server's acknowledgement proves nothing: `send` waits for the floor's receipt. One batch per table is
under way.
"""

import asyncio
import logging
import secrets
import threading
from collections.abc import Coroutine
from concurrent.futures import CancelledError
from typing import Any, Final

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import NoRespondersError

from cardshoe.journal.delivery.message_signing import Voucher
from cardshoe.journal.delivery.nats_link import FAULTS, linked, unlinked
from cardshoe.journal.delivery.subjects import (
    ABOUT,
    ANSWER,
    ANSWER_S,
    ANSWERS,
    ASKS,
    BEGUN,
    DUPLICATES_S,
    FLOOR,
    LINES,
    MESSAGE_ID,
    TAKEN,
    message_id,
    token,
)
from cardshoe.journal.delivery.wire import Batch, Has
from cardshoe.table.setup.uplink_section import UplinkSection
from cardshoe.table.uplink.transport import FloorTransport, FloorUnavailable

logger: Final = logging.getLogger(__name__)

PUBLISH_S: Final = DUPLICATES_S / 2
CLOSE_S: Final = 5.0
Answer = tuple[bool, bytes]


class NatsCarrier(FloorTransport):
    """One floor, behind NATS servers."""

    def __init__(self, section: UplinkSection, exchange_s: float = ANSWER_S) -> None:
        super().__init__(section)
        self._servers: Final = section.nats_servers
        self._exchange_s: Final = exchange_s
        self._tls: Final = section.tls.client()
        self._voucher: Final = Voucher(section.tls)
        self._runner: Final = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._loop: Final = self._runner.get_loop()
        self._thread: Final = threading.Thread(target=self._work, name="nats", daemon=True)
        self._over: Final = asyncio.Event()
        self._turn: Final = threading.Lock()
        self._is_closed = False
        self._link: Client | None = None
        self._about = ""
        self._answer: asyncio.Future[Answer | None] | None = None
        self._broken: asyncio.Future[None] | None = None
        self._fault = ""

    def close(self) -> None:
        """Close the connection; an exchange under way fails."""
        with self._turn:
            if self._is_closed:
                return
            self._is_closed = True
        if self._thread.ident is None:
            self._runner.close()
        else:
            self._loop.call_soon_threadsafe(self._over.set)
            self._thread.join(CLOSE_S)

    def _exchange(self, said: Has | Batch) -> Answer:
        try:
            return self._run(self._answered(said))
        except NoRespondersError as error:
            raise FloorUnavailable(
                f"{self._where}: no floor is connected there, or its stream is being created"
            ) from error
        except FAULTS as error:
            reason = self._fault or str(error) or "no answer came in time"
            raise FloorUnavailable(f"{self._where}: cannot be reached: {reason}") from error

    def _run(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        with self._turn:
            if self._is_closed:
                work.close()
                raise FloorUnavailable("")
            if self._thread.ident is None:
                self._thread.start()
            running = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return running.result()
        except CancelledError as error:
            raise FloorUnavailable("") from error

    # --- in the thread of the connection -----------------------------------------------------------------------------

    def _work(self) -> None:
        with self._runner:  # cancels what is under way, and waits for its end
            self._runner.run(self._until_over())

    async def _until_over(self) -> None:
        await self._over.wait()
        await self._drop()

    async def _answered(self, said: Has | Batch) -> Answer:
        self._fault = ""
        self._broken = self._loop.create_future()
        try:
            async with asyncio.timeout(self._exchange_s):
                link = await self._linked(said)
                asking = asyncio.ensure_future(self._said(link, said))
                try:
                    either: list[asyncio.Future[Any]] = [asking, self._broken]
                    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
                    if not asking.done():
                        raise ConnectionError(self._fault or "the connection has ended")
                    return asking.result()
                finally:
                    asking.cancel()
        except (NoRespondersError, FloorUnavailable):
            raise
        except BaseException:
            # Nobody knows how far it came; the next exchange begins with another connection.
            await self._drop()
            raise

    async def _linked(self, said: Has | Batch) -> Client:
        if self._link is not None and self._link.is_connected:
            return self._link
        await self._drop()
        table = _table(said)
        own = f"{ANSWERS}.{token(table)}"
        self._link = await linked(
            self._servers,
            self._tls,
            name=f"uplink of {table}",
            inbox=own,
            said=self._faulty,
            lost=self._lost,
        )
        await self._link.subscribe(f"{own}.{FLOOR}", cb=self._heard)
        await self._link.subscribe(BEGUN, cb=self._begun)
        return self._link

    async def _said(self, link: Client, said: Has | Batch) -> Answer:
        if isinstance(said, Batch) and said.entries:
            return await self._through_the_stream(link, said)
        is_batch = isinstance(said, Batch)
        subject = f"{ASKS}.{token(_table(said))}.{'lines' if is_batch else 'has'}"
        body = said.encoded() if isinstance(said, Batch) else msgspec.json.encode(said)
        headers = self._voucher.headers(subject, body)
        return _read(await link.request(subject, body, timeout=self._exchange_s, headers=headers))

    async def _through_the_stream(self, link: Client, batch: Batch) -> Answer:
        head = batch.head
        self._about = message_id(head.table, head.log, head.first, len(batch.entries), secrets.token_hex(4))
        answer: asyncio.Future[Answer | None] = self._loop.create_future()
        self._answer = answer
        subject, body = f"{LINES}.{token(head.table)}", batch.encoded()
        headers = {MESSAGE_ID: self._about, **self._voucher.headers(subject, body)}
        stream = link.jetstream(timeout=PUBLISH_S)
        try:
            await stream.publish(subject, body, headers=headers)
        except TimeoutError:
            # The floor may have it all the same.
            if not answer.done():
                await stream.publish(subject, body, headers=headers)
        if (found := await answer) is None:
            raise FloorUnavailable(f"{self._where}: the floor restarted")
        return found

    async def _heard(self, message: Msg) -> None:
        about = (message.headers or {}).get(ABOUT)
        if about == self._about and self._answer is not None and not self._answer.done():
            self._answer.set_result(_read(message))

    async def _begun(self, _message: Msg) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(None)
        else:
            self._faulty("the floor restarted")

    def _faulty(self, reason: str) -> None:
        self._fault = self._fault or reason  # what follows is about the connection that ends for it
        self._lost()

    def _lost(self) -> None:
        if self._broken is not None and not self._broken.done():
            self._broken.set_result(None)

    async def _drop(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            await unlinked(link)


def _table(said: Has | Batch) -> str:
    return said.head.table if isinstance(said, Batch) else said.table


def _read(message: Msg) -> Answer:
    return (message.headers or {}).get(ANSWER) == TAKEN, message.data

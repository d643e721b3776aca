"""NATS consumer of batches and requests."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import TimeoutError as NothingCame
from nats.js import JetStreamContext
from nats.js.api import StreamConfig

from cardshoe.floor.alarm_kinds import NotTaken
from cardshoe.floor.certificates import Revoked
from cardshoe.floor.ingest import Collector
from cardshoe.floor.jetstream.section import NatsSection
from cardshoe.floor.jetstream.stream import CONSUMER, Lost, check_servers, look, place, the_stream, wanted
from cardshoe.floor.jetstream.vouchers import Vouchers
from cardshoe.journal.delivery.nats_link import FAULTS, linked, unlinked
from cardshoe.journal.delivery.subjects import (
    ABOUT,
    ANSWER,
    ANSWERS,
    ASKS,
    BEGUN,
    FLOOR,
    LINES,
    MESSAGE_ID,
    REFUSED,
    STREAM,
    TAKEN,
    token,
)
from cardshoe.journal.delivery.wire import BODY_BYTES, Batch, Has, Marks, Refusal, Stands
from cardshoe.process.exits import Stop

logger: Final = logging.getLogger(__name__)

AGAIN_S: Final = 1.0
LOOK_S: Final = 2.0
FETCH_S: Final = 2.0
FETCH: Final = 8
ASKERS: Final = 4
WAITING: Final = 4096
WAITING_BYTES: Final = 64 * 1024 * 1024
"""Limit of waiting requests; the library drops more, and tables retry."""
LATER_S: Final = 1.0
Said = Marks | Stands | Refusal


class Taking:
    def __init__(self, section: NatsSection, collector: Collector, authority: str, revoked: Revoked) -> None:
        self._section: Final = section
        self._tls: Final = section.tls.client()
        self._collector: Final = collector
        self._vouchers: Final = Vouchers(authority, revoked)
        self._busy: Final[set[str]] = set()
        self._told = ""
        self._has_worked = False

    async def run(self) -> None:
        """Run until cancelled.

        Raises:
            Stop: servers may lose acknowledged batches, or the stream is unfit; before the first success only.
        """
        own = asyncio.current_task()
        while True:
            try:
                # A task of its own: when a connection ends, the library cancels whoever waits for a message of it.
                await asyncio.create_task(self._session())
            except (*FAULTS, Lost, Stop) as error:
                failed: BaseException = error
            except ExceptionGroup as group:
                ours, others = group.split((*FAULTS, Lost, Stop))
                if others is not None or ours is None:
                    raise
                failed = _first(ours)
            except asyncio.CancelledError as error:
                failed = error
            else:
                continue
            if own is not None and own.cancelling():
                # A part that fails while all are told to end hides that they were.
                raise asyncio.CancelledError from failed
            self._failed(failed)
            await asyncio.sleep(AGAIN_S)

    def _failed(self, error: BaseException) -> None:
        if isinstance(error, Stop) and not self._has_worked:
            raise error
        self._tell(f"NATS: {str(error) or type(error).__name__}; it is tried again")

    def _tell(self, what: str) -> None:
        if what != self._told:
            logger.warning("%s", what)
        self._told = what

    async def _session(self) -> None:
        lost = asyncio.Event()
        link = await linked(
            self._section.servers,
            self._tls,
            name="floor",
            inbox="_INBOX",
            said=lambda reason: self._tell(f"NATS: {reason}"),
            lost=lost.set,
        )
        try:
            await check_servers(link, self._section.replicas)
            streams, config = link.jetstream(), wanted(self._section)
            info, done = await the_stream(streams, config)
            for one in done:
                logger.warning("NATS: %s", one)
            await place(streams, info)
            self._has_worked, self._told = True, ""
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(_ended(lost))
                tasks.create_task(_looking(streams, config))
                tasks.create_task(self._lines(link, streams))
                asked = await link.subscribe(
                    f"{ASKS}.*.*", pending_msgs_limit=WAITING, pending_bytes_limit=WAITING_BYTES
                )
                await link.publish(BEGUN)
                for _ in range(ASKERS):
                    tasks.create_task(self._asks(link, asked.next_msg))
        finally:
            await unlinked(link)

    # --- requests ----------------------------------------------------------------------------------------------------

    async def _asks(self, link: Client, following: Callable[[float], Awaitable[Msg]]) -> None:
        while True:
            try:
                message = await following(FETCH_S)
            except NothingCame:
                continue
            *_, table, kind = message.subject.split(".")
            # An answer goes to nobody but who asks, whatever address the question names.
            if not message.reply.startswith(f"{ANSWERS}.{table}."):
                continue
            answer = await self._judged(message, table, self._has if kind == "has" else self._land)
            await link.publish(message.reply, *_answered(answer))

    def _has(self, table: str, body: bytes) -> Said:
        return self._collector.marks(table, Has.decode(body))

    def _land(self, table: str, body: bytes) -> Said:
        return self._collector.land(table, Batch.decode(body))

    # --- the stream --------------------------------------------------------------------------------------------------

    async def _lines(self, link: Client, streams: JetStreamContext) -> None:
        reading = await streams.pull_subscribe_bind(CONSUMER, STREAM)
        while True:
            try:
                messages = await reading.fetch(FETCH, FETCH_S)
            except NothingCame:
                continue
            async with asyncio.TaskGroup() as tasks:
                for message in messages:
                    tasks.create_task(self._line(link, message))

    async def _line(self, link: Client, message: Msg) -> None:
        table = message.subject.removeprefix(f"{LINES}.")
        if table in self._busy:
            await message.nak(delay=LATER_S)
            return
        answer = await self._judged(message, table, self._land)
        about = (message.headers or {}).get(MESSAGE_ID, "")
        body, _, headers = _answered(answer)
        await link.publish(f"{ANSWERS}.{table}.{FLOOR}", body, headers={**headers, ABOUT: about})
        if isinstance(answer, Refusal) and answer.code == "database":
            await message.nak(delay=LATER_S)
        else:
            # What was refused is refused for good: the table has its journal, and knows.
            await message.ack()

    async def _judged(self, message: Msg, table: str, take: Callable[[str, bytes], Said]) -> Said:
        if table in self._busy:
            return Refusal(code="busy", reason="Another message of this table is not answered yet.")
        self._busy.add(table)
        try:
            return await asyncio.to_thread(self._taken, message, table, take)
        except NotTaken as refused:
            return refused.refusal
        except ValueError as error:
            return Refusal(code="malformed", reason=str(error))
        except Exception:  # a defect: this message must not come again and again before all others
            logger.exception("NATS: %s: a message cannot be judged", message.subject)
            return Refusal(code="malformed", reason="The floor has failed at it; its log says where.")
        finally:
            self._busy.discard(table)

    def _taken(self, message: Msg, named: str, take: Callable[[str, bytes], Said]) -> Said:
        table, fault = self._vouchers.sender(message.headers, message.subject, message.data)
        if fault is not None:
            return self._collector.refuse(table, fault)
        if token(table) != named:
            raise NotTaken("not_yours", f"this certificate is of table {table!r}")
        if len(message.data) > BODY_BYTES:
            raise NotTaken("too_long", f"a body has {BODY_BYTES} bytes at most")
        return take(table, message.data)


async def _ended(lost: asyncio.Event) -> None:
    await lost.wait()
    raise Lost("the connection has ended")


async def _looking(streams: JetStreamContext, config: StreamConfig) -> None:
    while True:
        await asyncio.sleep(LOOK_S)
        await look(streams, config)


def _answered(answer: Said) -> tuple[bytes, str, dict[str, str]]:
    return msgspec.json.encode(answer), "", {ANSWER: REFUSED if isinstance(answer, Refusal) else TAKEN}


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error

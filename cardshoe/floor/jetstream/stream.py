"""The stream and the floor's consumer."""

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DeliverPolicy,
    DiscardPolicy,
    RetentionPolicy,
    StorageType,
    StreamConfig,
    StreamInfo,
)
from nats.js.errors import APIError, NotFoundError

from cardshoe.floor.jetstream.section import NatsSection
from cardshoe.journal.delivery.subjects import ANSWER_S, DUPLICATES_S, LINES, PAYLOAD_BYTES, STREAM
from cardshoe.process.exits import Exit, Stop

CONSUMER: Final = "floor"
OLDEST: Final = (2, 10)
"""The first NATS server that can sync each message."""
EACH_MAX: Final = 1024
"""Messages per table; a flood displaces only its own."""
ACK_WAIT_S: Final = 60.0
"""Until redelivery; longer than the database timeout."""
UNDER_WAY: Final = 64
SETTINGS_SUBJECT: Final = "$SYS.REQ.SERVER.PING.JSZ"
_ANSWERS_S: Final = 2.0


class Lost(Exception):
    """The stream or the floor's consumer has changed."""


def wanted(section: NatsSection) -> StreamConfig:
    return StreamConfig(
        name=STREAM,
        subjects=[f"{LINES}.*"],
        storage=StorageType.FILE,
        retention=RetentionPolicy.LIMITS,
        discard=DiscardPolicy.OLD,
        num_replicas=section.replicas,
        max_age=section.keep_hours * 3600.0,
        max_bytes=section.keep_mib << 20,
        max_msgs_per_subject=EACH_MAX,
        max_msg_size=PAYLOAD_BYTES,
        duplicate_window=DUPLICATES_S,
        allow_rollup_hdrs=False,
        no_ack=False,
    )


async def check_servers(link: Client, replicas: int) -> None:
    """Check that servers acknowledge only durable messages, and that a batch fits.

    Raises:
        Stop: a server is too old, or may lose acknowledged messages.
        Lost: too few servers answered.
    """
    if link.max_payload < PAYLOAD_BYTES:
        raise _unfit(f"max_payload is {link.max_payload}", f"Set max_payload to {PAYLOAD_BYTES} or more")
    servers = await _servers(link, replicas)
    if len(servers) <= replicas // 2:
        # Who does not answer in time may be slow, or not started yet.
        raise Lost(f"{len(servers)} of {replicas} servers reported their JetStream settings ({SETTINGS_SUBJECT})")
    for one in servers:
        name, version = one["server"].get("name", "?"), str(one["server"].get("ver", "0"))
        if tuple(int(part) for part in version.split(".")[:2] if part.isdecimal()) < OLDEST:
            raise _unfit(f"{name} is NATS {version}", "Install 2.10 or newer")
        if not one.get("data", {}).get("config", {}).get("sync_always"):
            raise _unfit(
                f"{name} acknowledges messages before they are on its disk", "Set jetstream { sync_interval: always }"
            )


async def the_stream(streams: JetStreamContext, config: StreamConfig) -> tuple[StreamInfo, list[str]]:
    try:
        info = await streams.stream_info(STREAM)
    except NotFoundError:
        return await streams.add_stream(config), ["the stream was missing and is created"]
    others = list(_others(config, info.config))
    if others:
        try:
            info = await streams.update_stream(config)
        except APIError as error:
            raise _unfit(f"the stream has {'; '.join(others)}", "Delete it: nothing is lost with it") from error
    if left := list(_others(config, info.config)):
        raise _unfit(f"the stream keeps {'; '.join(left)}", "Look at the limits of the account")
    return info, [f"the stream had {other}: set right" for other in others]


async def place(streams: JetStreamContext, info: StreamInfo) -> ConsumerConfig:
    """Recreate the floor's consumer; unacknowledged batches are redelivered at once."""
    config = ConsumerConfig(
        name=CONSUMER,
        durable_name=CONSUMER,
        ack_policy=AckPolicy.EXPLICIT,
        ack_wait=ACK_WAIT_S,
        max_ack_pending=UNDER_WAY,
    )
    try:
        old = await streams.consumer_info(STREAM, CONSUMER)
    except NotFoundError:
        config.deliver_policy = DeliverPolicy.BY_START_TIME
        config.opt_start_time = datetime.now(UTC) - timedelta(seconds=ANSWER_S)
    else:
        done = old.ack_floor.stream_seq if old.ack_floor is not None else 0
        if 0 < done <= info.state.last_seq:
            config.deliver_policy, config.opt_start_seq = DeliverPolicy.BY_START_SEQUENCE, done + 1
        await streams.delete_consumer(STREAM, CONSUMER)
    await streams.add_consumer(STREAM, config)
    return config


async def look(streams: JetStreamContext, config: StreamConfig) -> None:
    try:
        info = await streams.stream_info(STREAM)
        here = await streams.consumer_info(STREAM, CONSUMER)
    except NotFoundError as error:
        raise Lost("the stream, or the floor's place in it, is gone") from error
    if others := list(_others(config, info.config)):
        raise Lost(f"the stream has {'; '.join(others)}")
    if here.delivered is not None and here.delivered.stream_seq > info.state.last_seq:
        raise Lost("the stream is shorter than what was read of it")


def _others(config: StreamConfig, found: StreamConfig) -> Iterator[str]:
    for name in (
        *("subjects", "storage", "retention", "discard", "num_replicas", "max_age", "max_bytes"),
        *("max_msgs_per_subject", "max_msg_size", "duplicate_window", "allow_rollup_hdrs", "no_ack"),
    ):
        value = getattr(found, name)
        if value != getattr(config, name):
            yield f"{name} = {value}"


async def _servers(link: Client, most: int) -> list[dict[str, Any]]:
    inbox = link.new_inbox()
    hearing = await link.subscribe(inbox)
    await link.publish(SETTINGS_SUBJECT, json.dumps({"config": True}).encode(), reply=inbox)
    found: list[dict[str, Any]] = []
    try:
        async with asyncio.timeout(_ANSWERS_S):
            while len(found) < most:
                said = json.loads((await hearing.next_msg(_ANSWERS_S)).data)
                if "server" in said:
                    found.append(said)
    except TimeoutError:
        pass  # these are all that answer
    finally:
        await hearing.unsubscribe()
    return found


def _unfit(what: str, remedy: str) -> Stop:
    return Stop(f"NATS: {what}", f"{remedy} (docs/back-office.md).", Exit.USAGE)

"""``[nats]`` of FLOOR.toml."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

from cardshoe.floor.addresses import host_and_port
from cardshoe.process.http.tls import TlsFiles

Words = Annotated[str, Meta(min_length=1)]
Reader = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,32}\Z")]


class NatsSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    servers: Annotated[list[Words], Meta(min_length=1)]
    tls: TlsFiles
    subject: Words = "CN={}"
    readers: list[Reader] = []
    replicas: Literal[1, 3, 5] = 1
    keep_hours: Annotated[int, Meta(ge=1, le=24 * 31)] = 24
    keep_mib: Annotated[int, Meta(ge=64, le=1 << 24)] = 4096


def faults_of_nats(section: NatsSection) -> Iterator[str]:
    for server in section.servers:
        try:
            host_and_port(server)
        except ValueError as error:
            yield f"nats.servers: {error}"
    if section.subject.count("{}") != 1:
        yield f"nats.subject: {section.subject!r} must hold one {{}} for the table's id, such as O=House,CN={{}}"
    if len(section.servers) < section.replicas:
        yield f"nats.replicas: {section.replicas} replicas need as many servers, and {len(section.servers)} are listed"
    if len(set(section.readers)) < len(section.readers):
        yield "nats.readers: a name is listed twice"

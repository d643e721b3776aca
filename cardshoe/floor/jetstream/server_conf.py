"""The configuration of a NATS server for this floor."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.x509.oid import NameOID
from msgspec import Struct

from cardshoe.floor.jetstream.section import NatsSection
from cardshoe.floor.jetstream.stream import SETTINGS_SUBJECT
from cardshoe.journal.delivery.subjects import ANSWERS, ASKS, BEGUN, LINES, PAYLOAD_BYTES, STREAM, token
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.plain_file import read_plain

SPARE_MIB: Final = 64


class ServerPlace(Struct, frozen=True, kw_only=True):
    name: str
    listen: str
    store: str
    certificate: str
    key: str
    authority: str
    cluster: str = ""
    routes: Sequence[str] = ()


def server_conf(section: NatsSection, tables: Iterable[str], at: ServerPlace) -> str:
    head = [
        "# Written by `cardshoe floor nats-config`: after a change of floor.toml or of the list of tables write it",
        "# again, and reload the server.",
        f"server_name: {_text(at.name)}",
        f"listen: {_text(at.listen)}",
        f"max_payload: {PAYLOAD_BYTES}",
        *_block("tls", [*_tls(at), "verify_and_map: true", "timeout: 5"]),
        *_block(
            "jetstream",
            [
                f"store_dir: {_text(at.store)}",
                "# Without it a server acknowledges what is not on its disk for up to two minutes.",
                "sync_interval: always",
                f"max_file_store: {section.keep_mib + SPARE_MIB}MB",
                f"max_memory_store: {SPARE_MIB}MB",
            ],
        ),
        *(_cluster(at) if at.cluster else []),
    ]
    export = f'service: {_text(SETTINGS_SUBJECT)}, accounts: ["FLOOR"], response_type: "Stream"'
    system = [f"exports: [ {{ {export} }} ]"]
    floor = [
        "jetstream: enabled",
        f"imports: [ {{ service: {{ account: SYS, subject: {_text(SETTINGS_SUBJECT)} }} }} ]",
        *_block("users:", list(_users(section, tables)), "[]"),
    ]
    accounts = _block("accounts", [*_block("SYS", system), *_block("FLOOR", floor)])
    return "\n".join([*head, "system_account: SYS", *accounts]) + "\n"


def _users(section: NatsSection, tables: Iterable[str]) -> Iterator[str]:
    yield from _user(
        _own_name(section.tls.certificate),
        [f"{ANSWERS}.>", BEGUN, "$JS.API.>", "$JS.ACK.>", SETTINGS_SUBJECT],
        [f"{ASKS}.*.*", "_INBOX.>"],
    )
    for table in tables:
        own = token(table)
        yield from _user(
            _name(section.subject, table), [f"{LINES}.{own}", f"{ASKS}.{own}.*"], [f"{ANSWERS}.{own}.>", BEGUN]
        )
    for reader in section.readers:
        # It reads by a consumer of its own name, and can touch no other: neither the floor's nor the stream.
        place = f"{STREAM}.{reader}"
        yield from _user(
            _name(section.subject, reader),
            [
                f"$JS.API.STREAM.INFO.{STREAM}",
                f"$JS.API.CONSUMER.INFO.{place}",
                f"$JS.API.CONSUMER.CREATE.{place}",
                f"$JS.API.CONSUMER.CREATE.{place}.>",
                f"$JS.API.CONSUMER.DURABLE.CREATE.{place}",
                f"$JS.API.CONSUMER.DELETE.{place}",
                f"$JS.API.CONSUMER.MSG.NEXT.{place}",
                f"$JS.ACK.{place}.>",
            ],
            [f"_INBOX_{reader}.>"],
        )


def _user(name: str, publish: Sequence[str], subscribe: Sequence[str]) -> list[str]:
    may = f"publish: {json.dumps(publish)}, subscribe: {json.dumps(subscribe)}"
    return [f"{{ user: {_text(name)}, permissions: {{ {may} }} }}"]


def _cluster(at: ServerPlace) -> list[str]:
    routes = json.dumps([f"nats://{route}" for route in at.routes])
    inner = [
        "name: cardshoe",
        f"listen: {_text(at.cluster)}",
        *_block("tls", [*_tls(at), "verify: true"]),
        f"routes: {routes}",
    ]
    return _block("cluster", inner)


def _tls(at: ServerPlace) -> list[str]:
    return [
        f"cert_file: {_text(at.certificate)}",
        f"key_file: {_text(at.key)}",
        f"ca_file: {_text(at.authority)}",
        'min_version: "1.3"',
    ]


def _block(name: str, inner: Sequence[str], brackets: str = "{}") -> list[str]:
    return [f"{name} {brackets[0]}", *(f"  {line}" for line in inner), brackets[1]]


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _name(subject: str, common_name: str) -> str:
    one = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])
    return subject.replace("{}", one.rfc4514_string().removeprefix("CN="))


def _own_name(certificate: str) -> str:
    try:
        return x509.load_pem_x509_certificate(read_plain(Path(certificate))).subject.rfc4514_string()
    except (OSError, ValueError) as error:
        raise Stop(
            f"{certificate}: {error}", "Name the floor's certificate at the NATS servers (PEM).", Exit.USAGE
        ) from error

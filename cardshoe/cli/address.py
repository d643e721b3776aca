"""Addresses on the command line: where a command listens."""

import contextlib
import ipaddress
from typing import Final

from cardshoe.process.exits import Exit, Stop

LOCALHOST: Final = "127.0.0.1"
HIGHEST_PORT: Final = 65535


def host_and_port(text: str, option: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit() and int(port) <= HIGHEST_PORT):
        raise Stop(f"{option} {text!r} is not an address", "Give HOST:PORT, such as 127.0.0.1:4001.", Exit.USAGE)
    return host.removeprefix("[").removesuffix("]") or LOCALHOST, int(port)


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False

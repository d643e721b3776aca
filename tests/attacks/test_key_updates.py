"""Attack: a device with a good certificate asks for another key of TLS with each record that it sends."""

import socket
import subprocess
from pathlib import Path
from typing import Final

import pytest

from protocols.tdp.states import Role
from protocols.tdp.tls import Plaintext, Secured, TlsStream
from tests.kit.certificates import DEVICE, context, needs_openssl, site
from tests.kit.waiting import PATIENCE_S

__all__ = ["site"]

UPDATES: Final = 200
HANDSHAKE_BYTES: Final = 4096
"""More than what the ends still have to say of the handshake: their end of it, and tickets."""


class Device:
    """A device that is OpenSSL's own server, behind a host's end of TLS."""

    def __init__(self, site: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self._server: Final = subprocess.Popen(
            ["openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-cert", f"{DEVICE}.pem", "-key",
             f"{DEVICE}.key", "-CAfile", "site.pem", "-Verify", "2", "-tls1_3", "-no_ticket", "-naccept", "1"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=site,
        )  # fmt: skip
        assert self._server.stdout is not None
        while self._server.stdout.readline() != b"ACCEPT\n":
            assert self._server.poll() is None
        self.host: Final = TlsStream(Role.HOST, context(site, Role.HOST), DEVICE)
        self._line: Final = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
        self.came = self.went = 0
        self.plain = b""

    def say(self, words: str) -> None:
        """Types at the server: K asks for another key, any other line is sent."""
        assert self._server.stdin is not None
        self._server.stdin.write(f"{words}\n".encode())
        self._server.stdin.flush()

    def exchange(self) -> list[Secured]:
        """Carries what the host has to say, and what the device says next."""
        out = self.host.bytes_to_send()
        self._line.sendall(out)
        data = self._line.recv(65536)
        assert data
        self.came, self.went = self.came + len(data), self.went + len(out)
        events = self.host.receive(data)
        self.plain += b"".join(one.data for one in events if isinstance(one, Plaintext))
        return [one for one in events if isinstance(one, Secured)]

    def close(self) -> None:
        self._line.close()
        self._server.kill()
        self._server.communicate()


@needs_openssl
@pytest.mark.timeout(60)
def test_a_flood_of_key_updates_is_answered_one_by_one_and_brings_nothing(site: Path) -> None:
    device = Device(site)
    try:
        while not device.exchange():
            continue
        device.came = device.went = 0
        records = device.host.records
        for _ in range(UPDATES):
            device.say("K")
            device.exchange()
        assert device.host.records - records >= UPDATES
        assert device.went <= device.came + HANDSHAKE_BYTES
        assert (device.plain, device.host.waiting) == (b"", 0)
        device.say("a card")
        while not device.plain:
            device.exchange()
        assert device.plain == b"a card\n"
    finally:
        device.close()

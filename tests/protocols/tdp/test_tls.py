"""TLS over the link and a bad line."""

import random
import ssl
from pathlib import Path

import pytest

from protocols.tdp.link import LinkEvent, Received, SessionOpened
from protocols.tdp.states import Role
from protocols.tdp.tls import Plaintext, Secured, TlsFailed, TlsMisconfigured, TlsStream
from tests.kit import certificates
from tests.kit.certificates import NAMES, context, der, site
from tests.protocols.tdp.lines import BAD, DEVICE, HOST, Faults, Pair, exchange, made

__all__ = ["site"]


pytestmark = certificates.needs_openssl


def streams(folder: Path, host: str | None = None, device: str | None = None) -> list[TlsStream]:
    return [
        TlsStream(Role.HOST, context(folder, Role.HOST, host), NAMES[Role.DEVICE]),
        TlsStream(Role.DEVICE, context(folder, Role.DEVICE, device)),
    ]


def test_both_ends_see_the_other_s_certificate(site: Path) -> None:
    ends = streams(site)
    events = exchange(ends)
    assert events == ([Secured(der(site, NAMES[Role.DEVICE]))], [Secured(der(site, NAMES[Role.HOST]))])
    ends[DEVICE].send(b"a card")
    ends[DEVICE].send(b"")
    ends[HOST].send(b"an acknowledgement")
    assert exchange(ends) == ([Plaintext(b"a card")], [Plaintext(b"an acknowledgement")])


def test_the_end_of_tls_is_seen(site: Path) -> None:
    ends = streams(site)
    exchange(ends)
    ends[DEVICE].send(b"last")
    ends[DEVICE].close()
    assert ends[HOST].receive(ends[DEVICE].bytes_to_send()) == [Plaintext(b"last")]
    assert ends[HOST].closed
    assert not ends[DEVICE].closed
    with pytest.raises(TlsFailed):
        ends[DEVICE].send(b"after the end")
    fresh = streams(site)[HOST]
    fresh.close()
    assert not fresh.closed


@pytest.mark.parametrize(("host", "device"), [("intruder", None), (None, "intruder")])
def test_a_certificate_of_another_authority_is_refused(site: Path, host: str | None, device: str | None) -> None:
    ends = streams(site, host, device)
    with pytest.raises(TlsFailed, match=r"CERTIFICATE_VERIFY_FAILED|UNKNOWN_CA|certificate"):
        exchange(ends)
    failed = ends[DEVICE if host else HOST]
    alert = failed.bytes_to_send()
    assert alert, "the other end is told"
    with pytest.raises(TlsFailed):
        failed.receive(b"")
    with pytest.raises(TlsFailed):
        failed.send(b"anyway")
    failed.close()
    told = ends[HOST if host else DEVICE]
    with pytest.raises(TlsFailed):
        told.receive(alert)


def test_a_changed_byte_is_never_taken(site: Path) -> None:
    ends = streams(site)
    exchange(ends)
    ends[DEVICE].send(b"a card")
    record = bytearray(ends[DEVICE].bytes_to_send())
    record[-1] ^= 1
    with pytest.raises(TlsFailed) as caught:
        ends[HOST].receive(bytes(record))
    assert caught.value.role is Role.HOST
    assert str(caught.value).startswith("TLS at the host: ")


def test_nothing_is_sent_before_the_handshake_is_done(site: Path) -> None:
    with pytest.raises(TlsFailed, match="before the handshake"):
        streams(site)[HOST].send(b"early")


def test_a_context_that_allows_less_is_refused(site: Path) -> None:
    older = context(site, Role.HOST)
    older.minimum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises(TlsMisconfigured, match="TLSv1_3"):
        TlsStream(Role.HOST, older, NAMES[Role.DEVICE])
    blind = context(site, Role.DEVICE)
    blind.verify_mode = ssl.CERT_NONE
    with pytest.raises(TlsMisconfigured, match="CERT_REQUIRED"):
        TlsStream(Role.DEVICE, blind)


class Secure:
    """A pair of links with TLS over their streams."""

    def __init__(self, folder: Path, seed: int, faults: Faults) -> None:
        self.pair: Pair = made(seed, faults)
        self.folder = folder
        self.ends: list[TlsStream | None] = [None, None]
        self.plain = [b"", b""]
        self.secured_s: list[float] = []
        self.carried = 0

    def step(self, until_s: float) -> None:
        self.pair.step(until_s)
        for end in (HOST, DEVICE):
            events = list(self.pair.events[end])
            self.pair.events[end].clear()
            for event in events:
                self._take(end, event)
            tls = self.ends[end]
            if tls is not None and self.pair.links[end].session is not None:
                data = tls.bytes_to_send()
                self.carried += len(data)
                self.pair.links[end].send(data)
        self.pair.flush()

    def _take(self, end: int, event: LinkEvent) -> None:
        tls = self.ends[end]
        if isinstance(event, SessionOpened):
            self.ends[end] = streams(self.folder)[end]
        elif isinstance(event, Received) and tls is not None:
            for item in tls.receive(event.data):
                if isinstance(item, Plaintext):
                    self.plain[end] += item.data
                else:
                    self.secured_s.append(self.pair.now_s)


def test_handshake_at_115200_baud_is_small_and_fast(site: Path) -> None:
    secure = Secure(site, 1, Faults())
    while len(secure.secured_s) < 2:
        secure.step(10.0)
    assert secure.pair.now_s < 1.0
    assert secure.carried < 4000


@pytest.mark.parametrize("seed", range(3))
def test_tls_over_a_bad_line_loses_and_changes_nothing(site: Path, seed: int) -> None:
    secure = Secure(site, seed, BAD)
    sent = [random.Random(seed + end).randbytes(3000) for end in (HOST, DEVICE)]
    waiting = [HOST, DEVICE]
    while secure.plain != [sent[DEVICE], sent[HOST]]:
        for end in tuple(waiting):
            tls = secure.ends[end]
            if tls is not None and tls.secured:
                tls.send(sent[end])
                waiting.remove(end)
        secure.step(secure.pair.now_s + 1)
        assert secure.pair.now_s < 60
    assert secure.pair.line.harmed > 0

"""A whole end of TDP, plain or with TLS, against a device that says anything in a session that is sound."""

from collections.abc import Iterable
from typing import Final

from protocols.tdp.endpoint import Endpoint, EndpointLost, EndpointReady, MessageReceived
from protocols.tdp.handshake import Security, Terms
from protocols.tdp.link import Link, Received, SessionLost, SessionOpened
from protocols.tdp.messages import Done
from protocols.tdp.states import Role
from protocols.tdp.tls import Secured, TlsFailed, TlsStream
from tests.fuzz.target import Supply, Target
from tests.fuzz.targets.tls import NAME, contexts
from tests.vectors.tdp import golden

STEP_S: Final = 0.05
_STEPS_MAX: Final = 30
_RECOVERY_STEPS: Final = 100
"""Five seconds: more than the pause after a failure and the opening of a session."""
_ANSWER_STEPS: Final = 3
"""Steps until an earlier message may be acknowledged; the window may be full until then."""
_GOLDEN: Final = {vector.name: bytes.fromhex(vector.wire) for vector in golden.MESSAGES}
_DONE: Final = _GOLDEN["done"]


class Device:
    """The other end, made of a true link and true TLS, over which anything can be said."""

    def __init__(self, security: Security) -> None:
        self.link: Final = Link(Role.DEVICE, 41, Terms(security=security))
        self._tls: TlsStream | None = None
        self._is_secure: Final = security is Security.TLS13
        self.link.open(0.0)

    @property
    def can_speak(self) -> bool:
        """True if a session stands, with TLS if it is to have it."""
        return self.link.session is not None and (not self._is_secure or (self._tls is not None and self._tls.secured))

    def receive(self, data: bytes, now_s: float) -> None:
        """Take bytes; whatever harm was done to TLS is the fuzzer's."""
        for event in self.link.receive(data, now_s):
            if isinstance(event, SessionOpened):
                self._tls = TlsStream(Role.DEVICE, contexts()[1]) if self._is_secure else None
            elif isinstance(event, SessionLost):
                self._tls = None
            elif isinstance(event, Received) and self._tls is not None:
                try:
                    done = self._tls.receive(event.data)
                except TlsFailed:
                    self._tls = None
                    continue
                assert all(isinstance(one, Secured) for one in done), "the host said something by itself"
                self.link.send(self._tls.bytes_to_send())

    def say(self, *parts: bytes, raw: bool = False) -> None:
        """Put each part into the stream, each in a record of its own; ``raw`` goes past TLS."""
        for part in parts:
            if self._tls is not None and not raw:
                self._tls.send(part)
                self.link.send(self._tls.bytes_to_send())
            else:
                self.link.send(part)


def check_endpoint(data: bytes) -> None:
    """Messages come only between ``EndpointReady`` and ``EndpointLost``; the next session is sound."""
    supply = Supply(data)
    security = Security.TLS13 if supply.number() & 1 else Security.PLAIN
    context = contexts()[0] if security is Security.TLS13 else None
    host, device = Endpoint(Role.HOST, 7, Terms(security=security), context, NAME), Device(security)
    host.open(0.0)
    now_s, is_ready = 0.0, False
    heard: list[object] = []

    def exchange() -> None:
        nonlocal now_s, is_ready
        now_s += STEP_S
        for event in host.receive(device.link.bytes_to_send(now_s), now_s):
            if isinstance(event, EndpointReady | EndpointLost):
                assert is_ready == isinstance(event, EndpointLost), f"{event} comes out of turn"
                is_ready = not is_ready
            elif isinstance(event, MessageReceived):
                assert is_ready, f"{event} was said in no session"
                heard.append(event.message)
        assert host.ready == is_ready
        device.receive(host.bytes_to_send(now_s), now_s)

    for _ in range(_STEPS_MAX):
        exchange()
        if device.can_speak and supply.is_left:
            how = supply.number()
            device.say(*(supply.piece() for _ in range(1 + how % 4)), raw=how & 0xF0 == 0xF0)
    heard.clear()
    device.link.line_lost(now_s)
    host.line_lost(now_s)
    for _ in range(_RECOVERY_STEPS):
        exchange()
        if is_ready and device.can_speak:
            device.say(_DONE)
            for _ in range(_ANSWER_STEPS):
                exchange()
            break
    assert Done(9) in heard, "after whatever was said, no session comes up any more"


def _seeds() -> Iterable[bytes]:
    messages = [_GOLDEN[name] for name in ("done", "heartbeat", "cut card", "status: fault, cover open")]
    said = b"".join(bytes([0, len(one)]) + one for one in messages)
    bad = b"\x00\x05\x00\x03\x99\x00\x00"
    broken = b"\x03\x02\x00\x00" + b"".join(bytes([len(one)]) + one for one in messages[:3])
    past = b"\xf0\x04\x16\x03\x03\x00"
    # Two records at once, the first of which ends the session: what is in the second was said in none.
    last = b"\x00" + bytes([len(_DONE)]) + _DONE + b"\x01\x02\x00\x00" + bytes([len(_DONE)]) + _DONE
    return [b"\x01" + last] + [
        tls + rest for tls in (b"\x00", b"\x01") for rest in (said, said + bad + said, broken + said, said + past)
    ]


TARGETS: Final = {"tdp-endpoint": Target(check_endpoint, _seeds, short_runs=50, max_bytes=1024)}

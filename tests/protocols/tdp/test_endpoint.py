"""Two whole ends over a line in virtual time: plain and with TLS, and what happens when either fails."""

import random
import shutil
import ssl
from collections.abc import Sequence
from pathlib import Path

import pytest

from protocols.garbage import Garbage, NotUnderstood
from protocols.tdp.codec import encode_message
from protocols.tdp.codes import Face, RefusalReason
from protocols.tdp.commands import DeviceCommand, EventAcknowledged, Lock, Unlock
from protocols.tdp.endpoint import (
    AFTER_FAILURE_S,
    STALLED_S,
    Endpoint,
    EndpointEvent,
    EndpointLost,
    EndpointNotReady,
    EndpointReady,
    MessageReceived,
    TlsRejected,
)
from protocols.tdp.events import CardDrawn
from protocols.tdp.framing import HALF, Frame, FrameKind, encode_frame
from protocols.tdp.handshake import Security, Terms
from protocols.tdp.link import BACKLOG_MAX, Link, LinkError, SessionRefused
from protocols.tdp.messages import Done, Message, Refused
from protocols.tdp.states import LinkState, Role
from protocols.tdp.timing import SILENCE_S
from protocols.tdp.tls import TlsMisconfigured
from tests.kit.certificates import NAMES, context, der, site
from tests.protocols.tdp.lines import BAD, DEVICE, HOST, NONE, Ends, Faults, Line

__all__ = ["site"]

PLAIN = Terms(security=Security.PLAIN)
CARD = CardDrawn(1, 2, 1, "8S", Face.DOWN, 99)
SESSION = 7 * HALF + 41
NEEDS_OPENSSL = pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make certificates")


class Table:
    """A host's and a device's endpoint on a line, and what each reported."""

    def __init__(self, host: Endpoint, device: Endpoint, faults: Faults = NONE, seed: int = 1) -> None:
        self.ends: Ends[Endpoint] = Ends(Line(random.Random(seed), faults), [host, device])
        self.host, self.device = host, device
        self.ends.open()

    def run(self, for_s: float) -> None:
        self.ends.run(self.ends.now_s + for_s)

    def say(self, end: int, *messages: Message) -> None:
        for message in messages:
            self.ends.links[end].send(message)
        self.ends.flush()
        self.run(0.1)

    def write(self, end: int, data: bytes) -> None:
        """Put bytes into the stream past the codec, as a defective end would."""
        self.ends.links[end].link.send(data)
        self.ends.flush()
        self.run(0.1)

    def heard(self, end: int) -> list[EndpointEvent]:
        """The reports of an end since the last call."""
        heard: list[EndpointEvent] = list(self.ends.events[end])
        self.ends.events[end].clear()
        return heard


def plain_table(faults: Faults = NONE) -> Table:
    table = Table(Endpoint(Role.HOST, 7, PLAIN), Endpoint(Role.DEVICE, 40, PLAIN), faults)
    table.run(3.0 if faults is not NONE else 0.2)
    assert table.heard(HOST)[:1] == table.heard(DEVICE)[:1] == [EndpointReady(SESSION, None)]
    return table


def secured(folder: Path, role: Role, name: str | None = None) -> Endpoint:
    token, hostname = (7, NAMES[Role.DEVICE]) if role is Role.HOST else (40, None)
    return Endpoint(role, token, Terms(), context(folder, role, name), hostname)


def without_noise(events: Sequence[EndpointEvent]) -> list[EndpointEvent]:
    return [event for event in events if not isinstance(event, Garbage)]


def test_plain_ends_say_messages_both_ways() -> None:
    table = plain_table()
    assert (table.host.ready, table.device.ready) == (True, True)
    table.say(DEVICE, CARD)
    table.say(HOST, EventAcknowledged(1, 2), Lock(9))
    assert table.heard(HOST) == [MessageReceived(CARD)]
    assert table.heard(DEVICE) == [MessageReceived(EventAcknowledged(1, 2)), MessageReceived(Lock(9))]
    assert (table.host.backlog, table.device.backlog) == (0, 0)
    assert (table.host.unreadable, table.device.unreadable) == (0, 0)


def test_nothing_can_be_sent_before_a_session_is_ready_and_after_it_is_closed() -> None:
    host = Endpoint(Role.HOST, 7, PLAIN)
    assert host.next_deadline_s is None
    with pytest.raises(EndpointNotReady, match=r"Lock cannot be sent.*wait for EndpointReady") as caught:
        host.send(Lock(1))
    assert caught.value.message == Lock(1)
    table = plain_table()
    table.host.close()
    with pytest.raises(EndpointNotReady):
        table.host.send(Lock(1))
    table.ends.flush()
    table.run(0.1)
    assert table.heard(DEVICE) == [EndpointLost("reset")]
    assert table.device.link.state is LinkState.LISTENING
    assert not table.device.ready


@pytest.mark.parametrize("security", [Security.TLS13])
def test_an_end_set_to_tls_needs_certificates(security: Security) -> None:
    with pytest.raises(TlsMisconfigured, match="a certificate and whom to trust"):
        Endpoint(Role.HOST, 7, Terms(security=security))


def test_an_unreadable_command_is_refused_at_once_and_the_next_is_heard() -> None:
    table = plain_table()
    unknown, bad = bytes.fromhex("00 05 7A 00 00 00 09"), bytes.fromhex("00 07 57 00 00 00 0A 03 02")
    table.write(HOST, unknown + bad + encode_message(Lock(11)))
    assert table.heard(DEVICE) == [
        NotUnderstood(unknown[2:], "type", "7A"),
        NotUnderstood(bad[2:], "payload", "57"),
        MessageReceived(Lock(11)),
    ]
    assert table.heard(HOST) == [
        MessageReceived(Refused(9, RefusalReason.NOT_SUPPORTED)),
        MessageReceived(Refused(10, RefusalReason.BAD_VALUE)),
    ]
    assert table.device.unreadable == 2


def test_what_is_not_for_an_end_is_skipped_and_counted() -> None:
    table = plain_table()
    table.write(HOST, encode_message(CARD) + encode_message(Done(1)) + encode_message(Lock(2)))
    table.write(DEVICE, encode_message(Unlock(3, 1)) + encode_message(EventAcknowledged(1, 1)) + encode_message(CARD))
    at_device, at_host = table.heard(DEVICE), table.heard(HOST)
    assert at_device == [
        Garbage(encode_message(CARD)[2:], "type"),
        Garbage(encode_message(Done(1))[2:], "type"),
        MessageReceived(Lock(2)),
    ]
    assert [type(event) for event in at_host] == [Garbage, Garbage, MessageReceived]
    assert (table.device.unreadable, table.host.unreadable) == (2, 2)


def test_a_host_answers_nothing_that_it_cannot_read() -> None:
    table = plain_table()
    table.write(DEVICE, bytes.fromhex("00 05 7A 00 00 00 09"))
    assert table.heard(DEVICE) == []
    assert table.host.unreadable == 1


def test_a_refusal_for_which_there_is_no_room_is_let_go() -> None:
    table = plain_table()
    table.ends.line.unplug()
    card = encode_message(CARD)
    while True:
        try:
            table.device.send(CARD)
        except LinkError:
            break
    assert table.device.backlog > BACKLOG_MAX - len(card)
    unreadable = Frame(FrameKind.DATA, SESSION, payload=bytes.fromhex("00 05 7A 00 00 00 09"))
    # 7 bytes fit exactly when so much is left; fill up what would let them through.
    while table.device.backlog < BACKLOG_MAX:
        table.device.link.send(b"\0")
    (event,) = table.device.receive(encode_frame(unreadable), table.ends.now_s)
    assert isinstance(event, Garbage)
    assert table.device.backlog == BACKLOG_MAX


@pytest.mark.parametrize("end", [HOST, DEVICE])
def test_a_stream_that_cannot_be_read_on_ends_its_session_and_the_next_begins(end: int) -> None:
    table = plain_table()
    broken = bytes.fromhex("FF FF 7A 00 00 00 09")
    table.write(1 - end, broken)
    assert table.heard(end)[:2] == [Garbage(broken, "length"), EndpointLost("unreadable")]
    table.run(0.1)
    told = table.heard(1 - end)
    assert told[0] == EndpointLost("reset"), "the end that closes says so"
    assert not any(isinstance(event, MessageReceived) for event in told), "no command is seen where nothing can be read"
    table.run(AFTER_FAILURE_S)
    assert (table.host.ready, table.device.ready) == (True, True)
    table.say(DEVICE, CARD)
    assert MessageReceived(CARD) in table.heard(HOST)


def test_a_host_does_not_come_back_at_once_to_what_it_cannot_read() -> None:
    table = plain_table()
    table.write(DEVICE, b"\xff\xff")
    table.run(AFTER_FAILURE_S - 0.2)
    assert not table.host.ready
    table.run(0.3)
    assert table.host.ready


def test_a_message_cut_off_with_its_session_is_forgotten() -> None:
    table = plain_table()
    whole = encode_message(CARD)
    table.write(DEVICE, whole[:9])
    assert table.heard(HOST) == []
    table.host.line_lost(table.ends.now_s)
    table.run(0.5)
    assert table.heard(HOST) == [EndpointLost("line"), EndpointReady(SESSION + HALF + 1, None)]
    table.say(DEVICE, CARD)
    assert table.heard(HOST) == [MessageReceived(CARD)]
    assert table.host.unreadable == 0


def test_both_ends_see_a_silent_line() -> None:
    table = plain_table()
    table.ends.line.unplug()
    table.run(SILENCE_S + 0.1)
    assert table.heard(HOST) == table.heard(DEVICE) == [EndpointLost("silence")]
    table.ends.line.plugged = True
    table.run(1.0)
    assert [type(event) for event in table.heard(HOST)] == [EndpointReady]


def test_a_new_host_takes_the_place_of_the_old_one() -> None:
    table = plain_table()
    table.ends.links[HOST] = Endpoint(Role.HOST, 99, PLAIN)
    table.ends.links[HOST].open(table.ends.now_s)
    table.ends.flush()
    table.run(0.2)
    assert table.heard(DEVICE) == [EndpointLost("replaced"), EndpointReady(99 * HALF + 42, None)]


def test_messages_come_whole_and_in_order_over_a_bad_line() -> None:
    table = plain_table(BAD)
    cards = [CardDrawn(1, number, number, "8S", Face.DOWN, 99) for number in range(1, 201)]
    commands: list[DeviceCommand] = [Unlock(number, number) for number in range(1, 101)]
    for card in cards:
        table.device.send(card)
    for command in commands:
        table.host.send(command)
    table.ends.flush()
    table.run(20.0)
    assert without_noise(table.heard(HOST)) == [MessageReceived(card) for card in cards]
    assert without_noise(table.heard(DEVICE)) == [MessageReceived(command) for command in commands]
    assert table.ends.line.harmed > 5
    assert (table.host.unreadable, table.device.unreadable) == (0, 0)


def test_ends_that_are_set_differently_find_no_session() -> None:
    table = Table(
        Endpoint(Role.HOST, 7, PLAIN), Endpoint(Role.DEVICE, 40, Terms(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER))
    )
    table.run(1.0)
    assert set(table.heard(HOST)) == {SessionRefused(4, 1, 1)}
    assert table.heard(DEVICE) == []


# --- with TLS ---------------------------------------------------------------------------------------------------------


@NEEDS_OPENSSL
@pytest.mark.parametrize("faults", [NONE, BAD], ids=["sound", "bad"])
def test_both_ends_are_ready_when_both_have_shown_their_certificates(site: Path, faults: Faults) -> None:
    table = Table(secured(site, Role.HOST), secured(site, Role.DEVICE), faults, seed=3)
    while not (table.host.ready and table.device.ready):
        table.run(0.1)
        assert table.ends.now_s < 30.0
    assert without_noise(table.heard(HOST)) == [EndpointReady(SESSION, der(site, NAMES[Role.DEVICE]))]
    assert without_noise(table.heard(DEVICE)) == [EndpointReady(SESSION, der(site, NAMES[Role.HOST]))]
    table.say(DEVICE, CARD)
    table.say(HOST, Lock(1))
    while (
        MessageReceived(CARD) not in table.ends.events[HOST]
        or MessageReceived(Lock(1)) not in table.ends.events[DEVICE]
    ):
        table.run(0.1)
        assert table.ends.now_s < 60.0
    assert without_noise(table.heard(HOST)) == [MessageReceived(CARD)]
    assert without_noise(table.heard(DEVICE)) == [MessageReceived(Lock(1))]


@NEEDS_OPENSSL
def test_each_session_has_a_tls_of_its_own(site: Path) -> None:
    table = Table(secured(site, Role.HOST), secured(site, Role.DEVICE))
    table.run(0.5)
    table.heard(HOST)
    table.host.line_lost(table.ends.now_s)
    table.run(0.02)
    assert not table.host.ready, "it is open, and not secured yet"
    with pytest.raises(EndpointNotReady):
        table.host.send(Lock(1))
    table.run(0.5)
    lost, ready = table.heard(HOST)
    assert lost == EndpointLost("line")
    assert isinstance(ready, EndpointReady)
    table.say(HOST, Lock(2))
    assert MessageReceived(Lock(2)) in table.heard(DEVICE)


@NEEDS_OPENSSL
@pytest.mark.parametrize(("host", "device"), [("intruder", None), (None, "intruder")])
def test_a_stranger_is_told_and_no_message_passes(site: Path, host: str | None, device: str | None) -> None:
    table = Table(secured(site, Role.HOST, host), secured(site, Role.DEVICE, device))
    table.run(1.0)
    at_host, at_device = table.heard(HOST), table.heard(DEVICE)
    finds = at_device if host else at_host
    assert any(isinstance(event, TlsRejected) and event.why for event in finds)
    assert not table.device.ready
    assert not any(isinstance(event, MessageReceived) for event in [*at_host, *at_device])


@NEEDS_OPENSSL
def test_a_host_waits_after_tls_failed(site: Path) -> None:
    table = Table(secured(site, Role.HOST), secured(site, Role.DEVICE, "intruder"))
    table.run(AFTER_FAILURE_S)
    assert sum(isinstance(event, TlsRejected) for event in table.heard(HOST)) == 1
    table.run(AFTER_FAILURE_S)
    assert sum(isinstance(event, TlsRejected) for event in table.heard(HOST)) == 1


@NEEDS_OPENSSL
def test_bytes_that_are_no_tls_end_the_session(site: Path) -> None:
    table = Table(secured(site, Role.HOST), secured(site, Role.DEVICE))
    table.run(0.5)
    table.heard(DEVICE)
    table.write(HOST, b"no record of TLS at all")
    insecure, lost = table.heard(DEVICE)
    assert isinstance(insecure, TlsRejected)
    assert lost == EndpointLost("insecure")
    table.run(0.2)
    assert table.device.ready, "the device listens again at once, and the host is back"


@NEEDS_OPENSSL
def test_the_end_of_tls_is_the_end_of_the_session(site: Path) -> None:
    device_tls = context(site, Role.DEVICE)
    table = Table(secured(site, Role.HOST), Endpoint(Role.DEVICE, 40, Terms(), device_tls))
    table.run(0.5)
    table.heard(HOST)
    tls = table.device._tls  # noqa: SLF001  nothing of ours ends TLS before its session; another maker's device may
    assert tls is not None
    tls.close()
    table.write(DEVICE, tls.bytes_to_send())
    assert table.heard(HOST) == [EndpointLost("closed")]
    table.run(AFTER_FAILURE_S + 0.5)
    assert table.host.ready


@pytest.mark.parametrize("begun", [b"\x17\x03", b"\x17\x03\x03\x00\x20cut off"], ids=["header", "body"])
@pytest.mark.parametrize("to", [HOST, DEVICE])
@NEEDS_OPENSSL
def test_a_record_that_is_never_whole_ends_the_session(site: Path, to: int, begun: bytes) -> None:
    table = Table(secured(site, Role.HOST), secured(site, Role.DEVICE))
    table.run(1.0)
    table.write(1 - to, begun)
    table.heard(HOST), table.heard(DEVICE)
    table.run(STALLED_S - 0.2)
    assert table.heard(to) == [], "the rest may come yet"
    table.run(0.2)
    assert table.heard(to) == [TlsRejected("a record was begun and not finished in 10 s"), EndpointLost("insecure")]
    table.run(AFTER_FAILURE_S + 1.0)
    assert [type(event) for event in table.heard(to)] == [EndpointReady]
    assert (table.host.ready, table.device.ready) == (True, True)
    table.say(DEVICE, CARD)
    assert MessageReceived(CARD) in table.heard(HOST)


@NEEDS_OPENSSL
def test_a_handshake_that_nobody_answers_ends_the_session_though_the_link_lives(site: Path) -> None:
    host = secured(site, Role.HOST)
    mute = Link(Role.DEVICE, 40)
    ends: Ends[Endpoint | Link] = Ends(Line(random.Random(1), NONE), [host, mute])
    ends.open()
    ends.run(STALLED_S - 0.2)
    assert ends.events[HOST] == []
    ends.run(STALLED_S + 0.2)
    assert ends.events[HOST] == [TlsRejected("the handshake was begun and not finished in 10 s")]
    assert mute.session is None


@NEEDS_OPENSSL
def test_a_stream_whose_records_go_on_is_not_unfinished(site: Path) -> None:
    table = Table(secured(site, Role.HOST), secured(site, Role.DEVICE))
    table.run(1.0)
    started_s = table.ends.now_s
    while table.ends.now_s < started_s + 2 * STALLED_S:
        table.say(DEVICE, CARD)
    assert table.host.ready
    assert not any(isinstance(event, TlsRejected | EndpointLost) for event in table.heard(HOST))

"""Sections 9 and 12: every card once, in order, until the host has it."""

import itertools
from typing import Final

from conformance import manual_steps
from conformance.check import Checks
from conformance.check_result import CheckSkipped, require
from conformance.faces import FACES, require_all_read
from conformance.tdp.limits import EVENT_S
from conformance.tdp.rig import TdpRig, cards_reported
from conformance.tdp.session import HostSession
from protocols.tdp.codec import LENGTH_BYTES, encode_message
from protocols.tdp.codes import Capability, Condition, DeviceState, Face
from protocols.tdp.commands import EventAcknowledged
from protocols.tdp.events import CardDrawn, CutCardDrawn, DeviceEvent, PacketDispensed
from protocols.tdp.messages import Heartbeat, Status

CHECKS: Final[Checks[TdpRig]] = Checks("events")

_EVENTS: Final = "9. Events: device to host"
_ONCE: Final = "12. Exactly once"
_OUTBOX: Final = "the outbox: an event is kept before it is sent, and forgotten when it is acknowledged, never before"
_CARDS: Final = 3
_FEW: Final = 2
_HIGHER_BYTES: Final = (1 << 8, 1 << 16, 1 << 24)


@CHECKS.check(_EVENTS, "the numbering of events: one counter, counted on with each event and with nothing else")
def numbered_without_a_gap(rig: TdpRig) -> None:
    """Events are numbered 1, 2, … within a boot, without a gap, and carry the boot count of Hello."""
    session = rig.ready()
    rig.unacknowledged(session)
    events: list[DeviceEvent] = []
    for _ in range(_CARDS):
        events += rig.deal(session, 1)
    numbers = [event.number for event in session.events()]
    first = numbers[0] if numbers else 0
    require(numbers == list(range(first, first + len(numbers))), "numbers without a gap", numbers)
    for event in events:
        boot = rig.hello.boot_count
        require(event.boot == boot, f"boot {boot}, as in Hello", event, encode_message(event))
    rig.acknowledge_all(session)


@CHECKS.check(_EVENTS, "count: the cards that have left since StackLoaded, those of this event included")
def count_grows_with_each_card(rig: TdpRig) -> None:
    """The count of an event is that of the one before plus its own cards; Status has the same."""
    session = rig.ready()
    rig.stocked(session)
    before = session.status.count if session.status is not None else 0
    for by_hand in (*rig.ways(), rig.ways()[0]):
        for event in rig.deal(session, 1, by_hand=by_hand):
            before += cards_reported([event])
            told = event.count if isinstance(event, CardDrawn | PacketDispensed) else -1
            require(told == before, f"count {before}", event, _raw(event))
    rig.wait_for_silence(session)
    status = session.status
    require(status is not None and status.count == before, f"count {before} in Status", status)


@CHECKS.check("8. Reports: device to host", "Status: again whenever any of it changes")
def status_follows_the_cards(rig: TdpRig) -> None:
    """When cards leave, Status comes again: its count is as much higher, and as many cards fewer are in the device."""
    session = rig.ready()
    rig.stocked(session)
    rig.wait_for_silence(session)
    before = session.status
    rig.deal(session, _FEW)
    rig.wait_for_silence(session)
    after = session.status
    require(before is not None and after is not None, "Status", (before, after))
    if before is not None and after is not None:
        raw = encode_message(after)
        require(after.count == before.count + _FEW, f"count {before.count + _FEW}", after, raw)
        left = before.stack_cards - _FEW
        require(after.stack_cards == left, f"{left} cards in the device", after, raw)


@CHECKS.check(_ONCE, _OUTBOX)
def kept_until_acknowledged(rig: TdpRig) -> None:
    """Events that were not acknowledged come again in a new session, the same, in order, after Hello and Status."""
    session = rig.ready()
    before = rig.unacknowledged(session)
    rig.deal(session, _CARDS)
    kept = session.events()[before:]
    for _ in range(2):
        rig.hang_up()
        session = rig.open()
        rig.unacknowledged(session)
        rig.greeted(session)
        session.pump(EVENT_S, lambda: len(session.events()) >= len(kept))  # noqa: B023  called within this turn
        _same(kept, session.events())
        kinds = [isinstance(taken.message, DeviceEvent) for taken in session.log[:2]]
        require(kinds == [False, False], "Hello and Status before any event", session.log[:2])
    rig.acknowledge_all(session)


@CHECKS.check(
    "9. Events; 10. Commands; 12. Exactly once",
    "the number of the permit: it is kept with the event, and told with each card that left under it",
)
def permit_is_echoed(rig: TdpRig) -> None:
    """A card is reported with the number of the permit under which it left, however late; 0 under one without one."""
    session = rig.ready()
    if not rig.card_commands():
        raise CheckSkipped("the device lets cards out without being asked: no permit to tell back")
    before = rig.unacknowledged(session)
    permits = [rig.bench.rng.randrange(1, 1 << 32), 0, (1 << 32) - 1]
    for by_hand, permit in itertools.product(rig.ways(), permits):
        at = len(session.events())
        for event in rig.deal(session, _FEW, permit, by_hand=by_hand):
            told = getattr(event, "permit", None)
            require(told == permit, f"permit {permit} with each card that left under it", event, _raw(event))
        require(len(session.events()) > at, "events", "none")
    kept = session.events()[before:]
    rig.hang_up()
    session = rig.open()
    rig.unacknowledged(session)
    rig.greeted(session)
    rig.drained(session)
    rig.deal(session, 1, permits[0] ^ 1)
    _same(kept, session.events()[: len(kept)])
    rig.acknowledge_all(session)


@CHECKS.check(_ONCE, _OUTBOX)
def acknowledged_never_again(rig: TdpRig) -> None:
    """Events that were acknowledged do not come again."""
    session = rig.ready()
    rig.unacknowledged(session)
    rig.deal(session, 2)
    rig.acknowledge_all(session)
    rig.forgotten(session)
    rig.hang_up()
    session = rig.open()
    rig.greeted(session)
    rig.wait_for_silence(session)
    again = session.events()
    require(not again, "no event: all were acknowledged", again, _raw(again[0]) if again else b"")


@CHECKS.check(_ONCE, "EventAcknowledged: this event and all before it, and none after it")
def acknowledged_up_to(rig: TdpRig) -> None:
    """An acknowledgement stands for the event that it names and all before it, and for none after it."""
    session = rig.ready()
    before = rig.unacknowledged(session)
    while len(session.events()) < before + _CARDS:
        rig.deal(session, 1)
    events = session.events()[before:]
    session.confirm(events[-2].key)
    rig.wait_for_silence(session)
    rig.hang_up()
    session = rig.open()
    rig.unacknowledged(session)
    rig.greeted(session)
    rig.wait_for_silence(session)
    _same(events[-1:], session.events())
    rig.acknowledge_all(session)


def require_kept(rig: TdpRig, session: HostSession, kept: list[DeviceEvent]) -> None:
    """The next session brings these events again."""
    rig.wait_for_silence(session)
    rig.hang_up()
    session = rig.open()
    rig.unacknowledged(session)
    rig.greeted(session)
    came = -1
    while came < len(session.events()) < len(kept):  # a slow line brings thousands in more than one wait
        came = len(session.events())
        session.pump(EVENT_S, lambda: len(session.events()) >= len(kept))
    _same(kept, session.events())
    rig.acknowledge_all(session)


@CHECKS.check(_ONCE, "an acknowledgement of an event that never was: of another boot, or a number too high")
def acknowledgement_of_the_future_ignored(rig: TdpRig) -> None:
    """An acknowledgement of an event that the device never had is ignored."""
    session = rig.ready()
    before = rig.unacknowledged(session)
    rig.deal(session, 1)
    kept = session.events()[before:]
    last = kept[-1]
    for boot, number in ((last.boot, last.number + 1000), (last.boot + 5, 1), (0xFFFFFFFF, 0xFFFFFFFF)):
        session.send(EventAcknowledged(boot, number))
    require_kept(rig, session, kept)


@CHECKS.check(_ONCE, "EventAcknowledged: all four bytes of boot and of number")
def acknowledgement_is_read_whole(rig: TdpRig) -> None:
    """An acknowledgement with another higher byte of boot or number, of another type or length is ignored."""
    session = rig.ready()
    before = rig.unacknowledged(session)
    rig.deal(session, 1)
    kept = session.events()[before:]
    last = kept[-1]
    for more in _HIGHER_BYTES:
        session.send(EventAcknowledged(last.boot, last.number ^ more))
        session.send(EventAcknowledged(last.boot ^ more, last.number))
    right = encode_message(EventAcknowledged(last.boot, last.number))[LENGTH_BYTES:]
    for wrong in (bytes([right[0] + 1]) + right[1:], right + b"\x00"):
        session.send_bytes(len(wrong).to_bytes(LENGTH_BYTES) + wrong)
    require_kept(rig, session, kept)


@CHECKS.check("8. Reports; 12. Exactly once", "Heartbeat: how many events wait")
def heartbeat_counts_what_waits(rig: TdpRig) -> None:
    """Heartbeat tells how many events wait for acknowledgement, and the number of the last one."""
    session = rig.ready()
    before = rig.unacknowledged(session)
    rig.deal(session, _CARDS)
    kept = session.events()[before:]
    session.forget()
    beat = session.wait_for(Heartbeat, EVENT_S, "a heartbeat")
    raw = encode_message(beat)
    require(beat.pending == len(kept), f"{len(kept)} pending", beat, raw)
    require(beat.last_number == kept[-1].number, f"last number {kept[-1].number}", beat, raw)
    rig.acknowledge_all(session)
    session.forget()
    session.wait_for(Heartbeat, EVENT_S, "a heartbeat with nothing pending", lambda one: one.pending == 0)


@CHECKS.check(_EVENTS, "a card that cannot be read: it has left all the same")
def unread_card_is_reported(rig: TdpRig) -> None:
    """A card that was not read is reported as such, with face 0 and confidence 0, and counts."""
    session = rig.ready()
    rig.needs(Capability.READS_CARDS)
    for by_hand in rig.ways():
        rig.stocked(session)
        rig.act(session, manual_steps.UNREAD)
        before = session.status.count if session.status is not None else 0
        metered = _metered(rig, session)
        for event in rig.deal(session, 1, by_hand=by_hand):
            if isinstance(event, CardDrawn):
                unread = (event.card, event.face, event.confidence) == (None, Face.UNKNOWN, 0)
                right = unread and event.count == before + 1
                require(right, f"no card, face 0, confidence 0, count {before + 1}", event, encode_message(event))
            elif isinstance(event, PacketDispensed):
                require(event.cards == (None,), "a packet of one card that was not read", event, encode_message(event))
        counted = _metered(rig, session)
        added = [after - earlier for after, earlier in zip(counted, metered, strict=True)]
        require(added in ([], [0, 1]), "one card more in the meter of those not read", f"read and not read: {added}")


@CHECKS.check(_EVENTS, "the reading of cards")
def cards_are_read(rig: TdpRig) -> None:
    """A device that reads cards names them, with a confidence of more than 0."""
    session = rig.ready()
    rig.needs(Capability.READS_CARDS)
    read = 0
    metered = _metered(rig, session)
    for _ in range(_CARDS):
        for event in rig.deal(session, 1):
            if isinstance(event, CardDrawn) and event.card is not None:
                read += 1
                if not event.confidence:
                    rig.bench.observe("a card that was read has confidence 0")
            elif isinstance(event, PacketDispensed):
                read += sum(card is not None for card in event.cards)
    require(read, f"{_CARDS} cards named", "none of them was read")
    counted = _metered(rig, session)
    added = [after - earlier for after, earlier in zip(counted, metered, strict=True)]
    right = added in ([], [read, _CARDS - read])
    require(right, f"{read} more in the meter of cards read", f"read and not read: {added}")


@CHECKS.check(_EVENTS, "the reader: the faces that differ")
def all_faces(rig: TdpRig) -> None:
    """Each of the 52 faces is read as what it is, of a deck in known order."""
    session = rig.ready()
    rig.needs(Capability.READS_CARDS)
    if rig.can(Capability.SHUFFLES) or rig.can(Capability.DISPENSES):
        raise CheckSkipped("the device shuffles or dispenses: the order of its cards is not known")
    rig.load(session, manual_steps.load_in_order(FACES))
    before = len(session.events())
    stack = session.status.stack_cards if session.status is not None else 0
    if rig.can(Capability.LOCKS):
        rig.unlocked(session, len(FACES))
    last = 0 if rig.bench.helper.is_person else 1  # by itself
    pulled = rig.attempt(session, manual_steps.draw(len(FACES) - last))
    if last and pulled.done:
        rig.wait_for_silence(session)
        status = session.status
        idle = status is not None and status.state is DeviceState.IDLE and status.stack_cards > 0
        require(not idle, "another state than 0 while cards are in the device", status)
        pulled = rig.attempt(session, manual_steps.draw())
    session.pump(EVENT_S, lambda: cards_reported(session.events()[before:]) >= len(FACES))
    if any(isinstance(event, CutCardDrawn) for event in session.events()[before:]):  # it was one of those drawn
        rig.act(session, manual_steps.draw(1))
        session.pump(EVENT_S, lambda: cards_reported(session.events()[before:]) >= len(FACES))
    told = [event.card for event in session.events()[before:] if isinstance(event, CardDrawn)]
    rig.wait_for_silence(session)
    status = session.status
    left = status is not None and status.stack_cards == stack - len(told)
    require(left, f"{stack - len(told)} cards in the device", status)
    if not pulled.done:
        locked = status is not None and status.conditions == Condition.LOCKED and not status.key_position
        early = rig.can(Capability.LOCKS) and locked and 0 < len(told) < stack
        require(not early, f"open until {len(FACES)} cards are drawn", f"locked after {len(told)}: {status}")
        raise CheckSkipped(f"{len(FACES)} cards could not be drawn: {pulled.text}")
    require_all_read(rig.bench, told)


@CHECKS.check("8. Reports; 9. Events", "the order of what is said: an event before the Status that it changed")
def event_before_status(rig: TdpRig) -> None:
    """An event comes before the Status that it changed."""
    session = rig.ready()
    rig.stocked(session)
    before = session.status.count if session.status is not None else 0
    at = len(session.log)
    rig.deal(session, 1)
    rig.wait_for_silence(session)
    kinds = [
        "event" if isinstance(taken.message, CardDrawn | PacketDispensed) else "Status"
        for taken in session.log[at:]
        if isinstance(taken.message, CardDrawn | PacketDispensed)
        or (isinstance(taken.message, Status) and taken.message.count > before)
    ]
    require(kinds[:1] == ["event"], "the card's event, then Status with its count", kinds)


def _metered(rig: TdpRig, session: HostSession) -> list[int]:
    meters = rig.metered(session)
    return [] if meters is None else [meters.cards_read, meters.cards_not_read]


def _same(expected: list[DeviceEvent], came: list[DeviceEvent]) -> None:
    keys = [(event.boot, event.number) for event in expected]
    seen = [(event.boot, event.number) for event in came]
    require(came == expected, f"the same events again: {keys}", f"{seen}", b"".join(map(_raw, came)))


def _raw(event: DeviceEvent) -> bytes:
    return encode_message(event)

"""Section 12, D5 to D7: an outbox without room keeps cards in."""

from typing import Final

from conformance import manual_steps
from conformance.check import Checks
from conformance.check_result import CheckSkipped, require
from conformance.tdp.event_checks import require_kept
from conformance.tdp.limits import EVENT_S, QUIET_S
from conformance.tdp.power_checks import restarted
from conformance.tdp.rig import TdpRig, cards_reported
from conformance.tdp.session import HostSession
from protocols.tdp.codec import encode_message
from protocols.tdp.codes import Capability, Condition, DeviceState, FaultCode, RefusalReason
from protocols.tdp.commands import ClearFault, DeviceCommand, Shuffle
from protocols.tdp.events import DeviceEvent, Fault, FaultCleared, KeyTurned, PowerRestored, ShuffleDone, StackLoaded
from protocols.tdp.messages import Refused, Status

CHECKS: Final[Checks[TdpRig]] = Checks("events")

_ONCE: Final = "12. Exactly once"
_CARDS: Final = 3
_PLACES: Final = 512
_RESERVE: Final = 16
_NEAR: Final = 4
_STEP: Final = 128
_PLACES_MAX: Final = 4096
_FAULTS: Final = 4


@CHECKS.check(_ONCE, "the outbox: 16 places are kept for what is no card, and nothing is dropped")
def full_outbox_keeps_cards_in(rig: TdpRig) -> None:
    """With 16 places free no card leaves: condition 3, Refused 8; 16 other events still come; it ends with room."""
    session = rig.ready()
    before = _stocked(rig, session)
    places = _filled(rig, session, before)
    for make in rig.card_commands():
        answer = session.do(make(rig.new_id(session)))
        full = isinstance(answer, Refused) and answer.reason == RefusalReason.EVENTS_PENDING
        require(full, "Refused 8", answer, encode_message(answer))
    position = session.status.key_position if session.status is not None else 0
    while len(session.events()) - before < places + _RESERVE:
        position ^= 1
        came = len(session.events())
        rig.act(session, manual_steps.key(position))
        session.pump(EVENT_S, lambda: len(session.events()) > came)  # noqa: B023  called within this turn
        kept = len(session.events()) - before - places
        require(len(session.events()) > came, f"{_RESERVE} more events, which have places", f"{kept}, {session.status}")
    rig.acknowledge_all(session)
    rig.wait_for_silence(session)
    require(not _is_full(session), "no condition 3 once all is acknowledged", session.status)
    rig.attempt(session, manual_steps.key(0))
    rig.deal(session, 1)


@CHECKS.check("10. Commands; 12. Exactly once", "the permit: a full outbox ends it, and room does not give it back")
def full_outbox_takes_back(rig: TdpRig) -> None:
    """A full outbox ends what was allowed: no card can be drawn, once there is room again either."""
    session = rig.ready()
    rig.needs(Capability.LOCKS)
    before = _stocked(rig, session)
    rig.unlocked(session, _CARDS)
    _filled(rig, session, before)
    cards = _drawn(rig, session)
    rig.acknowledge_all(session)
    rig.attempt(session, manual_steps.key(0))
    rig.wait_for_silence(session)
    cards += _drawn(rig, session)
    require(not cards, "no card that was allowed before the outbox was full", f"{cards}")


@CHECKS.check(_ONCE, "a full outbox: the device must stop and report it, never drop an event")
def no_place_left_stops(rig: TdpRig) -> None:
    """With no place left for an event the device stops: state 5, condition 2, fault 14; nothing is dropped unsaid."""
    session = rig.ready()
    before = _stocked(rig, session)
    happened = _overfilled(rig, session, before)
    kept = len(session.events()) - before
    status = session.status
    stopped = _has_stopped(session)
    if not stopped:
        require(kept == happened, f"{happened} events, or fault 14", f"{kept} events, and {status}")
        require_kept(rig, session, session.events()[before:])
        raise CheckSkipped(f"it keeps more than {kept} events")
    session.pump(QUIET_S)
    require(kept >= _PLACES, f"room for {_PLACES} events before it stops", f"{kept}")
    if rig.can(Capability.LOCKS) and status is not None:
        require(Condition.LOCKED in status.conditions, "condition 0, locked, as it stops", status)
    module = 0 if status is None else status.fault_module
    moving: list[DeviceCommand] = [make(rig.new_id(session)) for make in rig.card_commands()]
    for command in [*moving, ClearFault(rig.new_id(session), FaultCode.MEMORY_ERROR, module)]:
        answer = session.do(command)
        require(isinstance(answer, Refused), "a refusal when nothing can be reported", answer, encode_message(answer))
    rig.act(session, manual_steps.key(1))
    session.confirm(session.events()[before].key)
    rig.wait_for_silence(session)
    waits = _has_stopped(session) and not _reports_fault_14(session)
    require(waits, f"Fault 14 when more than {_RESERVE} places are free, not before", session.status)
    rig.acknowledge_all(session)
    session.pump(EVENT_S, lambda: not _has_stopped(session) or _reports_fault_14(session))
    session.pump(EVENT_S, lambda: _key_told(session) == 1)
    require(_key_told(session) == 1, "KeyTurned 1, which still holds", _key_told(session))
    rig.act(session, manual_steps.key(0))
    rig.wait_for_silence(session)
    loaded = [event for event in session.events()[before:] if isinstance(event, StackLoaded) and event.cards]
    require(not loaded, "no StackLoaded, as nothing was put in", loaded)
    is_cleared = any(isinstance(event, FaultCleared) for event in session.events()[before:])
    is_open = _reports_fault_14(session) and not is_cleared
    require(_has_stopped(session) or not is_open, "fault 14 in Status until it is cleared", session.status)
    told_late = len(session.events()) - before
    missing = happened - told_late
    require(
        missing <= 0 or _reports_fault_14(session), "the events that found no place, or Fault 14", f"{missing} missing"
    )
    rig.stocked(session)
    rig.deal(session, 1)


@CHECKS.check(_ONCE, "no place left: a fault ends all movement")
def no_place_left_stops_a_shuffle(rig: TdpRig) -> None:
    """A shuffle that meets an outbox without a place stops: no ShuffleDone follows Fault 14."""
    session = rig.ready()
    rig.needs(Capability.SHUFFLES)
    before = _stocked(rig, session)
    places = _filled(rig, session, before)
    kept = session.events()[before:]
    session.confirm(kept[len(kept) - places].key)
    session.pump(EVENT_S, lambda: not _is_full(session))
    rig.done(session, Shuffle)
    rig.act(session, manual_steps.turns(_RESERVE))
    session.pump(EVENT_S, lambda: _has_stopped(session))
    stopped = _has_stopped(session)
    shuffled = any(isinstance(event, ShuffleDone) for event in session.events()[before:])
    rig.acknowledge_all(session)
    require(stopped, f"fault 14, as {_RESERVE} places took more events", session.status)
    if shuffled:
        raise CheckSkipped("the shuffle was over before the outbox had no place")
    session.pump(EVENT_S, lambda: _reports_fault_14(session))
    if _reports_fault_14(session):
        session.none_of(ShuffleDone, EVENT_S, "no ShuffleDone of a shuffle that fault 14 ended")
    else:
        rig.bench.observe("the shuffle continues, as every event could be kept elsewhere")
    rig.stocked(session)


@CHECKS.check(_ONCE, "a start without a place: PowerRestored is owed, and comes as event 1 once there is room")
def start_without_a_place_is_reported(rig: TdpRig) -> None:
    """After a start with no place left the device has fault 14, and PowerRestored comes with room, as event 1."""
    session = rig.ready()
    before = _stocked(rig, session)
    happened = _overfilled(rig, session, before)
    if not _has_stopped(session):
        rig.acknowledge_all(session)
        raise CheckSkipped(f"it keeps more than {happened} events")
    session = restarted(rig, drain=False, confirms=False)
    rig.drained(session)
    stopped = _has_stopped(session)
    if not rig.can(Capability.KEEPS_EVENTS) and (not stopped or _reports_fault_14(session)):
        rig.acknowledge_all(session)
        rig.wait_for_silence(session)
        same = _has_stopped(session) == stopped
        require(same, f"{'fault' if stopped else 'no fault'} 14, as since the start, which found room", session.status)
        rig.stocked(session)
        return
    require(_has_stopped(session), "state 5, condition 2 and fault 14 after a start without a place", session.status)
    rig.acknowledge_all(session)
    boot = rig.hello.boot_count
    session.wait_for(PowerRestored, EVENT_S, "PowerRestored once there is room", lambda one: one.boot == boot)
    first = next(event for event in session.events() if event.boot == boot)
    right = isinstance(first, PowerRestored) and first.number == 1 and first.reason == rig.hello.boot_reason
    require(right, "PowerRestored as event 1 of its boot, with its reason", first, encode_message(first))
    rig.acknowledge_all(session)
    rig.stocked(session)


@CHECKS.check("8. Reports; 9. Events", "several faults: Status shows one that is open, and each is cleared alone")
def two_faults_end_one_by_one(rig: TdpRig) -> None:
    """A card sticks, then no event has a place: Status shows no fault but those reported and not cleared yet."""
    session = rig.ready()
    before = _stocked(rig, session)
    rig.jammed(session)
    happened = _overfilled(rig, session, before)
    overfilled = _has_stopped(session)
    rig.acknowledge_all(session)
    session.pump(EVENT_S, lambda: not _has_stopped(session) or _reports_fault_14(session))
    rig.act(session, manual_steps.FREE)
    rig.wait_for_silence(session)
    for _ in range(_FAULTS):
        status = session.status
        if status is None or not status.fault_code:
            break
        shown = (status.fault_code, status.fault_module)
        faults = [event for event in session.events() if isinstance(event, Fault | FaultCleared)]
        last = next((event for event in reversed(faults) if (event.code, event.module) == shown), None)
        require(isinstance(last, Fault), "a fault that was reported and not cleared", f"{last}, and {status}")
        rig.done(session, lambda new: ClearFault(new, *shown))  # noqa: B023  called within this turn
        rig.wait_for_silence(session)
    rig.stocked(session)
    if not overfilled:
        raise CheckSkipped(f"it keeps more than {happened} events")


def _overfilled(rig: TdpRig, session: HostSession, before: int) -> int:
    # Turn the key until the device stops or keeps more than it must; return how often.
    happened = 0
    while happened < _PLACES_MAX:
        happened += _turned(rig, session, _STEP)
        told = session.pump(EVENT_S, lambda: len(session.events()) - before >= happened or _has_stopped(session))  # noqa: B023  called within this turn
        if _has_stopped(session) or not told:
            break
    return happened


def _stocked(rig: TdpRig, session: HostSession) -> int:
    if rig.bench.helper.limit_s is None:
        raise CheckSkipped("a person cannot turn a key five hundred times")
    rig.stocked(session)
    rig.forgotten(session)
    return rig.unacknowledged(session)


def _filled(rig: TdpRig, session: HostSession, before: int) -> int:
    # Turn the key until the outbox is full; return after how many events since ``before`` it was.
    happened = position = 0
    while not _is_full(session) and happened <= _PLACES:
        left = _PLACES - _RESERVE - _NEAR - happened
        if left > 1:
            happened += _turned(rig, session, min(left, _STEP))
        else:
            position ^= 1
            rig.act(session, manual_steps.key(position))
            happened += 1
        session.pump(EVENT_S, lambda: len(session.events()) - before >= happened or _is_full(session))  # noqa: B023  called within this turn
        rig.wait_for_silence(session)
    events = 0
    for taken in session.log:
        if isinstance(taken.message, DeviceEvent):
            events += 1
        elif isinstance(taken.message, Status) and Condition.OUTBOX_FULL in taken.message.conditions:
            places = events - before
            least = _PLACES - _RESERVE
            require(places >= least, f"room for {_PLACES} events, {_RESERVE} of them no cards", f"full after {places}")
            return places
    kept = len(session.events()) - before
    rig.acknowledge_all(session)
    rig.attempt(session, manual_steps.key(0))
    status = session.status
    stopped = status is not None and status.fault_code
    require(not stopped, f"condition 3, full, with {_RESERVE} places free", status)
    require(kept >= happened, f"{happened} events", kept)
    raise CheckSkipped(f"it keeps more than {kept} events")


def _drawn(rig: TdpRig, session: HostSession) -> int:
    before = len(session.events())
    rig.draw_by_hand(session, 1)
    rig.wait_for_silence(session)
    return cards_reported(session.events()[before:])


def _turned(rig: TdpRig, session: HostSession, events: int) -> int:
    times = events // 2
    rig.act(session, manual_steps.turns(times))
    return 2 * times


def _has_stopped(session: HostSession) -> bool:
    status = session.status
    return (
        status is not None
        and status.state is DeviceState.FAULT
        and Condition.FAULT in status.conditions
        and status.fault_code == FaultCode.MEMORY_ERROR
    )


def _reports_fault_14(session: HostSession) -> bool:
    return any(isinstance(event, Fault) and event.code == FaultCode.MEMORY_ERROR for event in session.events())


def _key_told(session: HostSession) -> int | None:
    return next((event.position for event in reversed(session.events()) if isinstance(event, KeyTurned)), None)


def _is_full(session: HostSession) -> bool:
    return session.status is not None and Condition.OUTBOX_FULL in session.status.conditions

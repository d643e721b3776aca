"""Sections 5, 9 and 12: nothing is lost when power or line go."""

from collections.abc import Callable
from typing import Final

from conformance import manual_steps
from conformance.check import Checks
from conformance.check_result import CheckSkipped, require, unmet
from conformance.tdp.event_checks import require_kept
from conformance.tdp.limits import BOOT_S, EVENT_S, NOTHING_S, OPENING_S
from conformance.tdp.rig import TdpRig, cards_reported
from conformance.tdp.root_checks import recalled, remembered
from conformance.tdp.session import HostSession
from drivers.errors import PortLost
from protocols.tdp.codec import encode_message
from protocols.tdp.codes import BootReason, Capability, Condition, DeviceState, Lamp, LampMode, RefusalReason
from protocols.tdp.commands import EventAcknowledged, RememberRoot, SetLamp, Shuffle, Unlock
from protocols.tdp.events import (
    CoverOpened,
    DeviceEvent,
    EventKey,
    Fault,
    KeyTurned,
    PowerRestored,
    ShuffleDone,
    ShuffleStarted,
)
from protocols.tdp.framing import Frame, FrameKind
from protocols.tdp.messages import Done, Heartbeat, Hello, Meters, Refused
from protocols.tdp.timing import SILENCE_S

CHECKS: Final[Checks[TdpRig]] = Checks("power")
_LARGEST: Final = 32
"""Cards of a packet."""

_ONCE: Final = "12. Exactly once"
_BOOT: Final = "what is kept over a power cut: boot count, last event number, highest command id, meters"
_TOLD_ANEW: Final = 3
_UPTIME_S: Final = 3
_BACK_S: Final = 10.0
"""A USB device is enumerated again."""


@CHECKS.check("8. Reports; 9. Events", _BOOT)
def boot_count_grows_by_one(rig: TdpRig) -> None:
    """After a power cut boot count and a meter are one higher, uptime is new, no fault came, Hello is as before."""
    session = rig.ready()
    rig.stocked(session)
    before, meters = rig.hello, rig.meters(session)
    session.wait_for(Heartbeat, EVENT_S, "an uptime of 3 s", lambda one: one.uptime_s >= _UPTIME_S)
    begun_s = rig.bench.now_s()
    session = restarted(rig)
    after = rig.hello
    raw = encode_message(after)
    beat = session.wait_for(Heartbeat, EVENT_S, "a heartbeat")
    most_s = rig.bench.now_s() - begun_s + 1
    require(beat.uptime_s <= most_s, f"uptime from the start on, {most_s:.0f} s at most", beat, encode_message(beat))
    require(after.boot_count == before.boot_count + 1, f"boot {before.boot_count + 1}", after.boot_count, raw)
    different = [
        name
        for name in Hello.__slots__
        if name not in {"boot_count", "boot_reason"} and getattr(after, name) != getattr(before, name)
    ]
    require(not different, "the rest of Hello as before", different, raw)
    status = session.status
    require(status is None or not status.fault_code, "no fault, as before", status)
    faults = [event for event in session.events() if event.boot == after.boot_count and isinstance(event, Fault)]
    require(not faults, "no Fault, as none was open", faults)
    counted = rig.meters(session).power_cycles - meters.power_cycles
    require(counted == 1, "one power cycle more in the meters", counted)


@CHECKS.check("8. Reports; 9. Events", "the meters: stored permanently; an open cover at a start is no other opening")
def meters_outlive_power(rig: TdpRig) -> None:
    """Over a start with an open cover every meter stays, except that of starts, which is one higher."""
    session = rig.ready()
    rig.deal(session, 1)
    rig.act(session, manual_steps.COVER_OPEN)
    rig.wait_for_silence(session)
    before = rig.meters(session)
    session = restarted(rig)
    after = rig.meters(session)
    rig.act(session, manual_steps.COVER_CLOSE)
    rig.wait_for_silence(session)
    raw = encode_message(after)
    for name in Meters.__slots__:
        expected = getattr(before, name) + (name == "power_cycles")
        require(name == "id" or getattr(after, name) == expected, f"{name} {expected}", after, raw)


@CHECKS.check(_ONCE, "EventAcknowledged: boot and number together; one of an earlier boot forgets nothing of this one")
def acknowledgement_of_an_earlier_boot(rig: TdpRig) -> None:
    """An acknowledgement of an earlier boot, of an event there was or of none, forgets no event of this boot."""
    session = rig.ready()
    rig.unacknowledged(session)
    rig.deal(session, 1)
    rig.wait_for_silence(session)
    earlier = session.events()[-1]
    session = restarted(rig, drain=False, confirms=False)
    rig.drained(session)
    rig.deal(session, 2)
    rig.wait_for_silence(session)
    kept = [event for event in session.events() if event.boot == rig.hello.boot_count]
    for number in (earlier.number + 1000, earlier.number, kept[-1].number):
        session.send(EventAcknowledged(earlier.boot, number))
    rig.wait_for_silence(session)
    rig.hang_up()
    session = rig.open()
    rig.unacknowledged(session)
    rig.greeted(session)
    session.pump(EVENT_S, lambda: len(session.events()) >= len(kept))
    rig.wait_for_silence(session)
    came = [event for event in session.events() if event.boot == rig.hello.boot_count]
    require(came == kept, f"the events of boot {rig.hello.boot_count} again: {kept}", came)
    rig.acknowledge_all(session)


@CHECKS.check(_ONCE, "EventAcknowledged: an event that is kept, not any number between two boots")
def acknowledgement_between_boots_ignored(rig: TdpRig) -> None:
    """Number 0 of this boot, or one beyond the last of the boot before, is no event: its acknowledgement is ignored."""
    session = rig.ready()
    rig.needs(Capability.KEEPS_EVENTS)
    rig.unacknowledged(session)
    rig.deal(session, 1)
    rig.wait_for_silence(session)
    session = restarted(rig, drain=False, confirms=False)
    rig.drained(session)
    kept = session.events()
    before = max(event.key for event in kept if event.boot < rig.hello.boot_count)
    session.send(EventAcknowledged(rig.hello.boot_count, 0))
    session.send(EventAcknowledged(before.boot, before.number + 1000))
    require_kept(rig, session, kept)


@CHECKS.check("9. Events; 12. Exactly once", "PowerRestored: kept before anything else happens in a boot")
def power_restored_is_event_1(rig: TdpRig) -> None:
    """PowerRestored is event 1 of the boot, and names the last event before it that was no PowerRestored."""
    session = rig.ready()
    rig.deal(session, 1)
    rig.wait_for_silence(session)
    last = rig.ledger.last_other or session.events()[-1].key
    session = restarted(rig, drain=False)
    told = session.wait_for(PowerRestored, EVENT_S, "PowerRestored")
    raw = encode_message(told)
    require(
        told.number == 1 and told.boot == rig.hello.boot_count, f"event 1 of boot {rig.hello.boot_count}", told, raw
    )
    named = (told.previous_boot, told.previous_last)
    require(named == (last.boot, last.number), f"boot {last.boot}, last event {last.number}", told, raw)
    require(told.reason == rig.hello.boot_reason, f"reason {int(rig.hello.boot_reason)}, as in Hello", told, raw)


@CHECKS.check("8. Reports; 9. Events", "the boot reason: a number of the list, the same in Hello and PowerRestored")
def boot_reason_is_reported(rig: TdpRig) -> None:
    """After a power cut Hello and PowerRestored have the same boot reason, of the list."""
    rig.ready()
    session = restarted(rig, drain=False)
    told = session.wait_for(PowerRestored, EVENT_S, "PowerRestored", lambda one: one.boot == rig.hello.boot_count)
    reason, known = rig.hello.boot_reason, [int(one) for one in BootReason]
    require(reason in known, f"a boot reason of {known} in Hello", int(reason), encode_message(rig.hello))
    require(told.reason == reason, f"reason {int(reason)}, as in Hello", told, encode_message(told))
    if reason not in {BootReason.POWER_ON, BootReason.BROWN_OUT}:
        rig.bench.observe(f"boot reason {reason} after a power cut")


@CHECKS.check("9. Events; 12. Exactly once", "previous boot and last: kept over every start, whether events are or not")
def two_starts_name_the_same(rig: TdpRig) -> None:
    """A second start has the next boot, and names the same event as the first, unless one came between them."""
    session = rig.ready()
    rig.deal(session, 1)
    session = restarted(rig, drain=False, confirms=False)
    first = session.wait_for(PowerRestored, EVENT_S, "PowerRestored")
    rig.drained(session)
    named = EventKey(first.previous_boot, first.previous_last)
    for event in session.events():
        if event.boot == first.boot and not isinstance(event, PowerRestored):
            named = event.key  # of a device that no longer knows its stack
    session = restarted(rig, drain=False)
    boot = rig.hello.boot_count
    require(boot == first.boot + 1, f"boot {first.boot + 1}", boot, encode_message(rig.hello))
    second = session.wait_for(PowerRestored, EVENT_S, "PowerRestored of the second start", lambda one: one.boot == boot)
    told = EventKey(second.previous_boot, second.previous_last)
    require(told == named, f"{named}", told, encode_message(second))


@CHECKS.check("9. Events: device to host", "after a start: the host has forgotten what it knew of key and cover")
def state_is_reported_again(rig: TdpRig) -> None:
    """After a start the device reports again, after PowerRestored, that its cover is open and where its key is."""
    session = rig.ready()
    rig.act(session, manual_steps.key(1))
    rig.act(session, manual_steps.COVER_OPEN)
    rig.wait_for_silence(session)
    session = restarted(rig, drain=False)
    boot = rig.hello.boot_count
    session.pump(EVENT_S, lambda: sum(event.boot == boot for event in session.events()) >= _TOLD_ANEW)
    told = [event for event in session.events() if event.boot == boot]
    names = [type(event).__name__ for event in told]
    rig.act(session, manual_steps.COVER_CLOSE)
    rig.act(session, manual_steps.key(0))
    rig.wait_for_silence(session)
    require(names[:1] == [PowerRestored.__name__], "PowerRestored first", names)
    require(any(isinstance(event, KeyTurned) and event.position == 1 for event in told), "KeyTurned, position 1", names)
    require(any(isinstance(event, CoverOpened) for event in told), "CoverOpened", names)


@CHECKS.check("9. Events: device to host", "after a start: a fault whose cause is there is open, and told again")
def fault_is_reported_again(rig: TdpRig) -> None:
    """After a start an open fault is reported again behind PowerRestored, is in Status, and can be cleared."""
    session = rig.ready()
    rig.deal(session, 1)  # so that it is ready to move after the start before
    before = rig.jammed(session)
    rig.wait_for_silence(session)
    session = restarted(rig, drain=False)
    boot = rig.hello.boot_count
    told = session.wait_for(Fault, EVENT_S, "Fault again", lambda one: one.boot == boot)
    names = [type(event).__name__ for event in session.events() if event.boot == boot]
    require(names[:1] == [PowerRestored.__name__], "PowerRestored before Fault", names)
    same = (told.code, told.module) == (before.code, before.module)
    require(same, f"code {before.code}, module {before.module}", told, encode_message(told))
    rig.drained(session)
    status = session.status
    holds = status is not None and (status.fault_code, status.fault_module) == (before.code, before.module)
    require(holds, f"fault {before.code} in Status", status)
    session.forget()
    rig.freed(session, told)


@CHECKS.check(_ONCE, "the outbox in memory that outlives power (capability 9)")
def events_outlive_power(rig: TdpRig) -> None:
    """With capability 9 no event is lost with power; without it PowerRestored shows how many were."""
    session = rig.ready()
    session.confirms = False
    before = len(session.events())
    rig.deal(session, 2)
    turned = rig.attempt(session, manual_steps.key(1)).done  # no command comes between it and the cut
    session.pump(EVENT_S, lambda: not turned or isinstance(session.events()[-1], KeyTurned))
    kept = session.events()[before:]
    session = restarted(rig, drain=False, confirms=False)
    session.pump(EVENT_S, lambda: any(isinstance(event, PowerRestored) for event in session.events()))
    rig.wait_for_silence(session)
    events = session.events()
    restored = [event for event in events if isinstance(event, PowerRestored)]
    require(restored, "PowerRestored", events)
    named = restored[-1].previous_last
    require(named == kept[-1].number, f"previous last {kept[-1].number}", restored[-1], encode_message(restored[-1]))
    earlier: list[DeviceEvent] = [event for event in events if event.boot < rig.hello.boot_count]
    if rig.can(Capability.KEEPS_EVENTS):
        require(earlier == kept, f"the events of the boot before, first: {kept}", events)
        require(events[: len(kept)] == kept, "those of earlier boots first", events)
    else:
        require(kept[-len(earlier) :] == earlier or not earlier, "events of the boot before, or none", earlier)
        rig.bench.observe(f"{len(kept) - len(earlier)} of {len(kept)} events were lost with power, as it announces")
    rig.acknowledge_all(session)
    rig.attempt(session, manual_steps.key(0))
    rig.wait_for_silence(session)


@CHECKS.check("10. Commands: host to device", "the state after power-up: locked, whatever was allowed before")
def locked_after_power(rig: TdpRig) -> None:
    """After a power cut the device is locked, can be unlocked if Status has cards, and locks with the session."""
    session = rig.ready()
    rig.needs(Capability.LOCKS)
    rig.stocked(session)
    rig.unlocked(session, 5)
    session = restarted(rig, drain=False, meanwhile=rig.draw_unserved)
    rig.drained(session)
    boot = rig.hello.boot_count
    early = [event for event in session.events() if event.boot == boot and cards_reported([event])]
    require(not early, "no card between the start and the session", early)
    session.forget()
    status = session.status
    require(status is not None and Condition.LOCKED in status.conditions, "condition 0, locked", status)
    before = len(session.events())
    try:
        rig.draw_by_hand(session, 1)
    except CheckSkipped:
        rig.bench.observe("no draw was tried; only Status was checked")
    rig.wait_for_silence(session)
    require(not cards_reported(session.events()[before:]), "no card", session.events()[before:])
    _command, answer = rig.done_when_still(session, lambda new: Unlock(new, 1))
    has = status is None or status.stack_cards > 0
    lacks = isinstance(answer, Refused) and answer.reason == RefusalReason.OUT_OF_CARDS
    expected = "Done for Unlock, as Status has cards" if has else "Refused 7 for Unlock, as Status has no cards"
    require(isinstance(answer, Done) if has else lacks, expected, answer, encode_message(answer))
    rig.hang_up()
    rig.line.all_for(NOTHING_S)  # until RESET has arrived
    rig.draw_unserved()
    late = cards_reported(rig.ready().events())
    require(not late, "no card once the first session has ended", f"{late}")


@CHECKS.check("8. Reports; 9. Events", "after a start nothing moves: a shuffle that the power ended is over")
def nothing_moves_after_power(rig: TdpRig) -> None:
    """A shuffle that a power cut ends does not continue, and counts as failed at most; a packet does not."""
    session = rig.ready()
    rig.needs(Capability.SHUFFLES)
    rig.stocked(session)
    before = rig.meters(session)
    if rig.can(Capability.DISPENSES):
        rig.dispense(session, _LARGEST)
        session = restarted(rig)
        failed = rig.meters(session).shuffles_failed - before.shuffles_failed
        require(not failed, "no failed shuffle more in the meters by a packet that power ended", failed)
        rig.cleared_exit(session, _LARGEST)
        rig.stocked(session)
        before = rig.meters(session)
    command, answer = rig.done_when_still(session, Shuffle)
    require(isinstance(answer, Done), f"Done for {command}", answer, encode_message(answer))
    session.wait_for(ShuffleStarted, EVENT_S, "ShuffleStarted")
    shuffled = any(isinstance(event, ShuffleDone) for event in session.events())
    session = restarted(rig, drain=False)
    rig.drained(session)
    rig.wait_for_silence(session)
    after, status = rig.meters(session), session.status
    if shuffled or after.shuffles_done > before.shuffles_done:
        raise CheckSkipped("the shuffle was over before the power went")
    moves = status is None or status.state is DeviceState.SHUFFLING
    require(not moves, "another state than 2 after a start", status)
    failed = after.shuffles_failed - before.shuffles_failed
    require(failed in {0, 1}, "one failed shuffle more in the meters, or none", failed, encode_message(after))
    session.none_of(ShuffleDone, EVENT_S, "no ShuffleDone of a shuffle that the power ended")


@CHECKS.check(_ONCE, _BOOT)
def command_ids_outlive_power(rig: TdpRig) -> None:
    """The highest command id is kept over power cuts: a lower one is old, and a command of before is not done again."""
    session = rig.ready()
    rig.stocked(session)
    never_used = rig.new_id(session)
    locks = rig.can(Capability.LOCKS)
    command = Unlock(rig.new_id(session), 1) if locks else SetLamp(rig.new_id(session), Lamp.READY, LampMode.OFF)
    before = session.do(command)
    session = restarted(rig)
    for old in (never_used, 0):
        answer = session.do(SetLamp(old, Lamp.READY, LampMode.OFF))
        right = isinstance(answer, Refused) and answer.reason == RefusalReason.OLD_ID
        require(right, f"Refused 9 for id {old}, below the highest", answer, encode_message(answer))
    again = session.do(command)
    refused = isinstance(again, Refused) and again.reason == RefusalReason.OLD_ID
    require(again == before or refused, f"{before} again, or Refused 9", again, encode_message(again))
    rig.wait_for_silence(session)
    status = session.status
    done_again = locks and status is not None and Condition.LOCKED not in status.conditions
    require(not done_again, "condition 0, locked: Unlock of before the start is not done again", status)


@CHECKS.check(_ONCE, "the memory of roots (capability 10): it outlives power, before Done is said")
def roots_outlive_power(rig: TdpRig) -> None:
    """A root given by RememberRoot outlives a power cut right behind its Done, and a smaller tree is still refused."""
    session = rig.ready()
    rig.needs(Capability.REMEMBERS_ROOTS)
    log, root, size = rig.bench.rng.randbytes(32), rig.bench.rng.randbytes(32), 2
    logs = recalled(rig, session, log).logs + 1
    remembered(rig, session, log, size, root)
    session = restarted(rig)
    told = recalled(rig, session, log)
    kept = (told.size, told.root, told.logs) == (size, root, logs)
    require(kept, f"size {size}, root {root.hex()}, logs {logs}", told, encode_message(told))
    answer = rig.do(session, lambda new: RememberRoot(new, log, size - 1, root))
    right = isinstance(answer, Refused) and answer.reason == RefusalReason.SMALLER_TREE
    require(right, "Refused 11 for a smaller size", answer, encode_message(answer))


@CHECKS.check("5. States of both ends", "a device that restarted: it answers what it does not know any more")
def old_session_unknown_after_power(rig: TdpRig) -> None:
    """After a restart a frame of the session from before is answered by RESET 1."""
    session = rig.ready()
    _cut(rig)
    _restore(rig)
    end_s = rig.bench.now_s() + BOOT_S
    while rig.bench.now_s() < end_s:
        rig.line.send(Frame(FrameKind.ACK, session.number))
        heard = rig.line.next(rig.bench.now_s() + NOTHING_S)
        if heard is not None and heard.frame.kind is FrameKind.RESET and heard.frame.session == session.number:
            return
    unmet("RESET 1 for the session from before the restart", f"nothing within {BOOT_S:g} s")


@CHECKS.check("5. States of both ends", "reconnection: no state of the old line may block it")
def back_after_unplugging(rig: TdpRig) -> None:
    """Within 2 s of the line's return both ends have heard each other."""
    rig.ready()
    _unplugged(rig)
    rig.bench.pause(SILENCE_S)
    _replugged(rig)
    begun_s = rig.bench.now_s()
    rig.ready(within_s=OPENING_S)
    rig.bench.observe(f"ready {rig.bench.now_s() - begun_s:.2f} s after the port was open again")


@CHECKS.check(
    "5. States of both ends; 12. Exactly once",
    "cards that leave while the line is down: kept, and sent when it is back",
)
def cards_drawn_while_unplugged(rig: TdpRig) -> None:
    """A card that leaves while the cable is out is reported when it is in again."""
    session = rig.ready()
    rig.needs(Capability.LOCKS)
    rig.stocked(session)
    rig.unlocked(session, 5)
    before = session.status.count if session.status is not None else 0
    _unplugged(rig)
    try:
        answer = rig.bench.attempt(manual_steps.draw(), rig.bench.pause)
    finally:
        _replugged(rig)
    session = rig.ready()
    rig.wait_for_silence(session)
    status = session.status
    count = status.count if status is not None else before
    told = cards_reported(session.events())
    require(told == count - before, f"{count - before} cards told, as Status counts them", session.events())
    if not told:
        raise CheckSkipped(f"no card came out while the cable was out: {answer.text}")


def restarted(
    rig: TdpRig, *, drain: bool = True, confirms: bool = True, meanwhile: Callable[[], None] = lambda: None
) -> HostSession:
    """Cut the power and restore it; return the next session, whose greeting and, with ``drain``, events are taken.

    Args:
        meanwhile: done before the session is opened.

    Raises:
        CheckSkipped: the operator cannot.
        RequirementFailed: the device does something else, or is too late.
    """
    _cut(rig)
    _restore(rig)
    meanwhile()
    begun_s = rig.bench.now_s()
    session = rig.open(within_s=BOOT_S)
    session.confirms = confirms
    rig.bench.observe(f"it accepted a session {rig.bench.now_s() - begun_s:.1f} s after power came back")
    rig.greeted(session)
    if drain:
        rig.drained(session)
        session.forget()
    return session


def _cut(rig: TdpRig) -> None:
    rig.away(manual_steps.CUT_POWER)
    rig.forget_session()


def _restore(rig: TdpRig) -> None:
    rig.away(manual_steps.RESTORE_POWER)
    _listening_again(rig)


def _unplugged(rig: TdpRig) -> None:
    rig.away(manual_steps.UNPLUG)
    rig.forget_session()


def _replugged(rig: TdpRig) -> None:
    rig.away(manual_steps.REPLUG)
    _listening_again(rig)


def _listening_again(rig: TdpRig) -> None:
    try:
        rig.line.all_for(0.0)
    except PortLost:
        rig.bench.reopen(_BACK_S)
    rig.line.begin()

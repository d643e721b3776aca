"""Sections 8 and 10: no card leaves that was not asked for."""

from typing import Final

from conformance import manual_steps
from conformance.check import Checks
from conformance.check_result import CheckSkipped, require
from conformance.tdp.limits import EVENT_S, MACHINE_S, QUIET_S, SLACK_S
from conformance.tdp.rig import TdpRig, cards_reported
from conformance.tdp.session import HostSession
from protocols.tdp.codec import encode_message
from protocols.tdp.codes import Capability, Condition, RefusalReason
from protocols.tdp.commands import Dispense, Lock
from protocols.tdp.events import CardDrawn, CoverOpened, DeviceEvent, Fault, PacketDispensed
from protocols.tdp.messages import Done, Refused, Status
from protocols.tdp.timing import SILENCE_S

CHECKS: Final[Checks[TdpRig]] = Checks("lock")

_COMMANDS: Final = "10. Commands: host to device"
_MOUTH: Final = "the lock at the mouth: it must hold until Unlock, and close by itself after the last card allowed"
_UNLOCKED: Final = 2
_PACKET: Final = 3
_LARGEST: Final = 32


@CHECKS.check(_COMMANDS, _MOUTH)
def starts_locked(rig: TdpRig) -> None:
    """A device starts locked: in a new session Status says so, and no card can be drawn."""
    session = rig.open()
    _hello, status = rig.greeted(session)
    rig.needs(Capability.LOCKS)
    require(Condition.LOCKED in status.conditions, "condition 0, locked", status, encode_message(status))
    rig.drained(session)
    rig.stocked(session)
    _holds(rig, session, "a device that is locked")


@CHECKS.check(_COMMANDS, _MOUTH)
def unlocks_for_so_many(rig: TdpRig) -> None:
    """Unlock lets so many cards be drawn, then the device locks."""
    session = rig.ready()
    rig.needs(Capability.LOCKS)
    rig.stocked(session)
    rig.unlocked(session, _UNLOCKED)
    session.wait_for(Status, EVENT_S, "Status without condition 0", lambda one: Condition.LOCKED not in one.conditions)
    rig.draw_by_hand(session, _UNLOCKED + 1)
    session.pump(EVENT_S, lambda: cards_reported(session.events()) >= _UNLOCKED)
    rig.wait_for_silence(session)
    told = cards_reported(session.events())
    require(told == _UNLOCKED, f"{_UNLOCKED} cards", f"{told} cards: {session.events()}")
    status = session.status
    require(status is not None and Condition.LOCKED in status.conditions, "locked after the last of them", status)


@CHECKS.check(_COMMANDS, _MOUTH)
def lock_takes_back(rig: TdpRig) -> None:
    """After Lock no card can be drawn, whatever was allowed before."""
    session = rig.ready()
    rig.needs(Capability.LOCKS)
    rig.stocked(session)
    rig.unlocked(session, 10)
    rig.done(session, Lock)
    _holds(rig, session, "a device after Lock")


@CHECKS.check(_COMMANDS, "the permit: Unlock sets it, and adds nothing to what is left of one before")
def unlock_replaces(rig: TdpRig) -> None:
    """Unlock replaces what was allowed before, and does not add to it."""
    session = rig.ready()
    rig.needs(Capability.LOCKS)
    rig.stocked(session)
    rig.unlocked(session, 3)
    rig.unlocked(session, 1)
    rig.draw_by_hand(session, _UNLOCKED)
    session.pump(EVENT_S, lambda: cards_reported(session.events()) >= 1)
    rig.wait_for_silence(session)
    require(cards_reported(session.events()) == 1, "one card", session.events())


@CHECKS.check(_COMMANDS, "the permit: an open cover ends it")
def open_cover_takes_back(rig: TdpRig) -> None:
    """Once the cover was open no card can be drawn, whatever was allowed before."""
    session = rig.ready()
    rig.needs(Capability.LOCKS)
    rig.stocked(session)
    rig.unlocked(session, 5)
    rig.act(session, manual_steps.COVER_OPEN)
    rig.wait_for_silence(session)
    status = session.status
    rig.act(session, manual_steps.COVER_CLOSE)
    locked = status is not None and Condition.LOCKED in status.conditions
    require(locked, "condition 0, locked, with the open cover", status)
    _holds(rig, session, "a device whose cover was open")
    status = session.status
    require(status is not None and Condition.LOCKED in status.conditions, "condition 0, locked", status)


@CHECKS.check(_COMMANDS, "the permit: any fault ends it, and the end of the fault does not give it back")
def fault_takes_back(rig: TdpRig) -> None:
    """A fault ends what was allowed: when it is cleared the device is locked, and no card can be drawn."""
    session = rig.ready()
    rig.needs(Capability.LOCKS)
    rig.stocked(session)
    rig.unlocked(session, 10)
    rig.freed(session, rig.jammed(session))
    session.pump(QUIET_S)
    if any(isinstance(event, CoverOpened) for event in session.events()):
        rig.bench.observe(
            "a cover was opened to free the card, which ends a permit as well: of the fault alone nothing is known"
        )
    _holds(rig, session, "a device whose fault was cleared")
    status = session.status
    require(status is not None and Condition.LOCKED in status.conditions, "condition 0, locked", status)


@CHECKS.check(_COMMANDS, "what moves cards by itself: not while a hand may draw")
def nothing_moves_while_unlocked(rig: TdpRig) -> None:
    """While a card may be drawn by hand, Dispense is refused as busy."""
    session = rig.ready()
    rig.needs(Capability.LOCKS)
    rig.needs(Capability.DISPENSES)
    rig.stocked(session)
    for cards in (5, 1):
        rig.unlocked(session, cards)
        answer = rig.do(session, lambda new: Dispense(new, 1))
        busy = isinstance(answer, Refused) and answer.reason == RefusalReason.BUSY
        require(busy, f"Refused 3, as {cards} may be drawn", answer, encode_message(answer))
    rig.done(session, Lock)


@CHECKS.check(
    "10. Commands; 12. Exactly once", "the memory of answers: a command that comes again must not be done again"
)
def unlock_again_is_not_done_again(rig: TdpRig) -> None:
    """Unlock sent again with the same id allows no further card."""
    session = rig.ready()
    rig.needs(Capability.LOCKS)
    rig.stocked(session)
    command = rig.unlocked(session, 1)
    rig.act(session, manual_steps.draw())
    session.pump(EVENT_S, lambda: cards_reported(session.events()) >= 1)
    require(isinstance(session.do(command), Done), f"Done for {command} again", "Refused")
    before = len(session.events())
    rig.draw_by_hand(session, 1)
    rig.wait_for_silence(session)
    told = session.events()[before:]
    require(not told, "no card: the command was done before", told)


@CHECKS.check(
    "10. Commands; 12. Exactly once", "the memory of answers: a command that comes again must not be done again"
)
def dispense_again_is_not_done_again(rig: TdpRig) -> None:
    """Dispense sent again with the same id, in the same session or the next, dispenses nothing."""
    session = rig.ready()
    rig.needs(Capability.DISPENSES)
    rig.deal(session, 1)
    rig.stocked(session)
    before = len(session.events())
    command = rig.done(session, lambda new: Dispense(new, 1))
    session.pump(EVENT_S, lambda: cards_reported(session.events()[before:]) >= 1)
    require(isinstance(session.do(command), Done), f"Done for {command} again", "Refused")
    rig.wait_for_silence(session)
    told = cards_reported(session.events()[before:])
    require(told == 1, "one card", f"{told}")
    rig.cleared_exit(session, 1)
    rig.hang_up()
    session = rig.ready()
    require(isinstance(session.do(command), Done), f"Done for {command} in the next session", "Refused")
    rig.wait_for_silence(session)
    require(not cards_reported(session.events()), "no card", session.events())


@CHECKS.check("10. Commands; 8. Reports", "Dispense: the packet, and one event or several that tell of all its cards")
def dispenses_so_many(rig: TdpRig) -> None:
    """Dispense gives out so many cards, and events tell of each."""
    session = rig.ready()
    rig.needs(Capability.DISPENSES)
    events = rig.deal(session, _PACKET)
    require(cards_reported(events) == _PACKET, f"{_PACKET} cards", events)


@CHECKS.check(_COMMANDS, "Dispense: 32 cards at once, and the longest event")
def dispenses_32_at_once(rig: TdpRig) -> None:
    """Dispense gives out 32 cards at once, and events tell of each."""
    session = rig.ready()
    rig.needs(Capability.DISPENSES)
    events = rig.deal(session, _LARGEST)
    require(cards_reported(events) == _LARGEST, f"{_LARGEST} cards", events)


@CHECKS.check(
    "9. Events; 10. Commands", "a packet that jams: events of the cards that left, then the fault, then no card"
)
def jammed_packet_is_reported(rig: TdpRig) -> None:
    """If a packet jams, events tell of the cards that left, then Fault; count and stack follow those cards alone."""
    session = rig.ready()
    rig.needs(Capability.DISPENSES)
    rig.stocked(session)
    meters = rig.metered(session)
    before, at = session.status, len(session.events())

    def told_of() -> list[DeviceEvent]:
        return [event for event in session.events()[at:] if isinstance(event, CardDrawn | PacketDispensed | Fault)]

    rig.dispense(session, _LARGEST)
    session.pump(QUIET_S)
    rig.act(session, manual_steps.JAM)
    session.pump(MACHINE_S, lambda: _has_fault(told_of()) or cards_reported(told_of()) >= _LARGEST)
    rig.wait_for_silence(session)
    events = told_of()
    told = cards_reported(events)
    faults = [event for event in events if isinstance(event, Fault)]
    if told >= _LARGEST:
        raise CheckSkipped("the packet was out before the card stuck")
    require(faults and faults == events[-1:], "the cards that left, then Fault, then no card", events)
    after = session.status
    if before is not None and after is not None:
        raw = encode_message(after)
        require(after.count == before.count + told, f"count {before.count + told}: {told} have left", after, raw)
        stack = before.stack_cards - told
        require(after.stack_cards == stack, f"{stack} cards in the device", after, raw)
    later = rig.metered(session)
    if meters is not None and later is not None:
        failed = later.shuffles_failed - meters.shuffles_failed
        require(not failed, "no failed shuffle more in the meters", failed, encode_message(later))
    session.forget()
    rig.freed(session, faults[0])
    rig.cleared_exit(session, _LARGEST)


@CHECKS.check(_COMMANDS, "the loss of a session: a host that is gone must not leave an open shoe behind")
def loss_of_the_session_locks(rig: TdpRig) -> None:
    """When the session is lost the device locks."""
    session = rig.ready()
    rig.needs(Capability.LOCKS)
    rig.stocked(session)
    rig.unlocked(session, 10)
    rig.wait_for_silence(session)
    rig.line.all_for(SILENCE_S + SLACK_S)
    rig.draw_unserved()
    session = rig.open()
    _hello, status = rig.greeted(session)
    require(Condition.LOCKED in status.conditions, "condition 0, locked", status, encode_message(status))
    rig.drained(session)
    early = cards_reported(session.events())
    require(not early, "no card between two sessions", f"{early}")
    _holds(rig, session, "a device whose session was lost")


@CHECKS.check("4. Opening a session; 10. Commands", "a session that replaces another: the other one is lost")
def another_session_locks(rig: TdpRig) -> None:
    """A session that replaces another begins locked."""
    session = rig.ready()
    rig.needs(Capability.LOCKS)
    rig.stocked(session)
    rig.unlocked(session, 10)
    other = rig.session_of(rig.accepted_beside(session))
    _hello, status = rig.greeted(other)
    require(Condition.LOCKED in status.conditions, "condition 0, locked", status, encode_message(status))
    _holds(rig, other, "a device whose session was replaced")


def _has_fault(events: list[DeviceEvent]) -> bool:
    return any(isinstance(event, Fault) for event in events)


def _holds(rig: TdpRig, session: HostSession, what: str) -> None:
    before = len(session.events())
    try:
        rig.draw_by_hand(session, 1)
    except CheckSkipped:
        rig.bench.observe("no draw was tried; only Status was checked")
        return
    rig.wait_for_silence(session)
    told = session.events()[before:]
    require(not cards_reported(told), f"no card from {what}", told)

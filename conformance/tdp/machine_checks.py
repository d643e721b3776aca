"""Sections 8 to 10: what a machine does besides giving cards."""

from collections.abc import Callable
from typing import Final

from conformance import manual_steps
from conformance.check import Checks
from conformance.check_result import CheckSkipped, require, unmet
from conformance.tdp.limits import EVENT_S, MACHINE_S
from conformance.tdp.rig import TdpRig, cards_reported
from conformance.tdp.session import HostSession
from protocols.tdp.codec import encode_message
from protocols.tdp.codes import Capability, Condition, DeviceState, FaultCode, RefusalReason
from protocols.tdp.commands import AcceptReturn, ClearFault, DeviceCommand, Dispense, Eject, Lock, Shuffle, Unlock
from protocols.tdp.events import (
    CardDrawn,
    CardsReturned,
    CoverClosed,
    CoverOpened,
    CutCardDrawn,
    Fault,
    KeyTurned,
    ShuffleDone,
    ShuffleStarted,
    StackLoaded,
)
from protocols.tdp.messages import Done, Refused, Status

CHECKS: Final[Checks[TdpRig]] = Checks("machine")

_EVENTS: Final = "9. Events: device to host"
_RETURN_S: Final = 30.0
_COMMANDS: Final = "10. Commands: host to device"
_CODE_MAX: Final = 14
_MISFEEDS: Final = range(FaultCode.STUCK_AT_ENTRY, FaultCode.DOUBLE_FEED + 1)
_BEFORE_CUT_CARD: Final = 2
_ALLOWED: Final = 3


@CHECKS.check(_EVENTS, "StackLoaded: a count, and no card of it")
def loading_is_reported(rig: TdpRig) -> None:
    """When a stack is put in, StackLoaded tells how many cards; count starts at 0 again, and Status has both."""
    session = rig.ready()
    rig.load(session)
    event = session.wait_for(StackLoaded, MACHINE_S, "StackLoaded", lambda one: one.cards > 0)
    rig.wait_for_silence(session)
    status = session.status
    right = status is not None and (status.stack_cards, status.count) == (event.cards, 0)
    require(right, f"{event.cards} cards and count 0 in Status", status)
    idle = status is None or status.state is DeviceState.IDLE
    require(not idle, "another state than 0, idle, with cards", status)


@CHECKS.check(
    "9. Events; 10. Commands", "Shuffle: Done when it has begun, ShuffleDone with the cards that were counted"
)
def shuffles(rig: TdpRig) -> None:
    """Shuffle is answered by Done; ShuffleStarted and ShuffleDone with the counted cards follow; a meter counts it."""
    session = rig.ready()
    rig.needs(Capability.SHUFFLES)
    rig.stocked(session)
    before = rig.meters(session)
    cards = session.status.stack_cards if session.status is not None else 0
    _begins_to_shuffle(rig, session)
    done = session.wait_for(ShuffleDone, MACHINE_S, "ShuffleDone")
    require(done.cards == cards, f"{cards} cards, as in Status before", done, encode_message(done))
    after = rig.meters(session)
    counted = after.shuffles_done - before.shuffles_done
    require(counted == 1, "one shuffle more in the meters", counted, encode_message(after))
    require(after.cards_per_shuffle == cards, f"{cards} cards per shuffle", after, encode_message(after))


@CHECKS.check("8. Reports; 10. Commands", "Status while the machine shuffles, and what it refuses meanwhile")
def shuffling_is_state_2(rig: TdpRig) -> None:
    """From ShuffleStarted to ShuffleDone Status has state 2, and what moves cards is refused as busy."""
    session = rig.ready()
    rig.needs(Capability.SHUFFLES)
    rig.stocked(session)
    _begins_to_shuffle(rig, session)
    session.wait_for(Status, EVENT_S, "Status with state 2", lambda one: one.state is DeviceState.SHUFFLING)
    answer = rig.do(session, Shuffle)
    if not any(isinstance(event, ShuffleDone) for event in session.events()):
        busy = isinstance(answer, Refused) and answer.reason == RefusalReason.BUSY
        require(busy, "Refused 3 for Shuffle while it shuffles", answer, encode_message(answer))
    session.wait_for(ShuffleDone, MACHINE_S, "ShuffleDone")
    rig.wait_for_silence(session)
    status = session.status
    over = status is not None and status.state is not DeviceState.SHUFFLING
    require(over, "another state than 2 behind ShuffleDone", status)


@CHECKS.check("8. Reports; 9. Events; 10. Commands", "a shuffle that fails: Fault, no ShuffleDone, and its meter")
def failed_shuffle_is_reported(rig: TdpRig) -> None:
    """A shuffle that an open cover ends is reported by Fault, without ShuffleDone; a meter counts it."""
    session = rig.ready()
    rig.needs(Capability.SHUFFLES)
    rig.stocked(session)
    before = rig.meters(session)
    _begins_to_shuffle(rig, session)
    at = len(session.events())
    rig.act(session, manual_steps.COVER_OPEN)
    fault = session.wait_for(Fault, EVENT_S, "Fault, as cards were moving")
    require(fault.code == FaultCode.COVER_OPEN, "Fault 8, cover open", fault, encode_message(fault))
    rig.act(session, manual_steps.COVER_CLOSE)
    rig.wait_for_silence(session)
    done = [event for event in session.events()[at:] if isinstance(event, ShuffleDone)]
    require(not done, "no ShuffleDone of a shuffle that a fault has ended", done)
    after = rig.meters(session)
    counted = (after.shuffles_failed - before.shuffles_failed, after.shuffles_done - before.shuffles_done)
    require(counted == (1, 0), "one failed shuffle more in the meters, and none done", counted, encode_message(after))
    rig.freed(session, fault)
    session.forget()
    _begins_to_shuffle(rig, session)
    session.wait_for(ShuffleDone, MACHINE_S, "ShuffleDone once the fault is cleared")


@CHECKS.check("9. Events; 10. Commands", "AcceptReturn: the count of cards that came back")
def accepts_returns(rig: TdpRig) -> None:
    """Cards put back after AcceptReturn are reported by CardsReturned with their number, and are in the stack then."""
    session = rig.ready()
    rig.needs(Capability.TAKES_RETURNS)
    rig.deal(session, 2)
    rig.act(session, manual_steps.put_back(2))
    rig.wait_for_silence(session)
    before, at = session.status, len(session.log)
    rig.done(session, AcceptReturn)
    event = session.wait_for(CardsReturned, _RETURN_S, "CardsReturned")
    require(event.cards >= 1, "at least the cards that were put in", event, encode_message(event))
    rig.bench.observe(f"{event.cards} cards were returned")
    rig.wait_for_silence(session)
    after = session.status
    require(before is not None and after is not None, "Status", (before, after))
    if before is not None and after is not None:
        # Cards may move on inside meanwhile; none leaves without a hand.
        raw = encode_message(after)
        require(after.count == before.count, f"count {before.count}: returned cards do not lower it", after, raw)
        stack = before.stack_cards + event.cards
        require(after.stack_cards == stack, f"{stack} cards in the device, with those that came back", after, raw)
        told = [taken.message for taken in session.log[at:]]
        moved = {one.state for one in told[: told.index(event)] if isinstance(one, Status)} - {before.state}
        require(moved <= {DeviceState.RETURNING}, "state 4 until CardsReturned", moved)


@CHECKS.check(
    "8. Reports; 9. Events; 10. Commands",
    "the sensor of the cut card: an event, condition 4 until the next stack, and neither count nor permit moves",
)
def cut_card_is_reported(rig: TdpRig) -> None:
    """The cut card is reported by CutCardDrawn and condition 4; it counts neither as a card nor of those allowed."""
    session = rig.ready()
    rig.needs(Capability.DETECTS_CUT_CARD)
    rig.stocked(session)
    rig.act(session, manual_steps.load_with_cut_card(_BEFORE_CUT_CARD))
    session.wait_for(StackLoaded, MACHINE_S, "StackLoaded", lambda one: one.cards > 0)
    rig.wait_for_silence(session)
    if rig.can(Capability.LOCKS):
        rig.unlocked(session, _ALLOWED)
    before = len(session.events())
    for _ in range(_ALLOWED + 1):
        rig.draw_by_hand(session, 1)
        rig.wait_for_silence(session)
    told = [event for event in session.events()[before:] if not isinstance(event, KeyTurned)]
    cut = [event for event in told if isinstance(event, CutCardDrawn)]
    require(len(cut) == 1, "CutCardDrawn", told)
    raw = encode_message(cut[0])
    require(cut[0].count == _BEFORE_CUT_CARD, f"count {_BEFORE_CUT_CARD}: those before it", cut[0], raw)
    require(cards_reported(told) == _ALLOWED, f"{_ALLOWED} cards besides it, as allowed", told, raw)
    status = session.status
    seen = status is not None and Condition.CUT_CARD_SEEN in status.conditions
    require(seen, "condition 4 behind CutCardDrawn", status)
    counted = status is not None and status.count == _ALLOWED
    require(counted, f"count {_ALLOWED}, without the cut card", status)
    rig.act(session, manual_steps.LOAD)
    session.wait_for(StackLoaded, MACHINE_S, "StackLoaded", lambda one: one.cards > 0)
    rig.wait_for_silence(session)
    status = session.status
    over = status is not None and Condition.CUT_CARD_SEEN not in status.conditions
    require(over, "no condition 4 behind StackLoaded", status)


@CHECKS.check("8. Reports; 9. Events", "the cover: an event and condition 1")
def cover_is_reported(rig: TdpRig) -> None:
    """Opening and closing the cover is reported by events, by condition 1 of Status, and counted by a meter."""
    session = rig.ready()
    rig.stocked(session)
    before = rig.meters(session)
    rig.act(session, manual_steps.COVER_OPEN)
    opened = session.wait_for(CoverOpened, EVENT_S, "CoverOpened")
    session.wait_for(Status, EVENT_S, "Status with condition 1", lambda one: Condition.COVER_OPEN in one.conditions)
    for make in rig.card_commands():
        answer = session.do(make(rig.new_id(session)))
        refused = isinstance(answer, Refused)
        require(refused, "a refusal while the cover is open", answer, encode_message(answer))
        if isinstance(answer, Refused) and answer.reason != RefusalReason.COVER_OPEN:
            rig.bench.observe(f"with its cover open it refuses with reason {int(answer.reason)}, not 6")
    rig.act(session, manual_steps.COVER_CLOSE)
    closed = session.wait_for(CoverClosed, EVENT_S, "CoverClosed")
    require(closed.cover == opened.cover, f"cover {opened.cover}", closed, encode_message(closed))
    rig.wait_for_silence(session)
    _well_again(rig, session)
    status = session.status
    require(status is not None and Condition.COVER_OPEN not in status.conditions, "condition 1 is over", status)
    counted = rig.meters(session).cover_openings - before.cover_openings
    require(counted == 1, "one cover opening more in the meters", counted)


@CHECKS.check("8. Reports; 9. Events", "the key switch: an event and its position in Status")
def key_is_reported(rig: TdpRig) -> None:
    """Turning the key is reported by KeyTurned, and Status has its position."""
    session = rig.ready()
    for position in (1, 0):
        rig.act(session, manual_steps.key(position))
        event = session.wait_for(KeyTurned, EVENT_S, "KeyTurned")
        require(event.position == position, f"position {position}", event, encode_message(event))
        session.pump(EVENT_S, lambda: session.status is not None and session.status.key_position == event.position)  # noqa: B023  called within this turn
        status = session.status
        require(status is not None and status.key_position == position, f"key position {position} in Status", status)


@CHECKS.check(
    "8. Reports; 9. Events; 10. Commands", "faults: an event when one begins and one when it ends, and Status between"
)
def fault_and_its_end(rig: TdpRig) -> None:
    """A fault is reported by Fault and Status, keeps cards in, and ends with FaultCleared once its cause is removed."""
    session = rig.ready()
    rig.stocked(session)
    before = rig.metered(session)
    fault = rig.jammed(session)
    session.wait_for(
        Status,
        EVENT_S,
        "Status with condition 2, code and module of the fault",
        lambda one: (
            Condition.FAULT in one.conditions and (one.fault_code, one.fault_module) == (fault.code, fault.module)
        ),
    )
    for make in rig.card_commands():
        answer = session.do(make(rig.new_id(session)))
        require(isinstance(answer, Refused), "a refusal while a fault holds", answer, encode_message(answer))
    answer = rig.do(session, lambda new: ClearFault(new, fault.code, fault.module))
    still = isinstance(answer, Refused) and answer.reason == RefusalReason.FAULT
    require(still, "Refused 5 for ClearFault while the cause is there", answer, encode_message(answer))
    cleared = rig.freed(session, fault)
    same = (cleared.code, cleared.module) == (fault.code, fault.module)
    require(same, f"code {fault.code}, module {fault.module}", cleared, encode_message(cleared))
    rig.wait_for_silence(session)
    told = session.events()
    drawn = [event for event in told[told.index(fault) :] if isinstance(event, CardDrawn)]
    require(
        all(not event.permit for event in drawn), "no permit with the card that stuck: the fault has ended it", drawn
    )
    status = session.status
    well = status is not None and not status.fault_code and Condition.FAULT not in status.conditions
    require(well, "no fault in Status any more", status)
    after = rig.metered(session)
    if before is not None and after is not None and fault.code in _MISFEEDS:
        counted = after.misfeeds - before.misfeeds
        require(counted == 1, "one misfeed more in the meters", counted, encode_message(after))


@CHECKS.check(_COMMANDS, "ClearFault: code and module must both be those of the open fault, and covers be closed")
def clears_the_fault_that_is_named(rig: TdpRig) -> None:
    """ClearFault with another code or module is refused with 2, with an open cover with 6; what moves cards with 5."""
    session = rig.ready()
    rig.stocked(session)
    fault = rig.jammed(session)
    for code, module in ((fault.code, fault.module ^ 1), (fault.code % _CODE_MAX + 1, fault.module)):
        answer = rig.do(session, lambda new: ClearFault(new, code, module))  # noqa: B023  called within this turn
        what = f"Refused 2 for fault {code} of module {module}: open is {fault.code} of {fault.module}"
        refused = isinstance(answer, Refused) and answer.reason == RefusalReason.BAD_VALUE
        require(refused, what, answer, encode_message(answer))
    rig.act(session, manual_steps.COVER_OPEN)
    session.wait_for(Status, EVENT_S, "Status with condition 1", lambda one: Condition.COVER_OPEN in one.conditions)
    moving = [session.do(make(rig.new_id(session))) for make in rig.card_commands()]
    answer = rig.do(session, lambda new: ClearFault(new, fault.code, fault.module))
    rig.act(session, manual_steps.COVER_CLOSE)
    for one in moving:
        first = isinstance(one, Refused) and one.reason == RefusalReason.FAULT
        require(first, "Refused 5 for what moves cards: a fault comes before an open cover", one, encode_message(one))
    refused = isinstance(answer, Refused) and answer.reason == RefusalReason.COVER_OPEN
    require(refused, "Refused 6 for ClearFault while the cover is open", answer, encode_message(answer))
    rig.freed(session, fault)


@CHECKS.check(
    "9. Events; 10. Commands", "Eject: state 3 until StackLoaded 0; and the refusals of a device without cards"
)
def ejects(rig: TdpRig) -> None:
    """Eject ends with StackLoaded 0, in state 3 until then; what needs cards is refused until a card is in again."""
    session = rig.ready()
    rig.needs(Capability.EJECTS)
    rig.stocked(session)
    answer = rig.do(session, Eject)
    if isinstance(answer, Refused) and rig.can(Capability.SHUFFLES):
        rig.shuffled(session)
        answer = rig.do(session, Eject)
    require(isinstance(answer, Done), "Done for Eject", answer, encode_message(answer))
    event = session.wait_for(StackLoaded, MACHINE_S, "StackLoaded 0", lambda one: one.cards == 0)
    rig.wait_for_silence(session)
    told = [taken.message for taken in session.log]
    moved = [one for one in told[: told.index(event)] if isinstance(one, Status)][-1:]
    ejecting = bool(moved) and moved[0].state is DeviceState.DISPENSING
    require(ejecting, "state 3 until StackLoaded 0", moved)
    status = session.status
    empty = status is not None and (status.stack_cards, status.count) == (0, 0)
    require(empty, "no cards and count 0 in Status", status)
    rig.act(session, manual_steps.TAKE)
    rig.wait_for_silence(session)
    status = session.status
    idle = status is not None and status.state is DeviceState.IDLE
    require(idle, "state 0 once the cards are taken", status)
    _require_refused_7(rig, session)
    if rig.can(Capability.TAKES_RETURNS):
        rig.done(session, AcceptReturn)
        rig.done(session, Lock)
        session.wait_for(CardsReturned, EVENT_S, "CardsReturned 0", lambda one: one.cards == 0)
        if rig.can(Capability.LOCKS):
            rig.act(session, manual_steps.put_back(1))
            rig.done(session, AcceptReturn)
            session.wait_for(CardsReturned, _RETURN_S, "CardsReturned", lambda one: one.cards > 0)
            rig.unlocked(session, 1)
            rig.done(session, Lock)


@CHECKS.check("8. Reports; 9. Events; 10. Commands", "a stack that a person has taken out")
def emptying_is_reported(rig: TdpRig) -> None:
    """When a person has emptied the device it reports StackLoaded 0; then what needs cards is refused with 7."""
    session = rig.ready()
    rig.stocked(session)
    rig.act(session, manual_steps.UNLOAD)
    session.wait_for(StackLoaded, MACHINE_S, "StackLoaded 0", lambda one: one.cards == 0)
    rig.wait_for_silence(session)
    rig.well(session)  # its cover may have been opened while it moved
    status = session.status
    empty = status is not None and (status.state, status.stack_cards, status.count) == (DeviceState.IDLE, 0, 0)
    require(empty, "state 0, no cards and count 0 in Status", status)
    _require_refused_7(rig, session)


def _require_refused_7(rig: TdpRig, session: HostSession) -> None:
    makers: dict[Capability, Callable[[int], DeviceCommand]] = {
        Capability.LOCKS: lambda new: Unlock(new, 1),
        Capability.DISPENSES: lambda new: Dispense(new, 1),
        Capability.SHUFFLES: Shuffle,
        Capability.EJECTS: Eject,
    }
    for capability, make in makers.items():
        if rig.can(capability):
            answer = rig.do(session, make)
            lacks = isinstance(answer, Refused) and answer.reason == RefusalReason.OUT_OF_CARDS
            require(lacks, f"Refused 7 for {type(make(0)).__name__} without cards", answer, encode_message(answer))


def _begins_to_shuffle(rig: TdpRig, session: HostSession) -> None:
    _command, answer = rig.done_when_still(session, Shuffle)
    if isinstance(answer, Refused):
        raise CheckSkipped(f"the device refused to shuffle now: reason {int(answer.reason)}")
    session.wait_for(ShuffleStarted, EVENT_S, "ShuffleStarted")


def _well_again(rig: TdpRig, session: HostSession) -> None:
    status = session.status
    if status is None or not status.fault_code:
        return
    code, module = status.fault_code, status.fault_module
    answer = rig.do(session, lambda new: ClearFault(new, code, module))
    rig.bench.observe(f"the open cover was fault {code}; clearing it gave {type(answer).__name__}")
    if not isinstance(answer, Done):
        unmet("a fault that can be cleared once the cover is closed", answer)
    rig.wait_for_silence(session)

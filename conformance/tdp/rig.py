"""The rig for the checks of TDP: sessions, command ids, cards, a record."""

import contextlib
from collections.abc import Callable, Sequence
from typing import Final

from conformance import manual_steps
from conformance.bench import Bench
from conformance.check_result import CheckBlocked, CheckSkipped, require
from conformance.manual_steps import ManualStep, StepResult
from conformance.tdp.limits import (
    EVENT_S,
    MACHINE_S,
    NOTHING_S,
    QUIET_S,
)
from conformance.tdp.opening import HALF, SessionControl
from conformance.tdp.session import HostSession
from conformance.tdp.setup import TdpSetup
from protocols.tdp.codec import encode_message
from protocols.tdp.codes import Capability, DeviceState, RefusalReason
from protocols.tdp.commands import ClearFault, DeviceCommand, Dispense, ReadMeters, Shuffle, Unlock
from protocols.tdp.events import (
    CardDrawn,
    DeviceEvent,
    Fault,
    FaultCleared,
    PacketDispensed,
    ShuffleDone,
    StackLoaded,
)
from protocols.tdp.messages import Done, Heartbeat, Meters, Refused

_IDS: Final = 1 << 32
_GROWTH: Final = 4

_REST_S: Final = 1.0
_CARD_S: Final = 1.0
"""Seconds that a motor may take for a card of a packet."""

_TAKES: Final = 5

_PULLS: Final = 5
_FAULTS: Final = 4

_MOVING: Final = frozenset({DeviceState.SHUFFLING, DeviceState.RETURNING})

_LOW_STACK: Final = 40


class TdpRig(SessionControl):
    def __init__(self, bench: Bench, setup: TdpSetup) -> None:
        super().__init__(bench, setup)
        self._id = setup.first_id - 1
        self._ids_known = False

    # --- commands ---------------------------------------------------------------------------------------------------

    def new_id(self, session: HostSession) -> int:
        """A command id above all that the device has seen."""
        while not self._ids_known:
            self._id += 1
            answer = session.do(ReadMeters(self._id))
            old = isinstance(answer, Refused) and answer.reason in {RefusalReason.OLD_ID, RefusalReason.CONFLICTING_ID}
            self._ids_known = not old
            if old:
                self._id += self._id // _GROWTH
            if self._id >= _IDS - HALF:
                raise CheckBlocked("no command id is left: the device has seen nearly the highest; see first_id")
        self._id += 1
        return self._id

    def do(self, session: HostSession, make: Callable[[int], DeviceCommand]) -> Done | Refused:
        """Send a command with a new id and return its answer."""
        return session.do(make(self.new_id(session)))

    def done(self, session: HostSession, make: Callable[[int], DeviceCommand]) -> DeviceCommand:
        """Send a command that must be done; return it."""
        command = make(self.new_id(session))
        answer = session.do(command)
        require(isinstance(answer, Done), f"Done for {command}", answer)
        return command

    def meters(self, session: HostSession) -> Meters:
        """Read the meters."""
        command = ReadMeters(self.new_id(session))
        answer = session.do(command)
        if isinstance(answer, Refused):
            lacks = answer.reason == RefusalReason.NOT_SUPPORTED
            require(lacks, f"Done for {command}, or Refused 1", answer, encode_message(answer))
            raise CheckSkipped("the device does not read its meters out")
        return session.wait_for(Meters, NOTHING_S, "Meters before Done", lambda one: one.id == command.id)

    def metered(self, session: HostSession) -> Meters | None:
        """Read the meters of a device that has them."""
        try:
            return self.meters(session)
        except CheckSkipped:
            return None

    def card_commands(self) -> list[Callable[[int], DeviceCommand]]:
        makers: list[Callable[[int], DeviceCommand]] = []
        if self.can(Capability.DISPENSES):
            makers.append(lambda new: Dispense(new, 1))
        if self.can(Capability.LOCKS):
            makers.append(lambda new: Unlock(new, 1))
        return makers

    # --- hands ------------------------------------------------------------------------------------------------------

    def act(self, session: HostSession, act: ManualStep) -> StepResult:
        """Have something done at the device, and be a host meanwhile."""
        return self.bench.act(act, session.serve)

    def attempt(self, session: HostSession, act: ManualStep) -> StepResult:
        """Have something tried at the device."""
        return self.bench.attempt(act, session.serve)

    def away(self, act: ManualStep) -> StepResult:
        """Have something done while the line need not be served."""
        return self.bench.act(act, self.bench.pause)

    def stocked(self, session: HostSession, cards: int = _LOW_STACK) -> None:
        """Ensure cards in the device, the key at 0, no fault, and no motion."""
        self.well(session)
        if session.status is not None and session.status.key_position:
            self.attempt(session, manual_steps.key(0))  # a check that failed left it turned
            self.wait_for_silence(session)
        status = session.status
        if status is None or status.stack_cards < cards:
            self.load(session)
        session.pump(MACHINE_S, lambda: session.status is None or session.status.state not in _MOVING)
        session.pump(QUIET_S)
        session.forget()

    def load(self, session: HostSession, step: ManualStep = manual_steps.LOAD) -> None:
        """Have a stack put in, and wait until the device reports it.

        Raises:
            CheckBlocked: a fault stays, or the device takes no stack.
            CheckSkipped: the operator or the device cannot.
            RequirementFailed: the device does something else, or is too late.
        """
        before = len(session.events())

        def told() -> bool:
            # What was in it may be told as taken out first: that is StackLoaded as well, with 0.
            return any(isinstance(event, StackLoaded) and event.cards for event in session.events()[before:])

        session.pump(_REST_S)
        answer = self.attempt(session, step)
        if not answer.done:
            stops = CheckBlocked if step is manual_steps.LOAD else CheckSkipped
            raise stops(f"{step.line!r} could not be done: {answer.text}")
        for _ in range(_FAULTS):
            session.pump(MACHINE_S, lambda: told() or (session.status is not None and session.status.fault_code > 0))
            if told():
                session.pump(_REST_S)
                return
            # The cover was opened while something moved: a fault, after which the machine goes on.
            self.well(session)
        require(told(), "StackLoaded after a stack was put in", session.status)

    def well(self, session: HostSession) -> None:
        """Remove and clear each fault.

        Raises:
            CheckBlocked: one stays.
        """
        for _ in range(_FAULTS):
            status = session.status
            if status is None or not status.fault_code:
                return
            code, module = status.fault_code, status.fault_module
            self.attempt(session, manual_steps.FREE)
            session.do(ClearFault(self.new_id(session), code, module))
            self.wait_for_silence(session)
        raise CheckBlocked(f"the device is in fault, and stays so: {session.status}")

    def wait_for_silence(self, session: HostSession) -> None:
        session.do(ReadMeters(self.new_id(session)))
        session.pump(QUIET_S)

    def forgotten(self, session: HostSession) -> None:
        """Wait until the device has taken every acknowledgement: its ``Heartbeat`` says that nothing waits."""
        session.forget()
        session.wait_for(Heartbeat, EVENT_S, "a heartbeat with nothing pending", lambda one: one.pending == 0)

    @staticmethod
    def unacknowledged(session: HostSession) -> int:
        """Acknowledge no event from now on; return how many came so far."""
        session.confirms = False
        return len(session.events())

    def acknowledge_all(self, session: HostSession) -> None:
        if self.ledger.last is not None:
            session.confirm(self.ledger.last)
        session.confirms = True
        session.pump(QUIET_S)

    def draw_by_hand(self, session: HostSession, count: int) -> None:
        self.attempt(session, manual_steps.draw(count))

    def draw_unserved(self) -> None:
        """Have a card drawn, if there is an operator, while no session is served."""
        with contextlib.suppress(CheckSkipped):
            self.bench.attempt(manual_steps.draw(), self.bench.pause)

    def jammed(self, session: HostSession) -> Fault:
        """Some machines notice only when they move."""

        def told() -> bool:
            return any(isinstance(event, Fault) for event in session.events())

        self.act(session, manual_steps.JAM)
        if not session.pump(QUIET_S, told):
            self._move(session, told)
        return session.wait_for(Fault, EVENT_S, "Fault")

    def _move(self, session: HostSession, told: Callable[[], bool]) -> None:
        for make in self.card_commands():
            session.do(make(self.new_id(session)))
        if self.can(Capability.SHUFFLES):
            self.do(session, Shuffle)
        try:
            for _ in range(_PULLS):
                self.attempt(session, manual_steps.draw())
                if session.pump(_REST_S, told):
                    break
        except CheckSkipped:
            self.bench.observe("the jammed card was not removed")

    def freed(self, session: HostSession, fault: Fault) -> FaultCleared:
        """Remove the cause of a fault, and clear it; return the event."""
        self.act(session, manual_steps.FREE)
        session.pump(QUIET_S, lambda: any(isinstance(event, FaultCleared) for event in session.events()))
        if not any(isinstance(taken.message, FaultCleared) for taken in session.inbox):
            self.done(session, lambda new: ClearFault(new, fault.code, fault.module))
        return session.wait_for(FaultCleared, EVENT_S, "FaultCleared")

    def ways(self) -> list[bool]:
        """The ways to let a card out, as ``by_hand`` of `deal`."""
        both = self.can(Capability.DISPENSES) and self.can(Capability.LOCKS)
        return [False, True] if both else [not self.can(Capability.DISPENSES)]

    def deal(
        self, session: HostSession, count: int, permit: int = 0, *, by_hand: bool | None = None
    ) -> list[DeviceEvent]:
        self.stocked(session)
        by_hand = self.ways()[0] if by_hand is None else by_hand
        before = len(session.events())
        if not by_hand:
            self.dispense(session, count, permit)
        elif self.can(Capability.LOCKS):
            self.unlocked(session, count, permit)
            self._draw_allowed(session, count, before)
        else:
            self.act(session, manual_steps.draw(count))
        session.pump(EVENT_S + count * _CARD_S, lambda: cards_reported(session.events()[before:]) >= count)
        told = [event for event in session.events()[before:] if isinstance(event, CardDrawn | PacketDispensed)]
        require(cards_reported(told) == count, f"events of {count} cards", f"{cards_reported(told)}: {told}")
        if not by_hand:
            self.cleared_exit(session, count)
        session.pump(QUIET_S)
        return list(told)

    def _draw_allowed(self, session: HostSession, count: int, before: int) -> None:
        def left() -> int:
            return count - cards_reported(session.events()[before:])

        for _ in range(_PULLS):  # a mouth may be empty for a moment
            self.attempt(session, manual_steps.draw(left()))
            if session.pump(_REST_S, lambda: left() <= 0):
                return

    def unlocked(self, session: HostSession, count: int, permit: int = 0) -> DeviceCommand:
        """Let ``count`` cards be drawn, once nothing moves any more; return the command that was done."""
        command, answer = self.done_when_still(session, lambda new: Unlock(new, count, permit))
        require(isinstance(answer, Done), f"Done for {command}", answer)
        return command

    def done_when_still(
        self, session: HostSession, make: Callable[[int], DeviceCommand]
    ) -> tuple[DeviceCommand, Done | Refused]:
        """Give a command again while it is refused because something moves; return the last with its answer."""
        end_s = self.bench.now_s() + MACHINE_S
        while True:
            command = make(self.new_id(session))
            answer = session.do(command)
            moves = isinstance(answer, Refused) and answer.reason == RefusalReason.BUSY
            if not moves or self.bench.now_s() >= end_s:
                return command, answer
            session.pump(QUIET_S)

    def dispense(self, session: HostSession, count: int, permit: int = 0) -> None:
        """Begin a packet, once the exit is empty, and after a shuffle if the device needs one.

        Raises:
            RequirementFailed: the device does something else, or is too late.
        """
        end_s = self.bench.now_s() + MACHINE_S
        shuffled = False
        while True:
            answer = self.do(session, lambda new: Dispense(new, count, permit))
            if isinstance(answer, Done):
                return
            waits = answer.reason == RefusalReason.BUSY and self.bench.now_s() < end_s
            lacks = answer.reason == RefusalReason.OUT_OF_CARDS and self.can(Capability.SHUFFLES) and not shuffled
            require(waits or lacks, f"Done for Dispense of {count} cards", answer)
            if lacks:
                shuffled = True
                self.shuffled(session)
            else:
                self.cleared_exit(session, count)

    def shuffled(self, session: HostSession) -> None:
        """Have the machine shuffle, and wait until it has."""
        self.done(session, Shuffle)
        session.wait_for(ShuffleDone, MACHINE_S, "ShuffleDone")

    def cleared_exit(self, session: HostSession, count: int) -> None:
        """A device reports a card before it can be touched."""
        try:
            for _ in range(_TAKES):
                self.wait_for_silence(session)
                self.attempt(session, manual_steps.draw_cards(count))
                session.pump(QUIET_S)
                if session.status is None or session.status.state is not DeviceState.DISPENSING:
                    return
        except CheckSkipped:
            self.bench.observe("the dispensed cards were not taken from the exit")


def cards_reported(events: Sequence[DeviceEvent]) -> int:
    return sum(
        1 if isinstance(event, CardDrawn) else len(event.cards) if isinstance(event, PacketDispensed) else 0
        for event in events
    )


def heartbeats(session: HostSession) -> list[tuple[float, Heartbeat]]:
    return [(taken.at_s, taken.message) for taken in session.log if isinstance(taken.message, Heartbeat)]


__all__ = ["HALF", "TdpRig", "cards_reported", "heartbeats"]

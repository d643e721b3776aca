"""The commands to one TDP device, one under way at a time (``docs/protocols/tdp.md``, sections 10 and 12).

No thread, no clock: time is an argument. Ids must grow from one start of the program to the next, and are kept nowhere:
they begin with the wall clock, and each session first asks the device to attest a number drawn at random, a command
that nobody else can have given. Refused as too old or as another one's, its id is tried again far above; answered
otherwise, all later ids are new. Without that a device could take a command for one that it did before, and do nothing.

A patient command that a busy device refuses is sent again, with another id, until another command takes its place.
A command is never sent again in another session: whoever gave it learns that nobody knows whether it was done, for a
card dispensed late is worse than one that is not dispensed.
"""

import secrets
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

from drivers.errors import CommandOutstanding, DriverError
from protocols.tdp.codes import RefusalReason
from protocols.tdp.commands import Attest, DeviceCommand
from protocols.tdp.messages import Done, Refused

MakeCommand = Callable[[int], DeviceCommand]
"""Makes a command with an id; ``Lock`` is one."""

REPLY_TIMEOUT_S: Final = 3.0
"""Seconds a device has to answer: the link repeats what is lost within less, and what takes time is answered when it
begins. Twice the silence after which the link gives up a session: then the session is lost first, and says why."""

WAITING_MAX: Final = 8
"""Most commands that wait: a lamp, a lock and the next card; more means that the device does not answer."""

IDS_PER_SECOND: Final = 4
"""Ids begin with the seconds since :data:`EPOCH_S`, times this: 2³² last for 34 years at four commands a second."""

EPOCH_S: Final = 1_735_689_600
"""2025-01-01T00:00:00Z, in seconds of the wall clock."""

JUMP: Final = 1 << 20
"""How far above an id that was not new the next is tried: past what a test rig sends in a day at ten a second."""

NOT_NEW: Final = frozenset({int(RefusalReason.OLD_ID), int(RefusalReason.CONFLICTING_ID)})
"""Refusals of an id that was used before; the command was not done."""

RETRY_S: Final = 0.2
"""Seconds until a command that a busy device refused is tried again: less than a croupier takes for a card."""

BUSY_MAX_S: Final = 10.0
"""Seconds a device may be busy before a person must look: a shuffle that is due now takes less, or it would not be."""

PASSING: Final = frozenset({int(RefusalReason.BUSY), int(RefusalReason.EVENTS_PENDING)})
"""Refusals that end with time: the command is tried again."""

PROBES_MAX: Final = 16
"""Times that an id is tried far above another before the device counts as one that takes none."""

NONCE_BYTES: Final = 32
"""``docs/protocols/tdp.md``, section 10."""

_IDS: Final = 1 << 32


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The device did not answer. Whether the command was done is unknown.

    Attributes:
        why: what happened instead, for a person.
        is_lost: whether the session was lost, and not only the answer late.
    """

    why: str
    is_lost: bool


TdpResult = Done | Refused | NoAnswer
"""How a command ended."""


@dataclass(slots=True)
class _QueuedCommand:
    make: MakeCommand
    result: "Future[TdpResult]"
    is_patient: bool
    command: DeviceCommand | None = None
    deadline_s: float = 0.0
    busy_since_s: float | None = None


class CommandQueue:
    """Commands waiting and under way. Results are set by whoever calls, so their callbacks run there.

    Args:
        port: the port's name, for messages.
        wall_s: seconds of the wall clock, from which the first id is made.
        draw: draws so many bytes at random.
    """

    def __init__(self, port: str, wall_s: float, draw: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._port: Final = port
        self._draw: Final = draw
        self._probe: int | None = None
        """The id of the probe under way."""
        self._probed = False
        """True if ids are known to be new in this session."""
        self._probes = 0
        """Ids that were not new, one after the other."""
        self._probe_deadline_s = 0.0
        self._quiet_until_s = float("-inf")
        """After the device took no id: when it is asked again."""
        self._last_id = max(int((wall_s - EPOCH_S) * IDS_PER_SECOND), 0) % _IDS
        self._waiting: deque[_QueuedCommand] = deque()
        self._under_way: _QueuedCommand | None = None
        self._put_off: _QueuedCommand | None = None
        """Refused by a busy device; sent again once its deadline has come."""

    @property
    def waits(self) -> bool:
        """True if any command waits or is under way, the probe among them."""
        return bool(self._under_way or self._waiting or self._put_off or not self._probed)

    def submit(self, make: MakeCommand, *, is_patient: bool = False) -> "Future[TdpResult]":
        """Append a command; one that was put off for a busy device ends with ``CommandOutstanding``.

        Args:
            make: makes it with its id.
            is_patient: whether it is sent again for ``BUSY_MAX_S`` to a device that is busy.

        Returns:
            A future of how it ends; it cannot be cancelled.

        Raises:
            CommandOutstanding: too many wait; nothing was appended.
        """
        if len(self._waiting) >= WAITING_MAX:
            raise CommandOutstanding(
                self._port,
                f"{WAITING_MAX} commands wait for the device",
                "Look at the device: it answers none of them.",
            )
        result: Future[TdpResult] = Future()
        result.set_running_or_notify_cancel()
        self._waiting.append(_QueuedCommand(make, result, is_patient))
        put_off, self._put_off = self._put_off, None
        if put_off is not None:
            put_off.result.set_exception(self._displaced())
        return result

    def _displaced(self) -> CommandOutstanding:
        return CommandOutstanding(
            self._port, "the device was busy, and another command took its place", "Give it again."
        )

    def to_send(self, now_s: float) -> DeviceCommand | None:
        """Return the command whose turn it is; it counts as sent. ``None`` while one is under way, or none waits."""
        if self._under_way is not None or self._probe is not None:
            return None
        if not self._probed:
            if now_s < self._quiet_until_s:
                return None
            self._probe = self._next_id()
            self._probe_deadline_s = now_s + REPLY_TIMEOUT_S
            return Attest(self._probe, self._draw(NONCE_BYTES))
        order = self._next_order(now_s)
        if order is None:
            return None
        self._under_way = order
        order.command = order.make(self._next_id())
        order.deadline_s = now_s + REPLY_TIMEOUT_S
        return order.command

    def _next_order(self, now_s: float) -> _QueuedCommand | None:
        if self._waiting:
            return self._waiting.popleft()
        put_off = self._put_off
        if put_off is None or now_s < put_off.deadline_s:
            return None
        self._put_off = None
        return put_off

    def _next_id(self) -> int:
        self._last_id += 1
        return self._last_id % _IDS

    def on_reply(self, answer: Done | Refused, now_s: float) -> bool:
        """Take an answer; return whether it was to the command under way."""
        is_not_new = isinstance(answer, Refused) and answer.reason in NOT_NEW
        if self._probe == answer.id:
            self._probe = None
            self._probed = not is_not_new
            self._probes = self._probes + 1 if is_not_new else 0
            self._last_id += JUMP if is_not_new else 0
            return True
        order = self._under_way
        if order is None or order.command is None or order.command.id != answer.id:
            return False
        self._under_way = None
        if not self._puts_off(order, answer, now_s):
            order.result.set_result(answer)
        return True

    def _puts_off(self, order: _QueuedCommand, answer: Done | Refused, now_s: float) -> bool:
        """Put a patient command off if the device is busy; return whether it did, or another takes its place."""
        if not (order.is_patient and isinstance(answer, Refused) and answer.reason in PASSING):
            return False
        if self._waiting:
            order.result.set_exception(self._displaced())
            return True
        order.busy_since_s = now_s if order.busy_since_s is None else order.busy_since_s
        if now_s - order.busy_since_s >= BUSY_MAX_S:
            return False
        order.deadline_s = now_s + RETRY_S
        self._put_off = order
        return True

    def time_passed(self, now_s: float) -> None:
        """Give up what is under way if its answer is overdue, and all that waits if the device takes no id."""
        if self._probe is not None and now_s >= self._probe_deadline_s:
            self._give_up_probing(now_s, f"no answer within {REPLY_TIMEOUT_S:g} s")
        elif self._probes >= PROBES_MAX:
            self._give_up_probing(now_s, f"the device knows {PROBES_MAX} ids in a row that were never used")
        order = self._under_way
        if order is not None and now_s >= order.deadline_s:
            self._under_way = None
            order.result.set_result(NoAnswer(f"no answer within {REPLY_TIMEOUT_S:g} s", is_lost=False))

    def _give_up_probing(self, now_s: float, why: str) -> None:
        self._probe, self._probes = None, 0
        self._quiet_until_s = now_s + REPLY_TIMEOUT_S
        waiting, self._waiting = self._waiting, deque()
        for order in waiting:
            order.result.set_result(NoAnswer(why, is_lost=False))

    def abandon(self, error: DriverError) -> None:
        """The session is gone: the command under way may or may not have been done, those that wait were not sent."""
        # Who answers the next one may be another device.
        self._probe, self._probed, self._probes = None, False, 0
        self._quiet_until_s = float("-inf")
        under_way, self._under_way = self._under_way, None
        waiting, self._waiting = self._waiting, deque()
        put_off, self._put_off = self._put_off, None
        if under_way is not None:
            under_way.result.set_result(NoAnswer(error.problem, is_lost=True))
        for order in [*waiting, *([put_off] if put_off else [])]:
            order.result.set_exception(error)

"""The commands to one TDP device (``docs/protocols/tdp.md``, sections 10 and 12).

Each session first finds an unused id with an ``Attest``; no command is repeated in another session.
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

REPLY_TIMEOUT_S: Final = 3.0
"""Twice the silence that ends a session."""

WAITING_MAX: Final = 8
"""A lamp, a lock and the next card."""

IDS_PER_SECOND: Final = 4
"""From :data:`EPOCH_S`: 2³² last 34 years."""

EPOCH_S: Final = 1_735_689_600
"""2025-01-01T00:00:00Z."""

JUMP: Final = 1 << 20
"""Distance after a repeated id: a day of a test rig."""

NOT_NEW: Final = frozenset({int(RefusalReason.OLD_ID), int(RefusalReason.CONFLICTING_ID)})
"""The command was not executed."""

RETRY_S: Final = 0.2
"""After a refusal as busy."""

BUSY_MAX_S: Final = 10.0
"""Then a person must act: longer than any shuffle under way."""

PASSING: Final = frozenset({int(RefusalReason.BUSY), int(RefusalReason.EVENTS_PENDING)})

PROBES_MAX: Final = 16

NONCE_BYTES: Final = 32
"""``docs/protocols/tdp.md``, section 10."""

_IDS: Final = 1 << 32


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The outcome is unknown.

    Attributes:
        is_lost: the session was lost, rather than the answer late.
    """

    why: str
    is_lost: bool


TdpResult = Done | Refused | NoAnswer


@dataclass(slots=True)
class _QueuedCommand:
    make: MakeCommand
    result: "Future[TdpResult]"
    is_patient: bool
    command: DeviceCommand | None = None
    deadline_s: float = 0.0
    busy_since_s: float | None = None


class CommandQueue:
    """Results are set, and callbacks run, in the calling thread."""

    def __init__(self, port: str, wall_s: float, draw: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._port: Final = port
        self._draw: Final = draw
        self._probe: int | None = None
        self._probed = False
        self._probes = 0
        self._probe_deadline_s = 0.0
        self._quiet_until_s = float("-inf")
        self._last_id = max(int((wall_s - EPOCH_S) * IDS_PER_SECOND), 0) % _IDS
        self._waiting: deque[_QueuedCommand] = deque()
        self._under_way: _QueuedCommand | None = None
        self._put_off: _QueuedCommand | None = None

    @property
    def waits(self) -> bool:
        return bool(self._under_way or self._waiting or self._put_off or not self._probed)

    def submit(self, make: MakeCommand, *, is_patient: bool = False) -> "Future[TdpResult]":
        """It replaces one that waits for a busy device; not cancellable.

        Raises:
            CommandOutstanding: too many commands wait.
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
        """End an overdue command, and all if the device accepts no id."""
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
        """The active command's outcome is unknown."""
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

"""The state of a device session across shoe games and restarts.

A session may be ahead of the journal: each report carries the state after it (`StateVersion`).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Final, Generic, TypeVar

import msgspec
from msgspec import UNSET

from protocols.garbage import Garbage, NotUnderstood
from regulations.events.inputs import AnyInput, Fault, FaultCleared
from regulations.events.vocabulary import NOT_UNDERSTOOD


class SessionState(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    not_understood: bool = False


MessageT = TypeVar("MessageT")
StateT = TypeVar("StateT", bound=SessionState)

ENCODER: Final = msgspec.json.Encoder(order="deterministic")


class DeviceSnapshot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The journal's knowledge of a device.

    Attributes:
        heard_from: first line to apply again; 0: also those of the log before; ``None``: none.
    """

    state: msgspec.Raw
    heard_from: int | None


class StateVersion(msgspec.Struct, frozen=True):
    """The state after a message; ``number``: reports of two threads may arrive in another order."""

    number: int
    words: int
    state: bytes


class StatefulSession(ABC, Generic[MessageT, StateT]):
    form: ClassVar[type[Any]]
    state: StateT

    def __init__(self, device: str) -> None:
        self._device: Final = device
        self._begin(self.form())

    @abstractmethod
    def _begin(self, state: StateT) -> None:
        """Build the session around a state."""

    # --- what the device says -----------------------------------------------------------------------------------------

    @abstractmethod
    def translate(self, message: MessageT, now_s: float) -> list[AnyInput]:
        """A message's inputs for the table, in order."""

    @abstractmethod
    def lost(self) -> list[AnyInput]:
        """The link is gone."""

    @abstractmethod
    def back(self) -> list[AnyInput]:
        """The link is there."""

    # --- what the table says -----------------------------------------------------------------------------------------

    def stack_loaded(self) -> None:
        """A new stack is in."""

    def stack_logged(self) -> None:
        self.stack_loaded()

    def shoe_over(self) -> None:
        """The shoe game is over."""

    def log_begun(self) -> None:
        """Known line numbers are of the log before."""

    @property
    def is_at_rest(self) -> bool:
        return not self.state.not_understood

    def card_entered(self) -> None:
        """The device did not report the card."""

    # --- what the device says that no page explains ------------------------------------------------------------------

    def strange(self, what: NotUnderstood, now_s: float) -> list[AnyInput]:  # noqa: ARG002  # some families look
        """Report a frame that is not understood."""
        self.state.not_understood = True
        return [
            Fault(
                device=self._device,
                code=NOT_UNDERSTOOD,
                origin="table",
                frame_type=UNSET if what.frame_type is None else what.frame_type,
                frame_length=len(what.raw),
                raw=what.raw.hex(),
            )
        ]

    def translate_damage(self, damage: Garbage) -> list[AnyInput]:  # noqa: ARG002  a family's page may give it a meaning
        """Nothing, unless the bytes may have been a message that counts."""
        return []

    def understood(self) -> list[AnyInput]:
        """End that fault, if it is open."""
        was_open, self.state.not_understood = self.state.not_understood, False
        return [FaultCleared(device=self._device, code=NOT_UNDERSTOOD, origin="table")] if was_open else []

    # --- what the journal says ---------------------------------------------------------------------------------------

    @abstractmethod
    def replay(self, event: AnyInput) -> None:
        """Apply an accepted input of the journal, in order."""

    def replay_refused(self, event: AnyInput) -> None:
        """Apply an input that the regulation refused."""

    def snapshot(self) -> StateT | None:
        """Before a stack's first card; ``None`` if it would name a card."""
        return self.state

    def restore(self, snapshot: bytes) -> None:
        """Continue from an encoded state.

        Raises:
            msgspec.ValidationError: another version or family wrote it; the state is unchanged.
        """
        self._begin(msgspec.json.decode(snapshot, type=self.form))

    def heard_from(self) -> int | None:
        """First journal line to apply again besides the snapshot; ``None``: none."""
        return None

    def recall(self, event: AnyInput) -> None:
        """Apply again an input from before the snapshot."""


Signal = Callable[[StatefulSession[Any, Any]], None]


class DurableState:
    """The session's state that the journal knows; the caller holds the bridge's guard."""

    def __init__(self, session: StatefulSession[Any, Any]) -> None:
        self._session: Final = session
        self._durable = StateVersion(0, 0, b"")
        self._left = 0
        self._signals = 0
        self._unheard: Final[dict[Signal, int]] = {}

    def send(self, signal: Signal, logged: Signal) -> None:
        signal(self._session)
        self._signals += 1
        # Sent again, it is the newest.
        self._unheard.pop(logged, None)
        self._unheard[logged] = self._signals

    def leave(self) -> StateVersion:
        """The state of the session, for the report that it has just made."""
        self._left += 1
        return StateVersion(self._left, self._signals, ENCODER.encode(self._session.state))

    def stored(self, leaves: StateVersion | None) -> None:
        """The journal knows a state; one that was left before what it knows already is old."""
        if leaves is None or leaves.number < self._durable.number:
            return
        self._durable = leaves
        for signal, number in list(self._unheard.items()):
            if number <= leaves.words:
                del self._unheard[signal]

    def snapshot(self, device: str) -> DeviceSnapshot | None:
        known = type(self._session)(device)
        known.restore(self._durable.state or ENCODER.encode(self._session.state))
        for signal in self._unheard:
            signal(known)
        state = known.snapshot()
        if state is None:
            return None
        return DeviceSnapshot(state=msgspec.Raw(ENCODER.encode(state)), heard_from=self._session.heard_from())

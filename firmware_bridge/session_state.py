"""The state of a device session across shoe games and restarts.

A session keeps it in one Struct, `state`: a snapshot is its encoding. A session may be ahead of the journal, so each
report carries the state after it (`StateVersion`); that of the last durable report is the journal's.
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
    """The part of a session's state that all families share."""

    not_understood: bool = False


MessageT = TypeVar("MessageT")
StateT = TypeVar("StateT", bound=SessionState)

ENCODER: Final = msgspec.json.Encoder(order="deterministic")
"""Encodes states: the same state has the same bytes."""


class DeviceSnapshot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The journal's knowledge of a device.

    Attributes:
        heard_from: the first line that it must hear again; 0: those of the log before as well; ``None``: none.
    """

    state: msgspec.Raw
    heard_from: int | None


class StateVersion(msgspec.Struct, frozen=True):
    """State of a session after a message.

    Attributes:
        number: its position among all states; reports of two threads may arrive in another order.
    """

    number: int
    words: int
    state: bytes


class StatefulSession(ABC, Generic[MessageT, StateT]):
    """Base class of sessions that restore their state from the journal."""

    form: ClassVar[type[Any]]
    """The Struct of the state."""
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
        """Translate a message for the table, in order."""

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
        """A new stack was loaded according to a journal; unreported messages since are unknown."""
        self.stack_loaded()

    def shoe_over(self) -> None:
        """The shoe game is over."""

    def log_begun(self) -> None:
        """Another log begins; numbers of lines that are known are of the log before."""

    @property
    def is_at_rest(self) -> bool:
        """True if all known reports are durable and none is expected."""
        return not self.state.not_understood

    def card_entered(self) -> None:
        """A person entered a card that the device did not tell."""

    # --- what the device says that no page explains ------------------------------------------------------------------

    def strange(self, what: NotUnderstood, now_s: float) -> list[AnyInput]:  # noqa: ARG002  # some families look
        """Report a frame that is not understood.

        Args:
            what: its bytes, which the log seals, and its type.
            now_s: time of arrival, seconds, monotonic.

        Returns:
            The table's fault; no event for a copy.
        """
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
        """Report damaged bytes; nothing, unless they may have been part of a message that counts."""
        return []

    def understood(self) -> list[AnyInput]:
        """End that fault, if it is open."""
        was_open, self.state.not_understood = self.state.not_understood, False
        return [FaultCleared(device=self._device, code=NOT_UNDERSTOOD, origin="table")] if was_open else []

    # --- what the journal says ---------------------------------------------------------------------------------------

    @abstractmethod
    def replay(self, event: AnyInput) -> None:
        """Takes up an input of the journal, in its order; one that was not refused."""

    def replay_refused(self, event: AnyInput) -> None:
        """Takes up an input that the regulation refused when it came."""

    def snapshot(self) -> StateT | None:
        """The state for a public snapshot, before a stack's first card; ``None`` if it would name a card."""
        return self.state

    def restore(self, snapshot: bytes) -> None:
        """Continues from an encoded state.

        Raises:
            msgspec.ValidationError: written by another version or family; the state is unchanged.
        """
        self._begin(msgspec.json.decode(snapshot, type=self.form))

    def heard_from(self) -> int | None:
        """The first number in the journal of what must be heard again besides the snapshot; ``None``: nothing."""
        return None

    def recall(self, event: AnyInput) -> None:
        """Hears again, in order, an input from before the snapshot, from :meth:`heard_from` on."""


Signal = Callable[[StatefulSession[Any, Any]], None]
"""A signal of the table to a session, which the journal has as well."""


class DurableState:
    """The state of one session that the journal knows.

    The caller holds the bridge's guard.
    """

    def __init__(self, session: StatefulSession[Any, Any]) -> None:
        self._session: Final = session
        self._durable = StateVersion(0, 0, b"")
        self._left = 0
        self._signals = 0
        self._unheard: Final[dict[Signal, int]] = {}

    def send(self, signal: Signal, logged: Signal) -> None:
        """Send a signal to the session and keep it for the durable state."""
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
        """The journal's knowledge of the device; ``None``: it cannot be said."""
        known = type(self._session)(device)
        known.restore(self._durable.state or ENCODER.encode(self._session.state))
        for signal in self._unheard:
            signal(known)
        state = known.snapshot()
        if state is None:
            return None
        return DeviceSnapshot(state=msgspec.Raw(ENCODER.encode(state)), heard_from=self._session.heard_from())

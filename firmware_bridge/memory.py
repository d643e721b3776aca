"""A device session's memory of everything before a shoe game, and the journal's part of it.

A session keeps that in one Struct, its `state`: a snapshot is the state's encoding, and a session that continues
from one is made around it, so that nothing can be forgotten or left over. The session that listens may be ahead of the
journal, and what a crash takes away must not be remembered: each report carries the state that it leaves
(`Leaves`), and the state of the last one that is durable is what the journal knows.
"""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Final, Generic, TypeVar

import msgspec
from msgspec import UNSET

from protocols.garbage import NotUnderstood
from regulations.events.inputs import AnyInput, Fault, FaultCleared
from regulations.events.vocabulary import NOT_UNDERSTOOD


class DeviceState(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The part of a session's state that all families share.

    Attributes:
        not_understood: whether what the device sent last was not understood.
    """

    not_understood: bool = False


StateT = TypeVar("StateT", bound=DeviceState)

ENCODER: Final = msgspec.json.Encoder(order="deterministic")
"""Encodes states: the same state has the same bytes."""


class DeviceSnapshot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The journal's knowledge of a device.

    Attributes:
        state: of its session, in the form of its family.
        heard_from: the first entry that it must hear again; ``None``: none.
    """

    state: msgspec.Raw
    heard_from: int | None


class Leaves(msgspec.Struct, frozen=True):
    """The state in which a session left its device after a message.

    Attributes:
        number: how many states it has left so far; where two threads pass on reports, they may change places.
        words: how many words of the table it had heard of by then.
        state: the encoded state.
    """

    number: int
    words: int
    state: bytes


class Memory(ABC, Generic[StateT]):
    """A session, as far as it remembers.

    Args:
        device: the device's name in the log.

    Attributes:
        state: all that outlives a stack. Whoever changes it need not think of snapshots.
    """

    form: ClassVar[type[Any]]
    """The Struct of the state."""
    state: StateT

    def __init__(self, device: str) -> None:
        self._device: Final = device
        self._begin(self.form())

    @abstractmethod
    def _begin(self, state: StateT) -> None:
        """Makes all that the session has besides anew, around this state."""

    # --- what the table says -----------------------------------------------------------------------------------------

    def stack_loaded(self) -> None:
        """A new stack is in."""

    def stack_logged(self) -> None:
        """A new stack is in, of a journal: what the device said since without a report nobody knows."""
        self.stack_loaded()

    def shoe_over(self) -> None:
        """The shoe game is over."""

    def card_entered(self) -> None:
        """A person entered a card that the device did not tell."""

    # --- what the device says that no page explains ------------------------------------------------------------------

    def strange(self, what: NotUnderstood, now_s: float) -> list[AnyInput]:  # noqa: ARG002  # some families look
        """Report a frame that is not understood, or bytes that make none.

        Args:
            what: its bytes, which the log seals, and its type.
            now_s: when it came, seconds of a steady clock.

        Returns:
            The fault, which is the table's own; none for a copy.
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

    def understood(self) -> list[AnyInput]:
        """End that fault, if it is open: a frame was understood, or two people readmitted the device."""
        was_open, self.state.not_understood = self.state.not_understood, False
        return [FaultCleared(device=self._device, code=NOT_UNDERSTOOD, origin="table")] if was_open else []

    # --- what the journal says ---------------------------------------------------------------------------------------

    @abstractmethod
    def replay(self, event: AnyInput) -> None:
        """Takes up an input of the journal, in its order; one that was not refused."""

    def replay_refused(self, event: AnyInput) -> None:
        """Takes up an input that the regulation refused when it came."""

    def snapshot(self) -> StateT | None:
        """The state, to be written, once a new stack is in and while no card of it is out.

        No card may be in it: it is stored for all to read. ``None`` if what is remembered cannot be said without.
        """
        return self.state

    def restore(self, snapshot: bytes) -> None:
        """Continues from an encoded state.

        Raises:
            msgspec.ValidationError: another version wrote it, or another family; nothing was taken up.
        """
        self._begin(msgspec.json.decode(snapshot, type=self.form))

    def heard_from(self) -> int | None:
        """The first number in the journal of what must be heard again besides the snapshot; ``None``: nothing."""
        return None

    def recall(self, event: AnyInput) -> None:
        """Hears again, in order, an input from before the snapshot, from :meth:`heard_from` on."""

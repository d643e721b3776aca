"""A table's state at the start of a shoe game.

Stored and signed with the key change (`Journal.begin_shoe`); recovery continues from it.
"""

import contextlib
import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from cardshoe.screens.view import TableView
from cardshoe.screens.view.encoding import EncodedView, ViewEncoder
from cardshoe.table.log.log_builder import LoggedInput, Scribe
from firmware_bridge.session_state import DeviceSnapshot
from regulations.events.errors import NoSnapshot
from regulations.events.inputs import AnyInput, CardDrawn, Equipment, Loaded, Resolve, Shuffled, Table
from regulations.events.origins import origin_of
from regulations.events.outputs import Irregularity, Resolved
from regulations.play.context.snapshot import Snapshot
from regulations.procedure.procedure import Procedure

logger: Final = logging.getLogger(__name__)


class TableSnapshot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table's state after a shoe game began; ``devices`` include unconfigured ones, which may return."""

    form: Literal[2] = 2
    inputs: int
    loaded_by: str | None
    entered: int
    profile: Table
    regulation: Snapshot
    devices: dict[str, DeviceSnapshot]
    view: msgspec.Raw | UnsetType = UNSET


class Recovering(Protocol):
    @property
    def name(self) -> str:
        """The device's name in the log."""

    @property
    def form(self) -> type[msgspec.Struct]:
        """Type of the device's state in a snapshot."""

    def snapshot(self) -> DeviceSnapshot | None:
        """The journal's record of the device; ``None``: unknown."""

    def restore(self, snapshot: bytes, heard: Iterable[AnyInput]) -> None:
        """Continue from a state and the events after it."""

    def log_begun(self) -> None:
        """A new log begins: known line numbers are of the log before."""


def begins_shoe(taken: LoggedInput, procedure: Procedure) -> bool:
    return isinstance(taken.event, Loaded | Shuffled) and not taken.is_refused and procedure.is_dealt_from


def loaded_by(taken: LoggedInput, before: str | None) -> str | None:
    if not isinstance(taken.event, Loaded | Equipment) or taken.is_refused:
        return before
    device = taken.event.device if isinstance(taken.event, Loaded) else UNSET
    return None if device is UNSET else device


def waits_by_hand(taken: LoggedInput) -> bool:
    """True if two people must confirm a card entered by hand (reading G19)."""
    return any(isinstance(one, Irregularity) and one.code == "card_by_hand" for one in taken.outputs)


def enters_card(taken: LoggedInput) -> bool:
    if isinstance(taken.event, CardDrawn):
        return origin_of(taken.event) == "person" and not taken.is_refused and not waits_by_hand(taken)
    return isinstance(taken.event, Resolve) and any(
        isinstance(one, Resolved) and one.mark == "by_hand" for one in taken.outputs
    )


def entered(taken: LoggedInput, before: int) -> int:
    if isinstance(taken.event, Loaded) and not taken.is_refused:
        return 0
    return before + enters_card(taken)


class LogSummary:
    """Facts of a log besides its regulation.

    Attributes:
        loaded_by: dealing device; ``None``: unknown, or loaded by a person.
    """

    def __init__(self, bridges: Sequence[Recovering] = (), view: TableView | None = None) -> None:
        self.view = view
        self.profile: Table | None = None
        self.inputs = 0
        self.loaded_by: str | None = None
        self.entered = 0
        self._bridges: Final = {bridge.name: bridge for bridge in bridges}
        self._absent: Mapping[str, DeviceSnapshot] = {}
        self._waiting: list[LoggedInput] = []
        self._encoder: Final = ViewEncoder()

    def note(self, taken: LoggedInput) -> None:
        """Note an input."""
        self._count(taken)
        self._fold(taken)

    def _fold(self, taken: LoggedInput) -> None:
        if self.view is None:
            return
        try:
            self.view.take(taken.event, taken.outputs)
        except Exception:
            # Nobody but those who look on may suffer from a defect there.
            logger.exception("the table's view is off until the next start; the table keeps running")
            self.view = None

    def _count(self, taken: LoggedInput) -> None:
        if self.profile is None and isinstance(taken.event, Table):
            self.profile = taken.event
        self.inputs += 1
        self.loaded_by = loaded_by(taken, self.loaded_by)
        self.entered = entered(taken, self.entered)

    def take(self, taken: LoggedInput) -> None:
        """Note a durable input."""
        self._count(taken)
        if self.view is not None:
            self._waiting.append(taken)

    def settle(self) -> None:
        """Apply waiting inputs to the view, on demand or between rounds."""
        for taken in self._waiting:
            self._fold(taken)
        self._waiting.clear()

    def encoded(self) -> EncodedView | None:
        """The current view; ``None``: given up."""
        self.settle()
        return None if self.view is None else self._encoder.encode(self.view)

    def restore(self, snapshot: TableSnapshot) -> None:
        """Continue from a snapshot."""
        self.profile, self.inputs = snapshot.profile, snapshot.inputs
        self.loaded_by, self.entered = snapshot.loaded_by, snapshot.entered
        self._absent = {name: one for name, one in snapshot.devices.items() if name not in self._bridges}
        if self.view is not None and snapshot.view is not UNSET:
            # One of another version is left alone: the lines of the log say the same.
            with contextlib.suppress(msgspec.ValidationError):
                self.view = msgspec.json.decode(snapshot.view, type=TableView)

    def snapshot(self, scribe: Scribe) -> TableSnapshot | None:
        """The table's state; ``None``: a snapshot does not suffice."""
        self.settle()
        devices = dict(self._absent)
        for name, bridge in self._bridges.items():
            device = bridge.snapshot()
            if device is None:
                return None
            devices[name] = device
        try:
            regulation = scribe.procedure.snapshot()
        except NoSnapshot:
            return None
        if self.profile is None:
            return None
        return TableSnapshot(
            inputs=self.inputs,
            loaded_by=self.loaded_by,
            entered=self.entered,
            profile=self.profile,
            regulation=regulation,
            devices=devices,
            view=UNSET if self.view is None else msgspec.Raw(msgspec.json.encode(self.view)),
        )

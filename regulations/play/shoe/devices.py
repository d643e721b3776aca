"""The guards and effects of the rows about devices."""

from typing import Final

from msgspec import UNSET

from regulations.events.inputs import CutCard, DeviceReadmitted, Fault, Loaded
from regulations.events.notices import DeviceIdentified, SignedIn
from regulations.events.origins import origin_of
from regulations.events.vocabulary import NOT_UNDERSTOOD
from regulations.law.persons import two_persons
from regulations.play.context.context import RuleContext
from regulations.play.context.irregularities import device_key


class DeviceRules:
    def __init__(self, context: RuleContext) -> None:
        self._context: Final = context
        self.readers: dict[str, bool] = {}
        """Devices that read cards; whether they report the cut card."""
        self.dealt_from = ""

    def device_awaited(self) -> str | None:
        first = self._context.awaited
        if first is None:
            return None
        return f"irregularity {first.number} ({first.code}), device {first.device[1] if first.device else '?'}"

    def device_absent(self) -> bool:
        return device_key(self._context.scope.turn.event)[1] in self._context.absent

    def fault_is_open(self) -> bool:
        return self._context.scope.irregularities.of_device(device_key(self._context.scope.turn.event)) is not None

    def not_understood(self) -> str | None:
        event = self._context.event_as(Fault)
        if (origin_of(event), event.code) != ("table", NOT_UNDERSTOOD):
            return None
        length = 0 if event.frame_length is UNSET else event.frame_length
        is_frame = event.frame_type is not UNSET
        return f"type {event.frame_type}, {length} bytes" if is_frame else f"{length} bytes without a frame"

    def readmission_persons_missing(self) -> bool:
        return not two_persons(self._context.event_as(DeviceReadmitted).by)

    def record_role(self) -> None:
        event = self._context.event_as(SignedIn)
        self._context.roles[event.person] = event.role

    def record_reader(self) -> None:
        event, readers = self._context.event_as(DeviceIdentified), self.readers
        # Such an event names its device, or it is not read.
        name = str(event.device)
        readers.pop(name, None)
        if event.reads:
            readers[name] = event.cut_card

    def record_dealt_from(self) -> None:
        device = self._context.event_as(Loaded).device
        self.dealt_from = "" if device is UNSET else device

    def reports_cards(self) -> bool:
        return bool(self._well_readers())

    def reports_cut_card(self) -> bool:
        event = self._context.scope.turn.event
        is_typed = isinstance(event, CutCard) and origin_of(event) == "person"
        return is_typed and any(self.readers[name] for name in self._well_readers())

    def _well_readers(self) -> list[str]:
        context = self._context
        if not self.readers:
            return []
        register = context.scope.irregularities
        unwell = {one.device[1] for one in (*register.open, *register.awaited) if one.device is not None}
        unwell.update(context.absent)
        return [name for name in self.readers if name not in unwell and self.dealt_from in ("", name)]

    def dispute_open(self) -> bool:
        return any(one.code == "dispute" for one in self._context.scope.irregularities.open)

    def latch_again(self) -> None:
        self._set_cleared(cleared=False)

    def clear_fault(self) -> None:
        self._set_cleared(cleared=True)

    def _set_cleared(self, *, cleared: bool) -> None:
        self._context.scope.irregularities.set_cleared(device_key(self._context.scope.turn.event), is_well=cleared)

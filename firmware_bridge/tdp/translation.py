"""Each event of a TDP device in the table log (``docs/firmware-bridge.md``)."""

from typing import Final

import msgspec
from msgspec import UNSET, UnsetType

from protocols.errors import FrameError
from protocols.tdp import events as tdp
from protocols.tdp.codec import LENGTH_BYTES, decode_message, encode_message
from protocols.tdp.codes import BootReason, Capability, Face, FaultCode
from regulations.events import inputs, line, notices
from regulations.events.cards import Card
from regulations.events.inputs import AnyInput
from regulations.events.vocabulary import Face as LogFace

RESTARTED: Final = "restarted"
COVER_OPEN: Final = "cover_open"
KEY_TURNED: Final = "key_turned"
CONFIDENCE_MIN: Final = 90
"""Per cent; below it a card counts as not read, and a person names it."""

_FACES: Final[dict[Face, LogFace]] = {Face.UNKNOWN: "down", Face.DOWN: "down", Face.UP: "up"}
_DEALS: Final = Capability.LOCKS | Capability.DISPENSES
_COUNTS: Final = 1 << 16
_FAULTS: Final[dict[int, str]] = {code.value: code.name.lower() for code in FaultCode}
_COVER: Final = -1
"""The cover itself among causes of ``cover_open``; modules are 0 or more."""


def name_of(code: int) -> str:
    return _FAULTS.get(code) or f"fault_{code}"


class TranslationState(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The state that decides what events mean.

    Attributes:
        count: cards since the stack was loaded; modulo 2¹⁶ on the wire.
    """

    count: int = 0
    is_dealing: bool = False
    faults: set[str] = set()


class Translation:
    """A fault of several parts begins with the first and ends with the last."""

    def __init__(self, device: str, state: TranslationState) -> None:
        self._device: Final = device
        self._state: Final = state
        self.capabilities = Capability.LOCKS
        """Before ``Hello``: cards are drawn by hand."""
        self._causes: Final[dict[str, set[int]]] = {}

    @property
    def is_shuffler_dealer(self) -> bool:
        """A shuffle there is no event at the table."""
        return bool(self.capabilities & Capability.TAKES_RETURNS)

    def of(self, event: tdp.DeviceEvent) -> list[AnyInput]:
        """The inputs that an event is, one at least."""
        match event:
            case tdp.CardDrawn():
                card = event.card if event.confidence >= CONFIDENCE_MIN else None
                return [self._card(event, card, self._counted(event.count), _FACES[event.face])]
            case tdp.PacketDispensed():
                first = self._counted(event.count) - len(event.cards) + 1
                return [self._card(event, card, first + n, "down") for n, card in enumerate(event.cards)]
            case tdp.Fault():
                return self._begins(event, name_of(event.code), event.module)
            case tdp.FaultCleared():
                return self._ends(event, name_of(event.code), event.module)
            case tdp.CoverOpened() | tdp.CoverClosed():
                return self._cover(event)
            case tdp.KeyTurned():
                turn = self._begins if event.position else self._ends
                return turn(event, KEY_TURNED, 0)
            case _:
                return [self._of_stack(event)]

    def restarted(self, event: tdp.PowerRestored, *, is_expected: bool) -> list[AnyInput]:
        """A note if no event can be lost, else a fault; persisting faults are reported again."""
        ended: list[AnyInput] = [self._cleared(event, code) for code in sorted(self._state.faults)]
        self._forget_faults()
        if is_expected:
            return [*ended, self._device_note(event, RESTARTED, event.reason)]
        return [*ended, self._fault(event, RESTARTED), self._cleared(event, RESTARTED)]

    def another_unit(self) -> list[AnyInput]:
        codes = sorted(self._state.faults)
        self._forget_faults()
        return [inputs.FaultCleared(device=self._device, code=code) for code in codes]

    def module_of(self, code: int) -> int:
        return min((module for module in self._causes.get(name_of(code), ()) if module >= 0), default=0)

    def replay(self, event: AnyInput) -> None:
        state = self._state
        match event:
            case inputs.Fault():
                state.faults.add(str(event.code))
                self._causes.pop(str(event.code), None)
            case inputs.FaultCleared():
                self._forget_fault(str(event.code))
            case inputs.CardDrawn() if event.count is not UNSET:
                state.count = event.count
            case inputs.Loaded():
                state.count = 0
                state.is_dealing = True
            case notices.DeviceNoted(note="emptied"):
                state.is_dealing = False
            case _:
                pass

    def _forget_fault(self, code: str) -> None:
        self._state.faults.discard(code)
        self._causes.pop(code, None)

    def _forget_faults(self) -> None:
        self._state.faults.clear()
        self._causes.clear()

    def _counted(self, count: int) -> int:
        state = self._state
        step = (count - state.count) % _COUNTS
        state.count = state.count + step if step < _COUNTS // 2 else count
        return state.count

    def _card(
        self, event: tdp.CardDrawn | tdp.PacketDispensed, card: Card | None, count: int, face: LogFace
    ) -> inputs.CardDrawn:
        return inputs.CardDrawn(
            card=card,
            face=face,
            # A device without a reader fails at nothing: persons name the card when it is turned.
            unseen=card is None and not self.capabilities & Capability.READS_CARDS,
            count=count,
            permit=event.permit or UNSET,
            device=self._device,
            raw=raw_of(event),
            boot=event.boot,
            number=event.number,
        )

    def _cover(self, event: tdp.CoverOpened | tdp.CoverClosed) -> list[AnyInput]:
        cause = _COVER - event.cover
        if isinstance(event, tdp.CoverClosed):
            return self._ends(event, COVER_OPEN, cause)
        if not self._state.is_dealing:
            return [self._device_note(event, "cover_opened", event.cover)]
        return self._begins(event, COVER_OPEN, cause)

    def _of_stack(self, event: tdp.DeviceEvent) -> AnyInput:
        device, raw, boot, number = self._device, raw_of(event), event.boot, event.number
        match event:
            case tdp.CutCardDrawn():
                return inputs.CutCard(device=device, raw=raw, boot=boot, number=number)
            case tdp.StackLoaded() if event.cards and not self.capabilities & _DEALS:
                # Put into a shuffler that gives out whole stacks, for another device to deal from.
                return self._device_note(event, "stack_loaded", event.cards)
            case tdp.StackLoaded() if event.cards:
                self._state.count = 0
                self._state.is_dealing = True
                return inputs.Loaded(cards=event.cards, device=device, raw=raw, boot=boot, number=number)
            case tdp.StackLoaded():
                self._state.is_dealing = False
                return self._device_note(event, "emptied")
            case tdp.CardsReturned() if event.cards:
                return inputs.CardsReturned(cards=event.cards, device=device, raw=raw, boot=boot, number=number)
            case tdp.ShuffleDone() if not self.is_shuffler_dealer:
                return inputs.Shuffled(by="shuffler", device=device, raw=raw, boot=boot, number=number)
            case tdp.ShuffleDone():
                return self._device_note(event, "shuffle_done", event.cards)
            case _:
                # No cards returned: it waited for them, and was locked or lost before any came. That is no return.
                value = 0 if isinstance(event, tdp.CardsReturned) else UNSET
                return self._device_note(event, line.event_name(type(event).__name__), value)

    def _begins(self, event: tdp.DeviceEvent, code: str, cause: int) -> list[AnyInput]:
        self._state.faults.add(code)
        causes = self._causes.setdefault(code, set())
        is_first = not causes
        causes.add(cause)
        return [self._fault(event, code) if is_first else self._device_note(event, code)]

    def _ends(self, event: tdp.DeviceEvent, code: str, cause: int) -> list[AnyInput]:
        causes = self._causes.get(code, set())
        causes.discard(cause)
        if causes or code not in self._state.faults:
            return [self._device_note(event, f"{code}_cleared")]
        self._forget_fault(code)
        return [self._cleared(event, code)]

    def _fault(self, event: tdp.DeviceEvent, code: str) -> inputs.Fault:
        return inputs.Fault(device=self._device, code=code, raw=raw_of(event), boot=event.boot, number=event.number)

    def _cleared(self, event: tdp.DeviceEvent, code: str) -> inputs.FaultCleared:
        return inputs.FaultCleared(
            device=self._device, code=code, raw=raw_of(event), boot=event.boot, number=event.number
        )

    def _device_note(self, event: tdp.DeviceEvent, note: str, value: int | UnsetType = UNSET) -> notices.DeviceNoted:
        return notices.DeviceNoted(
            device=self._device,
            note=note,
            value=value,
            raw=raw_of(event),
            boot=event.boot,
            number=event.number,
        )


def raw_of(event: tdp.DeviceEvent) -> str:
    return (event.raw or encode_message(event)).hex()


def event_of(raw: str) -> tdp.DeviceEvent | None:
    try:
        message = decode_message(bytes.fromhex(raw)[LENGTH_BYTES:])
    except (ValueError, FrameError):
        return None
    return message if isinstance(message, tdp.DeviceEvent) else None


EXPECTED_STARTS: Final = frozenset({int(BootReason.COMMANDED), int(BootReason.UPDATE)})
"""Expected while no card of a stack is out."""

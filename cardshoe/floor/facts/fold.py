"""One log folded into facts, entry by entry. Pure."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from cardshoe.floor.facts.told import (
    LOST,
    Begun,
    Fact,
    FaultBegun,
    FaultOver,
    IrregularityClosed,
)
from cardshoe.floor.streams import YEARS, moment
from cardshoe.journal.file.chain import PASSES, lines_of
from cardshoe.journal.file.passed_over import EVENT as PASSED_OVER
from cardshoe.journal.file.passed_over import PassedOver
from cardshoe.screens.rounds.acts import Act, ids, short
from cardshoe.screens.rounds.fact import RoundFact, next_fact
from cardshoe.screens.rounds.fold import RoundFold
from cardshoe.screens.rounds.parts import RoundsState, StaffAtPlace
from cardshoe.screens.view import TableView
from cardshoe.screens.view.devices import WHO
from cardshoe.screens.view.parts import DeviceView
from cardshoe.screens.view.state import time_of
from regulations.events import inputs, outputs
from regulations.events.codec import EPOCH
from regulations.events.inputs import AnyInput
from regulations.events.origins import origin_of
from regulations.events.outputs import AnyOutput

NUMBER_MAX: Final = 1 << 53
"""JavaScript readers round numbers from here on."""
STATE_BYTES: Final = 4 * 1024 * 1024


class Unreadable(ValueError):
    """Lines of an unknown form."""


class LogState(Struct, kw_only=True):
    view: TableView = msgspec.field(default_factory=TableView)
    rounds: RoundsState = msgspec.field(default_factory=RoundsState)
    faults: list[tuple[str, str, str]] = []
    noted: RoundFact | None = None
    closed: bool = False

    @property
    def signed_in(self) -> dict[str, StaffAtPlace]:
        return self.rounds.signed_in

    @property
    def croupier(self) -> str:
        """The signed-in croupier; empty: none, or a table without staff."""
        return next((one.person for one in self.signed_in.values() if one.role == "croupier"), "")


class _LineTime(Struct, frozen=True):
    at: str | UnsetType = UNSET


_states: Final = msgspec.json.Decoder(LogState)
_timed: Final = msgspec.json.Decoder(_LineTime)


class LogFold:
    """Folds one log after the entry ``last``; -1: before the first."""

    def __init__(self, kept: bytes | None = None, last: int = -1) -> None:
        self.state: Final = LogState() if kept is None else _states.decode(kept)
        self.last = last
        self._fold: Final = RoundFold(self.state.view, self.state.rounds)

    def kept(self) -> bytes:
        """The state for storage."""
        found = msgspec.json.encode(self.state)
        if len(found) > STATE_BYTES:
            raise Unreadable(f"how the table stands has {len(found)} bytes")
        return found

    def take(self, number: int, data: bytes) -> list[Fact]:
        """Fold the next entry."""
        lines = lines_of(data)
        try:
            for line in lines:
                _check_time(line)
            taken = self._fold.take(number, lines)
            facts = [] if taken is None else list(self._facts(*taken))
            if data.startswith(PASSES):
                facts.append(_passed(lines[0]))
        except Exception as error:
            # Whatever a table sends lands in a view that was made for the lines of tables.
            raise Unreadable(f"entry {number}: {type(error).__name__}: {error}"[:300]) from error
        self.last = number
        return facts

    # --- what an input tells -----------------------------------------------------------------------------------------

    def _facts(self, event: AnyInput, answer: Sequence[AnyOutput]) -> Iterator[Fact]:
        if isinstance(answer[0], outputs.Refused):
            return
        yield from self._of_event(event)
        for output in answer:
            yield from self._of_output(event, output)
        yield from self._of_round()

    def _of_event(self, event: AnyInput) -> Iterator[Fact]:
        match event:
            case inputs.Closed():
                self.state.closed = True
            case inputs.Fault():
                yield from self._fault(event, event.device, str(event.code), origin_of(event))
            case inputs.DeviceLost():
                yield from self._fault(event, event.device, LOST, "device")
            case inputs.FaultCleared():
                yield from self._over(event, event.device, str(event.code), origin_of(event))
            case inputs.DeviceBack():
                yield from self._over(event, event.device, LOST, "device")
        if (act := self._fold.acted) is not None:
            yield msgspec.structs.replace(act, seq=number(act.seq), at=when(event), round=_round(event.round))

    def _of_output(self, event: AnyInput, output: AnyOutput) -> Iterator[Fact]:
        match output:
            case outputs.Irregularity():
                yield Begun(
                    irregularity=number(output.irregularity),
                    seq=number(output.seq),
                    at=when(output),
                    round=_round(output.round),
                    shoe=self.state.view.shoe.number,
                    code=output.code,
                    article="" if output.article is UNSET else short(output.article),
                    detail=_detail(event, output),
                )
            case outputs.Resolved():
                yield IrregularityClosed(
                    irregularity=number(output.irregularity),
                    at=when(output),
                    action=output.action,
                    by=ids(output.by),
                    article="" if output.article is UNSET else short(output.article),
                )
            case _:
                return

    # --- rounds ------------------------------------------------------------------------------------------------------

    def _of_round(self) -> Iterator[Fact]:
        state = self.state
        now = next_fact(state.view, state.rounds, state.noted, moment(state.view.at) or EPOCH)
        if now is not None:
            for one in (now.round, now.seq, now.last_seq, now.entry, now.last_entry):
                number(one)
            state.noted = now
            yield now

    # --- devices -----------------------------------------------------------------------------------------------------

    def _fault(self, event: AnyInput, device: str | UnsetType, code: str, origin: str) -> Iterator[Fact]:
        key = (short(str(device)), short(code), origin)
        if key in self.state.faults:
            return  # it says so again
        self.state.faults.append(key)
        who = self.state.view.devices.get(str(device))
        maker, model, serial, firmware = _identity(who)
        yield FaultBegun(
            seq=number(event.seq),
            device=key[0],
            serial=serial,
            model=f"{maker} {model}".strip(),
            firmware=firmware,
            code=key[1],
            origin=origin,
            at=when(event),
        )

    def _over(self, event: AnyInput, device: str | UnsetType, code: str, origin: str) -> Iterator[Fact]:
        key = (short(str(device)), short(code), origin)
        if key in self.state.faults:
            self.state.faults.remove(key)
            yield FaultOver(device=key[0], code=key[1], origin=origin, at=when(event))


def _passed(line: bytes) -> Act:
    said = PassedOver.read(line)
    return Act(
        seq=said.seq,
        kind="override",
        at=moment(said.at) or EPOCH,
        round=None,
        by=ids(list(said.by)),
        code=PASSED_OVER,
        reason=f"entry {said.entry}",
    )


def number(value: int | UnsetType) -> int:
    if isinstance(value, UnsetType) or not 0 <= value < NUMBER_MAX:
        raise Unreadable(f"{value} is no number of a log")
    return value


def _check_time(line: bytes) -> None:
    at = _timed.decode(line).at
    if isinstance(at, str) and moment(at) is None:
        raise Unreadable(f"{at[:40]!r} is not a time from {YEARS[0]} to {YEARS[-1]} with its zone")


def when(line: AnyInput | AnyOutput) -> str:
    """A line's time, RFC 3339; the scripts' time if it has none."""
    return moment(time_of(line)) or EPOCH


def _round(value: int | UnsetType) -> int | None:
    return None if isinstance(value, UnsetType) else number(value)


def _detail(event: AnyInput, output: outputs.Irregularity) -> str:
    told = event.detail if isinstance(event, inputs.Misdeal | inputs.Dispute) else output.detail
    return short(told) if isinstance(told, str) else ""


def _identity(who: DeviceView | None) -> list[str]:
    return [short(said) if isinstance(said := getattr(who, name, ""), str) else "" for name in WHO]

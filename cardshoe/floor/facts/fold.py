"""One log folded into facts, an entry at a time. Pure: the same entries give the same facts."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from cardshoe.floor.facts.told import (
    LOST,
    Act,
    ActKind,
    Begun,
    Fact,
    FaultBegun,
    FaultOver,
    RoundFact,
    Settled,
    persons,
    plain,
)
from cardshoe.floor.streams import YEARS, moment
from cardshoe.journal.file.chain import PASSES, lines_of
from cardshoe.journal.file.passed_over import EVENT as PASSED_OVER
from cardshoe.journal.file.passed_over import PassedOver
from cardshoe.screens.view import LineFold, TableView
from cardshoe.screens.view.devices import WHO
from cardshoe.screens.view.parts import DeviceView, RoundView
from cardshoe.screens.view.state import time_of
from regulations.events import inputs, notices, outputs
from regulations.events.codec import EPOCH
from regulations.events.inputs import AnyInput
from regulations.events.origins import origin_of
from regulations.events.outputs import AnyOutput

NUMBER_MAX: Final = 1 << 53
"""Numbers from here on are no program's: a reader in JavaScript would take another one for them."""
STATE_BYTES: Final = 4 * 1024 * 1024
"""Of a stored state; that of a real table has some hundred thousand."""
_AS_USUAL: Final = frozenset({"device_fault", "device_lost"})


class Unreadable(ValueError):
    """Lines that this program does not understand."""


class SignedIn(Struct, frozen=True):
    """Who is signed in at a place."""

    person: str
    role: str


class LogState(Struct, kw_only=True):
    """How a log stands after a line, with what the next lines need to tell their facts."""

    view: TableView = msgspec.field(default_factory=TableView)
    signed_in: dict[str, SignedIn] = {}
    codes: dict[int, str] = {}
    faults: list[tuple[str, str, str]] = []
    noted: RoundFact | None = None
    closed: bool = False

    @property
    def croupier(self) -> str:
        """Who is signed in as the croupier; empty: nobody is, or the table has no persons."""
        return next((one.person for one in self.signed_in.values() if one.role == "croupier"), "")


class _Timed(Struct, frozen=True):
    """The time of a line."""

    at: str | UnsetType = UNSET


_states: Final = msgspec.json.Decoder(LogState)
_timed: Final = msgspec.json.Decoder(_Timed)


class LogFold:
    """Folds the entries of one log.

    Args:
        last: the entry after which it stood; -1: before the first.
    """

    def __init__(self, kept: bytes | None = None, last: int = -1) -> None:
        self.state: Final = LogState() if kept is None else _states.decode(kept)
        self.last = last
        self._fold: Final = LineFold(self.state.view)

    def kept(self) -> bytes:
        """The state, to be stored.

        Raises:
            Unreadable
        """
        found = msgspec.json.encode(self.state)
        if len(found) > STATE_BYTES:
            raise Unreadable(f"how the table stands has {len(found)} bytes")
        return found

    def take(self, number: int, data: bytes) -> list[Fact]:
        """Take the next entry.

        Raises:
            Unreadable
        """
        lines = lines_of(data)
        try:
            for line in lines:
                _check_time(line)
            taken = self._fold.take(lines)
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
        yield from self._of_event(event, answer)
        for output in answer:
            yield from self._of_output(event, output)
        yield from self._of_round()

    def _of_event(self, event: AnyInput, answer: Sequence[AnyOutput]) -> Iterator[Fact]:
        match event:
            case notices.SignedIn():
                self.state.signed_in[event.place] = SignedIn(plain(event.person), event.role)
            case notices.SignedOut():
                self.state.signed_in.pop(event.place, None)
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
            case _:
                yield from self._act(event, answer)

    def _act(self, event: AnyInput, answer: Sequence[AnyOutput]) -> Iterator[Fact]:
        voided = next((one for one in answer if isinstance(one, outputs.Voided) and one.round is not UNSET), None)
        if voided is not None:
            yield self._void(event, voided)
            return
        match event:
            case inputs.BetsCorrected():
                yield self._done(event, "correction", event.by, code="bets_corrected", reason=event.reason)
            case inputs.CardDrawn() if origin_of(event) == "person" and not event.unseen:
                yield self._done(event, "manual_card", self._croupier(), code="card")
            case inputs.ShoeEnded():
                by = event.by or self._croupier()
                said = event.reason if event.detail is UNSET else f"{event.reason}: {event.detail}"
                yield self._done(event, "override", by, code="shoe_ended", reason=said)
            case inputs.DeviceReadmitted():
                yield self._done(event, "override", event.by, code="device_readmitted", reason=event.device)
            case inputs.Resolve():
                yield from self._resolve(event, answer)
            case _:
                return

    def _resolve(self, event: inputs.Resolve, answer: Sequence[AnyOutput]) -> Iterator[Fact]:
        code = self.state.codes.get(event.irregularity, "")
        settled = next((one for one in answer if isinstance(one, outputs.Resolved)), None)
        article = "" if settled is None or settled.article is UNSET else settled.article
        kind: ActKind | None = None
        if event.action in ("reassign", "identify"):
            kind = "correction" if code == "misdeal" else "manual_card"
        elif code == "card_by_hand":
            kind = "manual_card"
        elif event.action in ("end_shoe", "accept", "counts", "set_aside") or (
            event.action == "continue" and code not in _AS_USUAL
        ):
            kind = "override"
        if kind is not None:
            made = self._done(event, kind, event.by, code=event.action, reason=code, article=article)
            yield msgspec.structs.replace(made, irregularity=number(event.irregularity))

    def _void(self, event: AnyInput, voided: outputs.Voided) -> Act:
        article = "" if voided.article is UNSET else voided.article
        match event:
            case inputs.Void():
                ground = event.ground if isinstance(event.ground, str) else ""
                return self._done(event, "void", event.by, code=ground, reason=event.reason, article=article)
            case inputs.Resolve():
                code = self.state.codes.get(event.irregularity, "")
                made = self._done(event, "void", event.by, code=event.action, reason=code, article=article)
                return msgspec.structs.replace(made, irregularity=number(event.irregularity))
            case _:
                return self._done(event, "void", [], code="", reason=voided.reason, article=article)

    def _done(
        self,
        event: AnyInput,
        kind: ActKind,
        by: list[int | str],
        *,
        code: str,
        reason: str = "",
        article: str = "",
    ) -> Act:
        return Act(
            seq=number(event.seq),
            kind=kind,
            at=when(event),
            round=_round(event.round),
            by=persons(by),
            article=plain(article),
            code=plain(code),
            reason=plain(reason),
        )

    def _croupier(self) -> list[int | str]:
        return [self.state.croupier] if self.state.croupier else []

    def _of_output(self, event: AnyInput, output: AnyOutput) -> Iterator[Fact]:
        match output:
            case outputs.Irregularity():
                self.state.codes[output.irregularity] = output.code
                yield Begun(
                    irregularity=number(output.irregularity),
                    seq=number(output.seq),
                    at=when(output),
                    round=_round(output.round),
                    shoe=self.state.view.shoe.number,
                    code=output.code,
                    article="" if output.article is UNSET else plain(output.article),
                    detail=_detail(event, output),
                )
            case outputs.Resolved():
                self.state.codes.pop(output.irregularity, None)
                yield Settled(
                    irregularity=number(output.irregularity),
                    at=when(output),
                    action=output.action,
                    by=persons(output.by),
                    article="" if output.article is UNSET else plain(output.article),
                )
            case _:
                return

    # --- rounds ------------------------------------------------------------------------------------------------------

    def _of_round(self) -> Iterator[Fact]:
        view, noted = self.state.view, self.state.noted
        now = self._round_now(view.round if view.round is not None else view.last)
        if noted is not None and noted.outcome is not None and (now is None or now.round < noted.round):
            # All its cards were struck as never dealt: there was no such round.
            now = msgspec.structs.replace(noted, outcome=None, corrected=True)
        if now is None or now == noted:
            return
        counts = now.outcome is not None or now.voided
        if counts or (noted is not None and noted.round == now.round):
            self.state.noted = now
            yield now

    def _round_now(self, found: RoundView | None) -> RoundFact | None:
        if found is None:
            return None
        view, noted = self.state.view, self.state.noted
        is_known = noted is not None and noted.round == found.number
        return RoundFact(
            round=number(found.number),
            shoe=noted.shoe if noted is not None and is_known else view.shoe.number,
            at=noted.at if noted is not None and is_known else moment(view.at) or EPOCH,
            outcome=None if found.voided is not UNSET else _outcome(found),
            voided=found.voided is not UNSET,
            demonstration=found.demonstration,
            corrected=found.corrected,
        )

    # --- devices -----------------------------------------------------------------------------------------------------

    def _fault(self, event: AnyInput, device: str | UnsetType, code: str, origin: str) -> Iterator[Fact]:
        key = (plain(str(device)), plain(code), origin)
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
        key = (plain(str(device)), plain(code), origin)
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
        by=persons(list(said.by)),
        code=PASSED_OVER,
        reason=f"entry {said.entry}",
    )


def number(value: int | UnsetType) -> int:
    """A number of a line, as a column can hold it.

    Raises:
        Unreadable
    """
    if isinstance(value, UnsetType) or not 0 <= value < NUMBER_MAX:
        raise Unreadable(f"{value} is no number of a log")
    return value


def _check_time(line: bytes) -> None:
    at = _timed.decode(line).at
    if isinstance(at, str) and moment(at) is None:
        raise Unreadable(f"{at[:40]!r} is not a time from {YEARS[0]} to {YEARS[-1]} with its zone")


def when(line: AnyInput | AnyOutput) -> str:
    """A line's time, RFC 3339; of one that tells none, the time of scripts without any."""
    return moment(time_of(line)) or EPOCH


def _round(value: int | UnsetType) -> int | None:
    return None if isinstance(value, UnsetType) else number(value)


def _detail(event: AnyInput, output: outputs.Irregularity) -> str:
    told = event.detail if isinstance(event, inputs.Misdeal | inputs.Dispute) else output.detail
    return plain(told) if isinstance(told, str) else ""


def _outcome(found: RoundView) -> str | None:
    if isinstance(found.result, UnsetType):
        return None
    outcome = found.result.get("outcome")
    return outcome if isinstance(outcome, str) else "played"


def _identity(who: DeviceView | None) -> list[str]:
    return [plain(said) if isinstance(said := getattr(who, name, ""), str) else "" for name in WHO]

"""The rules of an update: executed, drawn, and tested.

A row is recorded before its step: after a crash the record is at most one step behind.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from firmware_bridge.update.codes import UpdateCode
from firmware_bridge.update.progress import UpdateProgress
from firmware_bridge.update.states import FINAL, UpdateState, UpdateStep, UpdateTrigger
from regulations.engine import rows as engine
from regulations.engine.rows import Guard, ParameterizedGuard


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateRow(engine.Row):
    source: tuple[UpdateState, ...]
    dest: UpdateState
    act: UpdateStep | None = None
    code: UpdateCode | None = None
    says: str = ""

    @property
    def id(self) -> str:
        guards = f"[{','.join(self.guards)}]" if self.guard else ""
        return f"{self.trigger}@{'+'.join(self.source)}{guards}"


def _row(
    source: UpdateState | tuple[UpdateState, ...],
    trigger: UpdateTrigger,
    dest: UpdateState,
    says: str,
    *,
    when: Guard | tuple[Guard, ...] = (),
    do: UpdateStep | None = None,
    code: UpdateCode | None = None,
) -> UpdateRow:
    return UpdateRow(
        trigger=trigger,
        source=source if isinstance(source, tuple) else (source,),
        dest=dest,
        guard=when if isinstance(when, tuple) else (when,),
        act=do,
        code=code,
        says=says,
    )


MAY_UPLOAD, MAY_TRY, MAY_RESTART, MAY_CONFIRM, MAY_ERASE = (
    ParameterizedGuard(str(act), UpdateProgress.may, act)
    for act in (UpdateStep.UPLOAD, UpdateStep.TRY, UpdateStep.RESTART, UpdateStep.CONFIRM, UpdateStep.ERASE)
)
_PREPARED: Final = (UpdateState.STAGED, UpdateState.VERIFIED, UpdateState.AUTHORISED)
_TOUCHED: Final = (UpdateState.TRANSFERRED, UpdateState.TESTING, UpdateState.ATTESTED)
_S, _T, _A, _C = UpdateState, UpdateTrigger, UpdateStep, UpdateCode

ROWS: Final[tuple[UpdateRow, ...]] = (
    # --- before the device is touched
    _row(_S.STAGED, _T.VERIFY, _S.VERIFIED, "maker and regulator signed this file for this device"),
    _row((_S.STAGED, _S.VERIFIED, _S.AUTHORISED), _T.MISMATCH, _S.REFUSED, "file, registry and device do not match"),
    _row(_S.VERIFIED, _T.AUTHORISE, _S.AUTHORISED, "two persons signed exactly this update, not long ago"),
    _row((_S.AUTHORISED, _S.CLOSED), _T.LAPSE, _S.ABANDONED, "the approval has lapsed"),
    _row(_S.AUTHORISED, _T.CLOSE, _S.CLOSED, "no game is under way"),
    _row((*_PREPARED, _S.CLOSED), _T.CANCEL, _S.ABANDONED, "a person cancelled it", code=_C.CANCELLED),
    # --- the transfer
    _row(_S.CLOSED, _T.SILENT, _S.CLOSED, "the device does not answer", do=_A.WAIT),
    _row(_S.CLOSED, _T.UNTRUE, _S.REFUSED, "the device failed a check"),
    _row(_S.CLOSED, _T.RUNS_OLD, _S.REFUSED, "a lower counter", when=UpdateProgress.is_older, code=_C.LOWER_COUNTER),
    _row(_S.CLOSED, _T.RUNS_OLD, _S.CLOSED, "sent to the slot not in use", when=MAY_UPLOAD, do=_A.UPLOAD),
    _row(_S.CLOSED, _T.RUNS_OLD, _S.ABANDONED, "the transfer failed too often", code=_C.TRANSFER_FAILED),
    _row(_S.CLOSED, _T.HOLDS_NEW, _S.REFUSED, "a lower counter", when=UpdateProgress.is_older, code=_C.LOWER_COUNTER),
    _row(_S.CLOSED, _T.HOLDS_NEW, _S.TRANSFERRED, "the device has verified hash and signature", do=_A.TRY),
    _row(_S.CLOSED, _T.AWAITS_TRIAL, _S.REVERTING, "a trial unasked", do=_A.ERASE, code=_C.TRIAL_UNASKED),
    _row(_S.CLOSED, _T.RUNS_TRIAL, _S.REVERTING, "a trial unasked", do=_A.RESTART, code=_C.TRIAL_UNASKED),
    _row(_S.CLOSED, _T.KEEPS_NEW, _S.REFUSED, "confirmed unasked", code=_C.CONFIRMED_UNASKED),
    _row(_S.CLOSED, _T.RUNS_NEW, _S.ABANDONED, "the device runs it already", code=_C.ALREADY_RUNS),
    # --- the trial
    _row(_S.TRANSFERRED, _T.SILENT, _S.TRANSFERRED, "the device does not answer", do=_A.WAIT),
    _row(_S.TRANSFERRED, _T.RUNS_OLD, _S.CLOSED, "it is gone from its slot", when=MAY_UPLOAD, do=_A.UPLOAD),
    _row(_S.TRANSFERRED, _T.RUNS_OLD, _S.REVERTING, "it was lost from its slot too often", code=_C.TRANSFER_FAILED),
    _row(_S.TRANSFERRED, _T.HOLDS_NEW, _S.TRANSFERRED, "not marked for trial yet", when=MAY_TRY, do=_A.TRY),
    _row(_S.TRANSFERRED, _T.HOLDS_NEW, _S.REVERTING, "it cannot be marked for trial", code=_C.SERVICE_REFUSED),
    _row(_S.TRANSFERRED, _T.AWAITS_TRIAL, _S.TESTING, "the next restart tries it", do=_A.RESTART),
    _row(_S.TRANSFERRED, _T.RUNS_TRIAL, _S.TESTING, "the device restarted by itself", do=None),
    _row(_S.TESTING, _T.SILENT, _S.REVERTING, "no answer in time", do=_A.WAIT, code=_C.DEVICE_SILENT),
    _row(_S.TESTING, _T.AWAITS_TRIAL, _S.TESTING, "not restarted yet", when=MAY_RESTART, do=_A.RESTART),
    _row(_S.TESTING, _T.AWAITS_TRIAL, _S.REVERTING, "the device does not restart", code=_C.TRIAL_FAILED),
    _row(_S.TESTING, _T.RUNS_OLD, _S.REVERTED, "the device went back by itself", code=_C.TRIAL_FAILED),
    _row(_S.TESTING, _T.HOLDS_NEW, _S.REVERTING, "the device went back by itself", do=_A.ERASE, code=_C.TRIAL_FAILED),
    _row(_S.TESTING, _T.RUNS_TRIAL, _S.ATTESTED, "the device attested the trial", do=_A.CONFIRM),
    _row((_S.TRANSFERRED, _S.TESTING), _T.KEEPS_NEW, _S.REFUSED, "confirmed unasked", code=_C.CONFIRMED_UNASKED),
    _row((_S.TRANSFERRED, _S.TESTING), _T.RUNS_NEW, _S.REFUSED, "confirmed unasked", code=_C.CONFIRMED_UNASKED),
    # --- the confirmation
    _row(_S.ATTESTED, _T.SILENT, _S.ATTESTED, "only the device knows whether it is confirmed", do=_A.WAIT),
    _row(_S.ATTESTED, _T.RUNS_TRIAL, _S.ATTESTED, "not confirmed yet", when=MAY_CONFIRM, do=_A.CONFIRM),
    _row(_S.ATTESTED, _T.RUNS_TRIAL, _S.REVERTING, "the device does not confirm it", do=_A.RESTART, code=_C.NOT_KEPT),
    _row(_S.ATTESTED, _T.KEEPS_NEW, _S.ATTESTED, "a restart has to show it", when=MAY_RESTART, do=_A.RESTART),
    _row(_S.ATTESTED, _T.KEEPS_NEW, _S.REFUSED, "the device does not restart", code=_C.CANNOT_REVERT),
    _row(_S.ATTESTED, _T.RUNS_NEW, _S.CONFIRMED, "the device attested that it runs, confirmed"),
    _row(_S.ATTESTED, _T.RUNS_OLD, _S.REVERTED, "it went back before that", code=_C.NOT_KEPT),
    _row(_S.ATTESTED, _T.HOLDS_NEW, _S.REVERTING, "it went back before that", do=_A.ERASE, code=_C.NOT_KEPT),
    _row(_S.ATTESTED, _T.AWAITS_TRIAL, _S.REVERTING, "it went back before that", do=_A.ERASE, code=_C.NOT_KEPT),
    # --- the way back
    _row(_S.TRANSFERRED, _T.UNTRUE, _S.REVERTING, "the device failed a check: no trial", do=_A.ERASE),
    _row((_S.TESTING, _S.ATTESTED), _T.UNTRUE, _S.REVERTING, "the device failed a check: not kept", do=_A.RESTART),
    _row(_S.TRANSFERRED, _T.LAPSE, _S.REVERTING, "the approval has lapsed: no trial"),
    _row(_TOUCHED, _T.CANCEL, _S.REVERTING, "a person cancelled it", code=_C.CANCELLED),
    _row(_S.REVERTING, _T.SILENT, _S.REVERTING, "the device does not answer", do=_A.WAIT),
    _row(_S.REVERTING, _T.UNTRUE, _S.REVERTING, "a restart goes back", when=MAY_RESTART, do=_A.RESTART),
    _row(_S.REVERTING, _T.UNTRUE, _S.REFUSED, "a restart did not help"),
    _row(_S.REVERTING, _T.RUNS_TRIAL, _S.REVERTING, "a restart goes back", when=MAY_RESTART, do=_A.RESTART),
    _row(_S.REVERTING, _T.RUNS_TRIAL, _S.REFUSED, "a restart did not go back", code=_C.CANNOT_REVERT),
    _row(_S.REVERTING, _T.HOLDS_NEW, _S.REVERTING, "its slot has to be erased", when=MAY_ERASE, do=_A.ERASE),
    _row(_S.REVERTING, _T.AWAITS_TRIAL, _S.REVERTING, "its slot has to be erased", when=MAY_ERASE, do=_A.ERASE),
    _row(_S.REVERTING, _T.HOLDS_NEW, _S.REFUSED, "its slot cannot be erased", code=_C.CANNOT_REVERT),
    _row(_S.REVERTING, _T.AWAITS_TRIAL, _S.REFUSED, "its slot cannot be erased", code=_C.CANNOT_REVERT),
    _row(_S.REVERTING, _T.RUNS_OLD, _S.REVERTED, "the device attested that its former firmware runs, confirmed"),
    _row(
        _S.REVERTING,
        _T.KEEPS_NEW,
        _S.REVERTING,
        "too late: it was confirmed",
        when=(UpdateProgress.was_attested, MAY_RESTART),
        do=_A.RESTART,
    ),
    _row(
        _S.REVERTING, _T.RUNS_NEW, _S.CONFIRMED, "too late: it was attested and kept", when=UpdateProgress.was_attested
    ),
    _row(_S.REVERTING, _T.KEEPS_NEW, _S.REFUSED, "confirmed unasked", code=_C.CONFIRMED_UNASKED),
    _row(_S.REVERTING, _T.RUNS_NEW, _S.REFUSED, "confirmed unasked", code=_C.CONFIRMED_UNASKED),
)


def leads(source: UpdateState, trigger: UpdateTrigger, dest: UpdateState, act: UpdateStep | None) -> bool:
    return any((row.trigger, row.dest, row.act) == (trigger, dest, act) and source in row.source for row in ROWS)


def diagram(rows: Sequence[UpdateRow] = ROWS) -> str:
    """A Mermaid ``stateDiagram-v2``: one arrow for each pair of states."""
    return "\n".join(("stateDiagram-v2", *(f"    {line}" for line in _lines(rows)))) + "\n"


def _lines(rows: Sequence[UpdateRow]) -> Iterator[str]:
    yield f"[*] --> {UpdateState.STAGED} : {UpdateTrigger.STAGE}"
    arrows: dict[tuple[UpdateState, UpdateState], list[str]] = {}
    for row in rows:
        for source in row.source:
            if source is not row.dest:
                said = arrows.setdefault((source, row.dest), [])
                if row.trigger not in said:
                    said.append(row.trigger)
    yield from (f"{source} --> {dest} : {', '.join(said)}" for (source, dest), said in arrows.items())
    yield from (f"{state} --> [*]" for state in UpdateState if state in FINAL)

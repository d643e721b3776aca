"""Acts of people that replace equipment or rule."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from msgspec import UNSET, Struct

from cardshoe.process.free_text import page_text
from cardshoe.screens.view.state import time_of
from regulations.events import inputs, outputs
from regulations.events.inputs import AnyInput
from regulations.events.line import Line
from regulations.events.origins import origin_of
from regulations.events.outputs import AnyOutput
from regulations.events.vocabulary import IrregularityCode

ActKind = Literal["void", "correction", "manual_card", "override"]
ACT_KINDS: Final[tuple[ActKind, ...]] = ("void", "correction", "manual_card", "override")
TEXT_CHARACTERS: Final = 500
_AS_USUAL: Final = frozenset({"device_fault", "device_lost"})


class Act(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An act that replaces equipment or rule.

    Attributes:
        at: RFC 3339, UTC.
        round: ``None``: between rounds.
        by: who authorises it; of a croupier's act, the signed-in croupier.
        code: resolution, ground, or event.
        reason: as given; of a resolution, the irregularity's code.
    """

    seq: int
    kind: ActKind
    at: str
    round: int | None
    by: list[str]
    article: str = ""
    code: str = ""
    reason: str = ""
    irregularity: int | None = None


def short(text: str) -> str:
    return page_text(text[:TEXT_CHARACTERS])


def ids(by: object) -> list[str]:
    return [short(str(one)) for one in by] if isinstance(by, list) else []


def act_of(
    event: AnyInput, answer: Sequence[AnyOutput], codes: Mapping[int, IrregularityCode], croupiers: Sequence[str]
) -> Act | None:
    """The act of an input; ``None``: no such act, or refused."""
    if isinstance(answer[0], outputs.Refused):
        return None
    voided = next((one for one in answer if isinstance(one, outputs.Voided) and one.round is not UNSET), None)
    if voided is not None:
        return _void(event, voided, codes)
    match event:
        case inputs.BetsCorrected():
            return _done(event, "correction", ids(event.by), code="bets_corrected", reason=event.reason)
        case inputs.CardDrawn() if origin_of(event) == "person" and not event.unseen:
            return _done(event, "manual_card", croupiers, code="card")
        case inputs.ShoeEnded():
            said = event.reason if event.detail is UNSET else f"{event.reason}: {event.detail}"
            return _done(event, "override", ids(event.by) or croupiers, code="shoe_ended", reason=said)
        case inputs.DeviceReadmitted():
            return _done(event, "override", ids(event.by), code="device_readmitted", reason=event.device)
        case inputs.Resolve():
            return _resolve(event, answer, codes)
        case _:
            return None


def _resolve(event: inputs.Resolve, answer: Sequence[AnyOutput], codes: Mapping[int, IrregularityCode]) -> Act | None:
    code = codes.get(event.irregularity, "")
    resolved = next((one for one in answer if isinstance(one, outputs.Resolved)), None)
    kind: ActKind | None = None
    if event.action in ("reassign", "identify"):
        kind = "correction" if code == "misdeal" else "manual_card"
    elif code == "card_by_hand":
        kind = "manual_card"
    elif event.action in ("end_shoe", "accept", "counts", "set_aside") or (
        event.action == "continue" and code not in _AS_USUAL
    ):
        kind = "override"
    if kind is None:
        return None
    article = "" if resolved is None else _article(resolved)
    number = event.irregularity
    return _done(event, kind, ids(event.by), code=event.action, reason=code, article=article, irregularity=number)


def _void(event: AnyInput, voided: outputs.Voided, codes: Mapping[int, IrregularityCode]) -> Act:
    article = _article(voided)
    match event:
        case inputs.Void():
            ground = event.ground if isinstance(event.ground, str) else ""
            return _done(event, "void", ids(event.by), code=ground, reason=event.reason, article=article)
        case inputs.Resolve():
            number, code = event.irregularity, codes.get(event.irregularity, "")
            by = ids(event.by)
            return _done(event, "void", by, code=event.action, reason=code, article=article, irregularity=number)
        case _:
            return _done(event, "void", [], code="", reason=voided.reason, article=article)


def _article(line: Line) -> str:
    return "" if line.article is UNSET else line.article


def _done(
    event: AnyInput,
    kind: ActKind,
    by: Sequence[str],
    *,
    code: str,
    reason: str = "",
    article: str = "",
    irregularity: int | None = None,
) -> Act:
    return Act(
        seq=0 if event.seq is UNSET else event.seq,
        kind=kind,
        at=time_of(event),
        round=None if event.round is UNSET else event.round,
        by=list(by),
        article=short(article),
        code=short(code),
        reason=short(reason),
        irregularity=irregularity,
    )

"""The answers to a client's messages."""

from typing import Final, cast

import msgspec

from cardshoe.journal.file.header import decode_header
from cardshoe.journal.proof.entry_proof import EntryProof, Unproved
from cardshoe.journal.reading.proving import check_proof
from cardshoe.persons.proposals import Foreseen, ProposalMade
from cardshoe.persons.refusal import AccessRefusal
from cardshoe.persons.sign_in import SignedInto
from cardshoe.table.inbox import Answer as Came
from cardshoe.table.live import messages as says
from cardshoe.table.live.messages import written
from cardshoe.table.log.idempotency import Earlier
from cardshoe.table.terminal import console
from regulations.events.errors import MalformedLine
from regulations.events.vocabulary import RefusalCode

Outcome = Came | SignedInto | MalformedLine | says.SaidHistory | says.SaidProof | EntryProof | None


class _Head(msgspec.Struct, frozen=True):
    event: str
    seq: int
    code: str | int | None = None


_head: Final = msgspec.json.Decoder(_Head)


def answered(name: str, came: Outcome) -> bytes:
    if isinstance(came, EntryProof):
        came = _proved(name, came)
    return written(came if isinstance(came, says.SaidHistory | says.SaidProof) else _message(name, came))


def _message(name: str, came: Came | SignedInto | MalformedLine | None) -> says.Said:
    said: says.Said
    match came:
        case None:
            said = says.Done(id=name)
        case MalformedLine():
            is_others = isinstance(came, console.NotForPersons)
            code: says.NotTakenCode = "not_for_persons" if is_others else "malformed"
            remedy = came.remedy if isinstance(came, console.NotForPersons) else ""
            said = says.RequestDeclined(id=name, code=code, field=came.field, reason=came.reason, remedy=remedy)
        case AccessRefusal():
            said = says.RequestDeclined(
                id=name,
                code=came.code,
                field=came.field,
                reason=came.reason,
                remedy=came.remedy,
                again_s=came.again_s,
            )
        case SignedInto():
            said = says.SessionBegun(
                id=name, session=came.session, person=came.person, role=came.role, idle_s=came.idle_s
            )
        case ProposalMade():
            said = _waiting(name, came)
        case str():
            said = says.RequestDeclined(id=name, code="which_device", field="$.device", reason=came)
        case dict():
            said = says.ActOutcome(id=name, devices=came)
        case Earlier():
            said = _told(name, list(came.lines))
        case _:
            said = _told(name, came.lines)
    return said


def _waiting(name: str, came: ProposalMade) -> says.ProposalWaits:
    seen = came.foreseen or Foreseen()
    return says.ProposalWaits(
        id=name,
        proposal=came.proposal,
        seconds=came.seconds,
        refused=seen.refused,
        before=seen.before,
        after=seen.after,
        partial=seen.is_partial,
    )


def _proved(name: str, made: EntryProof) -> says.SaidProof:
    data = msgspec.json.encode(made)
    try:
        check_proof(data, decode_header(made.header.encode()).key)
    except Unproved as error:
        return says.SaidProof(id=name, fault=error.reason)
    return says.SaidProof(id=name, proof=data.decode())


def _told(name: str, lines: list[bytes]) -> says.InputResult:
    first = _head.decode(lines[1])
    refused = cast("RefusalCode", first.code) if first.event == "refused" else None
    return says.InputResult(
        id=name, seq=_head.decode(lines[-1]).seq, refused=refused, lines=list(map(msgspec.Raw, lines))
    )

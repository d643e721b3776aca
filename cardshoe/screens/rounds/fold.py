"""Fold a log's entries into round facts, along with the view."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import UNSET

from cardshoe.screens.rounds.acts import Act, act_of, ids, short
from cardshoe.screens.rounds.parts import (
    EntryFacts,
    Occurrence,
    ReportedCard,
    RoundCorrection,
    RoundFacts,
    RoundsState,
    RoundStart,
    StaffAtPlace,
)
from cardshoe.screens.view import LineFold, TableView
from cardshoe.screens.view.parts import IrregularityView, RoundView
from cardshoe.screens.view.state import time_of
from regulations.events import inputs, notices, outputs
from regulations.events.inputs import AnyInput
from regulations.events.line import Line
from regulations.events.origins import name_of, origin_of
from regulations.events.outputs import AnyOutput

_JOURNALS_OWN: Final = "passed_over"


class _Own(msgspec.Struct):
    event: str
    seq: int = 0
    at: str = ""
    by: list[str] = []


class RoundFold:
    """Folds entries into a view and round facts.

    Attributes:
        acted: act of the last entry; ``None``: none.
    """

    def __init__(self, view: TableView, state: RoundsState) -> None:
        self._view: Final = view
        self._state: Final = state
        self._lines: Final = LineFold(view)
        self.acted: Act | None = None

    def take(self, number: int, lines: Sequence[bytes]) -> tuple[AnyInput, list[AnyOutput]] | None:
        """Fold the next entry; see `LineFold.take`."""
        said, self.acted = self._lines.read(lines), None
        if said is None:
            self._apply_own(number, lines)
            return None
        event, answer = said
        facts = self._state.facts
        if event.round is not UNSET and (facts is None or facts.number != event.round):
            facts = self._state.facts = RoundFacts(number=event.round, start=self._start())
            facts.drawn = [ReportedCard(card=card) for card in facts.start.astray]
            facts.people = list(dict.fromkeys(self._state.signed_in.values()))
        open_before = {one.irregularity: one for one in self._view.irregularities}
        before = _copied(self._view.round) if isinstance(event, _MAY_CORRECT) else None
        self._view.take(event, answer)
        self._apply_people(event)
        croupiers = [one.person for one in self._state.signed_in.values() if one.role == "croupier"]
        codes = {number: one.code for number, one in open_before.items()}
        self.acted = act_of(event, answer, codes, croupiers[:1])
        if facts is not None and facts.number == event.round:
            facts.acts += [] if self.acted is None else [self.acted]
            self._note(facts, number, event, answer, open_before)
            if before is not None and _is_correction(event, answer, open_before):
                self._apply_correction(facts, event, before, open_before)
        return event, answer

    def _start(self) -> RoundStart:
        view = self._view
        return RoundStart(
            shoe=view.shoe.number,
            equipment=None if view.profile is None else view.profile.equipment,
            signed_in=dict(self._state.signed_in),
            standing=list(view.standing),
            demonstration=view.demonstration,
            irregularities=[msgspec.structs.replace(one) for one in view.irregularities],
            astray=list(view.astray),
        )

    def _apply_own(self, number: int, lines: Sequence[bytes]) -> None:
        facts = self._state.facts
        if facts is None or facts.is_over:
            return
        own = msgspec.json.decode(lines[0], type=_Own)
        if own.event == _JOURNALS_OWN:
            facts.entries.append(
                EntryFacts(entry=number, seq=own.seq, lines=len(lines), at=own.at, event=own.event, who=own.by)
            )

    def _apply_people(self, event: AnyInput) -> None:
        if isinstance(event, notices.SignedIn):
            came = StaffAtPlace(short(event.person), event.role)
            self._state.signed_in[event.place] = came
            facts = self._state.facts
            if facts is not None and not facts.is_over and came not in facts.people:
                facts.people.append(came)
        elif isinstance(event, notices.SignedOut):
            self._state.signed_in.pop(event.place, None)

    def _note(
        self,
        facts: RoundFacts,
        number: int,
        event: AnyInput,
        answer: Sequence[AnyOutput],
        open_before: Mapping[int, IrregularityView],
    ) -> None:
        facts.entries.append(entry_facts(number, event, answer))
        facts.is_over = answer[-1].round is UNSET
        if facts.entries[-1].refused:
            return
        by = ids(getattr(event, "by", None))
        known = {one.person for one in facts.people}
        facts.people += [StaffAtPlace(one, "") for one in dict.fromkeys(by) if one not in known]
        _apply_occurrences(facts.occurrences, event, answer, open_before)
        _apply_drawn(facts.drawn, event, answer, open_before)
        found = self._view.round if self._view.round is not None else self._view.last
        if found is not None and found.number == facts.number:
            _apply_places(facts.drawn, found)

    def _apply_correction(
        self, facts: RoundFacts, event: AnyInput, before: RoundView, open_before: Mapping[int, IrregularityView]
    ) -> None:
        found = self._view.round if self._view.round is not None else self._view.last
        after = None if found is None or found.number != facts.number else _copied(found)
        if after is None:
            return
        what, reason = name_of(event), str(getattr(event, "reason", ""))
        if isinstance(event, inputs.Resolve):
            what, opened = event.action, open_before.get(event.irregularity)
            reason = "" if opened is None else opened.code
        facts.corrections.append(
            RoundCorrection(
                seq=_seq(event),
                at=time_of(event),
                what=what,
                by=ids(getattr(event, "by", None)),
                reason=short(reason),
                before=before,
                after=after,
            )
        )


def entry_facts(number: int, event: AnyInput, answer: Sequence[AnyOutput]) -> EntryFacts:
    return EntryFacts(
        entry=number,
        seq=_seq(event),
        lines=1 + len(answer),
        at=time_of(event),
        event=name_of(event),
        origin=origin_of(event),
        who=ids(getattr(event, "by", None)) or _device(event),
        answers=[_output_name(one) for one in answer[:-1]],
        articles=list(dict.fromkeys(_articles(answer))),
        refused=next((one.code for one in answer if isinstance(one, outputs.Refused)), ""),
    )


def restored(view: TableView, start: RoundStart) -> RoundsState:
    view.shoe.number = start.shoe
    if view.profile is not None and start.equipment is not None:
        view.profile.equipment = start.equipment
    view.standing, view.demonstration = list(start.standing), start.demonstration
    view.irregularities, view.astray = list(start.irregularities), list(start.astray)
    return RoundsState(signed_in=dict(start.signed_in))


_MAY_CORRECT: Final = (inputs.BetsCorrected, inputs.Resolve, inputs.Void)
_CHANGES_CARDS: Final = frozenset({"reassign", "identify", "enter_bets", "decision", "void"})


def _is_correction(event: AnyInput, answer: Sequence[AnyOutput], open_before: Mapping[int, IrregularityView]) -> bool:
    if isinstance(answer[0], outputs.Refused):
        return False
    if not isinstance(event, inputs.Resolve) or any(isinstance(one, outputs.Reversed) for one in answer):
        return True
    opened = open_before.get(event.irregularity)
    is_misdeal = opened is not None and opened.code == "misdeal"
    return event.action in _CHANGES_CARDS and (is_misdeal or event.action != "identify")


def _copied(found: RoundView | None) -> RoundView | None:
    return None if found is None else msgspec.json.decode(msgspec.json.encode(found), type=RoundView)


def _output_name(line: Line) -> str:
    return str(line.__struct_config__.tag)


def _seq(line: Line) -> int:
    return 0 if line.seq is UNSET else line.seq


def _device(event: AnyInput) -> list[str]:
    device = getattr(event, "device", UNSET)
    return [short(device)] if isinstance(device, str) else []


def _articles(answer: Iterable[AnyOutput]) -> Iterable[str]:
    for one in answer:
        if one.article is not UNSET:
            yield one.article
        if isinstance(one, outputs.Settled | outputs.Reversed):
            for wager in one.wagers:
                yield wager.article
                yield from wager.also or ()


def _article(line: Line) -> str:
    return "" if line.article is UNSET else line.article


def _apply_occurrences(
    found: list[Occurrence],
    event: AnyInput,
    answer: Sequence[AnyOutput],
    open_before: Mapping[int, IrregularityView],
) -> None:
    for one in answer:
        if isinstance(one, outputs.Irregularity):
            reason = event.detail if isinstance(event, inputs.Misdeal | inputs.Dispute) else ""
            found.append(
                Occurrence(
                    irregularity=one.irregularity,
                    code=one.code,
                    seq=_seq(one),
                    at=time_of(one),
                    article=_article(one),
                    detail="" if one.detail is UNSET else short(one.detail),
                    reason=short(reason),
                )
            )
        elif isinstance(one, outputs.Resolved):
            opened = next((this for this in found if this.irregularity == one.irregularity), None)
            if opened is None:
                was = open_before.get(one.irregularity)
                opened = Occurrence(irregularity=one.irregularity, code="" if was is None else was.code)
                found.append(opened)
            opened.action, opened.by = one.action, ids(one.by)
            opened.resolved_seq, opened.resolved_at = _seq(one), time_of(one)
            opened.resolved_article = _article(one)
            opened.mark = "" if one.mark is UNSET else one.mark
            ground = event.ground if isinstance(event, inputs.Resolve) else UNSET
            opened.ground = "" if ground is UNSET else short(ground)


def _apply_drawn(
    drawn: list[ReportedCard],
    event: AnyInput,
    answer: Sequence[AnyOutput],
    open_before: Mapping[int, IrregularityView],
) -> None:
    if isinstance(event, inputs.CardDrawn):
        drawn.append(
            ReportedCard(
                seq=_seq(event),
                at=time_of(event),
                card=event.card,
                device="" if event.device is UNSET else short(event.device),
                unseen=event.unseen,
            )
        )
        _apply_place(drawn[-1], answer)
    elif isinstance(event, inputs.Resolve):
        opened = open_before.get(event.irregularity)
        which = 0 if opened is None else opened.number
        counted = _counted(drawn)
        card = counted[which - 1] if 0 < which <= len(counted) else None
        entries = [one for one in event.cards or () if isinstance(one, inputs.Amendment)]
        if entries:
            _amend(drawn, entries, event)
            return
        for named in (one for one in event.cards or () if not isinstance(one, inputs.Amendment)):
            at = len(drawn) if card is None else drawn.index(card)
            seq, moment = _seq(event), time_of(event)
            drawn.insert(at, ReportedCard(seq=seq, at=moment, card=named, named=seq, is_counted=False))
        if card is not None:
            if event.card is not UNSET:
                card.was, card.card, card.named = card.card, event.card, _seq(event)
            elif event.action == "strike":
                card.is_struck, card.changed = True, _seq(event)
            _apply_place(card, answer)


def _apply_place(card: ReportedCard, answer: Sequence[AnyOutput]) -> None:
    laid = [one for one in answer if isinstance(one, outputs.Dealt | outputs.Burned)]
    if len(laid) != 1:
        return
    [only] = laid
    card.article = _article(only)
    if isinstance(only, outputs.Burned):
        card.to, card.seat, card.hand, card.position = "burn", 0, 0, 0
    else:
        card.to, card.position = only.to, only.position
        card.seat, card.hand = only.seat or 0, only.hand or 0


def _counted(drawn: Iterable[ReportedCard]) -> list[ReportedCard]:
    return [one for one in drawn if one.is_counted and not one.is_struck]


def _amend(drawn: list[ReportedCard], entries: Sequence[inputs.Amendment], event: inputs.Resolve) -> None:
    counted, seq = _counted(drawn), _seq(event)
    for one in entries:
        card = None if one.card is UNSET else one.card
        if one.index is not UNSET and one.index <= len(counted):
            amended = counted[one.index - 1]
            amended.changed = seq
            if one.to == "none":
                amended.is_struck = True
            elif one.to == "burn":
                amended.to, amended.seat, amended.hand, amended.position = "burn", 0, 0, 0
            elif one.card is not UNSET:
                amended.was, amended.card = amended.card, card
        elif one.after is not UNSET:
            behind = counted[one.after - 1] if 0 < one.after <= len(counted) else None
            at = 0 if behind is None else drawn.index(behind) + 1
            drawn.insert(at, ReportedCard(seq=seq, at=time_of(event), card=card, named=seq, changed=seq))


def _apply_places(drawn: Iterable[ReportedCard], found: RoundView) -> None:
    counted = _counted(drawn)
    for lying in found.cards:
        if lying.number is UNSET or not 0 < lying.number <= len(counted):
            continue
        card = counted[lying.number - 1]
        card.to, card.position = lying.to, lying.position
        card.seat, card.hand = lying.seat or 0, lying.hand or 0
        if lying.card is not None:
            card.card = lying.card

"""The round run again from its first card, on a fresh round (reading G11).

If the order of cards and acts changed, each comes as soon as it is possible.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar, cast

from msgspec import UNSET, UnsetType, structs

from regulations.events.cards import Card
from regulations.events.inputs import Amendment, Revealed
from regulations.events.outputs import AnyOutput, Burned, Dealt, Refused
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import BURN_PLACE, CardPosition, CardStatus, DrawnCard
from regulations.play.context.open_round import OpenRound
from regulations.play.context.record import RoundAction, RoundRecord
from regulations.play.context.scope import Scope
from regulations.play.context.snapshot import RoundSnapshot
from regulations.play.context.turn import Subject

LineT = TypeVar("LineT", Burned, Dealt)


@dataclass(slots=True, kw_only=True)
class DealtCard:
    index: int
    before: DrawnCard | None
    drawn: DrawnCard
    is_named: bool = False
    said: Burned | Dealt | None = None
    laid_at: CardPosition | None = None

    @classmethod
    def of(cls, before: DrawnCard, index: int, entry: Amendment | None, *, waits: bool) -> "DealtCard":
        """A card that left."""
        if waits:
            return cls(index=index, before=before, drawn=before)
        drawn = structs.replace(before, claimed=None)
        if entry is not None:
            drawn.card = before.card if entry.card is UNSET else entry.card
            drawn.status = CardStatus.BURNED if entry.to == "burn" and before.place != BURN_PLACE else before.status
        return cls(index=index, before=before, drawn=drawn, is_named=entry is not None)

    @classmethod
    def new(cls, index: int, card: Card | UnsetType, *, left: float, was_held: bool) -> "DealtCard":
        """A card that was never told; one that left before a card which was held for the round was held with it."""
        drawn = DrawnCard(card=None if card is UNSET else card, left=left, was_held=was_held)
        return cls(index=index, before=None, drawn=drawn, is_named=True)

    @property
    def was_burned(self) -> bool:
        return self.before is not None and self.before.place == BURN_PLACE

    @property
    def has_changed(self) -> bool:
        before, drawn = self.before, self.drawn
        if before is None or (before.shown, before.decides) != (drawn.shown, drawn.decides):
            return True
        # A split that is done again, or put in, moves it without a word.
        return before.place not in (drawn.place, self.laid_at or drawn.place)

    def line(self, kind: type[LineT]) -> LineT | None:
        return structs.replace(self.said, card=self.drawn.shown) if isinstance(self.said, kind) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedRound:
    round: OpenRound
    record: RoundRecord
    cards: Sequence[DealtCard]
    said: Sequence[AnyOutput]
    held: list[DrawnCard]
    waiting: Sequence[DrawnCard]


class Replay:
    def __init__(
        self,
        context: RuleContext,
        make_round: Callable[[], OpenRound],
        cards: Sequence[DealtCard],
        more: RoundAction | None = None,
    ) -> None:
        self._context: Final = context
        self._make_round: Final = make_round
        self._was: Final = context.scope.record
        self._cards: Final = cards
        self._more: Final = more

    def run(self) -> ReplayedRound | str:
        acts, more = list(self._was.acts), self._more
        if more is not None:
            # Cards that were turned since lie open, whenever they were.
            acts = [*(replace(act, after=min(act.after, more.after)) for act in acts), more]
        lying = {id(drawn) for drawn in self._context.scope.irregularities.to_be_laid()}
        while True:
            with self._context.aside(self._make_round()) as scope:
                run = _Run(self._context, scope, self._was, self._cards, acts, lying)
                run.play()
                if (unmet := run.next_act) is None:
                    return run.result()
            if not unmet.turns:
                seat, refused = unmet.event.seat, run.refused
                if refused is None:
                    return f"what seat {seat} decided was decided on other cards"
                return f"what seat {seat} decided cannot stand: {refused.detail} ({refused.article})"
            # Its cards lie in several hands now. They stay open wherever they come to lie.
            acts = [act for act in acts if act.event is not unmet.event]


class _Run:
    def __init__(  # the parts of one attempt, all needed
        self,
        context: RuleContext,
        scope: Scope,
        was: RoundRecord,
        cards: Sequence[DealtCard],
        acts: Sequence[RoundAction],
        lying: Collection[int],
    ) -> None:
        self.context: Final = context
        self.scope: Final = scope
        self.round: Final = scope.round
        self.record: Final = scope.record
        self.was: Final = was
        turned = {id(drawn) for act in acts if act.turns for drawn in act.hand}
        self.cards: Final = [one if one.drawn is one.before else _again(one, turned) for one in cards]
        self.names: Final = {id(one.drawn): said.drawn.card for one, said in zip(self.cards, cards, strict=True)}
        copies = {id(one.before): one.drawn for one in self.cards}
        self.left: Final = [_with(act, copies) for act in acts]
        self.refused: Refused | None = None
        self.coming: Final = list(self.cards)
        self.waiting: Final[list[DrawnCard]] = []
        self.lying: Final = lying
        self.has_passed = False
        self.is_unread = False
        self.begins: Final = was.opening is not None or any(
            id(one.drawn) in lying if one.drawn is one.before else not one.drawn.was_held for one in cards
        )
        self.before_cut_card: Final = set[int]()
        if was.cut_card is not None:
            out, done = was.cut_card
            self.before_cut_card.update(id(one.drawn) for one in self.cards if one.index <= out)
            self.before_cut_card.update(id(act.event) for act in was.acts[:done])

    @property
    def next_act(self) -> RoundAction | None:
        return self.left[0] if self.left else None

    def play(self) -> None:
        if not self.begins:
            self._stay_between_rounds()
            return
        self._open()
        self._pass_cut_card()
        while self._advance():
            pass
        for one in self.coming:
            self._leave(one)

    def _advance(self) -> bool:
        if self.coming and (act := self.next_act) is not None and self._leaves_behind(self.coming[0], act):
            return self._repeat_next_act() or self._lay_next()
        return self._lay_next() or self._repeat_next_act()

    def _leaves_behind(self, one: DealtCard, act: RoundAction) -> bool:
        if one.before is not None or one.index != act.after:
            return one.index > act.after
        return id(act.event) in self.before_cut_card or id(one.drawn) not in self.before_cut_card

    def _stay_between_rounds(self) -> None:
        self.round.restore(cast("RoundSnapshot", self.was.began))
        for one in self.cards:
            if one.drawn is not one.before and not one.was_burned:
                one.drawn.status = CardStatus.HELD

    def _open(self) -> None:
        fresh = self.round
        # A round whose beginning nobody saw is void before anybody can correct it.
        fresh.restore(cast("RoundSnapshot", self.was.began))
        if self.was.opening is not None:
            self.scope.turn.event = self.was.opening
            fresh.fire("bets_closed")
        else:
            fresh.fire("first_card")
        if self.was.device_reported:
            self.record.device_reported = True
            fresh.mark_device_reported()

    def result(self) -> ReplayedRound:
        return ReplayedRound(
            round=self.round,
            record=self.record,
            cards=self.cards,
            said=list(self.scope.turn.answer),
            held=[one.drawn for one in self.cards if one.drawn.status is CardStatus.HELD],
            waiting=self.waiting,
        )

    def _pass_cut_card(self) -> None:
        if self.was.cut_card is not None:
            out = sum(id(one.drawn) in self.before_cut_card for one in self.cards)
            self.record.cut_card, self.record.cut_card_at = (out, len(self.record.acts)), self.round.stage

    def _repeat_next_act(self) -> bool:
        act, turn = self.next_act, self.scope.turn
        if act is None or not self.round.meets(act):
            return False
        said, event = len(turn.answer), act.event
        if isinstance(event, Revealed):
            event = structs.replace(event, cards=[self.names[id(one)] for one in act.hand])
        turn.event = event
        self.round.repeat(event)
        self.refused = next((output for output in turn.answer[said:] if isinstance(output, Refused)), None)
        if self.refused is not None:
            return False
        self.left.pop(0)
        self.record.acts.append(replace(act, after=len(self.record.came_out)))
        if id(act.event) in self.before_cut_card:
            self._pass_cut_card()
        return True

    def _lay_next(self) -> bool:
        one = next(iter(self.coming), None)
        if one is None:
            return False
        drawn = one.drawn
        if one.before is drawn:
            # It is no card of the round yet; one that will be laid has begun it.
            self.scope.irregularities.wait(*([drawn] if id(drawn) in self.lying else ()))
            self.has_passed = True
        elif drawn.status is CardStatus.BURNED or (one.was_burned and self.scope.due.place != BURN_PLACE):
            # Burned by persons, or by rule: it stays so.
            drawn.place = BURN_PLACE
        elif (
            not drawn.held_though_due
            and (self.has_passed or not self._lay(one))
            and drawn.status is not CardStatus.HELD
        ):
            return False
        self.record.came_out.append(drawn)
        self.coming.pop(0)
        if id(drawn) in self.before_cut_card and all(id(act.event) in self.before_cut_card for act in self.record.acts):
            self._pass_cut_card()
        return True

    def _lay(self, one: DealtCard) -> bool:
        scope, fresh, drawn, act = self.scope, self.round, one.drawn, self.next_act
        status = drawn.status
        # What left behind a decision of one hand is no hit of another (reading J30).
        is_behind = act is not None and self._leaves_behind(one, act)
        due = scope.due if is_behind else fresh.due_to(drawn)
        if due.place is None and not (status is CardStatus.ACCEPTED and scope.phase.decided):
            return False
        # Which card an accepted one is, is known; one that is not, and came face up, was burned.
        if drawn.card is None and (not drawn.unseen or due.lies_open):
            # It takes the place, whatever was said of it while it had none: it is named first.
            drawn.status, self.is_unread = CardStatus.COUNTS, True
            return False
        drawn.status, scope.turn.subject, said = CardStatus.COUNTS, Subject(card=drawn), len(scope.turn.answer)
        fresh.fire("card")
        if drawn.place is None:
            if "accept" not in self.context.resolutions(scope.irregularities.about(drawn)):
                return False
            fresh.accept(drawn)
        one.said = next(line for line in scope.turn.answer[said:] if isinstance(line, Dealt | Burned))
        one.laid_at = drawn.place
        return True

    def _leave(self, one: DealtCard) -> None:
        drawn, before = one.drawn, one.before
        self.record.came_out.append(drawn)
        if drawn is before:
            return
        if drawn.status is CardStatus.BURNED or one.was_burned:
            drawn.place = BURN_PLACE
        elif drawn.status is not CardStatus.WAITING and (drawn.status is not CardStatus.HELD or self.is_unread):
            # Whether one that was held has a place after all is known once the one before it has its own.
            drawn.status, drawn.place = CardStatus.COUNTS, None
            drawn.is_open = before is not None and before.is_open
            self.waiting.append(drawn)


def _again(one: DealtCard, turned: set[int]) -> DealtCard:
    is_unread = one.drawn.unseen and id(one.before) in turned
    drawn = structs.replace(one.drawn, place=None, decides=False, card=None if is_unread else one.drawn.card)
    drawn.is_open = drawn.is_open and id(one.before) not in turned and drawn.status is not CardStatus.ACCEPTED
    return replace(one, drawn=drawn)


def _with(act: RoundAction, copies: dict[int, DrawnCard]) -> RoundAction:
    gone = DrawnCard(card=None)
    hand, bank = ([copies.get(id(drawn), gone) for drawn in cards] for cards in (act.hand, act.bank))
    return replace(act, hand=hand, bank=bank)

"""A fresh table that is dealt a round in the order in which its cards left: an ordinary table, fed ordinary inputs."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec import UNSET, structs

from regulations.events.inputs import (
    AnyInput,
    BetsClosed,
    CutCard,
    CutCardPlaced,
    Decision,
    Resolve,
    Revealed,
    Table,
)
from regulations.events.outputs import Irregularity, Next
from tests.regulations.support.inputs import BY
from tests.soak.corrections.past import CutCardOut, Done, Fate, Heard, Item, Left, owner_of

DUE: Final = ("draw", "burn")


class Misfit(Exception):
    """A decision no longer meets its cards."""


class Incomparable(Exception):
    """An ordinary table cannot be led there: why."""


class Turned(Exception):
    """A reveal no longer meets its cards: which."""

    def __init__(self, done: Done) -> None:
        super().__init__()
        self.done: Final = done


@dataclass(slots=True, kw_only=True)
class Dealt:
    """The table as it then stands."""

    table: Heard
    fates: dict[Left, Fate] = field(default_factory=dict)
    by_rule: set[Left] = field(default_factory=set)
    burned: list[Left] = field(default_factory=list)
    kept: list[Left] = field(default_factory=list)
    over: list[Left] = field(default_factory=list)
    unmade: list[Done] = field(default_factory=list)
    order: list[Item] = field(default_factory=list)


@dataclass(kw_only=True)
class Script:
    """A round and all before it."""

    profile: Table
    before: Sequence[AnyInput]
    opening: BetsClosed | None
    order: Sequence[Item]

    def deal(self) -> Dealt:
        """Deals it on a fresh table.

        Raises:
            Misfit: a decision no longer meets its cards.
            Incomparable: ordinary inputs cannot do it.
        """
        order, unmade, depth = list(self.order), [], None
        while True:
            try:
                run = _Run(self, order, depth)
                run.play()
            except Turned as turned:
                # Its cards lie elsewhere now; they lie open from the start (G11).
                if self.profile.game == "blackjack":
                    raise Incomparable("a card that lies open in blackjack is an irregularity") from None
                unmade.append(turned.done)
                order.remove(turned.done)
                continue
            except _Depth as other:
                depth = other.cards
                continue
            run.dealt.unmade = unmade
            return run.dealt


class _Depth(Exception):
    """The cut card lies behind so many cards."""

    def __init__(self, cards: int) -> None:
        super().__init__()
        self.cards: Final = cards


class _Run:
    """One attempt."""

    def __init__(self, script: Script, order: Sequence[Item], depth: int | None) -> None:
        self.table: Final = Heard(script.profile)
        self.script: Final = script
        self.dealt: Final = Dealt(table=self.table)
        self.order: Final = list(order)
        self.open: Final = {
            card for done in script.order if isinstance(done, Done) and done not in order for card in done.hand
        }
        self.depth = depth
        for event in script.before:
            self._give_past(event)
        self.table.books.clear()
        if script.opening is not None:
            self.table.give(script.opening)
            assert self.table.refusal is None, f"fresh table refuses the bets: {self.table.refusal}"
        self.held: Final = [one for one in script.order if isinstance(one, Left) and one.from_before]
        self.table.know_held(self.held)
        self._name_held()

    def _name_held(self) -> None:
        while (opened := self.table.procedure._context.scope.irregularities.open) and opened[0].code == "unread_card":  # noqa: SLF001  which card it is about
            came_out = self.table.procedure._context.scope.record.came_out  # noqa: SLF001  as they left
            if not opened[0].card.was_held:
                return
            name = self.held[sum(one.was_held for one in came_out) - 1].card
            self.table.give(Resolve(irregularity=opened[0].number, action="identify", by=list(BY), card=name))  # type: ignore[arg-type]  # words of the table log
            self.table.know_held(self.held)

    def _give_past(self, event: AnyInput) -> None:
        if isinstance(event, CutCardPlaced):
            size = 52 * self.table.procedure._context.table.decks  # noqa: SLF001  compared from within
            if self.depth is not None:
                event = structs.replace(event, behind=size - self.depth)
            else:
                self.depth = size - event.behind
        elif isinstance(event, Resolve):
            event = structs.replace(event, irregularity=self.table.prompt.irregularity)
        self.table.give(event)
        if isinstance(event, CutCardPlaced) and self.table.refusal is not None:
            raise Incomparable("no cut card may lie there")

    def play(self) -> None:
        while self.order and self._next(self.order[0]):
            pass
        for item in self.order:
            if isinstance(item, Done):
                if isinstance(item.event, Revealed):
                    raise Turned(item)
                if self.script.profile.game == "q_poker":
                    raise Incomparable("a decision stands by its seat, whatever cards are dealt to it again")
                raise Misfit(f"seat {item.event.seat}")
            if isinstance(item, CutCardOut):
                self.table.give(CutCard())
            elif item.was_due and item.fate == "held":
                self._keep(item)
            elif item.fate == "held":
                # What persons held stays so, though a card that left before it has no place now.
                self.dealt.fates[item] = "held"
            elif not self._passes(item, take=False):
                self._leave(item)
        self.dealt.order += self.order
        self.order.clear()

    def _next(self, item: Item) -> bool:
        if isinstance(item, CutCardOut):
            self._cut_card(item)
            return True
        if isinstance(item, Done):
            return self._act(item) or self._other()
        if item.was_due and item.fate == "held":
            self._keep(item)
            self._pass(item)
            return True
        if self._passes(item):
            return True
        if self._is_due(item):
            self._lay(item)
            return True
        if item.fate == "held":
            return self._valid(item)
        return self._other() or self._valid(item)

    def _pass(self, item: Item) -> None:
        self.order.remove(item)
        self.dealt.order.append(item)

    def _keep(self, left: Left) -> None:
        self.dealt.fates[left] = "held"
        self.dealt.kept.append(left)

    def _other(self) -> bool:
        card = next((one for one in self.order if isinstance(one, Left)), None)
        if card is None and self.table.prompt.do in DUE:
            return False
        # A card that left behind what a hand decided is no hit of another (reading J30).
        hits = not isinstance(self.order[0], Done)
        if card is not None and (self._is_due(card) if hits else self.table.prompt.do in DUE):
            if not self._passes(card):
                self._lay(card)
            return True
        act = next((one for one in self.order if isinstance(one, Done)), None)
        if act is None or act is self.order[0]:
            return False
        # The cut card came before what was done behind it, though the card before it has no place.
        cut_cards = [one for one in self.order[: self.order.index(act)] if isinstance(one, CutCardOut)]
        for cut_card in cut_cards:
            self._cut_card(cut_card)
        return bool(cut_cards) or self._act(act)

    def _is_due(self, left: Left) -> bool:
        prompt, options = self.table.prompt, self.table.procedure._context.deal.options  # noqa: SLF001  compared from within
        if prompt.do in DUE:
            return True
        may_hit = prompt.do == "decide" and "hit" in (prompt.actions or ()) and bool(options.get("drawn_card_is_hit"))
        return may_hit and left.fate == "counts" and not (left.was_blocked or left.by_rule)

    def _cut_card(self, item: CutCardOut) -> None:
        if self.depth is not None and self.table.out_total != self.depth:
            raise _Depth(self.table.out_total)
        self.table.give(CutCard())
        if any(isinstance(output, Irregularity) for output in self.table.answer):
            raise Incomparable("the cut card is not due")
        self._pass(item)

    def _passes(self, left: Left, *, take: bool = True) -> bool:
        # One that the rule burned stays so where no burn is due when it comes: once all acts before it are done.
        no_act = not any(isinstance(one, Done) for one in self.order[: self.order.index(left)])
        never_burned = self.table.prompt.do == "draw" or (self.table.prompt.do != "burn" and no_act)
        stays_burned = left.fate == "burned" or (left.by_rule and never_burned)
        if not (left.fate == "waits" or left.from_before or stays_burned):
            return False
        if stays_burned and not left.from_before:
            self.dealt.burned.append(left)
            if left.by_rule:
                self.dealt.by_rule.add(left)
        if take:
            self._pass(left)
        return True

    def _lay(self, left: Left) -> None:
        if self.table.prompt.do == "burn":
            self.dealt.by_rule.add(left)
        self.dealt.fates[left] = "counts"
        self._deal(left)
        if any(isinstance(output, Irregularity) for output in self.table.answer):
            raise Incomparable(f"an irregularity: {self.table.answer[-2]}")
        self._pass(left)

    def _deal(self, left: Left) -> None:
        face_up, left.face_up = left.face_up, left.face_up or left in self.open
        self.table.deal(left)
        self.table.know_held(self.held)
        self._name_held()
        left.face_up = face_up

    def _act(self, done: Done) -> bool:
        table, event, prompt = self.table, done.event, self.table.prompt
        owner = owner_of(event)
        if isinstance(event, Decision):
            if not _is_offered(event, prompt):
                return False
            if table.hand(owner) != done.hand or table.bank() != done.bank:
                return False
        elif prompt.do not in ("reveal", "decide") or not done.hand or table.hidden(owner) != done.hand:
            return False
        table.give(event)
        if table.refusal is not None:
            return False
        self._pass(done)
        return True

    def _valid(self, item: Item) -> bool:
        way = {"accepted": "accept", "held": "next_round"}.get(item.fate) if isinstance(item, Left) else None
        if way is None or not isinstance(item, Left):
            return False
        self._deal(item)
        number = self.table.prompt.irregularity
        if number is UNSET or way not in (self.table.prompt.actions or ()):
            raise Incomparable(f"{way} is not offered any more")
        self.table.give(Resolve(irregularity=number, action=way, by=list(BY)))  # type: ignore[arg-type]  # words of the table log
        self.dealt.fates[item] = item.fate
        self._pass(item)
        return True

    def _leave(self, left: Left) -> None:
        self.dealt.fates[left] = "waits"
        self.dealt.over.append(left)


def _is_offered(event: Decision, prompt: Next) -> bool:
    if prompt.do != "decide":
        return False
    turn = (prompt.seat, prompt.hand or 1) == (event.seat, event.hand) and prompt.id in (UNSET, event.id)
    if turn and event.action in (prompt.actions or ()):
        return True
    return any(
        (one.seat, one.hand, one.id) == (event.seat, event.hand, event.id) and event.action in one.actions
        for one in prompt.bettors or ()
    )


def finish(dealt: Dealt) -> None:
    """Deals the cards that are burned where no card is due, as undue ones that a person burns."""
    for left in dealt.burned:
        dealt.table.deal(left)
        number = dealt.table.prompt.irregularity
        if number is UNSET or "burn" not in (dealt.table.prompt.actions or ()):
            raise Incomparable("a card cannot be burned here")
        dealt.table.give(Resolve(irregularity=number, action="burn", by=[BY[0]]))

"""Cards that leave unread, late, unreported, in packets, while the deal is held, and behind such ones (reading G17)."""

from collections.abc import Callable
from typing import Final

from msgspec import UNSET

from regulations.events.inputs import CardDrawn, CutCard, DeviceBack, DeviceLost, Dispute, Resolve
from regulations.events.notices import DeviceIdentified
from regulations.play.context.irregularities import OpenIrregularity
from tests.regulations.support.inputs import BY
from tests.soak.corrections.dealing import Dealing, Over
from tests.soak.corrections.past import CutCardOut, Left

DEVICE: Final = "shoe"
READER: Final = "reader"
NAMING: Final = frozenset({"unread_card", "surplus_card"})
HOLDS: Final = frozenset({"dispute", "device_lost"})


class Trouble(Dealing):
    """A table at which several things go wrong one after the other, before persons settle the first of them."""

    def _trouble(self) -> None:
        self.permit = self.live.procedure.lines
        self.between = not self.live.procedure.is_mid_round
        self.behind = False
        self.untold: dict[Left, Left] = {}
        first: tuple[Callable[[], None], ...] = (self._unread, self._hold, self._by_hand)
        more: tuple[Callable[[], None], ...] = (*first, self._plain, self._plain, self._plain, self._packet)
        if self.game != "q_poker" and self.order:
            first, more = (*first, self._gap), (*more, self._gap)
        self.random.choice(first)()
        for _ in range(self.random.randrange(5)):
            if self._codes:
                self.random.choice(more)()
            self._cut_card_behind()
        while self.live.prompt.do == "resolve":
            self._settle()
            self._sort_out()
        if self.between and self.behind:
            # A card that left between rounds is none of the round's; no fresh table has one.
            raise Over
        self._compare_now()

    @property
    def _open(self) -> list[OpenIrregularity]:
        return self.live.procedure._context.scope.irregularities.open  # noqa: SLF001  which cards they are about

    @property
    def _codes(self) -> set[str]:
        return {one.code for one in self._open}

    def _saw(self, kind: str) -> None:
        self.tally[kind] += 1

    # --- cards -------------------------------------------------------------------------------------------------------

    def _leaves(self, left: Left, event: CardDrawn) -> None:
        is_held, is_behind, was_open = bool(HOLDS & self._codes), bool(self._codes), len(self._open)
        self.order.append(left)
        self.live.deal(left, event)
        if event.permit is not UNSET:
            self._saw("late" if len(self._open) == was_open else "stray")
        elif is_held and event.count is UNSET:
            self._saw("stray")
        elif is_behind:
            self._saw("waited")
        self.behind = self.behind or (self.between and is_held)
        self._note_result()

    def _unread(self) -> None:
        self._saw("unread")
        self._leaves(Left(card=self.draw(), is_known=False), CardDrawn(card=None))

    def _plain(self) -> None:
        left = Left(card=self.draw())
        event = CardDrawn(card=left.card)  # type: ignore[arg-type]  # words of the table log
        if HOLDS & self._codes and self.chance(2):
            event = CardDrawn(card=left.card, device=DEVICE, permit=self.permit)  # type: ignore[arg-type]  # words of the table log
        self._leaves(left, event)

    def _by_hand(self) -> None:
        self.live.give(DeviceIdentified(device=READER, maker="Angel", model="Eye", reads=True))
        left = Left(card=self.draw())
        self._leaves(left, CardDrawn(card=left.card))  # type: ignore[arg-type]  # words of the table log
        assert self._open[-1].code == "card_by_hand", f"a card is entered beside a reader: {self._codes}"
        self.live.give(DeviceIdentified(device=READER, maker="Angel", model="Eye", reads=False))

    def _packet(self) -> None:
        number, unread = 1 + len(self.live.given), self.random.randrange(3)
        for at in range(2):
            left = Left(card=self.draw(), is_known=at != unread)
            card = left.card if left.is_known else None
            self._leaves(left, CardDrawn(card=card, device=DEVICE, boot=1, number=number))  # type: ignore[arg-type]  # words of the table log
        self._saw("packets")

    def _gap(self) -> None:
        told, untold = Left(card=self.draw()), Left(card=self.draw())
        self.untold[told] = untold
        counted = self.live.procedure._context.scope.stack.counted  # noqa: SLF001  as its device counts
        self._saw("gaps")
        self._leaves(told, CardDrawn(card=told.card, count=counted + 2))  # type: ignore[arg-type]  # words of the table log

    def _hold(self) -> None:
        if HOLDS & self._codes and self.chance(2):
            return
        if "dispute" not in self._codes and self.chance(2):
            self.live.give(Dispute(detail="somebody disputes it"))
            self._saw("disputes")
        elif "device_lost" not in self._codes:
            self.live.give(DeviceLost(device=DEVICE))
            self._saw("losses")

    def _cut_card_behind(self) -> None:
        if self.depth == self.live.out_total and not self.cut_card_out and self._codes and not HOLDS & self._codes:
            self.live.give(CutCard())
            self.order.append(CutCardOut())
            self.cut_card_out = True
            self.seen.add("cut_cards")

    # --- ways out ----------------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        first, actions = self._open[0], list(self.live.prompt.actions or ())
        left = self.live.left_of(first.drawn) if first.drawn is not None else None
        if first.code == "device_lost" and "continue" not in actions:
            self.live.give(DeviceBack(device=DEVICE))
            actions = list(self.live.prompt.actions or ())
        self._answer(first, left, self._way(first, actions))

    def _way(self, first: OpenIrregularity, actions: list[str]) -> str:
        if first.code in NAMING or first.missing:
            wanted = ["identify"]
        elif first.code == "card_by_hand":
            wanted = ["strike" if self.chance(3) else "accept"]
        elif first.code == "card_not_due":
            # A card before a decision is not accepted here: no fresh table is told that it waits.
            ways = ["next_round", "accept"] if self.decided else ["next_round"]
            wanted = [one for one in ways if one in actions and not self.chance(3)] or ["burn"]
        else:
            wanted = {"dispute": ["settle"], "device_lost": ["continue"]}.get(first.code, [])
        way = next((one for one in wanted if one in actions), None)
        if way is None:
            raise Over
        return way

    def _answer(self, first: OpenIrregularity, left: Left | None, way: str) -> None:
        card, cards = UNSET, UNSET
        if way in ("identify", "accept") and left is not None and not (way == "accept" and left.is_known):
            if first.missing:
                cards = [self.untold[left].card]  # type: ignore[assignment]  # words of the table log
            else:
                card, left.is_known = left.card, True  # type: ignore[assignment]  # words of the table log
        self.live.give(Resolve(irregularity=first.number, action=way, by=list(BY), card=card, cards=cards))  # type: ignore[arg-type]  # words of the table log
        assert self.live.refusal is None, f"{first.code} {way}: {self.live.refusal}"
        if first.code == "card_by_hand":
            self._saw("by_hand_struck" if way == "strike" else "by_hand")
        if way == "strike" and left is not None:
            self.order.remove(left)
            self.out[left.card] -= 1
        if first.missing and left is not None:
            self.order.insert(self.order.index(left), self.untold.pop(left))

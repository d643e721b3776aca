"""One table after the other with random rounds, most of them corrected, each compared with a fresh table."""

from collections import Counter
from typing import Final

from regulations.events.inputs import (
    Amendment,
    CardsReturned,
    Misdeal,
    Resolve,
    Revealed,
    RoundClosed,
)
from regulations.events.outputs import ShoeOver
from tests.regulations.support.fingerprint import fingerprint
from tests.regulations.support.inputs import BY
from tests.soak.corrections.dealing import Over
from tests.soak.corrections.fresh import DUE, Dealt, Incomparable, Misfit, Script, finish
from tests.soak.corrections.past import CutCardOut, Done, Item, Left
from tests.soak.corrections.said import Said
from tests.soak.corrections.snapshot import compare
from tests.soak.corrections.trouble import Trouble

ROUNDS: Final = 2
"""Of one table, at most: a script that shows a fault stays short."""
SAYS_VOID: Final = ("OpenIrregularity.leads_to_void",)
"""Attributes that a refused correction changes: `void` becomes a way out; one is noted anew with every input."""
NEAR: Final = 5
"""So few cards before the cut card none is inserted: it would have come before."""


class Play(Trouble):
    """One table, its corrections, and the fresh tables beside it."""

    def play(self) -> None:
        """Plays some rounds."""
        try:
            for _ in range(1 if self.near else self.random.randint(1, ROUNDS)):
                self.tally["rounds"] += 1
                while not self._step():
                    pass
        except Over:
            pass

    def _step(self) -> bool:
        prompt = self.live.prompt
        if prompt.do == "resolve":
            self._settle()
            self._sort_out()
            if self.live.prompt.do != "resolve" and self.corrected:
                self._compare()
        elif prompt.do in ("close_bets", "nothing", "shuffle", "load", "return_cards"):
            self._between(prompt)
        elif self._cut_card_comes():
            pass
        elif self.cards and self.chance(self._misdeal_one_in):
            self._misdeal()
        elif prompt.do in DUE:
            self._draw()
        elif self.order and self.chance(8 if self.decided and self.game == "blackjack" else 25):
            self._report(Left(card=self.draw()))
        elif prompt.do == "reveal":
            self._reveal(Revealed(who=prompt.to, seat=prompt.seat, hand=prompt.hand))  # type: ignore[arg-type]  # words of the table log
        elif prompt.do == "decide":
            self._decide(prompt)
        else:
            return self._close()
        return False

    @property
    def _misdeal_one_in(self) -> int:
        is_rare = "accepted" in self.seen or any(isinstance(one, CutCardOut) for one in self.order)
        return 3 if is_rare else 14 if self.decided else 22

    # --- what goes wrong ---------------------------------------------------------------------------------------------

    def _misdeal(self) -> None:
        self.live.give(Misdeal(detail="the cards lie wrong"))
        if "reassign" not in (self.live.prompt.actions or ()):
            raise Over
        number = self._number
        if self.chance(8) and self.game != "q_poker":
            # A card comes while the misdeal is open: it waits for an irregularity of its own.
            self._report(Left(card=self.draw()))
        for _ in range(4):
            if self._name_as_it_is(number) if self.chance(5) else self._correct(number):
                break
        else:
            self._close_misdeal(number)
            self._compare()

    def _close_misdeal(self, number: int) -> None:
        if "reassign" not in (self.live.prompt.actions or ()):
            raise Over
        self.live.give(Resolve(irregularity=number, action="reassign", by=list(BY), cards=[]))
        if self.live.refusal is not None:
            raise Over

    def _name_as_it_is(self, number: int) -> bool:
        known = [at for at, left in enumerate(self.cards, start=1) if left.is_known and left.fate != "waits"]
        if not known or "identify" not in (self.live.prompt.actions or ()):
            return False
        at = self.random.choice(known)
        cards = [Amendment(index=at, card=self.cards[at - 1].card)]  # type: ignore[arg-type]  # words of the table log
        self.live.give(Resolve(irregularity=number, action="identify", by=list(BY), cards=[*cards]))
        if self.live.refusal is not None:
            return False
        told = [type(output).__name__ for output in self.live.answer]
        assert told == ["Resolved", "Next"], f"naming a card by its name changed the round: {told}"
        self.live.know(self.cards)
        self.tally["unchanged"] += 1
        return True

    def _correct(self, number: int) -> bool:
        said = self._strike() if self.chance(2) or self.game == "q_poker" else self._name()
        entries = list(said.entries)
        if self.chance(12):
            entries.append(self.random.choice((Amendment(index=99, to="burn"), Amendment(index=1, to="banker"))))
        were_open = {left for hand in self.live.layout().values() for left, is_open in hand if is_open}
        burned, before = self.live.books.burned, fingerprint(self.live.procedure, SAYS_VOID)
        self.live.give(
            Resolve(irregularity=number, action=said.action, by=list(BY), cards=[*entries], ground=said.ground)
        )
        refusal = self.live.refusal
        if refusal is not None:
            self.tally["refused"] += 1
            assert before == fingerprint(self.live.procedure, SAYS_VOID), f"a refusal changed something: {refusal}"
            if "was decided on other cards" in refusal:
                assert not isinstance(self._expected(said.order), Dealt), f"all decisions fit: {refusal}"
            said.take_back()
            return False
        expected = self._expected(said.order)
        assert expected is not None, "a decision no longer fits, and the correction is taken"
        self.order[:] = said.order
        self.out.update(said.out)
        self.corrected = True
        self.seen |= said.kinds | {"corrected"}
        if not isinstance(expected, Dealt):
            raise Over
        if self.opening is None and all(left.from_before or left.fate == "waits" for left in self.cards):
            self.live.books.burned = burned - said.never_burned
            self._stay_between_rounds(expected, were_open)
            return True
        if self.opening is None and set(expected.fates.values()) <= {"held"}:
            # All that left is burned or held: no ordinary table has a round open without a card.
            raise Over
        told = self.live.books.burned - burned
        were = {left for left in self.cards if left.by_rule or left.fate == "burned"} - said.struck
        self._adopt(expected)
        newly = sum(left.by_rule or left.fate == "burned" for left in self.cards) - len(were)
        assert newly <= told <= newly + len(were), f"{told} cards are told as burned, {newly} are"
        self.live.books.burned = burned - said.never_burned + newly
        if not self._stay_open(were_open, expected) and self.live.prompt.do != "resolve":
            compare(self.live, expected)
            self.tally["compared"] += 1
        else:
            self._compare()
        return True

    def _stay_between_rounds(self, dealt: Dealt, were_open: set[Left]) -> None:
        held = [left for left in self.cards if left.from_before]
        if self.unread_before or len(held) < len(self.cards):
            # One was named meanwhile, which no fresh table can know; or one waits between rounds and is of none.
            raise Over
        compare(self.live, dealt)
        self.tally["compared"] += 1
        self.tally["unopened"] += 1
        if not were_open.isdisjoint(held):
            # A card that lay open stays so; no fresh table holds an open one.
            raise Over
        self.order[:] = [one for one in self.order if one in held or isinstance(one, CutCardOut)]
        self.decided = False

    def _stay_open(self, were_open: set[Left], dealt: Dealt) -> bool:
        fresh = {left for hand in dealt.table.layout().values() for left, is_open in hand if not is_open}
        for left in were_open & fresh:
            if self.game == "blackjack" or left.from_before:
                self.tally["apart"] += 1
                raise Over
            left.face_up = True
        return bool(were_open & fresh)

    def _adopt(self, dealt: Dealt) -> None:
        for left, fate in dealt.fates.items():
            if left.fate in ("held", "accepted") or fate != "counts":
                left.fate = fate
            if left.fate == "accepted":
                self.seen.add("accepted")
            if left.fate == "held":
                self.seen.add("held")
        for left in self.cards:
            left.by_rule = left in dealt.by_rule or (left.by_rule and left.from_before)
        for done in dealt.unmade:
            for left in done.hand:
                left.face_up = True
        self.order[:] = dealt.order
        self.live.know(self.cards)
        for left, drawn in zip(self.cards, self.live.procedure._context.scope.record.came_out, strict=True):  # noqa: SLF001  compared from within
            if drawn.waits:
                # It lies behind one that is settled first (reading G17), which a fresh table passes over.
                left.fate, left.by_rule = "waits", False
        self._note_result()

    def _expected(self, order: list[Item]) -> Dealt | Incomparable | None:
        try:
            return self._script(order).deal()
        except Misfit:
            return None
        except Incomparable as why:
            return why

    def _strike(self) -> Said:
        cards = self.cards
        free = [at for at, left in enumerate(cards, start=1) if left.fate != "waits" and not left.from_before]
        if self.game == "q_poker":
            return self._strike_null_hand()
        said = Said(action="reassign", order=self.order, ground=self.random.choice(("foreign", "damaged", "undue")))
        for at in self.random.sample(free, min(len(free), 1 + self.chance(4))):
            said.strike(at, cards[at - 1])
        return said

    def _strike_null_hand(self) -> Said:
        counting = [at for at, left in enumerate(self.cards, start=1) if left.fate == "counts" and not left.by_rule]
        struck, seats = counting[-1:], self.opening.seats if self.opening is not None else ()
        if not any(isinstance(one, Done) for one in self.order) and not self.chance(3):
            hands = len(seats) + 1
            place = self.random.randrange(hands)
            by_pass = self.profile.equipment == "shoe"
            struck = counting[place :: hands + 1][:3] if by_pass else counting[3 * place : 3 * place + 3]
        ground = "undue" if self.chance(2) else self.random.choice(("foreign", "damaged", "undue"))
        said = Said(action="reassign", order=self.order, ground=ground)
        for at in struck:
            said.strike(at, self.cards[at - 1])
        return said

    def _name(self) -> Said:
        said, cards = Said(action="identify", order=self.order), self.cards
        near = self.depth is not None and not self.cut_card_out and self.depth - self.live.out_total < NEAR
        if self.opening is None and not near and self.chance(4):
            for at, card in enumerate(cards, start=1):
                if card.fate != "waits" and not card.from_before:
                    said.unsay(at, card)
            return said
        # What was never told before a card that was held left in the round before, where no fresh table has it.
        held = sum(left.from_before for left in cards)
        for at in self.random.sample(range(len(cards) + 1), min(len(cards), 1 + self.chance(4))):
            left = cards[at - 1] if at else None
            what = self.random.randrange(3)
            if what == 0 and not near and at >= held:
                said.insert(at, left, Left(card=self.draw()))
            elif left is not None and left.fate != "waits" and not left.from_before:
                if what == 1 and not near:
                    said.unsay(at, left)
                else:
                    said.rename(at, left, self.draw())
        return said

    # --- the comparison ----------------------------------------------------------------------------------------------

    def _script(self, order: list[Item]) -> Script:
        before = self.past or self.live.given[: self.before]
        return Script(profile=self.profile, before=before, opening=self.opening, order=order)

    def _compare_now(self) -> None:
        self._compare()

    def _compare(self) -> Dealt | None:
        if self.live.prompt.do == "resolve":
            return None
        expected = self._expected(self.order)
        if isinstance(expected, Incomparable):
            self.tally["apart"] += 1
            self.tally[f"apart: {expected}"[:60]] += 1
            raise Over
        assert expected is not None, "a decision of the round does not fit the cards that count"
        assert not expected.over, f"{len(expected.over)} cards have no place"
        self.tally["compared"] += 1
        compare(self.live, expected)
        return expected

    def _close(self) -> bool:
        if self.live.prompt.do != "close_round" or "voided" in self.seen:
            raise Over
        anew = self.corrected or bool(self.past)
        expected = self._compare() if anew or self.chance(8) else None
        self.live.give(RoundClosed())
        assert self.live.refusal is None, self.live.refusal
        if any(isinstance(output, ShoeOver) for output in self.live.answer):
            self._count()
            raise Over
        if expected is not None and expected.kept and anew:
            # No fresh table has a card that waits though it was due.
            self._count()
            raise Over
        if expected is not None and anew:
            try:
                finish(expected)
            except Incomparable:
                self._count()
                raise Over from None
            expected.table.give(RoundClosed())
            self.past = expected.table.given
        self._count()
        held = [left for left in self.cards if left.fate == "held"]
        if self._goes_back():
            event = CardsReturned(cards=self.live.out_total - len(held))
            self.live.give(event)
            assert self.live.refusal is None, self.live.refusal
            self.out = Counter(left.card for left in held)
            if self.past:
                self.past = [*self.past, event]
        self._new_round()
        self.order += [
            Left(card=left.card, from_before=True, face_up=left.face_up, is_known=left.is_known) for left in held
        ]
        self.unread_before = not all(left.is_known for left in held)
        return True

    def _goes_back(self) -> bool:
        return self.live.prompt.do == "return_cards"

    def _count(self) -> None:
        if self.corrected:
            for kind in self.seen:
                self.tally[kind] += 1

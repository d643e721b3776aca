"""One table after the other with random rounds, most of them corrected, each compared with a fresh table."""

from collections import Counter
from random import Random
from typing import Final

from msgspec import UNSET

from regulations.cards import DECK
from regulations.drawn import Owner
from regulations.events.inputs import (
    Amendment,
    AnyInput,
    BetsClosed,
    CardDrawn,
    CardsReturned,
    CutCard,
    CutCardPlaced,
    Decision,
    Misdeal,
    Resolve,
    Revealed,
    RoundClosed,
    Table,
    Wager,
)
from regulations.events.outputs import AnyOutput, Burned, Irregularity, Next, Resolved, Settled, ShoeOver
from tests.regulations.support.fingerprint import fingerprint
from tests.regulations.support.inputs import BY
from tests.regulations.support.kits import KITS
from tests.regulations.support.running import decoded
from tests.soak.corrections.fresh import DUE, Dealt, Incomparable, Misfit, Script, finish
from tests.soak.corrections.past import CutCardOut, Done, Heard, Item, Left, owner_of
from tests.soak.corrections.said import Said
from tests.soak.corrections.standing import compare
from tests.soak.corrections.tables import TABLES

ROUNDS: Final = 2
"""Of one table, at most: a script that shows a fault stays short."""
SAYS_VOID: Final = ("OpenIrregularity.cannot_be_corrected",)
"""What a refused correction changes: `void` becomes a way out."""
NEAR: Final = 5
"""So few cards before the cut card none is inserted: it would have come before."""
NEAR_THE_CUT_CARD: Final = 16
"""One table in so many begins where the cut card is about to come."""


class _Over(Exception):  # noqa: N818  the table is left as it is
    """Nothing more is played at this table."""


class Play:
    """One table.

    Args:
        game: its game.
        random: all chance.
        tally: what is counted.
    """

    def __init__(self, game: str, random: Random, tally: Counter[str]) -> None:
        self.game: Final = game
        self.random: Final = random
        self.tally: Final = tally
        self.tables: Final = TABLES[game]
        chosen = random.choice(self.tables.profiles)
        profile = decoded(chosen)
        assert isinstance(profile, Table)
        self.profile: Final = profile
        self.live: Final = Heard(profile)
        self.past: list[AnyInput] = []
        self.out: Counter[str] = Counter()
        self.depth: int | None = None
        self.cut_card_out = False
        near = random.randrange(NEAR_THE_CUT_CARD if game != "baccarat" else 5 * NEAR_THE_CUT_CARD) == 0
        self.near: Final = near and self.tables.depth is not None and profile.equipment == "shoe"
        self._prepare(chosen, near=self.near)
        self.live.books.clear()
        self._new_round()

    def _prepare(self, chosen: dict[str, object], *, near: bool) -> None:
        for given in KITS[self.game].preludes["to_the_cut_card" if near and self.game == "baccarat" else "ready"](chosen):
            event = decoded(given)
            if isinstance(event, CutCardPlaced):
                size = 52 * self.profile.decks
                if near and self.tables.depth is not None and self.game != "baccarat":
                    event = CutCardPlaced(behind=self.random.randint(*self.tables.depth))
                self.depth = size - event.behind
            self.live.give(event)
            if isinstance(event, CardDrawn) and event.card is not None:
                self.out[event.card] += 1
        if near and self.depth is not None and self.game != "baccarat":
            while self.live.out_total < self.depth - self.random.randint(1, 9):
                self.live.give(CardDrawn(card=self.draw()))  # type: ignore[arg-type]
                self.live.give(Resolve(irregularity=self._number, action="burn", by=[BY[0]]))

    def _new_round(self) -> None:
        self.order: list[Item] = []
        self.opening: BetsClosed | None = None
        self.queue: list[Left] = []
        self.seen: set[str] = set()
        self.blocked: set[Left] = set()
        self.corrected = False
        self.decided = False
        self.before = len(self.live.given)

    # --- helpers -----------------------------------------------------------------------------------------------------

    @property
    def _number(self) -> int:
        number = self.live.prompt.irregularity
        assert number is not UNSET
        return number

    @property
    def cards(self) -> list[Left]:
        return [one for one in self.order if isinstance(one, Left)]

    def chance(self, one_in: int) -> bool:
        return self.random.randrange(one_in) == 0

    def draw(self) -> str:
        """A card of which a copy is left, as far as anybody knows."""
        left = [card for card in DECK if self.out[card] < self.profile.decks]
        if not left:
            raise _Over
        often = [card for card in left if card[0] in self.tables.often]
        card = self.random.choice(often if often and not self.chance(3) else left)
        self.out[card] += 1
        return card

    # --- a round -----------------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Plays some rounds."""
        try:
            for _ in range(1 if self.near else self.random.randint(1, ROUNDS)):
                self.tally["rounds"] += 1
                while not self._step():
                    pass
        except _Over:
            pass

    def _step(self) -> bool:
        """One input; whether the round is closed."""
        prompt = self.live.prompt
        if prompt.do == "resolve":
            self._resolve(prompt)
        elif prompt.do in ("close_bets", "nothing", "shuffle", "load", "return_cards"):
            self._between(prompt)
        elif self._cut_card_comes():
            pass
        elif self.cards and self.chance(14 if self.decided else 22):
            self._misdeal()
        elif prompt.do in DUE:
            self._draw(prompt)
        elif self.order and self.chance(25):
            self._report(Left(card=self.draw()))
        elif prompt.do == "reveal":
            self._reveal(Revealed(who=prompt.to, seat=prompt.seat, hand=prompt.hand))  # type: ignore[arg-type]
        elif prompt.do == "decide":
            self._decide(prompt)
        else:
            return self._close()
        return False

    def _between(self, prompt: Next) -> None:
        if prompt.do != "close_bets":
            raise _Over
        self._bets()

    def _bets(self) -> None:
        put = self.random.choice(self.tables.bets)
        carried = self.live.procedure._round.standing()  # noqa: SLF001  who is dealt again
        seats = {seat for seat, *_ in put} | {one.seat for one in getattr(carried, "carried", ())}
        wagers = [Wager(seat=seat, bet=bet, stake=stake, id=one) for seat, bet, stake, one in put]  # type: ignore[arg-type]
        event = BetsClosed(seats=sorted(seats), wagers=wagers)
        self.live.give(event)
        if self.live.refusal is not None:
            raise _Over
        self.opening = event
        if seats - {seat for seat, *_ in put} or getattr(carried, "carried", ()):
            self.seen.add("carried")
        self.live.know_held([one for one in self.cards if one.from_before])

    def _cut_card_comes(self) -> bool:
        if self.cut_card_out or self.depth is None or self.live.out_total < self.depth:
            return False
        if self.live.out_total > self.depth:
            raise _Over
        self.live.give(CutCard())
        self.order.append(CutCardOut())
        self.cut_card_out = True
        self.seen.add("cut_cards")
        return True

    def _draw(self, prompt: Next) -> None:
        if not self.order and self.game == "baccarat" and self.opening is None and self.chance(2):
            self._bets_of_baccarat()
            return
        away = self.depth is None or self.cut_card_out or self.depth - self.live.out_total > 4
        what = self.random.randrange(60)
        if what == 0 and away and self.order and self.game != "q_poker":
            self._gap()
        elif what < 3 and away and self.order:
            self._packet()
        else:
            face_up = self.game in {"baccarat", "three_card_baccarat"} and self.chance(30)
            self._report(Left(card=self.draw(), face_up=face_up))

    def _bets_of_baccarat(self) -> None:
        put = self.random.choice(self.tables.bets[1:])
        wagers = [Wager(seat=seat, bet=bet, stake=stake, id=one) for seat, bet, stake, one in put]  # type: ignore[arg-type]
        event = BetsClosed(seats=sorted({seat for seat, *_ in put}), wagers=wagers)
        self.live.give(event)
        if self.live.refusal is not None:
            # Stakes are held after a tie: the first card lets them stand.
            self._report(Left(card=self.draw()))
            return
        self.opening = event
        self.live.know_held([one for one in self.cards if one.from_before])

    def _report(self, left: Left, event: CardDrawn | None = None) -> None:
        """A card leaves."""
        self.order.append(left)
        self.live.deal(left, event)
        self.live.know_held([one for one in self.cards if one.from_before])
        self._heard([left])

    def _heard(self, cards: list[Left]) -> None:
        """What became of cards that left."""
        answer = self.live.answer
        for output in answer:
            if isinstance(output, Irregularity):
                if output.code not in {"card_not_due", "unread_card", "count_gap"}:
                    raise _Over
                for left in cards:
                    left.fate, left.was_irregular = "waits", not self.decided
                self.queue += cards
        if any(isinstance(output, Burned) for output in answer):
            for left in cards:
                left.by_rule = left.fate == "counts"
        self._note_result()

    def _note_result(self) -> None:
        self.decided = self.live.books.result is not None

    def _gap(self) -> None:
        """The device counted a card that nobody reported."""
        told, untold = Left(card=self.draw()), Left(card=self.draw())
        counted = self.live.procedure._desk.stack.counted  # noqa: SLF001  as its device counts
        self.order += [untold, told]
        self.live.deal(told, CardDrawn(card=told.card, count=counted + 2))  # type: ignore[arg-type]
        self.live.give(
            Resolve(irregularity=self._number, action="identify", by=list(BY), cards=[untold.card])  # type: ignore[list-item]
        )
        assert self.live.refusal is None, self.live.refusal
        self.live.know(self.cards)
        self.seen.add("gaps")
        self._sort_out()

    def _packet(self) -> None:
        """Two cards in one message; one of them may be unread, and the other waits for it."""
        number = 1 + len(self.live.given)
        unread = self.random.randrange(3)
        packet = [Left(card=self.draw()) for _ in range(2)]
        for at, left in enumerate(packet):
            self.order.append(left)
            card = None if at == unread else left.card
            self.live.deal(left, CardDrawn(card=card, device="shoe", boot=1, number=number))  # type: ignore[arg-type]
        if unread < len(packet):
            name = packet[unread].card
            if "identify" not in (self.live.prompt.actions or ()):
                raise _Over
            self.live.give(Resolve(irregularity=self._number, action="identify", by=list(BY), card=name))  # type: ignore[arg-type]
            if self.live.refusal is not None:
                raise _Over
        self.seen.add("packets")
        self._sort_out()

    def _sort_out(self) -> None:
        """Which of the round's cards have a place, and which wait, after several came at once."""
        came_out = self.live.procedure._desk.record.came_out  # noqa: SLF001  compared from within
        for left, drawn in zip(self.cards, came_out, strict=True):
            if drawn.waits and left.fate == "counts":
                left.fate, left.was_irregular = "waits", not self.decided
                self.queue.append(left)
            elif drawn.place is not None and drawn.place.to == "burn" and left.fate == "counts":
                left.by_rule = True
        self._note_result()

    def _reveal(self, event: Revealed) -> None:
        hand = self.live.hidden(owner_of(event))
        self.live.give(event)
        if self.live.refusal is None:
            self.order.append(Done(event=event, hand=hand))
            self.seen.add("hidden")
        self._note_result()

    def _decide(self, prompt: Next) -> None:
        assert isinstance(prompt.seat, int)
        seat, hand = prompt.seat, prompt.hand or 1
        owner = Owner("seat", seat, hand)
        if self.game == "blackjack" and self.chance(4) and self.live.hidden(owner):
            self._reveal(Revealed(who="seat", seat=seat, hand=hand))
            return
        actions = list(prompt.actions or ())
        rare = [one for one in actions if one in {"split", "challenge", "insurance", "play"}]
        action = self.random.choice(rare if rare and not self.chance(3) else actions)
        bettor = prompt.id or 1
        fields: dict[str, int] = {}
        if action == "insurance":
            assert self.opening is not None
            fields["amount"] = sum(
                one.stake for one in self.opening.wagers if (one.seat, one.bet, one.id) == (seat, "main", bettor)
            ) // 2
        if action == "split" and self.chance(2):
            fields["any_pair"] = 5
        event = Decision(seat=seat, hand=hand, id=bettor, action=action, **fields)  # type: ignore[arg-type]
        met, bank = self.live.hand(owner), self.live.bank()
        self.live.give(event)
        if self.live.refusal is None:
            self.order.append(Done(event=event, hand=met, bank=bank))
            if action == "split":
                self.seen.add("splits")
        self._note_result()

    # --- what goes wrong ---------------------------------------------------------------------------------------------

    def _resolve(self, prompt: Next) -> None:
        """An undue card."""
        actions = list(prompt.actions or ())
        ways = [one for one in ("next_round", "accept") if one in actions and not self.chance(3)]
        way = ways[0] if ways else "burn"
        if way not in actions or not self.queue:
            raise _Over
        left = self.queue.pop(0)
        if left in self.blocked and way != "burn":
            # It is due by now, and set aside all the same until the next correction: no table is led there otherwise.
            raise _Over
        self.live.give(Resolve(irregularity=self._number, action=way, by=[BY[0]]))  # type: ignore[arg-type]
        assert self.live.refusal is None, f"{way} was offered: {self.live.refusal}"
        self.seen.add({"next_round": "held", "accept": "accepted", "burn": "burned"}[way])
        left.fate = {"next_round": "held", "accept": "accepted", "burn": "burned"}[way]  # type: ignore[assignment]
        self._note_result()
        if self.live.prompt.do != "resolve" and self.corrected:
            self._compare()

    def _misdeal(self) -> None:
        self.live.give(Misdeal(detail="the cards lie wrong"))
        if "reassign" not in (self.live.prompt.actions or ()):
            raise _Over
        number = self._number
        if self.chance(8) and self.game != "q_poker":
            # A card comes while the misdeal is open: it waits for an irregularity of its own.
            blocked = Left(card=self.draw())
            self.blocked.add(blocked)
            self._report(blocked)
        for _ in range(4):
            if self._correct(number):
                break
        else:
            self._close_misdeal(number)
            self._compare()

    def _close_misdeal(self, number: int) -> None:
        if "reassign" not in (self.live.prompt.actions or ()):
            raise _Over
        self.live.give(Resolve(irregularity=number, action="reassign", by=list(BY), cards=[]))
        if self.live.refusal is not None:
            raise _Over

    def _correct(self, number: int) -> bool:
        """Two persons say something of the round's cards; whether it was taken."""
        said = self._strike() if self.chance(2) or self.game == "q_poker" else self._name()
        entries = list(said.entries)
        if self.chance(12):
            entries.append(self.random.choice((Amendment(index=99, to="burn"), Amendment(index=1, to="banker"))))
        were_open = {left for hand in self.live.layout().values() for left, is_open in hand if is_open}
        burned, before = self.live.books.burned, fingerprint(self.live.procedure, SAYS_VOID)
        self.live.give(
            Resolve(irregularity=number, action=said.action, by=list(BY), cards=entries, ground=said.ground)
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
        if not isinstance(expected, Dealt) or (self.opening is None and not expected.fates):
            raise _Over
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

    def _stay_open(self, were_open: set[Left], dealt: Dealt) -> bool:
        """A card that lay open stays so at its new place: a fresh table is dealt it face up. Whether there is any."""
        fresh = {left for hand in dealt.table.layout().values() for left, is_open in hand if not is_open}
        for left in were_open & fresh:
            if self.game == "blackjack":
                self.tally["apart"] += 1
                raise _Over
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
            self.order.remove(done)
        self.queue += dealt.over
        self.live.know(self.cards)
        self._note_result()

    def _expected(self, order: list[Item]) -> Dealt | Incomparable | None:
        """What a fresh table says of the corrected order; ``None``: a decision no longer fits."""
        try:
            return self._script(order).deal()
        except Misfit:
            return None
        except Incomparable as why:
            return why

    def _strike(self) -> Said:
        """Some cards that do not count."""
        cards = self.cards
        free = [at for at, left in enumerate(cards, start=1) if left.fate != "waits" and not left.from_before]
        if self.game == "q_poker":
            free = free[-1:]
        said = Said(action="reassign", order=self.order, ground=self.random.choice(("foreign", "damaged", "undue")))
        for at in self.random.sample(free, min(len(free), 1 + self.chance(4))):
            said.strike(at, cards[at - 1])
        return said

    def _name(self) -> Said:
        """Cards that are named anew, were never told, or never left."""
        said, cards = Said(action="identify", order=self.order), self.cards
        near = self.depth is not None and not self.cut_card_out and self.depth - self.live.out_total < NEAR
        for at in self.random.sample(range(len(cards) + 1), min(len(cards), 1 + self.chance(4))):
            left = cards[at - 1] if at else None
            what = self.random.randrange(3)
            if what == 0 and not near:
                said.insert(at, left, Left(card=self.draw()))
            elif left is not None and left.fate != "waits" and not left.from_before:
                if what == 1 and not near:
                    said.unsay(at, left)
                else:
                    said.rename(at, left, self.draw())
        return said

    # --- the comparison ----------------------------------------------------------------------------------------------

    def _script(self, order: list[Item]) -> Script:
        before = self.past if self.past else self.live.given[: self.before]
        return Script(profile=self.profile, before=before, opening=self.opening, order=order)

    def _compare(self) -> Dealt | None:
        """The table is what a fresh one is that was dealt the corrected order."""
        if self.live.prompt.do == "resolve":
            return None
        expected = self._expected(self.order)
        if isinstance(expected, Incomparable):
            self.tally["apart"] += 1
            self.tally[f"apart: {expected}"[:60]] += 1
            raise _Over
        assert expected is not None, "a decision of the round does not fit the cards that count"
        assert not expected.over, f"{len(expected.over)} cards have no place"
        self.tally["compared"] += 1
        compare(self.live, expected)
        return expected

    def _close(self) -> bool:
        if self.live.prompt.do != "close_round" or "voided" in self.seen:
            raise _Over
        anew = self.corrected or bool(self.past)
        expected = self._compare() if anew or self.chance(8) else None
        self.live.give(RoundClosed())
        assert self.live.refusal is None, self.live.refusal
        if any(isinstance(output, ShoeOver) for output in self.live.answer):
            self._count()
            raise _Over
        if expected is not None and anew:
            try:
                finish(expected)
            except Incomparable:
                self._count()
                raise _Over from None
            expected.table.give(RoundClosed())
            self.past = expected.table.given
        self._count()
        held = [left for left in self.cards if left.fate == "held"]
        if self.live.prompt.do == "return_cards":
            event = CardsReturned(cards=self.live.out_total - len(held))
            self.live.give(event)
            assert self.live.refusal is None, self.live.refusal
            self.out = Counter(left.card for left in held)
            if self.past:
                self.past = [*self.past, event]
        self._new_round()
        self.order += [Left(card=left.card, from_before=True, face_up=left.face_up) for left in held]
        return True

    def _count(self) -> None:
        if self.corrected:
            for kind in self.seen:
                self.tally[kind] += 1

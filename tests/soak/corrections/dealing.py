"""A table that is dealt at random: what the prompts ask for, and cards that come otherwise."""

from abc import ABC, abstractmethod
from collections import Counter
from random import Random
from typing import Final

from msgspec import UNSET

from regulations.events.cards import DECK
from regulations.events.inputs import (
    AnyInput,
    BetsClosed,
    CardDrawn,
    CutCard,
    CutCardPlaced,
    Decision,
    Resolve,
    Revealed,
    Table,
    Wager,
)
from regulations.events.outputs import Next
from regulations.play.context.drawn_card import BURN_PLACE, CardOwner
from tests.regulations.support.games.baccarat import near_the_cut_card
from tests.regulations.support.inputs import BY
from tests.regulations.support.kits import KITS
from tests.regulations.support.profiles import Json
from tests.regulations.support.running import decoded
from tests.soak.corrections.past import CutCardOut, Done, Fate, Heard, Item, Left, owner_of
from tests.soak.corrections.tables import TABLES

NEAR_THE_CUT_CARD: Final = {"baccarat": 4, "blackjack": 8, "casino_war": 2, "three_card_baccarat": 12}
"""By game: one table in so many begins where the cut card is about to come."""


FAR: Final = 12
"""So many cards before the cut card several may leave at once: else they would come before it."""
NAMED_FATE: Final[dict[str, Fate]] = {"counts": "counts", "burned": "burned", "held": "held", "accepted": "accepted"}


class Over(Exception):
    """Nothing more is played at this table."""


class Dealing(ABC):
    """One table."""

    def __init__(self, game: str, random: Random, tally: Counter[str]) -> None:
        self.game: Final = game
        self.random: Final = random
        self.tally: Final = tally
        self.tables: Final = TABLES[game]
        chosen = random.choice(self.tables.profiles)
        profile = decoded(chosen)
        assert isinstance(profile, Table)
        self.profile: Final = profile
        self.live: Final = Heard(profile, tally)
        self.past: list[AnyInput] = []
        self.out: Counter[str] = Counter()
        self.depth: int | None = None
        self.cut_card_out = False
        near = random.randrange(NEAR_THE_CUT_CARD.get(game, 1)) == 0
        self.near: Final = near and self.tables.depth is not None and profile.equipment == "shoe"
        self._prepare(chosen)
        self.live.books.clear()
        self._new_round()

    def _prepare(self, chosen: Json) -> None:
        near, short = self.near, self.random.randint(0, 9)
        by_gap = near and self.game == "baccarat"
        for given in near_the_cut_card(chosen, short) if by_gap else KITS[self.game].preludes["ready"](chosen):
            event = decoded(given)
            if isinstance(event, CutCardPlaced):
                if near and not by_gap and self.tables.depth is not None:
                    event = CutCardPlaced(behind=self.random.randint(*self.tables.depth))
                self.depth = 52 * self.profile.decks - event.behind
            self.live.give(event)
            if isinstance(event, CardDrawn) and event.card is not None:
                self.out[event.card] += 1
        while near and not by_gap and self.depth is not None and self.live.out_total < self.depth - short:
            self.live.give(CardDrawn(card=self.draw()))  # type: ignore[arg-type]  # words of the table log
            self.live.give(Resolve(irregularity=self._number, action="burn", by=[BY[0]]))

    def _new_round(self) -> None:
        self.order: list[Item] = []
        self.opening: BetsClosed | None = None
        self.seen: set[str] = set()
        self.corrected = False
        self.decided = False
        self.unread_before = False
        self.before = len(self.live.given)

    @abstractmethod
    def _trouble(self) -> None:
        """Several things go wrong one after the other."""

    @abstractmethod
    def _compare_now(self) -> None:
        """Compares the table with a fresh one."""

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
            raise Over
        often = [card for card in left if card[0] in self.tables.often]
        card = self.random.choice(often if often and not self.chance(3) else left)
        self.out[card] += 1
        return card

    # --- a round -----------------------------------------------------------------------------------------------------

    def _between(self, prompt: Next) -> None:
        if prompt.do != "close_bets":
            raise Over
        self._bets()

    def _bets(self) -> None:
        put = self.random.choice(self.tables.bets)
        snapshot = self.live.procedure._round.snapshot()  # noqa: SLF001  who is dealt again
        carried = {one.seat for one in getattr(snapshot, "carried", [])}
        seats = {seat for seat, *_ in put} | carried
        wagers = [Wager(seat=seat, bet=bet, stake=stake, id=one) for seat, bet, stake, one in put]
        event = BetsClosed(seats=sorted(seats), wagers=wagers)
        self.live.give(event)
        if self.live.refusal is not None:
            raise Over
        self.opening = event
        if carried:
            self.seen.add("carried")
        self.live.know_held([one for one in self.cards if one.from_before])

    def _cut_card_comes(self) -> bool:
        if self.cut_card_out or self.depth is None or self.live.out_total < self.depth:
            return False
        if self.live.out_total > self.depth:
            raise Over
        self.live.give(CutCard())
        self.order.append(CutCardOut())
        self.cut_card_out = True
        self.seen.add("cut_cards")
        return True

    def _draw(self) -> None:
        if not self.order and self.game == "baccarat" and self.opening is None and self.chance(2):
            self._bets_of_baccarat()
            return
        away = self.depth is None or self.cut_card_out or self.depth - self.live.out_total > FAR
        if self.chance(12) and (away or self.chance(4)):
            self._trouble()
        else:
            face_up = self.game in {"baccarat", "three_card_baccarat"} and self.chance(30)
            self._report(Left(card=self.draw(), face_up=face_up))

    def _bets_of_baccarat(self) -> None:
        put = self.random.choice(self.tables.bets[1:])
        wagers = [Wager(seat=seat, bet=bet, stake=stake, id=one) for seat, bet, stake, one in put]
        event = BetsClosed(seats=sorted({seat for seat, *_ in put}), wagers=wagers)
        self.live.give(event)
        if self.live.refusal is not None:
            # Stakes are held after a tie: the first card lets them stand.
            self._report(Left(card=self.draw()))
            return
        self.opening = event
        self.live.know_held([one for one in self.cards if one.from_before])

    def _report(self, left: Left) -> None:
        self.order.append(left)
        self.live.deal(left)
        self._sort_out()

    def _note_result(self) -> None:
        self.decided = self.live.books.result is not None

    def _sort_out(self) -> None:
        came_out = self.live.procedure._context.scope.record.came_out  # noqa: SLF001  compared from within
        before, own = [one for one in self.cards if one.from_before], [one for one in self.cards if not one.from_before]
        cards = before[: sum(one.was_held for one in came_out)] + own
        if len(cards) != len(came_out):
            # One left before this round was open.
            raise Over
        self.live.know(cards)
        for left, drawn in zip(cards, came_out, strict=True):
            if left.fate in ("held", "accepted", "burned"):
                continue
            left.was_irregular = drawn.was_irregular
            left.fate = "waits" if drawn.waits else NAMED_FATE[drawn.status]
            left.was_due = drawn.held_though_due
            left.was_blocked = drawn.left_blocked
            left.by_rule = left.fate == "counts" and drawn.place == BURN_PLACE
            if left.fate == "held":
                self.tally["held"] += 1
            elif left.fate == "accepted":
                self.seen.add(left.fate)
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
        if "hit" in (prompt.actions or ()) and self.chance(3):
            # Where the table takes it so, the card itself is the hit (reading J30).
            self._report(Left(card=self.draw()))
            return
        seat, hand = prompt.seat, prompt.hand or 1
        owner = CardOwner("seat", seat, hand)
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
            fields["amount"] = (
                sum(
                    one.stake or 0
                    for one in self.opening.wagers
                    if (one.seat, one.bet, one.id) == (seat, "main", bettor)
                )
                // 2
            )
        if action == "split" and self.chance(2):
            fields["any_pair"] = 5
        event = Decision(seat=seat, hand=hand, id=bettor, action=action, **fields)  # type: ignore[arg-type]  # words of the table log
        met, bank = self.live.hand(owner), self.live.bank()
        self.live.give(event)
        if self.live.refusal is None:
            self.order.append(Done(event=event, hand=met, bank=bank))
            if action == "split":
                self.seen.add("splits")
        self._note_result()

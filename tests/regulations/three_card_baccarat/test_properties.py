"""Properties of any three-card baccarat table, whatever is done to it: figures come often, wagers are carried."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import pytest
from hypothesis.stateful import rule

from tests.regulations.support.books import Book, Cards, Key, Money, assert_wins, key_of, named_in
from tests.regulations.support.evaluators import three_card_baccarat as second
from tests.regulations.support.games.three_card_baccarat import THREE_CARD_BACCARAT
from tests.regulations.support.profiles import Json, profile
from tests.regulations.support.property_machine import NUMBERS, PropertyTable, closing, examples
from tests.regulations.support.walks.three_card_baccarat import WALK

PROFILES: Final = (
    profile(game="three_card_baccarat", decks=2),
    profile(game="three_card_baccarat", decks=2, deal="three_at_a_time", three_figures_win_zero_points=True),
    profile(game="three_card_baccarat", decks=1, equipment="box"),
    profile(game="three_card_baccarat", decks=1, equipment="box", deal="three_at_a_time"),
)
BETS: Final = (
    ((1, "main", 101, 1), (1, "tie", 7, 1)),
    ((2, "odd", 33, 1), (2, "even", 10, 1), (5, "main", 50, 1), (5, "main", 30, 2), (5, "three_figures", 3, 2)),
    ((1, "main", 10, 1), (1, "points_0", 1, 1), (1, "points_3", 1, 2), (1, "tie", 5, 2), (3, "even", 31, 1)),
)
"""Seat, bet, stake, bettor."""


class ThreeCardMoney(Money):
    """A wager may be carried too; each wins what a second judge says, and nothing is lost or made."""

    def __init__(self, table: Json) -> None:
        super().__init__()
        self._zero = bool(table["options"].get("three_figures_win_zero_points"))
        self._locked: Counter[Key] = Counter()
        """The part of it that was carried into the open round."""
        self._is_closing = False
        self._put = self._gone = 0

    @property
    def seats(self) -> list[int]:
        """Where something lies on the table."""
        return sorted({seat for seat, _, _, _ in self.lying})

    def apply(self, given: Json, outputs: Sequence[Json]) -> None:
        self._is_closing = given["event"] == "closed"
        super().apply(given, outputs)
        assert self._put == self._gone + self.lying.total()

    def put(self, wagers: Sequence[Json]) -> None:
        self._locked, self.is_void = self.lying.copy(), False
        for wager in wagers:
            self.lying[key_of(wager)] += wager["stake"]
            self._put += wager["stake"]

    def take_back(self) -> None:
        self._put -= (self.lying - self._locked).total()
        self.lying = self._locked.copy()

    def judge_result(self) -> None:
        banker, seats = self.result["banker"], self.result["seats"]
        for hand in (banker, *seats):
            assert hand["combination"] == second.combination(hand["cards"])
        assert banker["points"] == second.points(banker["cards"])
        for seat in seats:
            assert seat["outcome"] == second.seat_outcome(seat["cards"], banker["cards"])
        assert [seat["seat"] for seat in seats] == self.seats

    def settle(self, wager: Json) -> None:
        stake = wager["stake"]
        assert key_of(wager) not in {key_of(one) for one in self.settled}
        assert stake == self.lying[key_of(wager)]
        cards = next(seat["cards"] for seat in self.result["seats"] if seat["seat"] == wager["seat"])
        banker = self.result["banker"]["cards"]
        exact = second.net(wager["bet"], banker, cards, stake=stake, three_figures_win_zero_points=self._zero)
        assert ("carried" in wager) == (exact == second.CARRIED)
        self.settled.append(wager)
        if isinstance(exact, str):
            assert wager["net"] == 0
            return
        assert_wins(wager, exact)
        self._gone += stake
        del self.lying[key_of(wager)]

    def reverse(self, wagers: Sequence[Json]) -> None:
        assert wagers == self.settled
        self._gone -= sum(wager["stake"] for wager in wagers if "carried" not in wager)
        super().reverse(wagers)

    def void(self, returned: dict[Key, int]) -> None:
        stays = Counter[Key]() if self._is_closing else self._locked
        assert not self.settled or self._is_closing
        assert returned == self.lying - stays
        self._gone += (self.lying - stays).total()
        self.lying = stays.copy()

    def close(self) -> None:
        carried = {key_of(wager) for wager in self.settled if "carried" in wager}
        # A shoe game that ends between two rounds finds what was carried before, as it was.
        untouched = not self.settled and self.lying == self._locked
        assert self.is_void or carried == set(self.lying) or untouched
        self.settled, self.result, self.is_void = [], {}, False
        self._locked = self.lying.copy()


class ThreeCardCards(Cards):
    """A card that a person named may be named; of two copies nobody can tell which one it is."""

    def opened_by(self, given: Json, *, taken: bool) -> Iterable[str]:
        named = given["event"] == "resolve" and taken
        return named_in(given) if named else super().opened_by(given, taken=taken)

    def may_be_named(self, card: str, given: Json) -> bool:
        del given
        return self.out.count(card) > 1


class ThreeCardTable(PropertyTable):
    kit, walk, profiles, rounds, behind = THREE_CARD_BACCARAT, WALK, PROFILES, BETS, range(30, 41)
    often = "JQK"
    money: ThreeCardMoney

    def make_books(self) -> Sequence[Book]:
        self.money, self.cards = ThreeCardMoney(self.table), ThreeCardCards(self.table)
        return self.cards, self.money

    @rule(number=NUMBERS)
    def deal_on(self, number: int) -> None:
        """A whole round, as far as it goes by itself."""
        for step in range(40):
            if self.prompt["do"] not in {"draw", "burn", "reveal"}:
                break
            self.follow_the_prompt(number + step)

    def drawable(self) -> list[str]:
        """Those of which no copy is out, if there are any: the books can tell them apart."""
        left = super().drawable()
        return [card for card in left if card not in self.cards.out] or left

    def bets(self, number: int) -> Json:
        lie = self.money.seats
        return closing(BETS[number % len(BETS)] if number % 4 or not lie else (), lie)

    def may_be_tried(self, given: Json) -> bool:
        return super().may_be_tried(given) and not given.keys() & {"cards", "unseen"}

    def report(self, number: int) -> Json | None:
        decided = self.prompt["do"] == "close_round" and 1 < number % 7 < 5
        return {"event": "misdeal", "detail": "two cards were exchanged"} if decided else super().report(number)

    def correction(self, number: int) -> Json:
        return {**super().correction(number), "cards": [{"index": 1 + number % 9, "to": "burn"}] if number % 5 else []}


ThreeCardTable.TestCase.settings = examples(tables=42, steps=40)
TestThreeCardTable = pytest.mark.statistical(ThreeCardTable.TestCase)


@pytest.mark.law
def test_the_books_notice_wagers_settled_otherwise() -> None:
    """Once and for its net is right; never, twice, for another net, or carried is wrong."""
    wager = {"seat": 1, "bet": "main", "stake": 10, "id": 1}
    banker = {"cards": ["2S", "2H", "2D"], "combination": 13, "points": 6}
    seat = {"seat": 1, "cards": ["9S", "KS", "QS"], "combination": 2, "outcome": "win"}
    result: Json = {"event": "result", "banker": banker, "seats": [seat]}
    won: Json = {**wager, "net": 10, "residue": "-1/2"}
    step = {"event": "next"}

    def settles(*wagers: Json) -> None:
        books = ThreeCardMoney(PROFILES[0])
        books.apply({"event": "bets_closed", "wagers": [wager]}, [step])
        books.apply({"event": "revealed"}, [result, *({"event": "settled", "wagers": [one]} for one in wagers)])
        books.apply({"event": "round_closed"}, [step])

    settles(won)
    for wrong in ([], [won, won], [{**won, "net": 9}], [{**wager, "net": 0, "carried": True}]):
        with pytest.raises(AssertionError):
            settles(*wrong)

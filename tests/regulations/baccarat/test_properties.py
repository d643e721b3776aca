"""Properties of any baccarat table, whatever is done to it, and of any profile."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regulations.events.cards import DECK
from regulations.events.errors import RegulationsError
from tests.regulations.support.books import Book, Cards, Key, Money, assert_wins, key_of, named_in
from tests.regulations.support.games.baccarat import BACCARAT
from tests.regulations.support.profiles import Json, profile
from tests.regulations.support.property_machine import PropertyTable, closing, examples
from tests.regulations.support.running import opened, shown
from tests.regulations.support.walks.baccarat import WALK

PROFILES: Final = (
    profile(decks=6),
    profile(decks=6, deal="face_down"),
    profile(decks=6, deal="face_down", banker_win="half_on_six", overdrawn_card="next_round"),
    profile(decks=6, round_burn=True, after_cut_card="one_more"),
    profile(decks=6, initial_burn="first_card_value", demonstration_rounds=2),
    profile(decks=6, equipment="shuffler_dealer", overdrawn_card="next_round"),
    profile(decks=6, deal="face_down", cut_card_behind=26, after_cut_card="one_more"),
)
ROUNDS: Final = (
    ((1, "banker", 10, 1),),
    ((1, "player", 25, 1), (1, "banker", 30, 2), (3, "tie", 7, 1)),
    ((2, "player_pair", 5, 1), (2, "banker_pair", 5, 1), (7, "banker", 1, 1)),
)
"""Seat, bet, stake, bettor."""
ODDS: Final = {
    ("player", "player"): Fraction(1),
    ("player", "banker"): Fraction(-1),
    ("player", "tie"): Fraction(0),
    ("banker", "player"): Fraction(-1),
    ("banker", "tie"): Fraction(0),
    ("tie", "tie"): Fraction(8),
    ("tie", "player"): Fraction(-1),
    ("tie", "banker"): Fraction(-1),
}
"""Net odds of a wager by the outcome; a banker win and the pairs are judged in :class:`BaccaratMoney`."""


OTHER: Final = {"player": "banker", "banker": "player"}


def _who(given: Json) -> tuple[int, int]:
    return given["seat"], given.get("id", 1)


class BaccaratMoney(Money):
    """Each wager wins what articles 12.º, 17.º and 18.º say of the result that stands, a corrected one too."""

    def __init__(self, table: Json) -> None:
        super().__init__()
        self._half_on_six = table["options"].get("banker_win") == "half_on_six"
        self._held: Counter[Key] = Counter()
        self._round = 0
        self._is_put = False

    def apply(self, given: Json, outputs: Sequence[Json]) -> None:
        super().apply(given, outputs)
        if given["event"] == "bettor_left" and outputs[0]["event"] != "refused":
            self._held = Counter({key: self._held[key] for key in self._held if key[::2] != _who(given)})

    def apply_output(self, output: Json) -> None:
        if output.get("round", 0) > self._round:
            self._round = output["round"]
            # Where the first card closes the bets, what was held after a tie stands as kept (reading B12).
            self.lying += self._held if not self._is_put else Counter()
        super().apply_output(output)

    def put(self, wagers: Sequence[Json]) -> None:
        super().put(wagers)
        self._is_put = True

    def void(self, returned: dict[Key, int]) -> None:
        """New money goes back; what was held before the round still is (reading G3)."""
        held, new = self._held.copy(), Counter[Key]()
        for is_other in (False, True):
            for (seat, bet, bettor, hand), stake in self.lying.items():
                key = (seat, OTHER.get(bet, bet) if is_other else bet, bettor, hand)
                left = new[seat, bet, bettor, hand] if is_other else stake
                part = min(left, held[key])
                held[key] -= part
                new[seat, bet, bettor, hand] = left - part
        self.lying = +new
        super().void(returned)

    def close(self) -> None:
        if self.result:
            kept = [wager for wager in self.settled if wager["bet"] in OTHER and self.result["outcome"] == "tie"]
            self._held = Counter({key_of(wager): wager["stake"] for wager in kept})
        self._is_put = False
        super().close()

    def settle(self, wager: Json) -> None:
        super().settle(wager)
        self._assert_wins(wager)

    def judge(self) -> None:
        # Once more at the end: a correction may leave a settlement as it was told.
        for wager in self.settled:
            self._assert_wins(wager)

    def _assert_wins(self, wager: Json) -> None:
        assert_wins(wager, wager["stake"] * self._odds(wager["bet"]))

    def _odds(self, bet: str) -> Fraction:
        if bet.endswith("_pair"):
            first, second, *_ = self.result["cards"][bet.removesuffix("_pair")]
            return Fraction(11) if first[0] == second[0] else Fraction(-1)
        if (bet, self.result["outcome"]) != ("banker", "banker"):
            return ODDS[bet, self.result["outcome"]]
        if not self._half_on_six:
            return Fraction(19, 20)
        return Fraction(1, 2) if self.result["points"]["banker"] == 6 else Fraction(1)


class BaccaratCards(Cards):
    """A card may be named that was dealt face up, that fixes the initial burn, or that a person named."""

    def __init__(self, table: Json) -> None:
        super().__init__(table)
        self._face_down = table["options"].get("deal") == "face_down"
        self._burns_by_value = table["options"].get("initial_burn") == "first_card_value"
        self._fixes_the_burn = self._burns_by_value

    def unnamed(self) -> int:
        """A card that is one too many is named too: the last."""
        return super().unnamed() if None in self.out else -1

    def opened_by(self, given: Json, *, taken: bool) -> Iterable[str]:
        if given["event"] == "loaded":
            self._fixes_the_burn = self._burns_by_value
        return super().opened_by(given, taken=taken) if given["event"] == "card" else named_in(given)

    def opened_in(self, given: Json, output: Json) -> Iterable[str]:
        if output["event"] == "dealt" and not self._face_down:
            assert output["card"] is not None
            return [output["card"]]
        if output["event"] == "burned" and output["why"] == "initial":
            fixes, self._fixes_the_burn = self._fixes_the_burn, False
            return [output["card"]] if fixes else []
        return super().opened_in(given, output)

    def count(self, over: Json) -> None:
        """Not compared: this table is also told of counts that no stack has."""

    def may_be_named(self, card: str, given: Json) -> bool:
        del given
        return self.out.count(card) > 1


class BaccaratTable(PropertyTable):
    kit, walk, profiles, rounds, behind = BACCARAT, WALK, PROFILES, ROUNDS, (26,)
    strange, reports = 1, (36, 9, 18)

    def make_books(self) -> Sequence[Book]:
        self.money, self.cards = BaccaratMoney(self.table), BaccaratCards(self.table)
        return self.money, self.cards

    def prelude(self, *, near_the_end: bool) -> str:
        del near_the_end
        return "to_the_cut_card" if self.table["options"].get("cut_card_behind") == 26 else "ready"

    def acts(self, number: int) -> dict[str, Json]:
        return super().acts(number) | {"return_cards": {"event": "cards_returned", "cards": 4 + number % 3}}

    def may_be_tried(self, given: Json) -> bool:
        del given
        return True

    def draw(self, number: int) -> str:
        """Any card, be it one too many."""
        return DECK[number % 52]

    def next_card(self, number: int) -> Json:
        if "actions" in self.prompt and number % 3:
            return closing(ROUNDS[number % len(ROUNDS)])
        return super().next_card(number)


BaccaratTable.TestCase.settings = examples(tables=90, steps=60)
TestBaccaratTable = pytest.mark.statistical(BaccaratTable.TestCase)


@settings(max_examples=100, derandomize=True, database=None)
@given(
    fields=st.dictionaries(
        st.sampled_from(["decks", "seats", "equipment", "options", "authorisations", "at", "game"]),
        st.recursive(
            st.none() | st.booleans() | st.integers(-3, 20) | st.sampled_from(["shoe", "end", "keep", ""]),
            lambda inner: (
                st.lists(inner, max_size=2)
                | st.dictionaries(st.sampled_from(["deal", "tie_wagers", "round_burn", "x"]), inner, max_size=2)
            ),
            max_leaves=4,
        ),
    )
)
def test_any_profile_is_malformed_refused_or_opens_a_table(fields: dict[str, Any]) -> None:
    try:
        procedure = opened({**profile(), **fields})
    except RegulationsError:
        return
    names = [output["event"] for output in shown(procedure.opening)]
    assert names == (["refused", "next"] if procedure.is_refused else ["next"])


@pytest.mark.law
def test_the_books_notice_another_net() -> None:
    wager = {"seat": 1, "bet": "banker", "stake": 10, "id": 1}
    result: Json = {"event": "result", "outcome": "banker", "points": {"player": 1, "banker": 6}}

    def wins(net: int, residue: str) -> None:
        books = BaccaratMoney(PROFILES[0])
        books.apply({"event": "bets_closed", "wagers": [wager]}, [{"event": "next"}])
        settled = {"event": "settled", "wagers": [{**wager, "net": net, "residue": residue}]}
        books.apply({"event": "card"}, [result, settled])

    wins(10, "-1/2")
    with pytest.raises(AssertionError):
        wins(10, "0")
    with pytest.raises(AssertionError):
        wins(9, "1/2")

"""Properties of any blackjack table, whatever is done to it: pairs, aces and sevens come more often than by chance."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

import pytest

from tests.regulations.support.books import Book, Cards, Money, assert_wins, key_of
from tests.regulations.support.games.blackjack import BLACKJACK
from tests.regulations.support.profiles import Json, profile
from tests.regulations.support.property_machine import PropertyTable, examples
from tests.regulations.support.walks.blackjack import WALK

PROFILES: Final = tuple(
    profile(game="blackjack", **given)
    for given in (
        {"decks": 2, "cut_card_behind": 60, "first_face_up_card_valid": True},
        {"decks": 2, "procedure": "second", "surrender_before": "any_card", "unshown_extra_croupier_card_valid": True},
        {
            "decks": 1,
            "procedure": "second",
            "round_burn": "start_and_before_second_croupier_card",
            "double": "eleven_only",
            "decider": "highest",
            "equipment": "shuffler_dealer",
            "croupier_blackjack_against_double": "loses_original",
        },
        {"decks": 1, "equipment": "box", "unshown_extra_croupier_card_valid": True, "insurance": "half"},
        {"decks": 3, "initial_burn": "one", "round_burn": "start", "resplit_aces": False, "max_split_hands": 5},
    )
)
ROUNDS: Final = (
    ((1, "main", 101, 1),),
    ((1, "main", 25, 1), (1, "any_pair", 3, 1), (1, "sevens", 7, 1), (2, "main", 30, 1), (2, "over_13", 9, 1)),
    ((1, "main", 10, 1), (1, "main", 11, 2), (1, "under_13", 3, 2), (3, "main", 1, 2), (3, "sevens", 5, 3)),
)
ODDS: Final = {
    "win": Fraction(1),
    "lose": Fraction(-1),
    "stand": Fraction(0),
    "blackjack": Fraction(3, 2),
    "bust": Fraction(-1),
    "surrendered": Fraction(-1, 2),
    "half_paid": Fraction(1, 2),
    "even_money": Fraction(1),
    "special": Fraction(3),
}
"""The win of a hand by its outcome; of a double the croupier's blackjack may take the half."""


class BlackjackMoney(Money):
    """Each hand's wagers win what its outcome says."""

    def __init__(self, table: Json) -> None:
        super().__init__()
        self._limited = table["options"].get("croupier_blackjack_against_double") == "loses_original"
        self._doubled: set[tuple[int, int]] = set()

    def put(self, wagers: Sequence[Json]) -> None:
        super().put(wagers)
        self._doubled = set()

    def decided(self, given: Json) -> None:
        seat, hand, bettor = given["seat"], given.get("hand", 1), given.get("id", 1)
        mains = {key: stake for key, stake in self.lying.items() if (key[0], key[1], key[3]) == (seat, "main", hand)}
        if given["action"] == "double":
            self._doubled.add((seat, hand))
            self.lying |= {key: 2 * stake for key, stake in mains.items()}
        if given["action"] == "insurance":
            self.lying[seat, "insurance", bettor, 1] = given["amount"]
        if given["action"] == "split":
            settled = {one["hand"] for one in self.settled if one["seat"] == seat}
            used = {key[3] for key in self.lying if key[0] == seat} | settled
            for key, stake in mains.items():
                self.lying[seat, "main", key[2], max(used) + 1] = stake
            if "any_pair" in given:
                known = [*self.lying, *map(key_of, self.settled)]
                number = 1 + sum(key[1].startswith("any_pair ") and key[::3] == (seat, hand) for key in known)
                self.lying[seat, f"any_pair {number}", bettor, hand] = given["any_pair"]

    def judge(self) -> None:
        natural = self.result["croupier"]["blackjack"]
        hands = {(hand["seat"], hand["hand"]): hand for hand in self.result["hands"]}
        for wager in self.settled:
            place = wager["seat"], wager["hand"]
            if wager["bet"] == "main":
                alone = {one["id"]: one["outcome"] for one in hands[place].get("bettors", ())}
                outcome = alone.get(wager["id"], hands[place]["outcome"])
                odds = ODDS[outcome]
                if self._limited and natural and place in self._doubled and outcome == "lose":
                    odds = Fraction(-1, 2)
            elif wager["bet"] == "insurance":
                odds = Fraction(2 if natural else -1)
            else:
                odds = Fraction(wager["net"], wager["stake"])
                assert odds in {Fraction(n) for n in (-1, 1, 11, 50, 150, 500, 5000)}
            assert_wins(wager, odds * wager["stake"])


class BlackjackCards(Cards):
    """A card that is dealt lies open, but the first two of a seat in the first procedure."""

    def __init__(self, table: Json) -> None:
        super().__init__(table)
        self._hides = table["options"].get("procedure", "first") == "first"
        self._split = False

    def opened_by(self, given: Json, *, taken: bool) -> Iterable[str]:
        if taken and given["event"] in {"bets_closed", "decision"}:
            self._split = given.get("action") == "split" or (self._split and given["event"] == "decision")
        return super().opened_by(given, taken=taken)

    def opened_in(self, given: Json, output: Json) -> Iterable[str]:
        if output["event"] != "dealt" or output["card"] is None:
            return super().opened_in(given, output)
        hidden = self._hides and output["to"] == "seat" and output["position"] <= 2 and not self._split
        assert not hidden or output["card"] in self.open, output
        return [output["card"]]


class BlackjackTable(PropertyTable):
    kit, walk, profiles, rounds, behind = BLACKJACK, WALK, PROFILES, ROUNDS, range(30, 39)
    strange, face_up, reports = 8, 41, (36, 9, 18)
    money: BlackjackMoney

    def make_books(self) -> Sequence[Book]:
        self.money, self.cards = BlackjackMoney(self.table), BlackjackCards(self.table)
        return self.money, self.cards

    def draw(self, number: int) -> str:
        often = [card for card in self.drawable() if card[0] == "7A8T"[number % 4]]
        chosen = often if often and number % 3 else self.drawable()
        return chosen[number // 3 % len(chosen)]

    def may_be_tried(self, given: Json) -> bool:
        return super().may_be_tried(given) and not (given["event"] == "revealed" and "cards" in given)

    def decide(self, number: int) -> None:
        """One of the choices that are offered, or what the cards must be shown for; what is offered is taken."""
        prompt = self.prompt
        if number % 5 == 0:
            self.apply({"event": "revealed", "who": "seat", "seat": prompt["seat"], "hand": prompt.get("hand", 1)})
            return
        rare = [action for action in prompt["actions"] if action not in {"hit", "stand", "double", "surrender"}]
        chosen = rare if rare and number % 3 else prompt["actions"]
        action = chosen[number // 5 % len(chosen)]
        given: Json = {"event": "decision", **self.asked_of()}
        if action == "insurance":
            self._insure(given)
            return
        if action == "split" and number % 2:
            given["any_pair"] = 1 + number % 7
        before = self.procedure.states
        self.apply({**given, "action": action})
        if action not in {"hit", "double"} and (self.procedure.states, self.prompt) == (before, prompt):
            # Some hidden cards would allow it: they are shown first (reading J29).
            shows = {"event": "revealed", "who": "seat", "seat": prompt["seat"], "hand": prompt.get("hand", 1)}
            self.apply(shows)
            if (self.procedure.states, self.prompt) == (before, prompt):
                self.apply({**given, "action": action})
            assert (self.procedure.states, self.prompt) != (before, prompt), f"{action} was offered"

    def _insure(self, given: Json) -> None:
        stake = self.money.lying[given["seat"], "main", given["id"], 1]
        for amount in (stake // 2, (stake + 1) // 2, stake):
            self.apply({**given, "action": "insurance", "amount": amount})
            if "insurance" not in self.prompt.get("actions", ()):
                return
        pytest.fail("an insurance was offered and never taken")


BlackjackTable.TestCase.settings = examples(tables=48, steps=50)
TestBlackjackTable = pytest.mark.statistical(BlackjackTable.TestCase)


@pytest.mark.law
def test_the_books_notice_another_net_and_a_seat_s_hidden_card() -> None:
    wager = {"seat": 1, "bet": "main", "stake": 10, "id": 1}
    lost = {"croupier": {"blackjack": False}, "hands": [{"seat": 1, "hand": 1, "outcome": "lose"}]}

    def wins(net: int) -> None:
        books = BlackjackMoney(PROFILES[0])
        books.apply({"event": "bets_closed", "wagers": [wager]}, [{"event": "next"}])
        settled = {"event": "settled", "wagers": [{**wager, "hand": 1, "net": net}]}
        books.apply({"event": "card", "card": "KS"}, [{"event": "result", **lost}, settled])
        books.apply({"event": "round_closed"}, [{"event": "next"}])

    wins(-10)
    with pytest.raises(AssertionError):
        wins(10)
    card, hidden = {"event": "card", "card": "9H"}, {"event": "dealt", "card": "9H", "to": "seat", "position": 1}
    with pytest.raises(AssertionError):
        BlackjackCards(PROFILES[0]).apply(card, [hidden])

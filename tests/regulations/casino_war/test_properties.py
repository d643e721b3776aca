"""Properties of any casino war table, whatever is done to it: ties and challenges come more often than by chance."""

from collections.abc import Iterable, Sequence
from typing import Final

import pytest

from tests.regulations.support.books import Book, Cards, Money, assert_wins, named_in
from tests.regulations.support.evaluators import casino_war as second
from tests.regulations.support.games.casino_war import CASINO_WAR
from tests.regulations.support.profiles import Json, profile
from tests.regulations.support.property_machine import PropertyTable, examples
from tests.regulations.support.walks.casino_war import WALK

PROFILES: Final = (
    profile(game="casino_war"),
    profile(game="casino_war", croupier_war_card="per_player", cut_card_behind=14),
    profile(game="casino_war", equipment="shuffler_dealer", croupier_war_card="per_player"),
    profile(game="casino_war", equipment="shuffler_dealer"),
)
ROUNDS: Final = (
    ((1, "ante", 101, 1),),
    ((1, "ante", 25, 1), (2, "ante", 30, 1), (2, "tie", 7, 1), (4, "ante", 13, 1)),
    ((1, "ante", 10, 1), (1, "ante", 11, 2), (1, "tie", 3, 2), (3, "tie", 1, 3), (3, "ante", 1, 1), (3, "ante", 9, 3)),
    tuple((seat, "ante", 10 * seat + 1, 1) for seat in range(1, 8)),
)


class WarMoney(Money):
    """Each wager wins what a second judge says."""

    def __init__(self, table: Json) -> None:
        super().__init__()
        self._options = table["options"]
        self._first = self.lying.copy()
        self._chosen: dict[tuple[int, int], str] = {}

    def put(self, wagers: Sequence[Json]) -> None:
        super().put(wagers)
        self._first, self._chosen = self.lying.copy(), {}

    def decided(self, given: Json) -> None:
        self._chosen[given["seat"], given.get("id", 1)] = given["action"]
        if given["action"] == "challenge":
            self.lying[given["seat"], "ante", given.get("id", 1), 1] *= 2

    def judge(self) -> None:
        seats = []
        for seat in self.result["seats"]:
            bettors = tuple(
                second.Bettor(
                    ante=stake,
                    tie=self._first[place, "tie", bettor, 1],
                    decision=self._chosen.get((place, bettor)),  # type: ignore[arg-type]  # one of its two words
                    id=bettor,
                )
                for (place, bet, bettor, _), stake in self._first.items()
                if place == seat["seat"] and bet == "ante"
            )
            war = seat.get("war", [None])[0]
            seats.append(second.Seat(seat=seat["seat"], card=seat["card"], bettors=bettors, war=war))
        verdict = second.judge(
            second.Round(
                croupier=self.result["croupier"],
                seats=tuple(seats),
                croupier_war=tuple(self.result.get("croupier_war", ())),
                croupier_war_card=self._options.get("croupier_war_card", "shared"),
            )
        )
        settled = {(wager["seat"], wager["bet"], wager.get("id", 1)): wager for wager in self.settled}
        for key, net in verdict.nets.items():
            assert_wins(settled[key], net)
            assert settled[key]["stake"] == verdict.stakes[key]
        for seat in self.result["seats"]:
            ends = {one["id"]: one["outcome"] for one in seat.get("bettors", ())}
            judged = {bettor: end for (place, bettor), end in verdict.outcomes.items() if place == seat["seat"]}
            assert ends == (judged if len(set(judged.values())) > 1 else {})
            assert seat["outcome"] == judged[min(judged)]


class WarCards(Cards):
    """A card that is due lies open, as does one that a person named or that a resolution laid."""

    def opened_by(self, given: Json, *, taken: bool) -> Iterable[str]:
        due = given["event"] == "card" and self.asked == "draw"
        named = given["event"] == "resolve" and taken
        return named_in(given) if due or named else super().opened_by(given, taken=taken)

    def opened_in(self, given: Json, output: Json) -> Iterable[str]:
        laid = given["event"] == "resolve" and output["event"] == "dealt"
        return [output["card"]] if laid else super().opened_in(given, output)


class WarTable(PropertyTable):
    kit, walk, profiles, rounds, behind = CASINO_WAR, WALK, PROFILES, ROUNDS, range(12, 15)

    def make_books(self) -> Sequence[Book]:
        self.money, self.cards = WarMoney(self.table), WarCards(self.table)
        self._lately = "2S"
        return self.money, self.cards

    def draw(self, number: int) -> str:
        """Of the last one's rank, if one is left, where the number says so."""
        left = self.drawable()
        same = [card for card in left if card[0] == self._lately[0]]
        chosen = same if same and number % 3 else left
        self._lately = chosen[number % len(chosen)]
        return self._lately

    def next_card(self, number: int) -> Json:
        if self.prompt["do"] == "burn" and number % 4 == 0:
            return {"event": "card", "card": None, "unseen": True}
        return super().next_card(number)


WarTable.TestCase.settings = examples(tables=60, steps=50)
TestWarTable = pytest.mark.statistical(WarTable.TestCase)


@pytest.mark.law
def test_the_books_notice_another_net() -> None:
    wager = {"seat": 1, "bet": "ante", "stake": 10, "id": 1}
    result: Json = {"event": "result", "croupier": "KS", "seats": [{"seat": 1, "card": "QS", "outcome": "lose"}]}

    def wins(net: int) -> None:
        books = WarMoney(PROFILES[0])
        books.apply({"event": "bets_closed", "wagers": [wager]}, [{"event": "next"}])
        books.apply({"event": "card", "card": "KS"}, [result, {"event": "settled", "wagers": [{**wager, "net": net}]}])
        books.apply({"event": "round_closed"}, [{"event": "next"}])

    wins(-10)
    with pytest.raises(AssertionError):
        wins(10)

"""Properties of any q poker table, whatever is done to it, beside a book of which card lies where."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import pytest

from tests.regulations.support.books import Book, Cards, Money, assert_wins, named_in
from tests.regulations.support.evaluators import q_poker as second
from tests.regulations.support.games.q_poker import Q_POKER
from tests.regulations.support.profiles import Json, profile
from tests.regulations.support.property_machine import PropertyTable, examples
from tests.regulations.support.walks.q_poker import WALK

PROFILES: Final = (profile(game="q_poker"), profile(game="q_poker", equipment="shuffler", seats=9))
ROUNDS: Final = (
    ((1, "ante", 101, 1), (1, "ante", 30, 2), (1, "pair_plus", 7, 1)),
    ((2, "ante", 25, 1), (5, "pair_plus", 13, 1)),
    ((1, "ante", 10, 1), (1, "ante", 11, 2), (3, "pair_plus", 3, 2), (3, "ante", 1, 3)),
    tuple((seat, "ante", 10 * seat + 1, 1) for seat in range(1, 8)),
    ((4, "pair_plus", 5, 1),),
)
"""Seat, bet, stake, bettor."""
Who = tuple[str, int]
"""Croupier or seat, and which."""
BURNED: Final[Who] = ("burn", 0)


def _who(output: Json) -> Who:
    return output.get("to") or output["who"], output.get("seat", 0)


class Laid:
    def __init__(self) -> None:
        self.cards: list[str | None] = []
        self.places: list[Who | None] = []
        self._up: list[bool] = []
        self.named_is_up: bool | None = None
        """Whether the card that a person named last came out face up; ``None``: it is of no round."""

    def apply(self, given: Json, outputs: Sequence[Json]) -> None:
        if outputs[0]["event"] == "refused":
            return
        if given["event"] == "bets_closed":
            self.cards, self.places, self._up = [], [], []
        indices: list[int] = []
        if given["event"] == "card":
            self.cards.append(given["card"])
            self.places.append(None)
            self._up.append(given.get("face") == "up")
            indices = [len(self.cards) - 1]
        elif given["event"] == "resolve" and given["action"] == "identify":
            # Those behind it waited, and lie after it.
            indices = [index for index, place in enumerate(self.places) if place is None]
            self.cards[indices[0] : indices[0] + 1] = [given["card"]] if indices else []
            self.named_is_up = self._up[indices[0]] if indices else None
        elif given["event"] == "resolve" and given["action"] == "reassign":
            for one in given["cards"]:
                self.places[one["index"] - 1] = BURNED
        dealt = [_who(output) for output in outputs if output["event"] == "dealt"]
        for index, who in zip(indices, dealt, strict=False):
            self.places[index] = who
        if given["event"] == "revealed":
            hidden = [index for index in self.of((given["who"], given.get("seat", 0))) if not self._up[index]]
            for index, card in zip(hidden, outputs[0]["cards"], strict=True):
                assert self.cards[index] in {None, card}
                self.cards[index], self._up[index] = card, True

    def of(self, who: Who | None) -> list[int]:
        return [index for index, place in enumerate(self.places) if place == who]

    def hand(self, who: Who) -> list[Any]:
        return [self.cards[index] for index in self.of(who)]


class PokerMoney(Money):
    """Each wager wins what a second judge says of the hands that were laid."""

    def __init__(self, laid: Laid) -> None:
        super().__init__()
        self._laid = laid
        self._chosen: dict[tuple[int, int], Any] = {}

    def put(self, wagers: Sequence[Json]) -> None:
        super().put(wagers)
        self._chosen = {}

    def apply_output(self, output: Json) -> None:
        if output["event"] == "reveal" and output["who"] == "croupier":
            antes = {(seat, bettor) for seat, bet, bettor, _ in self.lying if bet == "ante"}
            assert antes <= set(self._chosen), "everyone decides before the croupier's cards are turned"
        super().apply_output(output)

    def decided(self, given: Json) -> None:
        who = given["seat"], given.get("id", 1)
        assert who not in self._chosen
        self._chosen[who] = given["action"]

    def settle(self, wager: Json) -> None:
        super().settle(wager)
        assert_wins(wager, self._net(wager))

    def _net(self, wager: Json) -> Any:  # noqa: ANN401  a fraction
        hand = self._laid.hand(("seat", wager["seat"]))
        if wager["bet"] == "pair_plus":
            return second.pair_plus_net(hand, wager["stake"])
        chosen = self._chosen[wager["seat"], wager["id"]]
        return second.ante_net(hand, self._laid.hand(("croupier", 0)), chosen, wager["stake"])

    def judge_result(self) -> None:
        croupier = self._laid.hand(("croupier", 0))
        assert self.result["croupier"]["cards"] == croupier
        assert self.result["croupier"]["category"] == second.category(croupier)
        for seat in self.result["seats"]:
            bettors = sorted(one for place, one in self._chosen if place == seat["seat"])
            if seat.get("outcome") == "void":
                assert not bettors
                assert "category" not in seat
                continue
            hand = self._laid.hand(("seat", seat["seat"]))
            ends = [second.ante_outcome(hand, croupier, self._chosen[seat["seat"], one]) for one in bettors]
            assert seat["cards"] == hand
            assert seat.get("outcome") == (ends[0] if ends else None)
            assert [one["outcome"] for one in seat.get("bettors", ())] == (ends if len(set(ends)) > 1 else [])


class PokerCards(Cards):
    """A card that a person names lies open only where it came out face up."""

    def __init__(self, table: Json, laid: Laid) -> None:
        super().__init__(table)
        self._laid = laid
        self._unread_is_up = False
        self.renewed_by = frozenset({"loaded"})

    def apply(self, given: Json, outputs: Sequence[Json]) -> None:
        super().apply(given, outputs)
        if any(output.get("code") == "unread_card" for output in outputs):
            self._unread_is_up = given.get("face") == "up"

    def opened_by(self, given: Json, *, taken: bool) -> Iterable[str]:
        is_up = self._unread_is_up if self._laid.named_is_up is None else self._laid.named_is_up
        named = taken and given["event"] in {"resolve", "revealed"} and is_up
        return named_in(given) if named else super().opened_by(given, taken=taken)

    def may_be_named(self, card: str, given: Json) -> bool:
        return given["event"] == "revealed" and card in named_in(given)


class PokerTable(PropertyTable):
    kit, walk, profiles, rounds, behind = Q_POKER, WALK, PROFILES, ROUNDS, (0,)
    strange = 4

    def make_books(self) -> Sequence[Book]:
        self.laid = Laid()
        self.money, self.cards = PokerMoney(self.laid), PokerCards(self.table, self.laid)
        return self.laid, self.money, self.cards

    def prelude(self, *, near_the_end: bool) -> str:
        del near_the_end
        return "ready"

    def acts(self, number: int) -> dict[str, Json]:
        return super().acts(number) | {"cut": {"event": "cut", "by": "croupier"}}

    def next_card(self, number: int) -> Json:
        if number % 5 == 0:
            return {"event": "card", "card": None, "unseen": True}
        return super().next_card(number) | ({} if self.prompt.get("to") == "seat" else {"face": "down"})

    def reveal(self, number: int) -> None:
        who = self.prompt["to"], self.prompt.get("seat", 0)
        act: Json = {"event": "revealed", "who": who[0], **({"seat": who[1]} if who[1] else {})}
        hand = self.laid.hand(who)
        if None in hand:
            for place, card in enumerate(hand):
                if card is None:
                    left = [one for one in self.drawable() if one not in hand]
                    hand[place] = left[(number + place) % len(left)]
            act["cards"] = hand
        self.apply(act)

    def may_be_tried(self, given: Json) -> bool:
        return super().may_be_tried(given) and not given.keys() & {"cards", "card"}

    def report(self, number: int) -> Json | None:
        what = number % 11
        if what == 0:
            return {"event": "exposed", "who": "seat", "seat": 1}
        if what == 1 and len(self.laid.cards) < 26:
            return {"event": "card", "card": None if number % 2 else self.draw(number), "face": "up"}
        if what in {2, 3} and self.prompt["do"] == "draw":
            return {"event": "misdeal", "detail": "the last card lies on an empty place"}
        return {"event": "exposed", "who": "croupier"} if number % 33 == 4 else None

    def way_out(self, number: int, actions: Sequence[str]) -> str:
        return "reassign" if "reassign" in actions and number % 5 else actions[number % len(actions)]

    def correction(self, number: int) -> Json:
        del number
        return {"ground": "undue", "cards": [{"index": len(self.laid.cards), "to": "burn"}]}


PokerTable.TestCase.settings = examples(tables=60, steps=50)
TestPokerTable = pytest.mark.statistical(PokerTable.TestCase)


@pytest.mark.law
def test_the_books_notice_another_net_and_a_hidden_card() -> None:
    wager = {"seat": 1, "bet": "pair_plus", "stake": 10, "id": 1}
    dealt = {"event": "dealt", "card": None, "to": "seat", "seat": 1}
    reveal: Json = {"event": "reveal", "who": "seat", "seat": 1, "cards": ["9H", "9S", "4D"]}

    def wins(net: int) -> None:
        laid = Laid()
        for book in (laid, PokerMoney(laid), PokerCards(PROFILES[0], laid)):
            book.apply({"event": "bets_closed", "seats": [1], "wagers": [wager]}, [{"event": "next"}])
            for card in reveal["cards"]:
                book.apply({"event": "card", "card": card}, [dealt])
            settled = {"event": "settled", "wagers": [{**wager, "net": net}]}
            book.apply({"event": "revealed", "who": "seat", "seat": 1}, [reveal, settled])

    wins(10)
    with pytest.raises(AssertionError):
        wins(40)
    with pytest.raises(AssertionError, match="9H"):
        PokerCards(PROFILES[0], Laid()).apply({"event": "card", "card": "9H"}, [{**dealt, "card": "9H"}])

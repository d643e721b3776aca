"""Properties of any q poker table, whatever is done to it, beside books written from the table log.

A Hypothesis state machine leads the table: mostly it does what the prompt asks, now and then anything else. The
examples are drawn from fixed seeds (``derandomize``).
"""

import json
import re
from typing import Any, Final

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from regulations.cards import DECK
from regulations.procedure import Procedure
from tests.regulations.support.answering import answer_of
from tests.regulations.support.books import Numbers
from tests.regulations.support.evaluators import q_poker as second
from tests.regulations.support.games.q_poker import Q_POKER
from tests.regulations.support.inputs import BY, all_inputs
from tests.regulations.support.profiles import Json, profile
from tests.regulations.support.running import opened, shown
from tests.regulations.support.walks.q_poker import WALK

ALL_CARDS: Final = 52
HAND: Final = 3
PROFILES: Final = (profile(game="q_poker"), profile(game="q_poker", equipment="shuffler", seats=9))
ROUNDS: Final = (
    ((1, "ante", 101, 1), (1, "ante", 30, 2), (1, "pair_plus", 7, 1)),
    ((2, "ante", 25, 1), (5, "pair_plus", 13, 1)),
    ((1, "ante", 10, 1), (1, "ante", 11, 2), (3, "pair_plus", 3, 2), (3, "ante", 1, 3)),
    tuple((seat, "ante", 10 * seat + 1, 1) for seat in range(1, 8)),
    ((4, "pair_plus", 5, 1),),
)
"""Seat, bet, stake, bettor."""
STRANGE: Final = 4
"""One in so many acts may be another than the prompt asks for."""
Key = tuple[int, str, int]
Who = tuple[str, int]
"""Croupier or seat, and which."""
_NAMED: Final = re.compile(r"\b[A2-9TJQK][SHDC]\b")


def _key(wager: Json) -> Key:
    return wager["seat"], wager["bet"], wager.get("id", 1)


def _who(output: Json) -> Who:
    return output.get("to") or output["who"], output.get("seat", 0)


class Laid:
    """Which card lies where in the open round, as the table was told."""

    def __init__(self) -> None:
        self.cards: list[str | None] = []
        self.places: list[Who | None] = []
        self._up: list[bool] = []

    def hear(self, given: Json, outputs: list[Json]) -> None:
        """Keeps the books of one input."""
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
            indices = [self.places.index(None)] if None in self.places else []
            self.cards[indices[0] : indices[0] + 1] = [given["card"]] if indices else []
        elif given["event"] == "resolve" and given["action"] == "reassign":
            indices = sorted(one["index"] - 1 for one in given["cards"])
        dealt = [_who(output) for output in outputs if output["event"] == "dealt"]
        for index, who in zip(indices, dealt, strict=False):
            self.places[index] = who
        if given["event"] == "revealed":
            hidden = [index for index in self.of((given["who"], given.get("seat", 0))) if not self._up[index]]
            for index, card in zip(hidden, outputs[0]["cards"], strict=True):
                assert self.cards[index] in {None, card}
                self.cards[index], self._up[index] = card, True

    def of(self, who: Who | None) -> list[int]:
        """The indices of somebody's cards, in dealing order."""
        return [index for index, place in enumerate(self.places) if place == who]

    def hand(self, who: Who) -> list[Any]:
        return [self.cards[index] for index in self.of(who)]


class Money:
    """Every wager is settled or returned exactly once in the end, for exactly what a second judge says it wins."""

    def __init__(self, laid: Laid) -> None:
        self._laid = laid
        self._lying: dict[Key, int] = {}
        self._settled: dict[Key, Json] = {}
        self._chosen: dict[tuple[int, int], Any] = {}
        self._is_void = False

    def hear(self, given: Json, outputs: list[Json]) -> None:
        """Keeps the books of one input."""
        taken = outputs[0]["event"] not in {"refused", "irregularity"}
        if taken and given["event"] == "bets_closed":
            assert not self._lying
            self._lying = {_key(wager): wager["stake"] for wager in given["wagers"]}
        if taken and given["event"] == "decision":
            assert (given["seat"], given.get("id", 1)) not in self._chosen
            self._chosen[given["seat"], given.get("id", 1)] = given["action"]
        for output in outputs:
            self._hear_output(output)
        if any(output["event"] == "shoe_over" for output in outputs):
            assert not self._lying
            self._settled, self._chosen, self._is_void = {}, {}, False

    def _hear_output(self, output: Json) -> None:
        if output["event"] == "settled":
            assert output["wagers"]
            assert not self._is_void
            for wager in output["wagers"]:
                assert self._lying.pop(_key(wager)) == wager["stake"]
                assert wager["net"] == round(self._net(wager))
                self._settled[_key(wager)] = wager
        elif output["event"] == "reversed":
            for wager in output["wagers"]:
                assert self._settled.pop(_key(wager)) == wager
                self._lying[_key(wager)] = wager["stake"]
        elif output["event"] == "voided":
            assert not self._settled, "a void round is undone whole (reading G3)"
            assert {_key(wager): wager["stake"] for wager in output["wagers"]} == self._lying
            self._lying, self._is_void = {}, True
        elif output["event"] == "reveal" and output["who"] == "croupier":
            assert {(seat, one) for seat, bet, one in self._lying if bet == "ante"} <= set(self._chosen)
        elif output["event"] == "result":
            self._judge(output)

    def _net(self, wager: Json) -> Any:  # noqa: ANN401  a fraction
        hand = self._laid.hand(("seat", wager["seat"]))
        if wager["bet"] == "pair_plus":
            return second.pair_plus_net(hand, wager["stake"])
        chosen = self._chosen[wager["seat"], wager["id"]]
        return second.ante_net(hand, self._laid.hand(("croupier", 0)), chosen, wager["stake"])

    def _judge(self, result: Json) -> None:
        croupier = self._laid.hand(("croupier", 0))
        assert result["croupier"]["cards"] == croupier
        assert result["croupier"]["category"] == second.category(croupier)
        for seat in result["seats"]:
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


class Cards:
    """How many cards are out, which of them somebody knows, and which may be named (reading G8)."""

    def __init__(self) -> None:
        self.known: set[str] = set()
        self._out = 0
        self._open: set[str] = set()
        self._unread_is_up = False

    def hear(self, given: Json, outputs: list[Json]) -> None:
        """Keeps the books of one input."""
        cards = given.get("cards") if given["event"] == "revealed" else [given.get("card")]
        told = {card for card in cards or () if card}
        may_be_named = self._open | (told if given["event"] == "revealed" else set())
        if outputs[0]["event"] != "refused":
            self._out += given["event"] == "card"
            if given["event"] in {"loaded", "shuffled"}:
                self.known, self._open, self._out = set(), set(), 0
            elif given["event"] == "card":
                self.known |= told
                self._open |= told if given.get("face") == "up" else set()
            elif given["event"] in {"resolve", "revealed"}:
                self.known |= told
                self._open |= told if self._unread_is_up else set()
        for output in outputs:
            if output["event"] == "reveal":
                assert given["event"] == "revealed"
                self._open |= set(output["cards"])
            if output.get("code") == "unread_card":
                self._unread_is_up = given.get("face") == "up"
            if output["event"] == "shoe_over":
                assert output["cards_seen"] == self._out
                assert output["cards_left"] == ALL_CARDS - self._out
            named = set(_NAMED.findall(json.dumps(output)))
            assert named <= self._open | may_be_named, f"{given} -> {output}"


class PokerTable(RuleBasedStateMachine):
    """A table, its croupier, and the books beside it."""

    procedure: Procedure

    def __init__(self) -> None:
        super().__init__()
        self.laid, self.cards, self.numbers = Laid(), Cards(), Numbers()
        self.money = Money(self.laid)
        self.prompt: Json = {}
        self.places = 0

    @initialize(table=st.sampled_from(PROFILES))
    def open_table(self, table: Json) -> None:
        self.procedure, self.places = opened(table), table["seats"]
        self.prompt = shown(self.procedure.opening)[-1]
        for given in Q_POKER.preludes["ready"](table):
            self.apply(given)

    def apply(self, given: Json) -> None:
        outputs = answer_of(self.procedure, given, self.prompt)
        self.laid.hear(given, outputs)
        self.money.hear(given, outputs)
        self.cards.hear(given, outputs)
        self.numbers.hear(outputs)
        self.prompt = outputs[-1]

    def draw(self, number: int) -> str:
        """A card that is not out, as far as anybody knows."""
        left = [card for card in DECK if card not in self.cards.known]
        return left[number % len(left)]

    @rule(number=st.integers(min_value=0, max_value=9999))
    def follow_the_prompt(self, number: int) -> None:
        prompt, do = self.prompt, self.prompt["do"]
        acts: dict[str, Json] = {
            "shuffle": {"event": "shuffled", "by": "croupier" if self.places == PROFILES[0]["seats"] else "shuffler"},
            "cut": {"event": "cut", "by": "croupier"},
            "place_cut_card": {"event": "cut_card_placed", "behind": 0},
            "load": {"event": "loaded", "cards": ALL_CARDS},
            "close_round": {"event": "round_closed"},
            "nothing": {"event": "closed"},
        }
        if do in acts:
            self.apply(acts[do])
        elif do == "close_bets":
            self.apply(self._bets(ROUNDS[number % len(ROUNDS)]))
        elif do == "decide":
            action = prompt["actions"][number % 3 % 2]
            self.apply({"event": "decision", "seat": prompt["seat"], "id": prompt.get("id", 1), "action": action})
        elif do == "resolve":
            self._resolve(number)
        elif do == "reveal":
            self._reveal(number)
        elif number % 5 == 0:
            self.apply({"event": "card", "card": None, "unseen": True})
        else:
            to_a_seat = prompt.get("to") == "seat"
            self.apply(
                {"event": "card", "card": self.draw(number), "face": "up" if to_a_seat and not number % 7 else "down"}
            )

    @rule(number=st.integers(min_value=0, max_value=9999))
    def do_something_else(self, number: int) -> None:
        if number % STRANGE:
            self.follow_the_prompt(number // STRANGE)
            return
        strange = [
            given
            for given in all_inputs(self.prompt.get("irregularity"), WALK.inputs)
            if not (given.keys() & {"count", "claimed", "cards", "card"} or given["event"] == "closed")
        ]
        self.apply(strange[number // STRANGE % len(strange)])

    @rule(number=st.integers(min_value=0, max_value=9999))
    def report_something(self, number: int) -> None:
        what = number % 11
        if what == 0:
            self.apply({"event": "exposed", "who": "seat", "seat": 1})
        elif what == 1 and len(self.laid.cards) < ALL_CARDS // 2:
            self.apply({"event": "card", "card": None if number % 2 else self.draw(number), "face": "up"})
        elif what in {2, 3} and self.prompt["do"] == "draw":
            self.apply({"event": "misdeal", "detail": "the last card lies on an empty place"})
        elif number % 33 == 4:
            self.apply({"event": "exposed", "who": "croupier"})
        else:
            self.follow_the_prompt(number)

    def _bets(self, wagers: tuple[tuple[int, str, int, int], ...]) -> Json:
        return {
            "event": "bets_closed",
            "seats": sorted({seat for seat, _, _, _ in wagers}),
            "wagers": [{"seat": seat, "bet": bet, "stake": stake, "id": one} for seat, bet, stake, one in wagers],
        }

    def _reveal(self, number: int) -> None:
        """Opens the hand that is asked for; cards that nothing read are named."""
        who = self.prompt["to"], self.prompt.get("seat", 0)
        act: Json = {"event": "revealed", "who": who[0], **({"seat": who[1]} if who[1] else {})}
        hand = self.laid.hand(who)
        if None in hand:
            for place, card in enumerate(hand):
                if card is None:
                    left = [one for one in DECK if one not in self.cards.known and one not in hand]
                    hand[place] = left[(number + place) % len(left)]
            act["cards"] = hand
        self.apply(act)

    def _resolve(self, number: int) -> None:
        actions = self.prompt["actions"] or ["continue"]
        action = "reassign" if "reassign" in actions and number % 5 else actions[number % len(actions)]
        way: Json = {"event": "resolve", "irregularity": self.prompt["irregularity"], "action": action, "by": BY}
        if action == "identify":
            way["card"] = self.draw(number)
        if action == "reassign":
            way["ground"] = "undue"
            way["cards"] = [{"index": len(self.laid.cards), "to": "burn"}]
        self.apply(way)


PokerTable.TestCase.settings = settings(max_examples=100, stateful_step_count=50, derandomize=True, database=None)
TestPokerTable = PokerTable.TestCase


def _book(*answers: tuple[Json, list[Json]]) -> None:
    laid = Laid()
    books = (laid, Money(laid), Cards())
    for given, outputs in answers:
        for book in books:
            book.hear(given, outputs)


@pytest.mark.law
def test_the_books_notice_what_is_wrong() -> None:
    """The checks themselves: a wager settled twice or never, another net, a hidden card, cards that are missing."""
    wager = {"seat": 1, "bet": "pair_plus", "stake": 10, "id": 1}
    step: Json = {"event": "next"}
    bets = ({"event": "bets_closed", "seats": [1], "wagers": [wager]}, [step])
    dealt: list[tuple[Json, list[Json]]] = [
        ({"event": "card", "card": card}, [{"event": "dealt", "card": None, "to": "seat", "seat": 1}])
        for card in ("9H", "9S", "4D")
    ]
    over: Json = {"event": "shoe_over", "cards_seen": HAND, "cards_left": ALL_CARDS - HAND}

    def shows(*nets: int) -> tuple[Json, list[Json]]:
        reveal: Json = {"event": "reveal", "who": "seat", "seat": 1, "cards": ["9H", "9S", "4D"]}
        settled = [{"event": "settled", "wagers": [{**wager, "net": net}]} for net in nets]
        return {"event": "revealed", "who": "seat", "seat": 1}, [reveal, *settled]

    close = ({"event": "round_closed"}, [over])
    _book(bets, *dealt, shows(10), close)
    with pytest.raises(AssertionError):
        _book(bets, *dealt, shows(40), close)
    with pytest.raises(AssertionError):
        _book(bets, *dealt, shows(), close)
    with pytest.raises(KeyError):
        _book(bets, *dealt, shows(10, 10), close)
    with pytest.raises(AssertionError):
        _book(bets, *dealt[1:], ({"event": "void"}, [{"event": "voided", "wagers": [wager]}]), close)
    with pytest.raises(AssertionError, match="9H"):
        _book(bets, ({"event": "card", "card": "9H"}, [{"event": "dealt", "card": "9H", "to": "seat", "seat": 1}]))

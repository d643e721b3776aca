"""Properties of any three-card baccarat table, whatever is done to it, beside books written from the table log.

A Hypothesis state machine leads the table: mostly it does what the prompt asks, with figures more often than chance has
them, so that wagers are carried, and now and then anything else. The examples are drawn from fixed seeds.
"""

import json
import re
from collections import Counter
from fractions import Fraction
from typing import Final

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from regulations.cards import DECK
from regulations.procedure import Procedure
from tests.regulations.support.answering import answer_of
from tests.regulations.support.books import Numbers
from tests.regulations.support.evaluators import three_card_baccarat as second
from tests.regulations.support.games.three_card_baccarat import THREE_CARD_BACCARAT
from tests.regulations.support.inputs import BY, all_inputs
from tests.regulations.support.profiles import Json, profile
from tests.regulations.support.running import opened, shown
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
STRANGE: Final = 3
"""One in so many acts may be another than the prompt asks for."""
Key = tuple[int, str, int]
_NAMED: Final = re.compile(r"\b[A2-9TJQK][SHDC]\b")


def _key(wager: Json) -> Key:
    return wager["seat"], wager["bet"], wager["id"]


class Money:
    """Every wager is settled or returned exactly once, or carried, for what a second judge says that it wins."""

    def __init__(self, table: Json) -> None:
        self._zero = bool(table["options"].get("three_figures_win_zero_points"))
        self._lying: Counter[Key] = Counter()
        self._locked: Counter[Key] = Counter()
        """What of it was carried into the open round."""
        self._settled: dict[Key, Json] = {}
        self._result: Json = {}
        self._void = False
        self.put = self.gone = 0

    @property
    def lying(self) -> int:
        """What lies on the table."""
        return self._lying.total()

    @property
    def seats(self) -> set[int]:
        """Where something lies on the table."""
        return {seat for seat, _, _ in self._lying}

    def hear(self, given: Json, outputs: list[Json]) -> None:
        """Keeps the books of one input."""
        taken = outputs[0]["event"] not in {"refused", "irregularity"}
        if taken and given["event"] == "bets_closed":
            self._locked = self._lying.copy()
            for wager in given["wagers"]:
                self._lying[_key({"id": 1, **wager})] += wager["stake"]
                self.put += wager["stake"]
        for output in outputs:
            self._hear_output(output, closing=given["event"] == "closed")
        ended = any(output["event"] == "shoe_over" for output in outputs)
        if ended or (taken and given["event"] == "round_closed"):
            carried = {key for key, one in self._settled.items() if "carried" in one}
            # A shoe game that ends between two rounds finds what was carried before, as it was.
            assert self._void or carried == set(self._lying) or (not self._settled and self._lying == self._locked)
            self._settled, self._result, self._void = {}, {}, False
            self._locked = self._lying.copy()
        assert self.put == self.gone + self.lying

    def _hear_output(self, output: Json, *, closing: bool) -> None:
        if output["event"] == "result":
            self._judge_hands(output)
        elif output["event"] == "settled":
            assert output["wagers"]
            for wager in output["wagers"]:
                self._settle(wager)
        elif output["event"] == "reversed":
            assert {_key(wager): wager for wager in output["wagers"]} == self._settled
            for key, wager in self._settled.items():
                self.gone -= 0 if "carried" in wager else wager["stake"]
                self._lying[key] = wager["stake"]
            self._settled, self._result = {}, {}
        elif output["event"] == "voided":
            stays = Counter() if closing else self._locked
            assert not self._settled or closing
            assert {_key(wager): wager["stake"] for wager in output["wagers"]} == dict(self._lying - stays)
            self.gone += (self._lying - stays).total()
            self._lying, self._void = stays.copy(), True

    def _judge_hands(self, result: Json) -> None:
        assert not self._result
        self._result = result
        for hand in (result["banker"], *result["seats"]):
            assert hand["combination"] == second.combination(hand["cards"])
        assert result["banker"]["points"] == second.points(result["banker"]["cards"])
        for seat in result["seats"]:
            assert seat["outcome"] == second.seat_outcome(seat["cards"], result["banker"]["cards"])
        assert [seat["seat"] for seat in result["seats"]] == sorted(self.seats)

    def _settle(self, wager: Json) -> None:
        key, stake = _key(wager), wager["stake"]
        assert key not in self._settled
        assert stake == self._lying[key]
        cards = next(seat["cards"] for seat in self._result["seats"] if seat["seat"] == wager["seat"])
        banker = self._result["banker"]["cards"]
        exact = second.net(wager["bet"], banker, cards, stake=stake, three_figures_win_zero_points=self._zero)
        assert ("carried" in wager) == (exact == second.CARRIED)
        self._settled[key] = wager
        if isinstance(exact, str):
            assert wager["net"] == 0
            return
        assert wager["net"] == round(exact)
        assert Fraction(wager.get("residue", 0)) == exact - wager["net"]
        self.gone += stake
        del self._lying[key]


class Cards:
    """Which cards are out, and which of them may be named: those that were turned, or that a person named."""

    def __init__(self, table: Json) -> None:
        self.decks: Final = int(table["decks"])
        self.out: list[str | None] = []
        self._open: set[str] = set()

    def draw(self, number: int) -> str:
        """A card of which a copy is left, a figure where the number says so; one that is not out, if there is any."""
        fresh = [card for card in DECK if card not in self.out]
        left = fresh or [card for card in DECK if self.out.count(card) < self.decks]
        figures = [card for card in left if card[0] in "JQK"]
        chosen = figures if figures and number % 3 else left
        return chosen[number % len(chosen)]

    @property
    def all_out(self) -> bool:
        """Whether none is left."""
        return len(self.out) >= 52 * self.decks

    def hear(self, given: Json, outputs: list[Json]) -> None:
        """Keeps the books of one input."""
        taken = outputs[0]["event"] != "refused"
        if given["event"] == "card":
            self.out += [None] * (given.get("count", 0) - len(self.out) - 1)
            self.out.append(given["card"])
            if given["card"] and given.get("face") == "up":
                self._open.add(given["card"])
        elif given["event"] == "resolve" and taken and "card" in given:
            self._open.add(given["card"])
            self.out[self.out.index(None)] = given["card"]
        elif given["event"] == "revealed" and taken:
            self._open.update(card for output in outputs for card in output.get("cards", ()))
            # What nothing read is named now.
            for card in given.get("cards", ()):
                if card not in self.out:
                    self.out[self.out.index(None)] = card
        elif given["event"] == "loaded" and taken:
            self.out.clear()
            self._open.clear()
        for output in outputs:
            named = set(_NAMED.findall(json.dumps(output)))
            assert {card for card in named if self.out.count(card) < 2} <= self._open, f"{given} -> {output}"
            if output["event"] == "shoe_over":
                assert output["cards_seen"] == len(self.out)
                assert output["cards_seen"] + output["cards_left"] == 52 * self.decks


class ThreeCardTable(RuleBasedStateMachine):
    """A table, its croupier, and the books beside it."""

    procedure: Procedure

    @initialize(table=st.sampled_from(PROFILES), near_the_end=st.booleans())
    def open_table(self, table: Json, near_the_end: bool) -> None:
        self.table = table
        self.cards, self.money, self.numbers = Cards(table), Money(table), Numbers()
        self.procedure = opened(table)
        self.prompt = shown(self.procedure.opening)[-1]
        way = "before_the_cut_card" if near_the_end and table["equipment"] == "shoe" else "ready"
        for given in THREE_CARD_BACCARAT.preludes[way](table):
            self.apply(given)

    def apply(self, given: Json) -> None:
        outputs = answer_of(self.procedure, given, self.prompt)
        self.cards.hear(given, outputs)
        self.money.hear(given, outputs)
        self.numbers.hear(outputs)
        self.prompt = outputs[-1]

    @rule(number=st.integers(min_value=0, max_value=9999))
    def follow_the_prompt(self, number: int) -> None:
        prompt, do = self.prompt, self.prompt["do"]
        acts: dict[str, Json] = {
            "shuffle": {"event": "shuffled", "by": "croupier"},
            "cut": {"event": "cut", "by": "player"},
            "place_cut_card": {"event": "cut_card_placed", "behind": 30 + number % 11},
            "load": {"event": "loaded", "cards": 52 * self.cards.decks},
            "close_bets": self._bets(number),
            "close_round": {"event": "round_closed"},
            "nothing": {"event": "closed"},
        }
        if do in acts:
            self.apply(acts[do])
        elif do == "resolve":
            self._resolve(number)
        elif do == "reveal":
            self.apply({"event": "revealed", "who": prompt["to"], "seat": prompt.get("seat", 0)})
        else:
            self.apply({"event": "card", "card": self.cards.draw(number), "face": "down" if number % 7 else "up"})

    @rule(number=st.integers(min_value=0, max_value=9999))
    def deal_on(self, number: int) -> None:
        """A whole round, as far as it goes by itself."""
        for step in range(40):
            if self.prompt["do"] not in {"draw", "burn", "reveal"}:
                break
            self.follow_the_prompt(number + step)

    @rule(number=st.integers(min_value=0, max_value=9999))
    def do_something_else(self, number: int) -> None:
        if number % STRANGE:
            self.follow_the_prompt(number // STRANGE)
            return
        strange = [
            given
            for given in all_inputs(self.prompt.get("irregularity"), WALK.inputs, WALK.ways)
            if not (given.keys() & {"count", "claimed", "cards"} or given.get("card") or given["event"] == "closed")
        ]
        chosen = strange[number // STRANGE % len(strange)]
        if chosen["event"] != "card" or not (self.cards.all_out or chosen.get("unseen")):
            self.apply(chosen)

    @rule(number=st.integers(min_value=0, max_value=9999))
    def report_something(self, number: int) -> None:
        what = number % 7
        if what == 0:
            self.apply({"event": "cut_card"})
        elif what == 1 and not self.cards.all_out:
            self.apply({"event": "card", "card": self.cards.draw(number)})
        elif number % 21 == 2 or (what < 5 and self.prompt["do"] == "close_round"):
            self.apply({"event": "misdeal", "detail": "two cards were exchanged"})
        else:
            self.follow_the_prompt(number)

    def _bets(self, number: int) -> Json:
        wagers = BETS[number % len(BETS)] if number % 4 or not self.money.seats else ()
        return {
            "event": "bets_closed",
            "seats": sorted({seat for seat, _, _, _ in wagers} | self.money.seats),
            "wagers": [{"seat": seat, "bet": bet, "stake": stake, "id": one} for seat, bet, stake, one in wagers],
        }

    def _resolve(self, number: int) -> None:
        actions = self.prompt["actions"] or ["continue"]
        action = actions[number % len(actions)]
        if "reassign" in actions and action == "identify":
            action = "reassign"
        way: Json = {"event": "resolve", "irregularity": self.prompt["irregularity"], "action": action, "by": BY}
        if action == "identify":
            way["card"] = self.cards.draw(number)
        if action == "reassign":
            way["ground"] = "foreign"
            way["cards"] = [{"index": 1 + number % 9, "to": "burn"}] if number % 5 else []
        self.apply(way)


ThreeCardTable.TestCase.settings = settings(max_examples=70, stateful_step_count=40, derandomize=True, database=None)
TestThreeCardTable = ThreeCardTable.TestCase


@pytest.mark.law
def test_the_books_notice_what_is_wrong() -> None:
    """The checks themselves: a wager settled twice or never, another net, a hidden card, cards that are missing."""
    wager = {"seat": 1, "bet": "main", "stake": 10, "id": 1}
    banker = {"cards": ["2S", "2H", "2D"], "combination": 13, "points": 6}
    seat = {"seat": 1, "cards": ["9S", "KS", "QS"], "combination": 2, "outcome": "win"}
    result: Json = {"event": "result", "banker": banker, "seats": [seat]}
    won: Json = {**wager, "net": 10, "residue": "-1/2"}
    step = {"event": "next"}

    def money(*wagers: Json) -> None:
        books = Money(PROFILES[0])
        books.hear({"event": "bets_closed", "wagers": [wager]}, [step])
        books.hear({"event": "revealed"}, [result, *({"event": "settled", "wagers": [one]} for one in wagers)])
        books.hear({"event": "round_closed"}, [step])

    money(won)
    with pytest.raises(AssertionError):
        money()
    with pytest.raises(AssertionError):
        money(won, won)
    with pytest.raises(AssertionError):
        money({**won, "net": 9})
    with pytest.raises(AssertionError):
        money({**wager, "net": 0, "carried": True})
    cards = Cards(PROFILES[0])
    with pytest.raises(AssertionError, match="9H"):
        cards.hear({"event": "card", "card": "9H"}, [{"event": "burned", "card": "9H"}])
    with pytest.raises(AssertionError):
        cards.hear({"event": "closed"}, [{"event": "shoe_over", "cards_seen": 2, "cards_left": 51}])

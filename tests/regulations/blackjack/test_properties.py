"""Properties of any blackjack table, whatever is done to it, beside books written from the table log.

A Hypothesis state machine leads the table: mostly it does what the prompt asks, with pairs, aces and sevens more often
than chance has them, and now and then anything else. The examples are drawn from fixed seeds (``derandomize``).
"""

import json
import re
from collections import Counter
from fractions import Fraction
from typing import Final

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from regulations.cards import DECK
from regulations.procedure import Procedure
from tests.regulations.support.answering import answer_of
from tests.regulations.support.books import Numbers
from tests.regulations.support.games.blackjack import BLACKJACK
from tests.regulations.support.inputs import BY, all_inputs
from tests.regulations.support.profiles import Json, profile
from tests.regulations.support.running import opened, shown
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
"""Seat, bet, stake, bettor."""
OFTEN: Final = "7A8T"
"""Ranks that come more often."""
STRANGE: Final = 8
"""One in so many acts may be another than the prompt asks for."""
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
"""What a hand wins by its outcome; of a double the croupier's blackjack may take the half."""
Key = tuple[int, str, int, int]
_NAMED: Final = re.compile(r"\b[A2-9TJQK][SHDC]\b")


def _key(wager: Json) -> Key:
    return wager["seat"], wager["bet"], wager.get("id", 1), wager.get("hand", 1)


class Money:
    """Every wager is settled or returned exactly once in the end, and each hand's for what its outcome says."""

    def __init__(self, table: Json) -> None:
        self._limited = table["options"].get("croupier_blackjack_against_double") == "loses_original"
        self._lying: dict[Key, int] = {}
        self._settled: list[Json] = []
        self._doubled: set[tuple[int, int]] = set()
        self._result: Json = {}

    def hear(self, given: Json, outputs: list[Json]) -> None:
        """Keeps the books of one input."""
        taken = outputs[0]["event"] not in {"refused", "irregularity"}
        if taken and given["event"] == "bets_closed":
            assert not self._lying
            self._lying = {_key(wager): wager["stake"] for wager in given["wagers"]}
        if taken and given["event"] == "decision":
            self._decided(given)
        for output in outputs:
            self._hear_output(output)
        if any(output["event"] == "shoe_over" for output in outputs) or (taken and given["event"] == "round_closed"):
            assert not self._lying
            self._judge()
            self._settled, self._doubled, self._result = [], set(), {}

    def _decided(self, given: Json) -> None:
        seat, hand, bettor = given["seat"], given.get("hand", 1), given.get("id", 1)
        mains = {key: stake for key, stake in self._lying.items() if (key[0], key[1], key[3]) == (seat, "main", hand)}
        if given["action"] == "double":
            self._doubled.add((seat, hand))
            self._lying |= {key: 2 * stake for key, stake in mains.items()}
        if given["action"] == "insurance":
            self._lying[seat, "insurance", bettor, 1] = given["amount"]
        if given["action"] == "split":
            used = {key[3] for key in self._lying if key[0] == seat} | {one["hand"] for one in self._settled_on(seat)}
            self._lying |= {(seat, "main", key[2], max(used) + 1): stake for key, stake in mains.items()}
            if "any_pair" in given:
                self._lying[seat, "any_pair", bettor, hand] = given["any_pair"]

    def main_of(self, seat: int, bettor: int) -> int:
        """What a bettor has on the seat's first hand."""
        return self._lying[seat, "main", bettor, 1]

    def _settled_on(self, seat: int) -> list[Json]:
        return [one for one in self._settled if one["seat"] == seat]

    def _hear_output(self, output: Json) -> None:
        if output["event"] == "result":
            self._result = output
        elif output["event"] == "settled":
            assert output["wagers"]
            for wager in output["wagers"]:
                assert self._lying.pop(_key(wager)) == wager["stake"]
                self._settled.append(wager)
        elif output["event"] == "reversed":
            assert output["wagers"]
            for wager in output["wagers"]:
                self._settled.remove(wager)
                self._lying[_key(wager)] = wager["stake"]
        elif output["event"] == "voided":
            assert not self._settled, "a void round is undone whole (reading G3)"
            assert {_key(wager): wager["stake"] for wager in output["wagers"]} == self._lying
            self._lying = {}
            self._result = {}

    def _judge(self) -> None:
        """A round that was not void: what each hand's wagers and the insurances won."""
        if not self._result:
            return
        natural = self._result["croupier"]["blackjack"]
        outcomes = {(hand["seat"], hand["hand"]): hand["outcome"] for hand in self._result["hands"]}
        for wager in self._settled:
            place = wager["seat"], wager["hand"]
            if wager["bet"] == "main":
                odds = ODDS[outcomes[place]]
                if self._limited and natural and place in self._doubled and outcomes[place] == "lose":
                    odds = Fraction(-1, 2)
            elif wager["bet"] == "insurance":
                odds = Fraction(2 if natural else -1)
            else:
                odds = Fraction(wager["net"], wager["stake"])
                assert odds in {Fraction(n) for n in (-1, 1, 11, 50, 150, 500, 5000)}
            assert wager["net"] == round(odds * wager["stake"])
            assert Fraction(wager.get("residue", 0)) == odds * wager["stake"] - wager["net"]


class Cards:
    """Which cards are out, and which of them may be named."""

    def __init__(self, table: Json) -> None:
        self._decks = int(table["decks"])
        self._all = 52 * self._decks
        self._hides = table["options"].get("procedure", "first") == "first"
        self._split = False
        self.out: list[str | None] = []
        self._open: set[str] = set()

    def copies_left(self, card: str) -> int:
        return self._decks - self.out.count(card)

    @property
    def full(self) -> bool:
        return len(self.out) >= self._all

    def hear(self, given: Json, outputs: list[Json]) -> None:
        """Keeps the books of one input."""
        refused = outputs[0]["event"] == "refused"
        if given["event"] in {"bets_closed", "decision"} and not refused:
            self._split = given.get("action") == "split" or (self._split and given["event"] == "decision")
        if given["event"] == "card":
            self.out += [None] * (given.get("count", 0) - len(self.out) - 1)
            self.out.append(given["card"])
            if given["card"] and given.get("face") == "up":
                self._open.add(given["card"])
        elif given["event"] == "resolve" and not refused and "card" in given:
            self.out.remove(None)
            self.out.append(given["card"])
        elif given["event"] == "revealed" and not refused:
            for card in given.get("cards", ()):
                if None in self.out:
                    self.out[self.out.index(None)] = card
        elif given["event"] in {"loaded", "cards_returned"} and not refused:
            self.out.clear()
            self._open.clear()
        for output in outputs:
            self._hear_output(given, output)

    def _hear_output(self, given: Json, output: Json) -> None:
        if output["event"] == "dealt" and output["card"] is not None:
            # The first two cards of a seat lie face down in the first procedure, unless they were seen.
            hidden = self._hides and output["to"] == "seat" and output["position"] <= 2 and not self._split
            assert not hidden or output["card"] in self._open, output
            self._open.add(output["card"])
        if output["event"] == "reveal":
            assert given["event"] == "revealed"
            self._open.update(output["cards"])
        named = Counter(_NAMED.findall(json.dumps(output)))
        assert set(named) <= self._open, f"{given} -> {output}"
        if output["event"] == "shoe_over":
            assert output["cards_seen"] == len(self.out)
            assert output["cards_seen"] + output["cards_left"] == self._all


class BlackjackTable(RuleBasedStateMachine):
    """A table, its croupier, and the books beside it."""

    procedure: Procedure

    def __init__(self) -> None:
        super().__init__()
        self.numbers = Numbers()
        self.prompt: Json = {}

    @initialize(table=st.sampled_from(PROFILES), near_the_end=st.booleans())
    def open_table(self, table: Json, near_the_end: bool) -> None:
        self.table = table
        self.money, self.cards = Money(table), Cards(table)
        self.procedure = opened(table)
        self.prompt = shown(self.procedure.opening)[-1]
        way = "before_the_cut_card" if near_the_end and table["equipment"] == "shoe" else "ready"
        for given in BLACKJACK.preludes[way](table):
            self.apply(given)

    def apply(self, given: Json) -> None:
        outputs = answer_of(self.procedure, given, self.prompt)
        self.money.hear(given, outputs)
        self.cards.hear(given, outputs)
        self.numbers.hear(outputs)
        self.prompt = outputs[-1]

    def draw(self, number: int) -> str:
        """A card that is not out: of a rank that makes things happen, where the number says so."""
        left = [card for card in DECK if self.cards.copies_left(card) > 0]
        often = [card for card in left if card[0] == OFTEN[number % len(OFTEN)]]
        chosen = often if often and number % 3 else left
        return chosen[number // 3 % len(chosen)]

    @rule(number=st.integers(min_value=0, max_value=9999))
    def follow_the_prompt(self, number: int) -> None:
        prompt, do, all_cards = self.prompt, self.prompt["do"], 52 * self.table["decks"]
        acts: dict[str, Json] = {
            "shuffle": {"event": "shuffled", "by": "croupier"},
            "cut": {"event": "cut", "by": "player"},
            "place_cut_card": {"event": "cut_card_placed", "behind": 30 + number % 9},
            "load": {"event": "loaded", "cards": all_cards},
            "close_round": {"event": "round_closed"},
            "return_cards": {"event": "cards_returned", "cards": len(self.cards.out)},
            "nothing": {"event": "closed"},
            "reveal": {"event": "revealed", "who": prompt.get("to"), **_hand(prompt)},
        }
        if do in acts:
            self.apply(acts[do])
        elif do == "close_bets":
            self.apply(self._bets(ROUNDS[number % len(ROUNDS)]))
        elif do == "decide":
            self._decide(number)
        elif do == "resolve":
            self._resolve(number)
        else:
            self.apply({"event": "card", "card": self.draw(number), "face": "down" if number % 41 else "up"})

    @rule(number=st.integers(min_value=0, max_value=9999))
    def do_something_else(self, number: int) -> None:
        if number % STRANGE:
            self.follow_the_prompt(number // STRANGE)
            return
        strange = [
            given
            for given in all_inputs(self.prompt.get("irregularity"), WALK.inputs, WALK.ways)
            if not (given.keys() & {"count", "claimed"} or given.get("card") or given["event"] in {"closed", "loaded"})
            and not (given["event"] == "revealed" and "cards" in given)
        ]
        chosen = strange[number // STRANGE % len(strange)]
        if chosen["event"] == "card" and self.cards.full:
            return
        self.apply(chosen)

    @rule(number=st.integers(min_value=0, max_value=9999))
    def report_something(self, number: int) -> None:
        what = number % 9
        if number % 36 == 0:
            self.apply({"event": "cut_card"})
        elif what == 1 and not self.cards.full:
            self.apply({"event": "card", "card": self.draw(number)})
        elif number % 18 == 2 and len(self.cards.out) > 1:
            self.apply({"event": "misdeal", "detail": "two cards were exchanged"})
        else:
            self.follow_the_prompt(number)

    def _bets(self, wagers: tuple[tuple[int, str, int, int], ...]) -> Json:
        return {
            "event": "bets_closed",
            "seats": sorted({seat for seat, _, _, _ in wagers}),
            "wagers": [{"seat": seat, "bet": bet, "stake": stake, "id": one} for seat, bet, stake, one in wagers],
        }

    def _decide(self, number: int) -> None:
        """One of the choices that are offered, or what the cards must be shown for; what is offered is taken."""
        prompt = self.prompt
        if number % 5 == 0:
            self.apply({"event": "revealed", "who": "seat", **_hand(prompt)})
            return
        rare = [action for action in prompt["actions"] if action not in {"hit", "stand", "double", "surrender"}]
        chosen = rare if rare and number % 3 else prompt["actions"]
        action = chosen[number // 5 % len(chosen)]
        given: Json = {"event": "decision", **_hand(prompt), "id": prompt.get("id", 1)}
        if action == "insurance":
            self._insure(given)
            return
        if action == "split" and number % 2:
            given["any_pair"] = 1 + number % 7
        before = self.procedure.states
        self.apply({**given, "action": action})
        if action not in {"hit", "double"}:
            assert (self.procedure.states, self.prompt) != (before, prompt), f"{action} was offered"

    def _insure(self, given: Json) -> None:
        stake = self.money.main_of(given["seat"], given["id"])
        for amount in (stake // 2, (stake + 1) // 2, stake):
            self.apply({**given, "action": "insurance", "amount": amount})
            if "insurance" not in self.prompt.get("actions", ()):
                return
        pytest.fail("an insurance was offered and never taken")

    def _resolve(self, number: int) -> None:
        actions = self.prompt["actions"] or ["continue"]
        action = actions[number % len(actions)]
        if "reassign" in actions and action == "identify":
            action = "reassign"
        way: Json = {"event": "resolve", "irregularity": self.prompt["irregularity"], "action": action, "by": BY}
        if action == "identify":
            way["card"] = self.draw(number)
        if action == "reassign":
            way["ground"] = "foreign"
            way["cards"] = [{"index": 1 + number % 7, "to": "burn"}] if number % 5 else []
        self.apply(way)

    @invariant()
    def only_legal_inputs_are_asked_for(self) -> None:
        if self.prompt.get("do") == "draw":
            assert not self.cards.full


def _hand(prompt: Json) -> Json:
    return {name: prompt[name] for name in ("seat", "hand") if name in prompt}


BlackjackTable.TestCase.settings = settings(
    max_examples=80, stateful_step_count=50, derandomize=True, database=None, deadline=None
)
TestBlackjackTable = BlackjackTable.TestCase


@pytest.mark.law
def test_the_books_notice_what_is_wrong() -> None:
    """The checks themselves: a wager settled twice or never, another net, a hidden card, cards that are missing."""
    wager = {"seat": 1, "bet": "main", "stake": 10, "id": 1}
    bets: Json = {"event": "bets_closed", "seats": [1], "wagers": [wager]}
    settled: Json = {"event": "settled", "wagers": [{**wager, "hand": 1, "net": 10}]}
    lost = {"croupier": {"blackjack": False}, "hands": [{"seat": 1, "hand": 1, "outcome": "lose"}]}
    step, close = {"event": "next"}, {"event": "round_closed"}

    def money(*answers: list[Json]) -> None:
        books = Money(PROFILES[0])
        books.hear(bets, [step])
        for answer in answers:
            books.hear({"event": "card", "card": "KS"}, answer)
        books.hear(close, [step])

    money([{"event": "result", **lost}, {"event": "settled", "wagers": [{**wager, "hand": 1, "net": -10}]}])
    with pytest.raises(AssertionError):
        money([{"event": "result", **lost}, settled])
    with pytest.raises(AssertionError):
        money([step])
    with pytest.raises(KeyError):
        money([settled, settled])
    card, hidden = {"event": "card", "card": "9H"}, {"event": "dealt", "card": "9H", "to": "seat", "position": 1}
    with pytest.raises(AssertionError):
        Cards(PROFILES[0]).hear(card, [hidden])
    with pytest.raises(AssertionError, match="9H"):
        Cards(PROFILES[0]).hear(card, [{"event": "burned", "card": "9H"}])
    with pytest.raises(AssertionError):
        Cards(PROFILES[0]).hear({"event": "closed"}, [{"event": "shoe_over", "cards_seen": 1, "cards_left": 103}])

"""Properties of any casino war table, whatever is done to it, beside books written from the table log.

A Hypothesis state machine leads the table: mostly it does what the prompt asks, with ties and challenges more often
than chance has them, and now and then anything else. The examples are drawn from fixed seeds (``derandomize``).
"""

import json
import re
from typing import Final

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from regulations.cards import DECK
from regulations.procedure import Procedure
from tests.regulations.support.answering import answer_of
from tests.regulations.support.books import Numbers
from tests.regulations.support.evaluators import casino_war as second
from tests.regulations.support.games.casino_war import CASINO_WAR
from tests.regulations.support.inputs import BY, all_inputs
from tests.regulations.support.profiles import Json, profile
from tests.regulations.support.running import opened, shown
from tests.regulations.support.walks.casino_war import WALK

ALL_CARDS: Final = 52
PROFILES: Final = (
    profile(game="casino_war"),
    profile(game="casino_war", croupier_war_card="per_player", cut_card_behind=20),
    profile(game="casino_war", tie_wager_ante="may_challenge"),
    profile(game="casino_war", equipment="shuffler_dealer", croupier_war_card="per_player"),
    profile(game="casino_war", equipment="shuffler_dealer", tie_wager_ante="may_challenge"),
)
ROUNDS: Final = (
    ((1, "ante", 101, 1),),
    ((1, "ante", 25, 1), (2, "ante", 30, 1), (2, "tie", 7, 1), (4, "ante", 13, 1)),
    ((1, "ante", 10, 1), (1, "ante", 11, 2), (1, "tie", 3, 2), (3, "tie", 1, 2), (3, "ante", 1, 1), (3, "ante", 9, 3)),
    tuple((seat, "ante", 10 * seat + 1, 1) for seat in range(1, 8)),
)
"""Seat, bet, stake, bettor."""
STRANGE: Final = 3
"""One in so many acts may be another than the prompt asks for."""
Key = tuple[int, str, int]
_NAMED: Final = re.compile(r"\b[A2-9TJQK][SHDC]\b")


def _key(wager: Json) -> Key:
    return wager["seat"], wager["bet"], wager.get("id", 1)


class Money:
    """Every wager is settled or returned exactly once in the end, for exactly what a second judge says it wins."""

    def __init__(self, table: Json) -> None:
        self._options = table["options"]
        self._lying: dict[Key, int] = {}
        self._settled: dict[Key, Json] = {}
        self._first: dict[Key, int] = {}
        self._chosen: dict[tuple[int, int], str] = {}
        self._result: Json = {}
        self._void = False

    def hear(self, given: Json, outputs: list[Json]) -> None:
        """Keeps the books of one input."""
        taken = outputs[0]["event"] not in {"refused", "irregularity"}
        if taken and given["event"] == "bets_closed":
            assert not self._lying
            assert not self._settled
            self._lying = {_key(wager): wager["stake"] for wager in given["wagers"]}
            self._first = dict(self._lying)
        if taken and given["event"] == "decision":
            self._chosen[given["seat"], given.get("id", 1)] = given["action"]
            if given["action"] == "challenge":
                self._lying[given["seat"], "ante", given.get("id", 1)] *= 2
        for output in outputs:
            self._hear_output(output)
        ended = any(output["event"] == "shoe_over" for output in outputs)
        if ended or (taken and given["event"] == "round_closed"):
            assert not self._lying
            self._judge()
            self._settled, self._first, self._chosen, self._result, self._void = {}, {}, {}, {}, False

    def _hear_output(self, output: Json) -> None:
        if output["event"] == "result":
            self._result = output
        elif output["event"] == "settled":
            assert output["wagers"]
            for wager in output["wagers"]:
                assert self._lying.pop(_key(wager)) == wager["stake"]
                self._settled[_key(wager)] = wager
        elif output["event"] == "reversed":
            assert output["wagers"]
            self._result = {}
            for wager in output["wagers"]:
                assert self._settled.pop(_key(wager)) == wager
                self._lying[_key(wager)] = wager["stake"]
        elif output["event"] == "voided":
            assert not self._settled, "a void round is undone whole (reading G3)"
            assert {_key(wager): wager["stake"] for wager in output["wagers"]} == self._lying
            self._lying, self._void = {}, True

    def _judge(self) -> None:
        """A round that was not void: outcomes, stakes and nets as the second judge has them."""
        if self._void or not self._first:
            return
        seats = []
        for seat in self._result["seats"]:
            bettors = tuple(
                second.Bettor(
                    ante=stake,
                    tie=self._first.get((place, "tie", bettor), 0),
                    decision=self._chosen.get((place, bettor)),  # type: ignore[arg-type]  # one of its two words
                    id=bettor,
                )
                for (place, bet, bettor), stake in self._first.items()
                if place == seat["seat"] and bet == "ante"
            )
            war = seat.get("war", [None])[0]
            seats.append(second.Seat(seat=seat["seat"], card=seat["card"], bettors=bettors, war=war))
        verdict = second.judge(
            second.Round(
                croupier=self._result["croupier"],
                seats=tuple(seats),
                croupier_war=tuple(self._result.get("croupier_war", ())),
                tie_wager_ante=self._options.get("tie_wager_ante", "stands"),
                croupier_war_card=self._options.get("croupier_war_card", "shared"),
            )
        )
        for key, net in verdict.nets.items():
            assert self._settled[key]["net"] == round(net)
            assert self._settled[key]["stake"] == verdict.stakes[key]
        for seat in self._result["seats"]:
            ends = {one["id"]: one["outcome"] for one in seat.get("bettors", ())}
            judged = {bettor: end for (place, bettor), end in verdict.outcomes.items() if place == seat["seat"]}
            assert ends == (judged if len(set(judged.values())) > 1 else {})
            assert seat["outcome"] == judged[min(judged)]


class Cards:
    """Which cards are out, and which of them may be named."""

    def __init__(self) -> None:
        self.out: list[str | None] = []
        self._open: set[str] = set()

    def hear(self, given: Json, prompt: Json, outputs: list[Json]) -> None:
        """Keeps the books of one input, which the prompt before it may have asked for."""
        refused = outputs[0]["event"] == "refused"
        if given["event"] == "card":
            self.out += [None] * (given.get("count", 0) - len(self.out) - 1)
            self.out.append(given["card"])
            if given["card"] and (prompt["do"] == "draw" or given.get("face") == "up"):
                self._open.add(given["card"])
        elif given["event"] == "resolve" and not refused and "card" in given:
            self.out.append(given["card"])
            self._open.add(given["card"])
            self.out.remove(None if None in self.out else given["card"])
        elif given["event"] in {"loaded", "cards_returned"} and not refused:
            self.out.clear()
            self._open.clear()
        laid_anew = given["event"] == "resolve" and given["action"] == "reassign"
        for output in outputs:
            if laid_anew and output["event"] == "dealt":
                self._open.add(output["card"])
            assert set(_NAMED.findall(json.dumps(output))) <= self._open, f"{given} -> {output}"
            if output["event"] == "shoe_over":
                assert output["cards_seen"] == len(self.out)
                assert output["cards_seen"] + output["cards_left"] == ALL_CARDS


class WarTable(RuleBasedStateMachine):
    """A table, its croupier, and the books beside it."""

    procedure: Procedure

    def __init__(self) -> None:
        super().__init__()
        self.cards, self.numbers = Cards(), Numbers()
        self.prompt: Json = {}
        self.lately = "2S"
        self.seats = [1]

    @initialize(table=st.sampled_from(PROFILES), near_the_end=st.booleans())
    def open_table(self, table: Json, near_the_end: bool) -> None:
        self.money = Money(table)
        self.procedure = opened(table)
        self.prompt = shown(self.procedure.opening)[-1]
        way = "before_the_cut_card" if near_the_end and table["equipment"] == "shoe" else "ready"
        for given in CASINO_WAR.preludes[way](table):
            self.apply(given)

    def apply(self, given: Json) -> None:
        outputs = answer_of(self.procedure, given, self.prompt)
        self.money.hear(given, outputs)
        self.cards.hear(given, self.prompt, outputs)
        self.numbers.hear(outputs)
        self.prompt = outputs[-1]

    def draw(self, number: int) -> str:
        """A card that is not out: of the last one's rank, if one is left, where the number says so."""
        left = [card for card in DECK if card not in self.cards.out]
        same = [card for card in left if card[0] == self.lately[0]]
        chosen = same if same and number % 3 else left
        self.lately = chosen[number % len(chosen)]
        return self.lately

    def full(self) -> bool:
        return len(self.cards.out) >= ALL_CARDS

    @rule(number=st.integers(min_value=0, max_value=9999))
    def follow_the_prompt(self, number: int) -> None:
        prompt, do = self.prompt, self.prompt["do"]
        acts: dict[str, Json] = {
            "shuffle": {"event": "shuffled", "by": "croupier"},
            "cut": {"event": "cut", "by": "player"},
            "place_cut_card": {"event": "cut_card_placed", "behind": 12 + number % 9},
            "load": {"event": "loaded", "cards": ALL_CARDS},
            "close_round": {"event": "round_closed"},
            "return_cards": {"event": "cards_returned", "cards": len(self.cards.out)},
            "nothing": {"event": "closed"},
        }
        if do in acts:
            self.apply(acts[do])
        elif do == "close_bets":
            self.apply(self._bets(ROUNDS[number % len(ROUNDS)]))
        elif do == "decide":
            action = prompt["actions"][number % 5 % 2]
            self.apply({"event": "decision", "seat": prompt["seat"], "id": prompt.get("id", 1), "action": action})
        elif do == "resolve":
            self._resolve(number)
        elif do == "burn" and number % 4 == 0:
            self.apply({"event": "card", "card": None, "unseen": True})
        else:
            self.apply({"event": "card", "card": self.draw(number), "face": "down" if number % 7 else "up"})

    @rule(number=st.integers(min_value=0, max_value=9999))
    def do_something_else(self, number: int) -> None:
        if number % STRANGE:
            self.follow_the_prompt(number // STRANGE)
            return
        strange = [
            given
            for given in all_inputs(self.prompt.get("irregularity"), WALK.inputs, WALK.ways)
            if not (given.keys() & {"count", "claimed"} or given.get("card") or given["event"] in {"closed", "loaded"})
        ]
        chosen = strange[number // STRANGE % len(strange)]
        if chosen["event"] == "card" and self.full():
            return
        self.apply(chosen)

    @rule(number=st.integers(min_value=0, max_value=9999))
    def report_something(self, number: int) -> None:
        what = number % 7
        if what == 0:
            self.apply({"event": "cut_card"})
        elif what == 1 and not self.full():
            self.apply({"event": "card", "card": self.draw(number)})
        elif number % 21 == 2 and len(self.cards.out) > 1:
            self.apply({"event": "misdeal", "detail": "two cards were exchanged"})
        else:
            self.follow_the_prompt(number)

    def _bets(self, wagers: tuple[tuple[int, str, int, int], ...]) -> Json:
        self.seats = sorted({seat for seat, _, _, _ in wagers})
        return {
            "event": "bets_closed",
            "seats": self.seats,
            "wagers": [{"seat": seat, "bet": bet, "stake": stake, "id": one} for seat, bet, stake, one in wagers],
        }

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
            way["cards"] = [{"index": 1 + number % 5, "to": "burn"}] if number % 5 else []
        self.apply(way)

    @invariant()
    def only_legal_inputs_are_asked_for(self) -> None:
        if self.prompt.get("do") == "draw":
            assert not self.full()


WarTable.TestCase.settings = settings(max_examples=100, stateful_step_count=50, derandomize=True, database=None)
TestWarTable = WarTable.TestCase


@pytest.mark.law
def test_the_books_notice_what_is_wrong() -> None:
    """The checks themselves: a wager settled twice or never, another net, a hidden card, cards that are missing."""
    wager = {"seat": 1, "bet": "ante", "stake": 10, "id": 1}
    bets: Json = {"event": "bets_closed", "seats": [1], "wagers": [wager]}
    settled: Json = {"event": "settled", "wagers": [{**wager, "net": 10}]}
    result: Json = {"event": "result", "croupier": "KS", "seats": [{"seat": 1, "card": "QS", "outcome": "lose"}]}
    step, close = {"event": "next"}, {"event": "round_closed"}

    def money(*answers: list[Json]) -> None:
        books = Money(PROFILES[0])
        books.hear(bets, [step])
        for answer in answers:
            books.hear({"event": "card", "card": "KS"}, answer)
        books.hear(close, [step])

    money([result, {"event": "settled", "wagers": [{**wager, "net": -10}]}])
    with pytest.raises(AssertionError):
        money([result, settled])
    with pytest.raises(AssertionError):
        money([step])
    with pytest.raises(KeyError):
        money([settled, settled])
    with pytest.raises(AssertionError, match="9H"):
        Cards().hear({"event": "card", "card": "9H"}, {"do": "burn"}, [{"event": "burned", "card": "9H"}])
    with pytest.raises(AssertionError):
        Cards().hear({"event": "closed"}, step, [{"event": "shoe_over", "cards_seen": 1, "cards_left": 51}])

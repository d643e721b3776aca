"""The state machine that leads any table for the properties, whatever is done to it, beside books of its own."""

import json
from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Final

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from regulations.events.cards import DECK
from regulations.events.codec import encode
from regulations.procedure.procedure import Procedure
from tests.kit.length import at_length
from tests.regulations.support.books import Book, Cards, Money, Numbers
from tests.regulations.support.fingerprint import REMEMBERED, fingerprint
from tests.regulations.support.games.kit import GameKit
from tests.regulations.support.inputs import BY, FROM_DEVICES, all_inputs
from tests.regulations.support.profiles import Json
from tests.regulations.support.running import decoded, opened, shown
from tests.regulations.support.walks.plan import GameWalk

Wagers = Sequence[tuple[int, str, int, int]]
"""Seat, bet, stake, bettor."""
NUMBERS: Final = st.integers(min_value=0, max_value=9999)


def examples(tables: int, steps: int) -> settings:
    """Half as many tables of so many steps, ten times as many in ``make soak``; every run sees the same ones."""
    return settings(
        max_examples=at_length(tables // 2, 10 * tables),
        stateful_step_count=steps,
        derandomize=True,
        database=None,
        deadline=None,
    )


def closing(wagers: Wagers, seats: Sequence[int] = ()) -> Json:
    return {
        "event": "bets_closed",
        "seats": sorted({seat for seat, _, _, _ in wagers} | {*seats}),
        "wagers": [{"seat": seat, "bet": bet, "stake": stake, "id": one} for seat, bet, stake, one in wagers],
    }


class PropertyTable(RuleBasedStateMachine):
    """A table, its croupier, and the books beside it."""

    kit: ClassVar[GameKit]
    walk: ClassVar[GameWalk]
    profiles: ClassVar[Sequence[Json]]
    rounds: ClassVar[Sequence[Wagers]]
    behind: ClassVar[Sequence[int]]
    often: ClassVar[str] = ""
    strange: ClassVar[int] = 3
    face_up: ClassVar[int] = 7
    reports: ClassVar[tuple[int, int, int]] = (7, 7, 21)
    procedure: Procedure
    money: Money
    cards: Cards

    def __init__(self) -> None:
        super().__init__()
        self.table: Json = {}
        self.prompt: Json = {}
        self.books: Sequence[Book] = ()
        self._began = False
        self._log: list[tuple[Json, list[bytes]]] = []

    @abstractmethod
    def make_books(self) -> Sequence[Book]:
        """Makes the game's books of money and cards for :attr:`table`; all that are to hear, in this order."""

    @initialize(data=st.data(), near_the_end=st.booleans())
    def open_table(self, data: st.DataObject, near_the_end: bool) -> None:
        self.table = data.draw(st.sampled_from(self.profiles))
        self.books = (*self.make_books(), Numbers())
        self.procedure = opened(self.table)
        assert not self.procedure.is_refused
        self.prompt = shown(self.procedure.opening)[-1]
        for given in self.kit.preludes[self.prelude(near_the_end=near_the_end)](self.table):
            self.apply(given)
        self._began = True

    def prelude(self, *, near_the_end: bool) -> str:
        return "before_the_cut_card" if near_the_end and self.table["equipment"] == "shoe" else "ready"

    def apply(self, given: Json) -> None:
        """Gives the table an input: the answer ends with the only ``next``, and a refusal has changed nothing."""
        may_be_refused = self._began and given["event"] not in FROM_DEVICES
        before = fingerprint(self.procedure, REMEMBERED) if may_be_refused else ""
        states = self.procedure.states
        answer = [encode(output) for output in self.procedure.apply(decoded(given))]
        self._log.append((given, answer))
        outputs: list[Json] = [json.loads(output) for output in answer]
        names = [output["event"] for output in outputs]
        assert names.count("next") == 1
        assert names[-1] == "next"
        if "refused" in names:
            assert names == ["refused", "next"]
            assert may_be_refused
            assert fingerprint(self.procedure, REMEMBERED) == before
            assert self.procedure.states == states
            assert outputs[-1]["do"] == self.prompt["do"]
        for book in self.books:
            book.apply(given, outputs)
        self.prompt = outputs[-1]

    def teardown(self) -> None:
        if not self._log:
            return
        again = opened(self.table)
        for given, answer in self._log:
            assert [encode(output) for output in again.apply(decoded(given))] == answer

    @invariant()
    def only_cards_that_are_left_are_asked_for(self) -> None:
        if self.prompt.get("do") == "draw":
            assert not self.cards.full

    @rule(number=NUMBERS)
    def follow_the_prompt(self, number: int) -> None:
        do = self.prompt["do"]
        ways = {"decide": self.decide, "resolve": self.resolve, "reveal": self.reveal}
        if do in ways:
            ways[do](number)
        else:
            self.apply(self.acts(number).get(do) or self.next_card(number))

    @rule(number=NUMBERS)
    def do_something_else(self, number: int) -> None:
        if number % self.strange:
            self.follow_the_prompt(number // self.strange)
            return
        inputs = all_inputs(self.prompt.get("irregularity"), self.walk.inputs, self.walk.ways)
        strange = [given for given in inputs if self.may_be_tried(given)]
        chosen = strange[number // self.strange % len(strange)]
        if chosen["event"] != "card" or not self.cards.full:
            self.apply(chosen)

    @rule(number=NUMBERS)
    def report_something(self, number: int) -> None:
        report = self.report(number)
        if report:
            self.apply(report)
        else:
            self.follow_the_prompt(number)

    def acts(self, number: int) -> dict[str, Json]:
        return {
            "shuffle": {
                "event": "shuffled",
                "by": "shuffler" if self.table["equipment"] == "shuffler" else "croupier",
            },
            "cut": {"event": "cut", "by": "player"},
            "place_cut_card": {"event": "cut_card_placed", "behind": self.behind[number % len(self.behind)]},
            "load": {"event": "loaded", "cards": 52 * self.cards.decks},
            "close_bets": self.bets(number),
            "close_round": {"event": "round_closed"},
            "return_cards": {"event": "cards_returned", "cards": len(self.cards.out)},
            "nothing": {"event": "closed"},
        }

    def bets(self, number: int) -> Json:
        return closing(self.rounds[number % len(self.rounds)])

    def draw(self, number: int) -> str:
        """A card of which a copy is left: of a rank that makes things happen, where the number says so."""
        left = self.drawable()
        wanted = [card for card in left if card[0] in self.often]
        chosen = wanted if wanted and number % 3 else left
        return chosen[number // 3 % len(chosen)]

    def drawable(self) -> list[str]:
        """The cards that may come."""
        return [card for card in DECK if self.cards.left(card) > 0]

    def next_card(self, number: int) -> Json:
        return {"event": "card", "card": self.draw(number), "face": "down" if number % self.face_up else "up"}

    def decide(self, number: int) -> None:
        actions = self.prompt["actions"]
        self.apply({"event": "decision", **self.asked_of(), "action": actions[number % 5 % len(actions)]})

    def asked_of(self) -> Json:
        """Whose decision it is."""
        return {"id": 1} | {name: self.prompt[name] for name in ("seat", "hand", "id") if name in self.prompt}

    def reveal(self, number: int) -> None:
        del number
        prompt = self.prompt
        whose: Json = {name: prompt[name] for name in ("seat", "hand") if name in prompt}
        self.apply({"event": "revealed", "who": prompt["to"], **whose})

    def may_be_tried(self, given: Json) -> bool:
        """True if an input is among those that are given unasked: no card by name, no end of it all."""
        return not (given.keys() & {"count", "claimed"} or given.get("card") or given["event"] == "closed")

    def report(self, number: int) -> Json | None:
        """An event that happens unasked, if one does."""
        cut_card, card, misdeal = self.reports
        if number % cut_card == 0:
            return {"event": "cut_card"}
        if number % card == 1 and not self.cards.full:
            return {"event": "card", "card": self.draw(number)}
        if number % misdeal == 2 and len(self.cards.out) > 1:
            return {"event": "misdeal", "detail": "two cards were exchanged"}
        return None

    def resolve(self, number: int) -> None:
        """One of the ways out that are offered; what may be named may be repaired too."""
        actions = self.prompt["actions"] or ["continue"]
        action = self.way_out(number, actions)
        way: Json = {"event": "resolve", "irregularity": self.prompt["irregularity"], "action": action, "by": BY}
        if action == "identify":
            way["card"] = self.draw(number)
        if action == "reassign":
            way |= self.correction(number)
        self.apply(way)

    def way_out(self, number: int, actions: Sequence[str]) -> str:
        action = actions[number % len(actions)]
        return "reassign" if "reassign" in actions and action == "identify" else action

    def correction(self, number: int) -> Json:
        """One of the round's cards is burned, or nothing is to be done any more."""
        return {"ground": "foreign", "cards": [{"index": 1 + number % 7, "to": "burn"}] if number % 5 else []}

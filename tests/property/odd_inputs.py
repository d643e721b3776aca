"""A table of any game to which anybody says anything at any time, beside tables that its log and its snapshots make."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Final, cast

import msgspec
from msgspec import inspect

from regulations.events.cards import CARDS_PER_DECK, DECK
from regulations.events.codec import INPUTS, decode_input, encode
from regulations.events.errors import MalformedLine, NoSnapshot, SealedInput
from regulations.events.inputs import Loaded, Shuffled, Table
from regulations.games.registry import GAMES
from regulations.law.rulebook import Rulebook
from regulations.play.context.snapshot import Snapshot
from regulations.procedure.procedure import Procedure
from tests.regulations.support.profiles import Json, profile
from tests.soak.corrections.tables import TABLES

INPUTS_PER_TABLE: Final = 300
NUMBERS: Final = (0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 4, 5, 7, 12, 30, 50, 52, 100, 255, 312)
WORDS: Final = (
    *("shoe", "shoe", "shuffler", "croupier", "pit", "7", "", "x" * 99, "é\u2028"),
    *("misdeal", "malfunction", "stack", "not_begun", "exposed", "foreign", "damaged", "undue"),
)
VALUES: Final[dict[type[inspect.Type], Sequence[object]]] = {
    inspect.IntType: NUMBERS,
    inspect.FloatType: (-3600.5, 0.0, 0.25, 1e11, 1e300),
    inspect.BoolType: (False, True),
    inspect.NoneType: (None,),
    inspect.DictType: ({},),
}
"""Of a type's values some; of every other type words."""
TIMES: Final = ("2026-03-02T04:00:00Z", "2026-03-02T04:00:01.5+08:00", "1999-12-31T23:59:59Z", "soon")
ODD: Final = (0.3, 0.02, 0.6, 0.1)
"""Shares of inputs that no prompt asks for, of one table after the other."""
SHOWN: Final = 20
"""Inputs told of a fault."""
SELDOM_NULL: Final = 0.8
"""Of values that may be null."""
OFTEN_LEFT_OUT: Final = 0.8
"""Of the fields that an input may leave out."""

Resume = Callable[[Table, Snapshot, int], Procedure]
"""A table from its profile, its snapshot and the number of lines that its log had."""


def resumed(table: Table, snapshot: Snapshot, lines: int) -> Procedure:
    """A table that is taken up from its snapshot, which was written and read."""
    read = msgspec.json.decode(msgspec.json.encode(snapshot), type=Snapshot)
    return Procedure.resume(table, read, lines=lines)


class OddTable:
    """One table of a game, told so many inputs; whatever it may not do is an ``AssertionError`` or its own error.

    Args:
        rulebook: the rules; the game's own if left out.
    """

    def __init__(
        self,
        game: str,
        chance: Random,
        tally: Counter[str],
        kinds: Iterator[str],
        rulebook: Rulebook | None = None,
        resume: Resume = resumed,
    ) -> None:
        self._game: Final = game
        self._chance: Final = chance
        self._tally: Final = tally
        self._kinds: Final = kinds
        self._resume: Final = resume
        self._profile: Final = self._any_profile()
        self._table: Final = cast("Table", decode_input(json.dumps(self._profile)))
        self._rulebook: Final = rulebook
        self._procedure: Final = Procedure(self._table, rulebook)
        assert not self._procedure.is_refused
        self._others: list[Procedure] = []
        self._log: Final[list[tuple[bytes, list[bytes]]]] = []
        self._prompt: Json = json.loads(encode(self._procedure.opening[-1]))
        self._out: Final = Counter[str]()

    def play(self, odd: float) -> None:
        """Tells it some hundred inputs, this share of them odd ones, then tells its log to a fresh table."""
        for _ in range(INPUTS_PER_TABLE):
            self._tell(self._any_input() if self._chance.random() < odd else self._asked_for())
            if self._procedure.is_closed and self._chance.random() < 0.1:
                break
        again = Procedure(self._table, self._rulebook)
        for line, answer in self._log:
            assert [encode(said) for said in again.apply(decode_input(line))] == answer
        self._tally["tables"] += 1

    def _tell(self, given: Json) -> None:
        try:
            event = decode_input(json.dumps(given))
        except MalformedLine:
            self._tally["malformed"] += 1
            return
        states = self._procedure.states
        try:
            answer = [encode(said) for said in self._procedure.apply(event)]
        except SealedInput:
            assert "sealed" in given
            self._tally["sealed"] += 1
            assert self._procedure.states == states
            return
        self._log.append((encode(event), answer))
        said = [json.loads(line) for line in answer]
        names = [one["event"] for one in said]
        assert names[-1] == "next"
        assert names.count("next") == 1
        if "refused" in names:
            assert names == ["refused", "next"]
            assert self._procedure.states == states
        for other in self._others:
            assert [encode(one) for one in other.apply(event)] == answer, self.story(given)
        self._tally.update(["inputs", f"told {given['event']}", *names])
        self._prompt = said[-1]
        self._note_cards(given)
        if "refused" not in names and isinstance(event, Loaded | Shuffled):
            self._take_up()

    def _take_up(self) -> None:
        try:
            snapshot = self._procedure.snapshot()
        except NoSnapshot:
            return
        other = self._resume(self._table, snapshot, self._procedure.lines)
        assert other.states == self._procedure.states
        self._others = [*self._others[-1:], other]
        self._tally["taken up"] += 1

    def _note_cards(self, given: Json) -> None:
        if given["event"] in ("loaded", "cards_returned"):
            self._out.clear()
        elif given["event"] == "card" and given.get("card"):
            self._out[given["card"]] += 1

    def story(self, given: Json) -> str:
        """What the table was told and answered last, for whoever looks for the fault."""
        told = [f"{line.decode()}\n    {b' '.join(answer).decode()}" for line, answer in self._log[-SHOWN:]]
        return "\n".join([json.dumps(self._profile), *told, json.dumps(given)])

    # --- what is told -----------------------------------------------------------------------------------------------

    def _any_profile(self) -> Json:
        law, chance = GAMES[self._game].law, self._chance
        if chance.random() < 0.7:
            return dict(chance.choice(TABLES[self._game].profiles))
        equipment = chance.choice(list(law.equipment))
        decks = law.equipment[equipment].decks[0]
        stakes = chance.choice(["tracked", "untracked"])
        return profile(game=self._game, equipment=equipment, decks=decks, stakes=stakes)

    def _asked_for(self) -> Json:
        ways: dict[str, Callable[[], Json]] = {
            "burn": self._card,
            "draw": self._card,
            "close_bets": self._bets,
            "decide": self._decision,
            "reveal": lambda: {"event": "revealed", "who": self._prompt["to"], **self._where()},
            "resolve": self._way_out,
        }
        do = self._prompt["do"]
        return ways[do]() if do in ways else self._act(do)

    def _act(self, do: str) -> Json:
        fewest, most = GAMES[self._game].law.cut_card_behind
        acts: dict[str, Json] = {
            "shuffle": {"event": "shuffled", "by": self._chance.choice(["croupier", "shuffler"])},
            "cut": {"event": "cut", "by": self._chance.choice(["player", "croupier"])},
            "place_cut_card": {"event": "cut_card_placed", "behind": self._chance.randint(fewest, most)},
            "load": {"event": "loaded", "cards": CARDS_PER_DECK * self._table.decks},
            "return_cards": {"event": "cards_returned", "cards": self._out.total()},
            "close_round": {"event": "round_closed"},
            "nothing": {"event": "closed"},
        }
        return acts[do]

    def _card(self) -> Json:
        left = [card for card in DECK if self._out[card] < self._table.decks] or list(DECK)
        often = [card for card in left if card[0] in TABLES[self._game].often]
        return {"event": "card", "card": self._chance.choice(often if often and self._chance.random() < 0.5 else left)}

    def _bets(self) -> Json:
        puts = self._chance.choice(TABLES[self._game].bets)
        wagers = [{"seat": seat, "bet": bet, "stake": stake, "id": one} for seat, bet, stake, one in puts]
        if self._table.options.get("stakes") == "untracked":
            wagers = [{name: value for name, value in one.items() if name != "stake"} for one in wagers]
        return {"event": "bets_closed", "seats": sorted({seat for seat, *_ in puts}), "wagers": wagers}

    def _decision(self) -> Json:
        money = {"amount": self._chance.choice(NUMBERS)} if self._chance.random() < 0.2 else {}
        return {"event": "decision", **self._where(), "action": self._chance.choice(self._prompt["actions"]), **money}

    def _way_out(self) -> Json:
        action = self._chance.choice(self._prompt["actions"] or ["continue"])
        way: Json = {"event": "resolve", "irregularity": self._prompt["irregularity"], "action": action, "by": [1, 2]}
        return way | ({"card": self._chance.choice(DECK)} if self._chance.random() < 0.5 else {})

    def _where(self) -> Json:
        return {name: self._prompt[name] for name in ("seat", "hand", "id") if name in self._prompt}

    def _any_input(self) -> Json:
        name = next(self._kinds)
        given = self._any_of(inspect.type_info(INPUTS[name]))
        if name == "resolve" and "irregularity" in self._prompt and self._chance.random() < 0.8:
            given["irregularity"] = self._prompt["irregularity"]
        return {"event": name, **given}

    def _any_of(self, kind: inspect.Type) -> Any:  # noqa: ANN401  whatever JSON has
        chance = self._chance
        if isinstance(kind, inspect.StructType):
            told = [one for one in kind.fields if one.required or chance.random() > self._left_out(one)]
            return {one.encode_name: self._any_field(one) for one in told}
        if isinstance(kind, inspect.UnionType):
            kinds = [one for one in kind.types if one != _UNSET]
            not_null = [one for one in kinds if not isinstance(one, inspect.NoneType)]
            return self._any_of(chance.choice(not_null if chance.random() < SELDOM_NULL else kinds))
        if isinstance(kind, inspect.ListType):
            return [self._any_of(kind.item_type) for _ in range(chance.choice((0, 1, 1, 2, 2, 3)))]
        return chance.choice(kind.values if isinstance(kind, inspect.LiteralType) else VALUES.get(type(kind), WORDS))

    def _any_field(self, one: inspect.Field) -> Any:  # noqa: ANN401  as above
        return self._chance.choice(TIMES) if one.encode_name == "at" else self._any_of(one.type)

    @staticmethod
    def _left_out(one: inspect.Field) -> float:
        return 0.99 if one.encode_name == "sealed" else OFTEN_LEFT_OUT


_UNSET: Final = inspect.type_info(msgspec.UnsetType)


def play(game: str, inputs: int, seed: int, **instead: Any) -> Counter[str]:  # noqa: ANN401  as of `OddTable`
    """Plays tables of a game until so many inputs were taken; returns what happened."""
    tally, number, kinds = Counter[str](), 0, kinds_in_turn(Random(seed))
    while tally["inputs"] < inputs:
        OddTable(game, Random(f"{seed} {game} {number}"), tally, kinds, **instead).play(ODD[number % len(ODD)])
        number += 1
    return tally


def kinds_in_turn(chance: Random) -> Iterator[str]:
    """All inputs' names in some order, and again in another one, without end."""
    while True:
        yield from chance.sample(list(INPUTS), len(INPUTS))

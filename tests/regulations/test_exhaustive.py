"""Every input in every state that a table can rest in: always answered, by the rules that the table log names."""

import json
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import pytest

from regulations.engine.rows import names
from regulations.events.codec import INPUTS
from regulations.law.rows import RegulationRow
from regulations.play.shoe.states import ALL
from regulations.procedure.procedure import Procedure
from tests.kit.length import at_length
from tests.regulations.support.cited import CitationCollector, refuted
from tests.regulations.support.fingerprint import REMEMBERED, fingerprint
from tests.regulations.support.inputs import FROM_DEVICES, all_inputs
from tests.regulations.support.kits import ENFORCED
from tests.regulations.support.profiles import Json
from tests.regulations.support.running import decoded, lead, opened, shown
from tests.regulations.support.tracing import rulebook_of
from tests.regulations.support.walks.plan import GameWalk, Path, Plan, States, walk_of

LOOK_EVERY: Final = at_length(4, 1)
"""After one refusal of so many all is compared that the table remembers: another one in each state."""

games: Final = pytest.mark.parametrize("game", ENFORCED)
WALKS: Final = [pytest.param(game, name, id=f"{game}-{name}") for game in ENFORCED for name in walk_of(game).plans]


def _first_open(outputs: Sequence[Json]) -> int | None:
    number = outputs[-1].get("irregularity")
    return number if isinstance(number, int) else None


class Walk:
    """The walk of one profile."""

    def __init__(self, walk: GameWalk, plan: Plan) -> None:
        self._walk = walk
        self._table, self._where = plan.table, {state.value for state in plan.asks_in}
        self._waiting: deque[tuple[Path, int | None]] = deque((tuple(start), None) for start in plan.starts)
        self.met: dict[States, set[str]] = {}
        """The kinds of input given in each combination of states."""
        self.answers = 0

    def run(self) -> None:
        while self._waiting:
            path, first_open = self._waiting.popleft()
            states = lead(self._table, path).states
            if states not in self.met and states[1] in self._where:
                self.met[states] = set()
                self._try_everything(path, states, first_open)

    def _try_everything(self, path: Path, states: States, first_open: int | None) -> None:
        way = [decoded(one) for one in path]

        def led() -> Procedure:
            procedure = opened(self._table)
            for event in way:
                procedure.apply(event)
            return procedure

        procedure = led()
        before = fingerprint(procedure, REMEMBERED)
        for given in all_inputs(first_open, self._walk.inputs, self._walk.ways):
            collector = CitationCollector(procedure)
            outputs = shown(procedure.apply(decoded(given)))
            self.answers += 1
            self.met[states].add(given["event"])
            where = partial(_outputs_of, states, path, given, outputs)
            _check_answer(outputs, where)
            assert refuted(self._table["game"], collector.collect(given, outputs)) == [], where()
            refused = outputs[0]["event"] == "refused"
            if refused:
                _check_refusal(given, outputs, procedure, states, where)
                assert self.answers % LOOK_EVERY or fingerprint(procedure, REMEMBERED) == before, where()
            elif procedure.states != states or fingerprint(procedure, REMEMBERED) != before:
                if procedure.states not in self.met:
                    self._waiting.append(((*path, given), _first_open(outputs)))
                procedure = led()


def _outputs_of(states: States, path: Path, given: Json, outputs: list[Json]) -> str:
    return f"{states}, after {json.dumps(path[-6:])}: {json.dumps(given)} -> {json.dumps(outputs)}"


def _check_answer(outputs: list[Json], where: Callable[[], str]) -> None:
    names = [output["event"] for output in outputs]
    assert names[-1] == "next", where()
    assert names.count("next") == 1, where()
    assert "refused" not in names[1:], where()
    for output in outputs:
        needs = output["event"] != "next"
        assert not needs or output.get("article"), where()


def _check_refusal(
    given: Json, outputs: list[Json], procedure: Procedure, states: States, where: Callable[[], str]
) -> None:
    assert given["event"] not in FROM_DEVICES, where()
    assert len(outputs) == 2, where()
    assert outputs[0]["code"], where()
    assert outputs[0]["detail"], where()
    assert procedure.states == states, where()


@pytest.mark.parametrize(("game", "name"), WALKS)
def test_every_input_in_every_state_is_answered(game: str, name: str) -> None:
    plan = walk_of(game).plans[name]
    walk = Walk(walk_of(game), plan)
    walk.run()
    assert all(kinds == set(INPUTS) for kinds in walk.met.values())
    pairs = {(shoe, round_state) for _, shoe, round_state in walk.met}
    assert pairs == plan.reachable
    gates = {(gate, shoe) for gate, shoe, _ in walk.met}
    assert gates == {(gate, shoe.value) for gate in ("clear", "blocked") for shoe in plan.asks_in}
    print(f"{game}, {name}: {len(walk.met)} combinations of states, {walk.answers} answers")  # noqa: T201  with -rP


def _answering(rows: Sequence[RegulationRow], trigger: str, state: str) -> list[RegulationRow]:
    return [row for row in rows if row.trigger == trigger and state in {source.value for source in row.source}]


@pytest.mark.law
@games
@pytest.mark.parametrize("trigger", sorted(set(INPUTS) - {"resolve"}))
def test_every_state_of_the_shoe_game_has_a_row_for_every_input(game: str, trigger: str) -> None:
    """The last row that is tried has no guard, so one of them always answers; ways out are the gate's."""
    rows = rulebook_of(game).shoe
    reached = {row.dest for row in rows}
    for state in (state for state in ALL if state in reached):
        answering = _answering(rows, trigger, state.value)
        assert answering, f"{trigger} in {state}"
        assert not answering[-1].guard, f"{trigger} in {state}: every row has a guard"


@pytest.mark.law
@games
def test_every_state_of_the_round_has_a_row_for_every_input_that_reaches_it(game: str) -> None:
    walk, rulebook = walk_of(game), rulebook_of(game)
    handed_on = {row.trigger for row in rulebook.shoe if {"to_round", "card_to_round"} & set(names(row.effect))}
    assert handed_on >= walk.handed_on
    for trigger in handed_on:
        for state in walk.resting:
            if (trigger, state.value) in walk.unreached:
                continue
            answering = _answering(rulebook.round, trigger, state.value)
            assert answering, f"{trigger} in {state}"
            assert not answering[-1].guard, f"{trigger} in {state}: every row has a guard"


@pytest.mark.law
@games
def test_the_gate_answers_in_both_states(game: str) -> None:
    for trigger, states in (("resolve", ("clear", "blocked")), ("request", ("blocked",))):
        for state in states:
            assert not _answering(rulebook_of(game).gate, trigger, state)[-1].guard


@pytest.mark.law
@games
def test_every_row_says_what_it_does_and_by_which_article(game: str) -> None:
    for rows in rulebook_of(game).machines.values():
        for row in rows:
            assert row.article
            assert row.source
            assert not (row.refusal and row.irregularity)
            assert bool(row.says) == bool(row.refusal or row.irregularity), row.id
            assert not (row.refusal and (row.dest or set(names(row.effect)) - {"remember_failure"})), (
                f"{row.id}: a refusal changes nothing"
            )

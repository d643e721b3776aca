"""The engine: a plain machine of the library answers as ours does, and rows are bound once, or not at all."""

import ast
import itertools
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final

import pytest
from transitions import Machine, MachineError

from regulations import engine
from regulations.engine.machine import RULE_TABLES, Bound, RowMachine, UnknownFunction, compiled
from regulations.engine.rows import ParameterizedGuard, Row, names
from tests.conftest import DEFAULT_SEED
from tests.regulations.support.kits import ENFORCED
from tests.regulations.support.tracing import rulebook_of

pytestmark = pytest.mark.law

ALL_OUTCOMES: Final = 6
"""Up to so many guards every outcome of them is tried, above that so many random ones as these have."""


class Ear:
    """Answers guards as it is told, and notes all that is asked and done."""

    def __init__(self, holds: dict[str, bool]) -> None:
        self.holds: Final = holds
        self.heard: Final[list[str]] = []

    def ask(self, guard: str) -> str | None:
        self.heard.append(guard)
        return f"it finds {guard}" if self.holds[guard] else None

    def do(self, effect: str) -> bool:
        self.heard.append(f"{effect}!")
        return True


class Quick(RowMachine[Any, Row]):
    def leave(self, row: Row) -> None:
        found = self.found if row.guard else None
        self.parts[0].heard.append(f"leaves {self.state} by {row.trigger}: {found}")  # type: ignore[attr-defined]  # an ear


class Plain(Quick):
    runs_on: ClassVar[type[Machine]] = Machine


def _recorded_calls(rows: Sequence[Row]) -> tuple[Row, ...]:
    return tuple(
        replace(
            row,
            guard=tuple(ParameterizedGuard(name, Ear.ask, name) for name in names(row.guard)),
            effect=tuple(ParameterizedGuard(name, Ear.do, name) for name in names(row.effect)),
        )
        for row in rows
    )


def _outcomes(guards: Sequence[str]) -> Iterator[dict[str, bool]]:
    if len(guards) <= ALL_OUTCOMES:
        for told in itertools.product((False, True), repeat=len(guards)):
            yield dict(zip(guards, told, strict=True))
        return
    random = Random(DEFAULT_SEED)
    yield dict.fromkeys(guards, False)
    for _ in range(2**ALL_OUTCOMES):
        # Rows at the end are reached only where those before them fail.
        yield {guard: random.random() < 1 / len(guards) for guard in guards}


def _run(kind: type[Quick], rows: Sequence[Row], state: StrEnum, trigger: str, holds: dict[str, bool]) -> object:
    ear = Ear(holds)
    machine = kind(type(state), rows, (ear,), state)
    try:
        machine.fire(trigger)
    except (LookupError, MachineError):
        ear.heard.append("unanswered")
    return ear.heard, machine.state


@pytest.mark.parametrize("name", ["gate", "shoe", "round"])
@pytest.mark.parametrize("game", ENFORCED)
def test_a_plain_machine_answers_alike(game: str, name: str) -> None:
    rows = _recorded_calls(rulebook_of(game).machines[name])
    states = type(rows[0].source[0])
    tried = 0
    for state, trigger in itertools.product(states, sorted({row.trigger for row in rows})):
        asked = {
            guard: None for row in rows if row.trigger == trigger and state in row.source for guard in names(row.guard)
        }
        for holds in _outcomes(list(asked)):
            given = rows, state, trigger, holds
            assert _run(Quick, *given) == _run(Plain, *given), (state, trigger, holds)
            tried += 1
    print(f"{game}, {name}: {tried} of (state, input, answers of the guards)")  # noqa: T201  with -rP


class Switch(StrEnum):
    OFF = "off"
    ON = "on"


class Hand:
    def __init__(self) -> None:
        self.done: Final[list[str]] = []
        self.machine: RowMachine[Switch, Row]

    def is_tired(self) -> bool:
        return False

    def push(self) -> None:
        self.done.append("push")
        self.machine.fire("look")
        self.done.append("pushed")

    def look(self) -> None:
        self.done.append(f"look, {self.machine.state}")


class TiredHand(Hand):
    def is_tired(self) -> bool:
        return True


ROWS: Final = (
    Row(trigger="push", source=(Switch.OFF,), guard=(Hand.is_tired,)),
    Row(trigger="push", source=(Switch.OFF,), dest=Switch.ON, effect=(Hand.push,)),
    Row(trigger="look", source=(Switch.ON,), effect=(Hand.look,)),
)


def _machine(hand: Hand, rows: Sequence[Row] = ROWS) -> RowMachine[Switch, Row]:
    hand.machine = RowMachine(Switch, rows, (hand,), Switch.OFF)
    return hand.machine


def test_what_an_effect_fires_waits_until_its_row_is_done() -> None:
    hand = Hand()
    machine = _machine(hand)
    assert machine.answers("push")
    assert not machine.answers("look")
    machine.fire("push")
    assert hand.done == ["push", "pushed", "look, on"]
    assert machine.state is Switch.ON


def test_what_waited_behind_a_trigger_that_no_row_answers_is_forgotten() -> None:
    hand = TiredHand()
    rows = (
        Row(trigger="twice", source=(Switch.OFF,), dest=Switch.ON, effect=(Hand.push, Hand.push)),
        Row(trigger="push", source=(Switch.ON,)),
    )
    machine = _machine(hand, rows)
    for trigger in ("twice", "look"):
        with pytest.raises(LookupError, match="no row answers 'look' in state 'on'"):
            machine.fire(trigger)
    machine.fire("push")
    assert hand.done == ["push", "pushed"] * 2


def test_a_part_that_overrides_a_guard_is_asked_itself() -> None:
    hand = TiredHand()
    _machine(hand).fire("push")
    assert hand.done == []
    assert hand.machine.state is Switch.OFF


class Found(RowMachine[Switch, Row]):
    def answer(self, row: Row, effects: Sequence[Bound]) -> None:
        self.parts[0].done.append(f"{row.trigger}: {self.found}")  # type: ignore[attr-defined]  # a hand
        super().answer(row, effects)


class Judge(Hand):
    def is_fit(self) -> bool:
        return True

    def is_open(self) -> str:
        return "it is open"

    def is_shut(self) -> str | None:
        return None


def test_a_row_answers_with_what_its_last_guard_found() -> None:
    off = (Switch.OFF,)
    rows = (
        Row(trigger="push", source=off, guard=(Judge.is_open, Judge.is_shut)),
        Row(trigger="push", source=off, guard=(Judge.is_fit, Judge.is_open)),
        Row(trigger="look", source=off, guard=(Judge.is_open, Judge.is_fit)),
        Row(trigger="fly", source=off, guard=(Judge.is_shut,)),
        Row(trigger="fly", source=off),
    )
    judge = Judge()
    machine = Found(Switch, rows, (judge,), Switch.OFF)
    for trigger in ("push", "look", "fly"):
        machine.fire(trigger)
    assert judge.done == ["push: it is open", "look: True", "fly: None"]


def test_what_no_row_answers_is_told_and_nothing_waits() -> None:
    hand = Hand()
    machine = _machine(hand)
    for trigger in ("look", "fly"):
        with pytest.raises(LookupError, match=f"no row answers '{trigger}' in state 'off'"):
            machine.fire(trigger)
    machine.fire("push")
    assert hand.done == ["push", "pushed", "look, on"]


def test_a_row_that_names_a_function_of_no_part() -> None:
    def stray(_: object) -> bool:
        return True

    with pytest.raises(UnknownFunction, match=r"a row for 'push' names .*stray, which is a method of no part"):
        _machine(Hand(), (Row(trigger="push", source=(Switch.OFF,), guard=(stray,)),))


@pytest.mark.parametrize("name", ["gate", "shoe", "round"])
def test_only_the_triggers_of_its_rows_move_a_machine(name: str) -> None:
    rows = _recorded_calls(rulebook_of("baccarat").machines[name])
    known = compiled(type(rows[0].source[0]), rows, (Ear,)).machine.events
    assert set(known) == {row.trigger for row in rows}, "the library would add one that jumps to each state"


def test_rule_tables_are_bound_once_and_do_not_pile_up() -> None:
    tables = [(Row(trigger="again", source=(Switch.OFF,)),) for _ in range(3 * RULE_TABLES)]
    first = compiled(Switch, tables[0], (Hand,))
    assert compiled(Switch, tables[0], (Hand,)) is first
    assert compiled(Switch, tables[0], (TiredHand,)) is not first
    ready = [compiled(Switch, table, (Hand,)) for table in tables]
    kept = -RULE_TABLES
    assert compiled(Switch, tables[kept], (Hand,)) is ready[kept]
    assert compiled(Switch, tables[kept - 1], (Hand,)) is not ready[kept - 1]
    assert compiled(Switch, tables[0], (Hand,)) is not first


def test_the_engine_imports_nothing_of_ours() -> None:
    folder = Path(engine.__file__).parent
    found = {
        name
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [])
        + ([one.name for one in node.names] if isinstance(node, ast.Import) else [])
    }
    roots = {name.split(".")[0] for name in found if not name.startswith("regulations.engine")}
    assert roots - set(sys.stdlib_module_names) == {"transitions"}

"""A flat state machine that runs a rule table."""

from collections import deque
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar, cast

from transitions import EventData, Machine, Transition

from regulations.errors import RegulationBug, StandingUnfit
from regulations.events.vocabulary import IrregularityCode, RefusalCode
from regulations.rows import Row


class Clerk(Protocol):
    """Who writes down what a row refuses or finds irregular."""

    def refuse(self, row: Row, code: RefusalCode) -> None:
        """Answers a request with the row's refusal."""

    def open_irregularity(self, row: Row, code: IrregularityCode) -> None:
        """Opens the row's irregularity."""


StateT = TypeVar("StateT", bound=StrEnum)
RULE_TABLES: Final = 64
"""Rule tables kept compiled: three for each game, and those from which a test has taken a row."""


class RowTransition(Transition):
    """A transition without the hooks that rows do not have: only guards, the move, and what follows.

    The library looks for callbacks at a dozen places of each transition; a card passes two or three transitions and up
    to ten candidates, and most of its time went there (``docs/benchmarks.md``).
    """

    def execute(self, event_data: EventData) -> bool:
        """Moves and returns true if all guards hold; else returns false, and the next row is tried."""
        model = cast("RuleMachine[Any]", event_data.model)  # the only kind of model that `compiled` is run with
        for condition in self.conditions:
            if not model.holds(str(condition.func)):
                return False
        if self.dest is not None:
            event_data.machine.set_state(self.dest, model)
        for follow in self.after:
            follow(model)  # type: ignore[operator]  # a partial of ours, never a name to look up
        return True


class RowMachine(Machine):
    """A machine whose transitions are rows."""

    transition_cls = RowTransition


class Compiled(NamedTuple):
    """A rule table made ready to run; it holds no state, the tables that use it are the machine's models."""

    rows: Sequence[Row]
    machine: RowMachine
    sources: frozenset[tuple[str, StrEnum]]
    names: frozenset[str]


_COMPILED: Final[dict[int, Compiled]] = {}


def compiled(states: type[StrEnum], rows: Sequence[Row]) -> Compiled:
    """The rule table made ready to run, once for each.

    It is found again by its identity: to hash two hundred rows takes longer than all else that opening a table does.
    """
    found = _COMPILED.get(id(rows))
    if found is None:
        while len(_COMPILED) >= RULE_TABLES:
            del _COMPILED[next(iter(_COMPILED))]
        # It holds the rows themselves, so that their identity is not given to another table.
        found = _COMPILED[id(rows)] = Compiled(
            rows,
            _machine(states, rows),
            frozenset((row.trigger, source) for row in rows for source in row.source),
            frozenset(name for row in rows for name in (*row.guard, *row.effect)),
        )
    return found


def _machine(states: type[StrEnum], rows: Sequence[Row]) -> RowMachine:
    # auto_transitions would add to_<state>() triggers that jump past the rules.
    machine = RowMachine(model=None, states=states, initial=next(iter(states)), auto_transitions=False)
    for row in rows:
        answer = partial(_answer, row)
        machine.add_transition(row.trigger, list(row.source), row.dest, conditions=list(row.guard), after=answer)
    return machine


class RuleMachine(Generic[StateT]):
    """One table's state in a rule table; notices a missing rule.

    Args:
        states: the enumeration of states.
        rows: the rule table.
        clerk: hears of refusals and irregularities.
        parts: objects whose methods are the guards and effects that the rows name; the first that has one counts.
        initial: the state to begin in.
        moved: hears of each row that has moved the machine, before the row's effects.
    """

    def __init__(
        self,
        states: type[StateT],
        rows: Sequence[Row],
        clerk: Clerk,
        parts: Sequence[object],
        initial: StateT,
        moved: Callable[[Row], None] | None = None,
    ) -> None:
        self.state = initial
        """Where the machine is; only ``transitions`` writes it."""
        ready = compiled(states, rows)
        self._ready: Final = ready
        self._events: Final = ready.machine.events
        self._sources: Final = ready.sources
        self._clerk: Final = clerk
        self._moved: Final = moved
        self._methods: Final = {name: _method(parts, name) for name in ready.names}
        self._waiting: Final[deque[str]] = deque()
        self._running = False
        self._is_answered: bool
        self.moved_by: Row | None = None
        """The row that last moved the machine to another state."""

    @property
    def standing(self) -> str | None:
        """The rule that last moved the machine, by its id, which tells where it is; ``None``: none did yet."""
        return None if self.moved_by is None else self.moved_by.id

    def take_up(self, standing: str | None) -> None:
        """Puts a new machine where a rule once brought it; nothing of the rule's answer is given.

        Raises:
            StandingUnfit: the rule table has no such rule.
        """
        if standing is None:
            return
        row = next((row for row in self._ready.rows if row.dest is not None and row.id == standing), None)
        if row is None or row.dest is None:
            raise StandingUnfit(f"no rule {standing!r}")
        self._ready.machine.set_state(row.dest, self)
        self.moved_by = row
        if self._moved is not None:
            self._moved(row)

    def fire(self, trigger: str) -> None:
        """Gives the machine a trigger; within an effect it waits until the running row is done, so order stays causal.

        Raises:
            RegulationBug: no row answers it here.
        """
        self._waiting.append(trigger)
        if self._running:
            return
        self._running = True
        try:
            while self._waiting:
                self._answer_one(self._waiting.popleft())
        finally:
            self._waiting.clear()
            self._running = False

    def _answer_one(self, trigger: str) -> None:
        state = self.state
        self._is_answered = False
        if self.answers(trigger):
            self._events[trigger].trigger(self)
        if not self._is_answered:
            raise RegulationBug(state.value, trigger)

    def answers(self, trigger: str) -> bool:
        """Whether a row may answer the trigger where the machine is."""
        return (trigger, self.state) in self._sources

    def holds(self, guard: str) -> bool:
        """Whether a guard of a row holds."""
        return bool(self._methods[guard]())

    def answer(self, row: Row) -> None:
        """Gives a row's answer, once ``transitions`` has moved the machine."""
        self._is_answered = True
        if row.dest is not None:
            self.moved_by = row
            if self._moved is not None:
                self._moved(row)
        if row.refusal is not None:
            self._clerk.refuse(row, row.refusal)
        for name in row.effect:
            self._methods[name]()
        if row.irregularity is not None:
            self._clerk.open_irregularity(row, row.irregularity)


def _answer(row: Row, model: RuleMachine[StrEnum]) -> None:
    model.answer(row)


def _method(parts: Sequence[object], name: str) -> Callable[[], object]:
    method: Callable[[], object] = getattr(next(part for part in parts if hasattr(part, name)), name)
    return method

"""A flat state machine that runs a rule table."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from typing import Final, Generic, Protocol, TypeVar

from transitions import EventData, Machine, MachineError, Transition

from regulations.errors import RegulationBug
from regulations.rows import Row


class Actor(Protocol):
    """Whose predicates and effects the rows name."""

    def refuse(self, row: Row) -> None:
        """Answers a request with the row's refusal."""

    def open_irregularity(self, row: Row) -> None:
        """Opens the row's irregularity."""

    def moved(self, row: Row) -> None:
        """Hears that a row has moved the machine, before the row's effects."""


StateT = TypeVar("StateT", bound=StrEnum)


class _Model(Generic[StateT]):
    """What ``transitions`` decorates: it holds nothing but the state."""

    state: StateT
    trigger: Callable[[str], bool]


class RowTransition(Transition):
    """A transition without the hooks that rows do not have: only guards, the move, and what follows.

    The library looks for callbacks at a dozen places of each transition; a card passes two or three transitions and up
    to ten candidates, and most of its time went there (``docs/benchmarks.md``).
    """

    def execute(self, event_data: EventData) -> bool:
        """Moves and returns true if all guards hold; else returns false, and the next row is tried."""
        for condition in self.conditions:
            if not condition.func():  # type: ignore[operator]  # a row's guard is a method, never a name to look up
                return False
        if self.dest is not None:
            event_data.machine.set_state(self.dest, event_data.model)
        for follow in self.after:
            follow()  # type: ignore[operator]  # likewise
        return True


class RowMachine(Machine):
    """A machine whose transitions are rows."""

    transition_cls = RowTransition


class RuleMachine(Generic[StateT]):
    """A flat ``transitions`` machine that runs a rule table and notices a missing rule.

    Args:
        states: the enumeration of states.
        rows: the rule table.
        actor: hears of refusals, irregularities and moves.
        parts: objects whose methods are the guards and effects that the rows name, looked up in this order.
        initial: the state to begin in.
    """

    def __init__(
        self, states: type[StateT], rows: Sequence[Row], actor: Actor, initial: StateT, parts: Sequence[object] = ()
    ) -> None:
        self.rows: Final = tuple(rows)
        self._actor: Final = actor
        self._parts: Final = (actor, *parts)
        self._model: Final[_Model[StateT]] = _Model()
        # auto_transitions would add to_<state>() triggers that jump past the rules; queued keeps causal order when an
        # effect fires another trigger.
        machine = RowMachine(
            model=self._model,
            states=states,
            initial=initial,
            auto_transitions=False,
            queued=True,
            send_event=False,
        )
        for row in self.rows:
            machine.add_transition(
                row.trigger,
                list(row.source),
                row.dest,
                conditions=[self._named(name) for name in row.guard],
                after=partial(self._answer, row, self._effects(row)),
            )
        self._sources = frozenset((row.trigger, source) for row in self.rows for source in row.source)
        self._unanswered = 0
        self._running = False
        self.moved_by: Row | None = None
        """The row that last moved the machine to another state."""

    @property
    def state(self) -> StateT:
        """Where the machine is."""
        return self._model.state

    def fire(self, trigger: str) -> None:
        """Gives the machine a trigger; within an effect it is taken when the running row is done.

        Raises:
            RegulationBug: no row answers it here.
        """
        self._unanswered += 1
        if self._running:
            self._model.trigger(trigger)
            return
        state = self._model.state
        self._running = True
        try:
            if (trigger, state) not in self._sources:
                raise RegulationBug(state.value, trigger)
            self._model.trigger(trigger)
            if self._unanswered:
                raise RegulationBug(self._model.state.value, f"{trigger} or what follows from it")
        except MachineError as error:
            raise RegulationBug(self._model.state.value, trigger) from error
        finally:
            self._unanswered = 0
            self._running = False

    def _named(self, name: str) -> Callable[[], bool]:
        part = next(part for part in self._parts if hasattr(part, name))
        method: Callable[[], bool] = getattr(part, name)
        return method

    def _effects(self, row: Row) -> tuple[Callable[[], object], ...]:
        if row.refusal is not None:
            return (partial(self._actor.refuse, row),)
        effects: list[Callable[[], object]] = [self._named(name) for name in row.effect]
        if row.irregularity is not None:
            effects.append(partial(self._actor.open_irregularity, row))
        return tuple(effects)

    def _answer(self, row: Row, effects: tuple[Callable[[], object], ...]) -> None:
        self._unanswered -= 1
        if row.dest is not None:
            self.moved_by = row
            self._actor.moved(row)
        for effect in effects:
            effect()

"""A flat state machine that runs a rule table on ``transitions`` (docs/adr/0031-rules-name-functions.md)."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any, ClassVar, Final, Generic, NoReturn, TypeVar, cast

from transitions import Event, Machine, Transition

from regulations.engine.rows import Effect, Found, ParameterizedGuard, Row

StateT = TypeVar("StateT", bound=StrEnum)
RowT = TypeVar("RowT", bound=Row)
Bound = tuple[Callable[[Any], Any], int]
RULE_TABLES: Final = 64


class UnknownFunction(Exception):
    def __init__(self, trigger: str, function: str) -> None:
        super().__init__(f"a row for {trigger!r} names {function}, which is a method of no part of its machine")


class RowEvent(Event):
    """A trigger without the library's further callbacks, which take most of a card's time."""

    def __init__(self, name: str, machine: Machine) -> None:
        super().__init__(name, machine)
        self._ready: Final[dict[StrEnum, tuple[tuple[tuple[Bound, ...], Row, tuple[Bound, ...]], ...]]] = {}

    def trigger(self, model: Any, *_: Any, **__: Any) -> bool:  # noqa: ANN401  # as the library declares it
        """Run the first transition of the model's state whose conditions all hold; return whether there was one."""
        ready = self._ready.get(model.state)
        if ready is None:
            ready = self._ready[model.state] = tuple(map(_unpack, self.transitions.get(model.state.name, ())))
        parts = model.parts
        for guards, row, effects in ready:
            found: Found = None
            for ask, part in guards:
                found = ask(parts[part])
                if not found:
                    break
            else:
                model.found = found
                model.leave(row)
                if row.dest is not None:
                    model.state = row.dest
                model.answer(row, effects)
                break
        else:
            return False
        return True


def _unpack(transition: Transition) -> tuple[tuple[Bound, ...], Row, tuple[Bound, ...]]:
    guards = tuple(cast("partial[bool]", condition.func).args for condition in transition.conditions)
    row, effects = cast("partial[None]", transition.after[0]).args
    return guards, row, effects


class QuickMachine(Machine):
    event_cls = RowEvent


@dataclass(frozen=True, slots=True)
class Compiled(Generic[RowT]):
    rows: Sequence[RowT]
    machine: Machine
    sources: frozenset[tuple[str, StrEnum]]


_COMPILED: Final[dict[tuple[int, tuple[type, ...], type[Machine]], Compiled[Any]]] = {}


def compiled(
    states: type[StrEnum],
    rows: Sequence[RowT],
    parts: tuple[type, ...],
    kind: type[Machine] = QuickMachine,
) -> Compiled[RowT]:
    """Compile a rule table once; the cache goes by identity, since hashing rows takes too long."""
    key = (id(rows), parts, kind)
    found = _COMPILED.get(key)
    if found is None:
        while len(_COMPILED) >= RULE_TABLES:
            del _COMPILED[next(iter(_COMPILED))]
        # It holds the rows themselves, so that their identity is not given to another table.
        found = _COMPILED[key] = _compile(states, rows, parts, kind)
    return found


def _compile(
    states: type[StrEnum], rows: Sequence[RowT], parts: tuple[type, ...], kind: type[Machine]
) -> Compiled[RowT]:
    # auto_transitions would add to_<state>() triggers that jump past the rules.
    machine = kind(model=None, states=states, initial=next(iter(states)), auto_transitions=False)
    for row in rows:
        conditions: list[str | Callable[..., bool | None]] = [
            partial(_holds, *_bound(guard, parts, row.trigger)) for guard in row.guard
        ]
        effects = tuple(_bound(effect, parts, row.trigger) for effect in row.effect)
        machine.add_transition(
            row.trigger,
            list(row.source),
            row.dest,
            conditions=conditions,
            before=partial(_leave, row),
            after=partial(_answer, row, effects),
        )
    sources = frozenset((row.trigger, source) for row in rows for source in row.source)
    return Compiled(rows, machine, sources)


def _bound(function: Effect, parts: Sequence[type], trigger: str) -> Bound:
    method = function.ask if isinstance(function, ParameterizedGuard) else function
    name = method.__name__
    for number, part in enumerate(parts):
        if any(vars(base).get(name) is method for base in part.__mro__):
            own = getattr(part, name)
            return replace(function, ask=own) if isinstance(function, ParameterizedGuard) else own, number
    raise UnknownFunction(trigger, function.__qualname__)


def _leave(row: Row, machine: "RowMachine[Any, Any]") -> None:
    machine.leave(row)


def _answer(row: Row, effects: Sequence[Bound], machine: "RowMachine[Any, Any]") -> None:
    machine.answer(row, effects)


def _holds(function: Callable[[Any], Found], part: int, machine: "RowMachine[Any, Any]") -> bool:
    machine.found = function(machine.parts[part])
    return bool(machine.found)


class RowMachine(Generic[StateT, RowT]):
    """One state in a rule table; of several parts with a method, the first counts."""

    runs_on: ClassVar[type[Machine]] = QuickMachine

    def __init__(self, states: type[StateT], rows: Sequence[RowT], parts: Sequence[object], initial: StateT) -> None:
        self.state = initial
        self.parts: Final = parts
        self.found: Found = None
        self._ready: Final = compiled(states, rows, tuple(map(type, parts)), self.runs_on)
        self._events: Final = self._ready.machine.events
        self._waiting: Final[deque[str]] = deque()
        self._running = False

    def fire(self, trigger: str) -> None:
        """A trigger from within an effect waits until the running row is finished."""
        if self._running:
            self._waiting.append(trigger)
            return
        self._running = True
        try:
            while True:
                event = self._events.get(trigger)
                if event is None or not event.trigger(self, self):
                    self.unanswered(trigger)
                if not self._waiting:
                    return
                trigger = self._waiting.popleft()
        finally:
            self._waiting.clear()
            self._running = False

    def unanswered(self, trigger: str) -> NoReturn:
        """Fail for a trigger without a row in this state."""
        raise LookupError(f"no row answers {trigger!r} in state {self.state.value!r}")

    def answers(self, trigger: str) -> bool:
        """True if a row may answer the trigger where the machine is."""
        return (trigger, self.state) in self._ready.sources

    def leave(self, row: RowT) -> None:
        """Called when a row answers, before the machine moves."""

    def answer(self, row: RowT, effects: Sequence[Bound]) -> None:  # noqa: ARG002  # who overrides it looks at the row
        """Called when a row has answered and the machine has moved."""
        for function, part in effects:
            function(self.parts[part])

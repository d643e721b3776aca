"""Rule tables: what the machines execute, what the diagrams are drawn from and what the traceability matrix lists.

A machine is a tuple of :class:`Row`. For one trigger and state the rows are tried in their order; the first whose
guards all hold answers. A row moves the machine, refuses a person's request, or opens an irregularity; every pair of
state and input must find a row (``tests/regulations/test_exhaustive.py`` walks them all).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Final, Protocol

from transitions import Machine, MachineError

from regulations.errors import RegulationBug
from regulations.events.vocabulary import IrregularityCode, RefusalCode


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One rule of a machine.

    Attributes:
        trigger: the input's name in the table log, or an inner trigger.
        source: the states in which the rule holds.
        dest: the state that follows; ``None``: the machine stays where it is.
        article: the article or reading that decides.
        guard: names of predicates of the machine's actor; all must hold.
        effect: names of the actor's methods, called in order once the machine has moved.
        refusal: the row refuses a person's request with this code.
        irregularity: the row opens this irregularity.
        says: for a person: why the request is refused, or what is irregular.
        also: further articles that the row enforces.
    """

    trigger: str
    source: tuple[StrEnum, ...]
    dest: StrEnum | None = None
    article: str
    guard: tuple[str, ...] = ()
    effect: tuple[str, ...] = ()
    refusal: RefusalCode | None = None
    irregularity: IrregularityCode | None = None
    says: str = ""
    also: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The row's name in matrices: ``card@banker_2[player_hidden]``; ``+`` stands for further source states."""
        more = "+" if len(self.source) > 1 else ""
        guards = f"[{','.join(self.guard)}]" if self.guard else ""
        return f"{self.trigger}@{self.source[0].value}{more}{guards}"

    @property
    def answer(self) -> str:
        """``refusal CODE``, ``irregularity CODE``, or the state that follows."""
        if self.refusal is not None:
            return f"refusal {self.refusal}"
        if self.irregularity is not None:
            return f"irregularity {self.irregularity}"
        return "stays" if self.dest is None else str(self.dest.value)


class Actor(Protocol):
    """Whose predicates and effects the rows name."""

    def refuse(self, row: Row) -> None:
        """Answers a request with the row's refusal."""

    def open_irregularity(self, row: Row) -> None:
        """Opens the row's irregularity."""

    def moved(self, row: Row) -> None:
        """Hears that a row has moved the machine, before the row's effects."""


class _Model:
    """What ``transitions`` decorates: it holds nothing but the state."""

    state: StrEnum
    trigger: Callable[[str], bool]


class RuleMachine:
    """A flat ``transitions`` machine that runs a rule table and notices a missing rule.

    Args:
        states: the enumeration of states.
        rows: the rule table.
        actor: provides the guards and effects that the rows name.
        initial: the state to begin in.
    """

    def __init__(self, states: type[StrEnum], rows: Sequence[Row], actor: Actor, initial: StrEnum) -> None:
        self.rows: Final = tuple(rows)
        self._model = _Model()
        # auto_transitions would add to_<state>() triggers that jump past the rules; queued keeps causal order when an
        # effect fires another trigger.
        machine = Machine(
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
                conditions=[getattr(actor, name) for name in row.guard],
                after=partial(self._answer, row, self._effects(row, actor)),
            )
        self._actor = actor
        self._sources = frozenset((row.trigger, source) for row in self.rows for source in row.source)
        self._unanswered = 0
        self._running = False
        self.moved_by: Row | None = None
        """The row that last moved the machine to another state."""

    @property
    def state(self) -> StrEnum:
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

    @staticmethod
    def _effects(row: Row, actor: Actor) -> tuple[Callable[[], None], ...]:
        if row.refusal is not None:
            return (partial(actor.refuse, row),)
        effects: list[Callable[[], None]] = [getattr(actor, name) for name in row.effect]
        if row.irregularity is not None:
            effects.append(partial(actor.open_irregularity, row))
        return tuple(effects)

    def _answer(self, row: Row, effects: tuple[Callable[[], None], ...]) -> None:
        self._unanswered -= 1
        if row.dest is not None:
            self.moved_by = row
            self._actor.moved(row)
        for effect in effects:
            effect()

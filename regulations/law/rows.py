"""Rows of the rule tables; every pair of state and input has one."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from regulations.engine import rows as engine
from regulations.engine.rows import Effect, Guard
from regulations.events.vocabulary import IrregularityCode, RefusalCode

FunctionT = TypeVar("FunctionT", Guard, Effect)
Guards = Guard | tuple[Guard, ...]
Effects = Effect | tuple[Effect, ...]
Names = str | tuple[str, ...]
States = StrEnum | tuple[StrEnum, ...]
Refusal = tuple[Guard, RefusalCode, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegulationRow(engine.Row):
    article: str
    refusal: RefusalCode | None = None
    irregularity: IrregularityCode | None = None
    says: str = ""
    also: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        more = "+" if len(self.source) > 1 else ""
        guards = f"[{','.join(self.guards)}]" if self.guard else ""
        return f"{self.trigger}@{self.source[0].value}{more}{guards}"

    @property
    def answer(self) -> str:
        """``refusal CODE``, ``irregularity CODE``, or the state that follows."""
        if self.refusal is not None:
            return f"refusal {self.refusal}"
        if self.irregularity is not None:
            return f"irregularity {self.irregularity}"
        return "stays" if self.dest is None else str(self.dest.value)


def _several(functions: FunctionT | tuple[FunctionT, ...]) -> tuple[FunctionT, ...]:
    return functions if isinstance(functions, tuple) else (functions,)


def _states(states: States) -> tuple[StrEnum, ...]:
    return (states,) if isinstance(states, StrEnum) else states


def move(
    trigger: str, source: States, dest: StrEnum, article: str, *, when: Guards = (), do: Effects = (), also: Names = ()
) -> RegulationRow:
    return RegulationRow(
        trigger=trigger,
        source=_states(source),
        dest=dest,
        article=article,
        guard=_several(when),
        effect=_several(do),
        also=(also,) if isinstance(also, str) else also,
    )


def accept(
    trigger: str, source: States, article: str, *, when: Guards = (), do: Effects = (), also: Names = ()
) -> RegulationRow:
    return RegulationRow(
        trigger=trigger,
        source=_states(source),
        article=article,
        guard=_several(when),
        effect=_several(do),
        also=(also,) if isinstance(also, str) else also,
    )


def refuse(
    trigger: str,
    source: States,
    code: RefusalCode,
    article: str,
    says: str,
    *,
    when: Guards = (),
    do: Effects = (),
    also: Names = (),
) -> RegulationRow:
    return RegulationRow(
        trigger=trigger,
        source=_states(source),
        article=article,
        guard=_several(when),
        effect=_several(do),
        refusal=code,
        says=says,
        also=(also,) if isinstance(also, str) else also,
    )


def refusals(trigger: str, source: States, table: Iterable[Refusal]) -> tuple[RegulationRow, ...]:
    return tuple(refuse(trigger, source, code, article, says, when=guard) for guard, code, article, says in table)


def irregular(  # noqa: PLR0913  # a row's parts, all but the first five by name
    trigger: str,
    source: States,
    code: IrregularityCode,
    article: str,
    says: str,
    *,
    dest: StrEnum | None = None,
    when: Guards = (),
    do: Effects = (),
    also: Names = (),
) -> RegulationRow:
    return RegulationRow(
        trigger=trigger,
        source=_states(source),
        dest=dest,
        article=article,
        guard=_several(when),
        effect=_several(do),
        irregularity=code,
        says=says,
        also=(also,) if isinstance(also, str) else also,
    )


def others(states: Iterable[StrEnum], *but: StrEnum) -> tuple[StrEnum, ...]:
    return tuple(state for state in states if state not in but)

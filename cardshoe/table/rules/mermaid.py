"""State diagrams of the machines, from the running rows."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cardshoe.table.rules.view import states_of
from regulations.law.rows import RegulationRow

_INDENT: Final = "    "


def diagram(machines: Mapping[str, Sequence[RegulationRow]]) -> str:
    lines = ["stateDiagram-v2"]
    for name, rows in machines.items():
        drawn = [_INDENT + line for line in _lines(name, rows)]
        if len(machines) == 1:
            lines += drawn
        else:
            lines += [f"{_INDENT}state {name} {{", *(_INDENT + line for line in drawn), f"{_INDENT}}}"]
    return "\n".join(lines) + "\n"


def label(row: RegulationRow) -> str:
    guards = f" [{', '.join(row.guards)}]" if row.guard else ""
    return f"{row.trigger}{guards} {row.article}"


def _lines(machine: str, rows: Sequence[RegulationRow]) -> Iterator[str]:
    # States such as `return` could be words of the language, and machines share none: the machine's name goes before.
    states = states_of(rows)
    yield from (f'state "{state.value}" as {machine}_{state.value}' for state in states)
    yield f"[*] --> {machine}_{states[0].value}"
    left = set()
    for row in rows:
        if row.dest is None:
            continue
        for source in row.source:
            left.add(source)
            yield f"{machine}_{source.value} --> {machine}_{row.dest.value} : {label(row)}"
    yield from (f"{machine}_{state.value} --> [*]" for state in states if state not in left)

"""State diagrams of the machines, drawn from the rows that run: Mermaid, which many Markdown viewers draw."""

from collections.abc import Iterator, Sequence

from regulations.rows import Row
from table.rules.view import states_of

_INDENT = "    "


def diagram(rows: Sequence[Row]) -> str:
    """One machine as a Mermaid ``stateDiagram-v2``.

    Only rows that move the machine are drawn, one arrow for each state that they leave: its label is the input, the
    guards and the article. What a machine refuses, or takes without moving, is in the table of its rules.
    """
    return "\n".join(_lines(rows)) + "\n"


def label(row: Row) -> str:
    """``card [round_burn_due] 55/2004 art. 8.º``."""
    guards = f" [{', '.join(row.guard)}]" if row.guard else ""
    return f"{row.trigger}{guards} {row.article}"


def _lines(rows: Sequence[Row]) -> Iterator[str]:
    # Names such as `return` or `state` could be words of the language: every state gets an id that cannot be.
    yield "stateDiagram-v2"
    states = states_of(rows)
    yield from (f'{_INDENT}state "{state.value}" as s_{state.value}' for state in states)
    yield f"{_INDENT}[*] --> s_{states[0].value}"
    left = set()
    for row in rows:
        if row.dest is None:
            continue
        for source in row.source:
            left.add(source)
            yield f"{_INDENT}s_{source.value} --> s_{row.dest.value} : {label(row)}"
    yield from (f"{_INDENT}s_{state.value} --> [*]" for state in states if state not in left)

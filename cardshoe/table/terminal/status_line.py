"""The status line of a table, and its options."""

from collections.abc import Iterator
from typing import Final

from cardshoe.process.free_text import terminal_text
from cardshoe.table.rules.text import short, value_text
from cardshoe.table.terminal.formatting import COLUMNS, count_text, fitted
from cardshoe.table.terminal.input_context import Situation

_NAME: Final = 26
_VALUE: Final = 28


def status_line(now: Situation, *, witnesses: int) -> str:
    """Table, round, shoe progress, links, journal, witnesses; never the cards left."""
    view = now.view
    parts = [now.table.table_id]
    if view.round is not None:
        parts.append(f"round {view.round.number}")
    else:
        parts.append(f"{view.rounds} rounds" if view.rounds != 1 else "1 round")
    parts.append(f"{view.shoe.dealt} cards out" + (", LAST ROUND" if view.shoe.is_last_round else ""))
    parts += [f"{name} {_link(now, name)}" for name in now.devices]
    if view.irregularities:
        parts.append(f"{len(view.irregularities)} OPEN")
    parts.append(f"journal {view.seq}")
    behind = len(view.witnesses)
    parts.append(f"witness {behind} BEHIND" if behind else "witness ok" if witnesses else "no witness")
    return terminal_text(" │ ".join(parts))


def _link(now: Situation, name: str) -> str:
    device = now.view.devices.get(name)
    if device is None:
        return "ok"
    if device.lost:
        return "LOST"
    return f"FAULT {device.faults[0].code}" if device.faults else "ok"


def options_text(now: Situation) -> str:
    return "\n".join(_options(now))


def _options(now: Situation) -> Iterator[str]:
    table, law = now.table, now.game.law
    yield from fitted(
        f"{table.table_id}: {law.title}, {count_text(table.decks, 'deck')}, {count_text(table.seats, 'seat')}, "
        f"{table.equipment}; {law.edition}"
    )
    values = {**{option.name: option.default for option in law.options}, **table.options, **now.options}
    for option in law.options:
        value = values[option.name]
        mark = "*" if value != option.default else " "
        if option.on and table.equipment not in option.on:
            continue
        line = f"{mark} {option.name:<{_NAME}}{value_text(value):<{_VALUE}} {short(option.article, law.edition)}"
        yield from fitted(line, COLUMNS)
    for one in table.authorisations:
        yield from fitted(f"  authorised: {one.option} {value_text(one.value)}, {one.reference}, from {one.effective}")
    yield from fitted(f"  currency {now.currency.code}; `*` is not the regulation's first alternative")

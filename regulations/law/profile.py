"""Checks of a table profile; each returns the fault for a person, or ``None``."""

import difflib
from collections.abc import Collection, Sequence
from datetime import date
from typing import Any, Final

from regulations.events.inputs import Authorisation, Table
from regulations.events.vocabulary import EquipmentKind
from regulations.law.calendar import date_in_macau, has_notice
from regulations.law.game_law import GameLaw, Option

NOTICE_DAYS: Final = 3
"""Working days between request and adoption (55/2004 art. 19.º)."""


def unknown_option(table: Table, law: GameLaw) -> str | None:
    for name in table.options:
        if law.option(name) is None:
            known = [option.name for option in law.options]
            near = next(iter(difflib.get_close_matches(name, known)), None)
            hint = f"did you mean {near!r}?" if near else f"{law.game} has {', '.join(known)}"
            return f"option {name!r}: {hint}"
    return None


def bad_value(table: Table, option: Option) -> str | None:
    if option.name not in table.options or option.accepts(table.options[option.name]):
        return None
    return f"option {option.name!r} is {table.options[option.name]!r}, allowed is {option.allowed} ({option.article})"


def exclusion(table: Table, law: GameLaw, equipment: EquipmentKind, by: str) -> str | None:
    values = {**options_of(table, law), "equipment": equipment}
    for pair in law.exclusions:
        (first, one), (second, other) = pair.first, pair.second
        if values[first] == one and values[second] == other and by == pair.article:
            return f"{first}={one!r} and {second}={other!r} exclude each other ({pair.article})"
    return None


def options_of(table: Table, law: GameLaw) -> dict[str, Any]:
    return {option.name: table.options.get(option.name, option.default) for option in law.options}


def options_in_force(table: Table, law: GameLaw, equipment: EquipmentKind) -> dict[str, Any]:
    values = options_of(table, law)
    return {option.name: values[option.name] for option in law.options if not option.on or equipment in option.on}


def missing_authorisation(table: Table, law: GameLaw, equipment: EquipmentKind, at: str) -> str | None:
    wanted: list[tuple[str, Any]] = [
        (option.name, table.options[option.name])
        for option in law.options
        if option.authorised
        and option.name in table.options
        and not _same(table.options[option.name], option.default, option.always)
    ]
    if equipment in law.authorised_equipment:
        wanted.append(("equipment", equipment))
    for name, value in wanted:
        option = law.option(name)
        always = () if option is None else option.always
        if fault := _authorisation_fault(table.authorisations, name, value, date_in_macau(at), always):
            return f"{name}={value!r} {fault}"
    return None


def _authorisation_fault(
    held: Sequence[Authorisation], name: str, value: object, today: date, always: Collection[str]
) -> str | None:
    fault = "needs an authorisation of the DICJ; add it to `authorisations`"
    for authorisation in held:
        if authorisation.option != name or not _same(authorisation.value, value, always):
            continue
        reason = _not_yet_good(authorisation, today)
        if reason is None:
            return None
        fault = f"has authorisation {authorisation.reference!r}, but {reason}"
    return fault


def _not_yet_good(authorisation: Authorisation, today: date) -> str | None:
    if not authorisation.reference.strip():
        return "it carries no reference of the DICJ"
    try:
        requested = date.fromisoformat(authorisation.requested)
        effective = date.fromisoformat(authorisation.effective)
    except ValueError as error:
        return f"its dates are not written YYYY-MM-DD ({error})"
    if not has_notice(requested, effective, NOTICE_DAYS):
        return (
            f"it takes effect on {effective}, less than {NOTICE_DAYS} working days of Macau "
            f"after it was requested on {requested}"
        )
    if effective > today:
        return f"it takes effect on {effective}, and today is {today} in Macau"
    return None


def _same(one: object, other: object, always: Collection[str]) -> bool:
    return _form(one, always) == _form(other, always)


def _form(value: object, always: Collection[str]) -> str | list[str]:
    return sorted(repr(word) for word in value if word not in always) if isinstance(value, list) else repr(value)

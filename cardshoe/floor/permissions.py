"""The table of permissions of the interface for readers.

A route without an entry is closed. Roles are the table's (`docs/persons.md`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from regulations.events.vocabulary import Role

Roles = frozenset[Role]
ALL: Final[Roles] = frozenset({"croupier", "supervisor", "surveillance", "technician", "regulator"})
LOOKS: Final[Roles] = frozenset({"supervisor", "surveillance", "regulator"})
EQUIPS: Final[Roles] = LOOKS | {"technician"}
SUPERVISES: Final[Roles] = frozenset({"supervisor"})
WATCHES: Final[Roles] = frozenset({"surveillance"})
"""Watch alarms and timelines: people at a table may be part of the fraud."""


@dataclass(frozen=True, slots=True)
class Permission:
    roles: Roles = ALL
    programs: bool = False
    anybody: bool = False


PERMISSIONS: Final[Mapping[str, Permission]] = {
    "GET /api/v1/tables": Permission(EQUIPS, programs=True),
    "GET /api/v1/logs": Permission(EQUIPS, programs=True),
    "GET /api/v1/lines": Permission(LOOKS, programs=True),
    "GET /api/v1/notes": Permission(LOOKS, programs=True),
    "GET /api/v1/alarms": Permission(EQUIPS, programs=True),
    "POST /api/v1/alarms/{number}/close": Permission(SUPERVISES),
    "GET /api/v1/watch": Permission(WATCHES),
    "POST /api/v1/watch/{number}/acknowledge": Permission(WATCHES),
    "POST /api/v1/watch/{number}/close": Permission(WATCHES),
    "GET /api/v1/visits": Permission(LOOKS),
    "GET /": Permission(EQUIPS),
    "GET /tables": Permission(EQUIPS),
    "GET /tables/events": Permission(EQUIPS),
    "GET /table": Permission(EQUIPS),
    "GET /table/events": Permission(EQUIPS),
    "GET /irregularities": Permission(LOOKS),
    "GET /plots": Permission(EQUIPS),
    "GET /rounds": Permission(LOOKS),
    "GET /rounds.csv": Permission(LOOKS),
    "GET /rounds/{log}/{seq}": Permission(LOOKS),
    "GET /rounds/{log}/{seq}/proof": Permission(LOOKS),
    "GET /surveillance": Permission(WATCHES),
    "GET /surveillance/events": Permission(WATCHES),
    "GET /report": Permission(LOOKS),
    "GET /report.csv": Permission(LOOKS),
    "GET /watch": Permission(WATCHES),
    "GET /watch/events": Permission(WATCHES),
    "POST /watch/{number}/acknowledge": Permission(WATCHES),
    "POST /watch/{number}/close": Permission(WATCHES),
    "POST /api/v1/session": Permission(anybody=True),
    "GET /api/v1/session": Permission(),
    "DELETE /api/v1/session": Permission(),
    "GET /sign-in": Permission(anybody=True),
    "POST /sign-in": Permission(anybody=True),
    "POST /sign-out": Permission(),
    "GET /static": Permission(anybody=True),
    "GET /healthz": Permission(anybody=True),
    "GET /readyz": Permission(anybody=True),
}
"""By method and path; a permission for `GET` includes `HEAD`."""

"""Reasons for refusals, and which of them are alarms."""

from http import HTTPStatus
from typing import Final, Literal

from cardshoe.journal.delivery.wire import Code, Refusal, Stands

AlarmKind = Literal[
    "fork",  # the log has another entry at a number, or another past, than was stored
    "not_signed",  # the entries are not what the table's key has signed
    "witness",  # the log signed what cannot be true together with what it signed before
    "rolled_back",  # the table has less of its log than it had: an old image of its disk
    "no_journal",  # entries that no journal holds
    "not_yours",  # a certificate was used for another table
    "older_list",  # a table has a newer list of persons than the floor: an older image of the floor's own folder
    "not_enrolled",  # a table that is not on the list, or a certificate that is not a table's
    "guessing",  # too many sign-ins were refused, over all tables
    "many_logs",  # a table begins more logs than an uplink may name
    "missing_log",  # a log names one before it that is not here whole
    "two_senders",  # two uplinks send for one table
]
STOPPING: Final[frozenset[AlarmKind]] = frozenset({"fork", "not_signed", "witness", "rolled_back", "no_journal"})
"""Alarms that stop their log; all other logs continue."""
STATUS: Final[dict[Code, HTTPStatus]] = {
    "malformed": HTTPStatus.BAD_REQUEST,
    "not_yours": HTTPStatus.FORBIDDEN,
    "not_enrolled": HTTPStatus.FORBIDDEN,
    "revoked": HTTPStatus.FORBIDDEN,
    "behind": HTTPStatus.CONFLICT,
    "keys": HTTPStatus.CONFLICT,
    "other_sender": HTTPStatus.CONFLICT,
    "stopped": HTTPStatus.CONFLICT,
    "busy": HTTPStatus.TOO_MANY_REQUESTS,
    "too_long": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "database": HTTPStatus.SERVICE_UNAVAILABLE,
}


class Alarm(Exception):
    def __init__(self, kind: AlarmKind, detail: str, entry: int | None = None) -> None:
        super().__init__(detail)
        self.kind: Final[AlarmKind] = kind
        self.detail: Final = detail
        self.entry: Final = entry


class NotTaken(Exception):
    def __init__(self, code: Code, reason: str, stands: Stands | None = None) -> None:
        super().__init__(reason)
        self.refusal: Final = Refusal(code=code, reason=reason, stands=stands or Stands())

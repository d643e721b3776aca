"""Each table gets its own list alone: lists contain PIN hashes."""

import logging
from typing import Final

from cardshoe.floor.alarm_kinds import Alarm
from cardshoe.floor.alarms import raise_alarm
from cardshoe.floor.database import Database, Unavailable
from cardshoe.floor.persons.newest import hand_out
from cardshoe.floor.persons.staff_list import Roll
from cardshoe.journal.proof.note import BadNote, VerifyKey
from cardshoe.persons.signed_list import SignedList
from cardshoe.process.exits import Stop

logger: Final = logging.getLogger(__name__)


class Handing:
    """Distributes lists; from any thread."""

    def __init__(self, database: Database, roll: Roll) -> None:
        self._database: Final = database
        self._roll: Final = roll
        self._told = ""

    def news(self, table: str) -> str:
        """The digest of a table's list; empty: no list."""
        try:
            digest = self._roll.digest(table)
        except Stop as stop:
            if stop.what != self._told:
                logger.warning("no table gets a list of persons: %s. %s", stop.what, stop.remedy)
            self._told = stop.what
            return ""
        self._told = ""
        return digest

    def list_for(self, table: str, kept: str) -> str:
        """The signed list of a table, empty: none; ``kept``: the list that it has."""
        try:
            issued, data = self._roll.issued(), self._roll.for_table(table)
        except Stop as stop:
            logger.warning("%s. %s", stop.what, stop.remedy)
            return ""
        if issued is None or data is None:
            return ""
        newest = hand_out(self._database, self._roll.key, issued.version)
        if newest > issued.version:
            detail = f"tables were given list {newest} of persons, and the floor has {issued.version}: its state is old"
            self._raise(table, Alarm("older_list", detail))
            return ""
        version = self._version_of(table, kept)
        if version > issued.version:
            detail = f"the table has list {version} of persons, and the floor {issued.version}: its state is old"
            self._raise(table, Alarm("older_list", detail))
        return data.decode()

    def _version_of(self, table: str, kept: str) -> int:
        if not kept:
            return 0
        try:
            return SignedList.read(kept.encode(), VerifyKey.parse(self._roll.key), table).version
        except BadNote as error:
            logger.warning("%s: the list of persons that it has is not this floor's: %s", table, error.reason)
            return 0

    def _raise(self, table: str, alarm: Alarm) -> None:
        try:
            with self._database.transaction() as db:
                raise_alarm(db, table, "", alarm)
        except Unavailable as error:
            logger.warning("%s", error)

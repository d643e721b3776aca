"""Check the floor's list of staff."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from cardshoe.cli.doctoring.findings import Finding, fine, problem, warning
from cardshoe.journal.proof.note import BadNote
from cardshoe.persons.signed_list import LIST_BYTES, SignedList
from cardshoe.process.plain_file import read_plain
from cardshoe.table.setup.config import TableConfig

_REACH: Final = "See whether the uplink reaches the floor, and what `cardshoe floor persons list` says there."


def persons(config: TableConfig, now: datetime | None = None) -> Iterator[Finding]:
    if config.persons_key is None:
        return
    path, table = config.persons_list, config.table.table_id
    try:
        issued = SignedList.read(read_plain(path, LIST_BYTES), config.persons_key, table)
    except FileNotFoundError:
        yield warning("persons", f"there is no list from the floor yet: {config.persons} is in force", _REACH)
        return
    except OSError as error:
        yield problem("persons", f"{path}: {error.strerror or error}", "Let the table's user read it.")
        return
    except BadNote as error:
        remedy = (
            "Remove it: the uplink fetches another. If the error stays, compare [persons] floor with the floor's key."
        )
        yield problem("persons", f"{path} was rejected: {error.reason}", remedy)
        return
    since, until = datetime.fromisoformat(issued.issued), datetime.fromisoformat(issued.until)
    left = until - (now or datetime.now(UTC))
    what = f"list {issued.version} of the floor, of {since:%Y-%m-%d}, counts until {until:%Y-%m-%d %H:%M} UTC"
    if left.total_seconds() <= 0:
        yield problem("persons", f"{what}: it has expired, and only its croupiers may sign in", _REACH)
    elif left < (until - since) / 2:
        yield warning("persons", f"{what}; no newer list has come", _REACH)
    else:
        yield fine("persons", what)

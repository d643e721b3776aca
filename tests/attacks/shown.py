"""What the floor shows of its tables: each answer of its interface, each page, and what a SIEM is sent."""

from collections.abc import Sequence
from typing import Final

from tests.cardshoe.floor.pages.support import DAY, Looked

API: Final = ("/api/v1/tables", "/api/v1/alarms?all=1", "/api/v1/visits")
PAGES: Final = ("/tables", "/irregularities", "/plots", "/report", "/report.csv")


class Kept:
    """A receiver that takes everything."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []

    def send(self, messages: Sequence[bytes]) -> None:
        self.messages += messages


def everything(looked: Looked, tables: Sequence[str]) -> dict[str, str]:
    """Each page and answer, by its address; none of them fails."""
    day = {"/irregularities": {"from": DAY, "to": DAY}, "/plots": {"from": DAY, "to": DAY}}
    found = {path: looked.get(path, day.get(path, {"day": DAY})) for path in PAGES}
    for path in API:
        answer = looked.client.get(path)
        assert answer.status_code == 200, (path, answer.text)
        found[path] = answer.text
    found["of T-1"] = looked.get("/irregularities", day["/irregularities"], table="T-1")
    for table in tables:
        found[table] = looked.get("/table", id=table)
    return found

"""The technician's page: faults with remedies and figures, and no card in it; for technicians alone."""

import re
from http import HTTPStatus
from pathlib import Path

from tests.cardshoe.persons.support import ROLES, table_with_persons
from tests.cardshoe.table.display.support import inside
from tests.cardshoe.table.live.support import READY
from tests.kit.waiting import eventually


def test_it_shows_equipment_and_no_card_to_technicians_alone(tmp_path: Path) -> None:
    with table_with_persons(tmp_path) as table, inside(table) as client:
        assert client.get("/technician").status_code == HTTPStatus.UNAUTHORIZED
        for person, role in ROLES.items():
            client.enter(person)
            assert client.get("/technician").status_code == (200 if role == "technician" else 403), person
        client.enter("theo")
        table.tell(*READY, {"event": "card", "card": "9H", "device": "shoe"})
        table.tell({"event": "fault", "device": "shoe", "code": 3})
        eventually(lambda: "fault 3" in client.get("/technician").text, "the fault is shown")
        html = client.get("/technician").text
        assert "cardshoe_display_current" in html
        assert "cardshoe doctor TABLE.toml" in html
        main = html.partition("<main")[2]
        assert not re.search(r"9H|9♥|suit-|aria-label=\"9", main)

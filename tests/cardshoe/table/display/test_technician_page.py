"""The technician's page: links, checks and faults with remedies, and no card in it; for technicians alone."""

import re
from http import HTTPStatus
from pathlib import Path

from cardshoe.table.display.technician_page import equipment_of
from cardshoe.table.live.equipment import EquipmentStatus
from cardshoe.table.live.place import TablePlace
from tests.cardshoe.persons.support import ROLES, table_with_persons
from tests.cardshoe.table.display.support import EQUIPMENT, inside
from tests.cardshoe.table.live.support import READY
from tests.kit.waiting import eventually


def test_it_shows_equipment_and_no_card_to_technicians_alone(tmp_path: Path) -> None:
    with table_with_persons(tmp_path, equipment=lambda: EQUIPMENT) as table, inside(table) as client:
        assert client.get("/technician").status_code == HTTPStatus.UNAUTHORIZED
        for person, role in ROLES.items():
            client.enter(person)
            assert client.get("/technician").status_code == (200 if role == "technician" else 403), person
        client.enter("theo")
        table.tell(*READY, {"event": "card", "card": "9H", "device": "shoe"})
        table.tell({"event": "fault", "device": "shoe", "code": 3})
        eventually(lambda: "fault 3" in client.get("/technician").text, "the fault is shown")
        html = client.get("/technician").text
        metrics = re.search(r"<pre[^>]*>([^<]*)</pre>", html)
        assert metrics is not None
        assert [one.partition("{")[0] for one in metrics[1].split()[::2]] == [
            "cardshoe_display_current", "cardshoe_display_streams", "cardshoe_journal_entries"
        ]  # fmt: skip
        main = html.partition("<main")[2]
        assert not re.search(r"9H|9♥|suit-|aria-label=\"9", main)
        said = " ".join(re.sub(r"<[^>]+>", " ", main).split())
        link = EQUIPMENT.links[0]
        assert f"shoe angel_eye usb:0403:6001 Bytes, no frames · 12 s {link.advice}" in said
        assert " ".join(["shoe", *map(str, link.counts.values())]) in said
        assert "shoe 3 bad_checksum ·· × 17" in said
        checks = said.partition("Checks · 20:00:00")[2]
        assert "Problem device shoe no permission Add the account to dialout. OK disk 12 GB free" in checks
        assert "Checks are being made" in checks
        assert EQUIPMENT.command in checks
        assert f"Next build {EQUIPMENT.next_build}" in said


def test_a_table_that_does_not_answer_has_no_equipment(tmp_path: Path) -> None:
    assert equipment_of(TablePlace.of(tmp_path, "T-1")) == EquipmentStatus()

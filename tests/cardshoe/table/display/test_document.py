"""The interface's own document against a running display with a real table: what it allows, and what it does not."""

from http import HTTPStatus
from pathlib import Path

import pytest

from cardshoe.process.http.browser_sessions import COOKIE
from tests.cardshoe.table.display.support import displayed_with_persons, signed_in


@pytest.mark.statistical
@pytest.mark.timeout(3600)  # in full two thousand cases of each operation
@pytest.mark.filterwarnings("ignore")  # the library's own
def test_nothing_that_is_asked_is_a_defect(tmp_path: Path, seed: int) -> None:
    from tests.cardshoe.table.display.document_cases import asked_all  # noqa: PLC0415  its library takes a second to load

    with displayed_with_persons(tmp_path) as (table, client):
        session = signed_in(client, "sara", "own")
        headers = {"Cardshoe-Csrf": session["csrf"], "Cookie": f"{COOKIE}={client.cookies[COOKIE]}"}
        document = client.get("/api/v1/openapi.json").json()
        statuses, operations = asked_all(document, str(client.base_url).rstrip("/"), headers, seed)
        assert operations == 18
        assert max(statuses) < HTTPStatus.INTERNAL_SERVER_ERROR, statuses
        assert {200, 400, 403} <= set(statuses), statuses
        assert client.get("/readyz").status_code == HTTPStatus.OK
        assert table.log.journal.last_seq > 0

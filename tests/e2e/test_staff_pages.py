"""The pages of supervisor, technician, surveillance and regulator at a table: axe, sizes, languages, pictures."""

import json
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.cardshoe.persons.support import table_with_persons
from tests.cardshoe.table.display.support import EQUIPMENT, Inside, inside
from tests.cardshoe.table.live.support import READY
from tests.e2e.gallery import HOME, still_page
from tests.e2e.looking import look
from tests.e2e.stage import LONG, NEEDS_CHROMIUM, PICTURES, SIZES
from tests.kit.command import Line
from tests.kit.waiting import eventually

pytestmark = [NEEDS_CHROMIUM, pytest.mark.timeout(300)]
LANGUAGES: Final = ("zh-Hant", "pt", "en") if LONG else ("pt",)
LOOKS: Final = [(size, language) for size in (SIZES if LONG else ("small",)) for language in LANGUAGES]
SENT: Final = ("cardshoe-csrf", "idempotency-key")
PAGES: Final = {"pit": "sara", "rounds": "rosa", "round": "vera", "technician": "theo"}
BETS: Final[Line] = {
    "event": "bets_closed",
    "seats": [1, 2],
    "wagers": [{"seat": 1, "bet": "banker", "stake": 10000}, {"seat": 2, "bet": "tie", "stake": 2000}],
}
PLAYED: Final[list[Line]] = [
    *READY,
    BETS,
    *({"event": "card", "card": card, "device": "shoe"} for card in ("9H", "3D", "KS", "4C")),
    {"event": "round_closed"},
    BETS,
    {"event": "card", "card": "2D"},
    {"event": "fault", "device": "shoe", "code": 3},
]


def show(page: Page, client: Inside, path: str) -> None:
    """Open a page of a display in this process: what the browser asks for is asked there."""

    def answer(route: Route) -> None:
        parts = urlsplit(route.request.url)
        if parts.path.endswith("/events"):
            route.abort()
            return
        data = route.request.post_data
        body = {} if data is None else {"json": json.loads(data)}
        found = client.request(
            route.request.method,
            f"{parts.path}{'?' if parts.query else ''}{parts.query}",
            headers={name: value for name, value in route.request.headers.items() if name in SENT},
            **body,
        )
        headers = {"content-type": found.headers.get("content-type", "text/plain")}
        route.fulfill(status=found.status_code, headers=headers, body=found.content)

    page.unroute_all()
    page.route(f"{HOME}**", answer)
    page.goto(f"{HOME}{path}")


def test_each_page_is_looked_at(browser: Browser, tmp_path: Path) -> None:
    with table_with_persons(tmp_path, equipment=lambda: EQUIPMENT) as table, inside(table) as client:
        table.tell(*PLAYED)
        seq, log = table.log.journal.last_seq, table.log.journal.header.fingerprint
        for size, language in LOOKS:
            page = still_page(browser, size)
            for name, person in PAGES.items():
                client.enter(person)
                path = f"rounds/{log}/{table.view.results[0].seq}" if name == "round" else name
                eventually(
                    lambda name=name: name != "pit" or f"№ {seq}" in client.get("/pit").text,  # type: ignore[misc]  # at once
                    "the table is shown",
                )
                show(page, client, f"{path}?lang={language}")
                expect(page.locator("html")).to_have_attribute("lang", language)
                if name == "pit":
                    # The irregularity and the round before it lead to their pages.
                    expect(page.locator("a.to-round:visible")).to_have_count(5)
                look(page, PICTURES / f"{size}-{language}" / f"staff-{name}.png")
            page.context.close()


def test_a_supervisor_previews_and_proposes_at_the_pit_page(browser: Browser, tmp_path: Path) -> None:
    with table_with_persons(tmp_path) as table, inside(table) as client:
        table.tell(*READY, BETS, {"event": "card", "card": "9H", "device": "shoe"})
        client.enter("sara")
        eventually(lambda: 'data-event="void"' in client.get("/pit").text, "the round is shown")
        page = still_page(browser, "small")
        show(page, client, "pit?lang=en")
        page.wait_for_selector('[data-ripe="no"]', state="detached")
        page.locator('[data-event="void"]:visible').first.click()
        page.locator("#ask-why [data-reason]:visible").first.click()
        preview = page.locator("#ask-person [data-preview]")
        expect(preview).to_contain_text("Round void: return every wager")
        expect(preview).to_contain_text("returned 100")
        page.context.close()


def test_a_croupier_sees_no_link_to_a_round(browser: Browser, tmp_path: Path) -> None:
    with table_with_persons(tmp_path) as table, inside(table) as client:
        table.tell(*READY, BETS, {"event": "card", "card": "9H", "device": "shoe"})
        for person, links in (("cara", 0), ("sara", 1)):
            client.enter(person)
            eventually(lambda: "to-round" in client.get("/croupier").text, "the round is shown")
            page = still_page(browser, "small")
            show(page, client, "croupier?lang=en")
            page.wait_for_selector("html[data-signed=in]")
            expect(page.locator(".strip a.to-round:visible")).to_have_count(links)
            page.context.close()
        link = client.get("/croupier").text.partition('class="to-round" href="')[2].partition('"')[0]
        assert client.get(link).status_code == HTTPStatus.OK

"""The pages in headless Chromium: ten tabs of one browser stay live, nothing that axe finds, and the cover."""

from pathlib import Path
from typing import Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

from tests.table.display.support import displayed
from tests.table.live.support import READY

CHROMIUM: Final = Path("/usr/bin/chromium")
TAGS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PATIENCE_MS: Final = 30_000


@pytest.mark.skipif(not CHROMIUM.exists(), reason="no Chromium here; .ci/run installs it")
def test_ten_tabs_stay_live_and_are_covered_once_the_table_is_gone(tmp_path: Path) -> None:
    with displayed(tmp_path) as (table, client), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context()
        told: list[str] = []
        context.on("weberror", lambda error: told.append(str(error.error)))
        # That nobody can sign in here is an answer, which a browser prints.
        context.on("console", lambda said: told.extend([said.text] if "/session" not in said.location["url"] else []))
        tabs = [context.new_page() for _ in range(10)]
        for number, tab in enumerate(tabs):
            tab.goto(f"{client.base_url}{'board' if number % 2 else 'croupier'}")
        table.tell(*READY)
        seq = f"{table.log.journal.header.fingerprint}:{table.log.journal.last_seq}"
        for tab in tabs:
            expect(tab.locator("#shown")).to_have_attribute("data-id", seq, timeout=PATIENCE_MS)
            expect(tab.locator("#cover")).to_be_hidden()
            expect(tab.locator(".banner")).to_be_visible()
        for tab in tabs[:2]:
            found = Axe().run(tab, options={"runOnly": {"type": "tag", "values": TAGS}})
            assert found.violations_count == 0, found.generate_report()
        assert told == []
        table.live.__exit__()
        for tab in tabs:
            expect(tab.locator("#cover")).to_be_visible(timeout=PATIENCE_MS)
        browser.close()

"""What somebody sees first: the start page of a demonstration, and the croupier's sign-in of one with hands."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.looking import look
from tests.e2e.stage import NEEDS_CHROMIUM, PATIENCE_MS, PICTURES, SIZES
from tests.kit.command import Command

pytestmark = [NEEDS_CHROMIUM, pytest.mark.timeout(120)]


def begun(demo: Command) -> tuple[str, dict[str, str]]:
    """The address and the PINs that a demonstration prints, once its table is there."""
    address = demo.until(lambda line: line.startswith("open "))[-1].removeprefix("open ")
    said = " ".join(demo.until(lambda line: line.startswith("Table ")))
    return address, dict(re.findall(r"(\w+)\s+(\d{6})\b", said))


def test_the_start_page_leads_to_a_page_in_the_language_that_is_chosen(tmp_path: Path, browser: Browser) -> None:
    with Command("demo", "--speed", "1", "--seed", "7", folder=tmp_path) as demo:
        address, pins = begun(demo)
        for name, (width, height) in SIZES.items():
            page = browser.new_context(viewport={"width": width, "height": height}, has_touch=True).new_page()
            page.goto(address)
            assert page.locator("td:nth-child(2)").all_inner_texts() == [*pins.values()]
            look(page, PICTURES / f"start-{name}.png")
            page.get_by_role("link", name="Português").tap()
            page.locator(".doors a").first.tap()
            expect(page.locator("html")).to_have_attribute("lang", "pt")
            expect(page.locator("#cover")).to_be_hidden(timeout=PATIENCE_MS)
            expect(page.locator(".prompt h2")).to_have_text("Baralhar as cartas")
            page.context.close()


def test_a_demonstration_with_hands_opens_at_the_sign_in(tmp_path: Path, browser: Browser) -> None:
    with Command("demo", "--hands", "--speed", "1000", "--seed", "7", "--language", "en", folder=tmp_path) as demo:
        address, pins = begun(demo)
        page = browser.new_context(viewport={"width": 1024, "height": 600}, has_touch=True).new_page()
        page.goto(address)
        expect(page.locator("#ask-person")).to_be_visible(timeout=PATIENCE_MS)
        page.locator("[name=person]").fill("croupier")
        page.locator("[name=pin]").fill(pins["croupier"])
        page.locator("#ask-person .first").tap()
        expect(page.locator("[data-who=id]")).to_have_text("croupier", timeout=PATIENCE_MS)
        page.reload()
        expect(page.locator("[data-who=id]")).to_have_text("croupier", timeout=PATIENCE_MS)
        expect(page.locator("#ask-person")).to_be_hidden()
        page.context.close()

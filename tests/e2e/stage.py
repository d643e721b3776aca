"""A real table with persons, its display, and a browser with a touch screen in front of it.

The display is a process of its own in the long form, as at a table; in the short form `DisplayHere`.
"""

import json
import os
import queue
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest
from msgspec import UNSET
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from cardshoe.screens.words.display_section import DisplaySection, Language
from cardshoe.table.display.child import DisplayChild
from cardshoe.table.display.settings import DisplaySettings
from cardshoe.table.live.equipment import EquipmentStatus
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.staff_service import Persons
from regulations.events.codec import decode_input
from regulations.events.inputs import AnyInput, Proposed, Table
from regulations.events.notices import SignedIn, SignedOut, SignInsRefused
from regulations.events.outputs import AnyOutput
from tests.cardshoe.persons.support import CHEAP, Clock, registry_in
from tests.cardshoe.table.display.here import DisplayHere
from tests.cardshoe.table.live.support import ServedTable
from tests.kit.command import Line

SIZES: Final = {"small": (1024, 600), "large": (1920, 1080), "portrait": (1080, 1920), "phone": (390, 844)}
"""Beside the shoe, on a stand, upright, in a hand."""
LONG: Final = os.environ.get("CARDSHOE_E2E") == "1"
"""True if this is the long form, `make e2e`."""
_SHELL: Final = Path("/usr/bin/chromium-headless-shell")
CHROMIUM: Final = _SHELL if _SHELL.exists() and not LONG else Path("/usr/bin/chromium")
"""The short form takes Chromium without its windows where it is: the same engine for half of the CPU time."""
NEEDS_CHROMIUM: Final = pytest.mark.skipif(not CHROMIUM.exists(), reason="no Chromium here; .ci/run installs it")
PICTURES: Final = Path(".e2e")
LANGUAGES: Final[list[list[Language]]] = (
    [["zh-Hant", "pt"], ["en"], ["pt"], ["zh-Hant"]] if LONG else [["zh-Hant", "pt"]]
)
LOOKS: Final = [(size, said) for size in (SIZES if LONG else ("small",)) for said in LANGUAGES]
"""Screens and languages in which every state is looked at."""
PATIENCE_MS: Final = 30_000
PATIENCE_S: Final = 30.0
expect.set_options(timeout=PATIENCE_MS)
SHOWN: Final = """([log, seq, patience_ms]) => new Promise((resolve, reject) => {
  const shown = document.getElementById("shown"), cover = document.getElementById("cover");
  const is = () => {
    const [of, at] = (shown.dataset.id ?? "").split(":");
    return of === log && Number(at) >= seq && cover.hidden;
  };
  if (is()) return resolve();
  const late = setTimeout(() => reject(`it shows ${shown.dataset.id}`), patience_ms);
  const eye = new MutationObserver(() => {
    if (!is()) return;
    eye.disconnect();
    clearTimeout(late);
    resolve();
  });
  eye.observe(shown, { attributes: true, attributeFilter: ["data-id"] });
  eye.observe(cover, { attributes: true, attributeFilter: ["hidden"] });
})"""
"""Waits until a page shows a line, by an event and not by asking again and again."""
_NOTICES: Final = (SignedIn, SignedOut, SignInsRefused, Proposed)


@dataclass
class Stage:
    """A table and who looks at it.

    Attributes:
        page: the croupier's page.
        faults: what a page's script ran into.
    """

    table: ServedTable
    home: str
    browser: Browser
    context: BrowserContext
    page: Page
    taken: "queue.SimpleQueue[LoggedInput]"
    opening: Sequence[AnyOutput]
    made: Callable[[], ServedTable]
    faults: list[str] = field(default_factory=list)

    def restart(self) -> None:
        """The table ends, and is taken up again from its journal."""
        self.table.__exit__()
        self.table = self.made()
        self.table.__enter__()
        self.settled()

    def answered(self) -> LoggedInput:
        """The next input that the table took."""
        while True:
            taken = self.taken.get(timeout=PATIENCE_S)
            if not isinstance(taken.event, _NOTICES):
                return taken

    def tell(self, *lines: Line) -> LoggedInput:
        """Inputs of devices, or of somebody at the terminal; what came of the last."""
        taken = [self.give(line) for line in lines]
        self.settled()
        return taken[-1]

    def _told(self, event: AnyInput) -> LoggedInput:
        self.table.give(event)
        return self.answered()

    def give(self, line: Mapping[str, object]) -> LoggedInput:
        """One input; the page is not waited for."""
        return self._told(decode_input(json.dumps(line)))

    def left(self) -> int:
        """Cards that are left in the equipment, as it has counted them."""
        shoe = self.table.view.shoe
        assert shoe.loaded is not UNSET
        return shoe.loaded - shoe.counted

    def settled(self) -> None:
        """Waits until the page shows the last durable line; others may come meanwhile."""
        journal, seq = self.table.log.journal, -1
        while seq != journal.last_seq:
            seq = journal.last_seq
            self.page.evaluate(SHOWN, [journal.header.fingerprint, seq, PATIENCE_MS])

    def ripe(self, page: Page | None = None) -> None:
        """Waits until nothing on a page has just come."""
        shown = page or self.page
        expect(shown.locator('[data-ripe="no"]')).to_have_count(0)
        shown.evaluate("() => Promise.all(document.getAnimations().map((one) => one.finished))")


@contextmanager
def browser_at_work() -> Iterator[Browser]:
    """A headless browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def stage(
    folder: Path,
    table: Table,
    browser: Browser,
    *,
    size: str = "small",
    languages: Sequence[Language] = ("zh-Hant", "en"),
    four_colours: bool = False,
    clock: Clock | None = None,
    page: str = "croupier",
    currency: str = "MOP",
    equipment: Callable[[], EquipmentStatus] = EquipmentStatus,
    apart: bool = LONG,
) -> Iterator[Stage]:
    """A table with persons, and a browser at its page.

    Args:
        browser: in which the page is opened.
        languages: of the page.
        page: which page.
        apart: whether the display is a process of its own.
    """
    registry = registry_in(folder)
    taken: queue.SimpleQueue[LoggedInput] = queue.SimpleQueue()
    tables: list[ServedTable] = []

    def persons(note: Callable[[AnyInput], None]) -> Persons:
        return Persons(registry, note, CHEAP, clock or Clock())

    def made() -> ServedTable:
        served = ServedTable(folder, table, persons=persons, opening=lambda: None, equipment=equipment)
        served.controller.listen(taken.put)
        tables.append(served)
        return served

    first = made()
    section = DisplaySection(listen="127.0.0.1:0", languages=list(languages), simulated=True, four_colours=four_colours)
    settings = DisplaySettings(folder=str(folder), table_id=table.table_id, section=section, currency=currency)
    width, height = SIZES[size]
    opening = first.log.last.outputs
    with ExitStack() as held:
        held.callback(lambda: tables[-1].__exit__())  # noqa: PLW0108  the last there is then
        first.__enter__()
        shown: DisplayChild | DisplayHere = DisplayChild(settings) if apart else DisplayHere(settings)
        held.enter_context(shown)
        context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
        made_of = Stage(first, shown.home, browser, context, context.new_page(), taken, opening, made)
        held.callback(context.close)
        context.on("weberror", lambda error: made_of.faults.append(str(error.error)))
        made_of.page.goto(f"{shown.home}{page}")
        made_of.settled()
        yield made_of

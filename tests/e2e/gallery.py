"""The pages in states that are rare, without a table behind them: ``python -m tests.e2e.gallery [WORD ...]``."""

import json
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

import msgspec
from msgspec import UNSET
from playwright.sync_api import Browser, Page, Route

from cardshoe.persons.permissions import PERMISSIONS
from cardshoe.screens.view import TableView
from cardshoe.screens.words.display_section import DisplaySection, Language
from cardshoe.table.display.feed import Feed
from cardshoe.table.display.pages import Pages
from cardshoe.table.display.settings import DisplaySettings
from cardshoe.table.setup.fault_texts import fault_texts
from regulations.events.inputs import AnyInput, Table
from regulations.events.vocabulary import EquipmentKind, Game
from regulations.games.registry import NAMES
from regulations.procedure.procedure import Procedure
from sim.croupier.instructions import HouseInstructions
from tests.cardshoe.screens.view.support import copy_of, taken
from tests.e2e.looking import look
from tests.e2e.stage import LOOKS, PICTURES, SIZES, browser_at_work
from tests.e2e.ways import ways
from tests.regulations.support.running import as_told, opened
from tests.sim.croupier.plain_table import PlainTable
from tests.sim.croupier.profiles import profile

SEED: Final = 16
ROUNDS: Final = 12
HOME: Final = "http://gallery.test/"
KINDS: Final = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


class Still(Feed):
    """A table that stands still."""

    def __init__(self, view: TableView) -> None:
        super().__init__(_SETTINGS.place)
        self.view = view
        self.log, self.seq, self.why_not, self.has_persons = "0" * 8, view.seq, "", True


_SETTINGS: Final = DisplaySettings(
    folder=".",
    table_id="B-101",
    section=DisplaySection(),
    currency="MOP",
    faults=fault_texts({"shoe": "angel_eye"}),
)


def pictures() -> Iterator[tuple[str, str, TableView]]:
    """Name, page and view of each."""
    for game in NAMES:
        for stakes in ("tracked", "untracked"):
            for name, view in at_prompts(game, stakes).items():
                yield f"{game}-{stakes}-{name}", "croupier", view
        yield f"board-{game}", "board", long_shoe(game)
    for (code, action), _ in sorted(ways().items()):
        yield f"irregularity-{code}-{action}", "croupier", _irregular((code, action))


def views(table: Table, events: Sequence[AnyInput]) -> Iterator[TableView]:
    """The table after each input, its opening first; one view, which goes on."""
    view = TableView()
    for _, one in taken(table, events):
        view.take(one.event, one.outputs)
        yield view


@cache
def at_prompts(game: Game, stakes: str, *, reads: bool = False) -> dict[str, TableView]:
    """The busiest state of each phase of some rounds, ``choosing`` with most choices; each prompt before the first.

    Args:
        game: that is played.
        stakes: whether they are told.
        reads: whether the equipment reads the cards.
    """
    equipment: EquipmentKind = "box" if game == "three_card_baccarat" else "shoe"
    table = profile(game, equipment, {"stakes": stakes})
    at = PlainTable(SEED, table, reads=reads, orders=HouseInstructions(games=None, rounds=ROUNDS))
    at.run()
    found: dict[str, tuple[int, TableView]] = {}
    for view in views(table, [event for event, _ in at.log[1:]]):
        do = view.prompt.do if view.prompt else "nothing"
        name = do if view.phase == "preparing" else view.phase
        weight = len(view.round.wagers) + len(view.round.cards) if view.round else len(view.standing)
        weights: dict[str, int] = {name: weight}
        if name == "deciding" and view.prompt:
            weights["choosing"] = len(view.prompt.actions or ())
        for one, heavy in weights.items():
            if one not in found or heavy > found[one][0]:
                found[one] = heavy, copy_of(view)
    return {name: view for name, (_, view) in found.items()}


@cache
def long_shoe(game: Game) -> TableView:
    at = PlainTable(SEED, profile(game, "shoe", {"stakes": "untracked"}), reads=True, orders=HouseInstructions(games=1))
    at.run()
    last = TableView()
    for view in views(profile(game, "shoe", {"stakes": "untracked"}), [event for event, _ in at.log[1:]]):
        if view.round is not None and view.round.result is not UNSET:
            last = copy_of(view)
    return last


def _irregular(way: tuple[str, str]) -> TableView:
    case, last = next(found for name, found in ways().items() if name == way)
    table = as_told(opened(case.table), case.table)
    assert isinstance(table, Table)
    procedure = Procedure(table)
    events = [as_told(procedure, step.given) for step in case.steps[:last]]
    return copy_of(list(views(table, events))[-1])


def hang(page: Page, name: str, view: TableView, languages: Sequence[Language], *, four_colours: bool = False) -> None:
    """Shows a view on a page, to a supervisor who is signed in.

    Args:
        page: of a browser.
        name: of the page that is shown.
        languages: of the page.
    """
    section = DisplaySection(languages=list(languages), simulated=True, four_colours=four_colours)
    pages = Pages(msgspec.structs.replace(_SETTINGS, section=section), Still(view))
    may = sorted(PERMISSIONS)
    session = {"id": "sara", "role": "croupier", "may": may, "csrf": "x", "idle_s": None}

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(HOME).partition("?")[0]
        if path.startswith("static/"):
            body = (resources.files("cardshoe.screens") / path).read_bytes()
            route.fulfill(body=body, content_type=KINDS[Path(path).suffix])
        elif path == "api/v1/session":
            route.fulfill(body=json.dumps(session), content_type="application/json")
        elif path == name:
            route.fulfill(body=pages.whole(name), content_type="text/html; charset=utf-8")
        else:
            route.abort()

    page.unroute_all()
    page.route(f"{HOME}**", answer)
    page.goto(f"{HOME}{name}")
    page.evaluate("(at) => { document.getElementById('clock').textContent = at; }", "20:15:00")
    if name == "croupier":
        page.wait_for_selector("html[data-signed=in]")
    page.wait_for_selector('[data-ripe="no"]', state="detached")


def still_page(browser: Browser, size: str) -> Page:
    """A page whose clock stands still."""
    width, height = SIZES[size]
    page = browser.new_context(viewport={"width": width, "height": height}, has_touch=True).new_page()
    page.add_init_script("performance.now = () => 0")  # so nobody misses a sign of life
    return page


def main() -> None:
    """Makes the pictures and looks at each."""
    words = sys.argv[1:]
    faults = 0
    with browser_at_work() as browser:
        for size, languages in LOOKS:
            folder = PICTURES / f"{size}-{'-'.join(languages)}"
            page = still_page(browser, size)
            for name, which, view in pictures():
                if all(word in f"{folder.name} {name}" for word in words):
                    hang(page, which, view, languages)
                    try:
                        look(page, folder / f"{name}.png", keeps=True)
                    except AssertionError as error:
                        faults += 1
                        print(f"{folder.name} {name}: {error}")  # noqa: T201  # what was seen
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()

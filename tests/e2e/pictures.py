"""The pictures of the README: ``python -m tests.e2e.pictures``, from one seed, as few colours as they have."""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, expect

from regulations.events.inputs import AnyInput
from sim.croupier.instructions import HouseInstructions
from tests.cardshoe.table.live.support import READY, TABLE, cards
from tests.e2e.fingers import Fingers
from tests.e2e.playing import CROUPIER, SUPERVISOR, Playing
from tests.e2e.stage import Stage, browser_at_work, stage
from tests.kit.command import Line
from tests.sim.croupier.profiles import profile

INTO: Final = Path("docs/pictures")
SEED: Final = 16
COLOURS: Final = 96
ROUNDS: Final = 30
BETS: Final[list[tuple[int, str, int]]] = [
    (1, "banker", 1),
    (2, "player", 3),
    (2, "player_pair", 1),
    (3, "tie", 1),
    (3, "banker", 2),
    (5, "player", 5),
    (7, "banker", 1),
]


def main() -> None:
    """Makes all of them anew."""
    INTO.mkdir(parents=True, exist_ok=True)
    with browser_at_work() as browser:
        _baccarat(browser)
        _blackjack(browser)
    print(*sorted(f"{one} {one.stat().st_size}" for one in INTO.glob("*.png")), sep="\n")  # noqa: T201  # what was made


def _baccarat(browser: Browser) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        stage(Path(folder), TABLE, browser, languages=("zh-Hant", "en")) as shown,
    ):
        fingers = Fingers(shown.page)
        fingers.sign_in(CROUPIER)
        shown.tell(*READY)
        stack = iter(cards(SEED))
        for _ in range(ROUNDS):
            _round(shown, stack)
        board = shown.context.new_page()
        board.set_viewport_size({"width": 1920, "height": 1080})
        board.goto(f"{shown.home}board")
        expect(board.locator("#cover")).to_be_hidden()
        _keep(board, "board")
        for seat, bet, chips in BETS:
            for _ in range(chips):
                shown.page.locator(f'[data-seat="{seat}"][data-bet="{bet}"]').tap()
        _keep(shown.page, "bets")
        fingers.press(next(one["key"] for one in fingers.offered() if one["form"] == "wagers"))
        shown.answered()
        while (prompt := shown.table.view.prompt) is not None and prompt.do == "draw":
            shown.tell(next(stack))
        _keep(shown.page, "paid")
        shown.tell({"event": "fault", "code": 3, "device": "shoe", "raw": "00"})
        _keep(shown.page, "irregularity")
        fingers.press(next(one["key"] for one in fingers.offered() if one["line"].get("action") == "end_shoe"))
        _keep(shown.page, "second-person")


def _round(shown: Stage, stack: Iterator[Line]) -> None:
    while shown.tell(next(stack)).prompt.do in ("draw", "burn"):
        continue
    shown.tell({"event": "round_closed"})


def _blackjack(browser: Browser) -> None:
    table = profile("blackjack", "shoe", {"procedure": "second"})
    with tempfile.TemporaryDirectory() as folder, stage(Path(folder), table, browser, languages=("pt",)) as shown:
        orders = HouseInstructions(games=None, rounds=1, persons=(CROUPIER, SUPERVISOR))
        playing = Playing(shown, table, SEED, orders)
        kept: list[str] = []

        def before(_event: AnyInput) -> None:
            if not kept and shown.page.locator(".prompt").get_attribute("data-do") == "decide":
                kept.append("decision")
                _keep(shown.page, "decision")

        playing.before = before
        playing.play()


def _keep(page: Page, name: str) -> None:
    page.wait_for_function("() => !document.querySelector('[data-ripe=\"no\"]')")
    # The one thing that no seed decides.
    page.evaluate("() => { const at = document.querySelector('time'); at.id = ''; at.textContent = '20:15:00'; }")
    path = INTO / f"{name}.png"
    page.screenshot(path=path, animations="disabled")
    palette = ["-resize", "1024x", "+dither", "-colors", str(COLOURS), f"PNG8:{path}"]
    subprocess.run(["convert", path, *palette], check=True)  # our own picture


if __name__ == "__main__":
    main()

"""Every state of the pages looked at: axe, contrast, touch, and a picture of each in `.e2e`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from cardshoe.screens.words.display_section import Language
from regulations.events.inputs import AnyInput, Revealed
from regulations.events.vocabulary import EquipmentKind, Game
from regulations.games.registry import NAMES
from sim.croupier.instructions import HouseInstructions
from tests.cardshoe.table.live.support import READY, TABLE
from tests.e2e.fingers import Fingers
from tests.e2e.looking import look
from tests.e2e.playing import CROUPIER, SUPERVISOR, Playing
from tests.e2e.stage import LONG, LOOKS, NEEDS_CHROMIUM, PICTURES, Stage, stage
from tests.sim.croupier.profiles import profile

pytestmark = [NEEDS_CHROMIUM, pytest.mark.timeout(300)]
SEEN_BEFORE: Final = frozenset(() if LONG else ("cut", "place_cut_card", "load", "burn"))
"""Prompts that are no more than a text and a button or two, as that for the shuffle, which is looked at."""


@pytest.mark.parametrize(("size", "languages"), LOOKS)
def test_baccarat_in_each_state(tmp_path: Path, browser: Browser, size: str, languages: list[Language]) -> None:
    with stage(tmp_path, TABLE, browser, size=size, languages=languages) as shown:
        page, fingers = shown.page, Fingers(shown.page)
        where = PICTURES / f"{size}-{'-'.join(languages)}"
        for name in _states(shown, page, fingers):
            look(page, where / f"baccarat-{name}.png")
        board = shown.context.new_page()
        board.goto(f"{shown.home}board")
        expect(board.locator("#cover")).to_be_hidden()
        look(board, where / "board.png")
        shown.table.live.__exit__()
        expect(page.locator("#cover")).to_be_visible(timeout=30_000)
        look(page, where / "not-current.png")
        assert shown.faults == []


def _states(shown: Stage, page: Page, fingers: Fingers) -> Iterator[str]:
    yield "nobody"
    page.locator("#who").tap()
    yield "signing-in"
    page.locator("#ask-person [data-do=cancel]").tap()
    fingers.sign_in(CROUPIER)
    shown.settled()
    yield "shuffle"
    shown.tell(*READY)
    shown.ripe()
    fingers.tool("clear")
    for seat, bet in ((1, "banker"), (3, "player"), (3, "tie"), (6, "banker_pair")):
        page.locator(f'[data-seat="{seat}"][data-bet="{bet}"]').tap()
    yield "bets"
    fingers.press(next(one["key"] for one in fingers.offered() if one["form"] == "wagers"))
    shown.answered()
    shown.settled()
    shown.ripe()
    yield "draw"
    shown.tell(*({"event": "card", "card": card} for card in ("9H", "3D", "KS", "4C")))
    shown.ripe()
    yield "paid"
    page.locator("details.more summary").tap()
    yield "more"
    page.locator("details.more summary").tap()
    shown.tell({"event": "misdeal", "detail": "card_entered_wrongly"})
    shown.ripe()
    yield "misdeal"
    fingers.press(next(one["key"] for one in fingers.offered() if one["form"] == "round"))
    yield "cards-of-the-round"
    page.locator("#ask-round [data-do=cancel]").tap()
    shown.tell({"event": "fault", "code": 3, "device": "shoe", "raw": "00"})
    shown.ripe()


@pytest.mark.parametrize("game", NAMES if LONG else ("blackjack",))
@pytest.mark.parametrize(("size", "languages"), LOOKS)
def test_a_round_of_each_game_at_each_prompt(
    tmp_path: Path, browser: Browser, seed: int, size: str, languages: list[Language], game: Game
) -> None:
    equipment: EquipmentKind = "box" if game == "three_card_baccarat" else "shoe"
    table = profile(game, equipment, {"stakes": "tracked"})
    seen: set[str] = set()
    with stage(tmp_path, table, browser, size=size, languages=languages) as shown:
        orders = HouseInstructions(games=None, rounds=1, persons=(CROUPIER, SUPERVISOR))
        playing = Playing(shown, table, seed, orders)

        def before(event: AnyInput) -> None:
            name = shown.page.locator(".prompt").get_attribute("data-do") or ""
            if name in seen or name in SEEN_BEFORE:
                return
            seen.add(name)
            shown.ripe()
            look(shown.page, PICTURES / f"{size}-{'-'.join(languages)}" / f"{game}-{name}.png")
            assert isinstance(event, Revealed) or "♠" not in _lying_down(shown.page)

        playing.before = before
        playing.play()
        assert "close_round" in seen
        assert shown.faults == []


def _lying_down(page: Page) -> str:
    return " ".join(one.aria_snapshot() for one in page.locator(".slot.down").all())

"""Rounds of each game by touch alone, with mistakes and their corrections: touches, seconds waited, wrong touches.

A wrong touch is possible where a button that already accepts touches comes to lie under the finger that has just
touched another one. Here a few rounds of one game; `make e2e` plays 30 of each, keeps
`.e2e/person-sized-GAME.json` and prints it.
"""

import json
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page

from regulations.events.cards import DECK, Card
from regulations.events.inputs import Amendment, AnyInput, BetsClosed, CardDrawn, Loaded, Misdeal, Resolve
from regulations.events.vocabulary import EquipmentKind, Game
from regulations.games.registry import NAMES
from sim.croupier.instructions import HouseInstructions
from sim.croupier.mistakes import Mistake, Mistakes
from tests.e2e.playing import CROUPIER, SUPERVISOR, Playing
from tests.e2e.stage import LONG, NEEDS_CHROMIUM, PICTURES, Stage, stage
from tests.sim.croupier.profiles import profile

pytestmark = NEEDS_CHROMIUM
ROUNDS: Final = 30 if LONG else 2
MISTAKES: Final = 0.3 if LONG else 1.0
"""Of each act where one is possible."""
SLIPS: Final = 0.1
KINDS: Final[frozenset[Mistake]] = frozenset({"miscounted", "reported_misdeal"})
"""Those that the page lets through: it has no button for the others."""
CORRECTIONS: Final = 0.2 if LONG else 1.0
"""Of the rounds; the short form corrects the first."""
FACE_DOWN: Final = ("q_poker", "three_card_baccarat")
"""Games whose cards lie face down until the result: while they are dealt no value is known that could be wrong."""
_WATCH: Final = """() => {
  window.wrongTouches = [];
  const main = document.getElementById("shown");
  let touched = null;
  addEventListener("pointerdown", (event) => {
    touched = { x: event.clientX, y: event.clientY, on: event.target.closest("button, summary") };
  }, true);
  const look = () => {
    if (!touched || document.querySelector("dialog[open]")) return;
    const one = document.elementFromPoint(touched.x, touched.y)?.closest("button, summary");
    if (one && one !== touched.on && one.dataset.ripe === "yes" && one.hasAttribute("data-may")) {
      window.wrongTouches.push(`${touched.on?.dataset.key ?? touched.on?.textContent} -> ${one.dataset.key}`);
    }
    touched.on = one;
  };
  new MutationObserver(look).observe(main, { attributes: true, attributeFilter: ["data-id"] });
  document.addEventListener("close", look, true);
}"""


@pytest.mark.timeout(3600 if LONG else 200)
@pytest.mark.parametrize("game", NAMES if LONG else ("baccarat",))
def test_no_button_comes_under_a_finger_in_rounds_with_mistakes(
    tmp_path: Path, browser: Browser, seed: int, game: Game
) -> None:
    equipment: EquipmentKind = "box" if game == "three_card_baccarat" else "shoe"
    table = profile(game, equipment, {"stakes": "untracked"})
    with stage(tmp_path, table, browser) as shown:
        shown.page.evaluate(_WATCH)
        orders = HouseInstructions(games=None, rounds=ROUNDS, persons=(CROUPIER, SUPERVISOR))
        playing = Playing(shown, table, seed, orders, mistakes=Mistakes(random.Random(seed + 3), MISTAKES, KINDS))
        waits, slips = _timed(playing, shown.page), _slipping(playing, shown.page, random.Random(seed + 4))
        corrected = _correcting(playing, shown, random.Random(seed + 5), table.decks)
        playing.play()
        wrong: list[Any] = shown.page.evaluate("window.wrongTouches")
        report = {
            "rounds": playing.croupier.rounds_played,
            "mistakes": playing.croupier.mistakes_made.total() + len(slips),
            "card_corrections": len(corrected),
            "inputs": len(playing.said),
            "touches": playing.fingers.touches,
            "waited_s": round(sum(waits), 1),
            "longest_wait_s": round(max(waits), 2),
            "wrong_touches_possible": len(wrong),
        }
        _keep(game, report)
        assert wrong == []
        assert shown.faults == []
        assert report["rounds"] >= ROUNDS
        assert corrected or game in FACE_DOWN


def _slipping(playing: Playing, page: Page, rng: random.Random) -> list[str]:
    """Before some inputs a finger slips: a wager at a wrong place is undone, "More" is opened and closed."""
    slips: list[str] = []
    timed = playing.before

    def before(event: AnyInput) -> None:
        if isinstance(event, BetsClosed):
            playing.fingers.touch(rng.choice(page.locator(".spot[data-bet]:not([data-points])").all()))
            playing.fingers.tool("undo")
            slips.append("wager")
        elif rng.random() < SLIPS and page.locator("details.more").is_visible():
            page.locator("details.more > summary").tap()
            page.locator(".strip h1").tap()
            slips.append("more")
        timed(event)

    playing.before = before
    return slips


def _correcting(playing: Playing, shown: Stage, rng: random.Random, decks: int) -> list[Card]:
    """In some rounds two people change the suit of a card before another is drawn, and then change it back."""
    corrected: list[Card] = []
    out: Counter[Card] = Counter()
    earlier = playing.before

    def name(index: int, card: Card) -> None:
        playing.fingers.say(Misdeal(detail="card_entered_wrongly"))
        shown.answered()
        shown.settled()
        number = shown.table.view.irregularities[0].irregularity
        cards: list[Card | Amendment] = [Amendment(index=index, card=card)]
        playing.fingers.say(Resolve(irregularity=number, action="identify", cards=cards, ground="misread", by=[]))
        assert not shown.answered().is_refused
        shown.settled()
        corrected.append(card)

    def before(event: AnyInput) -> None:
        now = shown.table.view.round
        named = [(at, card) for at, card in enumerate(now.left if now else (), 1) if card]
        wanted = rng.random() < CORRECTIONS and (LONG or not corrected)
        if isinstance(event, CardDrawn) and named and wanted:
            index, card = rng.choice(named)
            others = [one for one in DECK if one[0] == card[0] and one != card and out[one] < decks]
            for other in others[:1]:
                name(index, other)
                name(index, card)
        earlier(event)
        if isinstance(event, Loaded):
            out.clear()
        elif isinstance(event, CardDrawn) and event.card:
            out[event.card] += 1

    playing.before = before
    return corrected


def _timed(playing: Playing, page: Page) -> list[float]:
    """Seconds from each input of the croupier until the page shows its answer."""
    waits: list[float] = []
    began = [0.0]
    page.on("request", lambda one: began.__setitem__(0, time.monotonic()) if one.url.endswith("/inputs") else None)

    def before(_event: AnyInput) -> None:
        began[0] = 0.0

    playing.before = before
    playing.after = lambda: waits.append(time.monotonic() - began[0]) if began[0] else None
    return waits


def _keep(game: Game, report: dict[str, float]) -> None:
    PICTURES.mkdir(exist_ok=True)
    (PICTURES / f"person-sized-{game}.json").write_text(json.dumps(report, indent=2))

"""Touches of a normal round in each game: bets as before, cards from equipment that reads, decisions, payments."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser

from regulations.events.cards import DECK
from regulations.events.vocabulary import EquipmentKind, Game
from tests.e2e.fingers import Fingers
from tests.e2e.stage import LONG, NEEDS_CHROMIUM, Stage, stage
from tests.kit.command import Line
from tests.sim.croupier.profiles import profile

pytestmark = [NEEDS_CHROMIUM, pytest.mark.timeout(300)]
SEATS: Final = (1, 3, 5)
BETS, CLOSE, DECISION, SHOWN = 2, 1, 1, 1
"""docs/touches.md: bets as before and their close; the round; each decision; each hand that is shown."""
GAMES: Final[list[tuple[Game, EquipmentKind, str, frozenset[str]]]] = [
    ("baccarat", "shoe", "banker", frozenset()),
    ("blackjack", "shoe", "main", frozenset({"decide"})),
    ("casino_war", "shoe", "ante", frozenset({"decide"})),
    ("q_poker", "shoe", "ante", frozenset({"decide", "reveal"})),
    ("three_card_baccarat", "box", "main", frozenset({"reveal"})),
]
"""With the prompts that ask for touches between the close of the bets and the result."""
ALL: Final = [(*one, stakes) for one in GAMES for stakes in ("untracked", "tracked")]
CASES: Final = [one for number, one in enumerate(ALL) if LONG or number % 4 in (0, 3)]
"""The short form plays each game once, without stakes and with them in turn."""
TAKEN: Final = ("stand", "play", "war", "surrender", "fold")
"""Decisions, the first that there is."""


@pytest.mark.parametrize(("game", "equipment", "bet", "asks", "stakes"), CASES)
def test_a_round_takes_the_touches_that_the_manual_says(
    tmp_path: Path, browser: Browser, game: Game, equipment: EquipmentKind, bet: str, asks: frozenset[str], stakes: str
) -> None:
    options = {"stakes": stakes, **({"procedure": "second"} if game == "blackjack" else {})}
    with stage(tmp_path, profile(game, equipment, options), browser, languages=("en",)) as shown:
        fingers = Fingers(shown.page)
        fingers.sign_in("cara")
        deck = iter(DECK * 2)
        _until_bets(shown, fingers, deck)
        for seat in SEATS:
            shown.page.locator(f'[data-seat="{seat}"][data-bet="{bet}"]').tap()
        _close_the_bets(shown, fingers)
        _to_the_result(shown, fingers, deck)
        _press(shown, fingers, "round_closed")
        _until_bets(shown, fingers, deck)
        began = fingers.touches
        fingers.tool("before")
        _close_the_bets(shown, fingers)
        assert fingers.touches - began == BETS
        began = fingers.touches
        asked = _to_the_result(shown, fingers, deck)
        assert set(asked) <= asks
        assert fingers.touches - began == DECISION * asked.count("decide") + SHOWN * asked.count("reveal")
        began = fingers.touches
        _press(shown, fingers, "round_closed")
        assert fingers.touches - began == CLOSE
        assert shown.faults == []


def _until_bets(shown: Stage, fingers: Fingers, deck: Iterator[str]) -> None:
    """What comes before the bets is no part of a round: the croupier does it once for a shoe game."""
    while shown.table.view.phase != "betting":
        prompt = shown.table.view.prompt
        assert prompt is not None
        if prompt.do in ("draw", "burn"):
            shown.tell(_card(deck))
        else:
            shown.settled()
            fingers.press(shown.page.locator(".acts > .first").first.get_attribute("data-key") or "")
            assert not shown.answered().is_refused


def _to_the_result(shown: Stage, fingers: Fingers, deck: Iterator[str]) -> list[str]:
    """Plays on until the round can be closed; the prompts that were answered by a touch."""
    asked: list[str] = []
    while (prompt := shown.table.view.prompt) is not None and prompt.do != "close_round":
        if prompt.do in ("draw", "burn"):
            shown.tell(_card(deck))
            continue
        asked.append(prompt.do)
        if prompt.do == "decide":
            action = next(one for one in TAKEN if one in (prompt.actions or ()))
            _press(shown, fingers, "decision", action=action)
        else:
            _press(shown, fingers, "revealed")
    return asked


def _close_the_bets(shown: Stage, fingers: Fingers) -> None:
    _press(shown, fingers, "bets_closed")
    assert shown.table.view.round is not None
    assert {one.seat for one in shown.table.view.round.wagers} == set(SEATS)


def _press(shown: Stage, fingers: Fingers, event: str, **fields: str) -> None:
    shown.settled()
    wanted = {"event": event, **fields}
    offers = [one for one in fingers.offered() if wanted.items() <= one["line"].items()]
    fingers.press(offers[0]["key"])
    assert not shown.answered().is_refused
    shown.settled()


def _card(deck: Iterator[str]) -> Line:
    return {"event": "card", "card": next(deck), "device": "shoe"}

"""Other acts of a croupier at the page: keys alone, bets corrected, a card by hand, suits in four colours."""

import json
import re
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from cardshoe.screens.words.labels import WORDS_MAX
from regulations.events.codec import decode_input
from regulations.events.inputs import Amendment, BetsClosed, BetsCorrected, CardDrawn, Closed, Resolve, ShoeEnded, Wager
from regulations.events.notices import TableOpened
from tests.cardshoe.persons.support import PINS
from tests.cardshoe.table.live.support import READY, TABLE
from tests.e2e.fingers import Fingers
from tests.e2e.gallery import hang, still_page, views
from tests.e2e.looking import look
from tests.e2e.stage import NEEDS_CHROMIUM, PATIENCE_MS, PICTURES, Stage, stage
from tests.sim.croupier.profiles import profile

pytestmark = [NEEDS_CHROMIUM, pytest.mark.timeout(120)]
STEPS_MAX: Final = 40
"""Arrows from one button to any other."""
WHERE: Final = """(wanted) => {
  const one = document.querySelector(wanted), at = document.activeElement;
  if (at === one) return "";
  const box = (of) => of.getBoundingClientRect();
  if (at === document.body || (one.closest("dialog") && !at.closest("dialog"))) return "Tab";
  const [x, y] = [box(one).x + box(one).width / 2 - box(at).x - box(at).width / 2,
    box(one).y + box(one).height / 2 - box(at).y - box(at).height / 2];
  if (Math.abs(y) > Math.abs(box(at).height) / 2) return y > 0 ? "ArrowDown" : "ArrowUp";
  return x > 0 ? "ArrowRight" : "ArrowLeft";
}"""


class Keys:
    """A keyboard, and nothing else."""

    def __init__(self, shown: Stage) -> None:
        self._stage: Final = shown
        self._page: Final = shown.page

    def sign_in(self, person: str) -> None:
        """Signs a person in."""
        self.to("#who")
        self._page.keyboard.press("Enter")
        self.shows(person)
        expect(self._page.locator("[data-who=id]")).to_have_text(person, timeout=PATIENCE_MS)

    def shows(self, person: str) -> None:
        """Says who it is; the dialog has the focus at the ID."""
        self._page.keyboard.type(person)
        self._page.keyboard.press("Tab")
        self._page.keyboard.type(PINS[person])
        self._page.keyboard.press("Enter")

    def press(self, wanted: str) -> None:
        """Goes to a button, and presses it."""
        self.to(wanted)
        self._stage.ripe()
        self._page.keyboard.press("Enter")

    def to(self, wanted: str) -> None:
        """Goes to a button as who sees the page does: by arrows in its direction, and by Tab from nowhere."""
        for _ in range(STEPS_MAX):
            key = self._page.evaluate(WHERE, wanted)
            if not key:
                return
            self._page.keyboard.press(key)
        raise AssertionError(f"{STEPS_MAX} keys do not lead to {wanted}")


def test_a_round_is_played_and_a_fault_settled_by_keys_alone(tmp_path: Path, browser: Browser) -> None:
    with stage(tmp_path, TABLE, browser, languages=("en",)) as shown:
        keys = Keys(shown)
        shown.tell(*READY)
        keys.sign_in("cara")
        keys.press('[data-seat="3"][data-bet="player"]')
        expect(shown.page.locator('[data-seat="3"][data-bet="player"] .put')).to_have_text("100")
        keys.press(".acts .first")
        closed = shown.answered().event
        assert isinstance(closed, BetsClosed)
        assert [(one.seat, one.bet, one.stake) for one in closed.wagers] == [(3, "player", 10000)]
        for card in ("9H", "3D", "KS", "4C"):
            shown.settled()
            keys.press(f'[data-key="card-{card}"]')
            drawn = shown.answered().event
            assert isinstance(drawn, CardDrawn)
            assert drawn.card == card
        shown.settled()
        # What was pressed is gone: the focus is at what comes next.
        assert shown.page.evaluate("document.activeElement.dataset.event") == "round_closed"
        shown.tell({"event": "fault", "code": 3, "device": "shoe", "raw": "00"})
        keys.press(".way.grave")
        expect(shown.page.locator("#ask-person")).to_be_visible()
        keys.shows("sara")
        settled = shown.answered().event
        assert isinstance(settled, Resolve)
        assert settled.by == ["cara", "sara"]
        assert shown.faults == []


def test_bets_are_corrected_by_two_persons_before_the_first_card(tmp_path: Path, browser: Browser) -> None:
    with stage(tmp_path, TABLE, browser) as shown:
        fingers, page = Fingers(shown.page), shown.page
        shown.tell(*READY)
        fingers.sign_in("cara")
        wager = {"seat": 1, "bet": "banker", "stake": 10000}
        shown.tell({"event": "bets_closed", "seats": [1], "wagers": [wager]})
        expect(page.locator(".seats")).to_be_visible()
        fingers.press("correct")
        expect(page.locator(".seats")).to_be_hidden()
        expect(page.locator('[data-seat="1"][data-bet="banker"] .put')).to_have_text("100")
        fingers.press("correct-not")
        expect(page.locator(".seats")).to_be_visible()
        wagers = [Wager(seat=1, bet="banker", stake=60000), Wager(seat=2, bet="tie", stake=5000)]
        seen: list[str] = []
        fingers.before_confirming = lambda: seen.extend(page.locator("[data-preview] li").all_inner_texts())
        fingers.say(BetsCorrected(seats=[1, 2], wagers=wagers, reason="x", by=[]))
        # The second person saw what changes before the PIN.
        assert [" ".join(one.split()) for one in seen] == ["1 莊家 100 → 600", "2 和局 – → 50"]
        taken = shown.answered()
        assert isinstance(taken.event, BetsCorrected)
        assert not taken.is_refused
        assert taken.event.by == ["cara", "sara"]
        assert taken.event.reason == "stake_entered_wrongly"
        shown.settled()
        expect(page.locator(".seats")).to_be_visible()  # the page has heard that the bets are taken
        assert page.locator(".felt .chip .stake").all_inner_texts() == ["600", "50"]
        # A card that a person enters is marked, and stays so; a device's is not.
        fingers.press("card-9H")
        shown.answered()
        shown.tell({"event": "card", "card": "3D", "device": "shoe"})
        expect(page.locator('.slot.open:has([aria-label="9♥"]) [data-by-hand]')).to_have_count(1)
        expect(page.locator('.slot.open:has([aria-label="3♦"]) [data-by-hand]')).to_have_count(0)
        assert shown.faults == []


def test_wagers_survive_a_reload_and_a_card_that_came_too_early(tmp_path: Path, browser: Browser) -> None:
    table = profile("baccarat", "shoe", {"stakes": "tracked"})
    with stage(tmp_path, table, browser, languages=("en",)) as shown:
        fingers, page = Fingers(shown.page), shown.page
        shown.tell(*READY)
        fingers.sign_in("cara")
        shown.ripe()
        with page.expect_response("**/api/v1/draft"):
            page.locator('[data-seat="1"][data-bet="banker"]').tap()
        put = page.locator('[data-seat="1"][data-bet="banker"] .put')
        expect(put).to_have_text("100")
        page.reload()
        expect(put).to_have_text("100")
        shown.tell({"event": "card", "card": "5C"})
        assert [one.code for one in shown.table.view.irregularities] == ["card_before_bets_closed"]
        expect(page.locator(".beside-alarm .betting")).to_be_visible()
        expect(put).to_have_text("100")
        assert shown.faults == []


def test_a_second_person_sees_each_card_before_and_after(tmp_path: Path, browser: Browser) -> None:
    with stage(tmp_path, TABLE, browser, languages=("en",)) as shown:
        fingers, page = Fingers(shown.page), shown.page
        shown.tell(*READY, *({"event": "card", "card": card} for card in ("9H", "3D", "KS", "4C")))
        fingers.sign_in("cara")
        shown.tell({"event": "misdeal", "detail": "card_entered_wrongly"})
        seen: list[str] = []

        def look_first() -> None:
            look(page, PICTURES / "second-person.png")
            seen.extend(page.locator("[data-preview] li").all_inner_texts())

        fingers.before_confirming = look_first
        wanted = Resolve(
            irregularity=1,
            action="identify",
            cards=[Amendment(index=1, card="6H"), Amendment(index=4, to="none")],
            ground="misread",
            by=[],
        )
        fingers.say(wanted)
        assert [re.sub(r"\s+", " ", one).strip() for one in seen] == [
            "1 9 Player · 1 → 6",
            "4 4 Banker · 2 → never left",
            "Result Player → open",
            "Player 9 wins → open",
            "Banker 7 → open",
        ]
        assert shown.faults == []


def test_a_shoe_game_is_ended_for_another_reason_in_words(tmp_path: Path, browser: Browser) -> None:
    with stage(tmp_path, TABLE, browser, languages=("en",)) as shown:
        fingers, page = Fingers(shown.page), shown.page
        shown.tell(*READY)
        fingers.sign_in("cara")
        page.locator("details summary").tap()
        one = page.locator("button[data-event=shoe_ended]")
        expect(one).not_to_have_attribute("data-ripe", "no")
        one.tap()
        words = page.locator("#ask-why [name=words]")
        expect(words).to_be_hidden()
        page.locator("#ask-why [data-reason=other]:visible").tap()
        expect(words).to_be_focused()
        assert words.get_attribute("maxlength") == str(WORDS_MAX)
        enter = page.locator("#ask-why [type=submit]")
        enter.tap()
        expect(words).to_be_visible()  # without words nothing is sent
        words.fill("  water on the layout ")
        enter.tap()
        taken = shown.answered()
        assert isinstance(taken.event, ShoeEnded)
        assert (taken.event.reason, taken.event.detail) == ("other", "water on the layout")
        assert not taken.is_refused
        assert shown.faults == []


def test_more_closes_by_a_touch_elsewhere_and_by_escape(tmp_path: Path, browser: Browser) -> None:
    with stage(tmp_path, TABLE, browser, languages=("en",)) as shown:
        page = shown.page
        shown.tell(*READY)
        Fingers(page).sign_in("cara")
        more = page.locator("details.more")
        for by_key in (False, True):
            more.locator("summary").tap()
            expect(more).to_have_attribute("open", "")
            if by_key:
                page.keyboard.press("Escape")
            else:
                page.locator(".strip h1").tap()
            expect(more).not_to_have_attribute("open", "")
        expect(more.locator("summary")).to_be_focused()
        assert shown.faults == []


def test_suits_have_two_colours_or_four(browser: Browser) -> None:
    lines = [*READY, *({"event": "card", "card": card} for card in ("9S", "3H", "KD", "4C"))]
    *_, view = views(TABLE, [decode_input(json.dumps(line)) for line in lines])
    page = still_page(browser, "small")
    for many in (2, 4):
        hang(page, "croupier", view, ["en"], four_colours=many == 4)
        assert len({_colour(page, suit) for suit in "SHDC"}) == many
    page.context.close()


def _colour(page: Page, suit: str) -> str:
    index = page.locator(f".slot.open .card.suit-{suit} .index").first
    colour: str = index.evaluate("(one) => getComputedStyle(one).fill")
    return colour


def test_a_closed_table_is_opened_by_two_people_at_its_screen(tmp_path: Path, browser: Browser) -> None:
    with stage(tmp_path, TABLE, browser) as shown:
        fingers, page = Fingers(shown.page), shown.page
        board = shown.context.new_page()
        board.goto(f"{shown.home}board")
        page.bring_to_front()  # else the browser draws it once a second
        fingers.sign_in("sara")
        fingers.press('act-{"event":"closed"}-sure')
        look(page, PICTURES / "close-the-table.png")
        page.locator("#ask-sure [type=submit]").tap()
        assert isinstance(shown.answered().event, Closed)
        expect(board.locator(".closed")).to_be_visible()
        fingers.press('act-{"event":"table_opened"}-opening')
        fingers.confirm("sara")
        assert fingers.understood() == "same_person"
        look(page, PICTURES / "open-the-table.png")
        fingers.confirm("cara")
        while not isinstance(opened := shown.answered().event, TableOpened):
            pass
        assert opened.by == ["sara", "cara"]
        expect(board.locator(".closed")).to_have_count(0)
        expect(page.locator("button[data-event=table_opened]")).to_have_count(0)
        assert shown.faults == []

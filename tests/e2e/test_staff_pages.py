"""The table's pages for staff in a browser, by page, role and language: what they show, where they lead, axe."""

import re
from collections.abc import Iterator
from typing import Final, get_args

import pytest
from playwright.sync_api import Browser, Page, expect

from cardshoe.persons.permissions import PAGES
from cardshoe.screens.words import labels
from cardshoe.screens.words.display_section import Language
from cardshoe.screens.words.translation import Words
from regulations.events.inputs import Resolve, Void
from tests.cardshoe.persons.support import PINS, ROLES
from tests.cardshoe.table.display.support import EQUIPMENT
from tests.cardshoe.table.live.support import READY, TABLE
from tests.e2e.fingers import Fingers
from tests.e2e.looking import look
from tests.e2e.stage import LONG, NEEDS_CHROMIUM, PATIENCE_MS, PICTURES, SHOWN, SIZES, Stage, stage
from tests.kit.command import Line

pytestmark = [NEEDS_CHROMIUM, pytest.mark.timeout(600 if LONG else 120)]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
WHO: Final = {"pit": ("sara",), "rounds": ("sara", "vera", "rosa"), "technician": ("theo",)}
SEEN: Final[list[tuple[str, str, Language]]] = (
    [(page, person, language) for page, persons in WHO.items() for person in persons for language in LANGUAGES]
    if LONG
    else [("pit", "sara", "pt"), ("rounds", "vera", "zh-Hant"), ("rounds", "rosa", "en"), ("technician", "theo", "pt")]
)
REFUSED: Final[list[tuple[str, str, Language]]] = (
    [
        (page, person, language)
        for page, roles in PAGES.items()
        for person, role in ROLES.items()
        if role not in roles
        for language in LANGUAGES
    ]
    if LONG
    else [("pit", "vera", "en"), ("rounds", "theo", "pt"), ("technician", "sara", "zh-Hant")]
)
DEALT: Final = ("9H", "3D", "KS", "4C")
CLOSED: Final[Line] = {"event": "round_closed"}
BETS: Final[Line] = {
    "event": "bets_closed",
    "seats": [1, 2],
    "wagers": [{"seat": 1, "bet": "banker", "stake": 10000}, {"seat": 2, "bet": "tie", "stake": 2000}],
}


def cards(*names: str) -> list[Line]:
    return [{"event": "card", "card": name, "device": "shoe"} for name in names]


PLAYED: Final[list[Line]] = [
    *READY,
    BETS,
    *cards(*DEALT),
    {"event": "misdeal", "detail": "card_entered_wrongly"},
    {
        "event": "resolve",
        "by": ["cara", "sara"],
        "irregularity": 1,
        "action": "identify",
        "ground": "misread",
        "cards": [{"index": 4, "card": "5C"}],
    },
    CLOSED,
    {"event": "card", "card": "2D"},
    {"event": "fault", "device": "shoe", "code": 3},
    {"event": "resolve", "by": ["cara", "sara"], "irregularity": 2, "action": "void"},
    {"event": "fault_cleared", "device": "shoe", "code": 3},
    CLOSED,
    BETS,
    *cards("5D"),
]
"""A corrected round, a void one, and one that is open."""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Stage]:
    """One table for all these tests."""
    folder = tmp_path_factory.mktemp("staff")
    with stage(folder, TABLE, browser, languages=("en",), page="board", equipment=lambda: EQUIPMENT) as made:
        made.tell(*PLAYED)
        yield made


def opened(shown: Stage, path: str, person: str, language: Language, size: str = "small") -> tuple[Page, int]:
    """A page in a browser of its own after the sign-in that it asks for, and its HTTP status."""
    width, height = SIZES[size]
    page = shown.browser.new_context(viewport={"width": width, "height": height}, has_touch=True).new_page()
    page.on("pageerror", lambda error: shown.faults.append(str(error)))
    address = f"{shown.home}{path}?lang={language}"
    page.goto(address)
    page.locator("#id").fill(person)
    page.locator("#pin").fill(PINS[person])
    with page.expect_navigation() as answer:
        page.locator("#enter button").tap()
    expect(page.locator("#enter")).to_have_count(0)
    return page, answer.value.status


def follows(shown: Stage, page: Page) -> None:
    journal = shown.table.log.journal
    expect(page.locator(":root")).to_have_attribute("data-signed", "in")  # until then it offers no act
    page.evaluate(SHOWN, [journal.header.fingerprint, journal.last_seq, PATIENCE_MS])


@pytest.mark.parametrize(("name", "person", "language"), SEEN)
def test_each_page_shows_what_its_role_answers_for(shown: Stage, name: str, person: str, language: Language) -> None:
    words = Words([language])
    for size in SIZES if LONG else ("small",):
        page, status = opened(shown, name, person, language, size)
        assert status == 200
        assert words.plain(labels.PAGE_NAMES[name]) in page.title() or name == "rounds"
        picture = PICTURES / f"staff-{size}-{language}" / f"{name}-{person}.png"
        if name == "pit":
            see_pit(shown, page, words)
            look(page, picture)
            page.locator(".ended a").last.tap()
            see_round(page)
        elif name == "rounds":
            see_rounds(page)
            look(page, picture)
            page.locator("tbody th a").last.tap()
            see_round(page)
        else:
            see_technician(page, words)
            look(page, picture)
        if name != "technician":
            look(page, picture.with_name(f"round-{person}.png"))
        page.context.close()
    assert shown.faults == []


def see_pit(shown: Stage, page: Page, words: Words) -> None:
    """State, call, stakes, payout, last rounds, devices, journal, and the acts of a supervisor."""
    shown.give({"event": "supervisor_called", "reason": "x"})  # a supervisor who signs in answers an earlier call
    follows(shown, page)
    shown.ripe(page)
    text = page.locator(".pit-page").inner_text()
    for message in ("Supervisor called", "Largest payout", "Devices", "Journal", "Witnesses behind", "Line"):
        assert words.plain(message) in text, message
    pairs = dict(
        page.locator(".pit-page .pairs div").evaluate_all(
            "all => all.map((one) => [...one.children].map((part) => part.textContent.trim()))"
        )
    )
    assert pairs[words.plain("All")] == "120"
    assert pairs[words.plain("Largest payout")] == "160"  # a tie pays 8; the banker's wager less
    assert pairs[words.plain("Line")] == str(shown.table.log.journal.last_seq)
    expect(page.locator(".ended a")).to_have_count(2)
    assert page.locator(".pit-acts button[data-event=void]:visible").count() > 0
    assert page.locator(".shift button").count() == 2
    assert page.locator(".pit-page svg.card").count() == 0, "stakes are read without cards"


def see_rounds(page: Page) -> None:
    """The rounds that ended, with cards and sums."""
    expect(page.locator("tbody th a")).to_have_count(2)
    assert page.locator(".sums dd").all_inner_texts()[:2] == ["1", "1"]
    assert page.locator(".found-cards a").count() >= 4


def see_round(page: Page) -> None:
    """The corrected round: verified, with its cards and both sides of the correction."""
    expect(page.locator(".round .proved")).to_have_count(1)
    assert re.search(r"/rounds/[0-9a-f]{32}/\d+", page.url)
    assert page.locator(".all-hands").first.locator("svg.card").count() == 4
    assert page.locator(".correction .half").count() == 2
    assert page.locator("a[download]").count() == 1


def see_technician(page: Page, words: Words) -> None:
    """Ports, counters, masked errors and checks with remedies; never a card."""
    text = page.locator("main").inner_text()
    link, check = EQUIPMENT.links[0], EQUIPMENT.checks[1]
    wanted = [link.port, link.advice, "bad_checksum", "··", check.what, check.remedy, EQUIPMENT.command]
    for one in [*wanted, *map(str, link.counts.values()), words.plain(labels.LINK_STAGES[link.stage])]:
        assert one in text, one
    assert EQUIPMENT.next_build in text
    assert page.locator("main svg").count() == 0


@pytest.mark.parametrize(("name", "person", "language"), REFUSED)
def test_other_roles_are_refused(shown: Stage, name: str, person: str, language: Language) -> None:
    page, status = opened(shown, name, person, language)
    assert status == 403
    expect(page.locator("main")).to_contain_text(Words([language]).plain(labels.NOT_PERMITTED))
    look(page, PICTURES / f"staff-small-{language}" / f"{name}-refused-{person}.png")
    page.context.close()
    assert shown.faults == []


def test_a_supervisor_voids_with_a_preview_and_changes_the_shift(shown: Stage) -> None:
    page, _ = opened(shown, "pit", "sara", "en")
    follows(shown, page)
    fingers, seen = Fingers(page, second="cara"), list[str]()

    def look_first() -> None:
        look(page, PICTURES / "staff-void.png")
        seen.extend(page.locator("[data-preview] li").all_inner_texts())

    fingers.before_confirming = look_first
    fingers.say(Void(ground="misdeal", reason="x", by=[]))
    voided = shown.answered().event
    assert isinstance(voided, Void)
    assert voided.by == ["sara", "cara"]
    assert [" ".join(one.split()) for one in seen] == [
        "Round void: return every wager",
        "1 Banker returned 100",
        "2 Tie returned 20",
    ]
    follows(shown, page)
    shown.give(CLOSED)
    # A dispute holds the deal, and a supervisor settles it with the croupier.
    shown.give(BETS)
    for line in cards(*DEALT):
        shown.give(line)
    follows(shown, page)
    assert page.locator(".pit-acts button[data-event=void]:visible").count() == 0, "the result is out"
    fingers.press('act-{"event":"dispute"}-reason')
    fingers.touch(page.locator("#ask-why [data-reason]:visible").first)
    assert shown.answered().outputs
    follows(shown, page)
    expect(page.locator(".irregular")).to_be_visible()
    look(page, PICTURES / "staff-dispute.png")
    fingers.before_confirming = lambda: None
    (open_,) = shown.table.view.irregularities
    fingers.say(Resolve(irregularity=open_.irregularity, action="settle", by=[]))
    settled = shown.answered().event
    assert isinstance(settled, Resolve)
    assert settled.by == ["sara", "cara"]
    # The next croupier signs in below the supervisor, who stays.
    follows(shown, page)
    fingers.touch(page.locator("[data-shift=croupier]"))
    look(page, PICTURES / "staff-next-croupier.png")
    fingers.show_id("carl")
    expect(page.locator(".pit-state dd").first).to_contain_text("carl", timeout=PATIENCE_MS)
    expect(page.locator("[data-who=id]")).to_have_text("sara")
    fingers.touch(page.locator("[data-shift=supervisor]"))
    fingers.show_id("sven")
    expect(page.locator("[data-who=id]")).to_have_text("sven", timeout=PATIENCE_MS)
    page.context.close()
    assert shown.faults == []

"""The croupier's page of a table in a state, as the display renders it: alarms beside the layout, changed results."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final, get_args

import msgspec
import pytest

from cardshoe.persons.refusal import RefusalOfPersons
from cardshoe.screens.felt.felt import Felt, Slot, felt_of
from cardshoe.screens.felt.players_board import board_of
from cardshoe.screens.view import TableView
from cardshoe.screens.words.currency import currency
from cardshoe.screens.words.display_section import DisplaySection
from cardshoe.screens.words.translation import Words
from cardshoe.table.display.feed import Feed
from cardshoe.table.display.pages import Pages
from cardshoe.table.display.settings import DisplaySettings
from cardshoe.table.setup.fault_texts import fault_texts
from regulations.events.codec import decode_input
from regulations.events.inputs import Table
from tests.cardshoe.screens.view.support import taken
from tests.cardshoe.table.live.support import READY, TABLE
from tests.kit.command import Line
from tests.sim.croupier.profiles import profile

SETTINGS: Final = DisplaySettings(
    folder=".",
    table_id="T-1",
    section=DisplaySection(languages=["en"]),
    currency="MOP",
    faults=fault_texts({"shoe": "angel_eye"}),
)
READER: Final[Line] = {
    "event": "device_identified",
    "device": "shoe",
    "maker": "Angel",
    "model": "Angel Eye II-EX",
    "reads": True,
}
BETS: Final[Line] = {
    "event": "bets_closed",
    "seats": [1, 2],
    "wagers": [{"seat": 1, "bet": "banker", "stake": 10000}, {"seat": 2, "bet": "player", "stake": 20000}],
}
FAULT: Final[Line] = {"event": "fault", "code": 3, "device": "shoe", "raw": "00"}
MISDEAL: Final[Line] = {"event": "misdeal", "detail": "card_entered_wrongly"}


def cards(*codes: str | None) -> list[Line]:
    return [{"event": "card", "card": code, "device": "shoe"} for code in codes]


def renamed(index: int, card: str, irregularity: int = 1) -> Line:
    """Two people correct the value of a card."""
    fields = {"irregularity": irregularity, "cards": [{"index": index, "card": card}], "ground": "misread"}
    return {"event": "resolve", "action": "identify", "by": ["cara", "sara"], **fields}


def state(*lines: Mapping[str, object], table: Table = TABLE) -> TableView:
    """A table after inputs, none of which it refused."""
    view = TableView()
    for _, one in taken(table, [decode_input(json.dumps(line)) for line in lines]):
        assert not one.is_refused, one.outputs
        view.take(one.event, one.outputs)
    return view


def page(view: TableView, settings: DisplaySettings = SETTINGS) -> str:
    return Pages(settings, Feed(settings.place)).render("croupier", view)


def texts(html: str) -> str:
    """The words of a part of a page, without its marks."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html)).strip()


def test_each_refusal_has_one_title_of_its_own() -> None:
    whole = Pages(SETTINGS, Feed(SETTINGS.place)).whole("croupier")
    box = whole[whole.index('<dialog id="ask-told"') :]
    titles = re.findall(r'data-refused="(\w+)"', box)
    assert len(titles) == len(set(titles))
    assert "Too many requests" in box
    # Those of an enrolment, of a table without staff and of a program's fault are shown with what the table says.
    assert set(get_args(RefusalOfPersons)) - {"bad_code", "no_persons", "key_reused"} <= set(titles)


def layout(view: TableView) -> Felt:
    return felt_of(view, currency("MOP"))


def slots(felt: Felt) -> Sequence[Slot]:
    hands = [*felt.tops, *(hand for seat in felt.seats for hand in seat.hands)]
    return [one for hand in hands for one in hand.slots]


def test_a_corrected_result_is_told_with_old_and_new_payments_until_the_round_is_closed() -> None:
    dealt = [*READY, BETS, *cards("9H", "3D", "KS", "4C")]
    before = state(*dealt)
    assert not layout(before).changed
    view = state(*dealt, MISDEAL, renamed(1, "6H"))
    felt = layout(view)
    assert (felt.changed, felt.before, felt.after) == (True, "player", "banker")
    chips = {(one.bet, one.stake): one for seat in felt.seats for one in seat.chips}
    banker, player = chips["banker", "100"], chips["player", "200"]
    assert banker.before is not None
    assert player.before is not None
    assert [(one.outcome, one.net) for one in (banker.before, banker.now)] == [("lose", "100"), ("win", "95")]
    assert [(one.outcome, one.net) for one in (player.before, player.now)] == [("win", "200"), ("lose", "200")]
    shown = texts(page(view))
    assert "Result changed" in shown
    assert "take 100 → pay 95" in shown
    assert "pay 200 → take 200" in shown
    # The view says so too after it was stored, and until the round is closed.
    assert layout(msgspec.json.decode(msgspec.json.encode(view), type=TableView)) == felt
    closed = [*dealt, MISDEAL, renamed(1, "6H"), {"event": "round_closed"}]
    assert "Result changed" not in texts(page(state(*closed)))


def test_a_renamed_card_is_marked_with_the_card_that_was_there() -> None:
    view = state(*READY, BETS, *cards("9H", "3D", "KS", "4C"), MISDEAL, renamed(1, "6H"))
    marked = [(one.card, one.was) for one in slots(layout(view)) if one.renamed]
    assert marked == [("6H", "9H")]
    assert page(view).count('class="was"') == 1


def test_a_correction_that_leaves_the_result_open_shows_the_payments_that_fell() -> None:
    typed = [{"event": "card", "card": code} for code in ("9H", "3D", "KS", "4C")]
    view = state(*READY, BETS, *typed, MISDEAL, renamed(1, "2H"))
    felt = layout(view)
    assert (felt.changed, felt.before, felt.after) == (True, "player", "")
    assert "take 100 → open" in texts(page(view))


def test_a_correction_that_changes_no_payment_claims_no_change() -> None:
    view = state(*READY, BETS, *cards("9H", "3D", "KS", "4C"), MISDEAL, renamed(1, "9D"))
    assert not layout(view).changed
    assert [one.was for one in slots(layout(view)) if one.renamed] == ["9H"]


def test_a_correction_without_stakes_shows_what_every_such_wager_gets() -> None:
    table = profile("baccarat", "shoe", {"stakes": "untracked"})
    view = state(
        *READY, {"event": "card", "card": "9H"}, *cards("3D", "KS", "4C"), MISDEAL, renamed(1, "6H"), table=table
    )
    loose = {one.bet: one for one in layout(view).loose}
    assert loose["banker"].before is not None
    assert (loose["banker"].before.outcome, loose["banker"].outcome) == ("lose", "win")


def test_an_irregularity_leaves_the_layout_beside_it() -> None:
    html = page(state(*READY, BETS, *cards("9H", "3D", "KS", "4C"), MISDEAL))
    alarm = html.index('class="irregular"')
    assert html.index('class="beside-alarm"') < alarm < html.index('class="felt baccarat"')
    felt = html[html.index('class="felt baccarat"') :]
    assert re.findall(r'class="nth">(\d+)<', felt) == ["1", "3", "2", "4"]  # player, then banker, in the order dealt
    assert "A card was entered wrongly" in texts(html)


def test_a_card_that_waits_is_marked_beside_the_layout_and_its_place_named() -> None:
    view = state(*READY, BETS, *cards("9H", "3D", "KS", None))
    assert view.irregularities[0].code == "unread_card"
    assert layout(view).waiting == [(4, None)]
    shown = texts(page(view))
    assert "Expected: Banker · card 2" in shown
    assert "Two people look at the card and enter its value." in shown


def test_a_card_in_question_is_marked_at_its_place() -> None:
    view = state(*READY, READER, BETS, {"event": "card", "card": "9H"}, *cards("3D"))
    assert view.irregularities[0].code == "card_by_hand"
    felt = layout(view)
    assert [one.number for one in slots(felt) if one.concerned] or [number for number, _ in felt.waiting] == [1]


def test_a_card_of_the_round_is_named_by_hand_and_position_for_its_correction() -> None:
    html = page(state(*READY, BETS, *cards("9H", "3D", "KS", "4C"), MISDEAL))
    listed = html[html.index('id="round-left"') :]
    named = [texts(one) for one in re.findall(r'class="at">(.*?)</span></button>', listed, re.DOTALL)]
    assert [one.split(" <")[0].strip() for one in named] == ["Player · 1", "Banker · 1", "Player · 2", "Banker · 2"]


def test_a_dispute_shows_its_reason_once_and_no_title_twice() -> None:
    html = page(state(*READY, BETS, *cards("9H"), {"event": "dispute", "detail": "wager_disputed"}))
    alarm = texts(html[html.index('class="irregular"') : html.index('class="felt')])
    assert "Dispute A wager is disputed reading G7" in alarm
    assert "held for a dispute" not in alarm
    freely = page(state(*READY, BETS, *cards("9H"), {"event": "dispute", "detail": "seat 2: 100% <sure>"}))
    assert "seat 2: 100% &lt;sure&gt;" in freely


def test_a_fault_shows_number_name_and_remedy_and_that_continue_follows() -> None:
    view = state(*READY, BETS, *cards("9H"), FAULT)
    shown = texts(page(view))
    assert "fault 3" in shown
    assert "wrong button" in shown
    assert "Press the button that the shoe's display asks for." in shown.replace("&#39;", "'")
    assert "“Continue” appears here once the device is working." in shown
    over = texts(
        page(state(*READY, BETS, *cards("9H"), FAULT, {"event": "fault_cleared", "code": 3, "device": "shoe"}))
    )
    assert "“Continue” appears" not in over
    assert "Continue" in over


def test_a_fault_of_a_table_without_irregularity_is_shown_too() -> None:
    view = state(*READY, {**FAULT, "code": "not_admitted", "origin": "table"})
    if not view.irregularities:
        assert "the device may not be at this table" in texts(page(view))
    else:
        assert "not_admitted" in texts(page(view))


def test_a_lost_device_has_a_remedy() -> None:
    shown = texts(page(state(*READY, BETS, *cards("9H"), {"event": "device_lost", "device": "shoe"})))
    assert "disconnected" in shown
    assert "Check cable and power of the device." in shown


@pytest.mark.parametrize("device", [{}, {"device": "shoe"}])
def test_the_pad_is_behind_more_while_a_device_that_reads_is_working(device: Line) -> None:
    loaded = [{**line, **device} if line["event"] == "loaded" else line for line in READY]
    lines = [*loaded, READER, BETS, *cards("9H")]
    assert 'class="pad"' not in page(state(*lines))
    assert "Enter the card by hand" in page(state(*lines))  # behind "More"
    cleared = {"event": "fault_cleared", "code": 3, "device": "shoe"}
    faulty = [*lines, FAULT, cleared]
    resumed = {"event": "resolve", "irregularity": 1, "action": "continue", "by": ["cara"]}
    assert 'class="pad"' not in page(state(*faulty, resumed))
    assert 'class="pad"' in page(state(*loaded, BETS, *cards("9H")))  # nothing that reads is known


def test_a_table_is_closed_once_the_person_is_sure_and_its_pages_stay() -> None:
    html = page(state())
    for event in ("closed", "equipment"):
        assert re.search(rf'data-event="{event}"[^>]*data-form="sure"', html), event
    closed = state({"event": "closed"})
    feed = Feed(SETTINGS.place)
    feed.view, feed.log, feed.seq = closed, "0" * 8, closed.seq
    assert feed.why_not  # the table has gone
    pages = Pages(SETTINGS, feed)
    for name in pages.names:
        whole = pages.whole(name)
        assert re.search(r'<section id="cover" role="alert" hidden>', whole), name
        assert "Table closed" in texts(whole), name
    assert 'data-event="closed"' not in pages.whole("croupier")
    feed.view = state()
    assert not re.search(r'<section id="cover" role="alert" hidden>', Pages(SETTINGS, feed).whole("board"))


def test_rounds_are_numbered_within_their_shoe_and_one_ahead_while_bets_are_open() -> None:
    bets = {"event": "bets_closed", "seats": [1], "wagers": [{"seat": 1, "bet": "banker", "stake": 10000}]}
    dealt = [bets, *cards("9H", "3D", "KS", "4C"), {"event": "round_closed"}]
    end = {"event": "shoe_ended", "reason": "house", "by": ["cara"]}
    again = [*dealt, *dealt, end, *READY]
    assert "Shoe 1 · Round 1" in texts(page(state(*READY)))
    assert "Shoe 1 · Round 2" in texts(page(state(*READY, *dealt, bets)))
    second = state(*READY, *again)
    assert (second.rounds, second.round_of_shoe) == (2, 1)
    assert "Shoe 2 · Round 1" in texts(page(second))
    assert "Shoe 2 · Round 1" in texts(page(state(*READY, *again, bets, *cards("9H"))))
    between = state(*READY, *dealt, end)
    assert "Round" not in texts(page(between)[: page(between).index("</section>")]).replace("Shoe 1 · Round 1", "")
    board = texts(Pages(SETTINGS, Feed(SETTINGS.place)).render("board", second))
    assert "Shoe 2" in board
    assert "Round 1" in board


def test_the_page_shows_when_and_by_whom_a_supervisor_was_called_until_one_signs_in() -> None:
    def person(event: str, who: str, **more: str) -> Line:
        return {"event": event, "person": who, "place": "table_screen", "origin": "table", **more}

    lines = [*READY, person("signed_in", "cara", role="croupier"), {"event": "supervisor_called"}]
    view = state(*lines)
    assert "Supervisor called 08:00:00 · cara" in texts(page(view))
    assert 'data-event="supervisor_called"' not in page(view)
    come = state(*lines, person("signed_in", "sara", role="supervisor"))
    assert "Supervisor called" not in texts(page(come))
    assert 'data-event="supervisor_called"' in page(come)
    left = state(*lines[:-1], person("signed_out", "cara", because="asked"), lines[-1])
    assert (left.called_by, left.croupier) == ("", "")


def test_seats_have_the_casinos_labels_on_pages_and_their_numbers_in_inputs() -> None:
    labels = ["1", "2", "3", "5", "6", "7", "8A"]
    section = DisplaySection(languages=["en"], seat_labels=labels)
    settings = msgspec.structs.replace(SETTINGS, section=section)
    bets = page(state(*READY), settings)
    numbers = bets[bets.index('class="band numbers"') :]
    assert re.findall(r'data-seat="(\d)"[^>]*>([^<]*)</button>', numbers) == list(zip("1234567", labels, strict=True))
    wagers = [{"seat": 4, "bet": "banker", "stake": 10000}]
    dealt = page(state(*READY, {**BETS, "seats": [4], "wagers": wagers}, *cards("9H")), settings)
    assert re.findall(r"<h3>([^<]*)</h3>\s*(?:<ul|</li>)", dealt) == labels
    words = Words(["en", "pt"], seats=labels)
    assert words.plain("Seat %(seat)s", seat=4) == "Seat 5"
    assert (words.seat("4.2"), words.seat("7·1"), words.seat("")) == ("5.2", "8A·1", "")
    other = "the device does not agree with the regulation: it read another card than was entered for seat 4, card 1"
    assert "lugar 5" in words.law_in_each(other)["pt"]


def test_the_board_shows_the_last_cards_and_the_next_marks_and_counts_no_cards() -> None:
    view = state(*READY, BETS, *cards("9H", "3D", "KS", "4C"))
    board = board_of(view, currency("MOP"))
    assert (dict(board.last), dict(board.points)) == (
        {"player": ["9H", "KS"], "banker": ["3D", "4C"]},
        {"player": 9, "banker": 7},
    )
    assert set(board.asked) == {"player", "banker"}
    shown = texts(Pages(SETTINGS, Feed(SETTINGS.place)).render("board", view))
    assert "Ask banker" in shown
    assert "cards dealt" not in shown


def test_a_result_comes_first_with_what_is_taken_and_paid() -> None:
    html = page(state(*READY, BETS, *cards("9H", "3D", "KS", "4C")))
    prompt = html[html.index('class="prompt') : html.index('class="acts"')]
    assert 'class="prompt do-close_round won player"' in prompt
    assert "Player wins, 9 take 100 pay 200 Natural" in texts(prompt)
    void = {"event": "resolve", "irregularity": 1, "action": "void", "by": ["cara", "sara"]}
    voided = page(state(*READY, BETS, *cards("9H", "3D"), FAULT, void))
    assert " won " not in voided
    assert "Round void: return every wager" in voided


def test_points_run_during_the_deal_and_the_next_place_has_its_number() -> None:
    view = state(*READY, BETS, *cards("9H", "3D", "KS"))
    assert [one.points for one in layout(view).tops] == [9, 3]
    assert "card 2 face up" in texts(page(view))


def test_a_hand_with_a_card_face_down_has_no_points_before_it_is_shown() -> None:
    table = profile("blackjack", "shoe", {"procedure": "first", "stakes": "untracked"})
    closed: Line = {"event": "bets_closed", "seats": [1], "wagers": [{"seat": 1, "bet": "main"}]}
    first: Line = {"event": "card", "card": "5C"}
    hidden: Line = {"event": "card", "card": None, "unseen": True}
    stack = [{**line, "behind": 30} if line["event"] == "cut_card_placed" else line for line in READY[:4]]
    dealt = [*stack, *[hidden] * 8, closed, hidden, first, hidden]
    seat = layout(state(*dealt, table=table)).seats[0].hands[0]
    assert ([one.face for one in seat.slots], seat.points) == (["down", "down"], None)

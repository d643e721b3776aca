"""The control language: every command, and every way of getting one wrong."""

import pytest

from sim.angel_eye.settings import ShoeSettings
from sim.clock import VirtualClock
from sim.control import AngelEyeControl
from sim.control_lines import LOAD_USAGE
from sim.hands import hands_at
from sim.wires.direct import DirectWire


class Desk:
    """A shoe with a new deck in it, and its control."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.sent = bytearray()
        self.wire = DirectWire(self.sent.extend)
        self.hands = hands_at(self.wire, self.clock, 1, ShoeSettings(initial_burn="none"))
        self.control = AngelEyeControl(self.hands, self.wire, seed=7)
        self.hands.place_cut_card(14)
        self.hands.load()
        self.hands.shoe.power_on()

    def lines(self, *lines: str) -> list[str]:
        return [self.control.execute(line) for line in lines]


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_drawing(desk: Desk) -> None:
    assert desk.lines("draw", "draw 3") == ["ok: drew AS", "ok: drew 2S, 3S, 4S"]
    assert desk.lines("double-feed", "draw") == ["ok: the next pull brings two cards", "ok: drew 5S and 6S"]
    # 32 more before the cut card, which counts as one pull.
    assert desk.lines("draw 34")[0].endswith("the cut card, KD")
    assert desk.lines("draw 20")[0].endswith("QC, KC, nothing, the shoe is empty")
    assert desk.lines("draw") == ["ok: drew nothing, the shoe is empty"]
    assert desk.lines("half") == ["ok: the shoe is empty"]
    assert desk.lines("pushback exit")[0].startswith("error: pushback: the shoe is empty: load it first")
    assert desk.hands.cards_are_complete


def test_named_cards_come_first_and_the_rest_is_shuffled(desk: Desk) -> None:
    assert desk.lines("load cards 8S ? KD", "draw 3")[0] == "ok: loaded 52 cards, the cut card before the last 14"
    assert [out.card for out in desk.hands.out][::2] == ["8S", "KD"]
    assert desk.hands.cards_are_complete
    first = desk.hands.shoe.cards
    desk.lines("load cards 8S ? KD", "draw 3")
    assert desk.hands.shoe.cards != first


def test_cards_in_the_shoe_are_arranged_for_what_comes_next(desk: Desk) -> None:
    assert desk.lines("draw", "arrange KD ? 2S", "draw 3") == [
        "ok: drew AS",
        "ok: KD ? 2S come next",
        "ok: drew KD, 3S, 2S",
    ]
    (refused,) = desk.lines("arrange AS")
    assert refused.startswith("error: arrange: it does not have AS; usage: arrange CARD...")
    desk.lines("draw 33")
    # The cut card stays where it lies.
    assert desk.lines("draw", "arrange KC", "draw 3")[2] == "ok: drew the cut card, KC, AC"
    assert desk.lines(f"arrange{' ?' * 14}")[0].startswith("error: arrange: it does not have 14 cards")
    assert desk.hands.cards_are_complete


def test_a_round_with_a_wrong_button(desk: Desk) -> None:
    # AS 3S against 2S 4S: 4 against 6. The player draws 5S: 9. The banker's 6 stands on a 5.
    desk.lines("draw 5")
    assert desk.lines("press tie", "press player") == ["ok: pressed, errors 3", "ok: pressed"]


def test_an_overdraw(desk: Desk) -> None:
    desk.lines("draw 6")
    assert desk.lines("clear 2", "clear 2") == [
        "ok: cleared",
        "error: clear: no such error is on the display; `status` shows which are; usage: clear [CODE]",
    ]
    assert desk.lines("force-end") == ["ok: pressed"]


def test_mishaps(desk: Desk) -> None:
    assert desk.lines("unread", "unread 6", "misread TH", "drop-telegrams 2") == [
        "ok: the next card will not be read",
        "ok: the next card will not be read",
        "ok: the next card will be taken for TH",
        "ok: the next 2 telegrams will be lost",
    ]
    assert desk.lines("fault 40", "clear") == ["ok: raised, errors 40", "ok: cleared"]
    assert desk.lines("pushback midway", "half", "pushback exit") == [
        "ok: pushed back",
        "ok: half out",
        "ok: pushed back",
    ]
    assert desk.lines("power-cycle") == ["ok: switched off and on"]


def test_key_menu_and_telegrams(desk: Desk) -> None:
    assert desk.lines("key lock", "key unlock", "setting on", "setting off", "preset 07 0120", "standby") == [
        "ok: locked",
        "ok: unlocked",
        "ok: setting mode on",
        "ok: setting mode off",
        "ok: told",
        "ok: told",
    ]
    desk.clock.run_until_idle()
    assert bytes.fromhex("4D 30 37 30 31 32 30 03") in desk.sent


def test_cable(desk: Desk) -> None:
    assert desk.lines("unplug", "replug") == ["ok: unplugged", "ok: plugged in"]
    assert desk.wire.is_plugged


def test_loading_repeats_with_a_seed(desk: Desk) -> None:
    assert desk.lines("load 3") == ["ok: loaded 52 cards, the cut card before the last 14"]
    first = desk.hands.shoe.cards
    desk.lines("draw 10", "load 4")
    assert desk.hands.shoe.cards != first
    desk.lines("load 3")
    other = Desk()
    other.lines("load")
    again = Desk()
    again.lines("load")
    assert other.hands.shoe.cards == again.hands.shoe.cards
    assert desk.hands.cards_are_complete


def test_status(desk: Desk) -> None:
    assert desk.control.execute("status") == (
        "ok: player -; banker -; due player 1; verdict none; 52 cards in the shoe; cut card after 38; errors none; "
        "unlocked; plugged in"
    )
    desk.lines("unread", "draw", "draw", "key lock", "setting on", "half", "unplug")
    assert desk.control.execute("status") == (
        "ok: player ?; banker -; due banker 1; verdict none; 50 cards in the shoe; cut card after 36; errors 1; "
        "a card half out; setting mode; locked; unplugged"
    )


def test_status_of_a_complete_round(desk: Desk) -> None:
    desk.lines("draw 5")
    assert "player AS 3S 5S; banker 2S 4S; due none; verdict player;" in desk.lines("status")[0]
    desk.lines("draw 60")
    assert "cut card out" in desk.lines("status")[0]


def test_help_names_every_command(desk: Desk) -> None:
    (text,) = desk.lines("help")
    assert "\n" not in text
    for name in ("draw [N]", "press player|banker|tie", "key lock|unlock", "load [SEED]", "help"):
        assert name in text


def test_an_empty_line_is_no_command(desk: Desk) -> None:
    assert desk.lines("", "   ") == ["", ""]


PRESET = "give an address of 2 and a value of 4 ASCII characters, such as 07 0120"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("drwa", "error: unknown command 'drwa'; did you mean 'draw'? `help` lists the commands"),
        ("xyzzy", "error: unknown command 'xyzzy'; `help` lists the commands"),
        ("draw x", "error: draw: 'x' given, expected a number; usage: draw [N]"),
        ("draw 0", "error: draw: 0 given, expected 1 to 1000; usage: draw [N]"),
        ("draw 1 2", "error: draw: '1 2' given, expected a number; usage: draw [N]"),
        ("draw " + "9" * 5000, "error: draw: " + "9" * 5000 + " given, expected 1 to 1000; usage: draw [N]"),
        ("draw ²", "error: draw: '²' given, expected a number; usage: draw [N]"),
        ("draw -1", "error: draw: '-1' given, expected a number; usage: draw [N]"),
        ("press", "error: press: nothing given, expected one of player, tie, banker; usage: press player|banker|tie"),
        (
            "press both",
            "error: press: 'both' given, expected one of player, tie, banker; usage: press player|banker|tie",
        ),
        ("key", "error: key: nothing given, expected one of lock, unlock; usage: key lock|unlock"),
        ("key lock now", "error: key: 'lock now' given, expected one of lock, unlock; usage: key lock|unlock"),
        ("setting maybe", "error: setting: 'maybe' given, expected one of on, off; usage: setting on|off"),
        ("fault", "error: fault: nothing given, expected a number; usage: fault CODE"),
        ("fault 64", "error: fault: 64 given, expected 0 to 63; usage: fault CODE"),
        ("unread 2", "error: unread: 2 is neither 1 (cannot read) nor 6 (card code); usage: unread [1|6]"),
        (
            "misread XY",
            "error: misread: 'XY' given, expected a card: rank A23456789TJQK, suit SHDC, as in TH; usage: misread CARD",
        ),
        ("pushback out", "error: pushback: 'out' given, expected one of exit, midway; usage: pushback exit|midway"),
        *(
            (line, f"error: preset: {PRESET}; usage: preset AA VVVV")
            for line in ("preset 7 1", "preset 07 0\0\0000", "preset 07 01é0")
        ),
        ("drop-telegrams", "error: drop-telegrams: nothing given, expected a number; usage: drop-telegrams N"),
        ("unplug now", "error: unplug: takes nothing after it, 'now' given; usage: unplug"),
        ("load x", f"error: load: 'x' given, expected a number; usage: {LOAD_USAGE}"),
        ("load cards", f"error: load: name the cards that come next, such as 8S KD; usage: {LOAD_USAGE}"),
        (
            "load cards 8S 8X",
            f"error: load: '8X' is no card such as TH, nor ? for any card; usage: {LOAD_USAGE}",
        ),
        ("load cards 8S KD 8S", f"error: load: 2 cards 8S are more than there are (decks: 1); usage: {LOAD_USAGE}"),
        (
            "load cards" + " ?" * 53,
            f"error: load: 53 cards are more than there are (decks: 1); usage: {LOAD_USAGE}",
        ),
    ],
)
def test_bad_lines_say_what_where_and_what_to_do(desk: Desk, line: str, expected: str) -> None:
    before = desk.lines("status")
    assert desk.lines(line) == [expected]
    assert desk.lines("status") == before


def test_a_second_half_draw_is_an_error(desk: Desk) -> None:
    desk.lines("half")
    assert desk.lines("half") == [
        "error: half: a card is half out already: finish the draw or push it back; usage: half"
    ]
    assert desk.lines("draw") == ["ok: drew AS"]

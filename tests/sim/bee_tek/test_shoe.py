"""The simulated Bee-Tek shoe: the lines it sends, its mishaps, and the control lines that bring them about."""

import pytest

from protocols.bee_tek.messages import Mode
from regulations.events.cards import Card
from sim.bee_tek.control import BeeTekControl
from sim.bee_tek.hands import BeeTekHands, bee_tek_at
from sim.bee_tek.shoe import BeeTekSettings
from sim.clock import VirtualClock
from sim.wires.direct import DirectWire


class Rig:
    def __init__(self, settings: BeeTekSettings | None = None, cards: tuple[Card, ...] = ("4S", "TH", "KD")) -> None:
        self.line = b""
        self.clock = VirtualClock()
        self.wire = DirectWire(self.hear)
        self.hands: BeeTekHands = bee_tek_at(self.wire, self.clock, 1, settings)
        self.control = BeeTekControl(self.hands, self.wire, 7)
        self.hands.make_ready()
        if cards:
            self.hands.device.load(cards, 1)

    def hear(self, data: bytes) -> None:
        self.line += data

    def do(self, *lines: str) -> list[str]:
        answers = [self.control.execute(line) for line in lines]
        self.clock.run_until_idle()
        return answers

    def said(self, *lines: str) -> list[bytes]:
        self.do(*lines)
        line, self.line = self.line, b""
        return line.split(b"\r\n")[:-1]


def test_every_card_is_told_and_the_cut_card_is_not() -> None:
    rig = Rig()
    assert rig.do("draw 5") == ["ok: drew 4S, TH, the cut card, KD, nothing, the shoe is empty"]
    assert rig.said() == [
        b"[Manual Burn Cards]<Card:4S>",
        b"[Manual Burn Cards]<Card:TH>",
        b"[Manual Burn Cards]<Card:KD>",
    ]


def test_game_mode_with_and_without_repeated_characters() -> None:
    assert Rig(BeeTekSettings(mode=Mode.GAME)).said("draw") == [b"[Game]<Card:4S>"]
    assert Rig(BeeTekSettings(mode=Mode.GAME, repeats_characters=True)).said("draw") == [b"[Game]<Card:4S>4S"]
    assert Rig(BeeTekSettings(repeats_characters=True)).said("draw") == [b"[Manual Burn Cards]<Card:4S>"]


@pytest.mark.parametrize(
    ("mode", "lines", "said"),
    [
        (Mode.GAME, ["unread", "draw"], [b"[Game]<Game>", b"[GameAlarm]<Alarm:E3 Card Not Read>"]),
        (Mode.DIAGNOSTIC, ["unread", "draw"], [b"[GameAlarm]<Alarm:E3 Card Not Read>"]),
        (Mode.GAME, ["misread AC", "draw 2"], [b"[Game]<Card:AC>", b"[Game]<Card:TH>"]),
        (Mode.GAME, ["double-feed", "draw 1"], [b"[Game]<Card:4S>"]),
        (Mode.GAME, ["drop-lines 1", "draw 2"], [b"[Game]<Card:TH>"]),
        (Mode.GAME, ["alarm E5 Door Open"], [b"[GameAlarm]<Alarm:E5 Door Open>"]),
        (Mode.GAME, ["warn 31"], [b"<W0x1F>"]),
        (Mode.GAME, ["junk"], [b"\xff[Ga\x00e]<Ca"]),
        (Mode.GAME, ["unplug", "draw"], []),
        (Mode.GAME, ["power-cycle", "draw"], [b"[Game]<Card:4S>"]),
    ],
)
def test_mishaps(mode: Mode, lines: list[str], said: list[bytes]) -> None:
    rig = Rig(BeeTekSettings(mode=mode))
    assert all(answer.startswith("ok: ") for answer in rig.do(*lines))
    assert rig.said() == said


def test_a_shoe_that_is_off_is_mute_and_its_cards_come_out_all_the_same() -> None:
    rig = Rig()
    rig.hands.device.power_off()
    assert not rig.hands.device.is_powered
    assert rig.said("draw 2") == []
    assert rig.hands.device.cards == ("KD",)


def test_no_card_is_lost_between_shoe_and_table() -> None:
    rig = Rig(cards=())
    assert rig.do("load 5") == ["ok: loaded 52 cards, the cut card before the last 14"]
    rig.do("double-feed", "draw 9", "misread AC", "draw")
    assert rig.hands.cards_are_complete
    assert rig.hands.device.cards_left == 41
    assert rig.do("status", "unplug", "replug") == [
        "ok: mode diagnostic; 41 cards in the shoe; cut card after 27; plugged in",
        "ok: unplugged",
        "ok: plugged in",
    ]
    assert "alarm TEXT: raise an alarm" in rig.do("help")[0]


@pytest.mark.parametrize("line", ["alarm", "alarm <", "warn 256", "warn", "unread 1", "drop-lines 0", "press player"])
def test_bad_lines_change_nothing(line: str) -> None:
    rig = Rig()
    assert rig.do(line)[0].startswith("error: ")
    assert rig.line == b""

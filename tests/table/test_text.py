"""The table log in words, for a terminal."""

import pytest

from regulations.events import inputs, outputs, results
from regulations.events.inputs import AnyInput, Wager
from regulations.events.outputs import AnyOutput, Next, ReturnedWager, SettledWager
from regulations.events.results import Hands, Points
from table.scribe import Scribe, Taken
from table.text import ACT_TEXT, OUTPUT_TEXT, card_text, cards_text, describe, money_text, prompt_text
from tests.table.test_scribe import INPUTS, TABLE

LOST = SettledWager(seat=1, bet="banker", id=1, hand=1, stake=10000, net=-10000, article="art. 11.º")
WON = SettledWager(seat=7, bet="player", id=2, hand=1, stake=1234500, net=1172775, article="art. 18.º", residue="1/2")
POINTS = Points(player=9, banker=7)
HANDS = Hands(player=["9H", "KS"], banker=["3D", "4C"])
NEXT = Next(do="draw", to="player", position=1)

OUTPUTS: list[tuple[AnyOutput, list[str]]] = [
    (outputs.Dealt(card="TH", to="player", position=1, article="art. 7.º-1"), ["  player 1  10♥"]),
    (outputs.Dealt(card=None, to="banker", position=2), ["  banker 2  ▒▒"]),
    (outputs.Burned(card=None, why="initial"), ["  burned   ▒▒  (initial)"]),
    (outputs.Burned(card="AS", why="invalid"), ["  burned   A♠  (invalid)"]),
    (outputs.Reveal(who="banker", cards=["3D", "4C"]), ["  banker shows 3♦ 4♣"]),
    (
        results.BaccaratResult(
            outcome="player", points=POINTS, cards=HANDS, natural=True, pairs=[], article="art. 11.º"
        ),
        ["  PLAYER wins (natural)   player 9 (9♥ K♠)   banker 7 (3♦ 4♣)   [art. 11.º]"],
    ),
    (
        results.BaccaratResult(outcome="tie", points=POINTS, cards=HANDS, natural=False, pairs=["player", "banker"]),
        ["  TIE (player pair, banker pair)   player 9 (9♥ K♠)   banker 7 (3♦ 4♣)"],
    ),
    (
        outputs.Settled(wagers=[LOST, WON]),
        [
            "    seat 1 banker            100.00 →      -100.00   [art. 11.º]",
            "    seat 7 player         12,345.00 →   +11,727.75, residue 1/2   [art. 18.º]",
        ],
    ),
    (
        outputs.Reversed(wagers=[LOST], article="reading G3"),
        ["  reversed: 1 settlements no longer hold   [reading G3]"],
    ),
    (
        outputs.Voided(reason="x", wagers=[ReturnedWager(seat=1, bet="tie", id=1, stake=5)], article="reading G3"),
        ["  VOID (x): 1 wagers returned   [reading G3]"],
    ),
    (
        outputs.Refused(code="not_now", detail="no round is open", article="art. 7.º-1"),
        ["  REFUSED not_now: no round is open   [art. 7.º-1]"],
    ),
    (
        outputs.Irregularity(
            irregularity=2, code="card_not_due", card="2C", actions=["burn", "void"], detail="why", article="art. 10.º"
        ),
        ["  IRREGULARITY 2 card_not_due: why   [art. 10.º]", "    ways out: burn, void"],
    ),
    (
        outputs.Resolved(irregularity=2, action="burn", by=[7, "Ana"], article="art. 10.º"),
        ["  irregularity 2 resolved: burn, by 7, Ana   [art. 10.º]"],
    ),
    (outputs.LastRound(article="art. 3.º-1"), ["  LAST ROUND   [art. 3.º-1]"]),
    (outputs.ShoeOver(cards_seen=402, cards_left=14), ["Shoe over: 402 cards out, 14 left"]),
    (NEXT, []),
]
PROMPTS: list[tuple[Next, str]] = [
    (NEXT, "→ draw a card for player, position 1"),
    (Next(do="burn", article="art. 8.º"), "→ burn a card   [art. 8.º]"),
    (Next(do="reveal", to="banker"), "→ show the cards of banker"),
    (
        Next(do="resolve", irregularity=3, actions=["continue", "void"]),
        "→ resolve irregularity 3: continue or void",
    ),
    (Next(do="resolve", irregularity=3, actions=[]), "→ resolve irregularity 3: wait"),
    (Next(do="resolve", irregularity=3), "→ resolve irregularity 3: wait"),
    (Next(do="nothing"), "→ nothing"),
]
TOLD: list[tuple[AnyInput, str]] = [
    (TABLE, "Table T-1: baccarat, 8 decks, 7 seats, shoe"),
    (inputs.Shuffled(by="croupier"), "shuffled by croupier"),
    (inputs.CutCardPlaced(behind=14), "cut card placed, 14 cards behind it"),
    (inputs.Loaded(cards=416), "416 cards loaded"),
    (
        inputs.BetsClosed(
            seats=[1], wagers=[Wager(seat=1, bet="tie", stake=150), Wager(seat=1, bet="player", stake=50)]
        ),
        "bets closed: 2 wagers, 2.00",
    ),
    (inputs.Fault(device="shoe", code=2), "shoe: fault 2"),
    (inputs.DeviceLost(device="shoe"), "shoe: the link is gone"),
    (inputs.DeviceResult(device="shoe", outcome="tie", pairs=[]), "  shoe reports: tie"),
    (inputs.Misdeal(detail="two at once"), "misdeal reported: two at once"),
    (inputs.Closed(), "the table closes"),
]


@pytest.mark.parametrize(("output", "lines"), OUTPUTS, ids=[type(output).__name__ for output, _ in OUTPUTS])
def test_an_output(output: AnyOutput, lines: list[str]) -> None:
    assert list(describe(Taken(inputs.RoundClosed(), [output, NEXT], []))) == lines


def test_every_output_has_its_words() -> None:
    shown = {type(output) for output, _ in OUTPUTS}
    assert shown == set(AnyOutput.__args__)
    assert shown - {Next} == set(OUTPUT_TEXT)


@pytest.mark.parametrize(("prompt", "text"), PROMPTS)
def test_a_prompt(prompt: Next, text: str) -> None:
    assert prompt_text(prompt) == text


@pytest.mark.parametrize("do", ACT_TEXT)
def test_every_other_prompt_has_its_words(do: str) -> None:
    assert ACT_TEXT[do][0].islower()


@pytest.mark.parametrize(("event", "line"), TOLD)
def test_an_input(event: AnyInput, line: str) -> None:
    assert list(describe(Taken(event, [NEXT], []))) == [line]


def test_cards_and_money() -> None:
    assert card_text("TD") == "10♦"
    assert card_text(None) == "▒▒"
    assert cards_text(["AS", "QC"]) == "A♠ Q♣"
    assert [money_text(units) for units in (0, 5, -5, 123456789)] == ["0.00", "0.05", "-0.05", "1,234,567.89"]
    assert [money_text(units, signed=True) for units in (0, 5, -5)] == ["0.00", "+0.05", "-0.05"]


def test_a_round_of_the_real_regulation_reads_down() -> None:
    scribe = Scribe(TABLE)
    for event in INPUTS[:13]:
        scribe.take(event)
    lines = [line for event in INPUTS[13:17] for line in describe(scribe.take(event))]
    assert lines == [
        "  player 1  9♥",
        "  banker 1  3♦",
        "  player 2  K♠",
        "  banker 2  4♣",
        "  PLAYER wins (natural)   player 9 (9♥ K♠)   banker 7 (3♦ 4♣)   [55/2004 art. 11.º]",
        "    seat 1 banker              1.00 →        -1.00   [55/2004 art. 11.º]",
    ]

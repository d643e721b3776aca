"""The table log in words, for a terminal."""

import os
from functools import partial
from pathlib import Path
from typing import get_args

import click
import msgspec
import pytest
from msgspec import UNSET, UnsetType

from cardshoe.screens.words.currency import currency
from cardshoe.table.log.log_builder import LoggedInput, Scribe
from cardshoe.table.terminal.formatting import COLUMNS, Voice, fitted
from cardshoe.table.terminal.printing import Look, TextPrinter
from cardshoe.table.terminal.text import (
    ACT_TEXT,
    INPUT_TEXT,
    OUTPUT_TEXT,
    card_text,
    cards_text,
    describe,
    duties_text,
    money_text,
    prompt_text,
)
from firmware_bridge.families import family_named
from firmware_bridge.faults import words_of
from protocols.angel_eye.messages import ErrorCode
from protocols.tdp.codes import FaultCode
from regulations.events import inputs, notices, outputs
from regulations.events.inputs import AnyInput, Wager
from regulations.events.outputs import AnyOutput, Duty, Next, ReturnedWager, SettledWager
from regulations.events.vocabulary import Do
from regulations.games.baccarat.result import BaccaratResult, HandsShown, Points
from regulations.games.blackjack.result import BlackjackCroupier, BlackjackHand, BlackjackResult
from regulations.games.casino_war.result import CasinoWarResult, WarBettor, WarSeat
from regulations.games.q_poker.result import PokerCroupier, QPokerResult
from regulations.games.three_card_baccarat.result import ThreeCardBanker, ThreeCardResult
from tests.kit.results import Q_POKER, THREE_CARD
from tests.kit.table_log import INPUTS, TABLE

LOST = SettledWager(seat=1, bet="banker", id=1, hand=1, stake=10000, net=-10000, article="art. 11.º")
WON = SettledWager(seat=7, bet="player", id=2, hand=1, stake=1234500, net=1172775, article="art. 18.º", residue="1/2")
CARRIED = SettledWager(seat=2, bet="main", id=1, hand=3, stake=1000, net=0, article="art. 8.º", carried=True)
POINTS = Points(player=9, banker=7)
HANDS = HandsShown(player=["9H", "KS"], banker=["3D", "4C"])
NEXT = Next(do="draw", to="player", position=1)

OUTPUTS: list[tuple[AnyOutput, list[str]]] = [
    (
        outputs.Emptied(to="seat", position=3, seat=2, hand=1, article="reading G11"),
        ["  seat 2, card 3  no card any more"],
    ),
    (outputs.Dealt(card="TH", to="player", position=1, article="art. 7.º-1"), ["  player 1  10♥"]),
    (outputs.Dealt(card=None, to="banker", position=2), ["  banker 2  ▒▒"]),
    (outputs.Dealt(card="TH", to="seat", seat=3, position=2), ["  seat 3, card 2  10♥"]),
    (outputs.Dealt(card=None, to="seat", seat=3, hand=2, position=2), ["  seat 3 hand 2, card 2  ▒▒"]),
    (outputs.Dealt(card="AS", to="croupier", position=1), ["  croupier 1  A♠"]),
    (outputs.Emptied(to="banker", position=3), ["  banker 3  no card any more"]),
    (outputs.Emptied(to="seat", seat=3, hand=2, position=2), ["  seat 3 hand 2, card 2  no card any more"]),
    (outputs.Burned(card=None, why="initial"), ["  burned   ▒▒  (initial)"]),
    (outputs.Burned(card="AS", why="invalid"), ["  burned   A♠  (invalid)"]),
    (outputs.Reveal(who="banker", cards=["3D", "4C"]), ["  banker shows 3♦ 4♣"]),
    (outputs.Reveal(who="seat", seat=5, hand=2, cards=["3D"]), ["  seat 5 hand 2 shows 3♦"]),
    (
        BaccaratResult(outcome="player", points=POINTS, cards=HANDS, natural=True, pairs=[], article="art. 11.º"),
        ["  PLAYER wins (natural)   [art. 11.º]", "    player 9 (9♥ K♠)   banker 7 (3♦ 4♣)"],
    ),
    (
        BaccaratResult(outcome="tie", points=POINTS, cards=HANDS, natural=False, pairs=["player", "banker"]),
        ["  TIE (player pair, banker pair)", "    player 9 (9♥ K♠)   banker 7 (3♦ 4♣)"],
    ),
    (
        BlackjackResult(
            croupier=BlackjackCroupier(cards=["KS", "TH"], points=20, blackjack=False, bust=False),
            hands=[
                BlackjackHand(seat=1, hand=1, cards=["9S", "TD"], points=19, outcome="lose"),
                BlackjackHand(seat=1, hand=2, cards=["9H", "2D", "8C", "AH"], points=20, outcome="half_paid"),
            ],
            article="art. 7.º",
        ),
        [
            "  croupier 20 (K♠ 10♥)   [art. 7.º]",
            "    seat 1 19 (9♠ 10♦) lose",
            "    seat 1 hand 2 20 (9♥ 2♦ 8♣ A♥) half paid",
        ],
    ),
    (
        BlackjackResult(
            croupier=BlackjackCroupier(cards=["KS", "AH"], points=21, blackjack=True, bust=False), hands=[]
        ),
        ["  croupier 21 BLACKJACK (K♠ A♥)"],
    ),
    (
        BlackjackResult(
            croupier=BlackjackCroupier(cards=["KS", "6H", "9D"], points=25, blackjack=False, bust=True),
            hands=[],
        ),
        ["  croupier 25 bust (K♠ 6♥ 9♦)"],
    ),
    (
        CasinoWarResult(
            croupier="9H",
            seats=[
                WarSeat(seat=1, card="TD", outcome="win"),
                WarSeat(seat=2, card="9S", outcome="war_win", war=["AS"]),
                WarSeat(
                    seat=3,
                    card="9C",
                    outcome="surrendered",
                    bettors=[
                        WarBettor(id=1, outcome="surrendered"),
                        WarBettor(id=2, outcome="war_lose"),
                    ],
                ),
            ],
            croupier_war=["KD"],
            article="art. 7.º",
        ),
        [
            "  croupier 9♥, challenged K♦   [art. 7.º]",
            "    seat 1 10♦ win",
            "    seat 2 9♠ A♠ war win",
            "    seat 3 9♣ bettor 1 surrendered, bettor 2 war lose",
        ],
    ),
    (
        Q_POKER,
        [
            "  croupier odd cards (K♠ 10♥ 2♦)   [art. 9.º]",
            "    seat 1 pair (9♠ 9♦ 2♣) not qualified",
            "    seat 2 straight (9♥ 8♦ 7♣)",
        ],
    ),
    (
        QPokerResult(croupier=PokerCroupier(cards=["JS", "TH", "2D"], category="odd_cards", qualifies=False), seats=[]),
        ["  croupier odd cards (J♠ 10♥ 2♦), does not qualify"],
    ),
    (
        THREE_CARD,
        ["  banker 7, combination 9 (K♠ 10♥ 7♦)   [art. 7.º]", "    seat 4 combination 12 (9♠ 10♦ 8♣) lose"],
    ),
    (
        ThreeCardResult(banker=ThreeCardBanker(cards=["KS", "QH", "JD"], combination=1, points=None), seats=[]),
        ["  banker three figures, combination 1 (K♠ Q♥ J♦)"],
    ),
    (
        outputs.Settled(wagers=[LOST, WON, CARRIED]),
        [
            "    seat 1 banker          100.00 →    -100.00   [art. 11.º]",
            "    seat 7 player       12,345.00 → +11,727.75, bettor 2, residue 1/2   [art. 18.º]",
            "    seat 2 main             10.00 →    carried, hand 3   [art. 8.º]",
        ],
    ),
    (
        outputs.Reversed(wagers=[LOST], article="reading G3"),
        ["  reversed: 1 settlement no longer holds   [reading G3]"],
    ),
    (
        outputs.Voided(reason="x", wagers=[ReturnedWager(seat=1, bet="tie", id=1, stake=5)], article="reading G3"),
        ["  VOID (x): 1 wager returned   [reading G3]"],
    ),
    (
        outputs.Refused(code="not_now", detail="no round is open", article="art. 7.º-1"),
        ["  REFUSED round closed: no round is open (not_now)   [art. 7.º-1]"],
    ),
    (
        outputs.Irregularity(
            irregularity=2, code="card_not_due", card="2C", actions=["burn", "void"], detail="why", article="art. 10.º"
        ),
        ["  IRREGULARITY 2 card_not_due 2♣: why   [art. 10.º]"],
    ),
    (
        outputs.Resolved(irregularity=2, action="burn", by=[7, "Ana"], article="art. 10.º"),
        ["  irregularity 2 resolved: burn, by 7, Ana   [art. 10.º]"],
    ),
    (outputs.LastRound(article="art. 3.º-1"), ["  LAST ROUND   [art. 3.º-1]"]),
    (outputs.LastRound(article="reading B6", one_more=True), ["  ONE MORE ROUND   [reading B6]"]),
    (outputs.ShoeOver(cards_seen=402, cards_left=14), ["Shoe over: 402 cards out, 14 left"]),
    (NEXT, []),
]
PROMPTS: list[tuple[Next, str]] = [
    (NEXT, "→ draw for player, card 1"),
    (Next(do="burn", article="art. 8.º"), "→ burn a card   [art. 8.º]"),
    (Next(do="reveal", to="banker"), "→ show the cards of banker"),
    (Next(do="draw", to="seat", seat=3, hand=2, position=2), "→ draw for seat 3 hand 2, card 2"),
    (Next(do="reveal", to="seat", seat=3, hand=1), "→ show the cards of seat 3"),
    (Next(do="decide", seat=3, actions=["hit", "even_money"]), "→ wait for seat 3: hit or even_money"),
    (Next(do="decide", seat=3, hand=2, id=2, actions=["hit"]), "→ wait for seat 3 hand 2 bettor 2: hit"),
    (Next(do="return_cards"), "→ return the used cards to the shuffler-dealer"),
    (
        Next(do="resolve", irregularity=3, actions=["continue", "end_shoe"]),
        "→ resolve irregularity 3: continue or end_shoe",
    ),
    (
        Next(article="reading G13", do="resolve", irregularity=3, actions=["end_shoe"]),
        (
            "→ wait until the device of irregularity 3 works again, or end the shoe game without it: resolve 3 end_shoe"
            "   [reading G13]"
        ),
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
        "bets closed: 2 wagers, 2.00 MOP\n  seat 1 tie 1.50 MOP   seat 1 player 0.50 MOP",
    ),
    (
        inputs.BetsClosed(seats=[1, 3], wagers=[Wager(seat=1, bet="tie")]),
        "bets closed: 2 seats, 1 wager",
    ),
    (inputs.BetsClosed(seats=[1, 3], wagers=[]), "bets closed: 2 seats"),
    (inputs.BetsClosed(seats=[], wagers=[]), "bets closed: 0 wagers, 0.00 MOP"),
    (inputs.Decision(seat=3, action="split", any_pair=True), "  seat 3: split, and a wager on a pair"),
    (inputs.Decision(seat=3, action="split", any_pair=False), "  seat 3: split"),
    (
        inputs.BetsCorrected(
            seats=[1], wagers=[Wager(seat=1, bet="tie", stake=150)], reason="seat 1 had one wager", by=[7, 8]
        ),
        "bets corrected (seat 1 had one wager): 1 wager, 1.50 MOP\n  seat 1 tie 1.50 MOP",
    ),
    (
        inputs.BetsCorrected(seats=[1, 2], wagers=[], reason="seat 2 plays", by=[7, 8]),
        "bets corrected (seat 2 plays): 2 seats",
    ),
    (inputs.CardsReturned(cards=7), "7 used cards put back"),
    (inputs.Equipment(equipment="shoe"), "other equipment: shoe"),
    (inputs.Decision(seat=3, action="double"), "  seat 3: double"),
    (
        inputs.Decision(seat=3, hand=2, id=2, action="insurance", amount=5000),
        "  seat 3 hand 2 bettor 2: insurance, 50.00 MOP",
    ),
    (inputs.Decision(seat=3, action="split", any_pair=100), "  seat 3: split, 1.00 MOP on a pair"),
    (inputs.Exposed(who="croupier", cards=["AS"]), "  cards of croupier seen too soon: A♠"),
    (inputs.Exposed(who="seat", seat=2), "  cards of seat 2 seen too soon"),
    (inputs.Fault(device="shoe", code=2), "shoe: fault 2"),
    (inputs.DeviceLost(device="shoe"), "shoe: disconnected"),
    (
        notices.DeviceJudged(
            device="shoe", verdict="admitted", maker="Acme", model="Shoe 9", serial="SN-1", firmware="1.1.0"
        ),
        "shoe: admitted: Acme Shoe 9 SN-1, firmware 1.1.0",
    ),
    (notices.DeviceNoted(device="shoe", note="cover_opened", value=1), "shoe: cover opened (1)"),
    (notices.DeviceNoted(device="shoe", note="emptied"), "shoe: emptied"),
    (notices.ClockStepped(seconds=-3600.5), "the clock was set, by -3600.5 s"),
    (
        notices.WitnessBehind(witness="stick", notes=2, seconds=61),
        "witness stick: 2 signatures wait, the oldest for 61 s",
    ),
    (
        notices.WitnessCurrent(witness="stick", seconds=300),
        "witness stick: holds every signature again, after 300 s",
    ),
    (notices.SignedIn(person="7", role="croupier", place="table_screen"), "croupier 7 signed in (table screen)"),
    (notices.SignedOut(person="7", place="terminal", because="idle"), "7 signed out (terminal): idle"),
    (notices.SignInsRefused(count=1, since="T"), "1 sign-in refused since T"),
    (
        notices.SignInsRefused(count=9, since="T", ids=[notices.RefusedId(person="sara", count=7)]),
        "9 sign-ins refused since T: sara 7",
    ),
    (
        notices.PersonsListed(version=41, issued="S", until="T", persons=2),
        "list 41 of the floor says who may say what, until T: 2 persons",
    ),
    (
        notices.PersonsListed(version=41, issued="S", until="T", persons=2, lapsed=True),
        "list 41 of the floor is over since T: of its persons croupiers alone may sign in",
    ),
    (
        notices.DeviceIdentified(
            device="shoe", maker="Acme", model="S9", serial="SN-1", firmware="1.4", digest="d1", security_counter=7
        ),
        "shoe: Acme S9, serial number SN-1, firmware 1.4",
    ),
    (inputs.DeviceResult(device="shoe", outcome="tie", pairs=[]), "  shoe reports tie"),
    (inputs.Proposed(person="7", act="bets_corrected"), "7 proposed bets corrected"),
    (inputs.Proposed(person="7", act="void", refused="not_now"), "7 proposed void, which is refused: not now"),
    (
        notices.TableOpened(by=["sara", "tom"], closed="0a1b", root="AAAA", entries=9),
        "table opened by sara and tom after log 0a1b",
    ),
    (inputs.Misdeal(detail="two at once"), "misdeal reported: two at once"),
    (inputs.Closed(), "the table closes"),
]


@pytest.mark.parametrize(("output", "lines"), OUTPUTS, ids=[type(output).__name__ for output, _ in OUTPUTS])
def test_an_output(output: AnyOutput, lines: list[str]) -> None:
    assert list(describe(LoggedInput(inputs.RoundClosed(), [output, NEXT], [], inputs.RoundClosed()))) == lines


def test_every_output_has_its_words() -> None:
    shown = {outputs.kind_of(output) for output, _ in OUTPUTS}
    assert shown == set(AnyOutput.__args__)
    assert shown - {Next, outputs.Refused} == set(OUTPUT_TEXT)


def test_what_was_refused_is_not_announced_as_done() -> None:
    bets = inputs.BetsClosed(seats=[1], wagers=[Wager(seat=1, bet="banker", stake=10000)])
    detail = "seat 1, banker: 10000 minor units, the most is 5000"  # as regulations/law/stakes.py says it
    refusal = outputs.Refused(code="not_allowed", detail=detail, article="G15")
    taken = LoggedInput(bets, [refusal, NEXT], [], bets)
    [said] = describe(taken)
    assert said.startswith(
        "  REFUSED bets closed: 1 wager, 100.00 MOP: seat 1, banker: 100.00 MOP, the most is 50.00 MOP"
    )
    assert said.endswith(" (not_allowed)   [G15]")
    [said] = describe(taken, Voice(currency("JPY")))
    assert said.startswith(
        "  REFUSED bets closed: 1 wager, 10,000 JPY: seat 1, banker: 10,000 JPY, the most is 5,000 JPY"
    )


@pytest.mark.parametrize(
    ("seat", "pays", "line"),
    [
        (1, "19/20", "    seat 1 banker               1 →     +19/20   [x]"),
        (1, "-1", "    seat 1 banker               1 →         -1   [x]"),
        (1, "0", "    seat 1 banker               1 →          0   [x]"),
        (1, "carried", "    seat 1 banker               1 →    carried   [x]"),
        (UNSET, "2", "    all    banker               1 →         +2   [x]"),
    ],
)
def test_what_a_unit_is_paid(seat: int | UnsetType, pays: str, line: str) -> None:
    output = outputs.Settled(
        wagers=[outputs.SettledWager(seat=seat, bet="banker", id=1, hand=1, pays=pays, article="x")]
    )
    assert list(describe(LoggedInput(inputs.RoundClosed(), [output, NEXT], [], inputs.RoundClosed()))) == [line]


@pytest.mark.parametrize(("prompt", "text"), PROMPTS)
def test_a_prompt(prompt: Next, text: str) -> None:
    assert prompt_text(prompt) == text


def test_what_persons_must_see_to() -> None:
    assert duties_text(NEXT) == []
    prompt = Next(do="decide", seat=3, actions=["split"], duties=[Duty(article="art. 16.º-2", says="as much again")])
    assert duties_text(prompt) == ["check: as much again   [art. 16.º-2]"]
    assert prompt_text(prompt) == "→ wait for seat 3: split"


@pytest.mark.parametrize("do", ACT_TEXT)
def test_every_other_prompt_has_its_words(do: str) -> None:
    assert ACT_TEXT[do][0].islower()


@pytest.mark.parametrize(("event", "line"), TOLD)
def test_an_input(event: AnyInput, line: str) -> None:
    assert list(describe(LoggedInput(event, [NEXT], [], event))) == line.splitlines()


def test_every_input_has_its_words_or_the_outputs_tell_of_it() -> None:
    told_by_outputs = {inputs.CardDrawn, inputs.Revealed, inputs.RoundClosed, inputs.Resolve, inputs.Void}
    assert set(INPUT_TEXT) | told_by_outputs == set(AnyInput.__args__)
    assert not set(INPUT_TEXT) & told_by_outputs


def test_every_prompt_of_the_vocabulary_has_its_words() -> None:
    for do in get_args(Do):
        assert prompt_text(Next(do=do)).startswith("→ ")


def test_a_refusal_and_a_fault_in_colours_say_the_same_words() -> None:
    look = Look(has_colours=True)
    assert look.line("  REFUSED it", "refused") == "\x1b[31m\x1b[1m  REFUSED it\x1b[0m"
    assert click.unstyle(look.line("  player 1  10♥ A♠", "plain")) == "  player 1  10♥ A♠"
    assert "\x1b[31m10♥" in look.line("  player 1  10♥ A♠", "plain")
    four = Look(has_colours=True, four_colours=True).line("2♦ 3♣ 4♥ 5♠", "plain")
    assert [f"\x1b[{code}m{card}" in four for code, card in ((34, "2♦"), (32, "3♣"), (31, "4♥"))] == [True] * 3
    assert Look().line("  REFUSED it", "refused") == "  REFUSED it"


@pytest.mark.parametrize(
    ("family", "code", "said"),
    [
        ("angel_eye", 3, "shoe: fault 3: wrong button\n    Press the button that the shoe's display asks for."),
        ("tdp", "cover_open", "shoe: fault cover_open: cover open\n    Close the cover."),
        ("bee_tek", "line_damaged", "shoe: fault line_damaged: a damaged line, which may have been a card\n"),
        ("bee_tek", "E7 Door Open", "shoe: fault E7 Door Open"),
        (
            "tdp",
            "usb_serial_cloned",
            "shoe: fault usb_serial_cloned: the device on USB is not what the configuration allows\n",
        ),
        ("tdp", "not_admitted", "shoe: fault not_admitted: the device may not be at this table\n"),
    ],
)
def test_a_fault_has_its_name_and_what_to_do(family: str, code: int | str, said: str) -> None:
    voice = Voice(fault=lambda _, found: words_of(found, family_named(family).part("faults", dict)))
    event = inputs.Fault(device="shoe", code=code)
    assert "\n".join(describe(LoggedInput(event, [NEXT], [], event), voice)).startswith(said)


def test_every_fault_of_the_families_has_words() -> None:
    assert {int(code) for code in ErrorCode} <= set(family_named("angel_eye").part("faults", dict))
    assert {code.name.lower() for code in FaultCode} <= set(family_named("tdp").part("faults", dict))
    page = Path("docs/protocols/angel-eye.md").read_text()
    for code in ErrorCode:
        assert f"| {int(code)} | {family_named('angel_eye').part('faults', dict)[int(code)].name} |" in page


@pytest.mark.parametrize(
    "line",
    [
        "    seat 6 player            200.00 →     +200.00, bettor 2, residue 1/2   [55/2004 art. 17.º-1]",
        "  IRREGULARITY 2 surplus_card 9♥: " + "more copies of the card than the decks hold " * 3 + "  [reading G8]",
        "word " * 40,
    ],
)
def test_a_long_line_is_told_in_several_that_fit(line: str) -> None:
    told = fitted(line)
    assert len(told) > 1
    assert max(map(len, told)) <= COLUMNS
    assert "".join(told).split() == line.split() or "".join(told).replace(" ", "") == line.replace(" ", "")
    assert fitted("k" * 100 + " end") == ["k" * 100 + " end"]


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
        "  PLAYER wins (natural)   [55/2004 art. 11.º]",
        "    player 9 (9♥ K♠)   banker 7 (3♦ 4♣)",
        "    seat 1 banker            1.00 →      -1.00   [55/2004 art. 11.º]",
    ]


def test_a_wide_terminal_has_settlements_beside_each_other_and_wagers_on_one_line() -> None:
    printed: dict[int, list[str]] = {}
    for columns in (80, 160):
        into: list[bytes] = []
        printer = TextPrinter(write=into.append, size=partial(os.terminal_size, (columns, 24)))
        scribe = Scribe(TABLE)
        wagers = [Wager(seat=seat, bet="banker", stake=100) for seat in (1, 2, 3, 4)]
        for event in INPUTS[:17]:
            if isinstance(event, inputs.BetsClosed):
                event = msgspec.structs.replace(event, seats=[1, 2, 3, 4], wagers=wagers)  # noqa: PLW2901  full table
            printer(scribe.take(event))
        printed[columns] = b"".join(into).decode().partition("── round 1 ─")[2].splitlines()
    settled = {columns: [line for line in lines if "banker  " in line] for columns, lines in printed.items()}
    assert {columns: len(lines) for columns, lines in settled.items()} == {80: 4, 160: 2}
    assert settled[160][0].startswith(
        "    seat 1 banker            1.00 →      -1.00   [55/2004 art. 11.º]     seat 2 "
    )
    assert max(map(len, printed[80])) <= 80 < max(map(len, printed[160])) <= 160
    assert len(printed[160]) < len(printed[80]) <= 23

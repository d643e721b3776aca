"""Typed input at a running table."""

from typing import get_args

import pytest
from msgspec import UNSET

from cardshoe.screens.view.parts import IrregularityView
from cardshoe.screens.view.view import TableView
from cardshoe.screens.words.currency import currency
from cardshoe.table.terminal.console import not_understood, parse, usage
from cardshoe.table.terminal.examples import EXAMPLES, FURTHER, bets_example, typed
from cardshoe.table.terminal.formatting import fitted
from cardshoe.table.terminal.help import help_all, help_on, help_text
from cardshoe.table.terminal.input_context import Situation
from cardshoe.table.terminal.text import prompt_text
from firmware_bridge.interlock import DeviceAction, DeviceActionKind
from regulations.events.codec import INPUTS, encode
from regulations.events.errors import MalformedLine
from regulations.events.inputs import (
    Amendment,
    AnyInput,
    BetsClosed,
    BetsCorrected,
    CardDrawn,
    Closed,
    CutCardPlaced,
    Decision,
    Exposed,
    Loaded,
    Misdeal,
    Resolve,
    Revealed,
    Shuffled,
    Table,
    Void,
    Wager,
)
from regulations.events.outputs import Next
from regulations.events.vocabulary import ResolutionAction
from regulations.games.registry import GAMES

BETS = BetsClosed(seats=[1, 3], wagers=[Wager(seat=1, bet="banker", stake=10000)])
GOOD: dict[str, AnyInput] = {
    "shuffled croupier": Shuffled(by="croupier"),
    "  shuffled   by=croupier ": Shuffled(by="croupier"),
    "cut_card_placed 14": CutCardPlaced(behind=14),
    "card 9H": CardDrawn(card="9H"),
    'card "9H"': CardDrawn(card="9H"),
    "card 10♥": CardDrawn(card="TH"),
    "card 10h": CardDrawn(card="TH"),
    "card th": CardDrawn(card="TH"),
    "card a♠": CardDrawn(card="AS"),
    "exposed seat 2 cards=10♦,qc": Exposed(who="seat", seat=2, cards=["TD", "QC"]),
    "card null": CardDrawn(card=None),
    "card 9H up": CardDrawn(card="9H", face="up"),
    "card face=up card=9H": CardDrawn(card="9H", face="up"),
    "closed": Closed(),
    "loaded 416 device=shoe": Loaded(cards=416, device="shoe"),
    "misdeal 'two cards for the banker'": Misdeal(detail="two cards for the banker"),
    'misdeal detail="a, b"': Misdeal(detail="a, b"),
    'void "power cut" 101,102': Void(reason="power cut", by=[101, 102]),
    'void "power cut" 101,102 malfunction': Void(reason="power cut", by=[101, 102], ground="malfunction"),
    'bets_corrected 1 [{"seat":1,"bet":"tie","stake":5}] "a zero too many" 7,8': BetsCorrected(
        seats=[1], wagers=[Wager(seat=1, bet="tie", stake=5)], reason="a zero too many", by=[7, 8]
    ),
    'void by=101,"Ana" reason=x': Void(reason="x", by=[101, "Ana"]),
    "resolve 1 continue by=7": Resolve(irregularity=1, action="continue", by=[7]),
    "resolve 1 continue 7": Resolve(irregularity=1, action="continue", by=[7]),
    "resolve 1 identify by=101,102 card=9H": Resolve(irregularity=1, action="identify", by=[101, 102], card="9H"),
    "resolve 1 identify by=[101,102] cards=9H,2C": Resolve(
        irregularity=1, action="identify", by=[101, 102], cards=["9H", "2C"]
    ),
    'resolve 1 reassign by=7,8 ground=foreign cards=[{"index":3,"to":"burn"}]': Resolve(
        irregularity=1, action="reassign", by=[7, 8], cards=[Amendment(index=3, to="burn")], ground="foreign"
    ),
    'resolve 1 reassign 7,8 cards=[{"index": 3, "to": "burn"}, {"index": 4, "to": "burn"}] ground=damaged': Resolve(
        irregularity=1,
        action="reassign",
        by=[7, 8],
        cards=[Amendment(index=3, to="burn"), Amendment(index=4, to="burn")],
        ground="damaged",
    ),
    "resolve 1 reassign 7,8 cards=[]": Resolve(irregularity=1, action="reassign", by=[7, 8], cards=[]),
    'resolve 1 identify 7,8 cards=[{"index":2,"card":"9H"},{"after":0,"card":"KD"},{"index":5,"to":"none"}]': Resolve(
        irregularity=1,
        action="identify",
        by=[7, 8],
        cards=[Amendment(index=2, card="9H"), Amendment(after=0, card="KD"), Amendment(index=5, to="none")],
    ),
    'bets_closed seats=1,3 wagers=[{"seat":1,"bet":"banker","stake":10000}]': BETS,
    'bets_closed 1,3 [{"seat": 1, "bet": "banker", "stake": 10000}]': BETS,
    'bets_closed [1, 3] [{"seat": 1, "bet": "banker", "stake": 10000}]': BETS,
    "bets_closed 1,3": BetsClosed(seats=[1, 3], wagers=[]),
    "bets_closed seats=1": BetsClosed(seats=[1], wagers=[]),
    'bets_closed 1,3 [{"seat": 1, "bet": "tie"}]': BetsClosed(seats=[1, 3], wagers=[Wager(seat=1, bet="tie")]),
    "decision 2 split any_pair=true": Decision(seat=2, action="split", any_pair=True),
    "decision 2 split any_pair=100": Decision(seat=2, action="split", any_pair=100),
    "decision 2 hit 3 id=2": Decision(seat=2, action="hit", hand=3, id=2),
    "revealed seat 2 cards=9H,2C": Revealed(who="seat", seat=2, cards=["9H", "2C"]),
    "card null unseen=true": CardDrawn(card=None, unseen=True),
    '{"event":"card","card":"9H"}': CardDrawn(card="9H"),
}
BAD = {
    "": "type an event, or `help`",
    "  ": "type an event, or `help`",
    "shufled croupier": "no event `shufled`; type `help` for what there is",
    "cut_card_placed": "behind",
    "cut_card_placed many": "behind",
    "cut_card_placed 14 15": "one word too many: '15'",
    "card ZZ": "card",
    "resolve 1 dance by=7": "action",
    'resolve 1 identify by=7,8 cards=[{"card":"9H"}]': "a card of the round needs `index`, or `after`",
    'resolve 1 reassign by=7,8 cards=[{"index":3,"to":"rack"}]': "rack",
    "resolve 1 continue by=7 why=so": "$.card: invalid enum value 'why=so'",
    "shuffled by=nobody": "by",
    "table T-1": "$.event: `table` is said by the table itself, not by persons",
    '{"event":"table","table_id":"x","game":"baccarat","decks":8,"seats":7,"equipment":"shoe","options":{},'
    '"authorisations":[]}': "`table` is said by the table itself, not by persons",
    '{"event":"card"': "$",
    '{"event":"card","crad":"9H"}': "crad",
    '{"card":"9H"}': "event",
    "clear_error": "clear_error takes the error's number, such as `clear_error 2`",
    "clear_error two": "clear_error takes the error's number",
    "clear_error 1 2": "clear_error takes the error's number",
    '"': "no event",
    "[": "no event",
    "card '": "card",
    "\ufffd\ufffd": "no event",
}


@pytest.mark.parametrize("line", GOOD)
def test_a_good_line(line: str) -> None:
    assert parse(line) == GOOD[line]


@pytest.mark.parametrize("line", BAD)
def test_a_bad_line_says_what_was_expected(line: str) -> None:
    with pytest.raises(MalformedLine) as caught:
        parse(line)
    assert BAD[line] in str(caught.value)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "resolve 1",
            "action is missing\n  resolve IRREGULARITY ACTION BY [CARD] [CARDS] [GROUND] [DECISION] [SEATS] [WAGERS]",
        ),
        ("resolve one continue by=7", "irregularity: a whole number is expected\n  resolve "),
        (
            "resolve 1 end shoe by=7",
            "action: end is not one of: burn, enter_bets, next_round, accept, identify, reassign, continue, void",
        ),
        (
            'resolve 1 reassign by=7,8 ground=foreign cards=[{"nr":3}]',
            "cards[0].nr: object contains unknown field `nr`\n  resolve IRREGULARITY ACTION BY [CARD] [CARDS] [GROUND]",
        ),
        ("card 9X", "card: 9X is no card; a card is its rank, A 2 to 10 J Q K, and its suit, S H D C or ♠ ♥ ♦ ♣"),
        ("revealed seat 2 cards=9H,2X", "cards[1]: 2X is no card; a card is"),
        ("cut_card_placed 14 15", "one word too many: '15'\n  cut_card_placed BEHIND, such as: cut_card_placed 12"),
        ("shufled croupier", "no event `shufled`; type `help` for what there is"),
        ("continue", "no irregularity is open that `continue` could resolve"),
        ("bets 1:bankr:5", "1:bankr:5: no bet `bankr`; did you mean `banker`? there are player, banker, tie, "),
        ("bets 9:banker:5", "9:banker:5: no seat 9; there are seats 1 to 7"),
        ("bets 1:tie:5.555", "1:tie:5.555: 5.555 has too many decimals; MOP has 2 decimals, such as 50.50"),
        ("bets 1:tie:1,000", "1:tie:1,000: 1,000 is not an amount; type it as 50.50, without commas"),
        ("bets 1:tie:5 why", "one word too many: 'why'"),
        ("reassign 2 by <person> 8", "fill in <person>"),
        ("burn 1 by", "who decides? `by` takes persons' numbers: by 7, or by 7 8"),
        ('{"event":"resolve"}', "$.irregularity: object missing required field `irregularity`"),
    ],
)
def test_a_person_is_told_in_words_how_the_event_is_typed(line: str, told: str) -> None:
    with pytest.raises(MalformedLine) as caught:
        parse(line)
    assert not_understood(line, caught.value).startswith(f"not understood: {told}")


NOW = Situation(
    view=TableView(
        irregularities=[
            IrregularityView(irregularity=2, code="misdeal"),
            IrregularityView(irregularity=3, code="count_gap"),
            IrregularityView(irregularity=4, code="unread_card"),
        ]
    )
)
SHORT: dict[str, AnyInput] = {
    "bets 1:banker:100 3:tie:50.50": BetsClosed(
        seats=[1, 3], wagers=[Wager(seat=1, bet="banker", stake=10000), Wager(seat=3, bet="tie", stake=5050)]
    ),
    "bets 3.2:TIE:1 3:tie:2": BetsClosed(
        seats=[3], wagers=[Wager(seat=3, bet="tie", stake=100, id=2), Wager(seat=3, bet="tie", stake=200)]
    ),
    "bets": BetsClosed(seats=[], wagers=[]),
    "bets 1 3": BetsClosed(seats=[1, 3], wagers=[]),
    'bets_corrected 1:tie:0.5 "a zero" by 7 8': BetsCorrected(
        seats=[1], wagers=[Wager(seat=1, bet="tie", stake=50)], reason="a zero", by=[7, 8]
    ),
    "continue 2 by 7": Resolve(irregularity=2, action="continue", by=[7]),
    "continue by 7": Resolve(irregularity=2, action="continue", by=[7]),
    "continue 3 by=7": Resolve(irregularity=3, action="continue", by=[7]),
    "end_shoe 3 by 7,Ana": Resolve(irregularity=3, action="end_shoe", by=[7, "Ana"]),
    "enter_bets 2 1:player:50 by 7 8": Resolve(
        irregularity=2, action="enter_bets", by=[7, 8], seats=[1], wagers=[Wager(seat=1, bet="player", stake=5000)]
    ),
    "burn 2 7": Resolve(irregularity=2, action="burn", by=[7]),
    "void 2 by 7 8": Resolve(irregularity=2, action="void", by=[7, 8]),
    "void by 7 8": Resolve(irregularity=2, action="void", by=[7, 8]),
    'void misdeal by 7 8 "two cards fell"': Void(ground="misdeal", by=[7, 8], reason="two cards fell"),
    'void misdeal "two cards fell" by=7,8': Void(ground="misdeal", by=[7, 8], reason="two cards fell"),
    "identify 4 10♥ by 7 8": Resolve(irregularity=4, action="identify", by=[7, 8], card="TH"),
    "identify 3 9h by 7 8": Resolve(irregularity=3, action="identify", by=[7, 8], cards=["9H"]),
    "identify 3 9h kd by 7 8": Resolve(irregularity=3, action="identify", by=[7, 8], cards=["9H", "KD"]),
    "identify 2 3=9h misread by 7 8": Resolve(
        irregularity=2, action="identify", by=[7, 8], cards=[Amendment(index=3, card="9H")], ground="misread"
    ),
    "identify 2 3=9h after3=kd 5=none by 7 8": Resolve(
        irregularity=2,
        action="identify",
        by=[7, 8],
        cards=[Amendment(index=3, card="9H"), Amendment(after=3, card="KD"), Amendment(index=5, to="none")],
    ),
    "reassign 2 3,4 foreign by 7 8": Resolve(
        irregularity=2,
        action="reassign",
        by=[7, 8],
        cards=[Amendment(index=3, to="burn"), Amendment(index=4, to="burn")],
        ground="foreign",
    ),
    "reassign 2 by 7 8": Resolve(irregularity=2, action="reassign", by=[7, 8], cards=[]),
    "hit 2": Decision(seat=2, action="hit"),
    "hit 2.3 hand=2": Decision(seat=2, action="hit", id=3, hand=2),
    "insurance 2 50": Decision(seat=2, action="insurance", amount=5000),
}


@pytest.mark.parametrize("line", SHORT)
def test_a_short_form(line: str) -> None:
    assert parse(line, NOW) == SHORT[line]


@pytest.mark.parametrize("action", get_args(ResolutionAction))
def test_every_way_out_that_a_prompt_names_can_be_typed(action: ResolutionAction) -> None:
    """Where nothing is named that must be, the answer says what: it never says that there is no such event."""
    prompt = Next(do="resolve", irregularity=2, actions=[action], article="x")
    assert action in prompt_text(prompt)
    with pytest.raises(MalformedLine) as caught:
        parse(action, NOW)
    assert "no event" not in not_understood(action, caught.value)
    card = " 9h" if action == "identify" else ""
    taken = parse(f"{action} 4{card} by 7 8", NOW)
    assert isinstance(taken, Resolve)
    assert (taken.irregularity, taken.action) == (4, action)


def test_short_forms_are_typed_only() -> None:
    for line in ('{"event":"bets"}', '{"event":"continue","by":[7]}', '{"event":"card","card":"9h"}'):
        with pytest.raises(MalformedLine):
            parse(line, NOW)


@pytest.mark.parametrize(
    ("code", "amount", "stake"), [("MOP", "50.5", 5050), ("JPY", "50", 50), ("KWD", "1.234", 1234)]
)
def test_an_amount_is_in_the_currency_of_the_table(code: str, amount: str, stake: int) -> None:
    taken = parse(f"bets 1:tie:{amount}", Situation(currency=currency(code)))
    assert taken == BetsClosed(seats=[1], wagers=[Wager(seat=1, bet="tie", stake=stake)])


def test_a_table_that_is_not_told_the_stakes_takes_none() -> None:
    now = untracked("baccarat")
    assert parse("bets 1:tie 3", now) == BetsClosed(seats=[1, 3], wagers=[Wager(seat=1, bet="tie")])
    with pytest.raises(MalformedLine) as caught:
        parse("bets 1:tie:50", now)
    assert "this table is not told the stakes; type 1:tie" in str(caught.value)


def untracked(game: str) -> Situation:
    return Situation(table=profile(game, stakes="untracked"))


def profile(game: str, **options: object) -> Table:
    law = GAMES[game].law
    first, material = next(iter(law.equipment.items()))
    return Table(
        table_id="T-1",
        game=law.game,
        decks=material.decks[0],
        seats=law.seats,
        equipment=first,
        options=dict(options),
    )


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("bets_closed", ["bets_closed SEATS [WAGERS]", "such as  bets 1:banker:100 1:player:50.50"]),
        ("bets 1:", ["bets SEAT[.BETTOR]:BET:AMOUNT", "BET is one of: player, banker, tie", "AMOUNT is in MOP"]),
        (
            "resolve",
            [
                "resolve IRREGULARITY ACTION BY",
                "or       identify 2 9h by 7 8",
                "ACTION is one of: burn, enter_bets, next_round",
            ],
        ),
        ("card", ["card CARD [FACE]", "FACE is one of: down, up", "10H is the ten of hearts"]),
        ("continue 2 by 7", ["continue: play continues; one person", "such as  continue 2 by 7"]),
        ("next_round", ["next_round: the card becomes", "such as  next_round 2 by 7"]),
        ("void", ["void REASON BY [GROUND]", 'void misdeal by 7 8 "two cards fell"', "void 2 by 7 8"]),
        ("hit", ["hit SEAT", "Baccarat has no such decision"]),
        ("undo", ["nothing leaves the journal"]),
        ("bet_closed", ["no event `bet_closed` that persons say; did you mean `bets_closed`?"]),
        ("device_lost", ["device_lost DEVICE", "never typed"]),
        ("xyzzy", ["type `help` for what there is"]),
    ],
)
def test_help_on_one_thing(name: str, told: list[str]) -> None:
    said = help_on(name, Situation())
    for part in told:
        assert part in said
    assert len([line for one in said.splitlines() for line in fitted(one)]) <= 24  # one screen


@pytest.mark.parametrize("game", sorted(GAMES))
def test_help_fits_a_screen_and_its_examples_are_of_the_game(game: str) -> None:
    for now in (Situation(table=profile(game)), untracked(game)):
        lines = [line for one in help_text(now).splitlines() for line in fitted(one)]
        # Two more are the prompt and the status line.
        assert len(lines) <= 22
        assert max(map(len, lines)) <= 80
        assert parse(bets_example(now), now) == parse(bets_example(now, "bets_closed"), now)
        for name, example in EXAMPLES.items():
            assert encode(parse_event(example(now), now)).startswith(f'{{"event":"{name}"'.encode())


def test_every_example_stands_in_the_help_and_can_be_typed() -> None:
    said = help_all(NOW).splitlines()
    for name, example in EXAMPLES.items():
        assert example(NOW) == name or f"      such as  {example(NOW)}" in said
    for name, examples in FURTHER.items():
        for line in examples:
            assert encode(parse_event(typed(line), NOW)).startswith(f'{{"event":"{name}"'.encode())
            assert f"      or       {line}" in said


def parse_event(line: str, now: Situation | None = None) -> AnyInput:
    event = parse(line, now)
    assert not isinstance(event, DeviceAction)
    return event


def test_an_error_of_a_device_is_cleared_by_an_act() -> None:
    assert parse("clear_error 2") == DeviceAction(DeviceActionKind.CLEAR_ERROR, 2)


def test_a_typed_event_has_no_number_and_no_time() -> None:
    event = parse("closed")
    assert isinstance(event, Closed)
    assert (event.seq, event.at, event.round) == (UNSET, UNSET, UNSET)


def test_help_names_every_event_but_the_profile() -> None:
    lines = help_all(Situation()).splitlines()
    for name in INPUTS:
        assert (f"  {usage(name)}" in lines) == (name != "table")
    assert any(line.startswith("  resolve IRREGULARITY ACTION BY") for line in lines)
    assert any(line.startswith("  clear_error ") for line in lines)
    assert any(line.startswith("  quit") for line in lines)

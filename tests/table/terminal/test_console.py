"""What a person types at a running table."""

import pytest
from msgspec import UNSET

from firmware_bridge.interlock import Act, ActKind
from regulations.errors import MalformedLine
from regulations.events.codec import INPUTS, encode
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
    Void,
    Wager,
)
from table.terminal.console import EXAMPLES, FURTHER, help_on, help_text, not_understood, parse, usage

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
    'resolve 1 identify by=7,8 cards=[{"card":"9H"}]': "is told by `index`, or by `after`",
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
            "action is missing\n  resolve irregularity action by [card] [cards] [ground], such as: resolve 1 continue",
        ),
        ("resolve one continue by=7", "irregularity: a whole number is expected\n  resolve "),
        (
            "resolve 1 end shoe by=7",
            "action: end is not one of: burn, next_round, accept, identify, reassign, continue, void",
        ),
        (
            'resolve 1 reassign by=7,8 ground=foreign cards=[{"nr":3}]',
            "cards[0].nr: object contains unknown field `nr`\n  resolve irregularity action by [card] [cards] [ground]",
        ),
        ("card 9X", "card: 9X is no card; a card is its rank, A 2 to 10 J Q K, and its suit, S H D C or ♠ ♥ ♦ ♣"),
        ("revealed seat 2 cards=9H,2X", "cards[1]: 2X is no card; a card is"),
        ("cut_card_placed 14 15", "one word too many: '15'\n  cut_card_placed behind, such as: cut_card_placed 14"),
        ("shufled croupier", "no event `shufled`; type `help` for what there is"),
        ("continue", "`continue` is a way out of an irregularity; type `resolve 1 continue by=7`, with its number"),
        ('{"event":"resolve"}', "$.irregularity: object missing required field `irregularity`"),
    ],
)
def test_a_person_is_told_in_words_how_the_event_is_typed(line: str, told: str) -> None:
    with pytest.raises(MalformedLine) as caught:
        parse(line)
    assert not_understood(line, caught.value).startswith(f"not understood: {told}")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("bets_closed", ["bets_closed seats [wagers]", 'such as  bets_closed 1,3 [{"seat":1']),
        (
            "resolve",
            ["resolve irregularity action by", "or   resolve 1 identify", "action is one of: burn, next_round"],
        ),
        ("card", ["card card [face]", "face is one of: down, up", "10H is the ten of hearts"]),
        ("bet_closed", ["no event `bet_closed` that persons say; did you mean `bets_closed`?"]),
        ("device_lost", ["no event `device_lost` that persons say"]),
    ],
)
def test_help_on_one_event(name: str, told: list[str]) -> None:
    said = help_on(name)
    for part in told:
        assert part in said
    assert len(said.splitlines()) <= 24  # one screen


def test_each_example_can_be_typed() -> None:
    for name, line in EXAMPLES.items():
        assert encode(parse_event(line)).startswith(f'{{"event":"{name}"'.encode())
        assert line == name or f"      such as  {line}" in help_text().splitlines()


def test_each_further_example_can_be_typed() -> None:
    for name, examples in FURTHER.items():
        for line in examples:
            assert encode(parse_event(line)).startswith(f'{{"event":"{name}"'.encode())
            assert f"          or   {line}" in help_text().splitlines()


def parse_event(line: str) -> AnyInput:
    event = parse(line)
    assert not isinstance(event, Act)
    return event


def test_an_error_of_a_device_is_cleared_by_an_act() -> None:
    assert parse("clear_error 2") == Act(ActKind.CLEAR_ERROR, 2)


def test_a_typed_event_has_no_number_and_no_time() -> None:
    event = parse("closed")
    assert isinstance(event, Closed)
    assert (event.seq, event.at, event.round) == (UNSET, UNSET, UNSET)


def test_help_names_every_event_but_the_profile() -> None:
    lines = help_text().splitlines()
    for name in INPUTS:
        assert (f"  {usage(name)}" in lines) == (name != "table")
    assert any(line.startswith("  resolve irregularity action by") for line in lines)
    assert any(line.startswith("  clear_error N") for line in lines)
    assert any(line.startswith("  quit") for line in lines)

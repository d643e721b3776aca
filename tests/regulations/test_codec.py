"""Lines of the table log: every input comes through unchanged, every malformed line names its field."""

import json
from typing import Final, get_args

import msgspec
import pytest

from regulations.events.codec import INPUTS, decode_input, encode, output_decoder, utc, written
from regulations.events.errors import MalformedLine
from regulations.events.inputs import AnyInput, CardDrawn, DeviceResult, RoundClosed
from regulations.events.line import event_name
from regulations.events.notices import PersonsListed
from regulations.events.outputs import AnyOutput, Burned, Dealt, Next
from regulations.events.vocabulary import Game
from regulations.games.registry import NAMES, SHEETS
from tests.regulations.support.inputs import all_inputs
from tests.regulations.support.profiles import AT, Json, profile

pytestmark = pytest.mark.law

TABLE_LOG_INPUTS: Final = (
    *("table", "shuffled", "cut", "cut_card_placed", "loaded", "card", "cut_card", "bets_closed", "demonstration"),
    *("bets_corrected", "dispute", "supervisor_called"),
    *("decision", "revealed", "exposed", "round_closed", "cards_returned", "misdeal", "resolve", "void", "fault"),
    *(
        "fault_cleared",
        "device_lost",
        "device_back",
        "device_readmitted",
        "device_result",
        "round_partial",
        "equipment",
        "shoe_ended",
    ),
    *("stack_counted", "closed", "bettor_left", "device_identified", "device_judged", "device_noted"),
    *("witness_behind", "witness_current", "clock_stepped", "signed_in", "signed_out", "sign_ins_refused"),
    *("persons_listed", "proposed", "table_opened"),
)
TABLE_LOG_OUTPUTS: Final = (
    *("next", "dealt", "emptied", "burned", "refused", "irregularity", "resolved", "reveal", "last_round"),
    *("result", "settled", "reversed", "voided", "shoe_over"),
)
RESULT_OF: Final[dict[Game, bytes]] = {
    "baccarat": b'{"event":"result","outcome":"tie","points":{"player":0,"banker":0},'
    b'"cards":{"player":["KS","KH"],"banker":["QS","QH"]},"natural":false,"pairs":["player","banker"]}',
    "blackjack": b'{"event":"result","croupier":{"cards":["9H"],"points":9,"blackjack":false,"bust":false},"hands":[]}',
    "casino_war": b'{"event":"result","croupier":"9H","seats":[]}',
    "q_poker": b'{"event":"result","croupier":{"cards":["9H"],"category":"pair","qualifies":true,"article":""},'
    b'"seats":[]}',
    "three_card_baccarat": b'{"event":"result","banker":{"cards":["KS","KH","KD"],"combination":1,"points":null},'
    b'"seats":[]}',
}
CARD: Final[Json] = {"event": "card", "card": "9H"}
WAGER: Final[Json] = {"seat": 1, "bet": "player", "stake": 100}
BETS: Final[Json] = {"event": "bets_closed", "seats": [1], "wagers": [WAGER]}
RESOLVE: Final[Json] = {"event": "resolve", "irregularity": 1, "action": "burn", "by": [1]}
PLACE: Final[Json] = {"index": 1, "to": "player", "position": 1}


def test_the_inputs_are_those_of_the_table_log() -> None:
    assert sorted(INPUTS) == sorted(TABLE_LOG_INPUTS)


def test_the_outputs_are_those_of_the_table_log() -> None:
    assert {str(one.__struct_config__.tag) for one in get_args(AnyOutput)} == set(TABLE_LOG_OUTPUTS)


@pytest.mark.parametrize(
    "event",
    [*all_inputs(1), profile(tie_wagers=["keep"], equipment="shuffler_dealer")],
    ids=lambda event: json.dumps(event)[:80],
)
def test_every_input_comes_through_unchanged(event: Json) -> None:
    decoded = decode_input(json.dumps(event))
    assert decode_input(encode(decoded)) == decoded
    assert _with_defaults(event, json.loads(encode(decoded)))


def _with_defaults(event: object, read_again: object) -> bool:
    if isinstance(event, dict) and isinstance(read_again, dict):
        return all(key in read_again and _with_defaults(value, read_again[key]) for key, value in event.items())
    if isinstance(event, list) and isinstance(read_again, list):
        return len(event) == len(read_again) and all(map(_with_defaults, event, read_again))
    return event in (read_again, AT)


def test_an_input_has_the_defaults_of_the_table_log() -> None:
    assert decode_input('{"event":"card","card":"9H"}') == CardDrawn(card="9H", face="down", unseen=False)
    decision = decode_input('{"event":"decision","seat":3,"action":"hit"}')
    assert (decision.hand, decision.id) == (1, 1)  # type: ignore[union-attr]  # the event is known here
    bets = decode_input(json.dumps(BETS))
    assert bets.wagers[0].id == 1  # type: ignore[index, union-attr]  # the event is known here


def test_a_list_counts_until_the_log_says_that_it_is_over() -> None:
    line = '{"event":"persons_listed","version":41,"issued":"S","until":"T","persons":2'
    listed, lapsed = decode_input(line + "}"), decode_input(line + ',"lapsed":true}')
    assert isinstance(listed, PersonsListed)
    assert isinstance(lapsed, PersonsListed)
    assert (listed.lapsed, lapsed.lapsed) == (False, True)


def test_an_outcome_may_be_what_is_sealed() -> None:
    said = decode_input('{"event":"device_result","device":"shoe","outcome":null,"sealed":"x.eA=="}')
    assert isinstance(said, DeviceResult)
    assert (said.outcome, said.sealed) == (None, "x.eA==")


@pytest.mark.parametrize(
    "given",
    [
        {**RESOLVE, "action": "enter_bets"},
        {**RESOLVE, "action": "enter_bets", "seats": [1]},
        {**RESOLVE, "action": "enter_bets", "wagers": [WAGER]},
        {**RESOLVE, "seats": [1], "wagers": [WAGER]},
        {**RESOLVE, "seats": [1]},
        {**RESOLVE, "wagers": [WAGER]},
    ],
)
def test_seats_and_wagers_are_entered_together_and_only_as_bets(given: Json) -> None:
    with pytest.raises(MalformedLine, match="`seats` and `wagers` belong to the action enter_bets, and it needs both"):
        decode_input(json.dumps(given))


def test_what_a_written_log_adds_is_read_over() -> None:
    line = (
        '{"event":"card","seq":7,"at":"2026-01-05T10:00:00Z","round":3,"article":"reading B1","card":null,"raw":"0f"}'
    )
    event = decode_input(line)
    assert isinstance(event, CardDrawn)
    assert event.card is None
    assert event.at == "2026-01-05T10:00:00.000000Z"


MALFORMED: Final[list[tuple[str, str, str]]] = [
    ("not JSON", "card 9H", "$"),
    ("half a line", '{"event":"card","card":"9H"', "$"),
    ("two objects", '{"event":"cut_card"}{"event":"cut_card"}', "$"),
    ("a number", "7", "$"),
    ("a list", "[]", "$"),
    ("null", "null", "$"),
    ("an empty line", "", "$"),
    ("no event", '{"card":"9H"}', "$.event"),
    ("an event that is no text", '{"event":7}', "$.event"),
    ("an unknown event", '{"event":"draw"}', "$.event"),
    ("an event in capitals", '{"event":"Card","card":"9H"}', "$.event"),
    ("an output", '{"event":"dealt","card":"9H","to":"player","position":1}', "$.event"),
    ("a missing field", '{"event":"card"}', "$.card"),
    ("an unknown field", json.dumps({**CARD, "suit": "H"}), "$.suit"),
    ("a misspelt field", '{"event":"loaded","card":416}', "$.card"),
    ("an unknown card", json.dumps({**CARD, "card": "1H"}), "$.card"),
    ("a card with ten as a number", json.dumps({**CARD, "card": "10H"}), "$.card"),
    ("a card in small letters", json.dumps({**CARD, "card": "9h"}), "$.card"),
    ("a card that is a number", json.dumps({**CARD, "card": 9}), "$.card"),
    ("an unknown face", json.dumps({**CARD, "face": "sideways"}), "$.face"),
    ("a count in quotes", json.dumps({**CARD, "count": "9"}), "$.count"),
    ("a broken number", json.dumps({**CARD, "count": 9.5}), "$.count"),
    ("a device that is a number", json.dumps({**CARD, "device": 1}), "$.device"),
    ("an unknown target", json.dumps({**CARD, "claimed": {"to": "dealer"}}), "$.claimed.to"),
    ("a claim without a target", json.dumps({**CARD, "claimed": {"position": 1}}), "$.claimed.to"),
    ("an unknown field in a claim", json.dumps({**CARD, "claimed": {"to": "player", "x": 1}}), "$.claimed.x"),
    ("an unseen card that was seen", json.dumps({**CARD, "unseen": True}), "$"),
    ("an unknown shuffler", '{"event":"shuffled","by":"dealer"}', "$.by"),
    ("an unknown cutter", '{"event":"cut","by":"dealer"}', "$.by"),
    ("a depth in quotes", '{"event":"cut_card_placed","behind":"14"}', "$.behind"),
    ("true for a number", '{"event":"loaded","cards":true}', "$.cards"),
    ("unknown equipment", '{"event":"equipment","equipment":"bag"}', "$.equipment"),
    ("a missing bet", json.dumps({**BETS, "wagers": [{"seat": 1, "stake": 100}]}), "$.wagers[0].bet"),
    ("a bet that is no name", json.dumps({**BETS, "wagers": [WAGER, {**WAGER, "bet": "Red"}]}), "$.wagers[1].bet"),
    ("a stake in quotes", json.dumps({**BETS, "wagers": [{**WAGER, "stake": "100"}]}), "$.wagers[0].stake"),
    ("an unknown field in a wager", json.dumps({**BETS, "wagers": [{**WAGER, "odds": 2}]}), "$.wagers[0].odds"),
    ("seats that are no list", json.dumps({**BETS, "seats": 1}), "$.seats"),
    ("a seat that is no number", json.dumps({**BETS, "seats": [1, "2"]}), "$.seats[1]"),
    ("missing seats", json.dumps({"event": "bets_closed", "wagers": []}), "$.seats"),
    ("an unknown holder", '{"event":"revealed","who":"dealer"}', "$.who"),
    ("an unknown card shown", '{"event":"revealed","who":"player","cards":["9H","XX"]}', "$.cards[1]"),
    ("a decision that is no name", '{"event":"decision","seat":1,"action":"draw!"}', "$.action"),
    ("an unknown way out", json.dumps({**RESOLVE, "action": "ignore"}), "$.action"),
    ("nobody named", json.dumps({key: RESOLVE[key] for key in RESOLVE if key != "by"}), "$.by"),
    ("a person that is a list", json.dumps({**RESOLVE, "by": [[1]]}), "$.by[0]"),
    ("cards for a reassignment", json.dumps({**RESOLVE, "action": "reassign", "cards": ["9H"]}), "$"),
    ("cards and numbers at once", json.dumps({**RESOLVE, "action": "identify", "cards": ["9H", PLACE]}), "$"),
    (
        "a card of the round without its number",
        json.dumps({**RESOLVE, "action": "reassign", "cards": [{"to": "burn"}]}),
        "$.cards[0]",
    ),
    (
        "a number and the one before it",
        json.dumps({**RESOLVE, "action": "identify", "cards": [{"index": 1, "after": 1, "card": "9H"}]}),
        "$.cards[0]",
    ),
    ("a void without a reason", '{"event":"void","by":[1,2]}', "$.reason"),
    ("a fault without a device", '{"event":"fault","code":3}', "$.device"),
    ("a fault without a code", '{"event":"fault","device":"shoe"}', "$.code"),
    ("an unknown outcome", '{"event":"device_result","device":"shoe","outcome":"win"}', "$.outcome"),
    ("no outcome, and nothing sealed", '{"event":"device_result","device":"shoe","outcome":null}', "$"),
    ("an unknown pair", '{"event":"device_result","device":"shoe","outcome":"tie","pairs":["both"]}', "$.pairs[0]"),
    ("a game that is no name", json.dumps({**profile(), "game": "Bridge"}), "$.game"),
    ("decks in quotes", json.dumps({**profile(), "decks": "8"}), "$.decks"),
    ("no seats", json.dumps({key: value for key, value in profile().items() if key != "seats"}), "$.seats"),
    ("options that are a list", json.dumps({**profile(), "options": []}), "$.options"),
    ("a misspelt key of the profile", json.dumps({**profile(), "option": {}}), "$.option"),
    (
        "an authorisation without a date",
        json.dumps({**profile(), "authorisations": [{"option": "deal", "value": 1, "reference": "", "requested": ""}]}),
        "$.authorisations[0].effective",
    ),
    ("a time without a zone", '{"event":"cut_card","at":"2026-01-05T10:00:00"}', "$.at"),
    ("a time with a blank", '{"event":"cut_card","at":"2026-01-05 10:00:00Z"}', "$.at"),
    ("a date alone", '{"event":"cut_card","at":"2026-01-05"}', "$.at"),
    ("a day that is none", '{"event":"cut_card","at":"2026-02-30T10:00:00Z"}', "$.at"),
    ("a time that is a number", '{"event":"cut_card","at":7}', "$.at"),
    ("a time before the first year", '{"event":"cut_card","at":"0001-01-01T00:00:00+14:00"}', "$.at"),
    ("a time after the last year", '{"event":"cut_card","at":"9999-12-31T23:59:59-14:00"}', "$.at"),
    ("an event that is a list", '{"event":[]}', "$.event"),
    ("an event that is an object", '{"event":{}}', "$.event"),
    ("an option too deep to read", '{"event":"table","options":{"x":' + "[" * 5000 + "]" * 5000 + "}}", "$"),
    ("an option one too deep", '{"event":"table","options":{"x":' + "[" * 31 + "]" * 31 + "}}", "$"),
    ("a text that is no Unicode", '{"event":"fault","device":"\ud800","code":"x"}', "$"),
]


@pytest.mark.parametrize(("line", "field"), [pytest.param(line, field, id=name) for name, line, field in MALFORMED])
def test_a_malformed_line_names_its_field(line: str, field: str) -> None:
    with pytest.raises(MalformedLine) as caught:
        decode_input(line)
    assert caught.value.field == field, caught.value.reason
    assert caught.value.reason
    assert str(caught.value) == f"{field}: {caught.value.reason}"


@pytest.mark.parametrize("line", [b"\xff\xfe", b'{"event":"fault","device":"\xff","code":1}', b""])
def test_bytes_that_are_no_utf_8_are_malformed(line: bytes) -> None:
    with pytest.raises(MalformedLine):
        decode_input(line)


def test_as_deep_as_a_line_may_nest_is_read() -> None:
    deepest = '{"event":"table","options":{"x":' + "[" * 30 + '"[[["' + "]" * 30 + "}}"
    with pytest.raises(MalformedLine, match="missing required field"):
        decode_input(deepest)


def test_an_unknown_event_is_told_what_is_known() -> None:
    with pytest.raises(MalformedLine, match=r"unknown event `draw`.*bets_closed.*void"):
        decode_input('{"event":"draw"}')


def test_a_field_of_another_type_is_told_which_it_must_have() -> None:
    with pytest.raises(MalformedLine) as caught:
        decode_input('{"event":"loaded","cards":"all"}')
    assert (caught.value.field, caught.value.reason) == ("$.cards", "expected `int`, got `str`")


def test_a_line_that_names_no_event_is_told_so() -> None:
    with pytest.raises(MalformedLine, match="the line names no event"):
        decode_input('{"seq":1}')


def test_an_output_is_told_that_it_is_one() -> None:
    with pytest.raises(MalformedLine, match="`settled` is an output"):
        decode_input('{"event":"settled","wagers":[]}')


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-05T10:00:00Z", "2026-01-05T10:00:00.000000Z"),
        ("2026-01-05T10:00:00.5Z", "2026-01-05T10:00:00.500000Z"),
        ("2026-01-05T10:00:00.123456789Z", "2026-01-05T10:00:00.123456Z"),
        ("2026-01-05T10:00:00+08:00", "2026-01-05T02:00:00.000000Z"),
        ("2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00.000000Z"),
        ("2026-01-05T10:00:00-00:30", "2026-01-05T10:30:00.000000Z"),
        ("2199-12-31T23:59:59Z", "2199-12-31T23:59:59.000000Z"),
    ],
)
def test_times_are_brought_to_utc_with_microseconds(text: str, expected: str) -> None:
    assert utc(text) == expected


def test_a_line_is_written_tag_first_and_without_what_is_not_set() -> None:
    line = written(Dealt(card=None, to="player", position=1, article="reading B1"), seq=3, at="T", round_no=2)
    assert encode(line) == (
        b'{"event":"dealt","seq":3,"at":"T","round":2,"article":"reading B1","card":null,"to":"player","position":1}'
    )


def test_a_line_keeps_its_round_where_none_is_given() -> None:
    assert written(Burned(card=None, why="round", round=4), seq=1, at="T").round == 4
    assert encode(written(Next(do="draw"), seq=1, at="T")) == b'{"event":"next","seq":1,"at":"T","do":"draw"}'


def test_an_article_is_written_in_utf_8() -> None:
    assert "55/2004 art. 9.º-1".encode() in encode(Next(do="draw", article="55/2004 art. 9.º-1"))


@pytest.mark.parametrize("struct", [*get_args(AnyInput), *get_args(AnyOutput)], ids=lambda one: one.__name__)
def test_every_event_is_frozen_and_strict(struct: type[msgspec.Struct]) -> None:
    assert struct.__struct_config__.frozen
    assert struct.__struct_config__.forbid_unknown_fields


def test_names_of_events() -> None:
    assert event_name("BetsClosed") == "bets_closed"
    assert RoundClosed.__struct_config__.tag == "round_closed"
    assert CardDrawn.__struct_config__.tag == "card"


@pytest.mark.parametrize("game", NAMES)
def test_a_result_is_read_as_the_games_own(game: Game) -> None:
    read = output_decoder(SHEETS[game].result).decode(RESULT_OF[game])
    assert encode(read) == RESULT_OF[game]
    for other in RESULT_OF.keys() - {game}:
        with pytest.raises(msgspec.ValidationError):
            output_decoder(SHEETS[other].result).decode(RESULT_OF[game])
    assert isinstance(output_decoder(SHEETS[game].result).decode(b'{"event":"next","do":"draw"}'), Next)


def test_a_line_that_breaks_off_after_an_unknown_name_is_no_json() -> None:
    with pytest.raises(MalformedLine, match="the rest of the line is not JSON"):
        decode_input('{"event":"wheel","spin":')

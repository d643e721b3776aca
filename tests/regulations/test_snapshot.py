"""A table taken up from its snapshot is the table that it was, and goes on as that would have."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from regulations.events.cards import Card
from regulations.events.codec import encode
from regulations.events.errors import NoSnapshot, SnapshotUnfit
from regulations.events.inputs import (
    AnyInput,
    BetsClosed,
    CardDrawn,
    CardsReturned,
    Closed,
    Cut,
    CutCardPlaced,
    DeviceBack,
    DeviceLost,
    Equipment,
    Fault,
    Loaded,
    Resolve,
    RoundClosed,
    ShoeEnded,
    Shuffled,
    Table,
    Wager,
)
from regulations.games.registry import GAMES
from regulations.play.context.snapshot import SeatSnapshot, Snapshot
from regulations.procedure.procedure import Procedure
from sim.croupier.instructions import HouseInstructions
from tests.regulations.support.fingerprint import LEFT_OVER, fingerprint
from tests.regulations.support.games.baccarat import to_the_cut_card
from tests.regulations.support.games.blackjack import BLACKJACK
from tests.regulations.support.games.kit import bets, cards
from tests.regulations.support.games.q_poker import Q_POKER
from tests.regulations.support.games.three_card_baccarat import THREE_CARD_BACCARAT
from tests.regulations.support.games.ways import CLOSE
from tests.regulations.support.profiles import profile
from tests.regulations.support.running import decoded, lead, shown
from tests.sim.croupier.plain_table import PlainTable

AT = "2026-03-02T05:00:00.000000Z"
SMALL_BYTES = 2048
NATURAL: tuple[Card, ...] = ("9H", "3D", "KS", "4C")

TABLES = [
    (game, equipment, options)
    for game, law in ((name, GAMES[name].law) for name in GAMES)
    for equipment in law.equipment
    for options in (
        [{"deal": "face_down", "demonstration_rounds": 1, "round_burn": True}, {}]
        if game == "baccarat" and equipment == "shoe"
        else [{}]
    )
]


def table_of(game: str, equipment: str, options: dict[str, object]) -> Table:
    decks = {"decks": GAMES[game].law.equipment[equipment].decks[0]} if equipment == "box" else {}  # type: ignore[index]  # a text
    given: dict[str, Any] = {"game": game, "equipment": equipment, **decks, **options}
    table = decoded(profile(**given))
    assert isinstance(table, Table)
    return table


def inputs_of(table: Table, seed: int, *, mistakes: float) -> list[AnyInput]:
    """The inputs of a table, from its shuffle to its close."""
    # A shuffler-dealer's shoe game has no end of its own.
    rounds = 12 if table.equipment == "shuffler_dealer" else None
    orders = HouseInstructions(games=2 if mistakes else 1, rounds=rounds)
    played = PlainTable(seed, table, mistakes=mistakes, orders=orders, interference=mistakes / 2)
    played.run()
    return [event for event, _ in played.log[1:-1]]


def days_of(game: str, equipment: str, options: dict[str, object], seed: int) -> Iterator[AnyInput]:
    """Shoe games with mistakes, faults and lost devices, then some from each other equipment of the game."""
    yield from inputs_of(table_of(game, equipment, options), seed, mistakes=0.1)
    for other in GAMES[game].law.equipment:
        yield ShoeEnded(reason="house", at=AT)
        yield Equipment(equipment=other, at=AT)
        yield from inputs_of(table_of(game, other, {}), seed + 1, mistakes=0)


def restored(table: Table, snapshot: Snapshot) -> Procedure:
    """The table after its snapshot was written and read."""
    return Procedure.resume(table, msgspec.json.decode(msgspec.json.encode(snapshot), type=Snapshot))


@pytest.mark.parametrize(
    ("game", "equipment", "options"), TABLES, ids=["-".join([*one[:2], *map(str, one[2])][:3]) for one in TABLES]
)
def test_a_table_taken_up_is_the_same_and_goes_on_the_same(
    game: str, equipment: str, options: dict[str, object], seed: int
) -> None:
    table = table_of(game, equipment, options)
    original, others = Procedure(table), list[Procedure]()
    taken = 0
    for event in days_of(game, equipment, options, seed):
        answer = [encode(output) for output in original.apply(event)]
        for other in others:
            assert [encode(output) for output in other.apply(event)] == answer
        try:
            snapshot = original.snapshot()
        except NoSnapshot:
            continue
        taken += 1
        resumed = restored(table, snapshot)
        assert fingerprint(resumed, LEFT_OVER) == fingerprint(original, LEFT_OVER)
        assert resumed.snapshot() == snapshot
        assert len(msgspec.json.encode(snapshot)) < SMALL_BYTES
        # Those taken up earlier go on beside it.
        others = [*others[-1:], resumed]
    assert taken >= 2


def opened(*before: AnyInput, table: Table | None = None) -> Procedure:
    """A baccarat table with a stack in its shoe, and what it is told before that."""
    procedure = Procedure(table or table_of("baccarat", "shoe", {}))
    for event in before:
        procedure.apply(event)
    for line in (
        {"event": "shuffled", "by": "croupier"},
        {"event": "cut", "by": "player"},
        {"event": "cut_card_placed", "behind": 14},
        {"event": "loaded", "cards": 416},
    ):
        procedure.apply(decoded(line))
    return procedure


@pytest.mark.law
def test_before_a_stack_is_in_and_once_a_card_is_out_there_is_no_standing() -> None:
    with pytest.raises(NoSnapshot, match="no shoe game runs") as caught:
        Procedure(table_of("baccarat", "shoe", {})).snapshot()
    assert caught.value.reason == "no shoe game runs"
    procedure = opened()
    assert procedure.snapshot().shoe.row == "loaded@load"
    procedure.apply(CardDrawn(card="2C"))
    with pytest.raises(NoSnapshot, match="cards are out"):
        procedure.snapshot()
    table = profile(game="q_poker")
    with pytest.raises(NoSnapshot, match="a round is open"):
        lead(table, Q_POKER.preludes["opened"](table)).snapshot()


@pytest.mark.law
def test_a_fault_that_came_with_the_stack_is_still_open() -> None:
    procedure = opened()
    procedure.apply(Fault(device="shoe", code=7))
    resumed = restored(table_of("baccarat", "shoe", {}), procedure.snapshot())
    assert (resumed.states, resumed.lines) == (("blocked", "burn", "idle"), 0)
    assert resumed.states == procedure.states
    refused, prompt = resumed.apply(Loaded(cards=416))
    assert encode(refused) == encode(procedure.apply(Loaded(cards=416))[0])
    assert (encode(prompt).count(b'"irregularity":1'), resumed.snapshot().irregularities) == (1, 1)


@pytest.mark.law
def test_a_card_that_was_called_for_before_the_snapshot_may_come_by_its_permit() -> None:
    procedure = opened()
    permit = procedure.lines
    resumed = Procedure.resume(table_of("baccarat", "shoe", {}), procedure.snapshot(), lines=permit)
    told = (DeviceLost(device="shoe"), CardDrawn(card="2C", device="shoe", permit=permit))
    answers = [[encode(said) for event in told for said in one.apply(event)] for one in (procedure, resumed)]
    assert answers[0] == answers[1]
    assert resumed.opening == procedure.opening
    assert answers[0][-1] == encode(procedure.apply(Loaded(cards=416))[-1]), "the card waits for the device"


@pytest.mark.law
def test_a_card_that_nobody_has_judged_is_out_though_all_cards_are_back() -> None:
    procedure = Procedure(table_of("baccarat", "shuffler_dealer", {}))
    procedure.apply(Loaded(cards=416))
    for card in NATURAL:
        procedure.apply(CardDrawn(card=card))
    procedure.apply(RoundClosed())
    procedure.apply(CardDrawn(card="5S"))
    procedure.apply(CardsReturned(device="shoe", cards=5))
    with pytest.raises(NoSnapshot, match="cards are out"):
        procedure.snapshot()


@pytest.mark.law
@pytest.mark.parametrize("is_lost", [True, False])
def test_a_card_that_its_device_may_still_tell_is_needed(*, is_lost: bool) -> None:
    procedure = Procedure(table_of("baccarat", "shuffler_dealer", {}))
    procedure.apply(Loaded(cards=416))
    for card in NATURAL:
        procedure.apply(CardDrawn(card=card))
    if is_lost:
        procedure.apply(DeviceLost(device="shoe"))
        procedure.apply(DeviceBack(device="shoe"))
        procedure.apply(Resolve(irregularity=1, action="continue", by=[7]))
    procedure.apply(RoundClosed())
    procedure.apply(CardsReturned(cards=4))
    if not is_lost:
        assert procedure.snapshot().round_no == 1
        return
    with pytest.raises(NoSnapshot, match="a device may still report a card that a person entered"):
        procedure.snapshot()


@pytest.mark.law
def test_a_device_that_a_void_round_waits_for_is_waited_for_still() -> None:
    table = table_of("baccarat", "shuffler_dealer", {})
    procedure = Procedure(table)
    told: list[AnyInput] = [
        Loaded(cards=416),
        BetsClosed(seats=[1], wagers=[Wager(seat=1, bet="player", stake=100)]),
        DeviceLost(device="shoe"),
        Resolve(irregularity=1, action="void", by=[7, 8]),
        RoundClosed(),
        CardsReturned(cards=0),
    ]
    for event in told:
        procedure.apply(event)
    resumed = restored(table, procedure.snapshot())
    assert [one.device and one.device[1] for one in resumed.snapshot().awaited] == ["shoe"]
    answers = [[encode(said) for said in one.apply(DeviceBack(device="shoe"))] for one in (procedure, resumed)]
    assert answers[0] == answers[1]
    assert not resumed.snapshot().awaited


@pytest.mark.law
def test_a_table_taken_up_plays_on_to_the_end_of_its_shoe_game() -> None:
    table = profile(game="baccarat", decks=6)
    lines = [*to_the_cut_card(table), {"event": "cut_card"}, *cards("9S", "QS", "KS", "8S"), CLOSE]
    original = lead(table, lines[:4])
    opening = decoded(table)
    assert isinstance(opening, Table)
    resumed = restored(opening, original.snapshot())
    for line in lines[4:]:
        assert shown(resumed.apply(decoded(line))) == shown(original.apply(decoded(line)))
    assert original.states == resumed.states == ("clear", "over", "idle")


@pytest.mark.law
def test_of_a_round_nothing_is_left_but_how_many_wagers_were_put_down() -> None:
    table = profile(game="q_poker")
    ready = Q_POKER.preludes["ready"](table)
    antes = bets({"seat": 1, "bet": "ante", "stake": 100}, {"seat": 2, "bet": "ante", "stake": 50})
    astray = cards("9H", "2S")
    misdeal = {"event": "misdeal", "detail": "it lies before seat 3"}
    burn = {"event": "resolve", "irregularity": 1, "action": "reassign", "by": [7, 8], "ground": "undue"}
    void = {"event": "void", "ground": "misdeal", "reason": "seat 2 was passed over", "by": [7, 8]}
    struck = {**burn, "cards": [{"index": 2, "to": "burn"}]}
    original = lead(table, [*ready, antes, *astray, misdeal, struck, void, CLOSE, *ready])
    opening = decoded(table)
    assert isinstance(opening, Table)
    resumed = restored(opening, original.snapshot())
    assert fingerprint(resumed, LEFT_OVER) == fingerprint(original, LEFT_OVER)
    told = msgspec.convert(resumed.snapshot().round, SeatSnapshot)
    assert (told.put_down, told.rounds_in_shoe, told.carried) == (2, 0, [])


@pytest.mark.law
def test_what_is_carried_lies_on_the_table_that_is_taken_up() -> None:
    table = profile(game="three_card_baccarat")
    tie = [bets({"seat": 2, "bet": "main", "stake": 500}), *cards("2S", "2C", "3S", "3C", "4S", "4C")]
    turned: list[dict[str, Any]] = [
        {"event": "revealed", "who": "seat", "seat": 2},
        {"event": "revealed", "who": "banker"},
    ]
    over = {"event": "shoe_ended", "reason": "cards_worn"}
    ready = THREE_CARD_BACCARAT.preludes["ready"](table)
    stack = THREE_CARD_BACCARAT.preludes["stack"](table)
    original = lead(table, [*ready, *tie, *turned, CLOSE, over, *stack])
    opening = decoded(table)
    assert isinstance(opening, Table)
    (voided, *_), expected = (shown(one.apply(Closed())) for one in (restored(opening, original.snapshot()), original))
    assert voided == expected[0]
    assert [(one["seat"], one["stake"]) for one in voided["wagers"]] == [(2, 500)], "reading T5"


@pytest.mark.law
def test_of_the_hands_of_a_round_nothing_is_left() -> None:
    table = profile(game="blackjack")
    ways = BLACKJACK.preludes
    over = {"event": "shoe_ended", "reason": "cards_worn"}
    original = lead(table, [*ways["ready"](table), *ways["round"](table), over, *ways["stack"](table)])
    opening = decoded(table)
    assert isinstance(opening, Table)
    assert fingerprint(restored(opening, original.snapshot()), LEFT_OVER) == fingerprint(original, LEFT_OVER)


@pytest.mark.law
def test_the_equipment_that_was_changed_is_the_one_in_use() -> None:
    table = table_of("baccarat", "shuffler_dealer", {})
    procedure = opened(Equipment(equipment="shoe"), table=table)
    resumed = restored(table, procedure.snapshot())
    assert resumed.snapshot().equipment == procedure.snapshot().equipment == "shoe"
    answers = [[encode(said) for said in one.apply(CardDrawn(card="2C"))] for one in (procedure, resumed)]
    assert answers[0] == answers[1]


@pytest.mark.law
def test_a_standing_of_other_rules_or_of_another_game_is_not_taken_up() -> None:
    snapshot = opened().snapshot()
    other = msgspec.structs.replace(snapshot, shoe=msgspec.structs.replace(snapshot.shoe, row="poured@load"))
    with pytest.raises(SnapshotUnfit, match="no rule 'poured@load'; replay the whole log") as caught:
        Procedure.resume(table_of("baccarat", "shoe", {}), other)
    assert caught.value.reason == "no rule 'poured@load'"
    refusal = next(row.id for row in GAMES["baccarat"].rulebook.shoe if row.dest is None and row.refusal is not None)
    nowhere = msgspec.structs.replace(snapshot, shoe=msgspec.structs.replace(snapshot.shoe, row=refusal))
    with pytest.raises(SnapshotUnfit, match="no rule"):
        Procedure.resume(table_of("baccarat", "shoe", {}), nowhere)
    seats = msgspec.to_builtins(SeatSnapshot(row=None, rounds_in_shoe=0, carried=[], put_down=0))
    with pytest.raises(SnapshotUnfit, match="its rounds are another game's"):
        Procedure.resume(table_of("baccarat", "shoe", {}), msgspec.structs.replace(snapshot, round=seats))
    for game in ("casino_war", "q_poker"):
        with pytest.raises(SnapshotUnfit, match="its rounds are another game's"):
            Procedure.resume(table_of(game, "shoe", {}), snapshot)


@pytest.mark.law
def test_what_a_snapshot_holds_is_all_there_again() -> None:
    """Every member, whether a table can come to it or not: a table restored from it gives the same snapshot."""
    table = decoded(profile())
    assert isinstance(table, Table)
    begun = Procedure(table)
    for event in (Shuffled(by="croupier"), Cut(by="player"), CutCardPlaced(behind=14), Loaded(cards=416)):
        begun.apply(event)
    taken = begun.snapshot()
    changed = msgspec.structs.replace(
        taken, at=AT, round_no=7, counted=3, uncertain=2, irregularities=9, absent=["shoe"], awaited=[]
    )
    assert Procedure.resume(table, changed).snapshot() == changed
    assert changed != taken

"""Irregularities on the whole screen, each kind settled by touches: by the croupier, or by two persons."""

from pathlib import Path
from typing import Final, get_args

import pytest
from playwright.sync_api import Browser, expect

from cardshoe.screens.view.law import cards_behind
from cardshoe.screens.words.display_section import Language
from regulations.events.inputs import Resolve
from regulations.events.outputs import Voided
from regulations.events.vocabulary import IrregularityCode
from tests.cardshoe.table.live.support import TABLE
from tests.e2e.room import SHOE, Room
from tests.e2e.stage import LONG, LOOKS, NEEDS_CHROMIUM, PICTURES, stage
from tests.kit.command import Line
from tests.sim.croupier.profiles import profile

pytestmark = [NEEDS_CHROMIUM, pytest.mark.timeout(120)]
FAULT: Final[Line] = {"event": "fault", "code": 3, "raw": "00", **SHOE}
CLEARED: Final[Line] = {"event": "fault_cleared", "code": 3, **SHOE}
CLOSE: Final[Line] = {"event": "round_closed"}
STACK: Final[list[Line]] = [
    {"event": "shuffled", "by": "croupier"},
    {"event": "cut", "by": "player"},
    {"event": "cut_card_placed", "behind": 14},
    {"event": "loaded", "cards": 416},
]
BETS: Final[Line] = {"event": "bets_closed", "seats": [1], "wagers": [{"seat": 1, "bet": "banker", "stake": 10000}]}


def _baccarat(room: Room) -> None:
    room.tell(*STACK)
    room.cards(*(f"{rank}C" for rank in "23456789"))
    room.tell(BETS)
    room.cards("9H", "3D", "KS", "4C", "5C")
    room.settles("card_not_due", "burn")
    room.tell({"event": "device_result", "outcome": "banker", "raw": "00", **SHOE})
    room.settles("device_disagrees", "continue")
    room.says(event="misdeal", detail="x")
    room.settles("misdeal", "identify", cards=[{"index": 4, "card": "5C"}], ground="misread")
    room.tell(CLOSE, BETS)
    room.cards(None)
    room.settles("unread_card", "identify", card="7D")
    room.cards("2D", "3D")
    room.says(event="misdeal", detail="x")
    room.settles("misdeal", "reassign", cards=[{"index": 2, "to": "burn"}], ground="damaged")
    room.says(event="supervisor_called")
    room.says(event="dispute", detail="x")
    room.settles("dispute", "settle")
    who: Line = {"event": "device_identified", "maker": "Angel", "model": "Angel Eye II-EX", **SHOE}
    room.tell({**who, "reads": True}, {"event": "card", "card": "2C"})
    room.settles("card_by_hand", "strike")
    room.tell(who)
    room.tell(FAULT)
    taken = room.settles("device_fault", "void")
    assert any(isinstance(one, Voided) for one in taken.outputs)
    room.tell(CLEARED, CLOSE, BETS)
    room.leap("6H", 1)
    room.settles("count_gap", "identify", cards=["7H"])
    room.leap("8H", -1)
    room.settles("wrong_stack_count", "continue")
    room.settles("card_not_due", "burn")
    room.tell({"event": "cut_card"})
    room.settles("cut_card_not_due", "set_aside")
    room.tell({"event": "device_lost", **SHOE}, {"event": "device_back", **SHOE})
    room.settles("device_lost", "continue")
    room.tell({"event": "round_partial", **SHOE})
    room.settles("round_partial", "void")
    room.tell(CLOSE)
    _to_the_end(room)


def _to_the_end(room: Room) -> None:
    for _ in range(3):
        room.cards("9H", "9H", "KS", "KD")
        room.tell(CLOSE)
    room.cards("9H", "9H")
    room.settles("surplus_card", "identify", card="8S")
    room.cards("KH", "KC")
    room.tell(CLOSE, BETS)
    room.leap("2S", room.stage.left() - 9)
    room.settles("count_gap", "void")
    room.tell(CLOSE)
    room.cards("2S")
    room.settles("cut_card_missing", "continue")
    room.tell(FAULT)
    room.cards(*(f"{rank}D" for rank in "A234567"))
    room.tell(CLEARED)
    room.settles("device_fault", "continue")
    while room.stage.table.view.irregularities[0].code == "card_not_due":
        first = room.stage.table.view.irregularities[0].irregularity
        room.tell({"event": "resolve", "irregularity": first, "action": "burn", "by": ["cara"]})
    room.settles("stack_exhausted", "void")
    room.tell(CLOSE)
    room.cards("3S")
    room.settles("card_after_last_round", "burn")


def _wagered(room: Room) -> None:
    _prepare(room)
    room.tell({"event": "card", "card": "5C"})
    wagers = [{"seat": 1, "bet": "banker", "stake": 10000}, {"seat": 3, "bet": "tie", "stake": 5000}]
    taken = room.settles("card_before_bets_closed", "enter_bets", seats=[1, 3], wagers=wagers)
    assert taken.prompt.position == 1
    assert taken.prompt.to == "banker"


def _blackjack(room: Room) -> None:
    _prepare(room)
    room.tell({"event": "card", "card": "5C"})
    room.settles("card_before_bets_closed", "burn")
    wagers = [{"seat": 1, "bet": "main", "stake": 10000}]
    room.tell({"event": "bets_closed", "seats": [1], "wagers": wagers})
    room.tell({"event": "card", "card": "4S", "face": "up"})
    room.settles("card_turned", "burn")
    room.tell(*({"event": "card", "card": card} for card in ("6C", "9D", "5H")))
    # The card that the croupier deals to the hand is its hit (reading J30); the bettor had said that the hand stands.
    assert room.says(event="card", card="2C").prompt.do == "decide"
    room.says(event="misdeal", detail="x")
    room.settles("misdeal", "decision", decision="stand")
    room.tell({"event": "card", "card": "7H"})
    room.says(event="round_closed")


def _q_poker(room: Room) -> None:
    _prepare(room)
    wagers = [{"seat": 1, "bet": "ante", "stake": 10000}]
    room.tell({"event": "bets_closed", "seats": [1], "wagers": wagers})
    room.tell(*({"event": "card", "card": None, "unseen": True} for _ in range(6)))
    room.says(event="exposed", who="croupier", cards=["2C", "3C", "4C"])
    room.settles("croupier_card_exposed", "void")


def _prepare(room: Room) -> None:
    view = room.stage.table.view
    assert view.profile is not None
    lines: dict[str, Line] = {
        "shuffle": {"event": "shuffled", "by": "croupier"},
        "cut": {"event": "cut", "by": "croupier"},
        "place_cut_card": {"event": "cut_card_placed", "behind": cards_behind(view.profile)},
        "load": {"event": "loaded", "cards": 52 * view.profile.decks},
        "burn": {"event": "card", "card": None, "unseen": True},
    }
    while (prompt := room.stage.table.view.prompt) is not None and prompt.do in lines:
        room.tell(lines[prompt.do])


TABLES: Final = {
    "baccarat": (TABLE, _baccarat),
    "wagered": (profile("baccarat", "shoe", {"stakes": "tracked"}), _wagered),
    "blackjack": (profile("blackjack", "shoe", {"procedure": "second"}), _blackjack),
    "q_poker": (profile("q_poker", "shoe", {}), _q_poker),
}
KINDS: Final[dict[IrregularityCode, str]] = {
    **dict.fromkeys(get_args(IrregularityCode), "baccarat"),
    "card_before_bets_closed": "blackjack",
    "card_turned": "blackjack",
    "croupier_card_exposed": "q_poker",
}
"""At which of the tables each kind that the law has is settled."""


@pytest.mark.parametrize(("size", "languages"), LOOKS)
@pytest.mark.parametrize("name", TABLES)
def test_each_kind_of_irregularity_is_settled_by_touches(
    tmp_path: Path, browser: Browser, name: str, size: str, languages: list[Language]
) -> None:
    table, play = TABLES[name]
    with stage(tmp_path, table, browser, size=size, languages=languages) as shown:
        room = Room(shown, PICTURES / f"{size}-{'-'.join(languages)}" if LONG else None)
        play(room)
        assert {code for code, at in KINDS.items() if at == name} <= room.settled
        assert shown.faults == []


def test_a_second_person_must_be_one_and_must_know_the_pin(tmp_path: Path, browser: Browser) -> None:
    with stage(tmp_path, TABLE, browser) as shown:
        room = Room(shown)
        room.tell(*STACK, *({"event": "card", "card": f"{rank}C"} for rank in "23456789"), BETS)
        room.tell({"event": "card", "card": "9H"}, FAULT)
        before = shown.table.log.journal.last_seq
        way = next(one for one in room.fingers.offered() if one["line"].get("action") == "end_shoe")
        room.fingers.press(way["key"])
        box = shown.page.locator("#ask-person")
        for person, pin, said in (
            ("cara", "", "same_person"),
            ("carl", "", "wrong_role"),
            ("sara", "4096731", "sign_in_refused"),
        ):
            room.fingers.confirm(person, pin)
            assert room.fingers.understood() == said
            # After a wrong PIN the ID stays, and the PIN alone is entered again.
            expect(box.locator("[name=person]")).to_have_value(person if said == "sign_in_refused" else "")
            assert [one.code for one in shown.table.view.irregularities] == ["device_fault"]
        room.fingers.confirm("sara", keeps_id=True)
        taken = shown.answered()
        assert isinstance(taken.event, Resolve)
        assert taken.event.by == ["cara", "sara"]
        assert shown.table.log.journal.last_seq > before

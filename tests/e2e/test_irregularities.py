"""Irregularities on the whole screen, each settled by touches: by the croupier, or by two persons."""

import json
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, expect

from regulations.events.codec import decode_input
from regulations.events.inputs import AnyInput
from regulations.events.outputs import Resolved, Voided
from table.log.scribe import Taken
from table.view.law import cards_behind
from tests.e2e.fingers import Fingers
from tests.e2e.stage import NEEDS_CHROMIUM, Stage, stage
from tests.sim.croupier.profiles import profile
from tests.table.live.support import READY, TABLE
from tests.table.support.command import Line

pytestmark = [NEEDS_CHROMIUM, pytest.mark.timeout(90)]
SHOE: Final = {"device": "shoe", "raw": "00"}
BETS: Final[Line] = {"event": "bets_closed", "seats": [1], "wagers": [{"seat": 1, "bet": "banker", "stake": 10000}]}
ROUND: Final[list[Line]] = [BETS, *({"event": "card", "card": card} for card in ("9H", "3D", "KS", "4C"))]


class Room:
    """A stage with fingers on it, and what they settle."""

    def __init__(self, shown: Stage) -> None:
        self.stage: Final = shown
        self.fingers: Final = Fingers(shown.page)
        self.fingers.sign_in("cara")
        shown.settled()

    def settles(self, code: str, action: str, **fields: object) -> Taken:
        """An irregularity is shown with its article, and settled by touches."""
        (open_, *_) = self.stage.table.log.view.irregularities
        assert open_.code == code
        screen = self.stage.page.locator(".irregular")
        expect(screen).to_be_visible()
        expect(screen.locator(".article")).to_have_text(open_.article)
        event = {"event": "resolve", "irregularity": open_.irregularity, "action": action, "by": [], **fields}
        taken = self._say(event)
        assert any(isinstance(one, Resolved) for one in taken.outputs), taken.outputs
        two = action in ("identify", "reassign", "void", "end_shoe", "settle")
        assert getattr(taken.event, "by", None) == (["cara", "sara"] if two else ["cara"])
        return taken

    def says(self, **event: object) -> Taken:
        """Any input by touches."""
        return self._say(event)

    def _say(self, event: Line) -> Taken:
        self.fingers.say(_read(event))
        taken = self.stage.answered()
        self.stage.settled()
        return taken


def _read(event: Line) -> AnyInput:

    return decode_input(json.dumps(event))


def test_baccarat_one_after_the_other(tmp_path: Path, browser: Browser) -> None:
    with stage(tmp_path, TABLE, browser) as shown:
        room = Room(shown)
        shown.tell(*READY, *ROUND)
        shown.tell({"event": "card", "card": "5C"})
        room.settles("card_not_due", "burn")
        shown.tell({"event": "device_result", "outcome": "banker", **SHOE})
        room.settles("device_disagrees", "continue")
        room.says(event="misdeal", detail="x")
        room.settles("misdeal", "identify", cards=[{"index": 4, "card": "5C"}])
        room.says(event="round_closed")
        shown.tell(BETS)
        room.says(event="card", card=None)
        room.settles("unread_card", "identify", card="7D")
        shown.tell({"event": "card", "card": "2D"}, {"event": "card", "card": "3D"})
        room.says(event="misdeal", detail="x")
        room.settles("misdeal", "reassign", cards=[{"index": 2, "to": "burn"}], ground="damaged")
        room.says(event="supervisor_called")
        room.says(event="dispute", detail="x")
        room.settles("dispute", "settle")
        shown.tell({"event": "fault", "code": 3, **SHOE})
        taken = room.settles("device_fault", "void")
        assert any(isinstance(one, Voided) for one in taken.outputs)
        assert shown.faults == []


@pytest.mark.parametrize("wrong", ["", "4096731"])
def test_a_second_person_must_be_one_and_must_know_the_pin(tmp_path: Path, browser: Browser, wrong: str) -> None:
    with stage(tmp_path, TABLE, browser) as shown:
        room = Room(shown)
        shown.tell(*READY, *ROUND, {"event": "fault", "code": 3, **SHOE})
        before = shown.table.log.journal.last_seq
        way = next(one for one in room.fingers.offered() if one["line"].get("action") == "end_shoe")
        room.fingers.press(way["key"])
        room.fingers.confirm("sara" if wrong else "cara", wrong)
        assert room.fingers.understood() in ("not_permitted", "sign_in_refused")
        assert not [one for one in shown.table.log.view.irregularities if one.code != "device_fault"]
        room.fingers.confirm("sara")
        assert isinstance(shown.answered().event, type(_read({"event": "resolve", **way["line"], "by": []})))
        assert shown.table.log.journal.last_seq > before


@pytest.mark.parametrize("action", ["burn"])
def test_casino_war_before_the_bets(tmp_path: Path, browser: Browser, action: str) -> None:
    with stage(tmp_path, profile("casino_war", "shoe", {}), browser) as shown:
        room = Room(shown)
        _prepare(shown)
        shown.tell({"event": "card", "card": "5C"})
        room.settles("card_before_bets_closed", action)


def test_q_poker_is_void_once_the_croupier_s_card_was_seen(tmp_path: Path, browser: Browser) -> None:
    with stage(tmp_path, profile("q_poker", "shoe", {}), browser) as shown:
        room = Room(shown)
        _prepare(shown)
        bets = {"event": "bets_closed", "seats": [1], "wagers": [{"seat": 1, "bet": "ante", "stake": 10000}]}
        shown.tell(bets, *({"event": "card", "card": None, "unseen": True} for _ in range(6)))
        room.says(event="exposed", who="croupier", cards=["2C", "3C", "4C"])
        room.settles("croupier_card_exposed", "void")


def _prepare(shown: Stage) -> None:
    """Brings a table to its first bets, as its prompts ask."""
    table = shown.table.log.view.profile
    assert table is not None
    lines: dict[str, Line] = {
        "shuffle": {"event": "shuffled", "by": "croupier"},
        "cut": {"event": "cut", "by": "croupier"},
        "place_cut_card": {"event": "cut_card_placed", "behind": cards_behind(table)},
        "load": {"event": "loaded", "cards": 52 * table.decks},
        "burn": {"event": "card", "card": None, "unseen": True},
    }
    while (prompt := shown.table.log.view.prompt) is not None and prompt.do in lines:
        taken = shown.tell(lines[prompt.do])
        assert not taken.is_refused, taken.outputs

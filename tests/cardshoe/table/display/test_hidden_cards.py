"""No card that lies face down in any answer, stream or page: a table of each game played over a real display."""

import itertools
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from cardshoe.table.live.client import number_of
from cardshoe.table.log.log_builder import LoggedInput
from regulations.events.inputs import CardDrawn, Closed, Table
from regulations.events.outputs import Dealt
from regulations.games.registry import NAMES
from sim.croupier.instructions import HouseInstructions
from tests.cardshoe.table.display.support import LEFT, PADS, displayed, events
from tests.kit.length import SOAK
from tests.sim.croupier.plain_table import PlainTable
from tests.sim.croupier.profiles import profile

CARD = re.compile(r'aria-label="(?:10|[2-9AJQK])[♠♥♦♣]"')
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
DOWN = 'class="slot down"'


def label(card: str) -> str:
    """How a page names a card."""
    rank = "10" if card[0] == "T" else card[0]
    return f'aria-label="{rank}{SUITS[card[1]]}"'


def shown_after(client: httpx.Client, last: int, path: str) -> dict[str, Any]:
    """The answer of a page that has got past a line."""
    found: dict[str, Any] = {"seq": 0}
    while found["seq"] < last:  # the line is on its way
        found = client.get(path).json()
    return found


def whispers(taken: LoggedInput) -> bytes | None:
    """The card of an input that lies face down now, as JSON has it; ``None``: it told of none."""
    event = taken.opened
    if not isinstance(event, CardDrawn) or event.card is None:
        return None
    hides = any(isinstance(one, Dealt) and one.card is None for one in taken.outputs)
    return f'"{event.card}"'.encode() if hides else None


@pytest.mark.statistical
@pytest.mark.timeout(1200)  # in full a shoe game of each game, each of its states on two pages
@pytest.mark.parametrize("table", [profile(one, "shoe", {}) for one in NAMES], ids=NAMES)
def test_nothing_that_the_display_says_tells_of_a_card_that_lies_face_down(tmp_path: Path, table: Table) -> None:
    orders = HouseInstructions(games=1) if SOAK else HouseInstructions(games=None, rounds=2)
    played = PlainTable(7, table, reads=True, mistakes=0.02, orders=orders)
    played.run()
    hidden = 0
    with displayed(tmp_path, table) as (served, client):
        begun = served.log.journal.last_seq
        secrets: dict[int, bytes] = {}
        for event, _ in played.log[1:]:
            taken = served.give(event)
            if (secret := whispers(taken)) is not None:
                secrets |= {number_of(line): secret for line in taken.lines}
            if isinstance(event, Closed):
                break
            last = number_of(taken.lines[-1])
            view = shown_after(client, last, "/api/v1/table")["view"]
            cards = [] if view["round"] is None else view["round"].get("cards", [])
            down = sum(one["card"] is None for one in cards)
            hidden = max(hidden, down)
            options = shown_after(client, last, "/api/v1/options")["options"]
            assert not any("card" in key or "cards" in key for one in options for key in one)
            whole, board = client.get("/croupier").text, client.get("/board").text
            left, page = "".join(LEFT.findall(whole)), LEFT.sub("", PADS.sub("", whole))
            if view["prompt"]["do"] != "resolve":
                assert (page.count(DOWN), len(CARD.findall(page))) == (down, len(cards) - down)
                burned = [] if view["round"] is None else view["round"].get("burned", [])
                opened = {one["card"] for one in (*cards, *burned) if one["card"] is not None}
                assert set(CARD.findall(left)) <= {label(one) for one in opened}
            assert DOWN not in board
        lines = events(client, last=f"{served.log.journal.header.fingerprint}:{begun}")
        told = 0
        for one in itertools.takewhile(lambda one: one["event"] != "pulse", lines):
            number = int(one["id"].partition(":")[2])
            if number in secrets:
                told += 1
                said = str(one["data"])
                assert secrets[number].decode().strip('"') not in re.findall(r"'([A2-9TJQK][SHDC])'", said), said
                assert "'raw'" not in said
        assert told == len(secrets)
    assert (hidden > 0) == bool(secrets) == (table.game not in ("baccarat", "casino_war"))

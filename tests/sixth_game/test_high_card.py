"""A game that is only declared is played, shown, told, logged and verified; no list outside its folder knows it."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET

from cardshoe.floor.database import Database
from cardshoe.floor.facts.fold import LogState
from cardshoe.floor.facts.projector import Known, StreamRow
from cardshoe.floor.pages.all_tables import AllTables
from cardshoe.floor.pages.poller import TablePoller
from cardshoe.floor.pages.rendering import Templates
from cardshoe.floor.pages.settings import PagesSettings
from cardshoe.floor.pages.tiles import tile_of
from cardshoe.screens.felt.action_buttons import enters_by_hand, offers
from cardshoe.screens.felt.felt import felt_of
from cardshoe.screens.felt.players_board import board_of
from cardshoe.screens.view import TableView
from cardshoe.screens.words import labels
from cardshoe.screens.words.currency import Currency
from cardshoe.screens.words.display_section import DisplaySection
from cardshoe.table.display.feed import Feed
from cardshoe.table.display.pages import Pages
from cardshoe.table.display.settings import DisplaySettings
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.terminal.console import parse
from cardshoe.table.terminal.help import help_all
from cardshoe.table.terminal.input_context import Situation
from cardshoe.table.terminal.statistics import Statistics
from cardshoe.table.terminal.text import describe
from regulations.events import inputs
from regulations.events.errors import UnknownGame
from regulations.events.inputs import AnyInput, Table
from regulations.events.outputs import AnyOutput, Refused, Settled
from regulations.games.registry import GAMES, SHEETS
from sim.croupier.instructions import HouseInstructions
from tests.kit.sealed import verified
from tests.kit.table_log import AT
from tests.sim.croupier.plain_table import PlainTable
from tests.sixth_game.high_card import HIGH_CARD, HighCardResult
from tests.tamper.campaign import separate_verifier

TABLE = Table(table_id="T-6", game="high_card", decks=8, seats=5, equipment="shoe")
ROUNDS = 300


@pytest.fixture(scope="module", autouse=True)
def _admitted() -> Iterator[None]:
    with GAMES.playing(HIGH_CARD):
        yield


@pytest.fixture(scope="module")
def played() -> PlainTable:
    """300 rounds of a simulated croupier and players under the law, with some mistakes."""
    table = PlainTable(6, TABLE, orders=HouseInstructions(games=None, rounds=ROUNDS), mistakes=0.002, strategy="random")
    table.run()
    return table


def test_every_round_is_settled(played: PlainTable) -> None:
    log = played.log
    closed = [one for one, answer in log if isinstance(one, inputs.RoundClosed) and answer[0].article != "reading G9"]
    assert played.results >= ROUNDS - 10
    assert len(closed) >= ROUNDS
    settled = [one for _, answer in log for one in answer if isinstance(one, Settled)]
    assert len(settled) == played.results
    assert {wager.bet for one in settled for wager in one.wagers} == {"ante", "red"}
    assert {one.action for one, _ in log if isinstance(one, inputs.Decision)} == {"stay", "swap"}


def test_both_verifiers_accept_its_log(played: PlainTable, tmp_path: Path) -> None:
    log = open_log(tmp_path, TABLE, AT, lambda _taken: None)
    told = [msgspec.structs.replace(event, at=AT) for event, _ in played.log[1:400]]
    with log.journal:
        for event in told:
            log.journal.append([log.scribe.take(event).entry])
    assert verified(log.journal.path).entries == len(told) + 1
    assert separate_verifier().main([str(log.journal.path)]) in (None, 0)


def _steps(played: PlainTable) -> Iterator[tuple[TableView, AnyInput, list[AnyOutput], AnyInput | None]]:
    view = TableView()
    log = [(event, list(answer)) for event, answer in played.log[:900]]
    for (event, answer), (following, then) in pairwise(log):
        view.take(msgspec.structs.replace(event, round=answer[-1].round), answer)
        yield view, event, answer, None if any(isinstance(one, Refused) for one in then) else following


def test_the_page_offers_what_comes_next_and_shows_no_hidden_card(played: PlainTable) -> None:
    currency, asked, named = Currency(), set[str](), set[str]()
    for view, _, _, following in _steps(played):
        offered = offers(view, currency)
        bank = felt_of(view, currency).tops[0]
        assert bank.owner == "banker"
        decided = view.round is not None and view.round.result is not UNSET
        if view.round is not None and not view.irregularities and not decided and not view.round.corrected:
            assert all(slot.card is None for slot in bank.slots)
            assert all(slot.down for slot in bank.slots if slot.face == "next")
        if following is None or (isinstance(following, inputs.CardDrawn) and enters_by_hand(view)):
            continue
        name = str(following.__struct_config__.tag)
        there = [one for one in offered if one.event == name]
        assert there, (name, view.prompt)
        named.add(name)
        if isinstance(following, inputs.Decision):
            asked.update(str(one.fields["action"]) for one in there)
            assert following.action in {one.fields["action"] for one in there}
    assert named >= {"shuffled", "cut", "loaded", "bets_closed", "card", "decision", "revealed", "round_closed"}
    assert asked == {"stay", "swap"}


def tile_html(view: TableView, templates: Templates) -> str:
    """The floor's page of all tables, of which this is the only one, in English."""
    at = datetime(2026, 11, 21, tzinfo=UTC)
    row = StreamRow("T-6", view.log, None, "high_card", "", view.seq, view.seq, view.seq, "", at, at)
    board = TablePoller(Database.__new__(Database))
    known = Known(stream=row, state=LogState(view=view), last=view.seq)
    board.take([tile_of(known, [], (view.seq,), away=False)])
    return AllTables(templates, board).whole("en").html


def test_pages_board_and_tile_show_it(played: PlainTable) -> None:
    settings = DisplaySettings(folder="", table_id="T-6", section=DisplaySection(), currency="MOP")
    feed = Feed.__new__(Feed)
    feed.log = ""
    pages, templates = Pages(settings, feed), Templates(PagesSettings())
    signs, bands = set[str](), 0
    for number, (view, _, answer, _) in enumerate(_steps(played)):
        if any(isinstance(one, HighCardResult) for one in answer):
            told = re.findall(r"<q class='(.)'>", tile_html(view, templates))
            signs.update(told)
            assert board_of(view, Currency()).results[0].house
        if number % 25 == 0:
            page = pages.render("croupier", view)
            assert "High Card" in page
            bands += 'class="band red"' in page
            assert "<section" in pages.render("board", view)
    assert signs == {"+", "=", "−"}
    assert bands
    assert labels.SHORT_GAMES["high_card"] == "HC"
    tile = tile_html(view, templates)
    assert "data-key='t-T-6'" in tile
    assert "<i>HC</i>" in tile
    assert view.newest is not None
    assert f">{view.shoe.number}·{view.newest.number - view.shoe.before}</" in tile


def test_the_terminal_tells_and_reads_it(played: PlainTable) -> None:
    statistics, said = Statistics(), list[str]()
    for event, answer in played.log[:900]:
        taken = LoggedInput(event, list(answer), [], event)
        statistics(taken)
        said += describe(taken)
    assert any("banker" in line and "[1/99 art. 5.º]" in line for line in said)
    assert any(line.split()[:2] == ["seat", "1"] and line.endswith(("higher", "level", "lower")) for line in said)
    assert " higher" in statistics.lines()[2]
    now = Situation(table=TABLE)
    assert parse("bets 1:ante:100 1:red:50", now) == inputs.BetsClosed(
        seats=[1], wagers=[inputs.Wager(seat=1, bet="ante", stake=10_000), inputs.Wager(seat=1, bet="red", stake=5_000)]
    )
    assert parse("swap 2", now) == inputs.Decision(seat=2, action="swap")
    assert "stay" in help_all(now) or "decision 2 stay" in help_all(now)


def test_each_of_its_words_is_among_the_messages() -> None:
    assert labels.every_message() >= {"High Card", "Red card", "swap the card", "level"}
    assert labels.BETS["red"] == "Red card"


def test_a_game_is_admitted_for_a_while() -> None:
    assert [*GAMES][-1] == [*SHEETS][-1] == "high_card"
    with GAMES.playing(HIGH_CARD):
        assert len(GAMES) == len(SHEETS) == 6
    assert SHEETS["high_card"] is HIGH_CARD.sheet
    with pytest.raises(UnknownGame, match="unknown game 'low_card'; known are baccarat"):
        GAMES["low_card"]

"""A view is the same however it came about, has the cards where the law has them, and none that lies face down."""

import random

import msgspec
import pytest

from cardshoe.screens.view import LineFold, TableView
from cardshoe.screens.view.card_layout import owner_of
from cardshoe.screens.view.encoding import ViewEncoder, change
from cardshoe.table.log.log_builder import Scribe
from cardshoe.table.terminal.status import status_text
from regulations.events.inputs import AnyInput, Resolve, Table
from regulations.events.outputs import Next
from sim.croupier.instructions import HouseInstructions
from tests.cardshoe.screens.view.support import copy_of, mishaps, taken
from tests.kit.length import at_length
from tests.sim.croupier.plain_table import PlainTable
from tests.sim.croupier.profiles import profile, variants
from tests.soak.corrections.tables import TABLES

GAMES = list(TABLES)
VARIANTS = variants()
TABLES_PLAYED = 6


def played(seed: int, number: int) -> tuple[Table, list[AnyInput]]:
    """Some rounds of a game with a croupier who errs, and others who talk in between."""
    game, kind, options = VARIANTS[(number * 37 + seed) % len(VARIANTS)]
    table = profile(game, kind, options)
    rounds = HouseInstructions(games=None, rounds=4)
    at = PlainTable(seed + number, table, reads=True, mistakes=0.2, interference=0.05, orders=rounds)
    at.run()
    return table, [event for event, _ in at.log[1:]]


def lying(view: TableView) -> dict[object, str | None]:
    cards = () if view.round is None else view.round.cards
    return {(*owner_of(one.to, one.seat, one.hand), one.position): one.card for one in cards}


def by_the_law(scribe: Scribe) -> dict[object, str | None]:
    hands = scribe.procedure._round.laid._hands  # noqa: SLF001  what lies there is nobody else's to ask
    return {
        (to, seat, hand or (1 if to == "seat" else 0), position): drawn.shown
        for (to, seat, hand), cards in hands.items()
        for position, drawn in enumerate(cards, start=1)
    }


@pytest.mark.parametrize("game", GAMES)
def test_live_from_lines_and_from_a_snapshot_it_is_the_same(game: str, seed: int) -> None:
    rng = random.Random(seed)
    for number in range(at_length(6, 100)):
        live, lines = TableView(log="x"), LineFold(TableView(log="x"))
        stored = copy_of(live)
        for _, one in taken(*mishaps(game, seed, number)):
            live.take(one.event, one.outputs)
            assert lines.take(one.lines) == (one.event, one.outputs)
            # Every now and then it is stored, and another one goes on from there.
            stored.take(one.event, one.outputs)
            stored = copy_of(stored) if rng.random() < 0.2 else stored
            assert live == lines.view
            assert live == stored
            assert live.seq == one.outputs[-1].seq


@pytest.mark.parametrize("game", GAMES)
def test_by_what_changes_it_is_the_same(game: str, seed: int) -> None:
    rng = random.Random(seed)
    corrections = told = whole = 0
    for number in range(at_length(6, 100)):
        view, encoder = TableView(log="x"), ViewEncoder()
        before = encoder.encode(view)
        viewer = before.decoded()
        for _, one in taken(*mishaps(game, seed, number)):
            view.take(one.event, one.outputs)
            corrections += viewer.round is not None and viewer.round.corrected
            if rng.random() < 0.2:
                continue  # told with what comes next, as where several inputs come together
            now = encoder.encode(view)
            changes = now.changes(before)
            change(viewer, changes, one.lines[-1])
            assert viewer == view == now.decoded()
            told, whole, before = told + len(changes), whole + len(now.whole), now
    assert corrections
    assert told < whole / 5


@pytest.mark.parametrize("number", range(at_length(6, 200)))
def test_the_same_at_every_equipment_and_option(seed: int, number: int) -> None:
    live, lines, viewer, encoder = TableView(), LineFold(TableView()), TableView(), ViewEncoder()
    before = encoder.encode(live)
    for _, one in taken(*played(seed, number)):
        live.take(one.event, one.outputs)
        lines.take(one.lines)
        now = encoder.encode(live)
        change(viewer, now.changes(before), one.lines[-1])
        before = now
        assert viewer == live
    assert live == lines.view
    assert live.results


@pytest.mark.parametrize("game", GAMES)
def test_the_cards_lie_where_the_law_has_them(game: str, seed: int) -> None:
    corrections = 0
    for number in range(at_length(20, 400)):
        view = TableView()
        for scribe, one in taken(*mishaps(game, seed, number)):
            view.take(one.event, one.outputs)
            if view.round is None:
                continue
            is_corrected = isinstance(one.event, Resolve) and one.event.action in ("identify", "reassign")
            corrections += is_corrected and not one.is_refused
            assert lying(view) == by_the_law(scribe), f"table {number}: {one.event}"
    assert corrections


@pytest.mark.parametrize("game", GAMES)
def test_it_shows_no_card_that_lies_face_down(game: str, seed: int) -> None:
    hidden = 0
    for number in range(at_length(TABLES_PLAYED, 400)):
        view = TableView()
        for scribe, one in taken(*mishaps(game, seed, number)):
            view.take(one.event, one.outputs)
            if view.round is None:
                continue
            for place, shown in by_the_law(scribe).items():
                assert lying(view)[place] == shown
                hidden += shown is None
            hidden += sum(burned.card is None for burned in view.round.burned)
            assert "sealed" not in msgspec.json.encode(view).decode()
    assert hidden


@pytest.mark.parametrize("game", GAMES)
def test_what_it_says_of_the_table_is_what_the_last_lines_say(game: str, seed: int) -> None:
    for number in range(at_length(6, 100)):
        view = TableView()
        for scribe, one in taken(*mishaps(game, seed, number)):
            view.take(one.event, one.outputs)
            context = scribe.procedure._context  # noqa: SLF001  what is open is nobody else's to ask
            assert sorted(irregularity.irregularity for irregularity in view.irregularities) == sorted(
                irregularity.number for irregularity in context.scope.irregularities.open
            )
            prompt = one.outputs[-1]
            assert isinstance(prompt, Next)
            assert (None if view.round is None else view.round.number) == (
                prompt.round if isinstance(prompt.round, int) else None
            )
            if prompt.do == "resolve" and view.irregularities:
                first = view.irregularities[0]
                assert (first.irregularity, first.actions) == (prompt.irregularity, prompt.actions)
            assert view.shoe.is_last_round == context.shoe.last or view.irregularities


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("game", GAMES)
def test_in_words_it_fits_the_screen_and_names_what_is_open(game: str, columns: int, seed: int) -> None:
    for number in range(3):
        view = TableView(log="0" * 32)
        for _, one in taken(*mishaps(game, seed, number)):
            view.take(one.event, one.outputs)
            text = status_text(view, columns)
            assert max(map(len, text.splitlines())) <= columns
            for irregularity in view.irregularities:
                assert f"IRREGULARITY {irregularity.irregularity} {irregularity.code}" in text
            assert view.round is None or f"round {view.round.number} " in text

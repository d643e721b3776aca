"""Nobody sees a face-down card: all that a running table writes and says is searched for the cards that lie hidden."""

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from cardshoe.journal import read_only
from cardshoe.table.log.replaying import replayed
from cardshoe.table.log.sealing_keys import FILE_NAME
from cardshoe.table.terminal.printing import TextPrinter
from cardshoe.table.terminal.text import card_text
from regulations.events.cards import Card
from regulations.events.inputs import CardDrawn
from regulations.events.vocabulary import Game
from sim.croupier.instructions import HouseInstructions
from sim.croupier.pace import Pace
from sim.croupier.routine import CroupierTraits
from sim.croupier.tdp_croupier import TdpCroupier
from sim.players import Players
from sim.tdp.hands import TdpKind, tdp_at
from sim.wires.pty import PtyWire
from tests.kit.running_table import RunningTable, journal_of, lines_of
from tests.kit.sealed import opened_inputs, sealer_of
from tests.scenarios.process import TableProcess, spawned, write_config
from tests.sim.croupier.profiles import profile

NAMED: Final = re.compile(r'"([A23456789TJQK][SHDC])"')
GAMES: Final[Mapping[str, tuple[Game, TdpKind, dict[str, Any], tuple[int, ...]]]] = {
    "baccarat": ("baccarat", "shoe", {"deal": "face_down"}, (12, 15)),
    "blackjack": ("blackjack", "shoe", {"procedure": "first"}, (8, 12)),
    "casino war": ("casino_war", "shoe", {}, (30, 60)),
    "q poker": ("q_poker", "shoe", {}, (9, 14)),
    "three-card baccarat": ("three_card_baccarat", "shoe", {}, (14, 19)),
}
"""Each game as it is dealt with the most cards face down, and when the table is killed: after so many cards."""

ROUNDS: Final = defaultdict(lambda: 2, casino_war=40)
"""In casino war only a war's burned cards lie face down: some 80 hands include a war, wherever a kill falls."""


def written_in(folder: Path) -> bytes:
    """Every file that a table has written, one after the other. The sealing key holds no card."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != FILE_NAME]
    return b"\n".join(path.read_bytes() for path in sorted(files))


def cards_named(lines: Iterable[str]) -> set[str]:
    """The cards that lines of the log name."""
    return {found for line in lines for found in NAMED.findall(line)}


def forms(card: Card | str) -> list[bytes]:
    """How a card stands in a text for programs, and in one for people."""
    return [f'"{card}"'.encode(), f"'{card}'".encode(), card_text(card).encode()]


class Search:
    """Looks through everything each time the table was killed."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.hidden = 0
        self._folder = folder
        self._capsys = capsys
        self._said = b""
        self._printed: set[int] = set()

    def __call__(self, table: RunningTable) -> None:
        journal = journal_of(self._folder)
        lines = {json.loads(line)["seq"]: line for line in lines_of(journal)}
        shown = cards_named(lines.values())
        drawn = [one for one in opened_inputs(journal) if isinstance(one, CardDrawn)]
        # With several decks a card may lie face down and another like it open: then its frame tells them apart.
        hidden = {one.card for one in drawn if one.card is not None} - shown
        sealed = {seq for seq, line in lines.items() if '"sealed"' in line}
        frames = [one.raw for one in drawn if one.seq in sealed and isinstance(one.raw, str)]
        self.hidden += len(frames)
        self._said += "\n".join(table.heard).encode() + table.errors().encode()
        self._printed |= {json.loads(line)["seq"] for line in table.heard}
        places = {"files": written_in(self._folder), "outputs": self._said, "words": self._words(journal)}
        for place, data in places.items():
            for card in hidden:
                assert not any(form in data for form in forms(card)), f"{place}: {card}"
            for frame in frames:
                assert frame.encode() not in data, f"{place}: the frame {frame}"
                assert bytes.fromhex(frame) not in data, f"{place}: the bytes of {frame}"
        # The search would find them: it does find those that were shown. A kill may come between journal and output.
        assert all(forms(seen)[0] in places["files"] for seen in shown)
        assert self._printed
        assert all(forms(seen)[0] in places["outputs"] for seen in cards_named(map(lines.__getitem__, self._printed)))

    def _words(self, journal: Path) -> bytes:
        printer = TextPrinter()
        with read_only(journal) as evidence:
            for _, taken in replayed(journal, evidence.entries(), sealer_of(journal)):
                printer(taken)
        return self._capsys.readouterr().out.encode()


@pytest.mark.parametrize("name", GAMES)
def test_nothing_names_a_card_that_lies_face_down(
    name: str, tmp_path: Path, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    game, kind, options, kills = GAMES[name]
    profiled = profile(game, kind, options)
    wire, rng = PtyWire(tmp_path / "shoe"), random.Random(seed)
    config = write_config(tmp_path, profiled, {"shoe": (wire.path, ("lock", "let_draw"))})
    # All that a table can write: the witness's notes and the metrics as well.
    more = 'folder = "journals"\nwitness = "witness.notes"\nmetrics = "table.prom"'
    config.write_text(config.read_text().replace('folder = "journals"', more))
    table = TableProcess(config, profiled, [wire], ["--verbose"])
    hands = tdp_at(kind, wire, table.clock, profiled.decks, spawned(rng))
    croupier = TdpCroupier(
        hands,
        CroupierTraits(
            say=table.say,
            rng=spawned(rng),
            clock=table.clock,
            game=profiled.game,
            players=Players(spawned(rng), seats=profiled.seats, game=profiled.game),
            pace=Pace(0),
            orders=HouseInstructions(games=None, rounds=ROUNDS[game]),
        ),
        table.type,
    )
    search = Search(tmp_path, capsys)
    table.play(croupier, kills=kills, cards_out=lambda: len(hands.history), look=search)
    assert croupier.stuck is None
    assert search.hidden > 0
    assert all((tmp_path / name).stat().st_size for name in ("witness.notes", "table.prom"))
    table.assert_money()

"""A device reports 5·10⁴ events over a line that loses, changes, doubles, delays and stalls, and is unplugged.

Both ends restart now and then; `make soak` sends 10⁶. At the end the journal holds each event once, in order: 0 lost,
0 doubled, 0 invented; each command was done once; after damage the next sound frame was decoded; and after each
reattachment the link was ready within 2 s of virtual time.
"""

from typing import Final

import pytest

from tests.kit.length import at_length
from tests.soak.tdp_game import DEVICE, HOST, READY_S, Game

# Runs the same lines a million times; tests/protocols/tdp covers them.
pytestmark = [pytest.mark.no_cover, pytest.mark.statistical, pytest.mark.timeout(at_length(120, 3600))]

SEEDS: Final = at_length(2, 4)
CARDS: Final = at_length(25_000, 250_000)
ON_THE_WAY_MAX: Final = 16
"""Frames, copies counted, that may be on the line when it is unplugged."""


@pytest.mark.parametrize("part", range(SEEDS))
def test_nothing_is_lost_doubled_or_invented(seed: int, part: int) -> None:
    game = Game(seed + part, CARDS)
    game.play()
    line = game.line
    print(  # noqa: T201  shown with -s, or when the test fails
        f"{game.tally}, {line.frames} frames in {line.writes} writes, {line.harmed} harmed, {game.repeated} repeated, "
        f"{game.sessions_lost} sessions lost, {game.stalls} stalls, {game.restarts} restarts, {len(game.answers)} "
        f"commands, {game.pair.now_s:.0f} s, ready after {max(game.ready_s):.2f} s at most of {len(game.ready_s)}",
    )
    assert game.journal == game.made
    assert game.tally.is_exactly_once
    assert len(game.journal) == CARDS + game.restarts[DEVICE]
    _commands_were_done_once(game)
    _damage_cost_no_more_than_its_frame(game)
    assert game.detaches == line.frames // 1000 or game.detaches + 1 == line.frames // 1000
    assert len(game.ready_s) > game.detaches / 2
    assert max(game.ready_s) <= READY_S
    assert min(game.repeated, game.stalls, *game.restarts) > 0


def _commands_were_done_once(game: Game) -> None:
    assert [command.id for command in game.done][: len(game.answers)] == game.answers
    assert len({command.id for command in game.done}) == len(game.done)
    assert len(game.done) - len(game.answers) in {0, 1}


def _damage_cost_no_more_than_its_frame(game: Game) -> None:
    for end in (HOST, DEVICE):
        sound = game.sound[end]
        assert game.decoded[end] == sound.arrived
        assert sound.harms > 50
        assert sound.frames - sound.arrived <= sound.harms + game.detaches * ON_THE_WAY_MAX

"""A Bee-Tek shoe says 10⁵ lines (10⁴ in short) over a line that loses, changes and doubles bytes and lines.

Each card is told as the shoe said it, or the difference is shown, or it is one of the cases that
``docs/protocols/bee-tek.md``, section 7, names.
"""

import pytest

from protocols.bee_tek.messages import Mode
from tests.firmware_bridge.bee_tek.lossy import BEHIND, CHANGED, LOST, NAMED, LossyBeeTek, Rates
from tests.kit.length import at_length

pytestmark = pytest.mark.no_cover  # runs the same lines many times; tests/protocols/bee_tek covers them

LINES = at_length(10_000, 100_000)
TERRIBLE = Rates(byte_lost=1e-2, byte_changed=2e-2, byte_doubled=1e-2, line_lost=1e-2, line_doubled=1e-2, detached=1e-2)
"""Four lines in ten are damaged."""
NONE = Rates(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def played(seed: int, rates: Rates, mode: Mode, lines: int, *, repeats: bool = False) -> LossyBeeTek:
    game = LossyBeeTek(seed, rates, mode, repeats=repeats)
    game.play(lines)
    shown = {"lines": game.lines, **game.counts, **game.unnoticed}
    print("\n".join(f"{count:8} {name}" for name, count in shown.items()))  # noqa: T201  shown with -s, or on failure
    assert set(game.unnoticed) <= NAMED
    return game


@pytest.mark.statistical
@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("rates", [Rates(), TERRIBLE], ids=["bad", "terrible"])
def test_every_difference_is_shown_or_has_a_name(seed: int, mode: Mode, rates: Rates) -> None:
    game = played(seed, rates, mode, LINES // 4, repeats=mode is Mode.GAME)
    assert game.lines >= LINES // 4
    assert game.counts["damage shown"]
    assert game.counts["told as said"] > game.lines / 4
    assert game.counts["unplugged"]
    assert game.unnoticed[LOST]


@pytest.mark.statistical
@pytest.mark.parametrize("part", range(at_length(4, 24)))
def test_whatever_the_seed_every_difference_has_a_name(seed: int, part: int) -> None:
    mode = (Mode.GAME, Mode.DIAGNOSTIC)[part % 2]
    played(seed + 1 + part, (Rates(), TERRIBLE)[part // 2 % 2], mode, 2_500, repeats=part % 3 == 0)


def test_a_changed_card_and_damage_behind_damage_happen(seed: int) -> None:
    game = played(seed, TERRIBLE, Mode.DIAGNOSTIC, 4_000)
    assert game.unnoticed[CHANGED]
    assert game.unnoticed[BEHIND]


@pytest.mark.parametrize("mode", Mode)
def test_over_a_good_line_everything_is_told_as_it_was_said(seed: int, mode: Mode) -> None:
    game = played(seed, NONE, mode, 3_000)
    assert set(game.counts) == {"told as said"}
    assert not game.unnoticed

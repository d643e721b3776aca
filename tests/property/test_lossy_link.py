"""A shoe plays over a line that loses, changes and doubles bytes and is pulled out again and again.

It sends 4·10⁴ frames, in `make soak` 10⁵. What the protocol cannot show must be one of the cases that
``docs/protocols/angel-eye.md``, section 10, names: the witness at the shoe's end (``tests/firmware_bridge/lossy``)
looks at the wire, and fails on anything else.
"""

import os
from typing import Final

import pytest

from tests.firmware_bridge.lossy.game import LossyGame
from tests.firmware_bridge.lossy.link import Rates
from tests.firmware_bridge.lossy.truth import COLLISION, NAMED, NINE
from tests.kit.length import at_length

FRAMES = int(os.environ.get("CARDSHOE_LOSSY_FRAMES", at_length(40_000, 100_000)))
BAD = Rates()
TERRIBLE = Rates(byte_lost=1e-2, byte_changed=3e-2, byte_doubled=1e-2, frame_doubled=1e-2)
"""One frame in three is damaged: enough for damage whose check fits."""
PULLED: Final = Rates(run_lost=1 / 60, detached=1 / 60)
"""Runs of lost telegrams and pulled plugs all the time: enough for gaps that look like others."""
SEEDS: Final = at_length(3, 24)
"""Whole games with faults of their own, 10⁴ frames each, over the three lines in turn."""


def played(seed: int, rates: Rates, frames: int, *, error_before_card: bool) -> LossyGame:
    game = LossyGame(seed, rates, error_before_card=error_before_card)
    game.play(frames)
    print(report(game))  # noqa: T201  shown with -s, or when the test fails
    return game


def report(game: LossyGame) -> str:
    shown = {
        "frames": game.link.frames,
        "detaches": game.link.detaches,
        "runs lost": game.link.runs,
        "frames damaged": game.decoder.damaged,
        "rounds compared": game.rounds,
        "shoes": game.shoes,
        "entered by hand": game.entered,
        **game.truth.counts,
        **game.truth.undetectable,
        **game.codes,
    }
    return "\n".join(f"{count:8} {name}" for name, count in shown.items())


@pytest.mark.statistical
@pytest.mark.parametrize("error_before_card", [False, True], ids=["card-first", "error-first"])
def test_no_card_is_lost_doubled_or_invented_unseen(seed: int, error_before_card: bool) -> None:
    game = played(seed, BAD, FRAMES // 2, error_before_card=error_before_card)
    assert game.link.frames >= FRAMES // 2
    assert game.rounds > FRAMES // 40
    assert game.link.detaches > FRAMES // 5000
    assert game.truth.counts["gaps shown"]
    assert game.codes["count_gap"]
    assert game.codes["device_lost"] == game.link.detaches
    assert set(game.truth.undetectable) <= NAMED


@pytest.mark.statistical
@pytest.mark.parametrize("part", range(SEEDS))
def test_whatever_the_seed_every_difference_has_a_name(seed: int, part: int) -> None:
    rates = (TERRIBLE, PULLED, BAD)[part % 3]
    game = played(seed + 1 + part, rates, 10_000, error_before_card=bool(part % 2))
    assert set(game.truth.undetectable) <= NAMED
    assert game.truth.counts["gaps shown"]


def test_damage_whose_check_fits_happens_and_is_the_documented_case(seed: int) -> None:
    game = played(seed, TERRIBLE, at_length(16_000, 40_000), error_before_card=True)
    assert game.truth.undetectable[COLLISION]
    assert game.codes["device_fault"]


def test_a_gap_of_nine_happens_and_is_the_documented_case(seed: int) -> None:
    game = played(seed, Rates(run_lost=1 / 100), at_length(8_000, 20_000), error_before_card=False)
    assert game.truth.undetectable[NINE]
    assert game.truth.counts["gaps shown"] > game.truth.undetectable[NINE]


def test_over_a_good_line_nothing_is_ever_irregular_but_the_croupiers_mistakes(seed: int) -> None:
    none = Rates(byte_lost=0, byte_changed=0, byte_doubled=0, frame_doubled=0, run_lost=0, detached=0)
    game = played(seed, none, at_length(8_000, 20_000), error_before_card=False)
    assert not sum(game.truth.undetectable.values())
    assert set(game.codes) <= {"unread_card", "card_not_due", "device_fault", "device_disagrees"}
    assert game.session.gaps == 0
    assert game.entered == 0

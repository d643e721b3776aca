"""The short form of ``python -m tests.firmware_bridge.update.flashcuts``; and that the campaign finds what is wrong."""

import random

import pytest

from sim.firmware.flash import NorFlash, Operation, Tear
from sim.firmware.loader import BootLoader
from tests.firmware_bridge.update import flashcuts
from tests.firmware_bridge.update.flashcuts import Extent, PowerCut, campaign
from tests.firmware_bridge.update.story import WHERE, Story, burned
from tests.firmware_bridge.update.wrong_loaders import WRONG

SHORT = Extent(stories=1, payload_bytes=9_000)
CONTROL = Extent(stories=1, every=1000, payload_bytes=3_000, stops=True)


def test_whatever_is_cut_an_approved_image_runs_and_nothing_confirmed_is_lost(seed: int) -> None:
    result = campaign(seed=seed, extent=SHORT)
    assert not result.faults, result.examples
    assert result.states >= 1000
    assert result.line() == (
        f"states={result.states} cuts={result.cuts} bricks=0 unapproved=0 rollbacks=0 lost=0 wedged=0"
    )


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_boot_loader_is_found(name: str, seed: int) -> None:
    kind, expected = WRONG[name]
    result = campaign(kind, seed=seed, extent=CONTROL)
    assert result.faults.keys() == expected, result.line()


def test_a_boot_loader_that_checks_no_signature_is_found(seed: int) -> None:
    result = campaign(trust=burned(checks_signature=False), seed=seed, extent=CONTROL)
    assert result.faults["unapproved"], result.line()


def test_a_story_put_back_together_is_the_same_as_one_that_was_really_cut(seed: int) -> None:
    whole = Story(BootLoader, burned(), seed, 3_000).tell()
    assert whole.refused == 2, "what a thief has signed, and what is older than what was confirmed"
    flash = NorFlash(WHERE.geometry, random.Random(seed), whole.start)
    for number, step in enumerate(whole.steps):
        if number % 17 == 0:
            cut = _really_cut(seed, number)
            flash.do(step.operation)
            assert cut == flash.content, f"operation {number}"
        else:
            flash.do(step.operation)
    assert flash.content == whole.flash.content


def _really_cut(seed: int, number: int) -> bytes:
    story = Story(BootLoader, burned(), seed, 3_000)
    story.flash.tear = Tear.WHOLE
    done = [0]

    def power(_operation: Operation) -> None:
        if done[0] == number:
            raise PowerCut
        done[0] += 1

    story.flash.power = power
    with pytest.raises(PowerCut):
        story.tell()
    return story.flash.content


def test_it_is_run_from_the_command_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["flashcuts", "--stories", "1", "--every", "1000", "--payload-bytes", "1000"])
    assert flashcuts.main() == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("flashcuts: states=")

"""The conformance suite of the shoe."""

from itertools import pairwise
from typing import Final

from acme_shoe.bridge import LINE
from acme_shoe.codec import CYCLE, CardOut, Decoder
from conformance import manual_steps
from conformance.bench import Bench
from conformance.check import Checks
from conformance.check_result import require
from conformance.recorder import MessageRecorder
from conformance.runner import Suite


class Rig(MessageRecorder[CardOut]):
    """A bench with a shoe."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench, Decoder)

    def took(self, item: CardOut, now_s: float) -> None:
        self.bench.health.frame(item.raw, now_s, sends_copies=False)


CHECKS: Final[Checks[Rig]] = Checks("cards")


@CHECKS.check("1. Frames", "the eye at the mouth")
def are_told_as_drawn(rig: Rig) -> None:
    """Each card is told as it was drawn, with the number after the one before."""
    rig.stocked()
    drawn = [card for _ in range(3) for card in rig.act(manual_steps.draw()).cards]
    told = [said.item for said in rig.said]
    require([one.card for one in told] == drawn, str(drawn), [one.card for one in told], bytes(rig.raw))
    steps = [(after.number - before.number) % CYCLE for before, after in pairwise(told)]
    require(set(steps) == {1}, "numbers in a row", steps, bytes(rig.raw))


SUITE: Final[Suite[Rig]] = Suite(
    family="acme",
    page="acme-shoe.md",
    digest="0" * 64,
    checks=tuple(CHECKS),
    line=LINE.changed,
    rig=lambda bench, _settings: Rig(bench),
)

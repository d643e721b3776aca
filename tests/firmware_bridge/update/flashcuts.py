"""``python -m tests.firmware_bridge.update.flashcuts``: power goes in every flash operation of updates and of reverts.

A device's life (``story``) is told once. For each of its flash operations, and each way in which that can be torn, the
flash is put back together as it would be then, and the boot loader runs on it. What it must do does not come from the
boot loader: it comes from what the device had promised at that point. During those boots the power goes again.
"""

import hashlib
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from cardshoe.process.progress import watched
from sim.firmware.build import payload_of
from sim.firmware.flash import Erase, FlashMisuse, NorFlash, Operation, Tear, nothing_happens
from sim.firmware.image_check import BootTrust
from sim.firmware.loader import BootLoader, NotProvisioned, RunningImage
from tests.firmware_bridge.update.client import Client
from tests.firmware_bridge.update.story import (
    LAST_BYTES,
    PAYLOAD_BYTES,
    WHERE,
    Expected,
    Firmware,
    Step,
    Story,
    burned,
    made,
)
from tests.kit.campaign import CampaignCommand

SEED: Final = 20261121
STORIES: Final = 4
"""Together more than 12 500 states."""
AGAIN_EVERY: Final = 40
"""After so many states one is updated to the end: it must not only boot, but take the next firmware as well."""


class PowerCut(Exception):
    """The power went."""


@dataclass(slots=True)
class Result:
    """The findings of the cuts.

    Attributes:
        cuts: how often the power went.
        faults: what was wrong, by kind: ``brick``, ``unapproved``, ``rollback``, ``lost``, ``wedged``.
        examples: the first of each kind, in words.
    """

    cuts: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    hashes: set[bytes] = field(default_factory=set)

    @property
    def states(self) -> int:
        """Distinct contents of the flash from which a boot began."""
        return len(self.hashes)

    def note(self, kind: str, where: str) -> None:
        """Take down a fault."""
        self.faults[kind] += 1
        self.examples.setdefault(kind, where)

    def line(self) -> str:
        """All of it, for programs."""
        faults = self.faults
        return (
            f"states={self.states} cuts={self.cuts} bricks={faults['brick']} unapproved={faults['unapproved']} "
            f"rollbacks={faults['rollback']} lost={faults['lost']} wedged={faults['wedged']}"
        )


@dataclass(frozen=True, slots=True)
class Extent:
    """How far a campaign goes.

    Attributes:
        stories: how many; each has other images and tears.
        every: of the pages of an upload only each so-manieth is torn; erasures and boot records always are.
        payload_bytes: of a firmware.
        stops: whether to stop at the first fault.
    """

    stories: int = STORIES
    every: int = 1
    payload_bytes: int = PAYLOAD_BYTES
    stops: bool = False


class Cuts:
    """Cuts the power everywhere in one story.

    Args:
        kind: the boot loader.
        trust: of the device.
        seed: of images and tears.
        result: where to note what is found.
        extent: how far to go.
    """

    def __init__(self, kind: type[BootLoader], trust: BootTrust, seed: int, result: Result, extent: "Extent") -> None:
        self._kind: Final = kind
        self._trust: Final = trust
        self._rng: Final = random.Random(seed)
        self._result: Final = result
        self._extent: Final = extent
        self._newest: Final = made(99, 9, payload_of(LAST_BYTES, seed + 1))
        self._story: Final = Story(kind, trust, seed, extent.payload_bytes).tell()
        self._by_digest: Final = {firmware.digest: firmware for firmware in self._story.images}

    def run(self) -> None:
        flash = self._flash(self._story.start)
        steps = watched("flash cuts", self._story.steps, len(self._story.steps), unit="operations")
        for number, step in enumerate(steps):
            if self._extent.stops and self._result.faults:
                return
            if self._is_due(number, step.operation):
                for tear in Tear:
                    self._cut(flash.content, step, tear, f"operation {number}, {tear.value}")
            flash.do(step.operation)

    def _is_due(self, number: int, operation: Operation) -> bool:
        return isinstance(operation, Erase) or operation.at >= WHERE.records_at or number % self._extent.every == 0

    def _cut(self, content: bytes, step: Step, tear: Tear, where: str) -> None:
        torn = self._flash(content)
        torn.leave_torn(step.operation, tear)
        content = torn.content
        self._judge(content, step.expected, where)
        for operation in self._operations_of_boot(content):
            self._cut_again(content, operation, step.expected, where)
        if self._result.cuts % AGAIN_EVERY == 0:
            self._update_again(content, where)

    def _operations_of_boot(self, content: bytes) -> range:
        """The operations of the boot that follows a cut."""
        flash = self._flash(content)
        try:
            self._kind(flash, WHERE, self._trust).boot()
        except (FlashMisuse, NotProvisioned):
            return range(0)  # judged already
        return range(flash.operations)

    def _cut_again(self, content: bytes, operation: int, expected: Expected, where: str) -> None:
        """The power goes a second time, in an operation of the boot that follows; torn in a way by chance."""
        flash = self._flash(content)
        left = [operation]

        def power(_operation: Operation) -> None:
            if left[0] == 0:
                raise PowerCut
            left[0] -= 1

        flash.power = power
        try:
            self._kind(flash, WHERE, self._trust).boot()
        except PowerCut:
            # A trial that was noted before the second cut has had its chance: either may run now.
            either = expected.first | expected.then
            later = Expected(either, expected.then, expected.counter)
            self._judge(flash.content, later, f"{where}, then operation {operation} of the boot")

    def _judge(self, content: bytes, expected: Expected, where: str) -> None:
        result = self._result
        result.cuts += 1
        result.hashes.add(hashlib.blake2b(content, digest_size=16).digest())
        flash = self._flash(content)
        for allowed in (expected.first, expected.then):
            fault = self._fault_of_boot(flash, allowed, expected.counter)
            if fault is not None:
                result.note(fault, where)
                return

    def _fault_of_boot(self, flash: NorFlash, allowed: frozenset[bytes], counter: int) -> str | None:
        try:
            running = self._kind(flash, WHERE, self._trust).boot()
        except (FlashMisuse, NotProvisioned):
            running = None
        if running is None:
            return "brick"
        firmware = self._lies_in(flash, running)
        if firmware is None or not firmware.is_approved:
            return "unapproved"
        if firmware.counter < counter:
            return "rollback"
        return None if firmware.digest in allowed else "lost"

    def _lies_in(self, flash: NorFlash, running: RunningImage) -> Firmware | None:
        """The firmware that lies in the slot, byte for byte; what the boot loader says of it is not asked."""
        firmware = self._by_digest.get(running.approved.digest)
        if firmware is None or flash.read(WHERE.at(running.slot), len(firmware.image)) != firmware.image:
            return None
        return firmware

    def _update_again(self, content: bytes, where: str) -> None:
        loader = self._kind(self._flash(content), WHERE, self._trust)
        newest = self._newest
        try:
            for running in self._settled(loader):
                client = Client(loader, running)
                client.upload(newest.image)
                client.test(newest.digest)
            Client(loader, loader.boot()).confirm()
            running = loader.boot()
        except (FlashMisuse, NotProvisioned):
            running = None
        if running is None or running.approved.digest != newest.digest:
            self._result.note("wedged", where)

    @staticmethod
    def _settled(loader: BootLoader) -> Iterator[RunningImage | None]:
        """The device when no trial is under way any more."""
        loader.boot()
        yield loader.boot()

    def _flash(self, content: bytes) -> NorFlash:
        flash = NorFlash(WHERE.geometry, self._rng, content)
        flash.power = nothing_happens
        return flash


def campaign(
    kind: type[BootLoader] = BootLoader,
    trust: BootTrust | None = None,
    *,
    seed: int = SEED,
    extent: Extent = Extent(),  # it cannot be changed
    tell: Callable[[str], object] = str,
) -> Result:
    """Cut the power everywhere in some stories.

    Args:
        kind: the boot loader; the product's, unless a wrong one is to be caught.
        trust: of the device.
        seed: of the first story; each has another.
        extent: how far to go.
        tell: called with a line after each story.
    """
    result = Result()
    for number in range(extent.stories):
        Cuts(kind, trust or burned(), seed + number, result, extent).run()
        tell(result.line())
    return result


def main() -> int:
    """Run it; the last line is for programs."""
    command = CampaignCommand("flashcuts", __doc__, seed=SEED)
    command.option("--stories", type=int, default=STORIES)
    command.option("--every", type=int, default=1, help="tear only each so-manieth page of an upload")
    command.option("--payload-bytes", type=int, default=PAYLOAD_BYTES, help="of a firmware")
    given = command.begin()
    extent = Extent(given.stories, given.every, given.payload_bytes)
    result = campaign(seed=given.seed, extent=extent, tell=command.say)
    for kind, where in result.examples.items():
        command.say(f"first {kind}: {where}")
    return command.end(result.line(), is_good=not result.faults)


if __name__ == "__main__":
    sys.exit(main())

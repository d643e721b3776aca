"""The host dies and the device's power goes, everywhere in an update night and in combinations.

What must be found then does not come from the machine: the flash is read, and the boot loader run on it.
"""

import hashlib
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cardshoe.process.progress import Progress
from firmware_bridge.trust.acts import Update
from firmware_bridge.update import staging
from firmware_bridge.update.errors import DeviceFailure, UpdateRefused
from firmware_bridge.update.machine import UpdateMachine
from firmware_bridge.update.observations import ObservationEvaluator
from firmware_bridge.update.record import UpdateEntry, decode, encode
from firmware_bridge.update.states import FINAL, UpdateState, UpdateTrigger
from protocols.tdp.codes import BootState
from sim.firmware.build import HANGS, class_id_of, maker_key
from sim.firmware.flash import NorFlash, nothing_happens
from sim.firmware.image_check import BootTrust
from sim.firmware.loader import BootLoader, NotProvisioned
from tests.firmware_bridge.update.loop import WHERE, LoopDevice, Supply, Unit
from tests.firmware_bridge.update.night import DEVICE_KEY, MAKER, MODEL, NEW, OLD, SERIAL, Made, Night, make

SICK: Final = make(2, 3, payload=HANGS + bytes(1_000))
"""It is approved, and never gets as far as to speak."""
APPROVED: Final = (OLD, NEW, SICK)
RUNS_MAX: Final = 12
"""Mornings until every update is over: what goes wrong has gone wrong by then."""
BURNED: Final = BootTrust(maker_key().public_key(), class_id_of(MODEL))


class HostKilled(BaseException):
    """The program is gone."""


@dataclass
class Killer:
    """Counts boundaries, and kills the host at one.

    Attributes:
        at: the boundary; -1: it lives.
    """

    at: int = -1
    passed: int = 0

    def __call__(self) -> None:
        number, self.passed = self.passed, self.passed + 1
        if number == self.at:
            raise HostKilled


@dataclass(frozen=True, slots=True)
class Story:
    """The course of a night."""

    name: str
    firmware: Made = NEW
    cancel_at: UpdateTrigger | None = None


STORIES: Final = (
    Story("update"),
    Story("sick firmware", SICK),
    Story("cancelled before the trial", NEW, UpdateTrigger.HOLDS_NEW),
    Story("cancelled in the trial", NEW, UpdateTrigger.AWAITS_TRIAL),
    Story("cancelled when it was attested", NEW, UpdateTrigger.RUNS_TRIAL),
    Story("cancelled too late", NEW, UpdateTrigger.KEEPS_NEW),
)


@dataclass(frozen=True, slots=True)
class Faults:
    """The faults of a night.

    Attributes:
        kill: the boundary at which the host dies; -1: none.
    """

    kill: int = -1
    again: int = -1
    cuts: frozenset[int] = frozenset()
    seed: int = 0


@dataclass
class Found:
    """The findings of the nights."""

    nights: int = 0
    hashes: set[bytes] = field(default_factory=set)
    faults: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    ends: Counter[str] = field(default_factory=Counter)

    def note(self, kind: str, where: str) -> None:
        """Take down a fault."""
        self.faults[kind] += 1
        self.examples.setdefault(kind, where)


class HostCuts:
    """Tells nights."""

    def __init__(
        self,
        folder: Path,
        machine: type[UpdateMachine] = UpdateMachine,
        judge: type[ObservationEvaluator] = ObservationEvaluator,
        device: type[LoopDevice] = LoopDevice,
    ) -> None:
        self.found: Final = Found()
        self._night: Final = Night(folder, APPROVED)
        self._machine: Final = machine
        self._judge: Final = judge
        self._device: Final = device
        self._unit: Final = Unit(MAKER, MODEL, SERIAL, self._night.certificate, DEVICE_KEY)
        first = BootLoader(NorFlash(WHERE.geometry, random.Random(0)), WHERE, BURNED)
        first.provision(OLD.image)
        self._delivered: Final = first.flash.content
        self._updates: Final = {story: self._approved(story) for story in STORIES}
        self._registry: Final = self._night.registry

    def _approved(self, story: Story) -> Update:
        listed = self._night.approvals.of_version(story.firmware.version)
        update = staging.plan([], self._night.registry, self._night.device, listed)
        self._night.approve(update)
        return update

    def campaign(self, nights: int, seed: int) -> None:
        """Tell so many nights: each with one fault first, then combinations by chance."""
        rng = random.Random(seed)
        with Progress("nights", nights, unit="nights") as bar:
            for share, story in enumerate(STORIES, start=1):
                faults = self._faults(story, rng)
                while self.found.nights < nights * share // len(STORIES):
                    self.tell(story, next(faults))
                    bar.reached(self.found.nights)

    def _faults(self, story: Story, rng: random.Random) -> Iterator[Faults]:
        boundaries, operations = self.tell(story, Faults())
        single = [Faults(kill=kill, seed=rng.randrange(1 << 30)) for kill in range(boundaries)]
        single += [Faults(cuts=frozenset({cut}), seed=rng.randrange(1 << 30)) for cut in range(operations)]
        rng.shuffle(single)
        yield from single
        while True:
            yield Faults(
                kill=rng.randrange(boundaries),
                again=rng.randrange(-1, boundaries),
                cuts=frozenset(rng.sample(range(operations + 8), rng.randrange(4))),
                seed=rng.randrange(1 << 30),
            )

    # --- a night ----------------------------------------------------------------------------------------------------

    def tell(self, story: Story, faults: Faults) -> tuple[int, int]:
        """Tell one night to its end, and judge it; returns how many boundaries and operations it had."""
        flash = NorFlash(WHERE.geometry, random.Random(faults.seed), self._delivered)
        device = self._device(BootLoader(flash, WHERE, BURNED), self._unit, Supply(faults.cuts))
        night = _OneNight(self, story, faults, device)
        machine = night.to_the_end()
        self.found.nights += 1
        where = f"{story.name}, {faults}"
        if machine is None:
            self.found.note("stuck", where)
        else:
            self.found.ends[f"{story.name}: {machine.state} {machine.code}".strip()] += 1
            for kind in self._wrong(story, machine, device):
                self.found.note(kind, f"{where}: {machine.state} {machine.code}, {machine.detail}")
        return night.boundaries, device.supply.operations

    def _wrong(self, story: Story, machine: UpdateMachine, device: LoopDevice) -> Iterator[str]:
        flash = NorFlash(WHERE.geometry, random.Random(0), device.flash.content)
        flash.power = nothing_happens
        loader = BootLoader(flash, WHERE, BURNED)
        try:
            running = loader.boot()
        except NotProvisioned:
            running = None
        if running is None:
            yield "brick"
            return
        image = next((made for made in APPROVED if made.digest == running.approved.digest), None)
        if image is None or flash.read(WHERE.at(running.slot), len(image.image)) != image.image:
            yield "unapproved"
            return
        if image.counter < loader.record.counter:
            yield "rollback"
        is_new = image == story.firmware and running.state is BootState.VERIFIED
        if is_new and story.firmware is SICK:
            yield "unapproved"
        if machine.state not in {UpdateState.CONFIRMED, UpdateState.REVERTED, UpdateState.ABANDONED}:
            yield "wrong_end"  # an honest device is never refused
        elif is_new != (machine.state is UpdateState.CONFIRMED):
            yield "lost" if machine.state is UpdateState.CONFIRMED else "wrong_end"

    # --- for a night ------------------------------------------------------------------------------------------------

    def morning(self, record: list[bytes], story: Story, keep: "_OneNight") -> UpdateMachine:
        """The machine that a new process makes from the record."""
        entries = [decode(line) for line in record]
        if not entries:
            return self._as_ours(staging.stage(self._updates[story], [], keep.write, self._night.clock), keep)
        return self._machine(entries, keep.write, self._night.clock)

    def _as_ours(self, staged: UpdateMachine, keep: "_OneNight") -> UpdateMachine:
        return self._machine(staged.entries, keep.write, self._night.clock)

    def go_on(self, machine: UpdateMachine, story: Story, device: LoopDevice) -> None:
        """Go on as ``cardshoe update`` does, as far as it gets."""
        night, image = self._night, story.firmware.image
        if machine.state in {UpdateState.STAGED, UpdateState.VERIFIED, UpdateState.AUTHORISED}:
            staging.verify(machine, night.approvals, image)
            if machine.state is UpdateState.VERIFIED:
                staging.authorise(machine, self._registry, night.now)
            staging.close_table(machine, self._registry, None, night.now)
        machine.run(self._judge(machine.update, self._registry, night.approvals, night.revoked), device, device, image)


class _OneNight:
    """One night: a record, a device, and what goes wrong."""

    def __init__(self, nights: HostCuts, story: Story, faults: Faults, device: LoopDevice) -> None:
        self._nights: Final = nights
        self._story: Final = story
        self._device: Final = device
        self._record: Final[list[bytes]] = []
        self._kills: Final = [faults.kill, faults.again]
        self._killer = Killer()
        self._is_cancelled = story.cancel_at is None
        self.boundaries = 0
        device.supply.went = self._died
        device.between = self._boundary
        device.on_confirm = self._check_attested

    def to_the_end(self) -> UpdateMachine | None:
        for _ in range(RUNS_MAX):
            self._killer = Killer(self._kills.pop(0) if self._kills else -1)
            try:
                machine = self._nights.morning(self._record, self._story, self)
                self._cancel(machine)
                if not machine.is_over:
                    self._nights.go_on(machine, self._story, self._device)
            except HostKilled:
                self._died()
                continue
            except DeviceFailure:
                continue
            except UpdateRefused:
                return None  # the record, the rules and the device do not fit each other any more
            finally:
                self.boundaries = max(self.boundaries, self._killer.passed)
            if machine.is_over:
                return machine
        return None

    def _boundary(self) -> None:
        self._killer()

    def write(self, entry: UpdateEntry) -> None:
        self._killer()
        self._record.append(encode(entry))
        self._killer()
        if not self._is_cancelled and entry.trigger is self._story.cancel_at:
            raise HostKilled

    def _cancel(self, machine: UpdateMachine) -> None:
        if not self._is_cancelled and any(entry.trigger is self._story.cancel_at for entry in machine.entries):
            is_done = any(entry.trigger is UpdateTrigger.CANCEL for entry in machine.entries)
            if machine.state not in FINAL and not is_done:
                machine.fire(UpdateTrigger.CANCEL, by="anna")
            self._is_cancelled = True

    def _died(self) -> None:
        said = [(one.trigger, one.state, one.act, one.code) for one in map(decode, self._record)]
        state = hashlib.blake2b(self._device.flash.content, digest_size=16)
        state.update(repr(said).encode())
        self._nights.found.hashes.add(state.digest())

    def _check_attested(self) -> None:
        running = self._device.running
        if running is None or running.state is not BootState.TEST_BOOT:
            return
        last = decode(self._record[-1])
        evidence = last.evidence
        if (
            last.state is not UpdateState.ATTESTED
            or evidence is None
            or evidence.nonce not in self._device.signed
            or evidence.digest != running.approved.digest.hex()
        ):
            self._nights.found.note("unattested", f"{self._story.name}: told to confirm after {last}")

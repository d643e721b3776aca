"""Mistakes in the second device: each trial is a child process that imports the device with the mistake in it.

The checks that execute the line with the mistake come first, the cheapest before the others. What none of them fails
then meets the whole suite, and parts of it in other settings of the device.
"""

import importlib
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, Final, NamedTuple

from cardshoe.cli.sim.virtual import Far, bench_of
from conformance.check_result import CheckResult
from conformance.runner import run_suite
from tests.conformance.mutant_trial import PLAIN, Fate, Trial, asked, numbered
from tests.conformance.paced import PacedFar
from tests.conformance.suites import suite
from tests.kit import certificates
from tests.mutants.finding import REPOSITORY, mutants_of
from tests.mutants.mutant import Mutant
from tests.mutants.trial import MutantFinder

DEVICE: Final = REPOSITORY / "tests" / "second_device"
FILES: Final = ("framing", "link", "session", "stream", "messages", "outbox", "mechanism", "device", "station")
"""Parts in which a host can notice a mistake."""
RUN_CPU_S: Final = 6.0
"""The whole suite takes a second; a mutant that takes so long will not end."""
MEMORY_BYTES: Final = 2 << 30
BESIDES: Final = ("sim.hands", "sim.bee_tek.hands", "sim.tdp.control", "sim.tdp.hands", "sim.wires.direct")
"""Modules that every child needs and no mutant changes."""
BAUD: Final = 115200


class Way(NamedTuple):
    """A setting of the device, and the checks that it is tried with; all if ``only`` is empty."""

    name: str
    only: tuple[str, ...] = ()
    keeps_events: bool = True
    baud: int = BAUD
    is_secured: bool = False
    has_file: bool = False
    """Its process ends with the power, and the next one has the file."""

    def concerns(self, file: str) -> bool:
        """True if mistakes in a file are tried so."""
        return file.endswith(SECURED_FILES if self.is_secured else KEEPING_FILES if self.has_file else ".py")


WAYS: Final = (
    Way("plain"),
    Way("keeps no events", ("events.start-without-a-place-is-reported", "power", "run"), keeps_events=False),
    Way("19200 baud", ("session", "stream"), baud=19200),
    Way("a file", ("power", "roots"), has_file=True),
    Way("TLS", ("tls", "session.opens", "messages", "commands"), is_secured=True),
)
SECURED_FILES: Final = ("session.py", "station.py")
"""The files that know of TLS."""
KEEPING_FILES: Final = ("outbox.py", "mechanism.py", "device.py")
"""Those that know what a new process has."""


class Seen(NamedTuple):
    """What a check does to the device: seconds of CPU, files and lines executed."""

    cpu_s: float
    lines: frozenset[tuple[str, int]]


class SecondDevice:
    """The second device, in Python.

    Args:
        folder: for its file.
        site: folder of certificates; None: it is not tried with TLS.
    """

    sources: Final = [DEVICE / f"{file}.py" for file in FILES]

    def __init__(self, folder: Path = Path(), site: Path | None = None) -> None:
        self._folder: Final = folder
        self._site: Final = site

    def mutants(self) -> dict[str, Mutant]:
        return numbered((name_of(mutant), mutant) for path in self.sources for mutant in mutants_of(path))

    def tried(self, mutant: Mutant | None, seed: int) -> Trial:
        first = () if mutant is None else executing(mutant, seed)
        reads, writes = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(reads)
            _limit()
            told = Trial(Fate.STOPPED)
            try:
                told = self._run(mutant, seed, first)
            except BaseException as error:  # noqa: BLE001  a mutant breaks in any way
                told = Trial(Fate.STOPPED, type(error).__name__)
            finally:
                os.write(writes, "|".join((told.fate.value, told.by, ";".join(told.skipped))).encode())
                os._exit(0)
        os.close(writes)
        with os.fdopen(reads, "rb") as pipe:
            fate, by, skipped = (pipe.read().decode() or f"{Fate.STOPPED.value}|time or memory|").split("|")
        os.waitpid(pid, 0)
        return Trial(Fate(fate), by, frozenset(filter(None, skipped.split(";"))))

    def _run(self, mutant: Mutant | None, seed: int, first: tuple[str, ...]) -> Trial:
        virtual = _with(mutant)
        skipped: set[str] = set()
        for way in [*([Way("", first)] if first else []), *WAYS]:
            if (way.is_secured and self._site is None) or (mutant and not way.concerns(mutant.file)):
                continue
            signal.setitimer(signal.ITIMER_PROF, RUN_CPU_S)
            far = _far(virtual, way, seed, self._folder / "memory", self._site)
            trial = asked(far, seed, way.only, _settings(way, self._site))
            if trial.fate is not Fate.SURVIVED:
                return trial
            # Checks of a few alone may lack what others leave behind: of them only failures count.
            skipped |= {f"{way.name}: {name}" for name in trial.skipped if way.name}
        return Trial(Fate.SURVIVED, "", frozenset(skipped))


def name_of(mutant: Mutant) -> str:
    """How results and `survivors.txt` name a mutant."""
    return f"{Path(mutant.file).stem} | {mutant.where} | {mutant.before} -> {mutant.after}"


@contextmanager
def make() -> Iterator[SecondDevice]:
    """Import what no mutant changes, once for all children."""
    for name in BESIDES:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        has_openssl = shutil.which("openssl") is not None
        yield SecondDevice(Path(folder), certificates.make_site(Path(folder)) if has_openssl else None)


def executing(mutant: Mutant, seed: int) -> tuple[str, ...]:
    """The checks that execute the line of a mutant, the cheapest first; none if it is executed at import."""
    path = REPOSITORY / mutant.file
    changed = path.read_bytes()[: mutant.edit.start].count(b"\n") + 1
    places = {(str(path), line) for line in (mutant.line, changed)}
    checks = {name: one for name, one in seen_by_checks(seed).items() if places & one.lines}
    return tuple(sorted(checks, key=lambda name: checks[name].cpu_s))


@cache
def seen_by_checks(seed: int) -> Mapping[str, Seen]:
    """Each check of the suite, watched at the unchanged device."""
    virtual = importlib.import_module("tests.conformance.virtual")
    files = {str(DEVICE / f"{file}.py") for file in FILES}
    lines: set[tuple[str, int]] = set()
    found: dict[str, Seen] = {}
    begun_s = time.process_time()

    def line(frame: FrameType, _event: str, _value: object) -> Any:  # noqa: ANN401  a tracer returns itself
        lines.add((frame.f_code.co_filename, frame.f_lineno))
        return line

    def call(frame: FrameType, _event: str, _value: object) -> Any:  # noqa: ANN401  as above
        return line if frame.f_code.co_filename in files else None

    def each(result: CheckResult) -> None:
        nonlocal begun_s
        found[result.name] = Seen(time.process_time() - begun_s, frozenset(lines))
        lines.clear()
        begun_s = time.process_time()

    far = _far(virtual, WAYS[0], seed, Path(), None)
    before = sys.gettrace()
    sys.settrace(call)
    try:
        run_suite(suite("tdp"), bench_of(far, seed), PLAIN, port="virtual", seed=seed, started="now", each=each)
    finally:
        sys.settrace(before)
    return found


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def _with(mutant: Mutant | None) -> ModuleType:
    # Import the device again, with the mistake in it.
    signal.setitimer(signal.ITIMER_PROF, RUN_CPU_S)
    if mutant is not None:
        sys.meta_path.insert(0, MutantFinder(mutant))
    for name in [one for one in sys.modules if one.startswith(("tests.second_device", "tests.conformance.virtual"))]:
        del sys.modules[name]
    return importlib.import_module("tests.conformance.virtual")


def _far(virtual: ModuleType, way: Way, seed: int, file: Path, site: Path | None) -> Far:
    if way.has_file:
        file.unlink(missing_ok=True)
    # Without the file, memory outlives a power cut as the process does.
    memory = virtual.Outbox(file if way.has_file else None, keeps_events=way.keeps_events)
    context = None
    if way.is_secured and site is not None:
        tls = importlib.import_module("tests.second_device.tls")
        name = certificates.DEVICE
        context = tls.server_context(site / f"{name}.pem", site / f"{name}.key", site / "site.pem")
    station = virtual.SecondStation(memory, random.Random(seed), context, way.baud)
    far: Far = _with_new_processes(virtual, station, file) if way.has_file else virtual.SecondFar(station)
    return far if way.baud == BAUD else PacedFar(far, way.baud)


def _with_new_processes(virtual: ModuleType, station: Any, file: Path) -> Far:  # noqa: ANN401  imported for each mutant
    class Restarting(virtual.SecondFar):  # type: ignore[misc, name-defined]  # as above
        def execute(self, line: str) -> str:
            if line == "restore-power":
                before = station.device
                station.outbox = virtual.Outbox(file, keeps_events=True)
                station.device = type(before)(station.outbox, random.Random(line))
                for name in ("_jammed", "cover_open", "key"):  # not in the process
                    setattr(station.device.mechanism, name, getattr(before.mechanism, name))
            answer: str = super().execute(line)
            return answer

    far: Far = Restarting(station)
    return far


def _settings(way: Way, site: Path | None) -> Mapping[str, object]:
    if way.is_secured and site is not None:
        return {**certificates.host_settings(site), **certificates.other_settings(site)}
    return {**PLAIN, "baud": way.baud}

"""Mistakes in the C of the reference shoe: each trial is another program, and its core under power cuts."""

import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from tests.conformance.mutant_trial import PLAIN, Fate, Trial, asked, numbered
from tests.kit import certificates
from tests.reference_shoe.building import FOLDER
from tests.reference_shoe.given_time import FirmwareFar, GivenTime

FILES: Final = ("link", "frame", "message", "commands", "memory", "shoe", "device")
"""Of `core`: what a host can notice."""
FLAGS: Final = ("-std=c11", "-D_GNU_SOURCE", "-O2", "-w")
SANITIZED: Final = (*FLAGS, "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
"""As `make firmware` tries it: what reads beyond an array ends."""
POWER: Final = FOLDER / "tests" / "power_bench.c"
"""Sees what no host can: a power cut behind each byte."""
HANG_S: Final = 120.0
"""A whole run takes some seconds; a mutant that takes so long will not end."""

_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_NO_STATEMENT: Final = "return|break|case|default|enum|struct|const|static"
_STATEMENT: Final = re.compile(rf"^ +(?!(?:{_NO_STATEMENT})\b)[\w>.\[\]()*&-]+.*;$")
_SWAPS: Final = (
    (re.compile(r" (==|!=|<=|>=|<|>) "), {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}),
    (re.compile(r" (&&|\|\|) "), {"&&": "||", "||": "&&"}),
    (re.compile(r" ([+-]) "), {"+": "-", "-": "+"}),
    (re.compile(r"(\+\+|--);"), {"++": "--", "--": "++"}),
    (re.compile(r"\b(true|false)\b"), {"true": "false", "false": "true"}),
)
_NUMBER: Final = re.compile(r"(?<![\w.])(0x[0-9A-F]+|\d+)(U?)(?![\w.])")
_NEGATION: Final = re.compile(r"(?<=[(& |])!(?=\w)")
_FUNCTION: Final = re.compile(r"^[a-z].*?(\w+)\(")


class Mutant(NamedTuple):
    """A change of one place, `start` to `end` in the text of a file of `core`, to `after`."""

    file: str
    start: int
    end: int
    after: str
    line: int
    name: str


def mutants_of(file: str) -> Iterator[Mutant]:
    """All mutants of a file, with lines from 1 and the names of results and `survivors.txt`."""
    source = (FOLDER / "core" / f"{file}.c").read_text(encoding="utf-8")
    text = _COMMENT.sub(lambda found: re.sub(r"\S", " ", found[0]), source)
    offset, where = 0, "-"
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        begun = _FUNCTION.match(line)
        where = begun[1] if begun else where
        if not line.startswith(("#", "_Static_assert")):
            for start, end, after in _changes(line.rstrip("\n")):
                shown = f"{line[:start]}{after}{line[end:]}".strip() or "(nothing)"
                name = f"{file}.c | {where} | {line.strip()} -> {shown}"
                yield Mutant(file, offset + start, offset + end, after, number, name)
        offset += len(line)


def _changes(line: str) -> Iterator[tuple[int, int, str]]:
    for pattern, swaps in _SWAPS:
        for found in pattern.finditer(line):
            yield (*found.span(1), swaps[found[1]])
    for found in _NUMBER.finditer(line):
        yield (*found.span(1), str(int(found[1], 0) + 1))
    for found in _NEGATION.finditer(line):
        yield (*found.span(), "")
    if _STATEMENT.match(line):
        begin = len(line) - len(line.lstrip())
        yield begin, len(line), ";"


class ShoeWay(NamedTuple):
    """A setting of the shoe, and the checks that it is tried with; all if ``only`` is empty.

    Attributes:
        files: of `core`, with mistakes that are tried so.
    """

    name: str
    options: tuple[str, ...] = ()
    settings: Mapping[str, object] = PLAIN
    only: tuple[str, ...] = ()
    files: tuple[str, ...] = FILES
    is_sanitized: bool = False


def ways_of(site: Path | None) -> tuple[ShoeWay, ...]:
    """The settings of a trial.

    Args:
        site: folder of certificates; None: it is not tried with a key.
    """
    slow = ShoeWay("9600 baud", ("--baud", "9600"), {**PLAIN, "baud": 9600}, ("session", "stream"), ("link",))
    if site is None:
        return ShoeWay("plain"), slow, ShoeWay("sanitized", is_sanitized=True)
    device = site / certificates.DEVICE
    key, certificate = ("--key", f"{device}.key"), f"{device}.pem"
    tls = (*key, "--certificate", certificate, "--authority", str(site / "site.pem"))
    attests = {**PLAIN, "device_certificate": certificate}
    secured = {**certificates.host_settings(site), **certificates.other_settings(site)}
    return (
        ShoeWay("plain"),
        slow,
        ShoeWay("TLS", tls, secured, ("tls", "messages"), ("link", "device", "message")),
        ShoeWay("sanitized, with a key", key, attests, is_sanitized=True),
    )


class Built(NamedTuple):
    """A shoe, and its core under power cuts."""

    shoe: Path
    power: Path


class Workshop:
    """Builds mutants beside the unchanged objects."""

    def __init__(self, folder: Path, flags: tuple[str, ...] = FLAGS) -> None:
        folder.mkdir(exist_ok=True)
        self._folder: Final = folder
        self._flags: Final = flags
        self._objects: Final = {path: folder / f"{path.parent.name}-{path.stem}.o" for path in (*_sources(), POWER)}
        for source, made in self._objects.items():
            self._compile(source, made)

    def build(self, mutant: Mutant | None) -> Built | Fate:
        """Return the programs, or why there are none."""
        objects = dict(self._objects)
        if mutant is not None:
            source = FOLDER / "core" / f"{mutant.file}.c"
            text = source.read_text(encoding="utf-8")
            changed = self._folder / f"{mutant.file}.c"
            changed.write_text(text[: mutant.start] + mutant.after + text[mutant.end :], encoding="utf-8")
            objects[source] = self._folder / "changed.o"
            if not self._compile(changed, objects[source]):
                return Fate.NO_PROGRAM
            if objects[source].read_bytes() == self._objects[source].read_bytes():
                return Fate.SAME_CODE
        built = Built(self._folder / "shoe", self._folder / "power_bench")
        shoe = [made for source, made in objects.items() if source != POWER]
        power = [made for source, made in objects.items() if source == POWER or source.parent.name == "core"]
        linked = self._link(built.shoe, shoe) and self._link(built.power, power)
        return built if linked else Fate.NO_PROGRAM

    def _compile(self, source: Path, made: Path) -> bool:
        folders = ("-I", str(FOLDER / "core"), "-I", str(FOLDER / "tests"))
        command = ["gcc", *self._flags, *folders, "-c", str(source), "-o", str(made)]
        return subprocess.run(command, check=False, capture_output=True).returncode == 0

    def _link(self, program: Path, objects: list[Path]) -> bool:
        command = ["gcc", *self._flags, "-o", str(program), *map(str, objects), "-lssl", "-lcrypto"]
        return subprocess.run(command, check=False, capture_output=True).returncode == 0


def _sources() -> list[Path]:
    return sorted(path for part in ("core", "hands", "posix") for path in (FOLDER / part).glob("*.c"))


class ReferenceShoe:
    """The reference shoe, in C."""

    sources: Final = [FOLDER / "core" / f"{file}.c" for file in FILES]

    def __init__(self, workshop: Workshop, sanitized: Workshop, site: Path | None) -> None:
        self._workshops: Final = {False: workshop, True: sanitized}
        self._ways: Final = ways_of(site)

    def mutants(self) -> dict[str, Mutant]:
        return numbered((mutant.name, mutant) for file in FILES for mutant in mutants_of(file))

    def tried(self, mutant: Mutant | None, seed: int) -> Trial:
        plain = self._workshops[False].build(mutant)
        if isinstance(plain, Fate):
            return Trial(plain)
        skipped: set[str] = set()
        for way in self._ways:
            if mutant and mutant.file not in way.files:
                continue
            built: Built | Fate = plain
            if way.is_sanitized:
                if not outlives_power(plain.power):
                    return Trial(Fate.FAILED, POWER.stem)
                built = self._workshops[True].build(mutant)
            if isinstance(built, Fate):
                continue  # alike but for optimisations
            trial = _asked(built.shoe, way, seed)
            if trial.fate is not Fate.SURVIVED:
                return trial
            skipped |= {f"{way.name}: {name}" for name in trial.skipped}
        return Trial(Fate.SURVIVED, "", frozenset(skipped))


@contextmanager
def make() -> Iterator[ReferenceShoe]:
    """Compile what no mutant changes.

    Raises:
        FileNotFoundError: there is no compiler.
    """
    if shutil.which("gcc") is None:
        raise FileNotFoundError("mutants of the shoe need gcc and OpenSSL's headers (Debian: gcc, libssl-dev)")
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        path, has_openssl = Path(folder), shutil.which("openssl") is not None
        site = certificates.make_site(path) if has_openssl else None
        yield ReferenceShoe(Workshop(path / "plain"), Workshop(path / "sanitized", SANITIZED), site)


def _asked(program: Path, way: ShoeWay, seed: int) -> Trial:
    try:
        with GivenTime(program, "--given-time", "--seed", "1", *way.options) as process:
            watchdog = threading.Timer(HANG_S, process.kill)
            watchdog.start()
            try:
                return asked(FirmwareFar(process), seed, way.only, way.settings)
            finally:
                watchdog.cancel()
    except (AssertionError, OSError, ValueError) as error:
        return Trial(Fate.STOPPED, type(error).__name__)


def outlives_power(program: Path) -> bool:
    """True if the core keeps what it must, whenever the power is cut."""
    try:
        return subprocess.run([program], check=False, capture_output=True, timeout=HANG_S).returncode == 0
    except subprocess.TimeoutExpired:
        return False

"""One mutant on trial: a child process imports the law with the mistake in it and runs the checks."""

import contextlib
import gc
import importlib.machinery
import importlib.util
import os
import resource
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from types import CodeType, ModuleType
from typing import Final

from tests.mutants.finding import REPOSITORY
from tests.mutants.mutant import Mutant
from tests.mutants.part import Check, Part

MEMORY_BYTES: Final = 2 << 30
SURVIVED: Final = 0
KILLED: Final = 1
IMPORT: Final = "import"
"""The killer of a mutant that cannot even be imported."""


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a file of the law with a mistake in it."""

    def __init__(self, name: str, path: str, mutant: Mutant) -> None:
        super().__init__(name, path)
        self._mutant = mutant

    def get_code(self, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        return compile(self._mutant.applied_to(self.get_data(path)), path, "exec", dont_inherit=True)


class MutantFinder(MetaPathFinder):
    """Finds the file with a mistake in it, in place of the file itself."""

    def __init__(self, mutant: Mutant) -> None:
        path = REPOSITORY / mutant.file
        parts = path.relative_to(REPOSITORY).with_suffix("").parts
        self._package = parts[-1] == "__init__"
        self._name = ".".join(parts[:-1] if self._package else parts)
        self._loader = _Loader(self._name, str(path), mutant)

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None, /
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._name:
            return None
        return importlib.util.spec_from_loader(fullname, self._loader, is_package=self._package)


def begin(mutant: Mutant | None, part: Part, order: Sequence[Check], cpu_s: int) -> tuple[int, int]:
    """Forks a child that tries a mutant, fails at the first check that notices it, and never returns.

    Args:
        mutant: which; ``None``: the law as it stands.
        cpu_s: what the child may take, seconds.
    """
    reads, writes = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writes)
        return pid, reads
    status = KILLED
    with contextlib.suppress(BaseException):  # whatever a mutant breaks, the child ends here
        os.close(reads)
        _limit(cpu_s)
        killer = _killer(mutant, part, order)
        status = SURVIVED if killer is None else KILLED
        os.write(writes, (killer or "").encode())
    os._exit(status)


def _limit(cpu_s: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    gc.freeze()
    gc.set_threshold(50_000)


def _killer(mutant: Mutant | None, part: Part, order: Sequence[Check]) -> str | None:
    if mutant is not None:
        sys.meta_path.insert(0, MutantFinder(mutant))
    try:
        importlib.import_module("regulations.procedure.procedure")
        dict(importlib.import_module("regulations.games.registry").GAMES)  # all are loaded
    except Exception:  # noqa: BLE001  a mutant may break in any way
        return IMPORT
    for check in order:
        try:
            part.run(check)
        except BaseException:  # noqa: BLE001  as above; what pytest raises where nothing was raised is no Exception
            return f"{check.module}: {check.name}: {check.number}"
    return None

"""Targets of one module in a process of their own: what atheris instruments stays instrumented."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

from tests.fuzz import catalogue

BEGUN: Final = "fuzz: begun: "
"""Before the name of a target, on a line of its own; what comes after it is that target's."""
ENDED: Final = "fuzz: ended with "
"""Before how it ended, on the last of its lines."""


def main() -> None:
    """Fuzz each target until an option ends it, with 0, or an input fails, with another number; the last is told."""
    import atheris  # noqa: PLC0415  an optional tool: whoever only imports this module needs none

    work, keep, *rest = sys.argv[1:]
    options = [one for one in rest if one.startswith("-")]
    *others, last = (one.split("=") for one in rest[: len(rest) - len(options)])
    with atheris.instrument_imports(include=catalogue.instrumented(last[0]), exclude=catalogue.spared(last[0])):
        catalogue.target(last[0])
    for name, runs in others:
        _say(f"{BEGUN}{name}")
        if (pid := os.fork()) == 0:
            _fuzz(name, Path(work, name), keep, [*_runs(runs), *options])
        _say(f"{ENDED}{os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])}")
    name, runs = last
    _say(f"{BEGUN}{name}")
    _fuzz(name, Path(work, name), keep, [*_runs(runs), *options])


def _runs(number: str) -> list[str]:
    return [f"-runs={number}"] if number else []


def _fuzz(name: str, folder: Path, keep: str, options: Sequence[str]) -> NoReturn:
    import atheris  # noqa: PLC0415  as above

    target = catalogue.target(name)
    corpus, words = folder / "corpus", folder / "words"
    corpus.mkdir(parents=True)
    for number, seed in enumerate(target.seeds()):
        (corpus / f"seed-{number:03}").write_bytes(seed)
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in target.words))
    own = [f"-max_len={target.max_bytes}", f"-artifact_prefix={keep}/{name}-"]
    if target.words:
        own.append(f"-dict={words}")
    atheris.Setup([name, str(corpus), *own, *options], target.check)
    atheris.Fuzz()
    raise AssertionError("the fuzzer ends its process, and does not return")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _escaped(word: bytes) -> str:
    return "".join(f"\\x{value:02X}" for value in word)


if __name__ == "__main__":
    main()

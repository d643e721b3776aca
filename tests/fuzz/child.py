"""One target in a process of its own: atheris' loop never returns, and what it instruments stays instrumented.

``python -m tests.fuzz.child TARGET CORPUS OPTION…``, the options libFuzzer's; started by ``tests.fuzz.runner``.
"""

import sys
from pathlib import Path

from tests.fuzz import catalogue


def main() -> None:
    """Fuzz until an option ends it, with 0, or an input fails, with another number."""
    import atheris  # noqa: PLC0415  an optional tool: whoever only imports this module needs none

    name, corpus, *options = sys.argv[1:]
    with atheris.instrument_imports(include=catalogue.instrumented(name), exclude=catalogue.spared(name)):
        target = catalogue.target(name)
    folder = Path(corpus)
    for number, seed in enumerate(target.seeds()):
        (folder / f"seed-{number:03}").write_bytes(seed)
    words = folder.with_suffix(".words")
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in target.words))
    if target.words:
        options.append(f"-dict={words}")
    atheris.Setup([name, corpus, f"-max_len={target.max_bytes}", *options], target.check)
    atheris.Fuzz()


def _escaped(word: bytes) -> str:
    return "".join(f"\\x{value:02X}" for value in word)


if __name__ == "__main__":
    main()

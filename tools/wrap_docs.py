"""Wrap Markdown at 120 characters: `python -m tools.wrap_docs [PAGE ...]`."""

import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tools.pages import ROOT, is_generated, pages

WIDTH: Final = 120
_FENCE: Final = re.compile(r"\s*(```+|~~~+)")
_MARKER: Final = re.compile(r"\s*(?:[-*+] |\d+[.)] |> ?)")
_WHOLE: Final = re.compile(r"(`+).+?\1|!?\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])|<[^ >]+>")
_BEGINS_BLOCK: Final = re.compile(r"(?:[-*+>#|=]|\d+[.)](?: |$)|```|~~~)")
_HELD: Final = "\x00"


def wrapped(text: str) -> str:
    return "".join(
        _rewrapped(block) if is_prose else "".join(block) for block, is_prose in _blocks(text.splitlines(keepends=True))
    )


def too_long(text: str) -> Iterator[int]:
    number = 1
    for block, is_prose in _blocks(text.splitlines(keepends=True)):
        if is_prose and _rewrapped(block) != "".join(block):
            yield from (number + at for at, line in enumerate(block) if len(line.rstrip("\n")) > WIDTH)
        number += len(block)


def _blocks(lines: list[str]) -> Iterator[tuple[list[str], bool]]:
    # A paragraph or a list item, or one line of anything else, at a time; and whether it is prose.
    block: list[str] = []
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if (
            fence
            or mark
            or not line.strip()
            or line.lstrip().startswith(("|", "#", "<", "==="))
            or _is_code(line, block)
        ):
            if block:
                yield block, True
            block = []
            yield [line], False
            if mark and not fence:
                fence = mark[1]
            elif mark and mark[1].startswith(fence):
                fence = ""
            continue
        if block and _MARKER.match(line):
            yield block, True
            block = []
        block.append(line)
        if line.endswith(("  \n", "\\\n")):
            yield block, True
            block = []
    if block:
        yield block, True


def _is_code(line: str, block: list[str]) -> bool:
    return line.startswith("    ") and not block and not _MARKER.match(line)


def _rewrapped(block: list[str]) -> str:
    before = "".join(block)
    kept_end = re.search(r"(  |\\)?\n?$", before)
    if max(len(line.rstrip("\n")) for line in block) <= WIDTH or _is_whole_line(block[0]):
        return before
    marker = _MARKER.match(block[0])
    first = marker[0] if marker else re.match(r"\s*", block[0])[0]  # type: ignore[index]  # it matches anything
    rest = first if first.lstrip().startswith(">") else " " * len(first)
    words = " ".join(line.strip().removeprefix("> ") for line in [block[0][len(first) :], *block[1:]])
    words = _WHOLE.sub(lambda found: found[0].replace(" ", _HELD), words)
    words = re.sub(r" (?=(?:[-*+>#|=]|\d+[.)])(?: |$))", _HELD, words)
    lines = textwrap.wrap(
        words,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines).replace(_HELD, " ") + (kept_end[0] if kept_end else "")


def _is_whole_line(line: str) -> bool:
    return bool(re.match(r"\s{0,3}\[[^\]]+\]:", line))


def main() -> None:
    for page in map(Path, sys.argv[1:]) if sys.argv[1:] else pages(ROOT):
        text = page.read_text()
        if not is_generated(page.resolve(), ROOT) and wrapped(text) != text:
            page.write_text(wrapped(text))
            print(page)


if __name__ == "__main__":
    main()

"""Check the documentation: links, commands, widths, lengths, ADR index, generated pages."""

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from tools.pages import ROOT, is_generated, pages
from tools.wrap_docs import too_long

LENGTHS = {
    "CONTRIBUTING.md": 1500,
    "README.md": 450,
    "docs/architecture.md": 1100,
    "docs/back-office.md": 960,
    "docs/benchmarks.md": 800,
    "docs/cli.md": 1000,
    "docs/display.md": 1500,
    "docs/floor.md": 1560,
    "docs/rounds.md": 700,
    "docs/installing.md": 900,
    "docs/live.md": 1600,
    "docs/machines.md": 700,
    "docs/persons.md": 1050,
    "docs/reliability.md": 1200,
    "docs/running-a-table.md": 800,
    "docs/security.md": 1500,
    "docs/silent-points.md": 1300,
    "docs/shuffle.md": 900,
    "docs/table-log.md": 2500,
    "docs/table-trouble.md": 800,
    "docs/adr/README.md": 1050,
}
DECISION_LENGTH = 300

# What a shell word may be that ends the command before it.
_SHELL_BREAKS = {"|", "||", "&&", ";", "&", ">", ">>", "<", "2>", "2>&1"}

_LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
_REFERENCE = re.compile(r"^\s{0,3}\[[^\]^]+\]:\s+<?(\S+?)>?\s*$")
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
_FENCE = re.compile(r"^\s*(```+|~~~+)\s*(\w*)")
_CODE_SPAN = re.compile(r"(`+).+?\1")


def problems_of_width(page: Path, root: Path) -> Iterator[str]:
    name = str(page.relative_to(root))
    if not is_generated(page, root):
        for number in too_long(page.read_text()):
            yield f"{name}:{number}: longer than 120 characters; run: python -m tools.wrap_docs {name}"


def problems_of_length(root: Path) -> Iterator[str]:
    decisions = {str(page.relative_to(root)) for page in (root / "docs" / "adr").glob("[0-9]*.md")}
    for name, limit in [*LENGTHS.items(), *((name, DECISION_LENGTH) for name in sorted(decisions))]:
        words = len((root / name).read_text().split()) if (root / name).exists() else 0
        if words > limit:
            yield f"{name}: {words} words, allowed {limit}; cut it, history is in git"


def prose_and_console(text: str) -> Iterator[tuple[int, str, str]]:
    fence, language = "", ""
    for number, line in enumerate(text.splitlines(), start=1):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence, language = mark[1], mark[2]
        elif mark and mark[1].startswith(fence) and not mark[2]:
            fence = ""
        elif not fence:
            yield number, "prose", line
        elif language == "console":
            yield number, "console", line


def anchor(heading: str, taken: set[str]) -> str:
    words = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-")
    repeats = sum(1 for other in taken if re.fullmatch(re.escape(words) + r"(-\d+)?", other))
    return f"{words}-{repeats}" if repeats else words


def anchors(text: str) -> set[str]:
    found: set[str] = set()
    for _, kind, line in prose_and_console(text):
        heading = _HEADING.match(line)
        if kind == "prose" and heading:
            found.add(anchor(heading[1], found))
    return found


def problems_of_links(page: Path, root: Path) -> Iterator[str]:
    for number, kind, line in prose_and_console(page.read_text()):
        if kind != "prose":
            continue
        bare = _CODE_SPAN.sub("", line)
        for target in [*_LINK.findall(bare), *_REFERENCE.findall(bare)]:
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue  # an address elsewhere: what is not ours is not checked, and never fetched
            path_part, _, fragment = target.partition("#")
            path = (page.parent / path_part).resolve() if path_part else page
            place = f"{page.relative_to(root)}:{number}"
            if not path.is_relative_to(root):
                yield f"{place}: {target} points outside the repository"
            elif not path.exists():
                yield f"{place}: {target} does not exist"
            elif fragment and path.suffix == ".md" and fragment not in anchors(path.read_text()):
                yield f"{place}: {path.name} has no heading #{fragment}"


def problems_of_commands(page: Path, root: Path, cli: click.Command, targets: set[str]) -> Iterator[str]:
    for number, kind, line in prose_and_console(page.read_text()):
        if kind != "console" or not line.lstrip().startswith("$ "):
            continue
        place = f"{page.relative_to(root)}:{number}"
        try:
            words = shlex.split(line.lstrip()[2:], comments=True)
        except ValueError as error:
            yield f"{place}: not a shell command ({error}): {line.strip()}"
            continue
        while words and re.fullmatch(r"\w+=.*", words[0]):
            words = words[1:]  # a variable set for this command
        for index, word in enumerate(words):
            if word in _SHELL_BREAKS:
                words = words[:index]
                break
        if words[:1] == ["make"]:
            named = {word for word in words[1:] if not word.startswith("-") and "=" not in word}
            yield from (f"{place}: the Makefile has no target {target}" for target in sorted(named - targets))
        elif words and Path(words[0]).name == "cardshoe":
            yield from (f"{place}: {problem}" for problem in _problems_of_call(cli, words[1:]))


def _problems_of_call(cli: click.Command, words: list[str]) -> Iterator[str]:
    command, path = cli, "cardshoe"
    options = _options(cli)
    rest = iter(words)
    for word in rest:
        if word.startswith("-"):
            name, has_value, _ = word.partition("=")
            if name not in options:
                yield f"{path} has no option {name}"
            elif options[name] and not has_value:
                next(rest, None)
        elif isinstance(command, click.Group):
            below = command.get_command(click.Context(command), word)
            if below is None:
                yield f"{path} has no command {word}"
                return
            command, path = below, f"{path} {word}"
            options = _options(command)


def _options(command: click.Command) -> dict[str, bool]:
    found: dict[str, bool] = {}
    for parameter in command.get_params(click.Context(command)):
        if isinstance(parameter, click.Option):
            takes_value = not (parameter.is_flag or parameter.count)
            found |= dict.fromkeys((*parameter.opts, *parameter.secondary_opts), takes_value)
    return found


def make_targets(makefile: str) -> set[str]:
    return set(re.findall(r"^([a-z][a-z0-9-]*):", makefile, flags=re.MULTILINE))


def problems_of_generated(root: Path) -> Iterator[str]:
    from cardshoe.table.rules.page import page  # noqa: PLC0415  as above
    from cardshoe.table.rules.reading_page import COMMAND, reading_page  # noqa: PLC0415  as above
    from regulations.games.registry import GAMES  # noqa: PLC0415  so that the functions above can be tested without it

    wanted = {f"docs/regulations/{name}.md": page(game) for name, game in GAMES.items()}
    commands = {place: f"cardshoe rules {Path(place).stem} --markdown > {place}" for place in wanted}
    wanted["docs/regulations/readings.md"], commands["docs/regulations/readings.md"] = reading_page(GAMES), COMMAND
    for place, text in wanted.items():
        if not (root / place).exists() or (root / place).read_text() != text:
            yield f"{place}: the rules have changed; run: {commands[place]}"


def problems_of_fields() -> Iterator[str]:
    from tools.fields import without_meaning  # noqa: PLC0415  as above

    for name in without_meaning():
        yield f"regulations/events: {name} lacks a meaning; add it to the docstring (summary, Attributes, Values)"


def problems_of_index(root: Path) -> Iterator[str]:
    folder = root / "docs" / "adr"
    taken: dict[str, str] = {}
    index = (folder / "README.md").read_text() if (folder / "README.md").exists() else ""
    for page in sorted(folder.glob("[0-9]*.md")):
        number, title = re.sub(r"^# (?:ADR )?", "", page.read_text().split("\n", 1)[0]).split(" ", 1)
        other = taken.setdefault(number, page.name)
        if other != page.name:
            yield f"docs/adr/{page.name}: {other} has its number; take the next free one"
        row = f"| {number.strip('.:')} | [{title}]({page.name}) |"
        if row not in index:
            yield f"docs/adr/README.md: lacks the row {row}"


def main() -> int:
    from cardshoe import cli as commands  # noqa: PLC0415  so that the functions above can be tested without it

    cli = next(found for found in [commands.main, *vars(commands).values()] if isinstance(found, click.Group))
    targets = make_targets((ROOT / "Makefile").read_text())
    problems = [
        *problems_of_generated(ROOT),
        *problems_of_fields(),
        *problems_of_index(ROOT),
        *problems_of_length(ROOT),
    ]
    for page in pages(ROOT):
        problems += problems_of_width(page, ROOT)
        problems += problems_of_links(page, ROOT)
        problems += problems_of_commands(page, ROOT, cli, targets)
    for problem in problems:
        print(problem)
    if not problems:
        print(f"{len(pages(ROOT))} pages: links, commands, widths, lengths and generated pages are good")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

"""Count the phrases of `tools/english.toml` and fail above a limit.

`--count` prints counts beside limits, and docstring words by package.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.pages import ROOT, is_generated, pages

PACKAGES = (
    "regulations",
    "protocols",
    "drivers",
    "firmware_bridge",
    "conformance",
    "sim",
    "cardshoe",
    "packaging",
    "tools",
)
LIST = Path(__file__).with_name("english.toml")
CORPORA = ("pages", "adrs", "docstrings", "messages")

_FENCED = re.compile(r"(?ms)^ *```.*?^ *```")
_SHOWN = re.compile(r"\b(command|group|check)\(|\.check$")
_SPAN = re.compile(r"``?[^`\n]+``?")

Text = tuple[str, int, str]


@dataclass(frozen=True)
class Phrase:
    pattern: re.Pattern[str]
    write: str
    limits: Mapping[str, int]


def load(file: Path = LIST) -> tuple[list[Phrase], list[str]]:
    content = tomllib.loads(file.read_text())
    found = [
        Phrase(re.compile(one["pattern"], re.IGNORECASE), one["write"], one["limits"]) for one in content["phrases"]
    ]
    return found, content["allowed"]


def prose(text: str) -> str:
    return _SPAN.sub("", _FENCED.sub(lambda code: "\n" * code[0].count("\n"), text))


def helps_of(tree: ast.Module) -> set[ast.AST]:
    """Docstrings that people read: help of commands, requirements of conformance checks."""
    return {
        node.body[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and any(_SHOWN.search(ast.unparse(decorator)) for decorator in node.decorator_list)
    }


def literals(source: str, name: str) -> Iterator[tuple[str, Text]]:
    docstrings = set()
    helps = helps_of(tree := ast.parse(source))
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            docstrings.add(node.value)
            corpus = "messages" if node in helps else "docstrings"
            yield corpus, (name, node.lineno, prose(re.sub(r"\n +", "\n", node.value.value)))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or node in docstrings:
            continue
        if " " in node.value and "SELECT" not in node.value:
            yield "messages", (name, node.lineno, node.value)


def texts(root: Path) -> dict[str, list[Text]]:
    found: dict[str, list[Text]] = {corpus: [] for corpus in CORPORA}
    for page in pages(root):
        if not is_generated(page, root):
            place = page.relative_to(root)
            found["adrs" if "adr" in place.parts else "pages"].append((str(place), 1, prose(page.read_text())))
    for package in PACKAGES:
        for module in sorted((root / package).rglob("*.py")):
            for corpus, text in literals(module.read_text(), str(module.relative_to(root))):
                found[corpus].append(text)
    return found


def places(phrase: Phrase, corpus: Sequence[Text], allowed: Sequence[str]) -> list[str]:
    found = []
    for name, line, text in corpus:
        rest = text
        for allowance in allowed:
            rest = rest.replace(allowance, "")
        found += [
            f"{name}:{line + rest.count(chr(10), 0, match.start())}: {match[0].strip()}"
            for match in phrase.pattern.finditer(rest)
        ]
    return found


def docstring_words(corpus: Sequence[Text]) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    for name, _line, text in corpus:
        package = name.partition("/")[0]
        counts[package] = counts.get(package, 0) + len(text.split())
    return counts


DOCSTRING_WORDS = 60_000


def problems(phrases: Sequence[Phrase], allowed: Sequence[str], corpora: Mapping[str, Sequence[Text]]) -> Iterator[str]:
    for phrase in phrases:
        for corpus in CORPORA:
            found, limit = places(phrase, corpora[corpus], allowed), phrase.limits[corpus]
            if len(found) > limit:
                summary = f"{corpus}: {len(found)} of {phrase.pattern.pattern}, allowed {limit}; write: {phrase.write}"
                yield "\n  ".join([summary, *found])
    if (words := sum(docstring_words(corpora["docstrings"]).values())) > DOCSTRING_WORDS:
        yield f"docstrings: {words} words, allowed {DOCSTRING_WORDS}; leave out what the name says"


def main(arguments: Sequence[str]) -> int:
    phrases, allowed = load()
    corpora = texts(ROOT)
    if "--count" in arguments:
        for phrase in phrases:
            counts = ", ".join(
                f"{corpus} {len(places(phrase, corpora[corpus], allowed))}/{phrase.limits[corpus]}"
                for corpus in CORPORA
            )
            print(f"{counts}  {phrase.pattern.pattern}")
        words = docstring_words(corpora["docstrings"])
        print(
            f"docstring words: {sum(words.values())}: {', '.join(f'{name} {count}' for name, count in words.items())}"
        )
    found = list(problems(phrases, allowed, corpora))
    print("\n".join(found) or "English: no phrase exceeds its limit")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Swaps of articles, words of the table log and states with others of the same file."""

import ast
import re
from collections.abc import Iterator
from typing import Final

ARTICLES: Final = {
    "number": (re.compile(r"\d+\.º\S*"), "99.º"),
    "reading": (re.compile(r"reading [A-Z]\w*"), "reading Z9"),
    "cited": (re.compile(r"\d+/\d+(/M)? art\. .+"), "1/1999 art. 99.º"),
}
"""The forms in which an article is written, and a bogus one for a file that has no second."""
WORD: Final = re.compile(r"[a-z][a-z0-9_]*")
Place = tuple[ast.expr, list[str]]


class Swaps:
    """The names in a file, by kind; each is swapped with the next other of its kind in the file."""

    def __init__(self) -> None:
        self._places: Final[dict[str, list[Place]]] = {}

    def hear(self, node: ast.Constant, where: list[str]) -> None:
        """Takes down an article or a word; any other text is for a person."""
        text = str(node.value)
        for kind, (form, _) in ARTICLES.items():
            if form.fullmatch(text):
                self._places.setdefault(kind, []).append((node, where))
                return
        if WORD.fullmatch(text):
            self._places.setdefault("word", []).append((node, where))

    def hear_state(self, node: ast.Attribute, where: list[str]) -> None:
        """Takes down a state."""
        self._places.setdefault(f"state {ast.unparse(node.value)}", []).append((node, where))

    def found(self) -> Iterator[tuple[ast.expr, str, list[str], str]]:
        """The node, the operator, where it stands, and what stands there instead."""
        for kind, places in self._places.items():
            texts = [ast.unparse(node) for node, _ in places]
            others = list(dict.fromkeys(texts))
            if kind in ARTICLES and len(others) == 1:
                others.append(repr(ARTICLES[kind][1]))
            for (node, where), text in zip(places, texts, strict=True):
                other = others[(others.index(text) + 1) % len(others)]
                if other != text:
                    operator = "article" if kind in ARTICLES else kind.partition(" ")[0]
                    yield node, operator, where, other.replace("'", '"')

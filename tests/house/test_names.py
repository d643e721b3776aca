"""Each class has one name in all packages, and each name one class."""

import ast
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from tests.house.files import ROOT, place
from tools.check_english import PACKAGES

SHARED: Final[Mapping[str, str]] = {
    "CardDrawn": "messages of three protocols, named in their pages, and the event that they become",
    "CardsReturned": "a message of TDP, named in its page, and the event that it becomes",
    "CutCardDrawn": "messages of two protocols, named in their pages",
    "Done": "a message of TDP and one of the live socket, named in their pages",
    "Fault": "a message of TDP, named in its page, and the event that it becomes",
    "FaultCleared": "a message of TDP, named in its page, and the event that it becomes",
    "Hello": "the first message of TDP and of the live socket, named in their pages",
    "Refused": "the output `refused` and a message of TDP, named in their pages",
    "RoundResult": "a telegram of Angel Eye, named in its page, and a mark of the roads",
    "RoundState": "the states of a round, in each game's own `states`",
    "SettlementFacts": "the result of a round, in each game's own `settlement`",
    "Table": "the event `table`, and the table of a pytest-cardshoe fixture",
    "Shoe": "the shoe of a pytest-cardshoe fixture, and the cards of a shoe in an analysis",
}
"""Names of more than one class on purpose, with the reason."""


def names(modules: Mapping[str, str]) -> Mapping[str, Sequence[str]]:
    """The places of each class name."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, text in modules.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(f"{name}:{node.lineno}")
    return found


def shared(modules: Mapping[str, str]) -> Mapping[str, Sequence[str]]:
    """The names of more than one class, with their places."""
    return {name: found for name, found in names(modules).items() if len(found) > 1}


def test_each_class_name_is_unique_unless_the_list_says_why_not() -> None:
    modules = {place(path): path.read_text() for package in PACKAGES for path in (ROOT / package).rglob("*.py")}
    found = shared(modules)
    assert {name: places for name, places in found.items() if name not in SHARED} == {}
    assert [name for name in SHARED if name not in found] == []


def test_a_name_of_two_classes_is_found() -> None:
    two = {"a.py": "class Row: ...\nclass Own: ...", "b.py": "def made():\n    class Row: ..."}
    assert shared(two) == {"Row": ["a.py:1", "b.py:2"]}

"""Outside their folders no product file names a game or the kind of its result."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from regulations.games.registry import NAMES, SHEETS
from tests.house.files import PACKAGES, ROOT, place, spoken

FOLDERS: Final = (*PACKAGES, "packaging", "tools", "reference", ".ci")
AT_HOME: Final = re.compile(
    r"regulations/games/(registry\.py|\w+/)"
    r"|\w+/(kinds/)?angel_eye(/|\.py)"  # the family plays baccarat along by itself
    r"|sim/players/\w+\.py|sim/croupier/croupier\.py"  # strategies and likelihoods; the croupier at an Angel Eye shoe
    r"|cardshoe/cli/campaign/games/\w+\.py"  # their rules and odds a second time
    r"|regulations/law/readings\.py"  # what the silent points mean at each game, for people
    r"|cardshoe/cli/examples\.py|cardshoe/table/setup/example\.toml"  # an example names a game that there is
)
"""Where a game may be named; styles, translations and pages of documentation are no program."""
GAMES: Final = "|".join("[-_ ]?".join(name.split("_")) for name in NAMES)
RESULTS: Final = "|".join(rf"\b{one.result.__name__}\b" for one in SHEETS.values())
FOREIGN: Final = re.compile(rf"(?<![a-z])(?i:{GAMES})|{RESULTS}")


def named(path: Path, text: str) -> Iterator[str]:
    """The lines of a file that name a game; comments and docstrings of Python do not count."""
    if path.suffix == ".py":
        found = spoken(text, FOREIGN)
    else:
        found = ((number, said) for number, said in enumerate(text.splitlines(), 1) if FOREIGN.search(said))
    return (f"{number}: {said}" for number, said in found)


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("one.py", '"""As in blackjack."""\nX = 1  # baccarat', []),
        ("one.py", 'if game == "baccarat":\n    pass', ["1: baccarat"]),
        ("one.py", "def is_q_poker(): ...", ["1: is_q_poker"]),
        ("one.py", "from regulations.games.blackjack import rows", ["1: regulations.games.blackjack.rows"]),
        ("one.py", 'say(f"{x} of casino war")', ["1:  of casino war"]),
        ("one.py", "QPokerResult", ["1: QPokerResult"]),
        ("one.py", "X = ('black'\n  f'jack')", ["1: blackjack"]),
        ("one.sh", "demo --game three-card-baccarat", ["1: demo --game three-card-baccarat"]),
    ],
)
def test_games_are_recognised(name: str, text: str, found: list[str]) -> None:
    assert list(named(Path(name), text)) == found


def test_no_other_file_names_a_game() -> None:
    suffixes = {".py", ".html", ".js", ".sql", ".sh", ".c", ".h", ".service", ".toml", ""}
    files = [
        path
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.suffix in suffixes and path.is_file() and "__pycache__" not in path.parts and "build" not in path.parts
    ]
    assert len(files) > 500
    found = [
        f"{place(path)}:{one}"
        for path in files
        if not AT_HOME.match(str(path.relative_to(ROOT)))
        for one in named(path, path.read_text("utf-8"))
    ]
    assert found == []

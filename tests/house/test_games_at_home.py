"""Outside their folders no product file names a game or the kind of its result."""

import re
from pathlib import Path
from typing import Final

from regulations.games.registry import NAMES, SHEETS

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("regulations", "cardshoe", "sim", "firmware_bridge", "conformance", "drivers", "protocols")
AT_HOME: Final = re.compile(
    r"regulations/games/(registry\.py|\w+/)"
    r"|\w+/(kinds/)?angel_eye(/|\.py)"  # the family plays baccarat along by itself
    r"|sim/players/\w+\.py|sim/croupier/croupier\.py"  # strategies and likelihoods; the croupier at an Angel Eye shoe
)
"""Where a game may be named; styles, translations and pages of documentation are no program."""
FOREIGN: Final = re.compile(
    "|".join([*(rf"[\"']{name}[\"']" for name in NAMES), *(rf"\b{one.result.__name__}\b" for one in SHEETS.values())])
)


def test_no_other_file_names_a_game() -> None:
    files = [
        path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.suffix in (".py", ".html", ".js")
    ]
    assert len(files) > 500
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files
        if not AT_HOME.match(str(path.relative_to(ROOT)))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if FOREIGN.search(line)
    ]
    assert found == []
